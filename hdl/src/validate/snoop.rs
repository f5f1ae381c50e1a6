//! `validate` beside a stream: it watches, and touches nothing.
//!
//! A beat counts in a clock in which its source and its sink both agree on it. Nothing here can hold the stream up, so the
//! verdicts cannot wait either: they have no `tready`, and come at most one a clock.

use super::Validate;
use crate::layout::VERDICT_BITS;
use crate::side::SIDE;
use rust_hdl::prelude::*;

/// `validate --mode snoop`.
#[derive(LogicBlock)]
pub struct Snoop<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
> {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tready: Signal<In, Bit>,
    pub s_axis_tdata: Signal<In, Bits<DATA>>,
    pub s_axis_tkeep: Signal<In, Bits<N>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_side: Signal<In, Bits<SIDE>>,
    pub m_axis_verdict_tvalid: Signal<Out, Bit>,
    pub m_axis_verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub m_axis_verdict_side: Signal<Out, Bits<SIDE>>,
    core: Validate<N, DATA, H1, H2, H3, H4, H5>,
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
> Snoop<N, DATA, H1, H2, H3, H4, H5>
{
    /// `stallable` tells that the stream has a `tready`; the pin means nothing otherwise.
    pub fn new(counter_width: usize, stallable: bool) -> Self {
        Self {
            core: Validate::new(counter_width),
            stallable: Constant::new(stallable),
            clk: Default::default(),
            rst: Default::default(),
            s_axis_tvalid: Default::default(),
            s_axis_tready: Default::default(),
            s_axis_tdata: Default::default(),
            s_axis_tkeep: Default::default(),
            s_axis_tlast: Default::default(),
            s_axis_side: Default::default(),
            m_axis_verdict_tvalid: Default::default(),
            m_axis_verdict: Default::default(),
            m_axis_verdict_side: Default::default(),
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
> Logic for Snoop<N, DATA, H1, H2, H3, H4, H5>
{
    #[hdl_gen]
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
    }
}
