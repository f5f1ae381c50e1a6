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
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Banks.
const BANKS: usize = 4;
/// Lanes that have a register of whose turn it is.
const GROUP: usize = 4;

/// A beat of one of four. `DATA` is `8 * N`, `BEAT` is [`beat_bits`].
#[derive(Blank, Block, Described)]
pub struct Leaving<const N: usize, const DATA: usize, const BEAT: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A quarter leaves; then it is the next bank's turn.
    pub leaves: Signal<In, Bit>,
    /// The next quarter of each bank.
    #[many(BANKS)]
    pub data: Vec<Signal<In, Bits<DATA>>>,
    #[many(BANKS)]
    pub keep: Vec<Signal<In, Bits<N>>>,
    #[many(BANKS)]
    pub last: Vec<Signal<In, Bit>>,
    #[many(BANKS)]
    pub side: Vec<Signal<In, Sideband>>,
    /// The bank whose turn it is.
    pub turn: Signal<Out, Bits<2>>,
    pub beat: Signal<Out, Bits<BEAT>>,
    pub out_side: Signal<Out, Sideband>,
    _run: Run,
}

impl<const N: usize, const DATA: usize, const BEAT: usize> Leaving<N, DATA, BEAT> {
    fn body(&self, mut body: Body) -> Body {
        const { assert!(DATA == 8 * N && BEAT == beat_bits(N)) }
        let turn = |lane: usize| format!("turn_{}", lane / GROUP);
        let mut doc = "Whose turn it is, for each four lanes; each feeds itself, so that no tool merges them.";
        for lane in (0..N).step_by(GROUP) {
            let next = name(turn(lane)) + literal(2, 1);
            body = body
                .register(turn(lane), 2, std::mem::take(&mut doc))
                .at_clock(Statement::If {
                    test: name("reset"),
                    then: vec![set(turn(lane), zero(2))],
                    otherwise: vec![when(name("leaves"), vec![set(turn(lane), next)])],
                });
        }
        let of_turn = |lane: usize, of: &dyn Fn(usize) -> Expression| {
            let half = |low: usize| choose(bit(turn(lane), 0), of(low + 1), of(low));
            choose(bit(turn(lane), 1), half(2), half(0))
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
