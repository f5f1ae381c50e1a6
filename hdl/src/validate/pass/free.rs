//! The free-running form of `pass`: a beat in every clock, no backpressure.

use super::Passing;
use super::bytes::UnpackBytes;
use crate::config::Config;
use crate::contract::Contract;
use crate::csr::stage::Stage;
use crate::csr::{Csr, bus};
use crate::layout::VERDICT_BITS;
use crate::primitives::{blank, several};
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Passes packets on, each with a mark if it is bad, and gives verdicts. (`validate --mode pass --form free`.)
#[derive(Block)]
pub struct PassFree<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const BEAT: usize,
    const CSR: usize,
> {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tdata: Signal<In, Bits<DATA>>,
    pub s_axis_tkeep: Signal<In, Bits<N>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_side: Signal<In, Sideband>,
    pub m_axis_tvalid: Signal<Out, Bit>,
    pub m_axis_tdata: Signal<Out, Bits<DATA>>,
    pub m_axis_tkeep: Signal<Out, Bits<N>>,
    pub m_axis_tlast: Signal<Out, Bit>,
    pub m_axis_side: Signal<Out, Sideband>,
    pub m_axis_verdict_tvalid: Signal<Out, Bit>,
    pub m_axis_verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub m_axis_verdict_side: Signal<Out, Sideband>,
    pub s_axil_in: Signal<In, Bits<{ bus::IN_BITS }>>,
    pub s_axil_out: Signal<Out, Bits<{ bus::OUT_BITS }>>,
    /// A beat broke the stream's contract; no pin if it is not asked for.
    pub beat_error: Signal<Out, Bit>,
    contract: Contract<N>,
    csr: Vec<Csr<1>>,
    stage: Vec<Stage<N, DATA>>,
    passing: Passing<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>,
    unpack: UnpackBytes<N, DATA, BEAT>,
}

impl<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const BEAT: usize,
    const CSR: usize,
> PassFree<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>
{
    /// With counters of so many bits.
    pub fn new(counter_width: usize, config: &Config) -> Self {
        Self {
            csr: several(CSR, |_| Csr::new(config)),
            stage: several(CSR, |_| Stage::default()),
            passing: Passing::new(counter_width),
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
            m_axis_side: blank(),
            m_axis_verdict_tvalid: blank(),
            m_axis_verdict: blank(),
            m_axis_verdict_side: blank(),
            s_axil_in: blank(),
            s_axil_out: blank(),
            unpack: blank(),
        }
    }
}

impl<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const BEAT: usize,
    const CSR: usize,
> Logic for PassFree<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>
{
    #[logic]
    fn update(&mut self) {
        self.passing.clock.next = self.clk.val();
        self.passing.reset.next = self.rst.val();
        self.passing.valid.next = self.s_axis_tvalid.val();
        self.passing.data.next = self.s_axis_tdata.val();
        self.passing.keep.next = self.s_axis_tkeep.val();
        self.passing.last.next = self.s_axis_tlast.val();
        self.passing.side.next = self.s_axis_side.val();
        self.unpack.beat.next = self.passing.beat.val();
        self.m_axis_tvalid.next = self.passing.out_valid.val();
        self.m_axis_tdata.next = self.unpack.data.val();
        self.m_axis_tkeep.next = self.unpack.keep.val();
        self.m_axis_tlast.next = self.unpack.last.val();
        self.m_axis_side.next = self.passing.out_side.val();
        self.m_axis_verdict_tvalid.next = self.passing.verdict_valid.val();
        self.m_axis_verdict.next = self.passing.verdict.val();
        self.m_axis_verdict_side.next = self.passing.verdict_side.val();

        self.contract.clock.next = self.clk.val();
        self.contract.reset.next = self.rst.val();
        self.contract.taken.next = self.s_axis_tvalid.val();
        self.contract.keep.next = self.s_axis_tkeep.val();
        self.contract.last.next = self.s_axis_tlast.val();
        self.beat_error.next = self.contract.beat_error.val();

        self.passing.looks.next = true;
        self.s_axil_out.next = 0.into();
        for i in 0..CSR {
            self.csr[i].clock.next = self.clk.val();
            self.csr[i].reset.next = self.rst.val();
            self.csr[i].pins_in.next = self.s_axil_in.val();
            self.s_axil_out.next = self.csr[i].pins_out.val();
            self.stage[i].clock.next = self.clk.val();
            self.stage[i].taken.next = self.s_axis_tvalid.val();
            self.stage[i].data.next = self.s_axis_tdata.val();
            self.stage[i].keep.next = self.s_axis_tkeep.val();
            self.stage[i].last.next = self.s_axis_tlast.val();
            self.stage[i].side.next = self.s_axis_side.val();
            self.passing.valid.next = self.stage[i].late_taken.val();
            self.passing.data.next = self.stage[i].late_data.val();
            self.passing.keep.next = self.stage[i].late_keep.val();
            self.passing.last.next = self.stage[i].late_last.val();
            self.passing.side.next = self.stage[i].late_side.val();
            self.csr[i].taken.next = self.stage[i].late_taken.val();
            self.csr[i].last.next = self.stage[i].late_last.val();
            self.csr[i].restarts.next = self.passing.restarts.val();
            self.csr[i].ends.next = self.passing.ends.val();
            self.csr[i].numbers.next = self.passing.numbers.val();
            self.csr[i].beat_error.next = self.contract.beat_error.val();
            self.csr[i].ones.next = self.passing.ones.val();
            // The reset comes to the core a clock late; meanwhile nothing that it shows is valid, or even defined.
            self.m_axis_tvalid.next = self.passing.out_valid.val() & !self.csr[i].core_reset.val();
            self.m_axis_verdict_tvalid.next =
                self.passing.verdict_valid.val() & !self.csr[i].core_reset.val();
            self.passing.reset.next = self.csr[i].core_reset.val();
            self.passing.looks.next = self.csr[i].looks.val();
        }
    }
}
