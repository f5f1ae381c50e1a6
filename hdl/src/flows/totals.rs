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

use super::table::{FLOW_BITS, Table};
use crate::primitives::delay::Late;
use crate::primitives::wires::from_bits;
use crate::primitives::{DFF, blank, blanks, several};
use crate::verilog::{Body, bit, bits, choose, concat, literal, name, zero};
use hdl_macros::{Blank, Block, logic};
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
const TOP_WORD: usize = COUNTS * (DIGIT + 1);
/// All digits of all counts.
const ALL: usize = LOWER * WORD + TOP_WORD;
/// The numbers of a beat.
const NUMBERS: usize = COUNTS * DIGIT;

/// Clocks from the numbers to the output registers: the digits, and what is shown of them.
pub const LATENCY: usize = DIGITS + 1;

/// The numbers of a beat in one vector.
#[derive(Block, Blank)]
pub struct PackNumbers {
    pub bytes: Signal<In, Bits<DIGIT>>,
    pub valid_up_to: Signal<In, Bits<DIGIT>>,
    pub scalars: Signal<In, Bits<DIGIT>>,
    pub ill_formed: Signal<In, Bits<DIGIT>>,
    pub y: Signal<Out, Bits<NUMBERS>>,
}

impl Logic for PackNumbers {
    fn update(&mut self) {
        let numbers = [
            self.bytes.val(),
            self.valid_up_to.val(),
            self.scalars.val(),
            self.ill_formed.val(),
        ];
        self.y.next = from_bits(|bit| numbers[bit / DIGIT].get_bit(bit % DIGIT));
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let numbers = ["bytes", "valid_up_to", "scalars", "ill_formed"].map(name);
        Body::new(Self::ABOUT).assign("y", concat(numbers)).done()
    }
}

/// Adds to a digit of all counts what comes to it: the beat's numbers to the first one, to the others the carries.
///
/// In the topmost one a count stays saturated. The carry out of one more bit says that it is, so no logic follows the carry chain.
#[derive(Block)]
pub struct AddDigits<const W: usize> {
    pub kept: Signal<In, Bits<W>>,
    pub numbers: Signal<In, Bits<NUMBERS>>,
    pub carries: Signal<In, Bits<COUNTS>>,
    pub y: Signal<Out, Bits<W>>,
    /// None from the topmost digit.
    pub out_carries: Signal<Out, Bits<COUNTS>>,
    /// The counts have it.
    _is_there: bool,
}

impl<const W: usize> AddDigits<W> {
    const IS_TOP: bool = W == TOP_WORD;
    /// Bits of a count.
    const OF_COUNT: usize = W / COUNTS;

    /// Of counts of so many bits, a multiple of [`DIGIT`].
    pub fn new(digit: usize, width: usize) -> Self {
        const { assert!(W == WORD || W == TOP_WORD) }
        Self {
            kept: blank(),
            numbers: blank(),
            carries: blank(),
            y: blank(),
            out_carries: blank(),
            _is_there: width > DIGIT * digit,
        }
    }
}

impl<const W: usize> Logic for AddDigits<W> {
    fn update(&mut self) {
        let bits = if self._is_there { DIGIT } else { 0 };
        let number = |count: usize| {
            (0..bits).fold(0, |sum, bit| {
                let kept = self.kept.val().get_bit(Self::OF_COUNT * count + bit);
                let number = self.numbers.val().get_bit(DIGIT * count + bit);
                sum + (usize::from(kept) << bit) + (usize::from(number) << bit)
            })
        };
        let sums: [usize; COUNTS] = std::array::from_fn(|count| {
            number(count) + usize::from(self.carries.val().get_bit(count))
        });
        let carry = |count: usize| sums[count] >> bits & 1 == 1;
        self.y.next = from_bits(|bit| match (bit / Self::OF_COUNT, bit % Self::OF_COUNT) {
            (count, DIGIT) => self.kept.val().get_bit(bit) || carry(count),
            (count, bit) => bit < bits && sums[count] >> bit & 1 == 1,
        });
        self.out_carries.next = from_bits(|count| !Self::IS_TOP && carry(count));
    }

    fn connect(&mut self) {
        self.y.connect();
        self.out_carries.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut body = Body::new(Self::ABOUT);
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
            .done()
    }
}

/// One digit of all counts of each flow's message. It has `W` bits.
#[derive(Block)]
pub struct Digit<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A flow comes, before what is added by the clocks that its digit takes ([`super::table::READ_LATENCY`]).
    pub touch: Signal<In, Bit>,
    pub flow: Signal<In, Bits<FLOW_BITS>>,
    /// The counts begin with what comes.
    pub begins: Signal<In, Bit>,
    pub numbers: Signal<In, Bits<NUMBERS>>,
    pub carries: Signal<In, Bits<COUNTS>>,
    /// A clock later: the digit, and what goes to the next.
    pub y: Signal<Out, Bits<W>>,
    pub out_carries: Signal<Out, Bits<COUNTS>>,
    memory: Table<W>,
    kept: Signal<Local, Bits<W>>,
    add: AddDigits<W>,
    /// The digit, and what goes to the next.
    sum: DFF<Bits<W>>,
    carry: DFF<Bits<COUNTS>>,
}

impl<const W: usize> Digit<W> {
    /// With so many flows, and counts of so many bits.
    pub fn new(digit: usize, flows: usize, width: usize) -> Self {
        Self {
            memory: Table::new(flows),
            add: AddDigits::new(digit, width),
            clock: blank(),
            reset: blank(),
            touch: blank(),
            flow: blank(),
            begins: blank(),
            numbers: blank(),
            carries: blank(),
            y: blank(),
            out_carries: blank(),
            kept: blank(),
            sum: blank(),
            carry: blank(),
        }
    }
}

impl<const W: usize> Logic for Digit<W> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, carry);
        self.memory.clock.next = self.clock.val();
        self.memory.reset.next = self.reset.val();
        self.memory.touch.next = self.touch.val();
        self.memory.flow.next = self.flow.val();
        if self.begins.val() {
            self.kept.next = 0.into();
        } else {
            self.kept.next = self.memory.state.val();
        }
        self.add.kept.next = self.kept.val();
        self.add.numbers.next = self.numbers.val();
        self.add.carries.next = self.carries.val();
        self.memory.result.next = self.add.y.val();
        self.sum.d.next = self.add.y.val();
        self.carry.d.next = self.add.out_carries.val();
        self.y.next = self.sum.q.val();
        self.out_carries.next = self.carry.q.val();
    }
}

/// The counts as a verdict shows them, from their digits: all ones if one has saturated.
#[derive(Block)]
pub struct ShowCounts {
    pub x: Signal<In, Bits<ALL>>,
    pub y: Signal<Out, Bits<{ COUNTS * 32 }>>,
    pub over: Signal<Out, Bits<COUNTS>>,
    _width: usize,
}

impl ShowCounts {
    /// Of so many bits.
    pub fn new(width: usize) -> Self {
        Self {
            x: blank(),
            y: blank(),
            over: blank(),
            _width: width,
        }
    }

    /// Where a bit of a digit of a count is.
    fn place(digit: usize, count: usize, bit: usize) -> usize {
        let of_count = if digit == LOWER { DIGIT + 1 } else { DIGIT };
        WORD * digit + of_count * count + bit
    }
}

impl Logic for ShowCounts {
    fn update(&mut self) {
        let x = self.x.val();
        let over = |count: usize| x.get_bit(Self::place(LOWER, count, DIGIT));
        self.y.next = from_bits(|bit| {
            let (count, bit) = (bit / 32, bit % 32);
            let is_set = x.get_bit(Self::place(bit / DIGIT, count, bit % DIGIT));
            bit < self._width && (over(count) || is_set)
        });
        self.over.next = from_bits(over);
    }

    fn connect(&mut self) {
        self.y.connect();
        self.over.connect();
    }

    fn hdl(&self) -> Verilog {
        let most = (1_u64 << self._width) - 1;
        let over = |count: usize| bit("x", Self::place(LOWER, count, DIGIT));
        let shown = (0..COUNTS).map(|count| {
            let digits = (0..DIGITS).map(|digit| bits("x", Self::place(digit, count, 0), DIGIT));
            choose(over(count), literal(32, most), concat(digits))
        });
        Body::new(Self::ABOUT)
            .assign("y", concat(shown))
            .assign("over", concat((0..COUNTS).map(over)))
            .done()
    }
}

/// The counts of each flow's message, in digits of eight bits, each a clock after the one below it.
#[derive(Block)]
pub struct Totals {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A flow comes, before its numbers; its counts begin with these.
    pub touch: Signal<In, Bit>,
    pub flow: Signal<In, Bits<FLOW_BITS>>,
    pub begins: Signal<In, Bit>,
    pub numbers: Signal<In, Bits<NUMBERS>>,
    /// A clock before the output registers: they show nothing.
    pub hides: Signal<In, Bit>,
    /// The counts of 32 bits each, and which of them have saturated.
    pub y: Signal<Out, Bits<{ COUNTS * 32 }>>,
    pub saturated: Signal<Out, Bits<COUNTS>>,
    none: Constant<Bits<NUMBERS>>,
    digit: Vec<Digit<WORD>>,
    top: Digit<TOP_WORD>,
    /// For each digit a clock later.
    late_touch: Vec<DFF<Bit>>,
    late_flow: Vec<DFF<Bits<FLOW_BITS>>>,
    late_begins: Vec<DFF<Bit>>,
    /// Until the topmost digit is there.
    late_digit: Vec<Late<Bits<WORD>, LOWER>>,
    all: JoinDigits,
    show: ShowCounts,
    /// The counts, and which have saturated.
    shown: DFF<Bits<{ COUNTS * 32 }>>,
    over: DFF<Bits<COUNTS>>,
}

/// All digits in one vector.
#[derive(Block, Blank)]
pub struct JoinDigits {
    pub x: [Signal<In, Bits<WORD>>; LOWER],
    pub top: Signal<In, Bits<TOP_WORD>>,
    pub y: Signal<Out, Bits<ALL>>,
}

impl Logic for JoinDigits {
    fn update(&mut self) {
        self.y.next = from_bits(|bit| match self.x.get(bit / WORD) {
            Some(digit) => digit.val().get_bit(bit % WORD),
            None => self.top.val().get_bit(bit - LOWER * WORD),
        });
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let digits = (0..LOWER).map(|digit| name(format!("x${digit}")));
        let all = digits.chain([name("top")]);
        Body::new(Self::ABOUT).assign("y", concat(all)).done()
    }
}

impl Totals {
    /// With so many flows, and counts of so many bits.
    pub fn new(flows: usize, width: usize) -> Self {
        Self {
            none: Constant::new(0.into()),
            digit: several(LOWER, |digit| Digit::new(digit, flows, width)),
            top: Digit::new(LOWER, flows, width),
            late_digit: several(LOWER, |digit| Late::new(LOWER - digit)),
            show: ShowCounts::new(width),
            clock: blank(),
            reset: blank(),
            touch: blank(),
            flow: blank(),
            begins: blank(),
            numbers: blank(),
            hides: blank(),
            y: blank(),
            saturated: blank(),
            late_touch: blanks(LOWER),
            late_flow: blanks(LOWER),
            late_begins: blanks(LOWER),
            all: blank(),
            shown: blank(),
            over: blank(),
        }
    }
}

impl Logic for Totals {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, shown, over);
        self.top.clock.next = self.clock.val();
        self.top.reset.next = self.reset.val();
        for i in 0..LOWER {
            self.digit[i].clock.next = self.clock.val();
            self.digit[i].reset.next = self.reset.val();
            self.late_digit[i].clock.next = self.clock.val();
            self.late_touch[i].clock.next = self.clock.val();
            self.late_flow[i].clock.next = self.clock.val();
            self.late_begins[i].clock.next = self.clock.val();
            self.late_digit[i].x.next = self.digit[i].y.val();
            self.all.x[i].next = self.late_digit[i].y.val();
        }
        for i in 0..1 {
            self.digit[i].touch.next = self.touch.val();
            self.digit[i].flow.next = self.flow.val();
            self.digit[i].begins.next = self.begins.val();
            self.digit[i].numbers.next = self.numbers.val();
            self.digit[i].carries.next = 0.into();
            self.late_touch[i].d.next = self.touch.val() & !self.reset.val();
            self.late_flow[i].d.next = self.flow.val();
            self.late_begins[i].d.next = self.begins.val();
        }
        for i in 1..LOWER {
            self.digit[i].touch.next = self.late_touch[i - 1].q.val();
            self.digit[i].flow.next = self.late_flow[i - 1].q.val();
            self.digit[i].begins.next = self.late_begins[i - 1].q.val();
            self.digit[i].numbers.next = self.none.val();
            self.digit[i].carries.next = self.digit[i - 1].out_carries.val();
            self.late_touch[i].d.next = self.late_touch[i - 1].q.val() & !self.reset.val();
            self.late_flow[i].d.next = self.late_flow[i - 1].q.val();
            self.late_begins[i].d.next = self.late_begins[i - 1].q.val();
        }
        for i in 2..LOWER {
            self.top.touch.next = self.late_touch[i].q.val();
            self.top.flow.next = self.late_flow[i].q.val();
            self.top.begins.next = self.late_begins[i].q.val();
            self.top.carries.next = self.digit[i].out_carries.val();
        }
        self.top.numbers.next = self.none.val();
        self.all.top.next = self.top.y.val();
        self.show.x.next = self.all.y.val();
        if self.hides.val() {
            self.shown.d.next = 0.into();
            self.over.d.next = 0.into();
        } else {
            self.shown.d.next = self.show.y.val();
            self.over.d.next = self.show.over.val();
        }
        self.y.next = self.shown.q.val();
        self.saturated.next = self.over.q.val();
    }
}
