//! The scalar value that ends at each byte, from the bits of the last four (RFC 3629 section 3), or six (RFC 2279 section 2).
//!
//! Beside [`crate::pieces`], and in step with it. The value is right where a well-formed sequence ends; elsewhere it is
//! whatever the bits give, and [`super::events`] does not send it.
//!
//! # Latency
//! That of [`crate::pieces`]: stage 12, a beat in every clock.

use crate::layout::LONG_SCALAR_BITS;
use crate::primitives::delay::Lag;
use crate::primitives::fanout::HoldRegister;
use crate::primitives::wires::{Stack, Unstack};
use crate::vector::from_bits;
use crate::verilog::{Body, Run, concat, literal, name, repeat};
use hdl_macros::{Blank, Block, Described, once, stages};
use rust_hdl::prelude::*;

stages! {
    /// The scalar value that ends in each lane: 21 planes, the lowest bits' first. RFC 2279: The scalar value that ends in each lane: 31
    /// planes, the lowest bits' first. `SCALARS` is `21 * N`. RFC 2279: `SCALARS` is `31 * N`.
    pub block Scalar<const N: usize, const DATA: usize, const SCALARS: usize> {
        // Those of 31 bits are cleared by the events where a sequence has fewer bytes.
        given is_2279: bool = SCALARS / N == LONG_SCALAR_BITS;
        given every: Bits<N> = from_bits(|_| true);
        /// The planes of the bytes.
        in bytes: Bits<DATA> @ 0;
        /// A beat is at stage 8, and the position of its bytes in their sequences.
        in valid: Bit @ 8;
        in third_up, fourth @ 8;
        /// The beat at stage 9 fills the slot.
        in fill @ 9;

        stage 9 "the scalar value that each byte would end" {
            /// The bytes one, two and three before. RFC 2279: The bytes one to five before. A sequence never reaches into another packet.
            carry one_before: Lag<DATA, 8> = { advance: valid, x: bytes };
            carry two_before: Lag<DATA, 8> = { advance: valid, x: one_before };
            carry three_before: Lag<DATA, 8> = { advance: valid, x: two_before };
            carry four_before: Lag<DATA, 8> = { advance: valid, x: three_before };
            carry five_before: Lag<DATA, 8> = { advance: valid, x: four_before };
            wires a: Unstack<N, 8, DATA> = { x: bytes };
            wires b: Unstack<N, 8, DATA> = { x: one_before };
            wires c: Unstack<N, 8, DATA> = { x: two_before };
            wires d: Unstack<N, 8, DATA> = { x: three_before };
            wires e: Unstack<N, 8, DATA> = { x: four_before };
            wires f: Unstack<N, 8, DATA> = { x: five_before };
            let of_third = if is_2279 { every } else { third_up };
            let of_fourth = if is_2279 { every } else { fourth };
            wires planes: Stack<N, LONG_SCALAR_BITS, SCALARS> = {
                x[0]: a[0],
                x[1]: a[1],
                x[2]: a[2],
                x[3]: a[3],
                x[4]: a[4],
                x[5]: a[5],
                x[6]: (!a[7] & a[6]) | (a[7] & b[0]),
                x[7]: a[7] & b[1],
                x[8]: a[7] & b[2],
                x[9]: a[7] & b[3],
                x[10]: a[7] & b[4],
                x[11]: a[7] & b[5],
                x[12]: of_third & c[0],
                x[13]: of_third & c[1],
                x[14]: of_third & c[2],
                x[15]: of_third & c[3],
                x[16]: of_third & c[4],
                x[17]: of_fourth & c[5],
                x[18]: of_fourth & d[0],
                x[19]: of_fourth & d[1],
                x[20]: of_fourth & d[2],
                x[21]: d[3],
                x[22]: d[4],
                x[23]: d[5],
                x[24]: e[0],
                x[25]: e[1],
                x[26]: e[2],
                x[27]: e[3],
                x[28]: e[4],
                x[29]: e[5],
                x[30]: f[0],
            };
            scalars: Bits<SCALARS> = planes;
        }

        stage 10 "the slot" {
            /// The slot's scalar values; the rest of the slot is with the pieces.
            part slot_scalars: HoldRegister<N, SCALARS> = { fill, x: scalars };
        }

        stage 11 "what has left the slot" {
            scalars: Bits<SCALARS> = slot_scalars;
        }

        out scalars: Bits<SCALARS> @ 12;
    }
}

/// Planes that are set where a sequence has as many bytes as their bits of its value need: `x` has the lanes with a third byte and more, a
/// fourth, a fifth, a sixth. `SCALARS` is a multiple of `N`.
#[derive(Block, Blank, Described)]
pub struct ByLength<const N: usize, const SCALARS: usize> {
    #[many(4)]
    pub x: Vec<Signal<In, Bits<N>>>,
    pub y: Signal<Out, Bits<SCALARS>>,
    _run: Run,
}

impl<const N: usize, const SCALARS: usize> ByLength<N, SCALARS> {
    #[once(N, SCALARS)]
    fn body(&self, body: Body) -> Body {
        // Two bytes have 11 bits, three have 16, and each one more has five more. Bit 11 is bit 5 of the byte before the last, which
        // is clear if that is the first byte of two: it is not looked at here.
        let planes = (0..SCALARS / N).map(|bit| match bit.checked_sub(11) {
            None | Some(0) => repeat(N, literal(1, 1)),
            Some(above) => name(format!("x${}", ((above - 1) / 5).min(3))),
        });
        body.assign("y", concat(planes))
    }
}
