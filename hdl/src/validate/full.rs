//! What a full verdict has more: how many scalar values are ASCII, how many UTF-16 units the lossy text has, and how many bits its greatest
//! scalar value needs.
//!
//! A scalar value above FFFF has two units. One is counted where its fourth byte is, as of any other scalar value, and one at its third: so
//! that a lane has one unit at most, and their number is the number of lanes.
//!
//! # Latency
//! In step with [`super::verdict`], a beat in every clock.
//!
//! # Reset
//! None. A packet's first beat clears what was before.

use super::counter::{Counter, to_number};
use crate::config::Grammar;
use crate::primitives::count::{Count, Steps, bits_of};
use crate::primitives::skew::{Skew, lowest};
use crate::primitives::wires::{Broadcast, Join};
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// The further counts of a verdict. RFC 3629 only.
    pub block Full<const N: usize> {
        /// Bits of each count.
        given width: usize;
        given has_open_edges: bool;
        /// The stages of a tree's levels, and those of what its bits are later.
        given steps: Steps;

        /// Lanes with a byte; where a scalar value and an ill-formed piece end.
        in present, scalar, ill @ 12;
        /// The number of the byte in its sequence: bit 0 inverted, and bit 1.
        in second, length_1 @ 12;
        /// The packet's end cuts a sequence here.
        in ends_cut @ 12;
        /// A beat, and which scalar values it has: see [`super::widths`].
        in live: Bit @ 19;
        in found: Bits<5> @ 19;
        /// The beat is its packet's first.
        in starts: Bit @ 20;
        /// A verdict shows from the next clock on: its flags, and each byte of a count.
        in flags_show: Bit @ 33;
        in shows: Bits<4> @ 33;

        stage 13 "the lanes with a UTF-16 unit" {
            let third_up = present & length_1 & !second;
            let units = if has_open_edges { scalar | ill | (third_up & !ends_cut) }
                else { scalar | ill | third_up };
        }

        stage 19 "the ends of the trees" {
            part count_ascii: Count<N>(steps.clone()) = { x: scalar.at(12) & !length_1.at(12) };
            part count_units: Count<N>(steps) = { x: units.at(12) };
        }

        stage 20 "if it is a beat" {
            wires all_live: Broadcast<5> = { x: live };
            found: Bits<5> = found & all_live;
            let ascii_one: Bit = count_ascii.one;
            let units_one: Bit = count_units.one;
        }

        stage 21 "the packet's scalar values so far" {
            wires keeps_found: Broadcast<5> = { x: !starts };
            state found: Bits<5> = found | (was(found) & keeps_found);
        }

        stage 22 "the numbers to count; the class of the greatest scalar value" {
            part ascii: Skew<8>(lowest(bits_of(N), to_number(cuts))) = { x: count_ascii.at(19) };
            part units: Skew<8>(lowest(bits_of(N), to_number(cuts))) = { x: count_units.at(19) };
            let from_80: Bit = found.get_bit(1);
            let from_100: Bit = found.get_bit(2);
            let from_800: Bit = found.get_bit(3);
            wires number: Join<3> = {
                x[0]: (found.get_bit(0) & !from_80) | (from_100 & !from_800) | found.get_bit(4),
                x[1]: from_80 & !from_800,
                x[2]: from_800,
            };
            class: Bits<3> = number;
        }

        stage 34 "if there is a verdict" {
            wires class_shows: Broadcast<3> = { x: flags_show };
            class: Bits<3> = class & class_shows;
            part ascii_total: Counter(cuts, N, width, Grammar::default()) = {
                first: starts.at(22), number: ascii.at(22), one: ascii_one.at(22), shows,
            };
            part units_total: Counter(cuts, N, width, Grammar::default()) = {
                first: starts.at(22), number: units.at(22), one: units_one.at(22), shows,
            };
        }

        /// Scalar values of ASCII; UTF-16 units of the lossy text; whether these did not fit.
        out ascii: Bits<32> = ascii_total.value @ 34;
        out units_16: Bits<32> = units_total.value @ 34;
        out ascii_saturated: Bit = ascii_total.saturated @ 34;
        out units_saturated: Bit = units_total.saturated @ 34;
        /// Bits of the greatest scalar value: 1 up to 7, 2 up to 8, 3 up to 11, 4 up to 16, 5 up to 21; 0 without one.
        out class: Bits<3> @ 34;
    }
}
