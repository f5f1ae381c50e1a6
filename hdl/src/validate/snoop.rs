//! `validate` beside a stream: it watches, and touches nothing.
//!
//! A beat counts in a clock in which its source and its sink both agree on it. Nothing here can hold the stream up, so the
//! verdicts cannot wait either: they have no `tready`, and come at most one a clock.

use super::Validate;
use crate::config::Config;
use crate::contract::Contract;
use crate::csr::stage::Stage;
use crate::csr::{Csr, bus};
use crate::layout::VERDICT_BITS;
use crate::primitives::{blank, several};
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Watches a stream, and gives a verdict for each packet. (`validate --mode snoop`.)
#[derive(Block)]
pub struct Snoop<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const CSR: usize,
> {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tready: Signal<In, Bit>,
    pub s_axis_tdata: Signal<In, Bits<DATA>>,
    pub s_axis_tkeep: Signal<In, Bits<N>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_side: Signal<In, Sideband>,
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
    core: Validate<N, DATA, H1, H2, H3, H4, H5, CSR>,
    /// The stream has a `tready`.
    stallable: Constant<Bit>,
}

impl<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const CSR: usize,
> Snoop<N, DATA, H1, H2, H3, H4, H5, CSR>
{
    /// `stallable` tells that the stream has a `tready`; the pin means nothing otherwise.
    pub fn new(counter_width: usize, stallable: bool, config: &Config) -> Self {
        Self {
            csr: several(CSR, |_| Csr::new(config)),
            stage: several(CSR, |_| Stage::default()),
            core: Validate::new(counter_width),
            stallable: Constant::new(stallable),
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
            m_axis_verdict_tvalid: blank(),
            m_axis_verdict: blank(),
            m_axis_verdict_side: blank(),
            s_axil_in: blank(),
            s_axil_out: blank(),
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
    const CSR: usize,
> Logic for Snoop<N, DATA, H1, H2, H3, H4, H5, CSR>
{
    #[logic]
    fn update(&mut self) {
        self.core.clock.next = self.clk.val();
        self.core.reset.next = self.rst.val();
        if self.stallable.val() {
            self.core.valid.next = self.s_axis_tvalid.val() & self.s_axis_tready.val();
        } else {
            self.core.valid.next = self.s_axis_tvalid.val();
        }
        self.core.data.next = self.s_axis_tdata.val();
        self.core.keep.next = self.s_axis_tkeep.val();
        self.core.last.next = self.s_axis_tlast.val();
        self.core.side.next = self.s_axis_side.val();
        self.m_axis_verdict_tvalid.next = self.core.out_valid.val();
        self.m_axis_verdict.next = self.core.out_verdict.val();
        self.m_axis_verdict_side.next = self.core.out_side.val();

        self.contract.clock.next = self.clk.val();
        self.contract.reset.next = self.rst.val();
        if self.stallable.val() {
            self.contract.taken.next = self.s_axis_tvalid.val() & self.s_axis_tready.val();
        } else {
            self.contract.taken.next = self.s_axis_tvalid.val();
        }
        self.contract.keep.next = self.s_axis_tkeep.val();
        self.contract.last.next = self.s_axis_tlast.val();
        self.beat_error.next = self.contract.beat_error.val();

        self.core.looks.next = true;
        self.s_axil_out.next = 0.into();
        for i in 0..CSR {
            self.csr[i].clock.next = self.clk.val();
            self.csr[i].reset.next = self.rst.val();
            self.csr[i].pins_in.next = self.s_axil_in.val();
            self.s_axil_out.next = self.csr[i].pins_out.val();
            self.stage[i].clock.next = self.clk.val();
            if self.stallable.val() {
                self.stage[i].taken.next = self.s_axis_tvalid.val() & self.s_axis_tready.val();
            } else {
                self.stage[i].taken.next = self.s_axis_tvalid.val();
            }
            self.stage[i].data.next = self.s_axis_tdata.val();
            self.stage[i].keep.next = self.s_axis_tkeep.val();
            self.stage[i].last.next = self.s_axis_tlast.val();
            self.stage[i].side.next = self.s_axis_side.val();
            self.core.valid.next = self.stage[i].late_taken.val();
            self.core.data.next = self.stage[i].late_data.val();
            self.core.keep.next = self.stage[i].late_keep.val();
            self.core.last.next = self.stage[i].late_last.val();
            self.core.side.next = self.stage[i].late_side.val();
            self.csr[i].taken.next = self.stage[i].late_taken.val();
            self.csr[i].last.next = self.stage[i].late_last.val();
            self.csr[i].restarts.next = self.core.restarts.val();
            self.csr[i].ends.next = self.core.ends.val();
            self.csr[i].numbers.next = self.core.numbers.val();
            self.csr[i].beat_error.next = self.contract.beat_error.val();
            self.csr[i].ones.next = self.core.ones.val();
            // The reset comes to the core a clock late; meanwhile nothing that it shows is valid, or even defined.
            self.m_axis_verdict_tvalid.next =
                self.core.out_valid.val() & !self.csr[i].core_reset.val();
            self.core.reset.next = self.csr[i].core_reset.val();
            self.core.looks.next = self.csr[i].looks.val();
        }
    }
}
