//! Beats that break the stream's contract are told of, each of them and no other: at the pin `beat_error`, and in `status`.

use crate::dut::{built, engines, everything, verilog};
use hdl::config::{Config, Core, CoreName, Encoding, Form, Mode, Replace, Request};
use hdl::csr::map::{MAP, find};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sim::engine::{self, Dut, EngineKind};
use sim::frame::Frame;
use sim::lockstep;
use std::collections::BTreeSet;

/// Clocks from a beat to the pin.
const CLOCKS: usize = 3;
/// Clocks after a reset until any core takes beats.
const RECOVERY: usize = 8;

fn with_pin(lanes: usize, core: CoreName, form: Form, rest: Request) -> Config {
    built(Request {
        core: Some(core),
        lanes: Some(lanes),
        form: Some(form),
        beat_error: Some(true),
        ..rest
    })
}

/// Clocks in which a core's inputs are what they are.
struct Inputs {
    pins: Frame,
    words: Vec<u32>,
}

impl Inputs {
    fn new(config: &Config) -> Self {
        Self {
            pins: Frame::inputs(config),
            words: Vec::new(),
        }
    }

    /// A clock in which all is low but what is set; a pin that the core does not have is passed over.
    fn clock(&mut self, pins: &[(&str, u64)]) {
        let start = self.words.len();
        self.words.resize(start + self.pins.words, 0);
        for (name, value) in pins {
            let Some(at) = self.pins.find(name) else {
                continue;
            };
            let pin = self.pins.pins.iter().find(|pin| pin.name == *name);
            for word in 0..pin.expect("it is there").words() {
                self.words[start + at + word] = (value >> (32 * word)) as u32;
            }
        }
    }

    fn count(&self) -> usize {
        self.words.len() / self.pins.words
    }

    fn is_high(&self, clock: usize, name: &str) -> Option<bool> {
        let at = self.pins.find(name)?;
        Some(self.words[clock * self.pins.words + at] != 0)
    }
}

/// What a DUT has at its outputs in each clock.
struct Outputs {
    pins: Frame,
    words: Vec<u32>,
}

impl Outputs {
    fn of(config: &Config, kind: EngineKind, inputs: &Inputs) -> Self {
        let text = verilog(config);
        let dut = Dut {
            config,
            verilog: &text,
            trace: None,
            coverage: false,
            bytes: Some((inputs.count() * config.lanes) as u64),
        };
        let mut engine = engine::start(kind, &dut).unwrap_or_else(|error| panic!("{error}"));
        let pins = Frame::outputs(config);
        let mut words = vec![0; inputs.count() * pins.words];
        engine
            .run(inputs.count(), &inputs.words, &mut words)
            .unwrap_or_else(|error| panic!("{error}"));
        Self { pins, words }
    }

    fn value(&self, clock: usize, name: &str) -> Option<u32> {
        let at = self.pins.find(name)?;
        Some(self.words[clock * self.pins.words + at])
    }
}

/// Bits of `tkeep`: one for each byte of a beat.
fn keep_bits(config: &Config) -> usize {
    match config.core {
        Core::Encode { from, .. } if from.is_utf16() => 2 * config.lanes,
        Core::Encode { .. } => 4 * config.lanes,
        _ => config.lanes,
    }
}

/// The contract, of the bytes that a beat has: of words each is there whole, or not at all.
fn keeps_to_it(config: &Config, keep: u64, last: bool) -> bool {
    let lanes = config.lanes;
    if let Core::Encode { .. } = config.core {
        let bytes = keep_bits(config) / lanes;
        let whole = (1 << bytes) - 1;
        return (0..lanes).all(|lane| [0, whole].contains(&(keep >> (bytes * lane) & whole)));
    }
    let with_byte: Vec<usize> = (0..lanes).filter(|lane| keep >> lane & 1 == 1).collect();
    let lowest: Vec<usize> = (0..with_byte.len()).collect();
    with_byte == lowest && (last || with_byte.is_empty() || with_byte.len() == lanes)
}

/// Every `tkeep` of up to eight bits; of more all that are one run of ones, all but one, and some more.
fn keeps(bits: usize, random: &mut Xoshiro256PlusPlus) -> Vec<u64> {
    let all = u64::MAX >> (64 - bits);
    if bits <= 8 {
        return (0..=all).collect();
    }
    let mut keeps = vec![0];
    for low in 0..bits {
        keeps.push(all & !(1 << low));
        keeps.extend((1..=bits - low).map(|length| (u64::MAX >> (64 - length)) << low));
    }
    keeps.extend((0..200).map(|_| random.random::<u64>() & all));
    keeps
}

/// All of them, with and without `tlast`, between idles, stalls and resets.
fn beats(config: &Config, seed: u64) -> Inputs {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut inputs = Inputs::new(config);
    for _ in 0..4 {
        inputs.clock(&[("rst", 1)]);
    }
    for _ in 0..64 {
        inputs.clock(&[]);
    }
    for keep in keeps(keep_bits(config), &mut random) {
        for last in [0, 1] {
            let beat = |rst: bool, valid: bool, ready: bool| {
                [
                    ("rst", rst.into()),
                    ("s_axis_tvalid", valid.into()),
                    ("s_axis_tready", ready.into()),
                    ("s_axis_tkeep", keep),
                    ("s_axis_tlast", last),
                    ("m_axis_tready", 1),
                    ("m_axis_verdict_tready", 1),
                ]
            };
            let mut stopped = false;
            for _ in 0..3 {
                let [reset, valid, ready] = [0.03, 0.8, 0.8].map(|share| random.random_bool(share));
                inputs.clock(&beat(reset, valid, ready));
                stopped |= reset;
            }
            // Then one that is taken for sure, for what a reset has stopped goes on by then, and that none drops.
            let recovery = if stopped { RECOVERY } else { 0 };
            for _ in 0..recovery {
                inputs.clock(&beat(false, false, true));
            }
            inputs.clock(&beat(false, true, true));
            for _ in 0..CLOCKS {
                inputs.clock(&beat(false, false, true));
            }
        }
    }
    for _ in 0..CLOCKS {
        inputs.clock(&[]);
    }
    inputs
}

#[test]
fn the_pin_tells_of_each_beat() {
    let (decode, validate, encode) = (CoreName::Decode, CoreName::Validate, CoreName::Encode);
    let sanitise = CoreName::Sanitise;
    let ascii = Request {
        replace: Some(Replace::Ascii),
        ..Default::default()
    };
    let dense = || Request {
        dense: Some(true),
        ..Default::default()
    };
    let pass = |csr| Request {
        mode: Some(Mode::Pass),
        csr: Some(csr),
        ..Default::default()
    };
    let watch = |csr| Request {
        csr: Some(csr),
        ..Default::default()
    };
    let words = |from| Request {
        from: Some(from),
        ..Default::default()
    };
    let configs = [
        with_pin(2, decode, Form::Axis, Request::default()),
        with_pin(1, encode, Form::Axis, words(Encoding::Utf32)),
        with_pin(4, encode, Form::Axis, words(Encoding::Utf16le)),
        with_pin(16, encode, Form::Axis, words(Encoding::Utf32)),
        with_pin(2, sanitise, Form::Axis, Request::default()),
        with_pin(4, sanitise, Form::Free, ascii),
        with_pin(4, decode, Form::Free, dense()),
        with_pin(8, validate, Form::Free, watch(false)),
        with_pin(8, validate, Form::Axis, watch(true)),
        with_pin(8, validate, Form::Axis, pass(true)),
        with_pin(16, validate, Form::Free, pass(true)),
        with_pin(32, validate, Form::Axis, pass(false)),
        with_pin(64, decode, Form::Free, Request::default()),
    ];
    // The widest take longest.
    let most = if everything() { 64 } else { 8 };
    let configs = configs.iter().filter(|config| config.lanes <= most);
    for (seed, config) in configs.enumerate() {
        for kind in engines() {
            // The others take longest, and tell the least.
            if kind != EngineKind::Icarus && seed > 1 {
                continue;
            }
            let inputs = beats(config, seed as u64);
            let outputs = Outputs::of(config, kind, &inputs);
            let high = |clock, name| inputs.is_high(clock, name);
            let mut judged = BTreeSet::new();
            let mut model = lockstep::model(config);
            let mut pins = vec![0; outputs.pins.words];
            let pin = outputs.pins.at("beat_error");
            // What is said of such beats otherwise is nobody's, and so is then when a core that answers takes the next.
            let answers = outputs.pins.find("s_axis_tready").is_some();
            let frames = inputs.words.chunks_exact(inputs.pins.words);
            for (clock, frame) in frames.enumerate().filter(|_| !answers) {
                model.step(frame, &mut pins);
                let found = outputs.value(clock, "beat_error");
                assert!(clock == 0 || found == Some(pins[pin]), "clock {clock}");
            }
            for clock in 4..inputs.count() - CLOCKS {
                let value = |name| {
                    let start = inputs.pins.find(name).expect("every core has it");
                    let words = &inputs.words[clock * inputs.pins.words + start..];
                    match keep_bits(config) {
                        64 => u64::from(words[0]) | u64::from(words[1]) << 32,
                        _ => u64::from(words[0]),
                    }
                };
                let answered = outputs
                    .value(clock, "s_axis_tready")
                    .map(|ready| ready != 0);
                let ready = answered.or(high(clock, "s_axis_tready"));
                let taken = high(clock, "s_axis_tvalid") == Some(true) && ready != Some(false);
                let dropped = (clock..clock + CLOCKS).any(|clock| high(clock, "rst") == Some(true));
                let last = high(clock, "s_axis_tlast") == Some(true);
                let breaks = !keeps_to_it(config, value("s_axis_tkeep"), last);
                let expected = taken && breaks && !dropped;
                let found = outputs.value(clock + CLOCKS, "beat_error");
                assert_eq!(
                    found,
                    Some(u32::from(expected)),
                    "{}, {}, clock {clock}",
                    kind.name(),
                    config.describe()
                );
                if taken && !dropped {
                    judged.insert((value("s_axis_tkeep"), last));
                }
            }
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
            let all: BTreeSet<u64> = keeps(keep_bits(config), &mut random).into_iter().collect();
            assert_eq!(judged.len(), 2 * all.len(), "each has been told of, or not");
        }
    }
}

/// A read of a register that never ends: it is read again and again.
fn reading(offset: usize) -> [(&'static str, u64); 3] {
    [
        ("s_axil_araddr", offset as u64),
        ("s_axil_arvalid", 1),
        ("s_axil_rready", 1),
    ]
}

/// `status` is set by a bad beat, and by no other; it stays, until it is cleared or the core is reset.
#[test]
fn the_status_keeps_it() {
    let status = MAP
        .iter()
        .find(|it| it.name == "status")
        .expect("there is one");
    let command = MAP
        .iter()
        .find(|it| it.name == "command")
        .expect("there is one");
    let bit = find("status", "beat_error").low;
    let registers = |mode, flows| Request {
        mode,
        flows,
        csr: Some(true),
        core: Some(CoreName::Validate),
        lanes: Some(4),
        ..Default::default()
    };
    let pass = Some(Mode::Pass);
    let configs = [
        (registers(None, None), Form::Axis),
        (registers(None, None), Form::Free),
        (registers(pass, None), Form::Axis),
        (registers(pass, None), Form::Free),
        (registers(None, Some(3)), Form::Axis),
    ];
    for (index, (request, form)) in configs.into_iter().enumerate() {
        let config = built(Request {
            form: Some(form),
            ..request
        });
        let always = [
            ("s_axis_tready", 1),
            ("m_axis_tready", 1),
            ("m_axis_verdict_tready", 1),
            ("s_axil_bready", 1),
        ];
        let write = [
            ("s_axil_awaddr", command.offset as u64),
            ("s_axil_awvalid", 1),
            ("s_axil_wdata", 1 << find("command", "clear").low),
            ("s_axil_wstrb", 0xF),
            ("s_axil_wvalid", 1),
        ];
        let beat = |keep, last| {
            [
                ("s_axis_tvalid", 1),
                ("s_axis_tkeep", keep),
                ("s_axis_tlast", last),
            ]
        };
        let mut inputs = Inputs::new(&config);
        // From which clock on it reads so.
        let mut expected = Vec::new();
        let mut run = |clocks: &[&[(&'static str, u64)]], set: bool| {
            for pins in clocks {
                inputs.clock(&[&always[..], pins].concat());
            }
            // In each clock of a read once.
            for _ in 0..90 + expected.len() % 25 {
                inputs.clock(&[&always[..], &reading(status.offset)].concat());
            }
            expected.push((inputs.count() - 1, set));
        };
        let reset = [("rst", 1)];
        run(&[&reset], false);
        for (keep, last) in [(0xF, 0), (0x3, 1), (0, 1), (0, 0), (0x1, 1)] {
            run(&[&beat(keep, last)], false);
        }
        for (keep, last) in [(0x5, 1), (0x3, 0), (0x8, 1), (0xE, 0)] {
            run(&[&beat(keep, last)], true);
            run(&[&beat(0xF, 1)], true);
            run(&[&write], false);
            run(&[&beat(keep, last)], true);
            run(&[&reset], false);
        }
        // One that a reset meets on its way is never told of.
        let bad = beat(0x5, 1);
        let way = hdl::emit::latency(&config)
            .verdict
            .filter(|_| config.core.flows().is_some());
        for clocks in 0..way.unwrap_or(CLOCKS) + 3 {
            let mut all = vec![&bad[..]];
            all.resize(1 + clocks, &[]);
            all.push(&reset);
            run(&all, false);
        }
        for kind in engines() {
            if kind != EngineKind::Icarus && index > 0 {
                continue;
            }
            let outputs = Outputs::of(&config, kind, &inputs);
            for (clock, set) in &expected {
                let mut clocks = (0..=*clock).rev();
                let read = clocks.find(|&at| outputs.value(at, "s_axil_rvalid") == Some(1));
                let read = read.expect("it has been read");
                assert!(clock - read < 40, "it is read all the time");
                assert_eq!(outputs.value(read, "s_axil_rresp"), Some(0));
                assert_eq!(
                    outputs.value(read, "s_axil_rdata"),
                    Some(u32::from(*set) << bit),
                    "{}, {}, clock {clock}",
                    kind.name(),
                    config.describe()
                );
            }
            // The bus is as the model has it at every clock, while the status changes.
            let mut model = lockstep::model(&config);
            let mut pins = vec![0; outputs.pins.words];
            let bus = outputs.pins.at("s_axil_awready");
            for (clock, frame) in inputs.words.chunks_exact(inputs.pins.words).enumerate() {
                model.step(frame, &mut pins);
                let found = &outputs.words[clock * outputs.pins.words..][..outputs.pins.words];
                assert!(clock == 0 || pins[bus..] == found[bus..], "clock {clock}");
            }
        }
    }
}
