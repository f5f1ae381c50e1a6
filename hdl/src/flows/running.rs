//! The verdict of each flow's message so far, in a table.
//!
//! # Latency
//! [`LATENCY`] clocks from a beat's sums, a beat in every clock.
//!
//! # Reset
//! What marks beats; the flows are cleared by whoever goes through all of them after a reset.

use super::table::{FLOW_BITS, Table};
use crate::layout::VERDICT_BITS;
use crate::primitives::wires::{Join, from_bits};
use crate::validate::fields::PackVerdict;
use rust_hdl::prelude::*;

/// Clocks from a beat's sums to its verdict on the output registers.
pub const LATENCY: usize = 2;

/// Bits of a counter, with the one that says that it has saturated.
const TOTAL: usize = 33;
/// Bits that are kept of a flow: four counters, bad, kind, error_len, signature.
const KEPT: usize = 4 * TOTAL + 7;

/// What is kept of a flow in one vector.
#[derive(LogicBlock, Default)]
pub struct PackKept {
    pub bytes: Signal<In, Bits<TOTAL>>,
    pub valid_up_to: Signal<In, Bits<TOTAL>>,
    pub scalars: Signal<In, Bits<TOTAL>>,
    pub ill_formed: Signal<In, Bits<TOTAL>>,
    pub bad: Signal<In, Bit>,
    pub kind: Signal<In, Bits<3>>,
    pub error_len: Signal<In, Bits<2>>,
    pub signature: Signal<In, Bit>,
    pub y: Signal<Out, Bits<KEPT>>,
}

impl Logic for PackKept {
    fn update(&mut self) {
        let totals = [
            self.bytes.val(),
            self.valid_up_to.val(),
            self.scalars.val(),
            self.ill_formed.val(),
        ];
        let rest = u64::from(self.bad.val())
            | self.kind.val().to_u64() << 1
            | self.error_len.val().to_u64() << 4
            | u64::from(self.signature.val()) << 6;
        self.y.next = from_bits(|bit| match totals.get(bit / TOTAL) {
            Some(total) => total.get_bit(bit % TOTAL),
            None => rest >> (bit - 4 * TOTAL) & 1 == 1,
        });
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "assign y = {signature, error_len, kind, bad, ill_formed, scalars, valid_up_to, bytes};\n"
                .to_string(),
        )
    }
}

/// A total and what a beat adds to it, a count that saturates.
#[derive(LogicBlock)]
pub struct Add {
    pub total: Signal<In, Bits<TOTAL>>,
    pub number: Signal<In, Bits<8>>,
    pub y: Signal<Out, Bits<TOTAL>>,
    _width: usize,
}

impl Add {
    /// Of so many bits, 8 to 32.
    pub fn new(width: usize) -> Self {
        Self {
            total: Default::default(),
            number: Default::default(),
            y: Default::default(),
            _width: width,
        }
    }
}

impl Logic for Add {
    fn update(&mut self) {
        let total = self.total.val().to_u64();
        let saturated = total >> (TOTAL - 1);
        let counter = total & ((1 << self._width) - 1);
        let sum = counter + self.number.val().to_u64();
        let over = saturated | sum >> self._width;
        self.y.next = (over << (TOTAL - 1) | sum & ((1 << self._width) - 1)).into();
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let width = self._width;
        let fill = TOTAL - 1 - width;
        let (unused, zeros) = if fill == 0 {
            (String::new(), String::new())
        } else {
            (
                format!(
                    "wire [{}:0] unused = total[{}:{width}];\n",
                    fill - 1,
                    TOTAL - 2
                ),
                format!("{fill}'h0, "),
            )
        };
        Verilog::Custom(format!(
            "{unused}wire [{width}:0] sum = {{1'b0, total[{top}:0]}} + {{{pad}'h0, number}};\n\
             assign y = {{total[32] | sum[{width}], {zeros}sum[{top}:0]}};\n",
            top = width - 1,
            pad = width + 1 - 8,
        ))
    }
}

/// A total as a verdict shows it: all ones if it has saturated.
#[derive(LogicBlock)]
pub struct Show {
    pub clock: Signal<In, Clock>,
    pub shows: Signal<In, Bit>,
    pub total: Signal<In, Bits<TOTAL>>,
    pub y: Signal<Out, Bits<32>>,
    pub saturated: Signal<Out, Bit>,
    most: Constant<Bits<32>>,
    shown: DFF<Bits<32>>,
    over: DFF<Bit>,
    counter: Signal<Local, Bits<32>>,
    is_over: Signal<Local, Bit>,
}

impl Show {
    /// Of so many bits.
    pub fn new(width: usize) -> Self {
        Self {
            most: Constant::new(((1_u64 << width) - 1).into()),
            clock: Default::default(),
            shows: Default::default(),
            total: Default::default(),
            y: Default::default(),
            saturated: Default::default(),
            shown: Default::default(),
            over: Default::default(),
            counter: Default::default(),
            is_over: Default::default(),
        }
    }
}

impl Logic for Show {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, shown, over);
        self.counter.next = self.total.val().get_bits::<32>(0);
        self.is_over.next = self.total.val().get_bit(32);
        self.shown.d.next = 0.into();
        self.over.d.next = false;
        if self.shows.val() {
            self.over.d.next = self.is_over.val();
            if self.is_over.val() {
                self.shown.d.next = self.most.val();
            } else {
                self.shown.d.next = self.counter.val();
            }
        }
        self.y.next = self.shown.q.val();
        self.saturated.next = self.over.q.val();
    }
}

/// Sums of beats in; verdicts, and what is known of each beat's flow, out.
#[derive(LogicBlock)]
pub struct Running {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// [`super::table::READ_LATENCY`] clocks before the sums: a flow comes.
    pub touch: Signal<In, Bit>,
    pub flow: Signal<In, Bits<FLOW_BITS>>,
    /// As [`super::entry::Entry`] has them.
    pub is_beat: Signal<In, Bit>,
    pub refused: Signal<In, Bit>,
    pub opens: Signal<In, Bit>,
    pub ends: Signal<In, Bit>,
    pub clears: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    /// As [`super::sums::Sums`] has them.
    pub bytes: Signal<In, Bits<8>>,
    pub scalars: Signal<In, Bits<8>>,
    pub ill_formed: Signal<In, Bits<8>>,
    pub valid_up_to: Signal<In, Bits<8>>,
    pub bad: Signal<In, Bit>,
    pub kind: Signal<In, Bits<3>>,
    pub error_len: Signal<In, Bits<2>>,

    /// There was a beat; it was refused, or its flow's message is ill-formed so far.
    pub out_is_beat: Signal<Out, Bit>,
    pub out_refused: Signal<Out, Bit>,
    pub out_bad: Signal<Out, Bit>,
    /// Its message ends with it; the fields of the verdict, zero otherwise.
    pub out_valid: Signal<Out, Bit>,
    pub fields: Signal<Out, Bits<VERDICT_BITS>>,
    /// The two will be so in the next clock.
    pub due_beat: Signal<Out, Bit>,
    pub due: Signal<Out, Bit>,

    memory: Table<KEPT>,
    kept: Signal<Local, Bits<KEPT>>,
    was_bad: Signal<Local, Bit>,
    is_bad: Signal<Local, Bit>,
    valid_up_to_more: Signal<Local, Bits<8>>,
    add_bytes: Add,
    add_valid_up_to: Add,
    add_scalars: Add,
    add_ill_formed: Add,
    new_kind: Signal<Local, Bits<3>>,
    new_error_len: Signal<Local, Bits<2>>,
    new_signature: Signal<Local, Bit>,
    pack_kept: PackKept,

    n_is_beat: DFF<Bit>,
    n_refused: DFF<Bit>,
    n_ends: DFF<Bit>,
    n_bytes: DFF<Bits<TOTAL>>,
    n_valid_up_to: DFF<Bits<TOTAL>>,
    n_scalars: DFF<Bits<TOTAL>>,
    n_ill_formed: DFF<Bits<TOTAL>>,
    n_bad: DFF<Bit>,
    n_kind: DFF<Bits<3>>,
    n_error_len: DFF<Bits<2>>,
    n_signature: DFF<Bit>,

    shows_bad: DFF<Bit>,
    shows_refused: DFF<Bit>,
    shows_beat: DFF<Bit>,
    shows: DFF<Bit>,
    show_bytes: Show,
    show_valid_up_to: Show,
    show_scalars: Show,
    show_ill_formed: Show,
    shown_well_formed: DFF<Bit>,
    shown_kind: DFF<Bits<3>>,
    shown_error_len: DFF<Bits<2>>,
    shown_signature: DFF<Bit>,
    saturated: Join<4>,
    pack: PackVerdict,
}

impl Running {
    /// With so many flows, and counters of so many bits.
    pub fn new(flows: usize, counter_width: usize) -> Self {
        Self {
            memory: Table::new(flows),
            add_bytes: Add::new(counter_width),
            add_valid_up_to: Add::new(counter_width),
            add_scalars: Add::new(counter_width),
            add_ill_formed: Add::new(counter_width),
            show_bytes: Show::new(counter_width),
            show_valid_up_to: Show::new(counter_width),
            show_scalars: Show::new(counter_width),
            show_ill_formed: Show::new(counter_width),
            clock: Default::default(),
            reset: Default::default(),
            touch: Default::default(),
            flow: Default::default(),
            is_beat: Default::default(),
            refused: Default::default(),
            opens: Default::default(),
            ends: Default::default(),
            clears: Default::default(),
            signature: Default::default(),
            bytes: Default::default(),
            scalars: Default::default(),
            ill_formed: Default::default(),
            valid_up_to: Default::default(),
            bad: Default::default(),
            kind: Default::default(),
            error_len: Default::default(),
            out_is_beat: Default::default(),
            out_refused: Default::default(),
            out_bad: Default::default(),
            out_valid: Default::default(),
            fields: Default::default(),
            due_beat: Default::default(),
            due: Default::default(),
            kept: Default::default(),
            was_bad: Default::default(),
            is_bad: Default::default(),
            valid_up_to_more: Default::default(),
            new_kind: Default::default(),
            new_error_len: Default::default(),
            new_signature: Default::default(),
            pack_kept: Default::default(),
            n_is_beat: Default::default(),
            n_refused: Default::default(),
            n_ends: Default::default(),
            n_bytes: Default::default(),
            n_valid_up_to: Default::default(),
            n_scalars: Default::default(),
            n_ill_formed: Default::default(),
            n_bad: Default::default(),
            n_kind: Default::default(),
            n_error_len: Default::default(),
            n_signature: Default::default(),
            shows_bad: Default::default(),
            shows_refused: Default::default(),
            shows_beat: Default::default(),
            shows: Default::default(),
            shown_well_formed: Default::default(),
            shown_kind: Default::default(),
            shown_error_len: Default::default(),
            shown_signature: Default::default(),
            saturated: Default::default(),
            pack: Default::default(),
        }
    }
}

impl Logic for Running {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            n_is_beat,
            n_refused,
            n_ends,
            n_bytes,
            n_valid_up_to,
            n_scalars,
            n_ill_formed,
            n_bad,
            n_kind,
            n_error_len,
            n_signature,
            shows_bad,
            shows_refused,
            shows_beat,
            shows,
            shown_well_formed,
            shown_kind,
            shown_error_len
        );
        dff_setup!(self, clock, shown_signature);
        self.memory.clock.next = self.clock.val();
        self.memory.reset.next = self.reset.val();
        self.show_bytes.clock.next = self.clock.val();
        self.show_valid_up_to.clock.next = self.clock.val();
        self.show_scalars.clock.next = self.clock.val();
        self.show_ill_formed.clock.next = self.clock.val();

        self.memory.touch.next = self.touch.val();
        self.memory.flow.next = self.flow.val();
        if self.opens.val() {
            self.kept.next = 0.into();
        } else {
            self.kept.next = self.memory.state.val();
        }
        self.was_bad.next = self.kept.val().get_bit(132);
        // Nothing is added to valid_up_to after the message's first ill-formed piece.
        if self.was_bad.val() {
            self.valid_up_to_more.next = 0.into();
            self.new_kind.next = self.kept.val().get_bits::<3>(133);
            self.new_error_len.next = self.kept.val().get_bits::<2>(136);
        } else if self.bad.val() {
            self.valid_up_to_more.next = self.valid_up_to.val();
            self.new_kind.next = self.kind.val();
            self.new_error_len.next = self.error_len.val();
        } else {
            self.valid_up_to_more.next = self.valid_up_to.val();
            self.new_kind.next = 0.into();
            self.new_error_len.next = 0.into();
        }
        self.is_bad.next = self.was_bad.val() | self.bad.val();
        self.new_signature.next = self.kept.val().get_bit(138) | self.signature.val();
        self.add_bytes.total.next = self.kept.val().get_bits::<33>(0);
        self.add_bytes.number.next = self.bytes.val();
        self.add_valid_up_to.total.next = self.kept.val().get_bits::<33>(33);
        self.add_valid_up_to.number.next = self.valid_up_to_more.val();
        self.add_scalars.total.next = self.kept.val().get_bits::<33>(66);
        self.add_scalars.number.next = self.scalars.val();
        self.add_ill_formed.total.next = self.kept.val().get_bits::<33>(99);
        self.add_ill_formed.number.next = self.ill_formed.val();
        self.pack_kept.bytes.next = self.add_bytes.y.val();
        self.pack_kept.valid_up_to.next = self.add_valid_up_to.y.val();
        self.pack_kept.scalars.next = self.add_scalars.y.val();
        self.pack_kept.ill_formed.next = self.add_ill_formed.y.val();
        self.pack_kept.bad.next = self.is_bad.val();
        self.pack_kept.kind.next = self.new_kind.val();
        self.pack_kept.error_len.next = self.new_error_len.val();
        self.pack_kept.signature.next = self.new_signature.val();
        if self.clears.val() {
            self.memory.result.next = 0.into();
        } else {
            self.memory.result.next = self.pack_kept.y.val();
        }

        self.n_is_beat.d.next = self.is_beat.val() & !self.reset.val();
        self.n_refused.d.next = self.refused.val();
        self.n_ends.d.next = self.ends.val() & self.is_beat.val() & !self.reset.val();
        self.n_bytes.d.next = self.add_bytes.y.val();
        self.n_valid_up_to.d.next = self.add_valid_up_to.y.val();
        self.n_scalars.d.next = self.add_scalars.y.val();
        self.n_ill_formed.d.next = self.add_ill_formed.y.val();
        self.n_bad.d.next = self.is_bad.val();
        self.n_kind.d.next = self.new_kind.val();
        self.n_error_len.d.next = self.new_error_len.val();
        self.n_signature.d.next = self.new_signature.val();
        self.due_beat.next = self.n_is_beat.q.val();
        self.due.next = self.n_ends.q.val();

        self.shows_beat.d.next = self.n_is_beat.q.val() & !self.reset.val();
        self.shows.d.next = self.n_ends.q.val() & !self.reset.val();
        self.shows_refused.d.next = false;
        self.shows_bad.d.next = false;
        if self.n_is_beat.q.val() {
            self.shows_refused.d.next = self.n_refused.q.val();
            if !self.n_refused.q.val() {
                self.shows_bad.d.next = self.n_bad.q.val();
            }
        }
        self.show_bytes.shows.next = self.n_ends.q.val();
        self.show_bytes.total.next = self.n_bytes.q.val();
        self.show_valid_up_to.shows.next = self.n_ends.q.val();
        self.show_valid_up_to.total.next = self.n_valid_up_to.q.val();
        self.show_scalars.shows.next = self.n_ends.q.val();
        self.show_scalars.total.next = self.n_scalars.q.val();
        self.show_ill_formed.shows.next = self.n_ends.q.val();
        self.show_ill_formed.total.next = self.n_ill_formed.q.val();
        self.shown_well_formed.d.next = false;
        self.shown_kind.d.next = 0.into();
        self.shown_error_len.d.next = 0.into();
        self.shown_signature.d.next = false;
        if self.n_ends.q.val() {
            self.shown_well_formed.d.next = !self.n_bad.q.val();
            self.shown_kind.d.next = self.n_kind.q.val();
            self.shown_error_len.d.next = self.n_error_len.q.val();
            self.shown_signature.d.next = self.n_signature.q.val();
        }
        for i in 0..1 {
            self.saturated.x[i].next = self.show_bytes.saturated.val();
        }
        for i in 1..2 {
            self.saturated.x[i].next = self.show_valid_up_to.saturated.val();
        }
        for i in 2..3 {
            self.saturated.x[i].next = self.show_scalars.saturated.val();
        }
        for i in 3..4 {
            self.saturated.x[i].next = self.show_ill_formed.saturated.val();
        }
        self.pack.bytes.next = self.show_bytes.y.val();
        self.pack.valid_up_to.next = self.show_valid_up_to.y.val();
        self.pack.scalars.next = self.show_scalars.y.val();
        self.pack.ill_formed.next = self.show_ill_formed.y.val();
        self.pack.well_formed.next = self.shown_well_formed.q.val();
        self.pack.signature.next = self.shown_signature.q.val();
        self.pack.kind.next = self.shown_kind.q.val();
        self.pack.error_len.next = self.shown_error_len.q.val();
        self.pack.saturated.next = self.saturated.y.val();

        self.out_is_beat.next = self.shows_beat.q.val();
        self.out_refused.next = self.shows_refused.q.val();
        self.out_bad.next = self.shows_bad.q.val();
        self.out_valid.next = self.shows.q.val();
        self.fields.next = self.pack.fields.val();
    }
}
