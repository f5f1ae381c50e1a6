//! The quarter that leaves a ring, from the bank whose turn it is.
//!
//! # Latency
//! One clock.
//!
//! # Reset
//! Whose turn it is.

use crate::validate::pass::bytes::beat_bits;
use crate::verilog::{
    Body, Expression, Run, Sideband, Statement, bit, bits, choose, concat, literal, name, set,
    when, width, zero,
};
use hdl_macros::{Blank, Block, Described, once};
use rust_hdl::prelude::*;

/// Lanes that have a register of whose turn it is.
const GROUP: usize = 4;

/// A beat of one of four. RFC 2279: A beat of one of eight. `DATA` is `8 * N`, `BEAT` is [`beat_bits`]; there are `2 ** TURN` to choose from.
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
    /// The bank whose turn it is.
    pub turn: Signal<Out, Bits<TURN>>,
    pub beat: Signal<Out, Bits<BEAT>>,
    pub out_side: Signal<Out, Sideband>,
    _run: Run,
}

impl<const N: usize, const DATA: usize, const BEAT: usize, const TURN: usize>
    Leaving<N, DATA, BEAT, TURN>
{
    #[once(N, BEAT, TURN)]
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
        let of_turn = |lane: usize, of: &dyn Fn(usize) -> Expression| {
            let all = (0..1 << TURN).map(of).collect();
            let chosen = (0..TURN).fold(all, |all: Vec<Expression>, level| {
                let pairs = all.chunks_exact(2);
                let choice = |pair: &[Expression]| {
                    choose(bit(turn(lane), level), pair[1].clone(), pair[0].clone())
                };
                pairs.map(choice).collect()
            });
            chosen.into_iter().next().expect("one is chosen")
        };
        let data =
            (0..N).map(|lane| of_turn(lane, &|bank| bits(format!("data${bank}"), 8 * lane, 8)));
        let keep = (0..N).map(|lane| of_turn(lane, &|bank| bit(format!("keep${bank}"), lane)));
        let last = of_turn(0, &|bank| name(format!("last${bank}")));
        let side = of_turn(0, &|bank| name(format!("side${bank}")));
        body.later(
            "left",
            BEAT,
            "The quarter that has left: its bytes, the lanes that have one, and whether it is its packet's last; its side signals.",
            concat(data.chain(keep).chain([last])),
        )
        .later("left_side", width::<Sideband>(), "", side)
        .assign("turn", name("turn_0"))
        .assign("beat", name("left"))
        .assign("out_side", name("left_side"))
    }
}
