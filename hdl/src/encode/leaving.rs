//! The banks' turns, and the quarter that leaves a ring, from the bank whose turn it is.
//!
//! # Latency
//! Two clocks.
//!
//! # Reset
//! Whose turn it is.

use crate::validate::pass::bytes::beat_bits;
use crate::verilog::{
    Body, Expression, Run, Sideband, Statement, bit, bits, choose, concat, literal, name, repeat,
    set, when, width, zero,
};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Which bank's quarter leaves. A bank has its turn every fourth time at most, so it is known before whether it has a quarter then.
#[derive(Blank, Block, Described)]
pub struct Turns<const TURN: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// The bank has a quarter that can leave.
    #[many(1 << TURN)]
    pub has: Vec<Signal<In, Bit>>,
    pub may_leave: Signal<In, Bit>,
    /// A quarter is going to leave, and from which bank; the same a clock later.
    pub loads: Signal<Out, Bit>,
    #[many(1 << TURN)]
    pub loads_of: Vec<Signal<Out, Bit>>,
    pub leaves: Signal<Out, Bit>,
    #[many(1 << TURN)]
    pub leaves_of: Vec<Signal<Out, Bit>>,
    _run: Run,
}

impl<const TURN: usize> Turns<TURN> {
    fn body(&self, body: Body) -> Body {
        let banks = 1 << TURN;
        let [turn, after, loads] = ["turn_of", "turn_after", "loading"].map(name);
        let has = concat((0..banks).map(|bank| name(format!("has${bank}"))));
        let turned = concat([bit("turn_of", banks - 1), bits("turn_of", 0, banks - 1)]);
        let resets = vec![
            set("turn_of", literal(banks, 1)),
            set("any", zero(1)),
            set("left", zero(1)),
            set("left_from", zero(banks)),
        ];
        let moves = vec![
            set(
                "turn_of",
                choose(loads.clone(), after.clone(), turn.clone()),
            ),
            set(
                "any",
                choose(loads.clone(), name("has_after"), name("has_now")),
            ),
            set("left", loads.clone()),
            set("left_from", turn.clone() & repeat(banks, loads)),
        ];
        let body = body
            .register(
                "turn_of",
                banks,
                "Whose turn it is, a bit for each bank; that bank has a quarter.",
            )
            .register("any", 1, "")
            .register("left", 1, "A quarter leaves, since a clock ago; its bank.")
            .register("left_from", banks, "")
            .wire("loading", 1, name("any") & name("may_leave"))
            .wire("turn_after", banks, turned)
            .wire("has_banks", banks, has)
            .wire("has_now", 1, (turn & name("has_banks")).any())
            .wire("has_after", 1, (after & name("has_banks")).any())
            .at_clock(Statement::If {
                test: name("reset"),
                then: resets,
                otherwise: moves,
            })
            .assign("loads", name("loading"))
            .assign("leaves", name("left"));
        (0..banks).fold(body, |body, bank| {
            body.assign(format!("leaves_of${bank}"), bit("left_from", bank))
                .assign(
                    format!("loads_of${bank}"),
                    name("loading") & bit("turn_of", bank),
                )
        })
    }
}

/// Lanes that have a register of whose turn it is.
const GROUP: usize = 4;

/// A beat of one of four. `DATA` is `8 * N`, `BEAT` is [`beat_bits`].
// Of `2 ** TURN`.
#[derive(Blank, Block, Described)]
pub struct Leaving<const N: usize, const DATA: usize, const BEAT: usize, const TURN: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A quarter leaves; then it is the next bank's turn.
    pub leaves: Signal<In, Bit>,
    /// The next quarter of each bank.
    #[many(1 << TURN)]
    pub data: Vec<Signal<In, Bits<DATA>>>,
    #[many(1 << TURN)]
    pub keep: Vec<Signal<In, Bits<N>>>,
    #[many(1 << TURN)]
    pub last: Vec<Signal<In, Bit>>,
    #[many(1 << TURN)]
    pub side: Vec<Signal<In, Sideband>>,
    pub beat: Signal<Out, Bits<BEAT>>,
    pub out_side: Signal<Out, Sideband>,
    _run: Run,
}

impl<const N: usize, const DATA: usize, const BEAT: usize, const TURN: usize>
    Leaving<N, DATA, BEAT, TURN>
{
    fn body(&self, mut body: Body) -> Body {
        const { assert!(DATA == 8 * N && BEAT == beat_bits(N)) }
        let turn = |lane: usize| format!("turn_{}", lane / GROUP);
        let mut doc = "Whose turn it is, for each four lanes; each feeds itself, so that no tool merges them.";
        for lane in (0..N).step_by(GROUP) {
            let next = name(turn(lane)) + literal(TURN, 1);
            body = body
                .register(turn(lane), TURN, std::mem::take(&mut doc))
                .at_clock(Statement::If {
                    test: name("reset"),
                    then: vec![set(turn(lane), zero(TURN))],
                    otherwise: vec![when(name("leaves"), vec![set(turn(lane), next)])],
                });
        }
        // First of each two banks, and a clock later of these.
        let pairs = 1 << (TURN - 1);
        let mut doc = "A bank's quarter of each two banks: its bytes, the lanes that have one, and whether it is its packet's last; its side signals.";
        for pair in 0..pairs {
            let of_two = |lane: usize, of: &dyn Fn(usize) -> Expression| {
                choose(bit(turn(lane), 0), of(2 * pair + 1), of(2 * pair))
            };
            let data =
                (0..N).map(|lane| of_two(lane, &|bank| bits(format!("data${bank}"), 8 * lane, 8)));
            let keep = (0..N).map(|lane| of_two(lane, &|bank| bit(format!("keep${bank}"), lane)));
            let last = of_two(0, &|bank| name(format!("last${bank}")));
            let side = of_two(0, &|bank| name(format!("side${bank}")));
            body = body
                .later(
                    format!("pair_{pair}"),
                    BEAT,
                    std::mem::take(&mut doc),
                    concat(data.chain(keep).chain([last])),
                )
                .later(format!("pair_side_{pair}"), width::<Sideband>(), "", side);
        }
        let mut doc = "Which pair it is of, for each four lanes.";
        for lane in (0..N).step_by(GROUP) {
            let number = bits(turn(lane), 1, TURN - 1);
            body = body.later(
                format!("pair_of_{}", lane / GROUP),
                TURN - 1,
                std::mem::take(&mut doc),
                number,
            );
        }
        let of_pairs = |lane: usize, of: &dyn Fn(usize) -> Expression| {
            let all = (0..pairs).map(of).collect();
            let chosen = (0..TURN - 1).fold(all, |all: Vec<Expression>, level| {
                let choice = |two: &[Expression]| {
                    let pair = bit(format!("pair_of_{}", lane / GROUP), level);
                    choose(pair, two[1].clone(), two[0].clone())
                };
                all.chunks_exact(2).map(choice).collect()
            });
            chosen.into_iter().next().expect("one is chosen")
        };
        let data =
            (0..N).map(|lane| of_pairs(lane, &|pair| bits(format!("pair_{pair}"), 8 * lane, 8)));
        let keep =
            (0..N).map(|lane| of_pairs(lane, &|pair| bit(format!("pair_{pair}"), DATA + lane)));
        let last = of_pairs(0, &|pair| bit(format!("pair_{pair}"), DATA + N));
        let side = of_pairs(0, &|pair| name(format!("pair_side_{pair}")));
        body.later(
            "left",
            BEAT,
            "The quarter that has left; its side signals.",
            concat(data.chain(keep).chain([last])),
        )
        .later("left_side", width::<Sideband>(), "", side)
        .assign("beat", name("left"))
        .assign("out_side", name("left_side"))
    }
}
