//! The mark that a packet has ended, on its way to the verdict, where it brings each field to show.

use super::counter::copies_of_sum;
use crate::primitives::blank;
use crate::primitives::fanout::{copies_kept_by, is_far};
use crate::verilog::{Body, Run, Statement, bit, bits, concat, name, repeat, set, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;
use std::mem::{replace, take};

const SUMS: [&str; 4] = ["bytes", "valid_up_to", "scalars", "ill_formed"];
/// Registers of what keeps copies apart where the sums are far from each other: one beside the fields and each sum, from one to the next,
/// for a single one would be far from most.
const CHAIN: usize = 1 + SUMS.len();

/// `x`, the mark of a packet's last beat, some clocks later. Registers of their own, at the same time, bring the fields to show: one for
/// each sum, or more as [`copies_of_sum`] says, and one for all else.
///
/// # Reset
/// It clears the mark. Where lanes are far from each other and all stages have registers, it does so a clock later, through a register, for
/// the way from the pin is long. It does not clear the registers of the fields, for its way to all that they show would be long. So a
/// verdict's fields may show for two clocks after a reset, or for three.
#[derive(Block, Blank, Described)]
pub struct Ended {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, Bit>,
    // The packet is not judged: no field shows.
    pub unjudged: Signal<In, Bit>,
    /// Never set: it keeps the copies of a register apart.
    pub apart: Signal<In, Bit>,
    /// The verdict shows from the next clock on.
    pub shows: Signal<Out, Bit>,
    pub fields: Signal<Out, Bit>,
    // As they do for a packet that is judged.
    pub all: Signal<Out, Bit>,
    pub bytes: Signal<Out, Bits<4>>,
    pub valid_up_to: Signal<Out, Bits<4>>,
    pub scalars: Signal<Out, Bits<4>>,
    pub ill_formed: Signal<Out, Bits<4>>,
    _clocks: usize,
    _copies: usize,
    /// What keeps copies apart comes from one to the next.
    _is_chained: bool,
    /// The reset comes a clock later, but for `shows`.
    _is_late: bool,
    /// The fields of some packets do not show.
    _has_unjudged: bool,
    _run: Run,
}

impl Ended {
    /// At least one clock later, which is several if `is_greatest`, the core's depth. `lead` is how many clocks `x` is later than stage 5, where `apart` comes from, or up to two clocks after it.
    pub fn new(
        clocks: usize,
        lead: usize,
        lanes: usize,
        width: usize,
        is_greatest: bool,
        has_unjudged: bool,
    ) -> Self {
        assert!(clocks > 0);
        let copies = copies_of_sum(lanes, width);
        // The chain has to be defined when the first verdict after a reset comes, without values at power-up, too.
        let is_in_time = lead + clocks > CHAIN + 2;
        Self {
            _clocks: clocks,
            _copies: copies,
            _is_chained: copies > 1 && is_in_time,
            _is_late: is_far(lanes) && is_greatest,
            _has_unjudged: has_unjudged,
            ..blank()
        }
    }

    fn body(&self, mut body: Body) -> Body {
        let before = self._clocks - 1;
        let mut ended = name("x");
        // The same for what shows of it.
        let shown = match self._has_unjudged {
            true => name("x") & !name("unjudged"),
            false => name("x"),
        };
        let shown_clocks = if self._has_unjudged {
            "judged"
        } else {
            "clocks"
        };
        let mut shown_now = shown.clone();
        let (mut cleared, mut later) = (Vec::new(), Vec::new());
        if before > 0 {
            let doc = "Packets that ended in the clocks before, the newest lowest.";
            body = body.register("clocks", before, doc);
            cleared.push(set("clocks", zero(before)));
            later.push(set(
                "clocks",
                concat([ended, bits("clocks", 0, before - 1)]),
            ));
            ended = bit("clocks", before - 1);
            if self._has_unjudged {
                body = body.register("judged", before, "Of these, the ones that are judged.");
                cleared.push(set("judged", zero(before)));
                let next = concat([shown.clone(), bits("judged", 0, before - 1)]);
                later.push(set("judged", next));
            }
            shown_now = bit(shown_clocks, before - 1);
        }
        let mut next_shows = ended.clone();
        let mut reset = "reset";
        if self._is_late {
            reset = "reset_later";
            next_shows = next_shows & !name(reset);
            let doc = "The reset, a clock later and nearer.";
            body = (body.later(reset, 1, doc, name("reset"))).at_clock(Statement::If {
                test: name(reset),
                then: take(&mut cleared),
                otherwise: take(&mut later),
            });
        }
        cleared.insert(0, set("shows", zero(1)));
        later.push(set("shows", next_shows));
        body = body
            .register("shows", 1, "A verdict shows from the next clock on.")
            .at_clock(Statement::If {
                test: name("reset"),
                then: cleared,
                otherwise: later,
            });
        let mut apart = "apart".to_string();
        let beside = |body: Body, apart: &mut String, of: &str| {
            if !self._is_chained {
                return body;
            }
            let own = format!("apart_of_{of}");
            let next = name(replace(apart, own.clone()));
            body.later(&own, 1, "", next)
        };
        let doc = "The same for the fields; no reset clears these. Copies stay apart by what is never set.";
        body = beside(body, &mut apart, "fields");
        body = copies_kept_by(&apart, body, "fields", 1, doc, shown_now.clone());
        body = match self._has_unjudged {
            true => copies_kept_by(&apart, body, "all", 1, "Of all packets.", ended),
            false => body.assign("all", name("fields")),
        };
        for sum in SUMS {
            let mut shown_now = shown_now.clone();
            body = beside(body, &mut apart, sum);
            // A register on the way to those that are far from each other, cleared like the mark.
            if self._copies > 1 && before > 0 {
                let near = format!("near_{sum}");
                let next = match before {
                    1 => shown.clone(),
                    _ => bit(shown_clocks, before - 2),
                };
                body = copies_kept_by(&apart, body, &near, 1, "", next & !name(reset));
                shown_now = name(near);
            }
            let copy = format!("of_{sum}");
            let next = repeat(self._copies, shown_now);
            body = copies_kept_by(&apart, body, &copy, self._copies, "", next);
            let all = (0..4).map(|byte| bit(&copy, byte.min(self._copies - 1)));
            body = body.assign(sum, concat(all));
        }
        body
    }
}
