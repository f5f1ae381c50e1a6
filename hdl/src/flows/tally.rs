//! What each beat brings to the counters of `--csr`.
//!
//! It is counted with its beat, and not at its message's end: of a message that is forgotten, what it had stays counted. As
//! [`crate::csr::tally`], but that one piece may have ended before the beat, and that all comes with the beat's state in [`super::running`].
//!
//! # Reset
//! That there is a beat: what is dropped is not counted.

use super::running;
use crate::csr::kinds::{ILL, Kinds, NUMBER};
use crate::csr::map::COUNTERS;
use crate::csr::tally::{InOrder, NUMBERS};
use crate::primitives::Cuts;
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// What a beat adds to each counter, when its flow's state is known ([`running`]).
    pub block Tally<
        const N: usize,
    > {
        /// The ill-formed pieces that end in the beat's own lanes and their kinds, a clock after its pieces.
        in ill, kind_0, kind_1, kind_2;
        /// The piece that ended before the beat.
        in ill_before: Bit @ 0;
        in kind_before: Bits<3> @ 0;
        /// The beat's sums.
        in bytes, scalars: Bits<NUMBER> @ 3;
        /// There is a beat; it is refused; its message ends with it; that is ill-formed.
        in is_beat, refused, message_ends, bad: Bit @ 8;

        stage 1 "the kinds of the pieces" {
            part kinds: Kinds<N>(Cuts::ALL) = { ill, kind_0, kind_1, kind_2 };
            /// For each kind, whether the piece that ended before the beat is of it.
            before: Bit = [
                ill_before & (kind_before == 1),
                ill_before & (kind_before == 2),
                ill_before & (kind_before == 3),
                ill_before & (kind_before == 4),
                ill_before & (kind_before == 5),
                ill_before & (kind_before == 6),
                ill_before & (kind_before == 7),
            ];
        }

        stage 2 "the piece that ended before the beat" {
            for i in 0..ILL {
                let further: Bit = kinds.further[i];
                /// Each number with that piece.
                sum: Bits<NUMBER> =
                    if before[i] { kinds.number[i] + 1 } else { kinds.number[i] };
            }
        }

        stage 9 "what a beat brings to each counter" {
            wires in_order: InOrder = {
                ends: message_ends,
                bad,
                bytes,
                scalars,
                scalars_one: false,
                kinds[i in 0..ILL]: sum[i],
                kinds_one[i in 0..ILL]: further[i],
            };
        }

        /// There is a beat that counts. All that it brings is in one clock.
        out ends: Bit = is_beat & !refused @ 8;
        /// A number for each counter, and a further one.
        out numbers: Bits<NUMBERS> = in_order.numbers @ 8;
        out ones: Bits<COUNTERS> = in_order.ones @ 8;
    }
}

const _: () = assert!(8 - 3 == running::LATENCY);
