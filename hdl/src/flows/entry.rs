//! Puts before each beat what its flow has left: the last three bytes that came of it, in a table.
//!
//! Three bytes are all that a byte can depend on, so behind this every beat stands for itself, whatever flow it is of and whatever came
//! before it. The bytes are kept as they came and not as what they mean, for that could not be known within the clock in which the
//! next beat may want it.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock.
//!
//! # Reset
//! It drops what is on the way; then the flows are forgotten one by one, a clock each, and until then no beat is taken.

use super::kept::{Append, KEPT, Opening, Prepend};
use super::table::{FLOW_BITS, READ_LATENCY, Table};
use super::tail::{self, TAIL, TailBytes};
use crate::contract::Holes;
use crate::primitives::delay::{Delay, LateValid};
use crate::primitives::memory::{Ring, WideRing};
use crate::primitives::wires::{Join, Lane};
use crate::primitives::{DFF, blank};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks from a beat to what follows from it.
pub const LATENCY: usize = 8;
/// Clocks from a beat's flags to its flow's bytes.
const FLAGS: usize = LATENCY - 6;
/// Clocks from the other outputs to the signature.
pub const SIGNATURE_LATE: usize = 2;
/// Clocks from the input register to the table.
const TO_TABLE: usize = 2;

const _: () = assert!(1 + TO_TABLE + READ_LATENCY + 1 == LATENCY && tail::LATENCY + 2 == LATENCY);

/// Bits of what a beat is told beside its bytes.
pub const COMMAND_BITS: usize = 3;

/// Takes beats in, and puts before each the last three bytes of its flow.
#[derive(Block)]
pub struct Entry<const N: usize, const DATA: usize, const M: usize, const WIDE: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub last: Signal<In, Bit>,
    pub flow: Signal<In, Bits<FLOW_BITS>>,
    pub more: Signal<In, Bit>,
    pub open: Signal<In, Bit>,
    pub forget: Signal<In, Bit>,
    /// Every flow has been forgotten since the last reset: beats are taken.
    pub ready: Signal<Out, Bit>,

    /// The beat goes on; its bytes, with those before.
    pub out_valid: Signal<Out, Bit>,
    pub out_data: Signal<Out, Bits<WIDE>>,
    pub out_keep: Signal<Out, Bits<M>>,
    /// There is a beat, or a flow to be forgotten; the former is refused.
    pub touches: Signal<Out, Bit>,
    pub out_flow: Signal<Out, Bits<FLOW_BITS>>,
    pub is_beat: Signal<Out, Bit>,
    pub refused: Signal<Out, Bit>,
    /// The flow's message begins anew before the beat; it ends with the beat; nothing is kept of the flow after it.
    pub opens: Signal<Out, Bit>,
    pub ends: Signal<Out, Bit>,
    pub clears: Signal<Out, Bit>,
    /// [`SIGNATURE_LATE`] clocks later than the other outputs: the message's first three bytes, which end in the beat, are a signature.
    pub signature: Signal<Out, Bit>,

    /// All flows are forgotten after a reset.
    last_flow: Constant<Bits<FLOW_BITS>>,
    /// A flow is forgotten in every clock; which.
    sweeping: DFF<Bit>,
    swept: DFF<Bits<FLOW_BITS>>,

    /// The input register.
    s0_valid: DFF<Bit>,
    s0_sweep: DFF<Bit>,
    s0_flow: DFF<Bits<FLOW_BITS>>,
    s0_data: DFF<Bits<DATA>>,
    s0_keep: DFF<Bits<N>>,
    s0_last: DFF<Bit>,
    s0_more: DFF<Bit>,
    s0_open: DFF<Bit>,
    s0_forget: DFF<Bit>,
    /// Whether there is such a flow.
    known: Signal<Local, Bit>,
    s1_known: DFF<Bit>,
    s1_valid: DFF<Bit>,
    s1_sweep: DFF<Bit>,
    s1_flow: DFF<Bits<FLOW_BITS>>,
    s2_known: DFF<Bit>,
    s2_touch: DFF<Bit>,
    s2_flow: DFF<Bits<FLOW_BITS>>,
    s3_valid: LateValid<3>,
    s3_sweep: LateValid<3>,
    lane_1: Lane<N>,
    lane_2: Lane<N>,
    lane_3: Lane<N>,
    top_lane: Lane<N>,
    /// A beat can have two bytes, three.
    can_2: Constant<Bit>,
    can_3: Constant<Bit>,
    s2_has_1: Delay<Bit, 2>,
    s2_full: Delay<Bit, 2>,
    s2_last: Delay<Bit, 2>,
    s3_has_1: DFF<Bit>,
    s3_has_2: Delay<Bit, 3>,
    s3_has_3: Delay<Bit, 3>,
    s3_last: DFF<Bit>,
    s3_more: Delay<Bit, 3>,
    s3_open: Delay<Bit, 3>,
    s3_forget: Delay<Bit, 3>,
    holes: Holes<N>,
    /// What becomes of the beat.
    s3_void: DFF<Bit>,
    s3_unfit: DFF<Bit>,
    taken: Signal<Local, Bit>,
    s4_taken: DFF<Bit>,
    s4_is_beat: DFF<Bit>,
    s4_refused: DFF<Bit>,
    s4_opens: DFF<Bit>,
    s4_ends: DFF<Bit>,
    s4_clears: DFF<Bit>,
    s4_has_1: DFF<Bit>,
    s4_has_2: DFF<Bit>,
    s4_has_3: DFF<Bit>,
    /// In step with the table: what is done.
    late_taken: LateValid<FLAGS>,
    late_is_beat: LateValid<{ FLAGS + 1 }>,
    /// A flow comes to the table of last bytes.
    late_touch: LateValid<5>,
    late_refused: Delay<Bit, { FLAGS + 1 }>,
    late_ends: Delay<Bit, { FLAGS + 1 }>,
    late_opens: Delay<Bit, FLAGS>,
    late_clears: Delay<Bit, FLAGS>,
    adds: Join<TAIL>,
    keeps: Join<TAIL>,
    late_adds: Delay<Bits<TAIL>, FLAGS>,
    late_keeps: Delay<Bits<TAIL>, FLAGS>,
    /// The flow's last bytes, and the beat's.
    tail: TailBytes<N, DATA>,
    memory: Table<KEPT>,
    append: Append,
    /// The beat is taken; what is kept of its flow, and what becomes of that.
    s7_taken: DFF<Bit>,
    s7_before: DFF<Bits<KEPT>>,
    s7_opens: DFF<Bit>,
    /// Nothing is kept of the flow from this beat on.
    s7_clears: DFF<Bit>,
    late_flow: Ring<Bits<FLOW_BITS>, 3>,
    late_data: WideRing<DATA, 3>,
    late_keep: Ring<Bits<N>, 3>,
    prepend: Prepend<N, DATA, M, WIDE>,
    opening: Opening<M, WIDE>,
    /// The beat goes on.
    s8_taken: DFF<Bit>,
    s9_taken: DFF<Bit>,
}

impl<const N: usize, const DATA: usize, const M: usize, const WIDE: usize> Entry<N, DATA, M, WIDE> {
    /// With so many flows.
    pub fn new(flows: usize) -> Self {
        Self {
            last_flow: Constant::new(((flows - 1) as u64).into()),
            s3_valid: LateValid::new(3),
            s3_sweep: LateValid::new(3),
            lane_1: Lane::new(0),
            lane_2: Lane::new(1.min(N - 1)),
            lane_3: Lane::new(2.min(N - 1)),
            top_lane: Lane::new(N - 1),
            can_2: Constant::new(N > 1),
            can_3: Constant::new(N > 2),
            late_taken: LateValid::new(FLAGS),
            late_is_beat: LateValid::new(FLAGS + 1),
            late_touch: LateValid::new(5),
            memory: Table::new(flows),
            late_flow: Ring::new(LATENCY - 1),
            late_data: WideRing::new(LATENCY - 1),
            late_keep: Ring::new(LATENCY - 1),
            clock: blank(),
            reset: blank(),
            valid: blank(),
            data: blank(),
            keep: blank(),
            last: blank(),
            flow: blank(),
            more: blank(),
            open: blank(),
            forget: blank(),
            ready: blank(),
            out_valid: blank(),
            out_data: blank(),
            out_keep: blank(),
            touches: blank(),
            out_flow: blank(),
            is_beat: blank(),
            refused: blank(),
            opens: blank(),
            ends: blank(),
            clears: blank(),
            signature: blank(),
            sweeping: blank(),
            swept: blank(),
            s0_valid: blank(),
            s0_sweep: blank(),
            s0_flow: blank(),
            s0_data: blank(),
            s0_keep: blank(),
            s0_last: blank(),
            s0_more: blank(),
            s0_open: blank(),
            s0_forget: blank(),
            known: blank(),
            s1_known: blank(),
            s1_valid: blank(),
            s1_sweep: blank(),
            s1_flow: blank(),
            s2_known: blank(),
            s2_touch: blank(),
            s2_flow: blank(),
            s2_has_1: blank(),
            s3_has_2: blank(),
            s3_has_3: blank(),
            s2_full: blank(),
            s2_last: blank(),
            s3_more: blank(),
            s3_open: blank(),
            s3_forget: blank(),
            holes: blank(),
            s3_void: blank(),
            s3_unfit: blank(),
            s3_last: blank(),
            taken: blank(),
            s3_has_1: blank(),
            s4_taken: blank(),
            s4_is_beat: blank(),
            s4_refused: blank(),
            s4_opens: blank(),
            s4_ends: blank(),
            s4_clears: blank(),
            s4_has_1: blank(),
            s4_has_2: blank(),
            s4_has_3: blank(),
            late_refused: blank(),
            late_ends: blank(),
            late_opens: blank(),
            late_clears: blank(),
            adds: blank(),
            keeps: blank(),
            late_adds: blank(),
            late_keeps: blank(),
            tail: blank(),
            append: blank(),
            s7_taken: blank(),
            s7_before: blank(),
            s7_opens: blank(),
            s7_clears: blank(),
            prepend: blank(),
            opening: blank(),
            s8_taken: blank(),
            s9_taken: blank(),
        }
    }
}

impl<const N: usize, const DATA: usize, const M: usize, const WIDE: usize> Logic
    for Entry<N, DATA, M, WIDE>
{
    // A branch on a constant goes, a condition with one would stay.
    #[logic]
    fn update(&mut self) {
        dff_setup!(
            self, clock, sweeping, swept, s0_valid, s0_sweep, s0_flow, s0_data, s0_keep, s0_last,
            s0_more, s0_open, s0_forget, s1_known, s1_valid, s1_sweep, s1_flow, s2_known
        );
        dff_setup!(
            self, clock, s2_touch, s2_flow, s3_has_1, s3_last, s3_void, s3_unfit, s4_taken,
            s4_is_beat, s4_refused, s4_opens, s4_ends, s4_clears, s4_has_1, s4_has_2, s4_has_3
        );
        dff_setup!(
            self, clock, s7_taken, s7_before, s7_opens, s7_clears, s8_taken, s9_taken
        );
        self.s3_valid.clock.next = self.clock.val();
        self.s3_sweep.clock.next = self.clock.val();
        self.s2_has_1.clock.next = self.clock.val();
        self.s3_has_2.clock.next = self.clock.val();
        self.s3_has_3.clock.next = self.clock.val();
        self.s2_full.clock.next = self.clock.val();
        self.s2_last.clock.next = self.clock.val();
        self.s3_more.clock.next = self.clock.val();
        self.s3_open.clock.next = self.clock.val();
        self.s3_forget.clock.next = self.clock.val();
        self.holes.clock.next = self.clock.val();
        self.late_taken.clock.next = self.clock.val();
        self.late_is_beat.clock.next = self.clock.val();
        self.late_touch.clock.next = self.clock.val();
        self.late_refused.clock.next = self.clock.val();
        self.late_ends.clock.next = self.clock.val();
        self.late_opens.clock.next = self.clock.val();
        self.late_clears.clock.next = self.clock.val();
        self.late_adds.clock.next = self.clock.val();
        self.late_keeps.clock.next = self.clock.val();
        self.tail.clock.next = self.clock.val();
        self.memory.clock.next = self.clock.val();
        self.late_flow.clock.next = self.clock.val();
        self.late_data.clock.next = self.clock.val();
        self.late_keep.clock.next = self.clock.val();
        self.opening.clock.next = self.clock.val();
        self.s3_valid.reset.next = self.reset.val();
        self.s3_sweep.reset.next = self.reset.val();
        self.late_taken.reset.next = self.reset.val();
        self.late_is_beat.reset.next = self.reset.val();
        self.late_touch.reset.next = self.reset.val();
        self.memory.reset.next = self.reset.val();
        self.late_flow.reset.next = self.reset.val();
        self.late_data.reset.next = self.reset.val();
        self.late_keep.reset.next = self.reset.val();

        // After a reset a flow is forgotten in every clock, as if beats said so.
        if self.sweeping.q.val() {
            self.swept.d.next = self.swept.q.val() + 1;
            if self.swept.q.val() == self.last_flow.val() {
                self.sweeping.d.next = false;
            }
        }
        if self.reset.val() {
            self.sweeping.d.next = true;
            self.swept.d.next = 0.into();
        }
        self.ready.next = !self.sweeping.q.val();

        self.s0_valid.d.next = self.valid.val() & !self.sweeping.q.val() & !self.reset.val();
        self.s0_sweep.d.next = self.sweeping.q.val() & !self.reset.val();
        if self.sweeping.q.val() {
            self.s0_flow.d.next = self.swept.q.val();
        } else {
            self.s0_flow.d.next = self.flow.val();
        }
        self.s0_data.d.next = self.data.val();
        self.s0_keep.d.next = self.keep.val();
        self.s0_last.d.next = self.last.val();
        self.s0_more.d.next = self.more.val();
        self.s0_open.d.next = self.open.val();
        self.s0_forget.d.next = self.forget.val();

        self.known.next = self.s0_flow.q.val() <= self.last_flow.val();
        self.s1_known.d.next = self.known.val();
        self.s1_valid.d.next = self.s0_valid.q.val();
        self.s1_sweep.d.next = self.s0_sweep.q.val();
        self.s1_flow.d.next = self.s0_flow.q.val();
        self.s2_known.d.next = self.s1_known.q.val();
        self.s2_touch.d.next =
            self.s1_sweep.q.val() | (self.s1_valid.q.val() & self.s1_known.q.val());
        self.s2_flow.d.next = self.s1_flow.q.val();
        if self.reset.val() {
            self.s1_valid.d.next = false;
            self.s1_sweep.d.next = false;
            self.s2_touch.d.next = false;
        }
        self.s3_valid.x.next = self.s0_valid.q.val();
        self.s3_sweep.x.next = self.s0_sweep.q.val();
        self.lane_1.x.next = self.s0_keep.q.val();
        self.lane_2.x.next = self.s0_keep.q.val();
        self.lane_3.x.next = self.s0_keep.q.val();
        self.top_lane.x.next = self.s0_keep.q.val();
        self.s2_has_1.x.next = self.lane_1.y.val();
        if self.can_2.val() {
            self.s3_has_2.x.next = self.lane_2.y.val();
        } else {
            self.s3_has_2.x.next = false;
        }
        if self.can_3.val() {
            self.s3_has_3.x.next = self.lane_3.y.val();
        } else {
            self.s3_has_3.x.next = false;
        }
        self.s2_full.x.next = self.top_lane.y.val();
        self.s2_last.x.next = self.s0_last.q.val();
        self.s3_more.x.next = self.s0_more.q.val();
        self.s3_open.x.next = self.s0_open.q.val();
        self.s3_forget.x.next = self.s0_forget.q.val();
        self.holes.keep.next = self.s0_keep.q.val();

        // A beat that has no byte and ends no packet is no beat. One whose lanes cannot be, or of no flow, is refused.
        self.s3_void.d.next = !self.s2_last.y.val() & !self.s2_has_1.y.val() & !self.holes.y.val();
        self.s3_unfit.d.next = self.holes.y.val()
            | (!self.s2_last.y.val() & !self.s2_full.y.val())
            | !self.s2_known.q.val();
        self.s3_has_1.d.next = self.s2_has_1.y.val();
        self.s3_last.d.next = self.s2_last.y.val();
        self.taken.next = self.s3_valid.y.val() & !self.s3_void.q.val() & !self.s3_unfit.q.val();
        self.s4_taken.d.next = self.taken.val();
        self.s4_is_beat.d.next = self.s3_valid.y.val() & !self.s3_void.q.val();
        self.s4_refused.d.next = self.s3_unfit.q.val();
        self.s4_opens.d.next = self.taken.val() & self.s3_open.y.val();
        self.s4_ends.d.next = self.taken.val()
            & self.s3_last.q.val()
            & !self.s3_more.y.val()
            & !self.s3_forget.y.val();
        self.s4_clears.d.next = self.s3_sweep.y.val()
            | (self.taken.val()
                & (self.s3_forget.y.val() | (self.s3_last.q.val() & !self.s3_more.y.val())));
        self.s4_has_1.d.next = self.taken.val() & self.s3_has_1.q.val();
        self.s4_has_2.d.next = self.taken.val() & self.s3_has_2.y.val();
        self.s4_has_3.d.next = self.taken.val() & self.s3_has_3.y.val();
        if self.reset.val() {
            self.s4_taken.d.next = false;
            self.s4_is_beat.d.next = false;
        }
        self.late_taken.x.next = self.s4_taken.q.val();
        self.late_is_beat.x.next = self.s4_is_beat.q.val();
        self.late_touch.x.next = self.s2_touch.q.val();
        self.late_refused.x.next = self.s4_refused.q.val();
        self.late_ends.x.next = self.s4_ends.q.val();
        self.late_opens.x.next = self.s4_opens.q.val();
        self.late_clears.x.next = self.s4_clears.q.val();
        for i in 0..1 {
            self.adds.x[i].next = self.s4_has_1.q.val() & !self.s4_clears.q.val();
            self.keeps.x[i].next =
                !self.s4_has_1.q.val() & !self.s4_opens.q.val() & !self.s4_clears.q.val();
        }
        for i in 1..2 {
            self.adds.x[i].next = self.s4_has_2.q.val() & !self.s4_clears.q.val();
            self.keeps.x[i].next = self.s4_has_1.q.val()
                & !self.s4_has_2.q.val()
                & !self.s4_opens.q.val()
                & !self.s4_clears.q.val();
        }
        for i in 2..3 {
            self.adds.x[i].next = self.s4_has_3.q.val() & !self.s4_clears.q.val();
            self.keeps.x[i].next = self.s4_has_2.q.val()
                & !self.s4_has_3.q.val()
                & !self.s4_opens.q.val()
                & !self.s4_clears.q.val();
        }
        self.late_adds.x.next = self.adds.y.val();
        self.late_keeps.x.next = self.keeps.y.val();

        self.tail.data.next = self.s0_data.q.val();
        self.tail.keep.next = self.s0_keep.q.val();
        self.memory.touch.next = self.s2_touch.q.val();
        self.memory.flow.next = self.s2_flow.q.val();
        self.append.kept.next = self.memory.state.val();
        self.append.tail.next = self.tail.y.val();
        self.append.adds.next = self.late_adds.y.val();
        self.append.keeps.next = self.late_keeps.y.val();
        self.memory.result.next = self.append.y.val();
        // What was read for no beat may be anything.
        self.s7_before.d.next = 0.into();
        if self.late_taken.y.val() & !self.late_opens.y.val() {
            self.s7_before.d.next = self.memory.state.val();
        }
        self.s7_taken.d.next = self.late_taken.y.val() & !self.reset.val();
        self.s7_opens.d.next = self.late_opens.y.val();
        self.s7_clears.d.next = self.late_clears.y.val();

        self.late_flow.x.next = self.s0_flow.q.val();
        self.late_data.x.next = self.s0_data.q.val();
        self.late_keep.x.next = self.s0_keep.q.val();
        self.prepend.kept.next = self.s7_before.q.val();
        self.prepend.data.next = self.late_data.y.val();
        self.prepend.keep.next = self.late_keep.y.val();
        self.opening.data.next = self.prepend.out_data.val();
        self.opening.keep.next = self.prepend.out_keep.val();
        self.s8_taken.d.next = self.s7_taken.q.val();
        self.s9_taken.d.next = self.s8_taken.q.val();

        self.out_valid.next = self.s7_taken.q.val();
        self.out_data.next = self.prepend.out_data.val();
        self.out_keep.next = self.prepend.out_keep.val();
        self.touches.next = self.late_touch.y.val();
        self.out_flow.next = self.late_flow.y.val();
        self.is_beat.next = self.late_is_beat.y.val();
        self.refused.next = self.late_refused.y.val();
        self.opens.next = self.s7_opens.q.val();
        self.ends.next = self.late_ends.y.val();
        self.clears.next = self.s7_clears.q.val();
        self.signature.next = self.opening.y.val() & self.s9_taken.q.val();
    }
}
