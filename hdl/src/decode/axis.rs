//! The AXI4-Stream form of `decode`: the same pipeline, with backpressure by credits.
//!
//! # Latency
//! [`super::pipeline::latency`] and [`crate::flow::FIFO_LATENCY`] clocks; a beat in every clock while the sink takes one.

use super::beat::UnpackBeat;
use super::events::SignatureRule;
use super::pipeline::Pipeline;
use crate::contract::Contract;
use crate::flow::credits::Credits;
use crate::flow::fifo::Fifo;
use crate::primitives::wires::Lane;
use crate::primitives::{DFF, blank};
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Address bits of a bank of the output FIFO: its words are more than the clocks from acceptance to a credit's return, so credits
/// never hold back a stream that the sink takes. At most 23 clocks if sparse, 45 if dense, and [`crate::flow::credits::MARGIN`].
pub const fn bank_address_bits(dense: bool) -> usize {
    if dense { 5 } else { 4 }
}

/// Bytes in, events out, as an AXI4-Stream block: the stages of decoding never stall, for credits keep room in the FIFO at their end. `A` is [`bank_address_bits`], `T` the FIFO's most beats, `C` its words.
#[derive(Block)]
pub struct DecodeAxis<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const STACK: usize,
    const BEAT: usize,
    const WORDS: usize,
    const KEEP: usize,
    const USER: usize,
    const DENSE: usize,
    const A: usize,
    const T: usize,
    const C: usize,
> {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tready: Signal<Out, Bit>,
    pub s_axis_tdata: Signal<In, Bits<DATA>>,
    pub s_axis_tkeep: Signal<In, Bits<N>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_side: Signal<In, Sideband>,
    pub m_axis_tvalid: Signal<Out, Bit>,
    pub m_axis_tready: Signal<In, Bit>,
    pub m_axis_tdata: Signal<Out, Bits<WORDS>>,
    pub m_axis_tkeep: Signal<Out, Bits<KEEP>>,
    pub m_axis_tlast: Signal<Out, Bit>,
    pub m_axis_kinds: Signal<Out, Bits<USER>>,
    pub m_axis_side: Signal<Out, Sideband>,
    /// A beat broke the stream's contract; no pin if it is not asked for.
    pub beat_error: Signal<Out, Bit>,
    contract: Contract<N>,
    pipeline: Pipeline<N, DATA, SCALARS, STACK, BEAT, DENSE>,
    unpack: UnpackBeat<N, BEAT, WORDS, KEEP, USER>,
    credits: Credits<C>,
    fifo: Fifo<BEAT, A, T>,
    first_lane: Lane<N>,
    /// `s_axis_tready`: there are credits enough.
    ready: DFF<Bit>,
    accept: Signal<Local, Bit>,
}

impl<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const STACK: usize,
    const BEAT: usize,
    const WORDS: usize,
    const KEEP: usize,
    const USER: usize,
    const DENSE: usize,
    const A: usize,
    const T: usize,
    const C: usize,
> DecodeAxis<N, DATA, SCALARS, STACK, BEAT, WORDS, KEEP, USER, DENSE, A, T, C>
{
    pub fn new(rule: SignatureRule) -> Self {
        Self {
            pipeline: Pipeline::new(rule),
            contract: blank(),
            beat_error: blank(),
            clk: blank(),
            rst: blank(),
            s_axis_tvalid: blank(),
            s_axis_tready: blank(),
            s_axis_tdata: blank(),
            s_axis_tkeep: blank(),
            s_axis_tlast: blank(),
            s_axis_side: blank(),
            m_axis_tvalid: blank(),
            m_axis_tready: blank(),
            m_axis_tdata: blank(),
            m_axis_tkeep: blank(),
            m_axis_tlast: blank(),
            m_axis_kinds: blank(),
            m_axis_side: blank(),
            unpack: blank(),
            credits: blank(),
            fifo: blank(),
            first_lane: Lane::new(0),
            ready: blank(),
            accept: blank(),
        }
    }
}

impl<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const STACK: usize,
    const BEAT: usize,
    const WORDS: usize,
    const KEEP: usize,
    const USER: usize,
    const DENSE: usize,
    const A: usize,
    const T: usize,
    const C: usize,
> Logic for DecodeAxis<N, DATA, SCALARS, STACK, BEAT, WORDS, KEEP, USER, DENSE, A, T, C>
{
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clk, ready);

        self.accept.next = self.s_axis_tvalid.val() & self.ready.q.val();
        self.pipeline.clock.next = self.clk.val();
        self.pipeline.reset.next = self.rst.val();
        self.pipeline.valid.next = self.accept.val();
        self.pipeline.data.next = self.s_axis_tdata.val();
        self.pipeline.keep.next = self.s_axis_tkeep.val();
        self.pipeline.last.next = self.s_axis_tlast.val();
        self.pipeline.side.next = self.s_axis_side.val();

        self.fifo.clock.next = self.clk.val();
        self.fifo.reset.next = self.rst.val();
        self.fifo.push.next = self.pipeline.out_valid.val();
        self.fifo.beat.next = self.pipeline.beat.val();
        self.fifo.side.next = self.pipeline.out_side.val();
        self.fifo.ready.next = self.m_axis_tready.val();

        self.credits.clock.next = self.clk.val();
        self.credits.reset.next = self.rst.val();
        self.first_lane.x.next = self.s_axis_tkeep.val();
        self.credits.spent.next =
            self.accept.val() & (self.s_axis_tlast.val() | self.first_lane.y.val());
        self.credits.retired.next = self.pipeline.retired.val();
        self.credits.returned.next = self.fifo.read.val();
        if self.rst.val() {
            self.ready.d.next = false;
        } else {
            self.ready.d.next = self.credits.enough.val();
        }

        self.s_axis_tready.next = self.ready.q.val();
        self.unpack.beat.next = self.fifo.out_beat.val();
        self.m_axis_tvalid.next = self.fifo.valid.val();
        self.m_axis_tdata.next = self.unpack.data.val();
        self.m_axis_tkeep.next = self.unpack.keep.val();
        self.m_axis_tlast.next = self.unpack.last.val();
        self.m_axis_kinds.next = self.unpack.user.val();
        self.m_axis_side.next = self.fifo.out_side.val();

        self.contract.clock.next = self.clk.val();
        self.contract.reset.next = self.rst.val();
        self.contract.taken.next = self.accept.val();
        self.contract.keep.next = self.s_axis_tkeep.val();
        self.contract.last.next = self.s_axis_tlast.val();
        self.beat_error.next = self.contract.beat_error.val();
    }
}
