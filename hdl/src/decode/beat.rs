//! A beat of events as one vector, and its way to the pins.
//!
//! Inside the core a beat is `27 * N + 2` bits: what the FIFO has to hold. Its order is private to [`PackBeat`] and
//! [`UnpackBeat`]; the pins are those of [`crate::layout`].

use crate::layout::{KIND_BITS, SCALAR_BITS, USER_BITS};
use crate::primitives::{concat, lane_of};
use rust_hdl::prelude::*;

/// Width of a beat of `lanes` lanes: scalar value, event, kind and length of each, then `tlast` and the signature flag.
pub const fn beat_bits(lanes: usize) -> usize {
    (SCALAR_BITS + 1 + USER_BITS) * lanes + 2
}

/// Concatenates a beat. `BEAT` is [`beat_bits`] of `N`.
#[derive(LogicBlock, Default)]
pub struct PackBeat<const N: usize, const SCALARS: usize, const BEAT: usize> {
    pub scalars: Signal<In, Bits<SCALARS>>,
    pub sent: Signal<In, Bits<N>>,
    pub kind_0: Signal<In, Bits<N>>,
    pub kind_1: Signal<In, Bits<N>>,
    pub kind_2: Signal<In, Bits<N>>,
    pub length_0: Signal<In, Bits<N>>,
    pub length_1: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    pub beat: Signal<Out, Bits<BEAT>>,
}

impl<const N: usize, const SCALARS: usize, const BEAT: usize> Logic for PackBeat<N, SCALARS, BEAT> {
    fn update(&mut self) {
        const { assert!(BEAT == beat_bits(N)) }
        let planes = [
            &self.sent,
            &self.kind_0,
            &self.kind_1,
            &self.kind_2,
            &self.length_0,
            &self.length_1,
        ];
        let mut beat = Bits::<BEAT>::default();
        for bit in 0..SCALARS {
            beat = beat.replace_bit(bit, self.scalars.val().get_bit(bit));
        }
        for (index, plane) in planes.into_iter().enumerate() {
            for lane in 0..N {
                beat = beat.replace_bit(SCALARS + index * N + lane, plane.val().get_bit(lane));
            }
        }
        beat = beat.replace_bit(BEAT - 2, self.last.val());
        self.beat.next = beat.replace_bit(BEAT - 1, self.signature.val());
    }

    fn connect(&mut self) {
        self.beat.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "assign beat = {signature, last, length_1, length_0, kind_2, kind_1, kind_0, sent, scalars};\n"
                .to_string(),
        )
    }
}

/// Spreads a beat over the pins of the output stream.
#[derive(LogicBlock, Default)]
pub struct UnpackBeat<
    const N: usize,
    const BEAT: usize,
    const WORDS: usize,
    const KEEP: usize,
    const USER: usize,
> {
    pub beat: Signal<In, Bits<BEAT>>,
    pub data: Signal<Out, Bits<WORDS>>,
    pub keep: Signal<Out, Bits<KEEP>>,
    pub last: Signal<Out, Bit>,
    pub user: Signal<Out, Bits<USER>>,
}

impl<const N: usize, const BEAT: usize, const WORDS: usize, const KEEP: usize, const USER: usize>
    UnpackBeat<N, BEAT, WORDS, KEEP, USER>
{
    const SCALARS: usize = SCALAR_BITS * N;

    /// The bit of the beat that `tuser[bit]` shows: per lane kind, then length; the signature flag on top.
    fn user_source(bit: usize) -> usize {
        if bit == USER - 1 {
            BEAT - 1
        } else {
            Self::SCALARS + N * (1 + bit % USER_BITS) + bit / USER_BITS
        }
    }
}

impl<const N: usize, const BEAT: usize, const WORDS: usize, const KEEP: usize, const USER: usize>
    Logic for UnpackBeat<N, BEAT, WORDS, KEEP, USER>
{
    fn update(&mut self) {
        const {
            assert!(BEAT == beat_bits(N));
            assert!(WORDS == 32 * N && KEEP == 4 * N && USER == USER_BITS * N + 1);
            assert!(KIND_BITS == 3);
        }
        let beat = self.beat.val();
        let mut data = Bits::<WORDS>::default();
        for bit in 0..Self::SCALARS {
            let (lane, bit_of_lane) = (bit / SCALAR_BITS, bit % SCALAR_BITS);
            data = data.replace_bit(32 * lane + bit_of_lane, beat.get_bit(bit));
        }
        let mut keep = Bits::<KEEP>::default();
        for bit in 0..KEEP {
            keep = keep.replace_bit(bit, beat.get_bit(Self::SCALARS + bit / 4));
        }
        let mut user = Bits::<USER>::default();
        for bit in 0..USER {
            user = user.replace_bit(bit, beat.get_bit(Self::user_source(bit)));
        }
        self.data.next = data;
        self.keep.next = keep;
        self.user.next = user;
        self.last.next = beat.get_bit(BEAT - 2);
    }

    fn connect(&mut self) {
        self.data.connect();
        self.keep.connect();
        self.last.connect();
        self.user.connect();
    }

    fn hdl(&self) -> Verilog {
        let scalar = |lane| {
            let low = SCALAR_BITS * lane;
            format!(
                "{}'h0, beat[{}:{low}]",
                32 - SCALAR_BITS,
                low + SCALAR_BITS - 1
            )
        };
        let event = |lane| format!("{{4{{beat[{}]}}}}", Self::SCALARS + lane);
        Verilog::Custom(format!(
            "assign data = {};\nassign keep = {};\nassign user = {};\nassign last = beat[{}];\n",
            concat((0..N).map(scalar)),
            concat((0..N).map(event)),
            concat((0..USER).map(|bit| lane_of::<BEAT>("beat", Self::user_source(bit)))),
            BEAT - 2
        ))
    }
}
