//! Reads events, packets and verdicts off the output pins of the DUT, as a sink would.

use golden::{Event, Kind, Tally, Verdict};
use hdl::config::{Config, Form, Signature};
use hdl::layout::{KIND_BITS, LENGTH_BITS, USER_BITS};

/// What a core put out.
pub trait Sink {
    /// A piece ended at the byte `offset` of the packet `packet`.
    fn event(&mut self, packet: u64, offset: u64, event: Event);
    /// The packet `packet` ended.
    fn packet(&mut self, packet: u64, verdict: Verdict);
}

/// What the pins say cannot be.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("packet {packet}: lane {lane} shows {what}")]
pub struct Nonsense {
    pub packet: u64,
    pub lane: usize,
    pub what: String,
}

/// Follows the output pins clock by clock.
pub struct Observer {
    lanes: usize,
    axis: bool,
    strip: bool,
    keep_at: usize,
    last_at: usize,
    user_at: usize,
    packet: u64,
    /// Bytes of the packet in progress that have had their event.
    bytes: u64,
    tally: Tally,
    /// Beats that were sent.
    pub beats: u64,
}

impl Observer {
    pub fn new(config: &Config) -> Self {
        let lanes = config.lanes;
        let axis = config.form == Form::Axis;
        let data_at = if axis { 2 } else { 1 };
        let keep_at = data_at + lanes;
        let last_at = keep_at + (4 * lanes).div_ceil(32);
        Self {
            lanes,
            axis,
            strip: config.signature == Signature::Strip,
            keep_at,
            last_at,
            user_at: last_at + 1,
            packet: 0,
            bytes: 0,
            tally: Tally::new(),
            beats: 0,
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
        let valid_at = usize::from(self.axis);
        let taken = !self.axis || inputs[inputs.len() - 1] != 0;
        if inputs[0] != 0 {
            // A reset drops the packet in progress.
            self.tally = Tally::new();
            self.bytes = 0;
            return Ok(());
        }
        if outputs[valid_at] == 0 || !taken {
            return Ok(());
        }
        self.beats += 1;
        // A lane's part of `tuser` may lie across two words.
        let user = |lane: usize| {
            let bit = USER_BITS * lane;
            let at = self.user_at + bit / 32;
            let next = outputs.get(at + 1).copied().unwrap_or(0);
            let words = u64::from(outputs[at]) | u64::from(next) << 32;
            (words >> (bit % 32)) as u32
        };
        if self.strip && user(self.lanes) & 1 == 1 {
            self.tally.signature_stripped();
            self.bytes += 3;
        }
        for lane in 0..self.lanes {
            let keep = outputs[self.keep_at + lane / 8] >> (4 * (lane % 8)) & 0xF;
            if keep == 0 {
                continue;
            }
            let word = outputs[valid_at + 1 + lane];
            let event = event(word, user(lane)).map_err(|what| Nonsense {
                packet: self.packet,
                lane,
                what,
            })?;
            self.bytes += u64::from(event.length());
            self.tally.observe(event);
            sink.event(self.packet, self.bytes - 1, event);
        }
        if outputs[self.last_at] != 0 {
            sink.packet(self.packet, self.tally.finish());
            self.packet += 1;
            self.bytes = 0;
        }
        Ok(())
    }
}

/// The event in a lane's word and its part of `tuser`, which is in the low bits.
#[inline]
fn event(word: u32, user: u32) -> Result<Event, String> {
    let code = user & ((1 << KIND_BITS) - 1);
    let length = user >> KIND_BITS & ((1 << LENGTH_BITS) - 1);
    match Kind::from_code(code as u8) {
        Some(Kind::None) if char::from_u32(word).is_some() => Ok(Event::Scalar(word)),
        Some(Kind::None) => Err(format!("{word:#X}, which is no scalar value")),
        Some(kind) if length > 0 => Ok(Event::IllFormed {
            kind,
            length: length as u8,
        }),
        _ => Err(format!(
            "an ill-formed piece of kind {code} and length {length}"
        )),
    }
}
