//! What the verdicts that come out reach.

use super::points::*;
use super::tracker::Tracker;
use crate::observer::Saturated;
use golden::Verdict;

impl Tracker {
    /// A verdict came out.
    pub fn verdict(&mut self, verdict: &Verdict, saturated: Saturated) {
        let Verdict {
            well_formed,
            valid_up_to,
            error_len,
            kind,
            bytes,
            scalars,
            ill_formed,
            signature,
        } = *verdict;
        self.counts.hit_if(well_formed, &VERDICTS, "well-formed");
        self.counts.hit_if(!well_formed, &VERDICTS, "ill-formed");
        self.counts.hit_if(signature, &VERDICTS, "signature");
        self.counts.hit_if(bytes == 0, &VERDICTS, "empty packet");
        self.counts.hit_if(
            !well_formed && scalars == 0,
            &VERDICTS,
            "nothing but ill-formed pieces",
        );
        self.counts.hit_if(
            !well_formed && signature,
            &VERDICTS,
            "ill-formed after a signature",
        );
        if let Some(length) = error_len {
            if let Some(error) = self.counts.pieces.first_error(kind, length) {
                self.counts.hit(&FIRST_ERRORS, error, 0);
            }
            self.counts.hit(
                &ERROR_LANES,
                "",
                (valid_up_to % self.counts.lanes as u64) as usize,
            );
        }
        let full = 1u64
            .checked_shl(self.counter_width as u32)
            .unwrap_or(0)
            .wrapping_sub(1);
        let counters = [
            (bytes, saturated.bytes),
            (valid_up_to, saturated.valid_up_to),
            (scalars, saturated.scalars),
            (ill_formed, saturated.ill_formed),
        ];
        for ((count, saturated), [over, exact]) in counters.into_iter().zip(COUNTER_NAMES) {
            self.counts.hit_if(saturated, &COUNTERS, over);
            self.counts
                .hit_if(count == full && !saturated, &COUNTERS, exact);
        }
    }
}
