//! The AXI4-Stream form of `pass`: both streams have their FIFO, and a beat is accepted if both have room.

use super::Passing;
use super::bytes::UnpackBytes;
use crate::config::Config;
use crate::contract::Contract;
use crate::csr::{Csr, bus};
use crate::flow::credits::Credits;
use crate::flow::fifo::{Fifo, capacity};
use crate::layout::VERDICT_BITS;
use crate::primitives::{DFF, blank, several};
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Address bits of a bank of the FIFO of what passes, and of that of the verdicts: their words are more than the clocks from
/// acceptance to a credit's return (29 and 52 at most) and the margin, so credits never hold back streams that their sinks take.
pub const PASS_ADDRESS_BITS: usize = 5;
pub const VERDICT_ADDRESS_BITS: usize = 5;

/// Passes packets on as an AXI4-Stream block, each with a mark if it is bad, and gives verdicts. (`validate --mode pass --form axis`.)
#[derive(Block)]
pub struct PassAxis<
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
    pub s_axis_tready: Signal<Out, Bit>,
    pub s_axis_tdata: Signal<In, Bits<DATA>>,
    pub s_axis_tkeep: Signal<In, Bits<N>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_side: Signal<In, Sideband>,
    pub m_axis_tvalid: Signal<Out, Bit>,
    pub m_axis_tready: Signal<In, Bit>,
    pub m_axis_tdata: Signal<Out, Bits<DATA>>,
    pub m_axis_tkeep: Signal<Out, Bits<N>>,
    pub m_axis_tlast: Signal<Out, Bit>,
    pub m_axis_side: Signal<Out, Sideband>,
    pub m_axis_verdict_tvalid: Signal<Out, Bit>,
    pub m_axis_verdict_tready: Signal<In, Bit>,
    pub m_axis_verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub m_axis_verdict_side: Signal<Out, Sideband>,
    pub s_axil_in: Signal<In, Bits<{ bus::IN_BITS }>>,
    pub s_axil_out: Signal<Out, Bits<{ bus::OUT_BITS }>>,
    /// A beat broke the stream's contract; no pin if it is not asked for.
    pub beat_error: Signal<Out, Bit>,
    contract: Contract<N>,
    csr: Vec<Csr<1>>,
    passing: Passing<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>,
    unpack: UnpackBytes<N, DATA, BEAT>,
    pass_credits: Credits<{ 2 << PASS_ADDRESS_BITS }>,
    pass_fifo: Fifo<BEAT, PASS_ADDRESS_BITS, { capacity(PASS_ADDRESS_BITS) }>,
    verdict_credits: Credits<{ 2 << VERDICT_ADDRESS_BITS }>,
    verdict_fifo: Fifo<VERDICT_BITS, VERDICT_ADDRESS_BITS, { capacity(VERDICT_ADDRESS_BITS) }>,
    /// `s_axis_tready`: there are credits enough.
    ready: DFF<Bit>,
    accept: Signal<Local, Bit>,
    reset: Signal<Local, Bit>,
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
> PassAxis<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>
{
    /// With counters of so many bits.
    pub fn new(counter_width: usize, config: &Config) -> Self {
        Self {
            csr: several(CSR, |_| Csr::new(config)),
            passing: Passing::new(counter_width),
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
            m_axis_side: blank(),
            m_axis_verdict_tvalid: blank(),
            m_axis_verdict_tready: blank(),
            m_axis_verdict: blank(),
            m_axis_verdict_side: blank(),
            s_axil_in: blank(),
            s_axil_out: blank(),
            unpack: blank(),
            pass_credits: blank(),
            pass_fifo: blank(),
            verdict_credits: blank(),
            verdict_fifo: blank(),
            ready: blank(),
            accept: blank(),
            reset: blank(),
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
> Logic for PassAxis<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>
{
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clk, ready);
        self.reset.next = self.rst.val();
        for i in 0..CSR {
            self.reset.next = self.csr[i].core_reset.val();
        }
        self.accept.next = self.s_axis_tvalid.val() & self.ready.q.val();
        self.passing.clock.next = self.clk.val();
        self.passing.reset.next = self.reset.val();
        self.passing.valid.next = self.accept.val();
        self.passing.data.next = self.s_axis_tdata.val();
        self.passing.keep.next = self.s_axis_tkeep.val();
        self.passing.last.next = self.s_axis_tlast.val();
        self.passing.side.next = self.s_axis_side.val();

        self.pass_fifo.clock.next = self.clk.val();
        self.pass_fifo.reset.next = self.reset.val();
        self.pass_fifo.push.next = self.passing.out_valid.val();
        self.pass_fifo.beat.next = self.passing.beat.val();
        self.pass_fifo.side.next = self.passing.out_side.val();
        self.pass_fifo.ready.next = self.m_axis_tready.val();
        self.pass_credits.clock.next = self.clk.val();
        self.pass_credits.reset.next = self.reset.val();
        self.pass_credits.spent.next = self.accept.val();
        self.pass_credits.retired.next = false;
        self.pass_credits.returned.next = self.pass_fifo.read.val();

        self.verdict_fifo.clock.next = self.clk.val();
        self.verdict_fifo.reset.next = self.reset.val();
        self.verdict_fifo.push.next = self.passing.verdict_valid.val();
        self.verdict_fifo.beat.next = self.passing.verdict.val();
        self.verdict_fifo.side.next = self.passing.verdict_side.val();
        self.verdict_fifo.ready.next = self.m_axis_verdict_tready.val();
        self.verdict_credits.clock.next = self.clk.val();
        self.verdict_credits.reset.next = self.reset.val();
        self.verdict_credits.spent.next = self.accept.val() & self.s_axis_tlast.val();
        self.verdict_credits.retired.next = false;
        self.verdict_credits.returned.next = self.verdict_fifo.read.val();

        if self.reset.val() {
            self.ready.d.next = false;
        } else {
            self.ready.d.next = self.pass_credits.enough.val() & self.verdict_credits.enough.val();
        }
        // What comes with a late reset would be lost.
        for i in 0..CSR {
            if self.csr[i].will_reset.val() {
                self.ready.d.next = false;
            }
        }

        self.s_axis_tready.next = self.ready.q.val();
        self.unpack.beat.next = self.pass_fifo.out_beat.val();
        self.m_axis_tvalid.next = self.pass_fifo.valid.val();
        self.m_axis_tdata.next = self.unpack.data.val();
        self.m_axis_tkeep.next = self.unpack.keep.val();
        self.m_axis_tlast.next = self.unpack.last.val();
        self.m_axis_side.next = self.pass_fifo.out_side.val();
        self.m_axis_verdict_tvalid.next = self.verdict_fifo.valid.val();
        self.m_axis_verdict.next = self.verdict_fifo.out_beat.val();
        self.m_axis_verdict_side.next = self.verdict_fifo.out_side.val();

        self.contract.clock.next = self.clk.val();
        self.contract.reset.next = self.rst.val();
        self.contract.taken.next = self.accept.val();
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
            self.csr[i].taken.next = self.accept.val();
            self.csr[i].last.next = self.s_axis_tlast.val();
            self.csr[i].restarts.next = self.passing.restarts.val();
            self.csr[i].ends.next = self.passing.ends.val();
            self.csr[i].numbers.next = self.passing.numbers.val();
            self.csr[i].beat_error.next = self.contract.beat_error.val();
            self.csr[i].ones.next = self.passing.ones.val();
            self.passing.looks.next = self.csr[i].looks.val();
            // The reset comes to the core a clock late; meanwhile nothing that it shows is valid, or even defined.
            self.m_axis_tvalid.next = self.pass_fifo.valid.val() & !self.csr[i].core_reset.val();
            self.m_axis_verdict_tvalid.next =
                self.verdict_fifo.valid.val() & !self.csr[i].core_reset.val();
            // What is not looked at gives no verdict.
            self.verdict_credits.spent.next =
                self.accept.val() & self.s_axis_tlast.val() & self.csr[i].looks.val();
        }
    }
}
