//! The verdict on each packet, from the ends of its pieces.
//!
//! Of each beat it takes how many bytes, scalar values and ill-formed pieces there are ([`crate::primitives::count`]) and the
//! first ill-formed piece ([`super::first`]), and adds them up over the packet ([`super::counter`]).
//!
//! `valid_up_to` is counted, too, and never taken back: a beat adds the bytes of the pieces that end in it, up to the
//! packet's first ill-formed one. Those are its bytes, and those that the beat before had left in an unfinished piece
//! (its *tail*), less its own tail; or, in the beat with that first ill-formed piece, the bytes below and in it, less
//! its length.
//!
//! The stages go on after those of [`crate::pieces`]. Stages 13 to 19 are for the trees over the lanes, as many of
//! them as there are levels. From stage 22 on a number's bits are a clock later each; stages 23 to 31 are for these.
//!
//! # Latency
//! [`latency`] clocks from stage 12, a beat in every clock.
//!
//! # Reset
//! `out_valid`, and that a packet begins; all else is cleared by a packet's first beat.

use super::counter::{Counter, to_number};
use super::cut::Cut;
use super::ended::Ended;
use super::fields::{PackFurther, PackVerdict};
use super::first::First;
use super::full::Full;
use super::timing::skewed;
pub use super::timing::{latency, stages};
use crate::config::{Grammar, Policy};
use crate::layout::{FURTHER_BITS, REASON_BITS, VERDICT_BITS};
use crate::primitives::Cuts;
use crate::primitives::count::{self, Count, CountLow, Steps};
use crate::primitives::delay::ValidDelayLine;
use crate::primitives::ripple::SkewAdd;
use crate::primitives::skew::{Skew, lowest};
use crate::primitives::wires::{Broadcast, Join, Subtract};
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// The verdict of each packet: what its beats come to. The inputs are the outputs of the pieces, stage 12.
    pub block Verdict<const N: usize> {
        /// Bits of each count.
        given width: usize;
        given grammar: Grammar;
        given policy: Policy;
        given forbids: bool = !policy.forbid.is_empty();
        given tells_bad: bool = policy.tells_bad();
        given rejects, has_open_edges, is_full, has_window, has_frames: bool = policy;
        /// Lengths have three bits, not two.
        given is_long: bool = grammar.is_2279();
        given is_greatest: bool = cuts == Cuts::ALL;
        /// With those of the upper bits of a number, which are never set.
        given trees: Cuts = cuts.without(13 + count::latency(N) as i32..20);
        given cuts: Cuts = stages(cuts, N, grammar);
        /// Whether each bit of a sum has a register.
        given registers: Vec<bool> = (22..30).map(|stage| trees.has(stage)).collect();
        /// The stages of a tree's levels, and those of what its bits are later.
        given steps: Steps = Steps::of(cuts, (13..13 + count::latency(N) as i32).chain(20..32));

        in reset: Bit;
        in valid, last, signature: Bit @ 12;
        in present, scalar, ill, kind_0, kind_1, kind_2, second, length_1, length_2, ends_cut @ 12;
        in tail_0, tail_1, tail_2: Bit @ 12;
        /// With `ends_cut` what the edges of the packet have cut: see [`Cut`].
        in heads: Bits<3> @ 12;
        /// The packet's signature, again: a policy reads it a stage earlier than the verdict.
        in rejected: Bit @ 12;
        /// Of the beat that leaves, if one does: the forbidden classes that it has, whether there is any, and where the first one ends.
        in met: Bits<8> @ 19;
        in is_met: Bit @ 19;
        in met_lane: Bits<8> @ 19;
        /// Which scalar values that beat has: see [`super::widths`].
        in widths: Bits<5> @ 19;
        /// With a window: the lane of its first byte; the lanes up to its end, and those that are judged; what is at its beginning.
        in first, lanes_to_end, bytes_in_window: Bits<8> @ 19;
        in found_signature: Bit @ 19;
        in found_heads: Bits<3> @ 19;
        /// Why the packet is not judged.
        in reason: Bits<REASON_BITS> @ 33;
        // With frames: it is not judged, whatever bytes of it were.
        in unjudged: Bit @ 19;
        /// Never set: it keeps the copies of a register apart.
        in apart: Bit;

        stage 19 "the ends of the trees: counts, and the first ill-formed piece" {
            part count_bytes: CountLow<N>(steps.clone()) = { x: present.at(12) };
            part count_scalars: Count<N>(steps.clone()) = { x: scalar.at(12) };
            part count_ill: Count<N>(steps.clone()) = { x: ill.at(12) };
            part pick: First<N>(steps.clone(), is_long) = {
                ill: ill.at(12), kind_0: kind_0.at(12), kind_1: kind_1.at(12),
                kind_2: kind_2.at(12), second: second.at(12),
                length_1: length_1.at(12), length_2: length_2.at(12),
            };
            /// In step with the counts: a beat, if no reset has come since.
            part live: ValidDelayLine(cuts.between(12, 19)) = { reset, x: valid.at(12) };
        }

        stage 20 "what the beat adds to valid_up_to: `add` plus `before` minus `less`" {
            /// No beat of the packet has come yet.
            state begins: Bit = if reset { true } else if live { last };
            let starts: Bit = live & was(begins);
            /// Nothing is added after the packet's first ill-formed piece.
            let stopped: Bit = was(wrong) & !starts;
            /// The packet is ill-formed so far.
            state wrong: Bit = pick.any | stopped;
            let has_met: Bit = if forbids { live & is_met } else { false };
            let signs: Bit = if rejects & has_window { live & found_signature }
                else if rejects { live & rejected } else { false };
            signed: Bit = live & found_signature;
            wires all_live: Broadcast<8> = { x: live };
            wires heads_live: Broadcast<3> = { x: live };
            found_heads: Bits<3> = found_heads & heads_live;
            /// What comes off a number of lanes: the window's first byte is the first that counts.
            off: Bits<8> = first & all_live;
            in_window: Bits<8> = bytes_in_window & all_live;
            /// The packet has something forbidden so far.
            state is_met: Bit = if forbids { has_met | (was(is_met) & !starts) } else { false };
            let against: Bit = has_met | signs;
            /// It is against the policy so far.
            let against_before: Bit = was(against) & !starts;
            state against: Bit = if forbids | rejects { against | against_before } else { false };
            /// Its bytes, or those up to the end of what is forbidden, less one.
            end: Bits<8> = if has_met { met_lane } else if has_window { lanes_to_end & all_live }
                else { count_bytes };
            let met_before: Bit = was(is_met) & !starts;
            met_stopped: Bit = met_before;
            met: Bits<8> = if has_met { met } else { 0 };
            /// Without an ill-formed piece the beat's bytes and its tail, the bytes that it leaves in an unfinished
            /// piece. With one its lane, which is one less than the bytes up to its end, and one less than its
            /// length.
            add: Bits<8> = if pick.any { pick.lane } else if has_window { lanes_to_end }
                else { count_bytes };
            less_0: Bit = if pick.any { !pick.length.get_bit(0) } else { tail_0 };
            less_1: Bit = if pick.any {
                if is_long {
                    (pick.length.get_bit(0) & pick.length.get_bit(1))
                        | (pick.is_long & !pick.length.get_bit(0))
                } else { pick.length.get_bit(0) & pick.length.get_bit(1) }
            } else { tail_1 };
            less_2: Bit = if is_long {
                if pick.any { pick.is_long & pick.length.get_bit(0) } else { tail_2 }
            } else { false };
            /// The tail of the beat before, which counts for this one unless a packet begins.
            state tail_before_0: Bit = if live { tail_0 };
            state tail_before_1: Bit = if live { tail_1 };
            state tail_before_2: Bit = if is_long {
                (live & tail_2) | (!live & was(tail_before_2))
            } else {
                false
            };
            before_0: Bit = was(tail_before_0) & !starts;
            before_1: Bit = was(tail_before_1) & !starts;
            before_2: Bit = was(tail_before_2) & !starts;
            skips: Bit = !live | stopped;
            /// The packet's first ill-formed piece is in this beat. One that the packet's end has cut has no
            /// `error_len`.
            captures: Bit = pick.any & !stopped;
            wires cut: Broadcast<2> = { x: pick.kind.all() };
            kind: Bits<3> = pick.kind;
            error_len: Bits<2> = pick.length & !cut;
            error_is_long: Bit = if is_long { pick.is_long & !pick.kind.all() } else { false };
            let scalars_one: Bit = count_scalars.one;
            let ill_one: Bit = count_ill.one;
            with_one: Bit = has_met & !met_before;
        }

        stage 21 "the difference of the tails, and the first ill-formed piece of the packet" {
            let borrow: Bit = !before_0 & less_0;
            wires add_in_window: Subtract<8> = { x: add, by: off };
            wires end_in_window: Subtract<8> = { x: end, by: off };
            add: Bits<8> = if skips { 0 } else if has_window { add_in_window } else { add };
            difference_0: Bit = if skips { false } else { before_0 ^ less_0 };
            difference_1: Bit = if skips { false } else { before_1 ^ less_1 ^ borrow };
            let borrow_2: Bit = (!before_1 & less_1) | (borrow & !(before_1 ^ less_1));
            difference_2: Bit = if skips { false } else { before_2 ^ less_2 ^ borrow_2 };
            negative: Bit = if skips { false }
                else if is_long { (!before_2 & less_2) | (borrow_2 & !(before_2 ^ less_2)) }
                else { (!before_1 & less_1) | (borrow & !(before_1 ^ less_1)) };
            wires captures_kind: Broadcast<3> = { x: captures };
            wires keeps_kind: Broadcast<3> = { x: !starts };
            state kind: Bits<3> = (kind & captures_kind) | (was(kind) & keeps_kind);
            wires captures_len: Broadcast<2> = { x: captures };
            wires keeps_len: Broadcast<2> = { x: !starts };
            state error_len: Bits<2> = (error_len & captures_len) | (was(error_len) & keeps_len);
            state error_is_long: Bit = if is_long {
                (error_is_long & captures) | (was(error_is_long) & !starts)
            } else { false };
            state signature: Bit = if has_window { signed | (was(signature) & !starts) }
                else { signature | (was(signature) & !starts) };
            /// The forbidden classes that the packet has.
            wires keeps_met: Broadcast<8> = { x: !starts };
            state met: Bits<8> = if forbids { met | (was(met) & keeps_met) } else { 0 };
            end: Bits<8> = if met_stopped { 0 } else if has_window { end_in_window } else { end };
            /// Both numbers with each bit a clock later than the one below it.
            part add_bits: Skew<8>(skewed(trees, 21, 21)) = { x: add.at(21) };
            part less_bits: Skew<8>(skewed(trees, 21, 21)) = { x: difference.at(21) };
        }

        stage 22 "the numbers to count, each bit a clock later than the one below it" {
            part bytes: Skew<8>(skewed(trees, if has_window { 20 } else { 19 }, 22)) = {
                x: if has_window { in_window.at(20) } else { count_bytes.at(19) },
            };
            part scalars: Skew<8>(lowest(count::bits_of(N), to_number(cuts))) = {
                x: count_scalars.at(19),
            };
            part ill_formed: Skew<8>(lowest(count::bits_of(N), to_number(cuts))) = {
                x: count_ill.at(19),
            };
            part end: Skew<8>(skewed(trees, 21, 22)) = { x: end.at(21) };
            wires difference: Join<8> = {
                x[0]: difference_0,
                x[1]: difference_1,
                x[2]: if is_long { difference_2 } else { negative },
                x[3]: negative,
                x[4]: negative,
                x[5]: negative,
                x[6]: negative,
                x[7]: negative,
            };
            /// What the beat adds to valid_up_to.
            part valid_up_to: SkewAdd(registers) = {
                x: add_bits,
                addend: less_bits,
            };
        }

        stage 33 "a packet has ended: its verdict is shown from the next clock on" {
            part ended: Ended(
                cuts.between(19, 33), cuts.between(5, 19), N, width, is_greatest, policy.has_frames,
            ) = {
                reset,
                x: live.at(19) & last.at(19),
                unjudged: unjudged.at(19),
                apart,
            };
            part edge: Cut<N>(cuts, steps.clone(), has_window) = {
                valid: valid.at(12), heads: heads.at(12), present: present.at(12),
                cut: ends_cut.at(12), second: second.at(12), length_1: length_1.at(12),
                starts: starts.at(20), found: found_heads.at(20),
            };
        }

        stage 34 "the verdict" {
            shown: Bit = if reset { false } else { ended.shows };
            wires kind_shows: Broadcast<3> = { x: ended.fields };
            wires error_len_shows: Broadcast<2> = { x: ended.fields };
            kind: Bits<3> = kind & kind_shows;
            error_len: Bits<2> = error_len & error_len_shows;
            error_is_long: Bit = if is_long { error_is_long & ended.fields } else { false };
            signature: Bit = ended.fields & signature;
            well_formed: Bit = if has_frames & has_open_edges {
                    (ended.fields & !wrong & !edge.is_any) | why.any()
                } else if has_frames { (ended.fields & !wrong) | why.any() }
                else if has_open_edges { ended.fields & !wrong & !edge.is_any }
                else { ended.fields & !wrong };
            wires edges_show: Broadcast<4> = { x: ended.fields };
            wires reason_shows: Broadcast<REASON_BITS> = {
                x: if has_frames { ended.all } else { ended.fields },
            };
            let why: Bits<REASON_BITS> = reason & reason_shows;
            edges: Bits<4> = if has_window & has_open_edges { (edge.number & edges_show) | why }
                else if has_open_edges { edge.number & edges_show }
                else if has_window { why } else { 0 };
            unjudged: Bit = if has_window { why.any() } else { false };
            bad: Bit = if tells_bad { ended.fields & (wrong | against) } else { false };
            wires met_shows: Broadcast<8> = { x: ended.fields };
            met: Bits<8> = met & met_shows;
            wires end_shows: Broadcast<4> = { x: is_met };
            part bytes: Counter(cuts, N, width, grammar) = {
                first: starts.at(22), number: bytes.at(22),
                one: false, shows: ended.bytes,
            };
            part valid_up_to: Counter(cuts, N, width, grammar) = {
                first: starts.at(22), number: valid_up_to.at(22),
                one: false, shows: ended.valid_up_to,
            };
            part scalars: Counter(cuts, N, width, grammar) = {
                first: starts.at(22), number: scalars.at(22),
                one: scalars_one.at(22), shows: ended.scalars,
            };
            part ill_formed: Counter(cuts, N, width, grammar) = {
                first: starts.at(22), number: ill_formed.at(22),
                one: ill_one.at(22), shows: ended.ill_formed,
            };
            /// The bytes up to the end of the first forbidden scalar value; zero if there is none.
            part forbidden_end: Counter(cuts, N, width, grammar) = {
                first: starts.at(22), number: end.at(22),
                one: with_one.at(22), shows: ended.bytes & end_shows,
            };
            part full: Full<N>(cuts, width, has_open_edges, steps) = {
                present: present.at(12), scalar: scalar.at(12), ill: ill.at(12),
                second: second.at(12), length_1: length_1.at(12), ends_cut: ends_cut.at(12),
                live: live.at(19), found: widths.at(19), starts: starts.at(20),
                flags_show: ended.fields, shows: ended.bytes,
            };
        }

        stage 35 "its fields in their places" {
            wires saturated: Join<4> = {
                x[0]: bytes.saturated, x[1]: valid_up_to.saturated,
                x[2]: scalars.saturated, x[3]: ill_formed.saturated,
            };
            wires pack: PackVerdict = {
                bytes: bytes.value,
                valid_up_to: valid_up_to.value,
                scalars: scalars.value,
                ill_formed: ill_formed.value,
                well_formed, signature, unjudged, edges, kind, error_len, error_is_long, saturated,
                bad,
                forbidden: met,
                forbidden_saturated: if forbids { forbidden_end.saturated } else { false },
                ascii_saturated: if is_full { full.ascii_saturated } else { false },
                units_saturated: if is_full { full.units_saturated } else { false },
                width_class: if is_full { full.class } else { 0 },
            };
            wires words: PackFurther = {
                forbidden_end: if forbids { forbidden_end.value } else { 0 },
                ascii: if is_full { full.ascii } else { 0 },
                units: if is_full { full.units_16 } else { 0 },
            };
        }

        /// A packet has ended; the fields of its verdict, zero otherwise but for two clocks after a reset, or three.
        out out_valid: Bit = shown @ 34;
        out fields: Bits<VERDICT_BITS> = pack.fields @ 34;
        /// Its further words.
        out further: Bits<FURTHER_BITS> = words.fields @ 34;
        /// A verdict will be in `fields` in the next clock.
        out due: Bit = ended.shows @ 33;
        // Or against the policy.
        /// As early as that is known, at a packet's last beat: it is ill-formed.
        out bad: Bit = if has_frames & (forbids | rejects) { (wrong | against) & last & !unjudged }
            else if has_frames { wrong & last & !unjudged }
            else if forbids | rejects { (wrong | against) & last } else { wrong & last } @ 20;
        /// For the registers that count, at the beat's counts: it is its packet's first, or its last; the packet is
        /// ill-formed so far; its bytes; its scalar values, of which each bit is a clock later than the one below it,
        /// and a further one.
        out sum_starts: Bit = starts @ 19;
        out sum_last: Bit = live & last @ 19;
        out sum_wrong: Bit = if forbids | rejects { pick.any | stopped | against | against_before }
            else { pick.any | stopped } @ 19;
        out sum_bytes: Bits<8> = if has_window { bytes_in_window & all_live }
            else { count_bytes } @ 19;
        out sum_scalars: Bits<8> = count_scalars @ 19;
        out sum_scalars_one: Bit = count_scalars.one @ 19;
        /// The forbidden classes that the packet has so far.
        out sum_met: Bits<8> = met @ 21;
    }
}
