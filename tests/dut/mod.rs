//! Running a DUT from a test: engines that are there, packets in, what it put out.
#![allow(dead_code)] // each test binary uses a part

pub mod evidence;
pub mod matrix;
pub mod vectors;

pub use crate::support::{everything, have};

use golden::{Event, Further, Kind, Verdict};
use hdl::config::{
    COUNTER_WIDTHS, Config, Core, CoreName, Depth, Edges, Encoding, Extent, Form, Grammar, LANES,
    MAX_LANES_OF_OPTIONS, Mode, OnError, Replace, Request, Signature,
};
use sha2::{Digest, Sha256};
use sim::campaign::framed::Framed;
use sim::campaign::random::Random;
use sim::campaign::words::Words;
use sim::engine::{self, Dut, EngineKind};
use sim::lockstep::{self, Outcome, Summary};
use sim::observer::{Against, Counted, Saturated, Sink};
use sim::packets::InMemory;
use sim::stimulus::{Pattern, Pauses};
use sim::texts;
use sim::tools;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

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

/// The first random packets of a seed.
pub fn packets(seed: u64, count: usize) -> Vec<Vec<u8>> {
    Random::new(golden::Grammar::Rfc3629, seed, 0)
        .take(count)
        .collect()
}

/// The engine for what would take the others too long.
pub fn fastest() -> EngineKind {
    if have(&tools::VERILATOR) {
        EngineKind::Verilator
    } else {
        EngineKind::Embedded
    }
}

/// A sparse decoder without side signals.
pub fn decoder(lanes: usize, form: Form, signature: Signature) -> Config {
    built(Request {
        lanes: Some(lanes),
        form: Some(form),
        signature: Some(signature),
        ..Default::default()
    })
}

/// A decoder whose events are packed, with side signals.
pub fn dense(lanes: usize, form: Form, signature: Signature) -> Config {
    built(Request {
        dense: Some(true),
        lanes: Some(lanes),
        form: Some(form),
        signature: Some(signature),
        id_width: Some(3),
        user_width: Some(lanes % 7),
        ..Default::default()
    })
}

/// A decoder that puts out UTF-16; a dense one has side signals, too.
pub fn to_utf16(
    to: Encoding,
    lanes: usize,
    form: Form,
    signature: Signature,
    dense: bool,
) -> Config {
    built(Request {
        to: Some(to),
        dense: Some(dense),
        lanes: Some(lanes),
        form: Some(form),
        signature: Some(signature),
        user_width: Some(if dense { 9 } else { 0 }),
        ..Default::default()
    })
}

/// A validator; the wider it is, the wider its counters. Every other one has side signals.
pub fn validator(lanes: usize, mode: Mode, form: Form) -> Config {
    let level = lanes.ilog2() as usize;
    let side = if level.is_multiple_of(2) {
        33 - 5 * level
    } else {
        0
    };
    built(Request {
        core: Some(CoreName::Validate),
        mode: Some(mode),
        lanes: Some(lanes),
        form: Some(form),
        verdict_width: Some(if mode == Mode::Pass { 256 } else { 160 }),
        counter_width: Some(COUNTER_WIDTHS[level % 4]),
        id_width: Some(side),
        dest_width: Some(side / 4),
        user_width: Some(side.min(17)),
        ..Default::default()
    })
}

/// An encoder; the wider it is, the wider its counters. Those of 2 and 8 lanes have side signals.
pub fn encoder(from: Encoding, lanes: usize, on_error: OnError) -> Config {
    let level = lanes.ilog2() as usize;
    let side = 7 * (level % 2);
    built(Request {
        core: Some(CoreName::Encode),
        from: Some(from),
        lanes: Some(lanes),
        on_error: Some(on_error),
        verdict_width: Some(if level == 1 { 256 } else { 160 }),
        counter_width: Some(COUNTER_WIDTHS[level % 4]),
        id_width: Some(side),
        dest_width: Some(side / 2),
        user_width: Some(5 * side),
        ..Default::default()
    })
}

/// Encoders of every number of lanes, each of what they take and of what becomes of an ill-formed word.
pub fn encoders() -> Vec<Config> {
    use Encoding::{Utf16be, Utf16le, Utf32};
    use OnError::{Omit, Replace};
    let all = [
        (Utf32, 1, Replace),
        (Utf16le, 1, Omit),
        (Utf16be, 2, Replace),
        (Utf32, 4, Omit),
        (Utf16le, 8, Replace),
        (Utf32, 8, Replace),
        (Utf32, 16, Omit),
        (Utf16be, 16, Replace),
    ];
    all.map(|(from, lanes, on_error)| encoder(from, lanes, on_error))
        .into()
}

/// A core that repairs. Those of 2, 8 and 32 lanes have side signals.
pub fn sanitiser(replace: Replace, lanes: usize, form: Form, signature: Signature) -> Config {
    let level = lanes.ilog2() as usize;
    let side = 6 * (level % 2);
    built(Request {
        core: Some(CoreName::Sanitise),
        replace: Some(replace),
        signature: Some(signature),
        lanes: Some(lanes),
        form: Some(form),
        counter_width: Some(COUNTER_WIDTHS[level % 4]),
        id_width: Some(side),
        dest_width: Some(side / 2),
        user_width: Some(7 * side),
        ..Default::default()
    })
}

/// Such cores of every number of lanes.
pub fn sanitisers() -> Vec<Config> {
    use Form::{Axis, Free};
    use Replace::{Ascii, Fffd};
    use Signature::{Keep, Strip};
    let all = [
        (Ascii, 1, Axis, Keep),
        (Fffd, 1, Axis, Strip),
        (Ascii, 2, Free, Keep),
        (Fffd, 2, Axis, Strip),
        (Fffd, 2, Axis, Keep),
        (Ascii, 4, Free, Keep),
        (Fffd, 4, Axis, Strip),
        (Ascii, 8, Free, Keep),
        (Fffd, 8, Axis, Keep),
        (Fffd, 16, Axis, Strip),
        (Ascii, 16, Axis, Keep),
        (Ascii, 32, Free, Keep),
        (Ascii, 64, Axis, Keep),
        (Ascii, 128, Free, Keep),
    ];
    let build = |(replace, lanes, form, signature)| sanitiser(replace, lanes, form, signature);
    all.map(build).into()
}

/// The first random packets of a seed, of what the core takes.
pub fn packets_for(config: &Config, seed: u64, count: usize) -> Vec<Vec<u8>> {
    let grammar = sim::grammar::grammar(config);
    match config.core {
        Core::Encode { from, .. } => {
            let words = Words::new(from, grammar, seed, 0);
            words.take(count).collect()
        }
        core if core.policy().has_frames => {
            let frames = Framed::new(
                grammar,
                seed,
                0,
                core.policy().forbid.bits(),
                core.policy().ports,
            );
            frames.take(count).collect()
        }
        core => Random::new(grammar, seed, 0)
            .with_classes(core.policy().forbid.bits())
            .take(count)
            .collect(),
    }
}

/// A core with this number of flows. Every other one has a `tid` that can name a flow that is not there, and side signals; half of them
/// registers.
pub fn flows(lanes: usize, count: usize, form: Form) -> Config {
    flows_with_counters(lanes, count, form, [8, 32, 16][count % 3])
}

/// The same, with counters of so many bits.
pub fn flows_with_counters(lanes: usize, count: usize, form: Form, width: usize) -> Config {
    let least = (count.next_power_of_two().ilog2() as usize).max(1);
    let spare = usize::from(count % 2 == 1);
    built(Request {
        core: Some(CoreName::Validate),
        flows: Some(count),
        lanes: Some(lanes),
        form: Some(form),
        counter_width: Some(width),
        id_width: Some(least + spare),
        dest_width: Some(3 * spare),
        user_width: Some(33 * spare),
        csr: Some(count % 4 < 2),
        ..Default::default()
    })
}

/// A validator with registers.
pub fn with_registers(lanes: usize, mode: Mode, form: Form) -> Config {
    built(Request {
        core: Some(CoreName::Validate),
        mode: Some(mode),
        lanes: Some(lanes),
        form: Some(form),
        csr: Some(true),
        user_width: Some(lanes),
        ..Default::default()
    })
}

pub fn built(request: Request) -> Config {
    request.resolve().expect("a configuration that exists")
}

pub const EVERY_CLASS: &str = "nul,control,c1,noncharacter,bidi,private,supplementary,from-0300";

/// A validator with forbidden classes; the wider it is, the wider its counters.
pub fn forbidding(lanes: usize, mode: Mode, form: Form, classes: &str) -> Config {
    built(Request {
        core: Some(CoreName::Validate),
        mode: Some(mode),
        lanes: Some(lanes),
        form: Some(form),
        forbid: Some(classes.parse().expect("names of classes")),
        counter_width: Some(COUNTER_WIDTHS[lanes.ilog2() as usize % 4]),
        user_width: Some(lanes % 3),
        ..Default::default()
    })
}

/// A core of the other grammar.
pub fn in_rfc2279(request: Request) -> Config {
    built(Request {
        grammar: Some(Grammar::Rfc2279),
        ..request
    })
}

/// Every kind of core: of the narrow ones all forms, of the wider ones enough to have each form and each policy. Cores of 4 and 32
/// lanes are built as those of 8 and 64, and are not in the quick set. Those of more than 64 are [`widest`].
pub fn configs() -> Vec<Config> {
    use Form::{Axis, Free};
    use Signature::{Flag, Keep, Strip};
    let mut configs = Vec::new();
    let is_wanted = |lanes: &usize| everything() || ![4, 32].contains(lanes);
    let lanes = LANES
        .into_iter()
        .filter(|&lanes| lanes <= MAX_LANES_OF_OPTIONS);
    for lanes in lanes.filter(is_wanted) {
        let odd = lanes.ilog2() % 2 == 1;
        let (one, other) = if odd { (Axis, Free) } else { (Free, Axis) };
        if lanes == 1 {
            for form in FORMS {
                configs.extend(SIGNATURES.map(|signature| decoder(lanes, form, signature)));
            }
        } else {
            configs.push(decoder(lanes, Axis, Strip));
            configs.push(decoder(lanes, Free, if odd { Keep } else { Flag }));
        }
        configs.push(dense(lanes, Axis, if odd { Strip } else { Flag }));
        configs.push(validator(lanes, Mode::Snoop, one));
        configs.push(validator(lanes, Mode::Pass, Axis));
        if lanes <= 4 {
            configs.push(dense(lanes, Free, if odd { Keep } else { Strip }));
            configs.push(validator(lanes, Mode::Snoop, other));
            configs.push(validator(lanes, Mode::Pass, Free));
        }
    }
    for (to, lanes, form, signature, dense) in [
        (Encoding::Utf16le, 1, Free, Strip, false),
        (Encoding::Utf16be, 2, Axis, Keep, false),
        (Encoding::Utf16le, 8, Axis, Strip, true),
        (Encoding::Utf16le, 16, Free, Flag, false),
        (Encoding::Utf16be, 64, Axis, Keep, false),
    ] {
        configs.push(to_utf16(to, lanes, form, signature, dense));
    }
    configs.push(with_registers(1, Mode::Snoop, Axis));
    configs.push(with_registers(2, Mode::Pass, Axis));
    configs.push(with_registers(8, Mode::Pass, Free));
    configs.push(with_registers(16, Mode::Snoop, Free));
    configs
}

/// Cores that read the headers of frames; in a quick run those of few lanes.
pub fn framed() -> Vec<Config> {
    let core = |lanes, mode, form| Request {
        core: Some(CoreName::Validate),
        lanes: Some(lanes),
        mode: Some(mode),
        form: Some(form),
        frames: Some(true),
        ..Request::default()
    };
    let open = |request| Request {
        edges: Some(Edges::Open),
        user_width: Some(35),
        ..request
    };
    let policies = |request| Request {
        verdict: Some(Extent::Full),
        forbid: Some("supplementary,nul".parse().expect("classes")),
        signature: Some(Signature::Reject),
        depth: Some(Depth::Min),
        ..request
    };
    // With registers the table can be written.
    let ports = |table: &str, request| Request {
        ports: Some(table.parse().expect("a table")),
        csr: (table == "all").then_some(true),
        ..request
    };
    let repairs = |lanes, form| Request {
        core: Some(CoreName::Sanitise),
        replace: Some(Replace::Ascii),
        mode: None,
        ..core(lanes, Mode::Snoop, form)
    };
    [
        core(8, Mode::Snoop, Form::Axis),
        ports("all", open(core(8, Mode::Pass, Form::Free))),
        ports(
            "udp:53,udp:dst:80-514",
            policies(core(8, Mode::Pass, Form::Axis)),
        ),
        Request {
            csr: Some(true),
            ..open(core(16, Mode::Snoop, Form::Free))
        },
        core(16, Mode::Pass, Form::Axis),
        policies(core(32, Mode::Snoop, Form::Axis)),
        core(64, Mode::Pass, Form::Free),
        ports("udp:514,tcp:80-81", open(core(64, Mode::Pass, Form::Axis))),
        core(64, Mode::Snoop, Form::Free),
        ports("udp:53,udp:dst:80-514", repairs(8, Form::Axis)),
        repairs(16, Form::Free),
        repairs(64, Form::Axis),
        repairs(64, Form::Free),
    ]
    .into_iter()
    .map(built)
    .filter(|config| everything() || config.lanes <= 8)
    .collect()
}

/// A core that drops packets of up to this number of bytes.
pub fn dropping(lanes: usize, bytes: usize, request: Request) -> Config {
    built(Request {
        core: Some(CoreName::Validate),
        mode: Some(Mode::Drop),
        lanes: Some(lanes),
        drop_bytes: Some(bytes),
        ..request
    })
}

/// Such cores of every sort, the narrowest first; in a quick run none of more than 8 lanes.
pub fn droppers() -> Vec<Config> {
    let request = Request::default;
    let shallow = || Request {
        depth: Some(Depth::Min),
        signature: Some(Signature::Reject),
        ..request()
    };
    let policies = || Request {
        verdict: Some(Extent::Full),
        forbid: Some("supplementary,nul".parse().expect("classes")),
        ..request()
    };
    let framed = || Request {
        frames: Some(true),
        edges: Some(Edges::Open),
        ports: Some("udp:53,tcp:80-514".parse().expect("ports")),
        ..request()
    };
    let registers = || Request {
        csr: Some(true),
        ..request()
    };
    let mut all = vec![
        dropping(1, 12_000, request()),
        dropping(4, 4000, shallow()),
        dropping(8, 4000, framed()),
    ];
    if everything() {
        all.extend([
            dropping(2, 4000, policies()),
            dropping(8, 4000, request()),
            dropping(8, 4000, registers()),
            dropping(16, 9000, framed()),
            dropping(32, 9000, shallow()),
            dropping(64, 9000, request()),
            dropping(128, 9000, policies()),
        ]);
    }
    all
}

/// Cores that judge windows, the narrowest first; in a quick run none of more than 8 lanes.
pub fn windowed() -> Vec<Config> {
    let core = |core, lanes, mode, form| Request {
        core: Some(core),
        lanes: Some(lanes),
        mode,
        form: Some(form),
        window: Some(true),
        ..Request::default()
    };
    let validator = |lanes, mode, form| core(CoreName::Validate, lanes, Some(mode), form);
    let repairs = |lanes, form| Request {
        replace: Some(Replace::Ascii),
        user_width: Some(lanes),
        ..core(CoreName::Sanitise, lanes, None, form)
    };
    let registers = Request {
        csr: Some(true),
        user_width: Some(35),
        ..validator(2, Mode::Snoop, Form::Axis)
    };
    [
        registers,
        repairs(4, Form::Axis),
        validator(8, Mode::Pass, Form::Free),
        repairs(32, Form::Axis),
        validator(64, Mode::Pass, Form::Axis),
    ]
    .into_iter()
    .map(built)
    .filter(|config| everything() || config.lanes <= 8)
    .collect()
}

/// One of each kind of the widest cores. Counters of 8 bits have fewer bits than there are stages for the lower ones.
pub fn widest() -> Vec<Config> {
    let lanes = LANES[LANES.len() - 1];
    let validator = |mode, form, counter_width| {
        built(Request {
            core: Some(CoreName::Validate),
            mode: Some(mode),
            form: Some(form),
            lanes: Some(lanes),
            counter_width: Some(counter_width),
            id_width: Some(5),
            user_width: Some(9),
            ..Default::default()
        })
    };
    vec![
        decoder(lanes, Form::Axis, Signature::Strip),
        validator(Mode::Pass, Form::Axis, 16),
        validator(Mode::Snoop, Form::Free, 8),
    ]
}

/// Cores of the smallest depth: both with one and with eight lanes, in the quick set each with one of these.
pub fn shallow() -> Vec<Config> {
    let core = |core, lanes, form| {
        built(Request {
            core: Some(core),
            lanes: Some(lanes),
            form: Some(form),
            depth: Some(Depth::Min),
            ..Default::default()
        })
    };
    let mut cores = vec![
        core(CoreName::Decode, 8, Form::Free),
        core(CoreName::Validate, 1, Form::Axis),
    ];
    if everything() {
        cores.push(core(CoreName::Decode, 1, Form::Axis));
        cores.push(core(CoreName::Validate, 8, Form::Free));
    }
    cores
}

/// Those of [`configs`], cores with flows, of frames and with `beat_error`, and such of which a verdict has not all that is carried alongside the bytes.
pub fn all_configs() -> Vec<Config> {
    let flows = [(1, 1), (2, 5), (16, 4096)].map(|(lanes, count)| flows(lanes, count, Form::Axis));
    let named = [(Form::Axis, 4, 0), (Form::Free, 0, 2)].map(|(form, id, dest)| {
        built(Request {
            core: Some(CoreName::Validate),
            mode: Some(Mode::Pass),
            lanes: Some(1),
            form: Some(form),
            id_width: Some(id),
            dest_width: Some(dest),
            ..Default::default()
        })
    });
    let told = [
        CoreName::Decode,
        CoreName::Validate,
        CoreName::Encode,
        CoreName::Sanitise,
    ]
    .map(|core| {
        built(Request {
            core: Some(core),
            lanes: Some(2),
            beat_error: Some(true),
            ..Default::default()
        })
    });
    let long = [CoreName::Decode, CoreName::Validate, CoreName::Encode].map(|core| {
        in_rfc2279(Request {
            core: Some(core),
            lanes: Some(2),
            ..Default::default()
        })
    });
    let policies = [forbidding(1, Mode::Snoop, Form::Free, EVERY_CLASS)];
    // Of the wider ones Yosys takes long, and they are built as the others.
    let some_others = encoders()
        .into_iter()
        .chain(sanitisers())
        .filter(|config| everything() || config.lanes <= 2);
    configs()
        .into_iter()
        .chain(flows)
        .chain(named)
        .chain(told)
        .chain(long)
        .chain(framed())
        .chain(policies)
        .chain(windowed().into_iter().take(1))
        .chain(droppers().into_iter().take(2))
        .chain(some_others)
        .collect()
}

pub fn mode(config: &Config) -> Option<Mode> {
    match config.core {
        Core::Validate { mode, .. } => Some(mode),
        _ => None,
    }
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
    pub verdicts: Vec<(Verdict, Saturated)>,
    /// Of cores with a policy.
    pub against: Vec<Against>,
    /// Packets that passed through, and whether they were marked as bad.
    pub passed: Vec<(Vec<u8>, bool)>,
    passing: Vec<u8>,
    /// Of packets of words, how many bytes their verdicts count.
    pub encoded: Vec<u64>,
}

impl Output {
    /// Where packets have a `tuser` of their own, which is random here, its bit 0 is a mark as well: all that can be said is
    /// that no bad packet is without one.
    fn forget_own_marks(&mut self) {
        for (index, ((_, bad), (verdict, _))) in
            self.passed.iter_mut().zip(&self.verdicts).enumerate()
        {
            let against = self.against.get(index);
            let is_bad = against.map_or(!verdict.well_formed, |against| against.bad);
            assert!(*bad || !is_bad, "a bad packet without a mark");
            *bad = is_bad;
        }
    }
}

impl Sink for Output {
    fn event(&mut self, packet: u64, offset: u64, event: Event) {
        self.events.push((packet, offset, event));
    }

    fn packet(&mut self, packet: u64, verdict: Verdict, saturated: Saturated) {
        let next = self.verdicts.len();
        assert_eq!(packet as usize, next, "packets come in order");
        self.verdicts.push((verdict, saturated));
    }

    fn against(&mut self, packet: u64, against: Against) {
        assert_eq!(packet as usize, self.against.len(), "packets come in order");
        self.against.push(against);
    }

    fn encoded(&mut self, packet: u64, verdict: golden::encode::Verdict, _: Saturated) {
        let next = self.encoded.len();
        assert_eq!(packet as usize, next, "packets come in order");
        self.encoded.push(verdict.bytes);
    }

    fn passed(&mut self, bytes: &[u8], last: bool, bad: bool) {
        self.passing.extend_from_slice(bytes);
        if last {
            self.passed.push((std::mem::take(&mut self.passing), bad));
        }
    }
}

/// The further counts of a packet, none of them more than a counter can show.
fn further(packet: &[u8], has_open_edges: bool, limit: u64) -> Counted {
    let (mut further, mut edges, mut before) = (Further::default(), golden::Edges::default(), 0);
    for (_, event) in golden::events(packet) {
        if !(has_open_edges && edges.cut(event, before)) {
            further.observe(event);
        }
        before += u64::from(event.length());
    }
    let Further {
        ascii, utf16_units, ..
    } = further;
    Counted {
        counts: Further {
            ascii: ascii.min(limit),
            utf16_units: utf16_units.min(limit),
            ..further
        },
        ascii_saturated: ascii > limit,
        utf16_units_saturated: utf16_units > limit,
    }
}

/// What a core with a policy is to say of a packet.
fn against(config: &Config, packet: &[u8], verdict: &Verdict) -> Option<Against> {
    let policy = config.core.policy();
    let mask = policy.forbid.bits();
    let met = golden::events(packet).filter_map(|(at, event)| match event {
        Event::Scalar(value) if mask != 0 => Some((at, golden::classes::classes(value) & mask)),
        _ => None,
    });
    let met: Vec<_> = met.filter(|(_, met)| *met != 0).collect();
    let limit = (config.core.verdict()).map_or(u64::MAX, |(_, width)| (1 << width) - 1);
    let end = met.first().map_or(0, |(at, _)| *at as u64 + 1);
    policy.tells_bad().then(|| Against {
        bad: verdict.kind != Kind::None || !met.is_empty() || policy.rejects && verdict.signature,
        forbidden: met.iter().fold(0, |all, (_, met)| all | met),
        forbidden_end: end.min(limit),
        saturated: end > limit,
        edges: None,
        unjudged: None,
        further: policy
            .is_full
            .then(|| further(packet, policy.has_open_edges, limit)),
    })
}

/// Whether the table of ports, if there is one, has one of these.
fn judges(config: &Config, ends: &golden::Ends) -> bool {
    let table = config.core.policy().ports.map(sim::lockstep::ports);
    table.is_none_or(|table| table.has(ends))
}

/// The bytes of a packet that are judged, by its place in the run, and why none are if it has no text.
fn text_of(config: &Config, index: usize, packet: &[u8]) -> (Range<usize>, Option<u8>) {
    let length = packet.len();
    let policy = config.core.policy();
    if policy.has_frames {
        let is_judged = |ends: &golden::Ends| judges(config, ends);
        return match golden::frames::read_some(packet, policy.has_open_edges, is_judged) {
            Ok(text) => (text, None),
            Err(why) => (0..0, Some(why.code())),
        };
    }
    if !policy.has_window {
        return (0..length, None);
    }
    let Some(window) = texts::random(index as u64) else {
        return (0..0, Some(1));
    };
    let [first, end] = [window.first, window.end].map(|at| usize::from(at).min(length));
    (first..end.max(first), None)
}

/// What a core is to put out of packets, by the oracle.
pub fn oracle(config: &Config, packets: &[Vec<u8>]) -> Output {
    let mut output = Output::default();
    let grammar = sim::grammar::grammar(config);
    for (index, whole) in packets.iter().enumerate() {
        let (text, unjudged) = text_of(config, index, whole);
        let packet = &whole[text.clone()];
        let (verdict, edges) = match config.core.policy().has_open_edges {
            true => {
                let (verdict, edges) = golden::verdict_within_edges(packet);
                (verdict, Some(edges))
            }
            false => (golden::verdict_of(grammar, packet), None),
        };
        let against = against(config, packet, &verdict).map(|against| Against {
            edges: edges.filter(|_| unjudged.is_none()),
            unjudged,
            ..against
        });
        output.against.extend(against);
        let bad = against.map_or(!verdict.well_formed, |against| against.bad);
        match config.core {
            Core::Decode { signature, .. } => {
                let stripped = signature == Signature::Strip && verdict.signature;
                let events = golden::events_of(grammar, packet).skip(usize::from(stripped));
                let events = events.map(|(at, event)| (index as u64, at as u64, event));
                output.events.extend(events);
                output.verdicts.push((verdict, Saturated::default()));
            }
            Core::Validate {
                mode,
                counter_width,
                ..
            } => {
                output.verdicts.push(shown(verdict, counter_width));
                let memory = config.core.packet_memory(config.lanes);
                let is_dropped =
                    memory.is_some_and(|(_, longest)| whole.len() <= longest * config.lanes);
                if mode.passes() && !(bad && is_dropped) {
                    output.passed.push((whole.clone(), bad));
                }
            }
            Core::Sanitise {
                replace,
                signature,
                counter_width,
                ..
            } => {
                output.verdicts.push(shown(verdict, counter_width));
                // In a frame that ends too early, the text is repaired until the end.
                let text = match config.core.policy().has_frames {
                    true => golden::frames::read_so_far(whole, false, |it| judges(config, it)),
                    false => text,
                };
                let bytes = repaired(&whole[text.clone()], replace, signature);
                let beside = [&whole[..text.start], &bytes, &whole[text.end..]];
                output.passed.push((beside.concat(), false));
            }
            Core::Encode {
                from,
                on_error,
                counter_width,
                ..
            } => {
                let bytes = match grammar {
                    golden::Grammar::Rfc3629 => encoded(packet, from, on_error),
                    golden::Grammar::Rfc2279 => encoded_long(packet, on_error),
                };
                let most = (1u64 << counter_width) - 1;
                output.encoded.push((bytes.len() as u64).min(most));
                output.passed.push((bytes, false));
            }
        }
    }
    output
}

/// What words become, as Rust's own functions say.
pub fn encoded(packet: &[u8], from: Encoding, on_error: OnError) -> Vec<u8> {
    let kept = |scalar: Option<char>| match on_error {
        OnError::Replace => Some(scalar.unwrap_or(char::REPLACEMENT_CHARACTER)),
        OnError::Omit => scalar,
    };
    let text: String = match from {
        Encoding::Utf32 => {
            let words = packet.chunks_exact(4);
            let words = words.map(|word| u32::from_le_bytes(word.try_into().expect("four")));
            words
                .filter_map(|word| kept(char::from_u32(word)))
                .collect()
        }
        Encoding::Utf16le | Encoding::Utf16be => {
            let units = packet.chunks_exact(2).map(|unit| {
                let unit = unit.try_into().expect("two");
                match from {
                    Encoding::Utf16be => u16::from_be_bytes(unit),
                    _ => u16::from_le_bytes(unit),
                }
            });
            let scalars = char::decode_utf16(units);
            scalars.filter_map(|scalar| kept(scalar.ok())).collect()
        }
    };
    text.into_bytes()
}

/// The bytes of a value of up to 31 bits, by the table of RFC 2279 section 2: `x` bits of the first byte, and six of each other.
pub fn sequence(value: u32) -> Vec<u8> {
    const ROWS: [(u32, u8); 6] = [
        (0x7F, 0b0000_0000),
        (0x7FF, 0b1100_0000),
        (0xFFFF, 0b1110_0000),
        (0x1F_FFFF, 0b1111_0000),
        (0x3FF_FFFF, 0b1111_1000),
        (0x7FFF_FFFF, 0b1111_1100),
    ];
    let row = ROWS.iter().position(|&(most, _)| value <= most);
    let row = row.expect("it has 31 bits at most");
    let later = (0..row)
        .rev()
        .map(|at| 0x80 | (value >> (6 * at) & 0x3F) as u8);
    let first = ROWS[row].1 | (value >> (6 * row)) as u8;
    [first].into_iter().chain(later).collect()
}

/// What words become in RFC 2279.
fn encoded_long(packet: &[u8], on_error: OnError) -> Vec<u8> {
    let words = packet.chunks_exact(4);
    let words = words.map(|word| u32::from_le_bytes(word.try_into().expect("four")));
    let kept = words.filter_map(|word| match word {
        0xD800..=0xDFFF | 0x8000_0000.. => (on_error == OnError::Replace).then_some(0xFFFD),
        word => Some(word),
    });
    kept.flat_map(sequence).collect()
}

/// What bytes become, as Rust's own functions say.
pub fn repaired(packet: &[u8], replace: Replace, signature: Signature) -> Vec<u8> {
    let text: String = match replace {
        Replace::Fffd => String::from_utf8_lossy(packet).into(),
        Replace::Ascii => (packet.utf8_chunks())
            .map(|chunk| chunk.valid().to_string() + &"?".repeat(chunk.invalid().len()))
            .collect(),
    };
    let kept = match signature {
        Signature::Strip => text.strip_prefix('\u{FEFF}').unwrap_or(&text),
        _ => &text,
    };
    kept.as_bytes().to_vec()
}

/// A verdict as counters of so many bits show it.
fn shown(verdict: Verdict, counter_width: usize) -> (Verdict, Saturated) {
    let most = (1u64 << counter_width) - 1;
    let shown = Verdict {
        bytes: verdict.bytes.min(most),
        valid_up_to: verdict.valid_up_to.min(most),
        scalars: verdict.scalars.min(most),
        ill_formed: verdict.ill_formed.min(most),
        ..verdict
    };
    let saturated = Saturated {
        bytes: verdict.bytes > most,
        valid_up_to: verdict.valid_up_to > most,
        scalars: verdict.scalars > most,
        ill_formed: verdict.ill_formed > most,
    };
    (shown, saturated)
}

/// A configuration's Verilog. All test programs together emit it once, and keep it in a file.
pub fn verilog(config: &Config) -> Arc<str> {
    static EMITTED: Mutex<BTreeMap<String, Arc<str>>> = Mutex::new(BTreeMap::new());
    let mut emitted = EMITTED.lock().expect("nobody panics while emitting");
    let text = emitted.entry(config.hash()).or_insert_with(|| {
        if let Ok(text) = std::fs::read_to_string(kept().join(config.hash())) {
            return text.into();
        }
        let text = hdl::emit::emit(config).expect("it can be emitted").verilog;
        keep(config, &text);
        text.into()
    });
    Arc::clone(text)
}

/// Keeps a configuration's Verilog for the other test programs.
pub fn keep(config: &Config, verilog: &str) {
    let mut file = tempfile::NamedTempFile::new_in(kept()).expect("a file in the tests' folder");
    file.write_all(verilog.as_bytes()).expect("it is written");
    file.persist(kept().join(config.hash()))
        .expect("it takes its place");
}

/// The folder for what the present sources of `hdl` emit: their digest is its name, so that nothing in it is stale.
fn kept() -> &'static Path {
    static KEPT: OnceLock<PathBuf> = OnceLock::new();
    KEPT.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = vec![root.join("Cargo.lock"), root.join("hdl/Cargo.toml")];
        let mut folders = vec![root.join("hdl/src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the sources") {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => files.push(path),
                }
            }
        }
        files.sort();
        let mut digest = Sha256::new();
        for file in files {
            digest.update(std::fs::read(file).expect("a source"));
        }
        let name = format!("{:x}", digest.finalize());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("emitted")
            .join(name);
        std::fs::create_dir_all(&folder).expect("the tests' folder");
        folder
    })
}

/// Runs packets in lockstep; a mismatch fails the test.
pub fn run(
    config: &Config,
    kind: EngineKind,
    packets: &[Vec<u8>],
    pattern: Pattern,
) -> (Output, Summary) {
    match try_run(config, kind, &verilog(config), packets, pattern) {
        (mut output, Outcome::Agreed(summary)) => {
            let marks = mode(config) == Some(Mode::Pass);
            if marks && config.side.user > 0 && pattern.reset == 0.0 {
                output.forget_own_marks();
            }
            (output, summary)
        }
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
        coverage: false,
        bytes: Some(packets.iter().map(|packet| packet.len() as u64).sum()),
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
    format!("{}: {}", kind.name(), config.describe())
}
