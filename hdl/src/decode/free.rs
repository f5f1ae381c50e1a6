//! The free-running form of `decode`: the pipeline between pins, a beat in every clock, no backpressure.

use super::beat::UnpackBeat;
use super::events::SignatureRule;
use super::pipeline::Pipeline;
use crate::contract::Contract;
use crate::primitives::blank;
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Bytes in, events out, without `tready`: for a sink that never stalls.
#[derive(Block)]
pub struct DecodeFree<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const STACK: usize,
    const BEAT: usize,
    const WORDS: usize,
    const KEEP: usize,
    const USER: usize,
    const DENSE: usize,
> {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tdata: Signal<In, Bits<DATA>>,
    pub s_axis_tkeep: Signal<In, Bits<N>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_side: Signal<In, Sideband>,
    pub m_axis_tvalid: Signal<Out, Bit>,
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
> DecodeFree<N, DATA, SCALARS, STACK, BEAT, WORDS, KEEP, USER, DENSE>
{
    pub fn new(rule: SignatureRule) -> Self {
        Self {
            pipeline: Pipeline::new(rule),
            contract: blank(),
            beat_error: blank(),
            clk: blank(),
            rst: blank(),
            s_axis_tvalid: blank(),
            s_axis_tdata: blank(),
            s_axis_tkeep: blank(),
            s_axis_tlast: blank(),
            s_axis_side: blank(),
            m_axis_tvalid: blank(),
            m_axis_tdata: blank(),
            m_axis_tkeep: blank(),
            m_axis_tlast: blank(),
            m_axis_kinds: blank(),
            m_axis_side: blank(),
            unpack: blank(),
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
> Logic for DecodeFree<N, DATA, SCALARS, STACK, BEAT, WORDS, KEEP, USER, DENSE>
{
    #[logic]
    fn update(&mut self) {
        self.pipeline.clock.next = self.clk.val();
        self.pipeline.reset.next = self.rst.val();
        self.pipeline.valid.next = self.s_axis_tvalid.val();
        self.pipeline.data.next = self.s_axis_tdata.val();
        self.pipeline.keep.next = self.s_axis_tkeep.val();
        self.pipeline.last.next = self.s_axis_tlast.val();
        self.pipeline.side.next = self.s_axis_side.val();
        self.unpack.beat.next = self.pipeline.beat.val();
        self.m_axis_tvalid.next = self.pipeline.out_valid.val();
        self.m_axis_tdata.next = self.unpack.data.val();
        self.m_axis_tkeep.next = self.unpack.keep.val();
        self.m_axis_tlast.next = self.unpack.last.val();
        self.m_axis_kinds.next = self.unpack.user.val();
        self.m_axis_side.next = self.pipeline.out_side.val();

        self.contract.clock.next = self.clk.val();
        self.contract.reset.next = self.rst.val();
        self.contract.taken.next = self.s_axis_tvalid.val();
        self.contract.keep.next = self.s_axis_tkeep.val();
        self.contract.last.next = self.s_axis_tlast.val();
        self.beat_error.next = self.contract.beat_error.val();
    }
}
