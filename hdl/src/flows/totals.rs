//! The counts of each flow's message, digit by digit.
//!
//! What a beat adds has to be in the counts in the clock after it, when the flow's next beat may come, so no register can cut this
//! loop. It is short instead: it has one digit of eight bits of each count, and the next digit is a clock later, in a table of its
//! own, with the carry in a register between them.
//!
//! # Latency
//! [`LATENCY`] clocks from a beat's numbers to the counts that they are in, a beat in every clock.
//!
//! # Reset
//! What marks the flows on the way.

use super::table::{READ_LATENCY, Table};
use crate::layout::FLOW_BITS;
use crate::primitives::{Cuts, blank};
use crate::verilog::{Body, Run, bit, bits, choose, concat, literal, name, zero};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Counts of a message: bytes, valid_up_to, scalars, ill_formed.
const COUNTS: usize = 4;
/// Bits of a digit, and digits of a count.
const DIGIT: usize = 8;
const DIGITS: usize = 4;
/// The digits below the topmost one.
const LOWER: usize = DIGITS - 1;
/// A digit of all counts; the topmost also says of each whether it has saturated.
const WORD: usize = COUNTS * DIGIT;
const OF_TOP: usize = DIGIT + 1;
const TOP_WORD: usize = COUNTS * OF_TOP;
/// The numbers of a beat.
const NUMBERS: usize = COUNTS * DIGIT;

/// Clocks from the numbers to the output registers: the digits, and what is shown of them.
pub const LATENCY: usize = DIGITS + 1;

/// The numbers of a beat in one vector.
#[derive(Block, Blank, Described)]
pub struct PackNumbers {
    pub bytes: Signal<In, Bits<DIGIT>>,
    pub valid_up_to: Signal<In, Bits<DIGIT>>,
    pub scalars: Signal<In, Bits<DIGIT>>,
    pub ill_formed: Signal<In, Bits<DIGIT>>,
    pub y: Signal<Out, Bits<NUMBERS>>,
    _run: Run,
}

impl PackNumbers {
    fn body(&self, body: Body) -> Body {
        let numbers = ["bytes", "valid_up_to", "scalars", "ill_formed"].map(name);
        body.assign("y", concat(numbers))
    }
}

/// Adds to a digit of all counts what comes to it: the beat's numbers to the first one, to the others the carries.
///
/// In the topmost one a count stays saturated. The carry out of one more bit says that it is, so no logic follows the carry chain.
#[derive(Blank, Block, Described)]
pub struct AddDigits<const W: usize> {
    pub kept: Signal<In, Bits<W>>,
    pub numbers: Signal<In, Bits<NUMBERS>>,
    pub carries: Signal<In, Bits<COUNTS>>,
    pub y: Signal<Out, Bits<W>>,
    /// None from the topmost digit.
    pub out_carries: Signal<Out, Bits<COUNTS>>,
    /// The counts have it.
    _is_there: bool,
    _run: Run,
}

impl<const W: usize> AddDigits<W> {
    const IS_TOP: bool = W == TOP_WORD;
    /// Bits of a count.
    const OF_COUNT: usize = W / COUNTS;

    /// The digit `digit` of counts of `width` bits, a multiple of [`DIGIT`].
    pub fn new(digit: usize, width: usize) -> Self {
        const { assert!(W == WORD || W == TOP_WORD) }
        Self {
            _is_there: width > DIGIT * digit,
            ..blank()
        }
    }

    fn body(&self, mut body: Body) -> Body {
        let mut digits = Vec::new();
        let mut carries = Vec::new();
        for count in 0..COUNTS {
            let low = Self::OF_COUNT * count;
            let kept = bits("kept", low, DIGIT);
            let over = bit("kept", low + DIGIT);
            let number = bits("numbers", DIGIT * count, DIGIT);
            let carry = bit("carries", count);
            let sum = format!("sum_{count}");
            match (self._is_there, Self::IS_TOP) {
                (false, false) => {
                    digits.push(zero(DIGIT));
                    carries.push(carry);
                }
                (false, true) => {
                    digits.extend([zero(DIGIT), over | carry]);
                    carries.push(zero(1));
                }
                (true, false) => {
                    let value = concat([kept, zero(1)])
                        + concat([number, zero(1)])
                        + concat([carry, zero(DIGIT)]);
                    body = body.wire(&sum, DIGIT + 1, value);
                    digits.push(bits(&sum, 0, DIGIT));
                    carries.push(bit(&sum, DIGIT));
                }
                (true, true) => {
                    let value = concat([kept, over, zero(1)])
                        + literal(DIGIT + 2, 1 << DIGIT)
                        + concat([carry, zero(DIGIT + 1)]);
                    body = body.wire(&sum, DIGIT + 2, value);
                    // The bit below the topmost one only carries.
                    digits.extend([bits(&sum, 0, DIGIT), bit(&sum, DIGIT + 1)]);
                    carries.push(zero(1));
                }
            }
        }
        body.assign("y", concat(digits))
            .assign("out_carries", concat(carries))
    }
}

stages! {
    /// One digit of all counts of each flow's message. It has `W` bits.
    pub block Digit<const W: usize> {
        given digit: usize;
        given flows: usize;
        given width: usize;

        in reset: Bit;
        /// A flow comes, and which, before what is added.
        in touch: Bit;
        in flow: Bits<FLOW_BITS>;
        /// The counts begin with what comes.
        in begins: Bit;
        in numbers: Bits<NUMBERS>;
        in carries: Bits<COUNTS>;

        always {
            part memory: Table<W>(Cuts::ALL, flows) = { reset, touch, flow, result: add };
            let kept: Bits<W> = if begins { 0 } else { memory.state };
            wires add: AddDigits<W>(digit, width) = { kept, numbers, carries };
            /// The digit, and what goes to the next.
            sum: Bits<W> = add;
            carry: Bits<COUNTS> = add.out_carries;
        }

        /// The digit, and what goes to the next.
        out y: Bits<W> = sum;
        out out_carries: Bits<COUNTS> = carry;
    }
}

/// The counts as a verdict shows them, from their digits: all ones if one has saturated.
#[derive(Blank, Block, Described)]
pub struct ShowCounts {
    /// The digits, the lowest first.
    #[many(LOWER)]
    pub x: Vec<Signal<In, Bits<WORD>>>,
    pub top: Signal<In, Bits<TOP_WORD>>,
    pub y: Signal<Out, Bits<{ COUNTS * 32 }>>,
    pub over: Signal<Out, Bits<COUNTS>>,
    _width: usize,
    _run: Run,
}

impl ShowCounts {
    /// Of counts of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            _width: width,
            ..blank()
        }
    }

    fn body(&self, body: Body) -> Body {
        let most = (1_u64 << self._width) - 1;
        let over = |count: usize| bit("top", OF_TOP * count + DIGIT);
        let shown = (0..COUNTS).map(|count| {
            let lower = (0..LOWER).map(|digit| bits(format!("x${digit}"), DIGIT * count, DIGIT));
            let digits = lower.chain([bits("top", OF_TOP * count, DIGIT)]);
            choose(over(count), literal(32, most), concat(digits))
        });
        body.assign("y", concat(shown))
            .assign("over", concat((0..COUNTS).map(over)))
    }
}

stages! {
    /// The counts of each flow's message, in digits of eight bits, each a clock after the one below it.
    pub block Totals {
        given flows: usize;
        given width: usize;

        in reset: Bit;
        /// A flow comes, and which.
        in touch: Bit @ 0;
        in flow: Bits<FLOW_BITS> @ 0;
        /// Its counts begin with these numbers.
        in begins: Bit @ 4;
        in numbers: Bits<NUMBERS> @ 4;
        /// The output registers are to show nothing.
        in hides: Bit @ 8;

        stage 1 "a flow comes" {
            /// A flow comes.
            mark touch: Bit = touch;
        }

        stage 5 "the lowest digit" {
            part digit_0: Digit<WORD>(Cuts::ALL, 0, flows, width) = {
                reset,
                touch: touch.at(0),
                flow: flow.at(0),
                begins,
                numbers,
                carries: 0,
            } -> Bits<WORD>;
        }

        stage 6 "the second one" {
            part digit_1: Digit<WORD>(Cuts::ALL, 1, flows, width) = {
                reset,
                touch: touch.at(1),
                flow: flow.at(1),
                begins,
                numbers: 0,
                carries: digit_0.out_carries,
            } -> Bits<WORD>;
        }

        stage 7 "the third one" {
            part digit_2: Digit<WORD>(Cuts::ALL, 2, flows, width) = {
                reset,
                touch: touch.at(2),
                flow: flow.at(2),
                begins,
                numbers: 0,
                carries: digit_1.out_carries,
            } -> Bits<WORD>;
        }

        stage 8 "the topmost one" {
            part top: Digit<TOP_WORD>(Cuts::ALL, LOWER, flows, width) = {
                reset,
                touch: touch.at(3),
                flow: flow.at(3),
                begins,
                numbers: 0,
                carries: digit_2.out_carries,
            };
        }

        stage 9 "what is shown" {
            wires show: ShowCounts(width) = { x[0]: digit_0, x[1]: digit_1, x[2]: digit_2, top };
            /// The counts, and which have saturated.
            shown: Bits<{ COUNTS * 32 }> = if hides { 0 } else { show };
            over: Bits<COUNTS> = if hides { 0 } else { show.over };
        }

        /// The counts of 32 bits each, and which of them have saturated.
        out y: Bits<{ COUNTS * 32 }> = shown @ 9;
        out saturated: Bits<COUNTS> = over @ 9;
    }
}

const _: () = assert!(READ_LATENCY == 4 && LOWER == 3 && 9 - 4 == LATENCY);
