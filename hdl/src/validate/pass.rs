//! `validate` within a stream: packets pass through, and a bad one is marked in its last beat.
//!
//! A packet's bytes, `tid`, `tdest` and `tuser` are unchanged but for bit 0 of `tuser` with `tlast`. They wait in a ring until it
//! is known whether the packet is bad, a constant number of clocks: only unfinished sequences ever wait for a next beat, and a
//! packet's last beat has none.

use super::Validate;
use super::verdict;
use crate::flow::credits::Credits;
use crate::flow::fifo::Fifo;
use crate::layout::VERDICT_BITS;
use crate::pieces;
use crate::primitives::delay::LateValid;
use crate::primitives::memory::Ring;
use crate::primitives::wires::{OrLowest, concat, from_bits};
use crate::side::SIDE;
use rust_hdl::prelude::*;

/// Clocks from a beat's acceptance to the output registers.
pub const fn latency(lanes: usize) -> usize {
    pieces::LATENCY + verdict::bad_latency(lanes) + 1
}

/// Address bits of the FIFO of what passes, and of that of the verdicts: their words are more than the clocks from acceptance to
/// a credit's return (26 and 39 at most), so credits never hold back streams that their sinks take.
pub const PASS_ADDRESS_BITS: usize = 5;
pub const VERDICT_ADDRESS_BITS: usize = 6;

/// Width of a beat of bytes as one vector: the bytes, `tkeep` and `tlast`.
pub const fn beat_bits(lanes: usize) -> usize {
    9 * lanes + 1
}

/// A beat of bytes as one vector. `BEAT` is [`beat_bits`].
#[derive(LogicBlock, Default)]
pub struct PackBytes<const N: usize, const DATA: usize, const BEAT: usize> {
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub beat: Signal<Out, Bits<BEAT>>,
}

impl<const N: usize, const DATA: usize, const BEAT: usize> Logic for PackBytes<N, DATA, BEAT> {
    fn update(&mut self) {
        const { assert!(DATA == 8 * N && BEAT == beat_bits(N)) }
        let (data, keep, last) = (self.data.val(), self.keep.val(), self.last.val());
        self.beat.next = from_bits(|bit| match bit {
            _ if bit < DATA => data.get_bit(bit),
            _ if bit < DATA + N => keep.get_bit(bit - DATA),
            _ => last,
        });
    }

    fn connect(&mut self) {
        self.beat.connect();
    }

    fn hdl(&self) -> Verilog {
        let parts = ["data", "keep", "last"].map(str::to_string);
        Verilog::Custom(format!("assign beat = {};\n", concat(parts.into_iter())))
    }
}

/// The parts of such a vector.
#[derive(LogicBlock, Default)]
pub struct UnpackBytes<const N: usize, const DATA: usize, const BEAT: usize> {
    pub beat: Signal<In, Bits<BEAT>>,
    pub data: Signal<Out, Bits<DATA>>,
    pub keep: Signal<Out, Bits<N>>,
    pub last: Signal<Out, Bit>,
}

impl<const N: usize, const DATA: usize, const BEAT: usize> Logic for UnpackBytes<N, DATA, BEAT> {
    fn update(&mut self) {
        const { assert!(DATA == 8 * N && BEAT == beat_bits(N)) }
        let beat = self.beat.val();
        self.data.next = beat.get_bits::<DATA>(0);
        self.keep.next = beat.get_bits::<N>(DATA);
        self.last.next = beat.get_bit(BEAT - 1);
    }

    fn connect(&mut self) {
        self.data.connect();
        self.keep.connect();
        self.last.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom("assign {last, keep, data} = beat;\n".to_string())
    }
}

/// The packets and their verdicts, no `ready`.
#[derive(LogicBlock)]
pub struct Passing<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const BEAT: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A beat enters in this clock.
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub side: Signal<In, Bits<SIDE>>,
    /// A beat leaves; `beat` and `out_side` are zero otherwise, but for the clock after a reset.
    pub out_valid: Signal<Out, Bit>,
    pub beat: Signal<Out, Bits<BEAT>>,
    pub out_side: Signal<Out, Bits<SIDE>>,
    /// As [`Validate`] has them.
    pub verdict_valid: Signal<Out, Bit>,
    pub verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub verdict_side: Signal<Out, Bits<SIDE>>,
    core: Validate<N, DATA, H1, H2, H3, H4, H5>,
    pack: PackBytes<N, DATA, BEAT>,
    bytes: Ring<BEAT, 5>,
    sides: Ring<SIDE, 5>,
    marked: OrLowest<SIDE>,
    due: LateValid<20>,
    shown: DFF<Bit>,
    shown_beat: DFF<Bits<BEAT>>,
    shown_side: DFF<Bits<SIDE>>,
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
> Passing<N, DATA, H1, H2, H3, H4, H5, BEAT>
{
    /// With counters of so many bits.
    pub fn new(counter_width: usize) -> Self {
        let due = latency(N) - 1;
        Self {
            core: Validate::new(counter_width),
            bytes: Ring::new(due),
            sides: Ring::new(due),
            due: LateValid::new(due),
            clock: Default::default(),
            reset: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            keep: Default::default(),
            last: Default::default(),
            side: Default::default(),
            out_valid: Default::default(),
            beat: Default::default(),
            out_side: Default::default(),
            verdict_valid: Default::default(),
            verdict: Default::default(),
            verdict_side: Default::default(),
            pack: Default::default(),
            marked: Default::default(),
            shown: Default::default(),
            shown_beat: Default::default(),
            shown_side: Default::default(),
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
> Logic for Passing<N, DATA, H1, H2, H3, H4, H5, BEAT>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, shown, shown_beat, shown_side);
        self.core.clock.next = self.clock.val();
        self.core.reset.next = self.reset.val();
        self.core.valid.next = self.valid.val();
        self.core.data.next = self.data.val();
        self.core.keep.next = self.keep.val();
        self.core.last.next = self.last.val();
        self.core.side.next = self.side.val();

        self.pack.data.next = self.data.val();
        self.pack.keep.next = self.keep.val();
        self.pack.last.next = self.last.val();
        self.bytes.clock.next = self.clock.val();
        self.bytes.reset.next = self.reset.val();
        self.bytes.x.next = self.pack.beat.val();
        self.sides.clock.next = self.clock.val();
        self.sides.reset.next = self.reset.val();
        self.sides.x.next = self.side.val();
        self.marked.x.next = self.sides.y.val();
        self.marked.mark.next = self.core.bad.val();
        self.due.clock.next = self.clock.val();
        self.due.reset.next = self.reset.val();
        self.due.x.next = self.valid.val();
        self.shown.d.next = self.due.y.val() & !self.reset.val();
        if self.due.y.val() {
            self.shown_beat.d.next = self.bytes.y.val();
            self.shown_side.d.next = self.marked.y.val();
        } else {
            self.shown_beat.d.next = 0.into();
            self.shown_side.d.next = 0.into();
        }

        self.out_valid.next = self.shown.q.val();
        self.beat.next = self.shown_beat.q.val();
        self.out_side.next = self.shown_side.q.val();
        self.verdict_valid.next = self.core.out_valid.val();
        self.verdict.next = self.core.out_verdict.val();
        self.verdict_side.next = self.core.out_side.val();
    }
}

/// `validate --mode pass --form free`.
#[derive(LogicBlock)]
pub struct PassFree<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const BEAT: usize,
> {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tdata: Signal<In, Bits<DATA>>,
    pub s_axis_tkeep: Signal<In, Bits<N>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_side: Signal<In, Bits<SIDE>>,
    pub m_axis_tvalid: Signal<Out, Bit>,
    pub m_axis_tdata: Signal<Out, Bits<DATA>>,
    pub m_axis_tkeep: Signal<Out, Bits<N>>,
    pub m_axis_tlast: Signal<Out, Bit>,
    pub m_axis_side: Signal<Out, Bits<SIDE>>,
    pub m_axis_verdict_tvalid: Signal<Out, Bit>,
    pub m_axis_verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub m_axis_verdict_side: Signal<Out, Bits<SIDE>>,
    passing: Passing<N, DATA, H1, H2, H3, H4, H5, BEAT>,
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
> PassFree<N, DATA, H1, H2, H3, H4, H5, BEAT>
{
    /// With counters of so many bits.
    pub fn new(counter_width: usize) -> Self {
        Self {
            passing: Passing::new(counter_width),
            clk: Default::default(),
            rst: Default::default(),
            s_axis_tvalid: Default::default(),
            s_axis_tdata: Default::default(),
            s_axis_tkeep: Default::default(),
            s_axis_tlast: Default::default(),
            s_axis_side: Default::default(),
            m_axis_tvalid: Default::default(),
            m_axis_tdata: Default::default(),
            m_axis_tkeep: Default::default(),
            m_axis_tlast: Default::default(),
            m_axis_side: Default::default(),
            m_axis_verdict_tvalid: Default::default(),
            m_axis_verdict: Default::default(),
            m_axis_verdict_side: Default::default(),
            unpack: Default::default(),
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
> Logic for PassFree<N, DATA, H1, H2, H3, H4, H5, BEAT>
{
    #[hdl_gen]
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
    }
}

/// `validate --mode pass --form axis`: both streams have their FIFO, and a beat is accepted if both have room.
#[derive(LogicBlock)]
pub struct PassAxis<
    const N: usize,
    const DATA: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const BEAT: usize,
> {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tready: Signal<Out, Bit>,
    pub s_axis_tdata: Signal<In, Bits<DATA>>,
    pub s_axis_tkeep: Signal<In, Bits<N>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_side: Signal<In, Bits<SIDE>>,
    pub m_axis_tvalid: Signal<Out, Bit>,
    pub m_axis_tready: Signal<In, Bit>,
    pub m_axis_tdata: Signal<Out, Bits<DATA>>,
    pub m_axis_tkeep: Signal<Out, Bits<N>>,
    pub m_axis_tlast: Signal<Out, Bit>,
    pub m_axis_side: Signal<Out, Bits<SIDE>>,
    pub m_axis_verdict_tvalid: Signal<Out, Bit>,
    pub m_axis_verdict_tready: Signal<In, Bit>,
    pub m_axis_verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub m_axis_verdict_side: Signal<Out, Bits<SIDE>>,
    passing: Passing<N, DATA, H1, H2, H3, H4, H5, BEAT>,
    unpack: UnpackBytes<N, DATA, BEAT>,
    pass_credits: Credits<{ PASS_ADDRESS_BITS + 1 }>,
    pass_fifo: Fifo<BEAT, PASS_ADDRESS_BITS>,
    verdict_credits: Credits<{ VERDICT_ADDRESS_BITS + 1 }>,
    verdict_fifo: Fifo<VERDICT_BITS, VERDICT_ADDRESS_BITS>,
    ready: DFF<Bit>,
    accept: Signal<Local, Bit>,
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
> PassAxis<N, DATA, H1, H2, H3, H4, H5, BEAT>
{
    /// With counters of so many bits.
    pub fn new(counter_width: usize) -> Self {
        Self {
            passing: Passing::new(counter_width),
            clk: Default::default(),
            rst: Default::default(),
            s_axis_tvalid: Default::default(),
            s_axis_tready: Default::default(),
            s_axis_tdata: Default::default(),
            s_axis_tkeep: Default::default(),
            s_axis_tlast: Default::default(),
            s_axis_side: Default::default(),
            m_axis_tvalid: Default::default(),
            m_axis_tready: Default::default(),
            m_axis_tdata: Default::default(),
            m_axis_tkeep: Default::default(),
            m_axis_tlast: Default::default(),
            m_axis_side: Default::default(),
            m_axis_verdict_tvalid: Default::default(),
            m_axis_verdict_tready: Default::default(),
            m_axis_verdict: Default::default(),
            m_axis_verdict_side: Default::default(),
            unpack: Default::default(),
            pass_credits: Default::default(),
            pass_fifo: Default::default(),
            verdict_credits: Default::default(),
            verdict_fifo: Default::default(),
            ready: Default::default(),
            accept: Default::default(),
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
> Logic for PassAxis<N, DATA, H1, H2, H3, H4, H5, BEAT>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, ready);
        self.accept.next = self.s_axis_tvalid.val() & self.ready.q.val();
        self.passing.clock.next = self.clk.val();
        self.passing.reset.next = self.rst.val();
        self.passing.valid.next = self.accept.val();
        self.passing.data.next = self.s_axis_tdata.val();
        self.passing.keep.next = self.s_axis_tkeep.val();
        self.passing.last.next = self.s_axis_tlast.val();
        self.passing.side.next = self.s_axis_side.val();

        self.pass_fifo.clock.next = self.clk.val();
        self.pass_fifo.reset.next = self.rst.val();
        self.pass_fifo.push.next = self.passing.out_valid.val();
        self.pass_fifo.beat.next = self.passing.beat.val();
        self.pass_fifo.side.next = self.passing.out_side.val();
        self.pass_fifo.ready.next = self.m_axis_tready.val();
        self.pass_credits.clock.next = self.clk.val();
        self.pass_credits.reset.next = self.rst.val();
        self.pass_credits.spent.next = self.accept.val();
        self.pass_credits.retired.next = false;
        self.pass_credits.returned.next = self.pass_fifo.read.val();

        self.verdict_fifo.clock.next = self.clk.val();
        self.verdict_fifo.reset.next = self.rst.val();
        self.verdict_fifo.push.next = self.passing.verdict_valid.val();
        self.verdict_fifo.beat.next = self.passing.verdict.val();
        self.verdict_fifo.side.next = self.passing.verdict_side.val();
        self.verdict_fifo.ready.next = self.m_axis_verdict_tready.val();
        self.verdict_credits.clock.next = self.clk.val();
        self.verdict_credits.reset.next = self.rst.val();
        self.verdict_credits.spent.next = self.accept.val() & self.s_axis_tlast.val();
        self.verdict_credits.retired.next = false;
        self.verdict_credits.returned.next = self.verdict_fifo.read.val();

        self.ready.d.next =
            self.pass_credits.enough.val() & self.verdict_credits.enough.val() & !self.rst.val();

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
    }
}
