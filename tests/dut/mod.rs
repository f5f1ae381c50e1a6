//! Running a DUT from a test: engines that are there, packets in, what it put out.
#![allow(dead_code)] // each test binary uses a part

mod have;
pub mod vectors;

pub use have::have;

use golden::{Event, Verdict};
use hdl::config::{Config, Core, Form, LANES, Signature};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sim::engine::{self, Dut, EngineKind};
use sim::lockstep::{self, Outcome, Summary};
use sim::observer::Sink;
use sim::packets::InMemory;
use sim::stimulus::{Pattern, Pauses};
use sim::tools;

pub const FORMS: [Form; 2] = [Form::Axis, Form::Free];
pub const SIGNATURES: [Signature; 3] = [Signature::Keep, Signature::Flag, Signature::Strip];

/// The bytes at the ends of RFC 3629's ranges, and their neighbours.
pub const BOUNDARIES: [u8; 30] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBB, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
    0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFE, 0xFF,
];

pub const fn often(share: f64) -> Pauses {
    Pauses { share, burst: None }
}

pub const fn bursts(share: f64, length: f64) -> Pauses {
    Pauses {
        share,
        burst: Some(length),
    }
}

/// Packets of about every length up to 40 and some long ones, of text, boundary bytes and random bytes, many with a
/// signature or almost one, and many sequences that the end of their packet cuts in two.
pub fn packets(seed: u64, count: usize) -> Vec<Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let scalar = |random: &mut Xoshiro256PlusPlus, size: usize| {
        let highest = [0x7F, 0x7FF, 0xFFFF, 0x10_FFFF][size];
        let scalar = char::from_u32(random.random_range(0..=highest)).unwrap_or('\u{FEFF}');
        scalar.to_string().into_bytes()
    };
    let mut rest_of_cut = Vec::new();
    let mut packets = Vec::new();
    for index in 0..count {
        let length = if index % 50 == 49 { 2000 } else { index % 41 };
        let mut packet = std::mem::take(&mut rest_of_cut);
        if packet.is_empty() && random.random_bool(0.5) {
            // A signature, or one with a bit that is wrong.
            packet.extend_from_slice(&[0xEF, 0xBB, 0xBF]);
            if random.random() {
                packet[random.random_range(0..3)] ^= 1 << random.random_range(0..8);
            }
        }
        let style = random.random_range(0..4);
        while packet.len() < length {
            match (style, random.random_range(0..4)) {
                (0, _) | (3, 0) => packet.push(random.random()),
                (1, _) | (3, 1) => {
                    packet.push(BOUNDARIES[random.random_range(0..BOUNDARIES.len())])
                }
                (_, size) => packet.extend(scalar(&mut random, size)),
            }
        }
        packet.truncate(length);
        if random.random_bool(0.4) {
            let size = random.random_range(1..4);
            let cut = scalar(&mut random, size);
            let at = random.random_range(0..cut.len());
            packet.extend_from_slice(&cut[..at]);
            rest_of_cut = cut[at..].to_vec();
        }
        packets.push(packet);
    }
    packets
}

/// The engine for what would take the others too long.
pub fn fastest() -> EngineKind {
    if have(&tools::VERILATOR) {
        EngineKind::Verilator
    } else {
        EngineKind::Embedded
    }
}

pub fn config(lanes: usize, form: Form, signature: Signature) -> Config {
    Config::new(Core::Decode, lanes, form, signature, None).expect("a configuration that exists")
}

/// Every configuration of one lane, and of the wider ones enough to have each form and each signature policy.
pub fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for lanes in LANES {
        for form in FORMS {
            for signature in SIGNATURES {
                let strip = signature == Signature::Strip;
                if lanes == 1 || strip == (form == Form::Axis) {
                    configs.push(config(lanes, form, signature));
                }
            }
        }
    }
    configs
}

/// The engines whose tools are there.
pub fn engines() -> Vec<EngineKind> {
    let mut engines = vec![EngineKind::Embedded];
    if have(&tools::VERILATOR) {
        engines.push(EngineKind::Verilator);
    }
    if have(&tools::ICARUS) {
        engines.push(EngineKind::Icarus);
    }
    engines
}

/// What a DUT put out.
#[derive(Debug, Default, PartialEq)]
pub struct Output {
    pub events: Vec<(u64, u64, Event)>,
    pub verdicts: Vec<Verdict>,
}

impl Sink for Output {
    fn event(&mut self, packet: u64, offset: u64, event: Event) {
        self.events.push((packet, offset, event));
    }

    fn packet(&mut self, packet: u64, verdict: Verdict) {
        assert_eq!(
            packet as usize,
            self.verdicts.len(),
            "packets come in order"
        );
        self.verdicts.push(verdict);
    }
}

/// What the oracle says of packets.
pub fn oracle(packets: &[Vec<u8>]) -> Output {
    let mut output = Output::default();
    for (index, packet) in packets.iter().enumerate() {
        let events = golden::events(packet).map(|(at, event)| (index as u64, at as u64, event));
        output.events.extend(events);
        output.verdicts.push(golden::verdict(packet));
    }
    output
}

/// Runs packets in lockstep; a mismatch fails the test.
pub fn run(
    config: &Config,
    kind: EngineKind,
    packets: &[Vec<u8>],
    pattern: Pattern,
) -> (Output, Summary) {
    let verilog = hdl::emit::emit(config).expect("it can be emitted").verilog;
    match try_run(config, kind, &verilog, packets, pattern) {
        (output, Outcome::Agreed(summary)) => (output, summary),
        (_, Outcome::Differed(mismatch)) => {
            panic!("{} {pattern:?}\n{mismatch}", name(config, kind))
        }
    }
}

/// Runs packets in lockstep with this Verilog.
pub fn try_run(
    config: &Config,
    kind: EngineKind,
    verilog: &str,
    packets: &[Vec<u8>],
    pattern: Pattern,
) -> (Output, Outcome) {
    let dut = Dut {
        config,
        verilog,
        trace: None,
    };
    let mut engine = engine::start(kind, &dut).unwrap_or_else(|error| panic!("{error}"));
    let mut output = Output::default();
    let packets = Box::new(InMemory::new(packets));
    let outcome = lockstep::run(
        config,
        engine.as_mut(),
        packets,
        pattern,
        &mut output,
        &mut |_| (),
    )
    .unwrap_or_else(|error| panic!("{error}"));
    (output, outcome)
}

/// A run's configuration and engine in words.
pub fn name(config: &Config, kind: EngineKind) -> String {
    let Config {
        lanes,
        form,
        signature,
        ..
    } = config;
    format!("{} lanes {lanes} {form} {signature}", kind.name())
}
