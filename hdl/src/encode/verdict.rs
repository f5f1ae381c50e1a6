//! The verdict on each packet of words: how many there are, and bytes, and ill-formed words, and which is the first of these.
//!
//! It is made as that of [`crate::validate::verdict`], of the same counters, whose stages these are from 22 on. Lanes may be empty, so
//! a word's number is how many words come before it, which is a count, too.
//!
//! # Latency
//! [`latency`] clocks from stage 12, a beat in every clock.
//!
//! # Reset
//! `out_valid`, and that a packet begins; all else is cleared by a packet's first beat.

use super::before::{self, BeforeFirst};
use super::places::sums_latency;
use super::slots::SLOTS;
use crate::config::Grammar;
use crate::layout::VERDICT_BITS;
use crate::primitives::Cuts;
use crate::primitives::count::{self, Count, Steps};
use crate::primitives::skew::Skew;
use crate::primitives::wires::{Broadcast, Join};
use crate::validate::counter::{self, Counter};
use crate::validate::fields::PackVerdict;
use crate::validate::first::First;
use hdl_macros::stages;
use rust_hdl::prelude::*;

/// Where the lanes before the first ill-formed word are known, and those that count.
const BEFORE: i32 = 12 + before::LATENCY as i32;
const COUNTED: i32 = BEFORE + 2;

/// The stages that there are: the trees have no more than levels, and a counter no more than what a number is added to.
fn stages(lanes: usize) -> Cuts {
    let trees = COUNTED + 1 + count::latency(lanes) as i32;
    Cuts::ALL
        .without((trees..23).chain(23 + counter::lower(SLOTS * lanes, Grammar::Rfc3629) as i32..32))
}

/// Clocks from stage 12 to the verdict.
pub const fn latency(lanes: usize) -> usize {
    before::LATENCY + 2 + count::latency(lanes) + counter::latency(SLOTS * lanes, Grammar::Rfc3629)
}

/// Clocks of a bit of a beat's bytes, all of which are there [`sums_latency`] clocks after stage 12, until each is a stage later than the
/// one below it, and the lowest is at stage 22.
fn skewed(lanes: usize) -> impl Fn(usize) -> usize {
    let clocks = stages(lanes).between(12 + sums_latency(lanes) as i32, 22);
    move |bit| clocks + bit
}

stages! {
    /// The verdict of each packet: what its beats come to.
    pub block Verdict<const N: usize> {
        /// Bits of each count.
        given width: usize;
        given steps: Steps = Steps::default();
        given cuts: Cuts = stages(N);

        in reset: Bit;
        in valid, last: Bit @ 12;
        /// Lanes with a word, and with an ill-formed one; its kind.
        in present, ill, kind_0, kind_1, kind_2 @ 12;
        /// How many bytes the beat has, some stages later: see [`sums_latency`].
        in total: Bits<8>;

        stage 13 "a beat, if no reset has come since" {
            mark live: Bit = valid;
        }

        stage 14 "the lanes before the first ill-formed word" {
            part below: BeforeFirst<N> = { x: ill.at(12) };
        }

        stage 15 "whether the packet is ill-formed so far" {
            /// No beat of the packet has come yet.
            state begins: Bit = if reset { true } else if live { last };
            let starts: Bit = live & was(begins);
            /// Nothing counts after the packet's first ill-formed word.
            let stopped: Bit = was(wrong) & !starts;
            state wrong: Bit = if live { below.any | stopped };
        }

        stage 16 "the words before the packet's first ill-formed one" {
            wires all_stopped: Broadcast<N> = { x: stopped };
            valid_up_to = present & below & !all_stopped;
        }

        stage 20 "the ends of the trees: counts, and the beat's first ill-formed word" {
            part count_words: Count<N>(steps.clone()) = { x: present.at(16) } -> Bits<8>;
            part count_ill: Count<N>(steps.clone()) = { x: ill.at(16) } -> Bits<8>;
            part count_valid: Count<N>(steps.clone()) = { x: valid_up_to.at(16) } -> Bits<8>;
            part pick: First<N>(steps, false) = {
                ill: ill.at(16),
                kind_0: kind_0.at(16),
                kind_1: kind_1.at(16),
                kind_2: kind_2.at(16),
                second: 0,
                length_1: 0,
                length_2: 0,
            };
        }

        stage 21 "what the counts have by themselves" {
            let words_one: Bit = count_words.one;
            let ill_one: Bit = count_ill.one;
            let valid_one: Bit = count_valid.one;
            let first_kind: Bits<3> = pick.kind;
            /// The packet's first ill-formed word is in this beat.
            let captures: Bit = live & pick.any & !stopped;
        }

        stage 22 "the numbers to count, each bit a clock later than the one below it" {
            part bytes: Skew<8>(skewed(N)) = { x: total };
        }

        stage 32 "the kind of the packet's first ill-formed word" {
            wires captures_kind: Broadcast<3> = { x: captures };
            wires keeps_kind: Broadcast<3> = { x: !starts };
            state kind: Bits<3> = (first_kind & captures_kind) | (was(kind) & keeps_kind);
        }

        stage 34 "the verdict, whose fields mean nothing until it is shown" {
            shown: Bit = if reset { false } else { live & last };
            well_formed: Bit = !wrong;
            part bytes: Counter(cuts, SLOTS * N, width, Grammar::Rfc3629) = {
                first: starts.at(22),
                number: bytes.at(22),
                one: false,
                shows: 15,
            };
            part valid_up_to: Counter(cuts, SLOTS * N, width, Grammar::Rfc3629) = {
                first: starts.at(22),
                number: count_valid.at(22),
                one: valid_one.at(22),
                shows: 15,
            };
            part words: Counter(cuts, SLOTS * N, width, Grammar::Rfc3629) = {
                first: starts.at(22),
                number: count_words.at(22),
                one: words_one.at(22),
                shows: 15,
            };
            part ill_formed: Counter(cuts, SLOTS * N, width, Grammar::Rfc3629) = {
                first: starts.at(22),
                number: count_ill.at(22),
                one: ill_one.at(22),
                shows: 15,
            };
        }

        stage 35 "its fields in their places" {
            wires saturated: Join<4> = {
                x[0]: bytes.saturated,
                x[1]: valid_up_to.saturated,
                x[2]: words.saturated,
                x[3]: ill_formed.saturated,
            };
            wires pack: PackVerdict = {
                bytes: bytes.value,
                valid_up_to: valid_up_to.value,
                scalars: words.value,
                ill_formed: ill_formed.value,
                well_formed,
                signature: false,
                unjudged: false,
                kind,
                error_len: 0,
                error_is_long: false,
                saturated,
                edges: 0,
                bad: false,
                forbidden: 0,
                forbidden_saturated: false,
                ascii_saturated: false,
                units_saturated: false,
                width_class: 0,
            };
        }

        /// A packet has ended; the fields of its verdict.
        out out_valid: Bit = shown @ 34;
        out fields: Bits<VERDICT_BITS> = pack.fields @ 34;
    }
}
