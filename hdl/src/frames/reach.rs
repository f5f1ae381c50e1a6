//! Whether a frame has all bytes that its IP header says.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! What marks beats.

use super::network::POSITION_BITS;
use crate::verilog::{Body, Operator, Run, bit, bits, name};
use crate::window::countdown::Countdown;
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from what IP says to whether that is so.
pub const LATENCY: usize = 3;

/// Whether a beat has a byte in the lane of a position.
#[derive(Block, Blank, Described)]
pub struct HasByte<const N: usize> {
    pub keep: Signal<In, Bits<N>>,
    pub position: Signal<In, Bits<POSITION_BITS>>,
    pub y: Signal<Out, Bit>,
    _run: Run,
}

impl<const N: usize> HasByte<N> {
    fn body(&self, body: Body) -> Body {
        let lane = bits("position", 0, N.ilog2() as usize);
        let from = name("keep").binary(Operator::ShiftRight, lane);
        body.wire("from", N, from).assign("y", bit("from", 0))
    }
}

stages! {
    /// Whether a frame ends before its last byte by IP's header.
    pub block Reach<const N: usize> {
        in reset: Bit;
        /// A beat, which is its frame's first or last, and its bytes.
        in valid, starts, last: Bit @ 0;
        in keep @ 0;
        /// Once in each frame: whether there is a header of IP, and where its last byte is, from the beat on.
        in found, ip: Bit @ 0;
        in position: Bits<POSITION_BITS> @ 0;

        stage 1 "the beats up to the byte" {
            mark valid: Bit = valid;
            part left: Countdown<POSITION_BITS>(N.ilog2() as usize) = {
                beat: valid, loads: found, position,
            } -> Bits<POSITION_BITS>;
            state is_ip: Bit = if found { ip } else if valid & starts { false };
            state position: Bits<POSITION_BITS> = if found { position };
        }

        stage 2 "whether it is there" {
            wires has_byte: HasByte<N> = { keep, position } -> Bit;
            has: Bit = has_byte;
            here: Bit = left.is_here;
            ahead: Bit = !left.has_passed & !left.is_here;
        }

        stage 3 "with the frame's last beat: it is not" {
            short: Bit = is_ip & last & (ahead | (here & !has));
        }

        out is_short: Bit = short @ 3;
    }
}
