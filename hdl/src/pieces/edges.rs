//! What the edges of a packet cut, if it may begin and end within a sequence: that is not ill-formed.
//!
//! A sequence has at most three continuation bytes, so up to three at a packet's beginning can be the rest of one that began before it; a
//! fourth is stray. At its end a sequence may be unfinished.
//!
//! # Latency
//! In step with [`super::sequence`]: each output is of the stage that reads it.
//!
//! # Reset
//! As the end of a packet.

use crate::primitives::wires::{Join, Lane};
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// The bytes at a packet's beginning and at its end that no other byte of it belongs to.
    pub block Edges<const N: usize> {
        in present @ 0;
        /// A beat, or a reset in its place.
        in valid, last: Bit @ 1;
        /// Continuation bytes; those that continue a sequence of the packet.
        in cont @ 1;
        in consumed @ 8;
        /// A beat fills the slot.
        in arrival: Bit @ 9;
        /// Of the slot's beat: bytes that are ill-formed wherever they stand; where a sequence is unfinished; whether a byte comes
        /// after it in the packet, and continues it.
        in alone, open, after, more @ 10;

        beat valid, last;

        stage 5 "a continuation byte as a packet's first" {
            first = cont & !before(present);
        }

        stage 6 "another as its second" {
            second = cont & before(first);
        }

        stage 7 "and as its third" {
            third = cont & before(second);
        }

        stage 8 "which bytes the packet's beginning has cut" {
            wires in_first: Lane<N>(0) = { x: first };
            wires in_second: Lane<N>(1 % N) = { x: second };
            wires in_third: Lane<N>(2 % N) = { x: third };
            wires all: Join<3> = { x[0]: in_first, x[1]: in_second, x[2]: in_third };
            /// A bit for each.
            heads: Bits<3> = all;
            head = first | second | third;
        }

        stage 10 "the slot" {
            state heads: Bits<3> = if arrival { heads };
        }

        stage 11 "what leaves it" {
            /// The packet's end cuts the sequence here.
            cut = open & !after;
        }

        // Of a window, whose beginning may be in any lane.
        out first @ 5;
        out second @ 6;
        out third @ 7;
        /// A continuation byte that no sequence takes, within the packet or before it.
        out stray = cont & !consumed & !head @ 8;
        /// An ill-formed piece ends here: the packet's end does not end one.
        out ill = alone | (open & after & !more) @ 10;
        /// Of the beat that leaves, if one does: which of the packet's first three bytes its beginning has cut, a bit for each; where its
        /// end cuts a sequence.
        out heads: Bits<3> @ 12;
        out cut @ 12;
    }
}
