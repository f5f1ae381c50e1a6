//! Third part of the pipeline: the scalar value that ends at each byte, from the bits of the last four (RFC 3629 section 3).
//!
//! The value is right where a well-formed sequence ends; elsewhere it is whatever the bits give, and [`super::lookahead`]
//! does not look at it.
//!
//! # Latency
//! 9 clocks from `data`, 1 clock from the rest, which is that of stage 8.

use crate::primitives::{BytePlanes, Delay, Lag, ScalarWords};
use rust_hdl::prelude::*;

/// Scalar values of a beat, 21 bits a lane.
#[derive(LogicBlock, Default)]
pub struct Scalar<const N: usize, const DATA: usize, const SCALARS: usize> {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<DATA>>,
    /// The beat at stage 8, and the position of its bytes in their sequences.
    pub valid: Signal<In, Bit>,
    pub third_up: Signal<In, Bits<N>>,
    pub fourth: Signal<In, Bits<N>>,
    pub scalars: Signal<Out, Bits<SCALARS>>,

    delay_data: Delay<Bits<DATA>, 8>,
    lag_1: Lag<DATA, 8>,
    lag_2: Lag<DATA, 8>,
    lag_3: Lag<DATA, 8>,
    planes_0: BytePlanes<N, DATA>,
    planes_1: BytePlanes<N, DATA>,
    planes_2: BytePlanes<N, DATA>,
    planes_3: BytePlanes<N, DATA>,
    words: ScalarWords<N, SCALARS>,
    s9_scalars: DFF<Bits<SCALARS>>,
}

impl<const N: usize, const DATA: usize, const SCALARS: usize> Logic for Scalar<N, DATA, SCALARS> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, s9_scalars);
        self.delay_data.clock.next = self.clock.val();
        self.delay_data.x.next = self.data.val();

        // The bytes before. A sequence never reaches into another packet, so nothing need be cleared.
        self.lag_1.clock.next = self.clock.val();
        self.lag_1.advance.next = self.valid.val();
        self.lag_1.clear.next = false;
        self.lag_1.x.next = self.delay_data.y.val();
        self.lag_2.clock.next = self.clock.val();
        self.lag_2.advance.next = self.valid.val();
        self.lag_2.clear.next = false;
        self.lag_2.x.next = self.lag_1.y.val();
        self.lag_3.clock.next = self.clock.val();
        self.lag_3.advance.next = self.valid.val();
        self.lag_3.clear.next = false;
        self.lag_3.x.next = self.lag_2.y.val();
        self.planes_0.data.next = self.delay_data.y.val();
        self.planes_1.data.next = self.lag_1.y.val();
        self.planes_2.data.next = self.lag_2.y.val();
        self.planes_3.data.next = self.lag_3.y.val();

        self.words.v[0].next = self.planes_0.b0.val();
        self.words.v[1].next = self.planes_0.b1.val();
        self.words.v[2].next = self.planes_0.b2.val();
        self.words.v[3].next = self.planes_0.b3.val();
        self.words.v[4].next = self.planes_0.b4.val();
        self.words.v[5].next = self.planes_0.b5.val();
        self.words.v[6].next = (!self.planes_0.b7.val() & self.planes_0.b6.val())
            | (self.planes_0.b7.val() & self.planes_1.b0.val());
        self.words.v[7].next = self.planes_0.b7.val() & self.planes_1.b1.val();
        self.words.v[8].next = self.planes_0.b7.val() & self.planes_1.b2.val();
        self.words.v[9].next = self.planes_0.b7.val() & self.planes_1.b3.val();
        self.words.v[10].next = self.planes_0.b7.val() & self.planes_1.b4.val();
        self.words.v[11].next = self.planes_0.b7.val() & self.planes_1.b5.val();
        self.words.v[12].next = self.third_up.val() & self.planes_2.b0.val();
        self.words.v[13].next = self.third_up.val() & self.planes_2.b1.val();
        self.words.v[14].next = self.third_up.val() & self.planes_2.b2.val();
        self.words.v[15].next = self.third_up.val() & self.planes_2.b3.val();
        self.words.v[16].next = self.third_up.val() & self.planes_2.b4.val();
        self.words.v[17].next = self.fourth.val() & self.planes_2.b5.val();
        self.words.v[18].next = self.fourth.val() & self.planes_3.b0.val();
        self.words.v[19].next = self.fourth.val() & self.planes_3.b1.val();
        self.words.v[20].next = self.fourth.val() & self.planes_3.b2.val();
        self.s9_scalars.d.next = self.words.y.val();
        self.scalars.next = self.s9_scalars.q.val();
    }
}
