//! The lockstep with the cycle model in the DUT's place, so that faults can be put where they are wanted.

use golden::{Event, Verdict, cycle};
use hdl::config::{Config, CoreName, Form, Mode, Request, Signature};
use sim::engine::{Engine, EngineError, Undefined};
use sim::frame::Frame;
use sim::lockstep::{self, LockstepError, Outcome};
use sim::observer::{Saturated, Sink};
use sim::packets::{InMemory, Packets, Piece};
use sim::stimulus::{Pattern, Pauses};
use std::io;

/// What goes wrong, and in which clock.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The first output pin is inverted.
    Pin(usize),
    Error(usize),
    Panic(usize),
}

/// The model as a DUT.
struct Twin {
    model: cycle::Model,
    input_words: usize,
    output_words: usize,
    clock: usize,
    fault: Option<Fault>,
}

impl Twin {
    fn new(config: &Config, fault: Option<Fault>) -> Self {
        Self {
            model: lockstep::model(config),
            input_words: Frame::inputs(config).words,
            output_words: Frame::outputs(config).words,
            clock: 0,
            fault,
        }
    }
}

impl Engine for Twin {
    fn run(
        &mut self,
        clocks: usize,
        inputs: &[u32],
        outputs: &mut [u32],
    ) -> Result<Vec<Undefined>, EngineError> {
        assert_eq!(inputs.len(), clocks * self.input_words);
        let inputs = inputs.chunks_exact(self.input_words);
        for (inputs, outputs) in inputs.zip(outputs.chunks_exact_mut(self.output_words)) {
            self.model.step(inputs, outputs);
            match self.fault {
                Some(Fault::Pin(clock)) if clock == self.clock => outputs[0] ^= 1,
                Some(Fault::Error(clock)) if clock == self.clock => {
                    return Err(EngineError::Output {
                        tool: "the twin",
                        line: "nothing".to_string(),
                    });
                }
                Some(Fault::Panic(clock)) if clock == self.clock => panic!("the twin panicked"),
                _ => {}
            }
            self.clock += 1;
        }
        Ok(Vec::new())
    }
}

/// Packets of which the one after the last cannot be read.
struct Broken<'a>(InMemory<'a>);

impl Packets for Broken<'_> {
    fn next(&mut self, piece: &mut Piece) -> io::Result<bool> {
        match self.0.next(piece)? {
            true => Ok(true),
            false => Err(io::Error::other("broken")),
        }
    }
}

#[derive(Default)]
struct Output {
    events: Vec<(u64, u64, Event)>,
    verdicts: Vec<(Verdict, Saturated)>,
    passed: Vec<Vec<u8>>,
    bad: Vec<bool>,
    open: Vec<u8>,
}

impl Sink for Output {
    fn event(&mut self, packet: u64, offset: u64, event: Event) {
        self.events.push((packet, offset, event));
    }

    fn packet(&mut self, packet: u64, verdict: Verdict, saturated: Saturated) {
        assert_eq!(packet as usize, self.verdicts.len());
        self.verdicts.push((verdict, saturated));
    }

    fn passed(&mut self, bytes: &[u8], last: bool, bad: bool) {
        self.open.extend_from_slice(bytes);
        if last {
            self.passed.push(std::mem::take(&mut self.open));
            self.bad.push(bad);
        }
    }
}

fn configs() -> Vec<Config> {
    let decode = [Some(false), Some(true)].map(|dense| Request {
        core: Some(CoreName::Decode),
        signature: Some(Signature::Flag),
        dense,
        ..Default::default()
    });
    let validate = [Mode::Snoop, Mode::Pass].map(|mode| Request {
        core: Some(CoreName::Validate),
        mode: Some(mode),
        verdict_width: Some(168),
        counter_width: Some(8),
        ..Default::default()
    });
    let mut configs = Vec::new();
    for request in decode.into_iter().chain(validate) {
        for (lanes, form) in [1, 4, 64]
            .into_iter()
            .flat_map(|lanes| [Form::Free, Form::Axis].map(|form| (lanes, form)))
        {
            for side in [0, 40] {
                let request = Request {
                    lanes: Some(lanes),
                    form: Some(form),
                    id_width: Some(side),
                    dest_width: Some(side / 10),
                    user_width: Some(side),
                    ..request.clone()
                };
                configs.push(request.resolve().expect("it exists"));
            }
        }
    }
    configs
}

fn packets() -> Vec<Vec<u8>> {
    let text = "\u{FEFF}Grüße, 日本語 \u{1F600}".as_bytes();
    let mut packets: Vec<Vec<u8>> = (0..text.len()).map(|at| text[..at].to_vec()).collect();
    packets.extend((0..text.len()).map(|at| text[at..].to_vec()));
    packets.extend([vec![], vec![0xFF; 300], vec![b'A'; 256], text.repeat(200)]);
    packets
}

const STALLS: Pattern = Pattern {
    seed: 5,
    idle: Pauses {
        share: 0.3,
        burst: None,
    },
    stall: Pauses {
        share: 0.5,
        burst: Some(9.0),
    },
    late_last: 0.4,
    null_beats: 0.1,
    sparse: 0.0,
    reset: 0.0,
    accesses: 0.0,
    texts: sim::texts::Texts::Random,
};

fn run(
    config: &Config,
    fault: Option<Fault>,
    packets: Box<dyn Packets + '_>,
    pattern: Pattern,
) -> (Output, Result<Outcome, LockstepError>) {
    let mut output = Output::default();
    let mut engine = Twin::new(config, fault);
    let outcome = lockstep::run(
        config,
        &mut engine,
        packets,
        pattern,
        &mut output,
        &mut |_| (),
    );
    (output, outcome)
}

#[test]
fn the_observer_reads_what_the_oracle_says() {
    let packets = packets();
    for config in configs() {
        for pattern in [Pattern::default(), STALLS] {
            let (output, outcome) = run(&config, None, Box::new(InMemory::new(&packets)), pattern);
            let Ok(Outcome::Agreed(summary)) = outcome else {
                panic!("{config:?} {outcome:?}");
            };
            let bytes: usize = packets.iter().map(Vec::len).sum();
            assert_eq!(summary.bytes, bytes as u64);
            assert_eq!(output.verdicts.len(), packets.len(), "{config:?}");
            let decodes = config.core.name() == CoreName::Decode;
            let passes = config.module.contains("pass");
            for (packet, (verdict, saturated)) in packets.iter().zip(&output.verdicts) {
                let mut expected = golden::verdict(packet);
                if !decodes {
                    let limit = |count: &mut u64| {
                        let over = *count > 255;
                        *count = (*count).min(255);
                        over
                    };
                    let over = Saturated {
                        bytes: limit(&mut expected.bytes),
                        valid_up_to: limit(&mut expected.valid_up_to),
                        scalars: limit(&mut expected.scalars),
                        ill_formed: limit(&mut expected.ill_formed),
                    };
                    assert_eq!(*saturated, over, "{config:?}");
                }
                assert_eq!(*verdict, expected, "{config:?}");
            }
            if decodes {
                let events = packets.iter().zip(0..).flat_map(|(packet, index)| {
                    golden::events(packet).map(move |(at, event)| (index, at as u64, event))
                });
                assert!(output.events.iter().copied().eq(events), "{config:?}");
            }
            if passes {
                assert!(output.passed == packets, "{config:?}");
                // A source may set the bit, too.
                let random = config.side.user > 0;
                for (packet, bad) in packets.iter().zip(&output.bad) {
                    let ill_formed = std::str::from_utf8(packet).is_err();
                    assert!(*bad == ill_formed || random && *bad, "{config:?}");
                }
            }
        }
    }
}

#[test]
fn resets_drop_what_is_in_the_core_and_nothing_else_goes_wrong() {
    let packets = packets();
    for config in configs() {
        let pattern = Pattern {
            reset: 0.01,
            accesses: 0.1,
            ..STALLS
        };
        let (_, outcome) = run(&config, None, Box::new(InMemory::new(&packets)), pattern);
        assert!(
            matches!(outcome, Ok(Outcome::Agreed(_))),
            "{config:?} {outcome:?}"
        );
    }
}

fn one_lane() -> Config {
    Request::default().resolve().expect("it exists")
}

#[test]
fn the_first_mismatch_is_told_with_all_before_it() {
    let packets = vec![vec![b'A'; 10_000]];
    for at in [1, 500, 1023, 1024, 1025, 3 * 1024, 9_000] {
        let (output, outcome) = run(
            &one_lane(),
            Some(Fault::Pin(at)),
            Box::new(InMemory::new(&packets)),
            Pattern::default(),
        );
        let Ok(Outcome::Differed(mismatch)) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(mismatch.cycle, at as u64);
        assert_eq!(mismatch.differences[0].pin, "s_axis_tready");
        assert_eq!(mismatch.byte, mismatch.offset);
        // A clock of reset, and one until the core is ready.
        let accepted = at.saturating_sub(2) as u64;
        assert_eq!(mismatch.byte, accepted);
        assert_eq!(output.events.len() as u64, accepted.saturating_sub(17));
        let mut vcd = Vec::new();
        mismatch.write_vcd(&mut vcd).expect("it is in memory");
        assert!(!vcd.is_empty());
    }
}

#[test]
fn what_goes_wrong_first_ends_the_run() {
    let packets = vec![vec![b'A'; 5_000]];
    let run = |fault, broken| {
        let packets = InMemory::new(&packets);
        let packets: Box<dyn Packets> = if broken {
            Box::new(Broken(packets))
        } else {
            Box::new(packets)
        };
        run(&one_lane(), fault, packets, Pattern::default()).1
    };
    for at in [0, 700, 4_900] {
        assert!(matches!(
            run(Some(Fault::Error(at)), false),
            Err(LockstepError::Engine(_))
        ));
    }
    assert!(matches!(run(None, true), Err(LockstepError::Input(_))));
    // The input breaks behind its last byte.
    assert!(matches!(
        run(Some(Fault::Pin(3_000)), true),
        Ok(Outcome::Differed(_))
    ));
    assert!(matches!(
        run(Some(Fault::Error(3_000)), true),
        Err(LockstepError::Engine(_))
    ));
}

#[test]
#[should_panic(expected = "the twin panicked")]
fn a_panic_of_the_dut_is_not_swallowed() {
    let packets = vec![vec![b'A'; 5_000]];
    let packets = Box::new(InMemory::new(&packets));
    let _ = run(
        &one_lane(),
        Some(Fault::Panic(2_000)),
        packets,
        Pattern::default(),
    );
}
