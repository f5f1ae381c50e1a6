//! The quarters of a ring that have the same place in each round.
//!
//! # Latency
//! A byte is in `data` three clocks after it comes, if its quarter is the next to leave. After a quarter has left, the next one is there in
//! the fourth clock: the banks take turns, and there are four, or eight.
//!
//! # Reset
//! Which quarter is the next.

use super::places::QUARTER_BITS;
use crate::primitives::blank;
use crate::primitives::fanout::copies;
use crate::verilog::{
    Body, Expression, Operator, Run, Sideband, Statement, bit, bits, choose, concat, literal, name,
    repeat, set, when, width, write, zero,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Bits of a round's number at a ring's ports, with four banks; with eight the uppermost is not looked at.
const ROUND_BITS: usize = 5;
/// Bits of a number of quarters that a beat completes.
const COUNT_BITS: usize = 3;
/// Lanes that a register is for.
const GROUP: usize = 4;
/// The tags of four banks are each in two parts that take turns, so that two of them, a round apart, are written at once. With eight banks
/// a beat completes no two quarters of the same one.
const fn parts(banks: usize) -> usize {
    8 / banks
}

/// Bits of a round's number: 128 quarters are in all banks.
fn round_bits(banks: usize) -> usize {
    QUARTER_BITS - banks.ilog2() as usize
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
    /// The quarter that is shown leaves.
    pub leaves: Signal<In, Bit>,
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

    fn body(&self, body: Body) -> Body {
        let body = self.tags(body);
        self.next_quarter(self.bytes(body))
    }

    /// What is known of the quarters that a beat completes, written where it belongs.
    #[once(N, banks = self._banks)]
    fn tags(&self, mut body: Body) -> Body {
        let (kept_bits, side_bits) = (kept_bits(N), width::<Sideband>());
        let upper_bits = COUNT_BITS - 1;
        let upper = |of: &str| bits(of, 1, upper_bits);
        let less = name("completes") + literal(COUNT_BITS, 7);
        body = body.wire("less", COUNT_BITS, less);
        let mut doc = "What is known of all, one to three clocks later.";
        for (register, width, value) in [
            ("number", COUNT_BITS, name("completes")),
            ("upper_less", upper_bits, upper("less")),
            ("ends_late", 1, name("ends")),
            ("first_late", 7, name("first")),
            ("kept_1", kept_bits, bits("kept", 0, kept_bits)),
            ("kept_2", kept_bits, name("kept_1")),
            ("kept_3", kept_bits, name("kept_2")),
            ("side_1", side_bits, name("side")),
            ("side_2", side_bits, name("side_1")),
            ("side_3", side_bits, name("side_2")),
        ] {
            body = body.later(register, width, std::mem::take(&mut doc), value);
        }
        for part in 0..parts(banks) {
            let of = |what: &str| format!("{what}_{part}");
            let number = |index: usize| bit("number", index);
            let ahead = |index: usize| bit(of("ahead"), index);
            let upper_ahead = || upper(&of("ahead"));
            let above_1 = number(1) & !ahead(1);
            let above = (number(2) & !ahead(2)) | ((number(2) | !ahead(2)) & above_1);
            let same = upper("number").equals(upper_ahead());
            let is_last = name("upper_less").equals(upper_ahead());
            let low_is_last = name("ends_late") & (number(0) ^ ahead(0));
            let writes = name(of("above")) | (name(of("same")) & name(of("low_above")));
            let write_last = name(of("is_last")) & name(of("low_is_last"));
            let quarter = name("first_late") + concat([name(of("ahead")), zero(4)]);
            let tag = concat([name("kept_3"), name(of("write_last"))]);
            body = body
                .later(
                    of("ahead"),
                    COUNT_BITS,
                    match banks {
                        4 => "How far the part's next quarter is from the first that is completed.",
                        _ => "How far the bank's next quarter is from the first that is completed.",
                    },
                    bits("ahead", COUNT_BITS * part, COUNT_BITS),
                )
                .later(
                    of("above"),
                    1,
                    "Whether it is completed, for more are than it is ahead: by the upper bits of both, and by the lowest.",
                    above,
                )
                .later(of("same"), 1, "", same)
                .later(of("low_above"), 1, "", number(0) & !ahead(0))
                .later(
                    of("is_last"),
                    1,
                    "Whether it is its packet's last, for one more is completed than it is ahead.",
                    is_last,
                )
                .later(of("low_is_last"), 1, "", low_is_last)
                .wire(of("quarter"), 7, quarter)
                .later(of("address"), 4, "Where it is written.", bits(of("quarter"), 3, 4))
                .later(of("write_address"), 4, "", name(of("address")))
                .later(of("writes"), 1, "", writes)
                .later(of("write_last"), 1, "", write_last)
                .memory(
                    of("tags"),
                    1 + kept_bits,
                    16,
                    "Whether a quarter is its packet's last, and then its bytes; its side signals. Never reset.",
                )
                .memory(of("sides"), side_bits, 16, "")
                .at_clock(when(
                    name(of("writes")),
                    vec![
                        write(of("tags"), name(of("write_address")), tag),
                        write(of("sides"), name(of("write_address")), name("side_3")),
                    ],
                ));
        }
        body
    }

    /// The memories of the bytes. Each four lanes have the rounds in registers of their own.
    #[once(N, banks = self._banks)]
    fn bytes(&self, body: Body) -> Body {
        let (groups, round_bits) = (N.div_ceil(GROUP), round_bits(banks));
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
        let mut doc = "A byte of each round. Never reset.";
        for lane in 0..N {
            let byte = concat((0..8).map(|plane| bit("planes", N * plane + lane)));
            let [this, next] = ["this_round", "next_round"]
                .map(|of| bits(of, round_bits * (lane / GROUP), round_bits));
            let (bytes, address) = (format!("bytes_{lane}"), format!("round_{lane}"));
            body = body
                .wire(&address, round_bits, choose(bit("then", lane), next, this))
                .memory(&bytes, 8, 1 << round_bits, std::mem::take(&mut doc))
                .at_clock(when(
                    bit("now", lane) | bit("then", lane),
                    vec![write(&bytes, name(&address), byte)],
                ));
        }
        body
    }

    /// The quarter that is the next to leave.
    #[once(N, DATA, banks = self._banks)]
    fn next_quarter(&self, mut body: Body) -> Body {
        let (kept_bits, round_bits) = (kept_bits(N), round_bits(banks));
        let word =
            |words: &str, address: Expression| Expression::At(words.into(), Box::new(address));
        let of_parts = |words: &str| {
            let of = |part: usize, low: usize| {
                let address = bits("round", low, round_bits - low);
                word(&format!("{words}_{part}"), address)
            };
            match parts(banks) {
                1 => of(0, 0),
                _ => choose(bit("round", 0), of(1, 1), of(0, 1)),
            }
        };
        // Each feeds itself, so that no tool merges them.
        let counts = |body: Body, round: &str, goes_on: &str, doc| {
            let next = name(round) + literal(round_bits, 1);
            body.register(round, round_bits, doc)
                .at_clock(Statement::If {
                    test: name("reset"),
                    then: vec![set(round, zero(round_bits))],
                    otherwise: vec![when(name(goes_on), vec![set(round, next)])],
                })
        };
        body = counts(body, "round", "leaves", "The round of the next quarter.");
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
            body = counts(body, &of_group(lane), "left", std::mem::take(&mut doc));
        }
        let keep = (0..N).map(|lane| !bit("tag", kept_bits) | above("tag", kept_bits, lane));
        let read = (0..N).map(|lane| word(&format!("bytes_{lane}"), name(of_group(lane))));
        let data = (0..N).map(|lane| bits("read", 8 * lane, 8) & repeat(8, bit("keep_next", lane)));
        let [tag, side] = ["tags", "sides"].map(of_parts);
        body.later(
            "tag",
            kept_bits + 1,
            "What is known of it; its side signals.",
            tag,
        )
        .later("side_next", width::<Sideband>(), "", side)
        .later(
            "keep_next",
            N,
            "The lanes with a byte; whether it is its packet's last.",
            concat(keep),
        )
        .later("last_next", 1, "", bit("tag", kept_bits))
        .later(
            "read",
            DATA,
            "What is in the memories of its bytes; its bytes.",
            concat(read),
        )
        .later("oldest", DATA, "", concat(data))
        .assign("data", name("oldest"))
        .assign("keep", name("keep_next"))
        .assign("last", name("last_next"))
        .assign("out_side", name("side_next"))
    }
}

/// Bits of a number of bytes of a quarter.
const fn kept_bits(lanes: usize) -> usize {
    lanes.ilog2() as usize + 1
}

/// Whether the lowest bits of a net, as a number, are above another number.
fn above(of: &str, width: usize, number: usize) -> Expression {
    let all_from = |low: usize| {
        let ones = (low..width).filter(|index| number >> index & 1 == 1);
        ones.map(|index| bit(of, index))
    };
    // It has a one where the number has none, and all of its ones above there.
    let places = (0..width).filter(|index| number >> index & 1 == 0);
    let above = places.map(|low| all_from(low).fold(bit(of, low), |all, it| all & it));
    Expression::join(Operator::Or, above).unwrap_or(zero(1))
}

/// What belongs to each bank: its places, of those of a round; how far its quarters are from the first that is completed; and whether it is
/// its turn to leave. `M` is `N` for each of `2 ** TURN` banks, `T` is `8 * M`, `DATA` is `8 * N`.
#[derive(Blank, Block, Described)]
pub struct Banks<
    const N: usize,
    const M: usize,
    const T: usize,
    const DATA: usize,
    const TURN: usize,
> {
    pub now: Signal<In, Bits<M>>,
    pub then: Signal<In, Bits<M>>,
    pub planes: Signal<In, Bits<T>>,
    pub first: Signal<In, Bits<7>>,
    pub leaves: Signal<In, Bit>,
    pub turn: Signal<In, Bits<TURN>>,
    #[many(M / N)]
    pub ahead_of: Vec<Signal<Out, Bits<6>>>,
    #[many(M / N)]
    pub leaves_of: Vec<Signal<Out, Bit>>,
    #[many(M / N)]
    pub now_of: Vec<Signal<Out, Bits<N>>>,
    #[many(M / N)]
    pub then_of: Vec<Signal<Out, Bits<N>>>,
    #[many(M / N)]
    pub planes_of: Vec<Signal<Out, Bits<DATA>>>,
    _run: Run,
}

impl<const N: usize, const M: usize, const T: usize, const DATA: usize, const TURN: usize>
    Banks<N, M, T, DATA, TURN>
{
    #[once(N, M, TURN)]
    fn body(&self, body: Body) -> Body {
        const { assert!(M == N << TURN && T == 8 * M && DATA == 8 * N) }
        let banks = 0..M / N;
        banks.fold(body, |body, bank| {
            let low = N * bank;
            let planes = (0..8).map(|plane| bits("planes", M * plane + low, N));
            // A quarter's number less that of the first one, modulo eight.
            let ahead = (0..parts(M / N)).map(|part| {
                let number = (bank + M / N * part) as u64;
                literal(COUNT_BITS, (number + 1) % 8) + !bits("first", 0, COUNT_BITS)
            });
            let unused = 6 - COUNT_BITS * parts(M / N);
            let ahead = ahead.chain((unused > 0).then(|| zero(unused)));
            let is_turn = name("turn").equals(literal(TURN, bank as u64));
            body.assign(format!("now_of${bank}"), bits("now", low, N))
                .assign(format!("then_of${bank}"), bits("then", low, N))
                .assign(format!("planes_of${bank}"), concat(planes))
                .assign(format!("ahead_of${bank}"), concat(ahead))
                .assign(format!("leaves_of${bank}"), name("leaves") & is_turn)
        })
    }
}
