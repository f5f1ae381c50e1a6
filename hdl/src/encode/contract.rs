//! What a source of words has to keep to, and whether it did: a lane has a whole word, or nothing.
//!
//! # Reset
//! No beat that came before it is reported.

use crate::verilog::{Body, Run, bits, concat};
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;

stages! {
    /// Whether some lane of a beat has a part of a word. Three clocks later, in that clock only. `KEEP` is a multiple of `N`.
    pub block WordContract<const N: usize, const KEEP: usize> {
        in reset: Bit;
        in taken: Bit;
        in keep: Bits<KEEP>;

        stage 1 "the lanes with a part of a word" {
            wires parts: PartsOfWords<N, KEEP> = { keep };
            parts = parts;
            mark taken: Bit = taken;
        }

        stage 2 "whether there are any" {
            error: Bit = parts.any();
        }

        stage 3 "whether the beat breaks the contract" {
            error: Bit = if reset { false } else { taken & error };
        }

        out beat_error: Bit = error @ 3;
    }
}

/// Lanes of which some bits of `tkeep` are set, and not all.
#[derive(Block, Blank, Described)]
pub struct PartsOfWords<const N: usize, const KEEP: usize> {
    pub keep: Signal<In, Bits<KEEP>>,
    pub y: Signal<Out, Bits<N>>,
    _run: Run,
}

impl<const N: usize, const KEEP: usize> PartsOfWords<N, KEEP> {
    #[once(N, KEEP)]
    fn body(&self, body: Body) -> Body {
        let octets = KEEP / N;
        let parts = (0..N).map(|lane| {
            let of_lane = || bits("keep", octets * lane, octets);
            of_lane().any() & !of_lane().all()
        });
        body.assign("y", concat(parts))
    }
}
