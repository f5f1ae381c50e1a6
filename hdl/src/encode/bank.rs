//! The quarters of a ring that have the same place in each round.
//!
//! # Latency
//! A byte is in `data` four clocks after it comes, if its quarter is the next to leave. After a quarter has left, the next one is there in
//! the fourth clock: the banks take turns, and there are four, or eight.
//!
//! # Reset
//! Which quarter is the next.

use super::places::QUARTER_BITS;
use crate::primitives::blank;
use crate::primitives::fanout::copies;
use crate::verilog::{
    Body, Expression, Run, Sideband, Statement, bit, bits, choose, concat, literal, name, one,
    repeat, set, when, width, write, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Bits of a round's number at a ring's ports, with four banks; with eight the uppermost is not looked at.
const ROUND_BITS: usize = 5;
/// And of one that tells a full ring from an empty one.
const LAP_ROUND_BITS: usize = ROUND_BITS + 1;
/// Bits of a number of quarters that a beat completes.
pub(super) const COUNT_BITS: usize = 3;
/// Bits of an address: the least memory of an FPGA has 16 words.
const ADDRESS_BITS: usize = 4;
/// Lanes that a register is for.
const GROUP: usize = 4;
/// The tags of four banks are each in two parts that take turns, so that two of them, a round apart, are written at once. With eight banks
/// a beat completes no two quarters of the same one. The memories of the bytes have as many parts, of 16 rounds each.
pub(super) const fn parts(banks: usize) -> usize {
    8 / banks
}

/// A bank of a ring: `N` bytes of each round, and what is known of them. `DATA` is `8 * N`.
#[derive(Blank, Block, Described)]
pub struct Bank<const N: usize, const DATA: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// The first of the quarters that a beat completes, and how many; if its packet ends, the last of them has `kept` bytes.
    pub first: Signal<In, Bits<7>>,
    pub completes: Signal<In, Bits<3>>,
    pub ends: Signal<In, Bit>,
    pub kept: Signal<In, Bits<7>>,
    pub side: Signal<In, Sideband>,
    /// The bytes that come: those of a round, and those of the next.
    pub now: Signal<In, Bits<N>>,
    pub then: Signal<In, Bits<N>>,
    pub planes: Signal<In, Bits<DATA>>,
    /// The round of `now` and the next one, a clock before.
    pub round_in: Signal<In, Bits<ROUND_BITS>>,
    pub round_after: Signal<In, Bits<ROUND_BITS>>,
    /// Never set: it keeps the copies of a register apart.
    pub apart: Signal<In, Bit>,
    /// How far the next quarter of each part is from the first that is completed.
    pub ahead: Signal<In, Bits<6>>,
    /// The round of the first quarter that is not complete, with a bit more, and the next one; that quarter's bank is after this one.
    pub open_round: Signal<In, Bits<LAP_ROUND_BITS>>,
    pub round_after_open: Signal<In, Bits<LAP_ROUND_BITS>>,
    pub is_past: Signal<In, Bit>,
    /// What is known of the open quarter is of no beat before a reset.
    pub settled: Signal<In, Bit>,
    /// The quarter that is shown is going to leave; a clock later, it leaves.
    pub loads: Signal<In, Bit>,
    pub leaves: Signal<In, Bit>,
    /// There is a quarter that can leave. It is known three clocks after one has left whether there is another one.
    pub has: Signal<Out, Bit>,
    /// The next quarter to leave: its bytes, zero in other lanes; whether it is its packet's last; its side signals.
    pub data: Signal<Out, Bits<DATA>>,
    pub keep: Signal<Out, Bits<N>>,
    pub last: Signal<Out, Bit>,
    pub out_side: Signal<Out, Sideband>,
    _banks: usize,
    _run: Run,
}

impl<const N: usize, const DATA: usize> Bank<N, DATA> {
    /// One of this number, four or eight.
    pub fn new(banks: usize) -> Self {
        Self {
            _banks: banks,
            ..blank()
        }
    }

    pub(super) fn parts(&self) -> usize {
        parts(self._banks)
    }

    /// Bits of a round's number: 128 quarters are in all banks.
    fn round_bits(&self) -> usize {
        QUARTER_BITS - self._banks.ilog2() as usize
    }

    /// The most quarters that a beat completes: of four bytes a word, or six, and one that is closed.
    pub(super) fn most(&self) -> usize {
        if self._banks == 4 { 5 } else { 7 }
    }

    fn body(&self, body: Body) -> Body {
        let body = self.tags(body);
        self.has(self.next_quarter(self.bytes(body)))
    }

    /// The memories of the bytes. Each four lanes have the rounds in registers of their own.
    fn bytes(&self, body: Body) -> Body {
        let (groups, round_bits) = (N.div_ceil(GROUP), self.round_bits());
        let round = |of: &str| bits(of, 0, round_bits);
        let mut body = copies(
            body,
            "this_round",
            round_bits * groups,
            "The round of the bytes, and the next one, for each four lanes; the copies stay apart by what is never set.",
            repeat(groups, round("round_in")),
        );
        body = copies(
            body,
            "next_round",
            round_bits * groups,
            "",
            repeat(groups, round("round_after")),
        );
        let above = round_bits - ADDRESS_BITS;
        let numbers = |of: &str, low: usize, width: usize| {
            let lanes = (0..N).map(|lane| bits(of, round_bits * (lane / GROUP) + low, width));
            lanes.collect::<Vec<_>>()
        };
        let [this, next] = ["this_round", "next_round"].map(|of| numbers(of, 0, ADDRESS_BITS));
        let addresses =
            (0..N).map(|lane| choose(bit("then", lane), next[lane].clone(), this[lane].clone()));
        body = body
            .later(
                "addresses",
                ADDRESS_BITS * N,
                "Where each byte goes, and the bytes; the lanes of those that come, for each half of the rounds.",
                concat(addresses),
            )
            .later("coming", DATA, "", concat((0..N).map(|lane| concat((0..8).map(|plane| bit("planes", N * plane + lane))))));
        let mut doc = "A byte of each round, or of half of them. Never reset.";
        for half in 0..self.parts() {
            let [this, next] =
                ["this_round", "next_round"].map(|of| numbers(of, ADDRESS_BITS, above));
            let writes = (0..N).map(|lane| {
                let [now, then] = [("now", &this), ("then", &next)].map(|(which, rounds)| {
                    bit(which, lane) & is_half(rounds[lane].clone(), above, half)
                });
                now | then
            });
            let come = format!("come_{half}");
            body = body.later(&come, N, "", concat(writes));
            for lane in 0..N {
                let bytes = format!("bytes_{lane}_{half}");
                let address = bits("addresses", ADDRESS_BITS * lane, ADDRESS_BITS);
                let byte = write(&bytes, address, bits("coming", 8 * lane, 8));
                body = body
                    .memory(&bytes, 8, 1 << ADDRESS_BITS, std::mem::take(&mut doc))
                    .at_clock(when(bit(&come, lane), vec![byte]));
            }
        }
        body
    }

    /// The quarter that is the next to leave.
    fn next_quarter(&self, mut body: Body) -> Body {
        let round_bits = self.round_bits();
        // Each feeds itself, so that no tool merges them.
        let counts = |body: Body, round: &str, width: usize, goes_on: &str, doc| {
            let next = name(round) + literal(width, 1);
            body.register(round, width, doc).at_clock(Statement::If {
                test: name("reset"),
                then: vec![set(round, zero(width))],
                otherwise: vec![when(name(goes_on), vec![set(round, next)])],
            })
        };
        let doc = "The round of the next quarter, with a bit more, as early as it is known; a clock later.";
        body = counts(body, "next_to_leave", round_bits + 1, "loads", doc);
        body = counts(body, "round", round_bits, "leaves", "");
        body = body
            .register("left", 1, "The one before has left.")
            .at_clock(Statement::If {
                test: name("reset"),
                then: vec![set("left", zero(1))],
                otherwise: vec![set("left", name("leaves"))],
            });
        let of_group = |lane: usize| format!("round_of_bytes_{}", lane / GROUP);
        let mut doc = "The same a clock later, for the bytes of each four lanes.";
        for lane in (0..N).step_by(GROUP) {
            body = counts(
                body,
                &of_group(lane),
                round_bits,
                "left",
                std::mem::take(&mut doc),
            );
        }
        let word = |words: String, address: Expression| Expression::At(words, Box::new(address));
        // All parts and halves are read, and a clock later it is chosen.
        let part_bits = self.parts().ilog2() as usize;
        let mut doc = "What each part has for it: the lanes with a byte, whether it is its packet's last, and its side signals.";
        for part in 0..self.parts() {
            for (register, words, width) in [
                ("tag", "tags", N + 1),
                ("side", "sides", width::<Sideband>()),
            ] {
                let address = bits("round", part_bits, ADDRESS_BITS);
                let of_part = word(format!("{words}_{part}"), address);
                body = body.later(
                    format!("{register}_of_{part}"),
                    width,
                    std::mem::take(&mut doc),
                    of_part,
                );
            }
        }
        let mut doc = "What the memories of its bytes have, and which half of the rounds it is of.";
        for half in 0..self.parts() {
            let read = (0..N).map(|lane| {
                let address = bits(of_group(lane), 0, ADDRESS_BITS);
                word(format!("bytes_{lane}_{half}"), address)
            });
            body = body.later(
                format!("read_{half}"),
                DATA,
                std::mem::take(&mut doc),
                concat(read),
            );
        }
        let tops = (0..N)
            .step_by(GROUP)
            .map(|lane| bit(of_group(lane), round_bits - 1));
        if self.parts() > 1 {
            body = body.later("in_upper_half", N.div_ceil(GROUP), "", concat(tops));
        }
        let one_of = |is_second: Expression, of: &str, low: usize, width: usize| {
            let of_part = |part: usize| bits(format!("{of}_{part}"), low, width);
            match self.parts() {
                1 => of_part(0),
                _ => choose(is_second, of_part(1), of_part(0)),
            }
        };
        let is_odd = |lane: usize| bit(of_group(lane), 0);
        let keep = (0..N).map(|lane| one_of(is_odd(lane), "tag_of", lane, 1));
        let data = (0..N).map(|lane| {
            let is_upper = bit("in_upper_half", lane / GROUP);
            one_of(is_upper, "read", 8 * lane, 8) & repeat(8, bit("keep_next", lane))
        });
        let side_bits = width::<Sideband>();
        body.later(
            "keep_next",
            N,
            "The lanes with a byte; whether it is its packet's last; its side signals; its bytes.",
            concat(keep),
        )
        .later("last_next", 1, "", one_of(is_odd(0), "tag_of", N, 1))
        .later(
            "side_next",
            side_bits,
            "",
            one_of(is_odd(0), "side_of", 0, side_bits),
        )
        .later("oldest", DATA, "", concat(data))
        .assign("data", name("oldest"))
        .assign("keep", name("keep_next"))
        .assign("last", name("last_next"))
        .assign("out_side", name("side_next"))
    }

    /// Whether there is a next quarter: then it is of another round than the first one that is not complete.
    fn has(&self, body: Body) -> Body {
        // With a bit more, which tells a full ring from an empty one.
        let round_bits = self.round_bits() + 1;
        let round = |of: &str| bits(of, 0, round_bits);
        let differs = (0..round_bits).step_by(2).map(|low| {
            let width = (round_bits - low).min(2);
            (bits("up_to", low, width) ^ bits("next_to_leave", low, width)).any()
        });
        let pairs = round_bits.div_ceil(2);
        body.later(
            "up_to",
            round_bits,
            "The first round of which the bank's quarter is not complete; whether the next quarter is of another one, in each two bits; in any.",
            choose(name("is_past"), round("round_after_open"), round("open_round")),
        )
        .later("differs", pairs, "", concat(differs))
        .register("below", 1, "")
        .at_clock(Statement::If {
            test: name("settled") & !name("reset"),
            then: vec![set("below", name("differs").any())],
            otherwise: vec![set("below", zero(1))],
        })
        .assign("has", name("below"))
    }
}

/// Whether a number of this width, 0 or 1, is that of a half.
fn is_half(number: Expression, width: usize, half: usize) -> Expression {
    match (width, half) {
        (0, _) => one(),
        (_, 0) => !number,
        _ => number,
    }
}
