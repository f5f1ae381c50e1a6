//! What AXI leaves undefined, and what a core may therefore leave undefined in turn.
//!
//! The payload of a channel means nothing while its `valid` is low, a byte of a lane means nothing without its `tkeep`, and no input but
//! the clock and the reset means anything during a reset. Many models and FIFOs hold X there. An engine that knows X drives X there
//! ([`undefine`]), and then the core's own payloads are compared only where they mean something ([`Meaning`]). So are, on every engine,
//! those of a FIFO whose outputs are its memory's: without a beat they are what an earlier one left there.

use crate::frame::Frame;
use hdl::config::ports::Port;
use hdl::config::{Config, Core, Form};
use std::fmt::Write;

/// A pin that showed X or Z, which only Icarus knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// Counted from the first clock of the call.
    pub clock: usize,
    pub pin: &'static str,
    /// The bits that were neither zero nor one, in words as of a frame.
    pub bits: Vec<u32>,
    /// The pin in hexadecimal: `x` is a digit without a bit that is defined, `X` one with some.
    pub shown: String,
}

/// The pins of one direction that a `valid` of that direction is for.
struct Channel<'a> {
    valid: &'a Port,
    payload: Vec<&'a Port>,
}

/// The channels among the pins of one direction: of AXI4-Stream and AXI4-Lite alike, a name that ends in `valid` names one.
fn channels(pins: &[Port]) -> Vec<Channel<'_>> {
    let channel = |valid: &'_ Port| {
        let prefix = valid.name.strip_suffix("valid")?;
        let handshake = |name: &str| ["valid", "ready"].contains(&&name[prefix.len()..]);
        let is_payload = |pin: &&Port| pin.name.starts_with(prefix) && !handshake(pin.name);
        Some(pins.iter().filter(is_payload).collect())
    };
    let found = pins
        .iter()
        .filter_map(|valid| channel(valid).map(|payload| Channel { valid, payload }));
    found.collect()
}

/// Verilog statements that put X on every input that means nothing in this clock. The inputs are variables with their pins' names.
pub fn undefine(config: &Config) -> String {
    let inputs = Frame::inputs(config).pins;
    let unknown = |pin: &Port| format!("{} = {{{}{{1'bx}}}};\n", pin.name, pin.width);
    let mut text = String::from("if (rst) begin\n");
    for pin in inputs.iter().filter(|pin| pin.name != "rst") {
        text.push_str(&unknown(pin));
    }
    text.push_str("end else begin\n");
    for Channel { valid, payload } in channels(&inputs) {
        let _ = writeln!(text, "if (!{}) begin", valid.name);
        for pin in payload {
            text.push_str(&unknown(pin));
        }
        text.push_str("end\n");
    }
    for lane in 0..config.lanes {
        let _ = writeln!(
            text,
            "if (!s_axis_tkeep[{lane}]) s_axis_tdata[{} +: 8] = 8'bx;",
            8 * lane
        );
    }
    text.push_str("end\n");
    text
}

/// Where the outputs of a core mean something.
pub struct Meaning {
    words: usize,
    channels: Vec<Outputs>,
}

/// A channel of outputs, in words of a frame.
struct Outputs {
    valid_at: usize,
    payload: Vec<(&'static str, std::ops::Range<usize>)>,
    lanes: Option<Lanes>,
}

/// What a channel has for each lane, and which bits of `tkeep` say that it means something.
struct Lanes {
    keep_at: usize,
    keep_bits: usize,
    count: usize,
    /// Pins, their first word, and their bits for each lane.
    parts: Vec<(&'static str, usize, usize)>,
}

impl Meaning {
    /// For an engine that drives X on inputs that mean nothing, or for another one.
    pub fn of(config: &Config, drives_x: bool) -> Self {
        let frame = Frame::outputs(config);
        let inputs = Frame::inputs(config).pins;
        let shows_memory = config.form == Form::Axis
            && !config.has_shallow_fifo()
            && config.core.packet_memory(config.lanes).is_none();
        let leaves_it_open = |channel: &Channel| {
            let ready = channel.valid.name.replace("valid", "ready");
            let is_stream =
                ready.starts_with("m_axis") && inputs.iter().any(|pin| pin.name == ready);
            drives_x || (shows_memory && is_stream)
        };
        let of = |Channel { valid, payload }: Channel| Outputs {
            valid_at: frame.at(valid.name),
            payload: (payload.iter())
                .map(|pin| {
                    (
                        pin.name,
                        frame.at(pin.name)..frame.at(pin.name) + pin.words(),
                    )
                })
                .collect(),
            lanes: (drives_x && valid.name == "m_axis_tvalid").then(|| Lanes::of(config, &frame)),
        };
        Self {
            words: frame.words,
            channels: (channels(&frame.pins).into_iter())
                .filter(leaves_it_open)
                .map(of)
                .collect(),
        }
    }

    /// Where the outputs of a run of clocks mean nothing, what was got becomes what was expected, and what was undefined is none of
    /// `undefined` any more.
    pub fn forgive(&self, expected: &[u32], got: &mut [u32], undefined: &mut Vec<Undefined>) {
        let frames = expected.chunks_exact(self.words);
        for (expected, got) in frames.zip(got.chunks_exact_mut(self.words)) {
            for channel in self.channels.iter().filter(|it| expected[it.valid_at] == 0) {
                for (_, words) in &channel.payload {
                    got[words.clone()].copy_from_slice(&expected[words.clone()]);
                }
            }
        }
        undefined.retain_mut(|found| {
            let at = found.clock * self.words;
            let expected = &expected[at..at + self.words];
            let has_pin = |it: &&Outputs| it.payload.iter().any(|(name, _)| *name == found.pin);
            let Some(channel) = self.channels.iter().find(has_pin) else {
                return true;
            };
            if expected[channel.valid_at] == 0 {
                return false;
            }
            if let Some(lanes) = &channel.lanes {
                lanes.forgive(expected, &mut got[at..at + self.words], found);
            }
            found.bits.iter().any(|&word| word != 0)
        });
    }
}

impl Lanes {
    fn of(config: &Config, frame: &Frame) -> Self {
        let (keep_bits, parts) = match config.core {
            Core::Decode { to, .. } => {
                let bits = to.bits();
                (
                    bits / 8,
                    vec![
                        ("m_axis_tdata", bits),
                        ("m_axis_tuser", config.core.grammar().user_bits()),
                    ],
                )
            }
            Core::Encode { .. } | Core::Sanitise { .. } => (1, vec![("m_axis_tdata", 8)]),
            Core::Validate { mode, .. } => {
                assert!(mode.passes(), "a core that only watches sends no beats");
                (1, vec![("m_axis_tdata", 8)])
            }
        };
        let place = |(name, bits): (&'static str, usize)| (name, frame.at(name), bits);
        Self {
            keep_at: frame.at("m_axis_tkeep"),
            keep_bits,
            count: config.lanes,
            parts: parts.into_iter().map(place).collect(),
        }
    }

    /// The bits of lanes without `tkeep` are none of `found` any more.
    fn forgive(&self, expected: &[u32], got: &mut [u32], found: &mut Undefined) {
        let Some(&(_, start, bits)) = self.parts.iter().find(|(name, ..)| *name == found.pin)
        else {
            return;
        };
        for bit in 0..bits * self.count {
            let keep = bit / bits * self.keep_bits;
            let means = expected[self.keep_at + keep / 32] >> (keep % 32) & 1 == 1;
            let (word, mask) = (bit / 32, 1 << (bit % 32));
            if !means && found.bits[word] & mask != 0 {
                found.bits[word] &= !mask;
                let (got, expected) = (&mut got[start + word], expected[start + word]);
                *got = *got & !mask | expected & mask;
            }
        }
    }
}
