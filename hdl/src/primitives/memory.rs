//! Memories: a plain one, and such that delay.

use crate::primitives::blank;
use crate::primitives::digits::Digits;
use crate::verilog::{
    Body, Expression, Run, Value, bits, concat, literal, name, one, when, width, write,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// A word of a memory.
fn word(memory: &str, address: Expression) -> Expression {
    Expression::At(memory.into(), Box::new(address))
}

/// A memory of `2^A` words with one write port and one combinational read port; not reset.
#[derive(Block, Blank, Described)]
pub struct Memory<T: Value, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, T>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, T>,
    _run: Run,
}

impl<T: Value, const A: usize> Memory<T, A> {
    #[once(A, width = width::<T>())]
    fn body(&self, body: Body) -> Body {
        let written = write("words", name("write_address"), name("write_data"));
        body.memory("words", width, 1 << A, "Never reset.")
            .at_clock(when(name("write"), vec![written]))
            .assign("read_data", word("words", name("read_address")))
    }
}

/// A delay through a memory, where registers for all clocks would be a waste. It is of 1 to `2^A + 1` clocks, chosen when it is built.
/// What it shows in the first clocks after the power is on means nothing.
///
/// No path has more than the memory in it: both addresses are registers, and so is what is read. A delay of one clock is a register.
#[derive(Blank, Block, Described)]
pub struct DelayRam<T: Value, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, T>,
    pub y: Signal<Out, T>,
    _clocks: usize,
    _run: Run,
}

impl<T: Value, const A: usize> DelayRam<T, A> {
    pub fn new(clocks: usize) -> Self {
        assert!((1..=(1 << A) + 1).contains(&clocks));
        Self {
            _clocks: clocks,
            ..blank()
        }
    }

    #[once(A, width = width::<T>(), clocks = self._clocks)]
    fn body(&self, body: Body) -> Body {
        let body = match clocks {
            1 => body.later("read", width, READ, name("x")),
            _ => {
                let address_bits = address_bits(clocks, A);
                let body = counted(body, "at", address_bits, 0, "reset");
                let body = read_address(body, "at", "from", address_bits, clocks, 0);
                body.memory("words", width, 1 << address_bits, "The words; never reset.")
                    .later("read", width, READ, word("words", name("from")))
                    .at_clock(write("words", name("at"), name("x")))
            }
        };
        body.assign("y", name("read"))
    }
}

/// What the output register of a delay holds.
const READ: &str = "The word that leaves.";

/// Bits of an address of a memory for a delay of some clocks, at most `most`. Of fewer than 16 words no FPGA makes less.
fn address_bits(clocks: usize, most: usize) -> usize {
    let enough = |&bits: &usize| clocks <= (1 << bits) + 1;
    (4..most).find(enough).unwrap_or(most)
}

/// The address of a delay's memory where the next word is written. A reset leaves `first`: it drops every beat on the way, so the address
/// may jump.
fn counted(body: Body, at: &str, bits: usize, first: usize, reset: &str) -> Body {
    let address = Digits {
        name: at,
        bits,
        first: first as u64,
        fills: false,
        reset,
    };
    let doc = "Where the next word is written, and what is read.";
    address.count(body, doc, one(), None)
}

/// The address `from` which a word is read for a delay of `clocks`: made of the address `at` which one was written a clock before, or a
/// count of its own if that would take more than a LUT.
fn read_address(
    body: Body,
    at: &str,
    from: &str,
    bits: usize,
    clocks: usize,
    first: usize,
) -> Body {
    let words = 1 << bits;
    let ahead = (words + 2 - clocks) % words;
    if bits <= 4 {
        return body.later(from, bits, "", name(at) + literal(bits, ahead as u64));
    }
    counted(
        body,
        from,
        bits,
        (first + ahead + words - 1) % words,
        "reset",
    )
}

/// About how many bits of a word share a memory's addresses: 16 lanes, or 8 if the memory has 16 words. Two such memories follow each other
/// where frames wait for their headers, and with wider banks the addresses were the longest path.
const fn bank(address_bits: usize) -> usize {
    if address_bits == 4 { 64 } else { 128 }
}

/// With 16 words at most, how many banks take their addresses from one count, each a clock later than the one before it: no register is
/// far from the next.
const CHAINED: usize = 4;

const fn is_chained(most_bits: usize) -> bool {
    most_bits == 4
}

/// Clocks of a delay through 16 words, the most that the memory in a LUT has on most FPGAs.
const SMALL: usize = 17;

/// Registers beside a memory that is small with them, and twice as big without. They are also the way to it and from it, on either side
/// two at most: of three some tools make a shift register, in LUTs.
const BESIDE: usize = 3;

/// How many of a delay's clocks are registers beside its memory.
fn beside(clocks: usize, most_bits: usize) -> usize {
    match clocks.checked_sub(SMALL) {
        Some(beside) if most_bits > 4 && beside <= BESIDE => beside,
        _ => 0,
    }
}

/// A delay of wide words through memories, each with a part of every word and with addresses of its own, near to it, and of no more words
/// than the delay needs. It is of 3 clocks or more. A tool would take one address for all if they were alike, so a reset leaves each with
/// another number. With 16 words the first beat after a `reset` may come [`CHAINED`] + 1 clocks after it, and not earlier.
#[derive(Blank, Block, Described)]
pub struct BankedDelayRam<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub x: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
    _clocks: usize,
    _run: Run,
}

impl<const W: usize, const A: usize> BankedDelayRam<W, A> {
    pub fn new(clocks: usize) -> Self {
        assert!((3..=(1 << A) + 1).contains(&clocks));
        Self {
            _clocks: clocks,
            ..blank()
        }
    }

    #[once(W, A, clocks = self._clocks)]
    fn body(&self, mut body: Body) -> Body {
        let beside = beside(clocks, A);
        let in_memory = clocks - beside;
        let address_bits = address_bits(in_memory, A);
        let mut entering = "x".to_string();
        let before = beside.div_ceil(2);
        for clock in 0..before {
            let later = format!("entering_{clock}");
            body = body.later(&later, W, "A word that will be written.", name(entering));
            entering = later;
        }
        // The first word after a reset is written late, so the reset of the addresses may be late, too: all banks are far from it. So may
        // the address where a word is written: the count is near to itself, and a copy of it near to the memory.
        assert!(before == 0 || address_bits == 4);
        let reset = match before {
            0 | 1 => "reset",
            _ => {
                body = body.later("restarts", 1, "A reset, a clock ago.", name("reset"));
                "restarts"
            }
        };
        let mut read = Vec::new();
        // No more than there are addresses to begin with.
        let banks = W.div_ceil(bank(address_bits)).min(1 << address_bits);
        for bank in 0..banks {
            let [first, next] = [bank, bank + 1].map(|bank| W * bank / banks);
            let [at, from, words] = ["at", "from", "words"].map(|it| format!("{it}_{bank}"));
            let is_chained = is_chained(A);
            let is_late = is_chained || before > 0;
            let before = match is_chained && bank % CHAINED > 0 {
                true => format!("to_{}", bank - 1),
                false => {
                    body = counted(body, &at, address_bits, bank, reset);
                    at
                }
            };
            let clocks = in_memory + usize::from(is_late);
            body = read_address(body, &before, &from, address_bits, clocks, bank);
            let to = match is_late {
                true => {
                    let to = format!("to_{bank}");
                    body = body.later(&to, address_bits, "Where a word is written.", name(&before));
                    to
                }
                false => before,
            };
            body = body
                .memory(
                    &words,
                    next - first,
                    1 << address_bits,
                    "A part of each word; never reset.",
                )
                .at_clock(write(
                    &words,
                    name(to),
                    bits(&entering, first, next - first),
                ));
            read.push(word(&words, name(from)));
        }
        let mut leaves = concat(read);
        for clock in 0..beside / 2 {
            let leaving = format!("leaving_{clock}");
            body = body.later(&leaving, W, "A word that was read.", leaves);
            leaves = name(leaving);
        }
        body.later("read", W, READ, leaves)
            .assign("y", name("read"))
    }
}
