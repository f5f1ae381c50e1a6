//! Reads the bytes that words became, and the verdicts on packets of words.

use crate::frame::Frame;
use crate::grammar::grammar;
use crate::stream::{Saturated, Stream, field, saturated};
use golden::encode::{Fault, Verdict};
use golden::{Event, Grammar, Kind};
use hdl::config::Config;

/// How many bytes are whole sequences of up to six; only behind the last may a sequence be unfinished, and not at the packet's end.
fn whole(bytes: &[u8], last: bool) -> Result<usize, String> {
    let mut whole = 0;
    for (end, event) in golden::events_of(Grammar::Rfc2279, bytes) {
        match event {
            Event::Scalar(_) => whole = end + 1,
            Event::IllFormed { kind, .. } if kind == Kind::TruncatedAtEnd && !last => {}
            Event::IllFormed { kind, .. } => {
                return Err(format!("{} at byte {whole}", kind.name()));
            }
        }
    }
    Ok(whole)
}

/// The streams of `encode`.
pub(crate) struct Encoded {
    bytes: Stream,
    verdicts: Stream,
    grammar: Grammar,
    lanes: usize,
    data_at: usize,
    keep_at: usize,
    last_at: usize,
    verdict_at: usize,
    /// What the packet's newest sequence has so far: the end of one beat may cut it.
    open: Vec<u8>,
    beat: Vec<u8>,
}

impl Encoded {
    pub fn new(config: &Config) -> Self {
        let outputs = Frame::outputs(config);
        let stream = |prefix| Stream::of(config, prefix).expect("an encoder has it");
        Self {
            bytes: stream("m_axis"),
            verdicts: stream("m_axis_verdict"),
            grammar: grammar(config),
            lanes: config.lanes,
            data_at: outputs.at("m_axis_tdata"),
            keep_at: outputs.at("m_axis_tkeep"),
            last_at: outputs.at("m_axis_tlast"),
            verdict_at: outputs.at("m_axis_verdict_tdata"),
            open: Vec::new(),
            beat: Vec::new(),
        }
    }

    /// A reset drops the packet in progress.
    pub fn reset(&mut self) {
        self.open.clear();
    }

    /// The bytes of a beat, if one moves, and whether it is its packet's last. They are UTF-8, whatever came in, and only a packet's last beat is partial.
    pub fn bytes(
        &mut self,
        inputs: &[u32],
        outputs: &[u32],
    ) -> Result<Option<(&[u8], bool)>, String> {
        if !self.bytes.moves(inputs, outputs) {
            return Ok(None);
        }
        let keep = outputs[self.keep_at];
        let (count, last) = (keep.trailing_ones() as usize, outputs[self.last_at] != 0);
        if keep.count_ones() as usize != count || (count < self.lanes && !last) {
            return Err(format!(
                "a beat of bytes has tkeep {keep:#b} and tlast {}",
                u8::from(last)
            ));
        }
        self.beat.clear();
        let data = &outputs[self.data_at..self.keep_at];
        let bytes = (0..count).map(|lane| (data[lane / 4] >> (8 * (lane % 4))) as u8);
        self.beat.extend(bytes);
        self.open.extend(&self.beat);
        let whole = match self.grammar {
            Grammar::Rfc3629 => match std::str::from_utf8(&self.open) {
                Ok(_) => Ok(self.open.len()),
                Err(error) if error.error_len().is_none() && !last => Ok(error.valid_up_to()),
                Err(error) => Err(error.to_string()),
            },
            Grammar::Rfc2279 => whole(&self.open, last),
        };
        let whole = whole.map_err(|error| format!("{:02X?} was put out: {error}", self.open))?;
        self.open.drain(..whole);
        Ok(Some((&self.beat, last)))
    }

    /// The verdict that moves, if one does.
    pub fn verdict(
        &self,
        inputs: &[u32],
        outputs: &[u32],
    ) -> Result<Option<(Verdict, Saturated)>, String> {
        if !self.verdicts.moves(inputs, outputs) {
            return Ok(None);
        }
        let words = &outputs[self.verdict_at..];
        let count = |name| u64::from(field(words, name));
        let (well_formed, code) = (field(words, "well_formed") != 0, field(words, "kind"));
        let kind =
            Fault::from_code(code as u8).filter(|&kind| (kind == Fault::None) == well_formed);
        let Some(kind) = kind else {
            return Err(format!(
                "its verdict is well_formed {well_formed} and of kind {code}"
            ));
        };
        let verdict = Verdict {
            well_formed,
            valid_up_to: count("valid_up_to"),
            kind,
            words: count("scalars"),
            bytes: count("bytes"),
            ill_formed: count("ill_formed"),
        };
        Ok(Some((verdict, saturated(words))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_of_six_bytes_may_go_on_in_the_next_beat() {
        let cut = b"A\xFD\xBF\xBF\xBF\xBF";
        assert_eq!(whole(cut, false), Ok(1));
        assert!(whole(cut, true).is_err());
        let ended = [&cut[..], b"\xBF"].concat();
        assert_eq!(whole(&ended, true), Ok(7));
        for wrong in [&b"A\xFE"[..], b"\x80", b"\xFC\x80\x80", b"\xE1\x80A"] {
            assert!(whole(wrong, false).is_err(), "{wrong:02X?}");
        }
    }
}
