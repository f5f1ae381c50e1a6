//! `validate --flows`: messages of many flows whose beats interleave, one verdict per message.
//!
//! A message is the packets of a flow up to and including one whose last beat does not say `more`; it is judged as one packet
//! would be, and a sequence may straddle them. Read the parts in stream order: [`entry`] puts the last three bytes of the flow
//! before each beat, so that [`crate::pieces`] can take every beat as a packet by itself; [`sums`] adds up what is in it;
//! [`running`] has whether the flow's message is bad so far, and [`totals`] adds the sums to what the message has had. Each of them keeps
//! what it has in a [`table`], from which a flow is read and to which one is written back in every clock. [`tally`] brings what is in a beat to the counters, if there are registers.
//!
//! # Ports
//! Those of [`crate::ports::ports`]. The stream is only watched. `s_axis_tid` is the flow; of `s_axis_tuser`, bit 0 is `more`, bit 1
//! `open` (the flow's message begins anew with this beat: what it had is dropped), bit 2 `forget` (nothing of the flow is kept
//! behind this beat, and no verdict is given). Each beat gives one on `m_axis_flow`, in order: whether it was `refused`,
//! and whether its flow's message is `bad` so far.
//!
//! # Ill-formed beats
//! A beat whose `tkeep` has a hole, or is partial without `tlast`, or whose `tid` is no flow, is refused: it is as if it had not
//! been there, but for its `m_axis_flow`.
//!
//! # Latency
//! [`latency`] clocks from a beat to what is known with it. What is unfinished at its end is judged with the flow's next beat.
//!
//! # Reset
//! `rst` is synchronous and active high, and drops everything. The flows are forgotten in as many clocks after it; until then `flows_ready`
//! is low, and no beat is taken. So it is while `control.enable` of the registers is clear.
//!
//! # Verified by
//! `tests/flows.rs`: all interleavings of short messages of two flows, and lockstep of up to 1,024 flows.

pub mod entry;
pub mod kept;
pub mod running;
pub mod sums;
pub mod table;
pub mod tail;
pub mod tally;
pub mod totals;

use self::entry::{COMMAND_BITS, Entry};
use self::running::Running;
use self::sums::{BAD_AHEAD, Sums};
use self::table::{FLOW_BITS, READ_LATENCY};
use self::tally::Tally;
use crate::config::Config;
use crate::csr::{Csr, bus};
use crate::layout::VERDICT_BITS;
use crate::pieces::{self, Pieces};
use crate::primitives::delay::LateValid;
use crate::primitives::memory::Ring;
use crate::primitives::wires::Join;
use crate::primitives::{DFF, blank, several};
use crate::side::Sideband;
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a beat's entry to its sums.
const fn to_sums(lanes: usize) -> usize {
    pieces::LATENCY + sums::latency(lanes)
}

/// Clocks from a beat to what is known with it.
pub const fn latency(lanes: usize) -> usize {
    entry::LATENCY + to_sums(lanes) + running::LATENCY
}

/// Clocks from a beat's entry to whether it makes its message bad, and the most of them.
const fn to_bad(lanes: usize) -> usize {
    to_sums(lanes) - BAD_AHEAD
}
const MOST_TO_BAD: usize = to_bad(64);

/// Validates the messages of flows whose beats come in any order. (`validate --flows`.) `M` is three more than `N`, and `WIDE` is `8 * M`.
#[derive(Block)]
pub struct Flows<
    const N: usize,
    const DATA: usize,
    const M: usize,
    const WIDE: usize,
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
    pub s_axis_flow: Signal<In, Bits<FLOW_BITS>>,
    pub s_axis_command: Signal<In, Bits<COMMAND_BITS>>,
    pub s_axis_side: Signal<In, Sideband>,
    pub flows_ready: Signal<Out, Bit>,
    pub m_axis_flow_tvalid: Signal<Out, Bit>,
    /// {refused, bad}
    pub m_axis_flow_tdata: Signal<Out, Bits<8>>,
    pub m_axis_flow_side: Signal<Out, Sideband>,
    pub m_axis_verdict_tvalid: Signal<Out, Bit>,
    pub m_axis_verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub m_axis_verdict_side: Signal<Out, Sideband>,
    pub s_axil_in: Signal<In, Bits<{ bus::IN_BITS }>>,
    pub s_axil_out: Signal<Out, Bits<{ bus::OUT_BITS }>>,

    csr: Vec<Csr<0>>,
    tally: Vec<Tally<N, H1, H2, H3, H4, H5>>,
    /// Of all but the registers.
    reset: Signal<Local, Bit>,
    /// The stream has a `tready`.
    stallable: Constant<Bit>,
    entry: Entry<N, DATA, M, WIDE>,
    pieces: Pieces<M, WIDE>,
    sums: Sums<N, M, H1, H2, H3, H4, H5>,
    running: Running,
    /// In step with the pieces, the flow's word and what makes a message bad.
    ends_at_pieces: Ring<Bits<1>, 4>,
    ends: Join<1>,
    /// A beat or a command comes to a flow, for what knows it when the beat makes its message bad.
    touches: LateValid<MOST_TO_BAD>,
    flow: Ring<Bits<FLOW_BITS>, 5>,
    /// It is a beat.
    is_beat: LateValid<MOST_TO_BAD>,
    marks: Join<4>,
    marks_with_bad: Ring<Bits<4>, 5>,
    found: Join<1>,
    signature: Ring<Bits<1>, 5>,
    /// From the pins, as long as the others are from the entry; and the rest, for one ring of it all would be twice as deep.
    side_with_bad: Ring<Sideband, 5>,
    side_due: Ring<Sideband, 4>,
    /// What came with the beat, beside what is known of its flow, and beside its verdict.
    flow_side: DFF<Sideband>,
    verdict_side: DFF<Sideband>,
    known: Join<8>,
}

impl<
    const N: usize,
    const DATA: usize,
    const M: usize,
    const WIDE: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const CSR: usize,
> Flows<N, DATA, M, WIDE, H1, H2, H3, H4, H5, CSR>
{
    /// With so many flows and counters of so many bits. `stallable` tells that the stream has a `tready`; the pin means nothing otherwise.
    pub fn new(flows: usize, counter_width: usize, stallable: bool, config: &Config) -> Self {
        Self {
            csr: several(CSR, |_| Csr::new(config)),
            tally: several(CSR, |_| Tally::default()),
            stallable: Constant::new(stallable),
            entry: Entry::new(flows),
            pieces: Pieces::new(false, false),
            running: Running::new(flows, counter_width),
            ends_at_pieces: Ring::new(pieces::LATENCY),
            touches: LateValid::new(to_bad(N) - READ_LATENCY),
            flow: Ring::new(to_bad(N) - READ_LATENCY),
            is_beat: LateValid::new(to_bad(N)),
            marks_with_bad: Ring::new(to_bad(N)),
            signature: Ring::new(to_bad(N) - entry::SIGNATURE_LATE),
            side_with_bad: Ring::new(to_bad(N)),
            side_due: Ring::new(latency(N) - 1 - to_bad(N)),
            clk: blank(),
            rst: blank(),
            s_axis_tvalid: blank(),
            s_axis_tready: blank(),
            s_axis_tdata: blank(),
            s_axis_tkeep: blank(),
            s_axis_tlast: blank(),
            s_axis_flow: blank(),
            s_axis_command: blank(),
            s_axis_side: blank(),
            flows_ready: blank(),
            m_axis_flow_tvalid: blank(),
            m_axis_flow_tdata: blank(),
            m_axis_flow_side: blank(),
            m_axis_verdict_tvalid: blank(),
            m_axis_verdict: blank(),
            m_axis_verdict_side: blank(),
            s_axil_in: blank(),
            s_axil_out: blank(),
            reset: blank(),
            sums: blank(),
            ends: blank(),
            marks: blank(),
            found: blank(),
            flow_side: blank(),
            verdict_side: blank(),
            known: blank(),
        }
    }
}

impl<
    const N: usize,
    const DATA: usize,
    const M: usize,
    const WIDE: usize,
    const H1: usize,
    const H2: usize,
    const H3: usize,
    const H4: usize,
    const H5: usize,
    const CSR: usize,
> Logic for Flows<N, DATA, M, WIDE, H1, H2, H3, H4, H5, CSR>
{
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clk, flow_side, verdict_side);
        self.entry.clock.next = self.clk.val();
        self.pieces.clock.next = self.clk.val();
        self.sums.clock.next = self.clk.val();
        self.running.clock.next = self.clk.val();
        self.ends_at_pieces.clock.next = self.clk.val();
        self.touches.clock.next = self.clk.val();
        self.flow.clock.next = self.clk.val();
        self.is_beat.clock.next = self.clk.val();
        self.marks_with_bad.clock.next = self.clk.val();
        self.signature.clock.next = self.clk.val();
        self.side_with_bad.clock.next = self.clk.val();
        self.side_due.clock.next = self.clk.val();
        self.reset.next = self.rst.val();
        for i in 0..CSR {
            self.reset.next = self.csr[i].core_reset.val();
        }
        self.entry.reset.next = self.reset.val();
        self.pieces.reset.next = self.reset.val();
        self.running.reset.next = self.reset.val();
        self.ends_at_pieces.reset.next = self.reset.val();
        self.touches.reset.next = self.reset.val();
        self.flow.reset.next = self.reset.val();
        self.is_beat.reset.next = self.reset.val();
        self.marks_with_bad.reset.next = self.reset.val();
        self.signature.reset.next = self.reset.val();
        self.side_with_bad.reset.next = self.reset.val();
        self.side_due.reset.next = self.reset.val();

        if self.stallable.val() {
            self.entry.valid.next = self.s_axis_tvalid.val() & self.s_axis_tready.val();
        } else {
            self.entry.valid.next = self.s_axis_tvalid.val();
        }
        self.entry.data.next = self.s_axis_tdata.val();
        self.entry.keep.next = self.s_axis_tkeep.val();
        self.entry.last.next = self.s_axis_tlast.val();
        self.entry.flow.next = self.s_axis_flow.val();
        self.entry.more.next = self.s_axis_command.val().get_bit(0);
        self.entry.open.next = self.s_axis_command.val().get_bit(1);
        self.entry.forget.next = self.s_axis_command.val().get_bit(2);
        self.flows_ready.next = self.entry.ready.val();
        for i in 0..CSR {
            self.flows_ready.next = self.entry.ready.val() & !self.csr[i].core_reset.val();
        }

        // Every beat is a packet by itself.
        self.pieces.valid.next = self.entry.out_valid.val();
        self.pieces.data.next = self.entry.out_data.val();
        self.pieces.keep.next = self.entry.out_keep.val();
        self.pieces.last.next = true;

        for i in 0..1 {
            self.ends.x[i].next = self.entry.ends.val();
            self.marks.x[i].next = self.entry.ends.val();
            self.found.x[i].next = self.entry.signature.val();
        }
        for i in 1..2 {
            self.marks.x[i].next = self.entry.opens.val();
        }
        for i in 2..3 {
            self.marks.x[i].next = self.entry.clears.val();
        }
        for i in 3..4 {
            self.marks.x[i].next = self.entry.refused.val();
        }
        self.ends_at_pieces.x.next = self.ends.y.val();
        self.marks_with_bad.x.next = self.marks.y.val();
        self.signature.x.next = self.found.y.val();
        self.touches.x.next = self.entry.touches.val();
        self.flow.x.next = self.entry.out_flow.val();
        self.is_beat.x.next = self.entry.is_beat.val();

        self.sums.valid.next = self.pieces.out_valid.val();
        self.sums.ends.next = self.ends_at_pieces.y.val().any();
        self.sums.was_bad.next = self.running.was_bad.val();
        self.sums.open_8.next = self.pieces.open.val();
        self.sums.present.next = self.pieces.present.val();
        self.sums.scalar.next = self.pieces.scalar.val();
        self.sums.ill.next = self.pieces.ill.val();
        self.sums.kind_0.next = self.pieces.kind_0.val();
        self.sums.kind_1.next = self.pieces.kind_1.val();
        self.sums.kind_2.next = self.pieces.kind_2.val();
        self.sums.second.next = self.pieces.second.val();
        self.sums.length_1.next = self.pieces.length_1.val();

        self.running.touch.next = self.touches.y.val();
        self.running.flow.next = self.flow.y.val();
        self.running.is_beat.next = self.is_beat.y.val();
        self.running.ends.next = self.marks_with_bad.y.val().get_bit(0);
        self.running.opens.next = self.marks_with_bad.y.val().get_bit(1);
        self.running.clears.next = self.marks_with_bad.y.val().get_bit(2);
        self.running.refused.next = self.marks_with_bad.y.val().get_bit(3);
        self.running.signature.next = self.signature.y.val().any();
        self.running.bytes.next = self.sums.bytes.val();
        self.running.scalars.next = self.sums.scalars.val();
        self.running.ill_formed.next = self.sums.ill_formed.val();
        self.running.valid_up_to.next = self.sums.valid_up_to.val();
        self.running.bad.next = self.sums.bad.val();
        self.running.kind.next = self.sums.kind.val();
        self.running.error_len.next = self.sums.error_len.val();

        self.side_with_bad.x.next = self.s_axis_side.val();
        self.side_due.x.next = self.side_with_bad.y.val();
        self.flow_side.d.next = 0.into();
        if self.running.due_beat.val() {
            self.flow_side.d.next = self.side_due.y.val();
        }
        self.verdict_side.d.next = 0.into();
        if self.running.due.val() {
            self.verdict_side.d.next = self.side_due.y.val();
        }
        for i in 0..1 {
            self.known.x[i].next = self.running.out_bad.val();
        }
        for i in 1..2 {
            self.known.x[i].next = self.running.out_refused.val();
        }
        for i in 2..8 {
            self.known.x[i].next = false;
        }
        self.m_axis_flow_tvalid.next = self.running.out_is_beat.val();
        self.m_axis_flow_tdata.next = self.known.y.val();
        self.m_axis_flow_side.next = self.flow_side.q.val();
        self.m_axis_verdict_tvalid.next = self.running.out_valid.val();
        self.m_axis_verdict.next = self.running.fields.val();
        self.m_axis_verdict_side.next = self.verdict_side.q.val();

        self.s_axil_out.next = 0.into();
        for i in 0..CSR {
            self.csr[i].clock.next = self.clk.val();
            self.csr[i].reset.next = self.rst.val();
            self.csr[i].pins_in.next = self.s_axil_in.val();
            self.s_axil_out.next = self.csr[i].pins_out.val();
            self.csr[i].taken.next = false;
            self.csr[i].last.next = false;
            self.tally[i].clock.next = self.clk.val();
            self.tally[i].ill.next = self.sums.own_ills.val();
            self.tally[i].kind_0.next = self.sums.own_kinds_0.val();
            self.tally[i].kind_1.next = self.sums.own_kinds_1.val();
            self.tally[i].kind_2.next = self.sums.own_kinds_2.val();
            self.tally[i].ill_before.next = self.sums.before_ill.val();
            self.tally[i].kind_before.next = self.sums.before_kind.val();
            self.tally[i].bytes.next = self.sums.bytes.val();
            self.tally[i].scalars.next = self.sums.scalars.val();
            self.tally[i].is_beat.next = self.running.out_is_beat.val();
            self.tally[i].refused.next = self.running.out_refused.val();
            self.tally[i].message_ends.next = self.running.out_valid.val();
            self.tally[i].bad.next = self.running.out_bad.val();
            // To a counter each beat is a packet.
            self.csr[i].restarts.next = true;
            self.csr[i].ends.next = self.tally[i].ends.val();
            self.csr[i].numbers.next = self.tally[i].numbers.val();
            // What comes out with a reset came in before it.
            self.csr[i].beat_error.next = self.running.out_is_beat.val()
                & self.running.out_refused.val()
                & !self.csr[i].core_reset.val();
            self.csr[i].ones.next = self.tally[i].ones.val();
            // The reset comes to the core a clock late; meanwhile nothing that it shows is valid, or even defined.
            self.m_axis_flow_tvalid.next =
                self.running.out_is_beat.val() & !self.csr[i].core_reset.val();
            self.m_axis_verdict_tvalid.next =
                self.running.out_valid.val() & !self.csr[i].core_reset.val();
        }
    }
}
