//! How many quarters of the ring are not promised to a beat.
//!
//! An accepted beat is promised a round, four quarters, which is the most that its words can come to (six in RFC 2279). When their bytes are counted it gives
//! back what it does not complete. So a stream of which each beat needs a quarter, whatever its neighbours need, is not held back by what
//! it might have needed.
//!
//! # Latency
//! 3 clocks from what happens to what it comes to.
//!
//! # Reset
//! All.

use crate::primitives::wires::Widen;
use crate::verilog::{Body, Run, bit, concat, name, repeat};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Quarters of the ring.
const QUARTERS: u64 = 128;
/// Quarters that a beat of words may need; and a beat of bytes, of which none has more than three.
pub const OF_WORDS: u64 = 4;
pub const OF_BYTES: u64 = 3;
/// And a beat of words of up to six bytes.
pub const OF_LONG_WORDS: u64 = 6;

/// `tready` falls while fewer are unpromised: four beats may enter before `tready` shows the first of them, and more if it is known later
/// that it is one; and the quarter that is being filled has been given back.
fn margin(known: usize, of_beat: u64) -> u64 {
    of_beat * (4 + known as u64) + 1
}

stages! {
    /// Counts the quarters that are not promised.
    pub block Room {
        /// Clocks from acceptance until a beat is taken into account.
        given known: usize;
        /// How many quarters a beat may need.
        given of_beat: u64;
        /// Beyond the margin, after a reset.
        given all: Bits<8> = (QUARTERS - margin(known, of_beat)).into();
        given is_three: bool = of_beat == OF_BYTES;
        given is_six: bool = of_beat == OF_LONG_WORDS;

        in reset: Bit;
        /// A beat was accepted.
        in taken: Bit;
        /// The bytes of a beat are counted: it completes `count` quarters.
        in counted: Bit;
        in count: Bits<3>;
        /// A quarter has left.
        in freed: Bit;
        /// There is room for a beat.
        out enough: Bit = !free.get_bit(7);

        always {
            wires completed: Widen<3, 4> = { x: count };
            mark was_taken: Bit = taken;
            mark was_freed: Bit = freed;
            /// What a beat gives back: what it was promised less what it completes.
            given_back: Bits<4> = if reset | !counted {
                0
            } else if is_three {
                !completed + 4
            } else if is_six {
                !completed + 7
            } else {
                !completed + 5
            };
            /// The change of the count.
            step: Bits<4> = if reset {
                0
            } else if was_taken & is_three {
                if was_freed { given_back + 14 } else { given_back + 13 }
            } else if was_taken & is_six {
                if was_freed { given_back + 11 } else { given_back + 10 }
            } else if was_taken {
                if was_freed { given_back + 13 } else { given_back + 12 }
            } else {
                if was_freed { given_back + 1 } else { given_back }
            };
            wires change: Signed<4, 8> = { x: step };
            /// Quarters beyond the margin; below zero if there are fewer.
            state free: Bits<8> = if reset { all } else { free + change };
        }
    }
}

/// A signed number of `A` bits as one of `W`, which are more.
#[derive(Block, Blank, Described)]
pub struct Signed<const A: usize, const W: usize> {
    pub x: Signal<In, Bits<A>>,
    pub y: Signal<Out, Bits<W>>,
    _run: Run,
}

impl<const A: usize, const W: usize> Signed<A, W> {
    fn body(&self, body: Body) -> Body {
        const { assert!(A < W) }
        let sign = repeat(W - A, bit("x", A - 1));
        body.assign("y", concat([name("x"), sign]))
    }
}
