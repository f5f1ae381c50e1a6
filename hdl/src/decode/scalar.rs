//! The scalar value that ends at each byte, from the bits of the last four (RFC 3629 section 3).
//!
//! Beside [`crate::pieces`], and in step with it. The value is right where a well-formed sequence ends; elsewhere it is
//! whatever the bits give, and [`super::events`] does not send it.
//!
//! # Latency
//! That of [`crate::pieces`]: stage 12, a beat in every clock.

use crate::layout::SCALAR_BITS;
use crate::primitives::DFF;
use crate::primitives::delay::{Delay, Lag};
use crate::primitives::held::Held;
use crate::primitives::wires::{Stack, Unstack};
use hdl_macros::{Blank, Block, logic};
use rust_hdl::prelude::*;

/// The scalar value that ends in each lane: 21 planes, the lowest bits' first. `SCALARS` is `21 * N`.
#[derive(Block, Blank)]
pub struct Scalar<const N: usize, const DATA: usize, const SCALARS: usize> {
    pub clock: Signal<In, Clock>,
    /// The planes of the bytes at stage 0.
    pub bytes: Signal<In, Bits<DATA>>,
    /// The beat at stage 8, and the position of its bytes in their sequences.
    pub valid: Signal<In, Bit>,
    pub third_up: Signal<In, Bits<N>>,
    pub fourth: Signal<In, Bits<N>>,
    /// The beat at stage 9 fills the slot.
    pub fill: Signal<In, Bits<N>>,
    pub scalars: Signal<Out, Bits<SCALARS>>,

    /// The bytes at stage 8, and those one, two and three bytes before.
    delay_bytes: Delay<Bits<DATA>, 8>,
    /// The bytes one, two and three before.
    lag_1: Lag<DATA, 8>,
    lag_2: Lag<DATA, 8>,
    lag_3: Lag<DATA, 8>,
    byte_0: Unstack<N, 8, DATA>,
    byte_1: Unstack<N, 8, DATA>,
    byte_2: Unstack<N, 8, DATA>,
    byte_3: Unstack<N, 8, DATA>,
    planes: Stack<N, SCALAR_BITS, SCALARS>,
    /// The scalar value that each byte would end.
    s9_scalars: DFF<Bits<SCALARS>>,
    /// The same in the slot.
    slot_scalars: Held<N, SCALARS>,
    /// In stage 11.
    s11_scalars: DFF<Bits<SCALARS>>,
    /// In stage 12.
    s12_scalars: DFF<Bits<SCALARS>>,
}

impl<const N: usize, const DATA: usize, const SCALARS: usize> Logic for Scalar<N, DATA, SCALARS> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, s9_scalars, s11_scalars, s12_scalars);
        self.delay_bytes.clock.next = self.clock.val();
        self.delay_bytes.x.next = self.bytes.val();

        // The bytes before. A sequence never reaches into another packet.
        self.lag_1.clock.next = self.clock.val();
        self.lag_1.advance.next = self.valid.val();
        self.lag_1.x.next = self.delay_bytes.y.val();
        self.lag_2.clock.next = self.clock.val();
        self.lag_2.advance.next = self.valid.val();
        self.lag_2.x.next = self.lag_1.y.val();
        self.lag_3.clock.next = self.clock.val();
        self.lag_3.advance.next = self.valid.val();
        self.lag_3.x.next = self.lag_2.y.val();
        self.byte_0.x.next = self.delay_bytes.y.val();
        self.byte_1.x.next = self.lag_1.y.val();
        self.byte_2.x.next = self.lag_2.y.val();
        self.byte_3.x.next = self.lag_3.y.val();

        self.planes.x[0].next = self.byte_0.y[0].val();
        self.planes.x[1].next = self.byte_0.y[1].val();
        self.planes.x[2].next = self.byte_0.y[2].val();
        self.planes.x[3].next = self.byte_0.y[3].val();
        self.planes.x[4].next = self.byte_0.y[4].val();
        self.planes.x[5].next = self.byte_0.y[5].val();
        self.planes.x[6].next = (!self.byte_0.y[7].val() & self.byte_0.y[6].val())
            | (self.byte_0.y[7].val() & self.byte_1.y[0].val());
        self.planes.x[7].next = self.byte_0.y[7].val() & self.byte_1.y[1].val();
        self.planes.x[8].next = self.byte_0.y[7].val() & self.byte_1.y[2].val();
        self.planes.x[9].next = self.byte_0.y[7].val() & self.byte_1.y[3].val();
        self.planes.x[10].next = self.byte_0.y[7].val() & self.byte_1.y[4].val();
        self.planes.x[11].next = self.byte_0.y[7].val() & self.byte_1.y[5].val();
        self.planes.x[12].next = self.third_up.val() & self.byte_2.y[0].val();
        self.planes.x[13].next = self.third_up.val() & self.byte_2.y[1].val();
        self.planes.x[14].next = self.third_up.val() & self.byte_2.y[2].val();
        self.planes.x[15].next = self.third_up.val() & self.byte_2.y[3].val();
        self.planes.x[16].next = self.third_up.val() & self.byte_2.y[4].val();
        self.planes.x[17].next = self.fourth.val() & self.byte_2.y[5].val();
        self.planes.x[18].next = self.fourth.val() & self.byte_3.y[0].val();
        self.planes.x[19].next = self.fourth.val() & self.byte_3.y[1].val();
        self.planes.x[20].next = self.fourth.val() & self.byte_3.y[2].val();
        self.s9_scalars.d.next = self.planes.y.val();
        self.slot_scalars.clock.next = self.clock.val();
        self.slot_scalars.fill.next = self.fill.val();
        self.slot_scalars.x.next = self.s9_scalars.q.val();
        self.s11_scalars.d.next = self.slot_scalars.y.val();
        self.s12_scalars.d.next = self.s11_scalars.q.val();
        self.scalars.next = self.s12_scalars.q.val();
    }
}
