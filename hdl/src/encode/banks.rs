//! What belongs to each bank of a ring, of all that comes.

use super::bank::{COUNT_BITS, parts};
use super::tags::above;
use crate::verilog::{Body, Run, bits, concat, literal, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// What belongs to each bank: its places, of those of a round; how far its quarters are from the first that is completed; and whether it is
/// before the open quarter's bank. `M` is `N` for each of `2 ** TURN` banks, `T` is `8 * M`, `DATA` is `8 * N`.
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
    pub open_bank: Signal<In, Bits<TURN>>,
    #[many(M / N)]
    pub ahead_of: Vec<Signal<Out, Bits<6>>>,
    #[many(M / N)]
    pub is_past_of: Vec<Signal<Out, Bit>>,
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
            body.assign(format!("now_of${bank}"), bits("now", low, N))
                .assign(format!("then_of${bank}"), bits("then", low, N))
                .assign(format!("planes_of${bank}"), concat(planes))
                .assign(format!("ahead_of${bank}"), concat(ahead))
                .assign(format!("is_past_of${bank}"), above("open_bank", TURN, bank))
        })
    }
}
