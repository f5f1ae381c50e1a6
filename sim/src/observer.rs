//! Reads events, packets and verdicts off the output pins of the DUT, as a sink would.

use crate::frame::Frame;
use crate::stream::{Stream, against, field, saturated};
use crate::words::Encoded;
use golden::{Event, Kind, Tally, Verdict, encode};
use hdl::config::{Config, Core, Encoding, Grammar, Policy, Signature};
use hdl::layout::KIND_BITS;

pub use crate::stream::{Against, Counted, Saturated};

/// What a core put out.
pub trait Sink {
    /// A piece ended at the byte `offset` of the packet `packet`.
    fn event(&mut self, packet: u64, offset: u64, event: Event);

    /// The packet `packet` ended. The counts that are `saturated` are at least what the verdict says.
    fn packet(&mut self, packet: u64, verdict: Verdict, saturated: Saturated);

    /// What a core with a policy says of a packet. `packet` is called next, for the same packet.
    fn against(&mut self, _packet: u64, _against: Against) {}

    /// The packet `packet` of words ended.
    fn encoded(&mut self, _packet: u64, _verdict: encode::Verdict, _saturated: Saturated) {}

    /// A beat passed through, or of bytes that words or ill-formed pieces became; `bad` is what its `tuser` says in the packet's last one.
    fn passed(&mut self, _bytes: &[u8], _last: bool, _bad: bool) {}

    /// A register was read over the bus.
    fn read(&mut self, _address: u32, _data: u32) {}

    /// Clocks were run: the inputs and outputs of each, one after another. What they gave has been told before.
    fn clocks(&mut self, _inputs: &[u32], _outputs: &[u32]) {}
}

/// What the pins say cannot be.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("packet {packet}: {what}")]
pub struct Nonsense {
    pub packet: u64,
    pub what: String,
}

/// Follows the output pins clock by clock.
pub struct Observer {
    /// The number of the packet that is next to end.
    packet: u64,
    /// Beats that were sent, on all streams.
    pub beats: u64,
    core: Watched,
    reads: Option<Reads>,
}

enum Watched {
    Events(Events),
    Packets {
        verdicts: Verdicts,
        passed: Option<Passed>,
    },
    Encoded(Encoded),
}

impl Observer {
    pub fn new(config: &Config) -> Self {
        let core = match config.core {
            Core::Decode { signature, .. } => Watched::Events(Events::new(config, signature)),
            Core::Validate { .. } | Core::Sanitise { .. } => Watched::Packets {
                verdicts: Verdicts::new(config),
                passed: Passed::of(config),
            },
            Core::Encode { .. } => Watched::Encoded(Encoded::new(config)),
        };
        Self {
            packet: 0,
            beats: 0,
            core,
            reads: Reads::of(config),
        }
    }

    /// One clock: the inputs that the DUT saw and the outputs that it showed.
    #[inline]
    pub fn clock(
        &mut self,
        inputs: &[u32],
        outputs: &[u32],
        sink: &mut dyn Sink,
    ) -> Result<(), Nonsense> {
        let reset = inputs[0] != 0;
        let packet = self.packet;
        let nonsense = |what| Nonsense { packet, what };
        if let Some(reads) = &mut self.reads {
            reads.clock(inputs, outputs, sink);
        }
        match &mut self.core {
            Watched::Events(events) if reset => events.reset(),
            Watched::Packets { .. } if reset => {}
            Watched::Encoded(encoded) if reset => encoded.reset(),
            Watched::Encoded(encoded) => {
                if let Some((bytes, last)) = encoded.bytes(inputs, outputs).map_err(nonsense)? {
                    self.beats += 1;
                    sink.passed(bytes, last, false);
                }
                if let Some((verdict, saturated)) =
                    encoded.verdict(inputs, outputs).map_err(nonsense)?
                {
                    self.beats += 1;
                    sink.encoded(packet, verdict, saturated);
                    self.packet += 1;
                }
            }
            Watched::Events(events) => {
                if events.stream.moves(inputs, outputs) {
                    self.beats += 1;
                    let ended = events.beat(packet, outputs, sink).map_err(nonsense)?;
                    self.packet += u64::from(ended);
                }
            }
            Watched::Packets { verdicts, passed } => {
                if let Some(passed) = passed
                    && passed.stream.moves(inputs, outputs)
                {
                    self.beats += 1;
                    passed.beat(outputs, sink);
                }
                if verdicts.stream.moves(inputs, outputs) {
                    self.beats += 1;
                    let (verdict, saturated) = verdicts.read(outputs).map_err(nonsense)?;
                    if let Some(against) = verdicts.against(outputs) {
                        sink.against(packet, against);
                    }
                    sink.packet(packet, verdict, saturated);
                    self.packet += 1;
                }
            }
        }
        Ok(())
    }
}

/// The events of a decoder.
struct Events {
    stream: Stream,
    lanes: Lanes,
    strip: bool,
    reject: bool,
    last_at: usize,
    /// Bytes of the packet in progress that have had their event.
    bytes: u64,
    tally: Tally,
}

impl Events {
    fn new(config: &Config, signature: Signature) -> Self {
        let outputs = Frame::outputs(config);
        Self {
            stream: Stream::of(config, "m_axis").expect("a decoder has one"),
            lanes: Lanes::of(config),
            strip: signature == Signature::Strip,
            reject: signature == Signature::Reject,
            last_at: outputs.at("m_axis_tlast"),
            bytes: 0,
            tally: Tally::new(),
        }
    }

    /// A reset drops the packet in progress.
    fn reset(&mut self) {
        self.tally = Tally::new();
        self.bytes = 0;
        self.lanes.high = None;
    }

    /// A beat that moves; returns whether its packet ends.
    #[inline]
    fn beat(&mut self, packet: u64, outputs: &[u32], sink: &mut dyn Sink) -> Result<bool, String> {
        if self.strip && self.lanes.user(outputs, self.lanes.count) & 1 == 1 {
            self.tally.signature_stripped();
            self.bytes += 3;
        }
        for lane in 0..self.lanes.count {
            let event = self.lanes.event(outputs, lane);
            let Some(event) = event.map_err(|what| format!("lane {lane} shows {what}"))? else {
                continue;
            };
            self.bytes += u64::from(event.length());
            self.tally.observe(event);
            sink.event(packet, self.bytes - 1, event);
        }
        let ends = outputs[self.last_at] != 0;
        if let (true, Some(high)) = (ends, self.lanes.high) {
            return Err(format!("it ends after {high:04X}, the first of two units"));
        }
        if ends {
            let verdict = self.tally.finish();
            if self.reject {
                let flag = self.lanes.user(outputs, self.lanes.count) & 1 == 1;
                let bad = flag || !verdict.well_formed;
                sink.against(
                    packet,
                    Against {
                        bad,
                        ..Against::default()
                    },
                );
            }
            sink.packet(packet, verdict, Saturated::default());
            self.bytes = 0;
        }
        Ok(ends)
    }
}

/// Where a decoder's events are among the outputs.
pub(crate) struct Lanes {
    pub count: usize,
    to: Encoding,
    grammar: Grammar,
    /// The first of two UTF-16 units has come, and the second not yet.
    high: Option<u16>,
    data_at: usize,
    keep_at: usize,
    user_at: usize,
}

impl Lanes {
    pub fn of(config: &Config) -> Self {
        let outputs = Frame::outputs(config);
        Self {
            count: config.lanes,
            to: config.core.to(),
            grammar: config.core.grammar(),
            high: None,
            data_at: outputs.at("m_axis_tdata"),
            keep_at: outputs.at("m_axis_tkeep"),
            user_at: outputs.at("m_axis_tuser"),
        }
    }

    /// A lane's part of `tuser`, in the low bits. It may lie across two words.
    #[inline]
    fn user(&self, outputs: &[u32], lane: usize) -> u32 {
        let bit = self.grammar.user_bits() * lane;
        let at = self.user_at + bit / 32;
        let next = outputs.get(at + 1).copied().unwrap_or(0);
        let words = u64::from(outputs[at]) | u64::from(next) << 32;
        (words >> (bit % 32)) as u32
    }

    /// The event in a lane, if there is one. Of two units the second has it. The lanes are asked in order.
    #[inline]
    pub fn event(&mut self, outputs: &[u32], lane: usize) -> Result<Option<Event>, String> {
        let bits = self.to.bits();
        let part = |at: usize, bits: usize| {
            let bit = bits * lane;
            outputs[at + bit / 32] >> (bit % 32) & u32::MAX >> (32 - bits)
        };
        if part(self.keep_at, bits / 8) == 0 {
            return Ok(None);
        }
        let user = self.user(outputs, lane);
        let word = part(self.data_at, bits);
        match self.to {
            Encoding::Utf32 => event(self.grammar, word, user).map(Some),
            Encoding::Utf16le => self.unit(word as u16, user),
            Encoding::Utf16be => self.unit((word as u16).swap_bytes(), user),
        }
    }

    /// The event that ends with a unit, if one does.
    fn unit(&mut self, unit: u16, user: u32) -> Result<Option<Event>, String> {
        let kind = user & ((1 << KIND_BITS) - 1);
        let high = self.high.take();
        let pair = high.into_iter().chain([unit]);
        let mut scalars = char::decode_utf16(pair).map(|scalar| scalar.ok());
        match (scalars.next().flatten(), scalars.next()) {
            (Some(scalar), None) if high.is_none() || kind == 0 => {
                event(self.grammar, scalar.into(), user).map(Some)
            }
            (None, None) if high.is_none() && kind == 0 && unit < 0xDC00 => {
                self.high = Some(unit);
                Ok(None)
            }
            _ => Err(format!(
                "{unit:04X} of kind {kind} after {high:04X?}, which is not UTF-16"
            )),
        }
    }
}

/// The verdicts on packets of bytes.
struct Verdicts {
    stream: Stream,
    grammar: Grammar,
    policy: Policy,
    data_at: usize,
}

impl Verdicts {
    fn new(config: &Config) -> Self {
        Self {
            stream: Stream::of(config, "m_axis_verdict").expect("the core has one"),
            grammar: config.core.grammar(),
            policy: config.core.policy(),
            data_at: Frame::outputs(config).at("m_axis_verdict_tdata"),
        }
    }

    fn against(&self, outputs: &[u32]) -> Option<Against> {
        (self.policy.tells_bad()).then(|| against(&outputs[self.data_at..], self.policy))
    }

    fn read(&self, outputs: &[u32]) -> Result<(Verdict, Saturated), String> {
        let field = |name| field(&outputs[self.data_at..], name);
        let is_set = |name| field(name) != 0;
        let well_formed = is_set("well_formed");
        let code = field("kind");
        let error_len = field("error_len") as u8;
        let is_cut = self.policy.has_open_edges
            && !(self.policy.has_window && is_set("unjudged"))
            && field("head_bytes") | field("tail_bytes") != 0;
        let kind = Kind::from_code(code as u8)
            .filter(|&kind| (kind == Kind::None && !is_cut) == well_formed);
        let Some(kind) = kind else {
            return Err(format!(
                "its verdict is well_formed {well_formed} and of kind {code}"
            ));
        };
        let no_piece = kind == Kind::None || kind == Kind::TruncatedAtEnd;
        let is_right = match no_piece {
            true => error_len == 0,
            false => is_piece(self.grammar, kind, error_len.into()),
        };
        if !is_right {
            return Err(format!(
                "its verdict is of kind {code} and error_len {error_len}"
            ));
        }
        let verdict = Verdict {
            well_formed,
            valid_up_to: field("valid_up_to").into(),
            error_len: (kind != Kind::None).then_some(error_len),
            kind,
            bytes: field("bytes").into(),
            scalars: field("scalars").into(),
            ill_formed: field("ill_formed").into(),
            signature: is_set("signature"),
        };
        Ok((verdict, saturated(&outputs[self.data_at..])))
    }
}

/// The bytes that pass through a core.
struct Passed {
    stream: Stream,
    data_at: usize,
    keep_at: usize,
    last_at: usize,
    /// Where the mark of an ill-formed packet is, if there is one.
    mark_at: Option<usize>,
    bytes: Vec<u8>,
}

impl Passed {
    fn of(config: &Config) -> Option<Self> {
        let stream = Stream::of(config, "m_axis")?;
        let outputs = Frame::outputs(config);
        Some(Self {
            stream,
            data_at: outputs.at("m_axis_tdata"),
            keep_at: outputs.at("m_axis_tkeep"),
            last_at: outputs.at("m_axis_tlast"),
            mark_at: matches!(config.core, Core::Validate { .. })
                .then(|| outputs.at("m_axis_tuser")),
            bytes: Vec::new(),
        })
    }

    fn beat(&mut self, outputs: &[u32], sink: &mut dyn Sink) {
        let data = outputs[self.data_at..self.keep_at].iter();
        let count = outputs[self.keep_at..self.last_at]
            .iter()
            .map(|word| word.count_ones());
        self.bytes.clear();
        self.bytes.extend(data.flat_map(|word| word.to_le_bytes()));
        self.bytes.truncate(count.sum::<u32>() as usize);
        let last = outputs[self.last_at] != 0;
        let is_marked = self.mark_at.is_some_and(|at| outputs[at] & 1 == 1);
        sink.passed(&self.bytes, last, last && is_marked);
    }
}

/// What is read over the registers' bus, one access after the other.
struct Reads {
    /// Where `arvalid`, `araddr` and `rready` are among the inputs, and `arready`, `rvalid`, `rresp` and `rdata` among the outputs.
    inputs: [usize; 3],
    outputs: [usize; 4],
    address: u32,
}

impl Reads {
    fn of(config: &Config) -> Option<Self> {
        let (inputs, outputs) = (Frame::inputs(config), Frame::outputs(config));
        let pin = |name| format!("s_axil_{name}");
        config.has_registers().then(|| Self {
            inputs: ["arvalid", "araddr", "rready"].map(|name| inputs.at(&pin(name))),
            outputs: ["arready", "rvalid", "rresp", "rdata"].map(|name| outputs.at(&pin(name))),
            address: 0,
        })
    }

    fn clock(&mut self, inputs: &[u32], outputs: &[u32], sink: &mut dyn Sink) {
        let [valid, address, ready] = self.inputs.map(|at| inputs[at]);
        let [taken, answered, refused, data] = self.outputs.map(|at| outputs[at]);
        if answered != 0 && ready != 0 && refused == 0 {
            sink.read(self.address, data);
        }
        if valid != 0 && taken != 0 {
            self.address = address;
        }
    }
}

/// The event in a lane's word and its part of `tuser`, which is in the low bits.
#[inline]
fn event(grammar: Grammar, word: u32, user: u32) -> Result<Event, String> {
    let code = user & ((1 << KIND_BITS) - 1);
    let length = user >> KIND_BITS & ((1 << grammar.length_bits()) - 1);
    let is_scalar = match grammar {
        Grammar::Rfc3629 => char::from_u32(word).is_some(),
        Grammar::Rfc2279 => word >> 31 == 0 && !(0xD800..=0xDFFF).contains(&word),
    };
    match Kind::from_code(code as u8) {
        Some(Kind::None) if is_scalar => Ok(Event::Scalar(word)),
        Some(Kind::None) => Err(format!("{word:#X}, which is not a scalar value")),
        Some(kind) if is_piece(grammar, kind, length) => Ok(Event::IllFormed {
            kind,
            length: length as u8,
        }),
        _ => Err(format!(
            "an ill-formed piece of kind {code} and length {length}"
        )),
    }
}

/// Whether a grammar has ill-formed pieces of this kind and length.
fn is_piece(grammar: Grammar, kind: Kind, length: u32) -> bool {
    let most = match kind {
        Kind::None => 0,
        // No value of 31 bits is too large.
        Kind::TooLarge if grammar.is_2279() => 0,
        Kind::Truncated | Kind::TruncatedAtEnd => grammar.most_waiting() as u32,
        _ => 1,
    };
    (1..=most).contains(&length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::config::Request;

    /// What the oracle makes of bytes is a piece; what it never makes of any is none.
    #[test]
    fn a_piece_is_what_the_grammar_can_leave() {
        for (grammar, values) in [
            (Grammar::Rfc3629, 0x11_0000),
            (Grammar::Rfc2279, 0x8000_0000),
        ] {
            let rules = crate::grammar::grammar_of(grammar);
            let mut pieces = std::collections::BTreeSet::new();
            for (lead, second) in (0..=0xFF).flat_map(|lead| [0x80, 0xBF].map(|it| (lead, it))) {
                for length in 1..=6 {
                    let begun = &[lead, second, 0x80, 0x80, 0x80, 0x80][..length];
                    for packet in [begun.to_vec(), [begun, b"a"].concat()] {
                        for (_, event) in golden::events_of(rules, &packet) {
                            if let Event::IllFormed { kind, length } = event {
                                pieces.insert((kind.code(), u32::from(length)));
                            }
                        }
                    }
                }
            }
            for (kind, length) in (0..8).flat_map(|kind| (0..8).map(move |it| (kind, it))) {
                let can_be = pieces.contains(&(kind, length));
                let of = Kind::from_code(kind).expect("a code");
                assert_eq!(
                    is_piece(grammar, of, length),
                    can_be,
                    "{grammar} {kind} {length}"
                );
                let user = length << KIND_BITS | u32::from(kind);
                let fits = length >> grammar.length_bits() == 0;
                let event = event(grammar, 0xFFFD, user);
                assert!(!fits || event.is_ok() == (can_be || kind == 0), "{event:?}");
            }
            assert!(event(grammar, values - 1, 0).is_ok());
            assert!(event(grammar, values, 0).is_err());
            assert!(event(grammar, 0xD800, 0).is_err());
        }
    }

    #[test]
    fn units_are_joined_or_no_utf16() {
        let request = Request {
            to: Some(Encoding::Utf16le),
            ..Request::default()
        };
        let mut lanes = Lanes::of(&request.resolve().expect("a core"));
        let scalar = |value| Ok(Some(Event::Scalar(value)));
        let truncated = 2 << KIND_BITS | u32::from(Kind::Truncated.code());
        let ill_formed = Event::IllFormed {
            kind: Kind::Truncated,
            length: 2,
        };
        assert_eq!(lanes.unit(0x41, 0), scalar(0x41));
        assert_eq!(lanes.unit(0xDBFF, 0), Ok(None));
        assert_eq!(lanes.unit(0xDFFF, 0), scalar(0x10_FFFF));
        assert_eq!(lanes.unit(0xFFFD, truncated), Ok(Some(ill_formed)));
        // A low unit without its high one; a high unit of a kind; and after a high unit anything but a low one of no kind.
        assert!(lanes.unit(0xDC00, 0).is_err());
        assert!(lanes.unit(0xD800, truncated).is_err());
        for (unit, user) in [
            (0x41, 0),
            (0xD800, 0),
            (0xFFFD, truncated),
            (0xDC00, truncated),
        ] {
            assert_eq!(lanes.unit(0xD800, 0), Ok(None));
            assert!(lanes.unit(unit, user).is_err(), "{unit:04X}");
        }
    }
}
