//! The verdict of each flow's message so far, in tables.
//!
//! Whether a message is bad, and whether it begins, is known before its counts are, and has a table of its own: so nothing of that
//! has to be decided in the same clock in which they are added up.
//!
//! # Latency
//! [`LATENCY`] clocks from a beat's sums, a beat in every clock.
//!
//! # Reset
//! What marks beats; the flows are cleared by whoever goes through all of them after a reset.

use super::sums::BAD_AHEAD;
use super::table::{READ_LATENCY, Table};
use super::totals::{self, PackNumbers, Totals};
use crate::layout::FLOW_BITS;
use crate::layout::VERDICT_BITS;
use crate::primitives::Cuts;
use crate::validate::fields::PackVerdict;
use crate::verilog::{Body, Run, concat, name, one};
use hdl_macros::{Blank, Block, Described, stages};
use rust_hdl::prelude::*;

/// Clocks from a beat's sums to its verdict on the output registers.
pub const LATENCY: usize = totals::LATENCY;

/// Bits of a flow's fault: bad, kind, error_len, signature, and whether its counts have begun.
const FAULT: usize = 8;
const _: () = assert!(READ_LATENCY == 4 && 6 - 4 == BAD_AHEAD && 11 - 6 == LATENCY);

/// What is kept of a flow whose counts have begun, beside these, in one vector.
#[derive(Block, Blank, Described)]
pub struct PackFault {
    pub bad: Signal<In, Bit>,
    pub kind: Signal<In, Bits<3>>,
    pub error_len: Signal<In, Bits<2>>,
    pub signature: Signal<In, Bit>,
    pub y: Signal<Out, Bits<FAULT>>,
    _run: Run,
}

impl PackFault {
    fn body(&self, body: Body) -> Body {
        let [bad, kind, error_len, signature] = ["bad", "kind", "error_len", "signature"].map(name);
        let fault = concat([bad, kind, error_len, signature, one()]);
        body.assign("y", fault)
    }
}

stages! {
    /// Keeps what is known of each flow's message, and gives the verdicts.
    pub block Running {
        given flows: usize;
        given counter_width: usize;

        in reset: Bit;
        /// A flow comes, and which.
        in touch: Bit @ 0;
        in flow: Bits<FLOW_BITS> @ 0;
        /// There is a beat; it is refused; its message begins anew before it, or ends with it; nothing is kept of the flow after it; its
        /// message begins with a signature.
        in is_beat, refused, opens, ends, clears, signature: Bit @ 4;
        /// The beat makes its message bad; kind and length of its first ill-formed piece.
        in bad: Bit @ 4;
        in kind: Bits<3> @ 4;
        in error_len: Bits<2> @ 4;
        /// Its sums.
        in bytes, scalars, ill_formed, valid_up_to: Bits<8> @ 6;

        stage 1 "a flow comes" {
            /// A flow comes.
            mark touch: Bit = touch;
        }

        stage 4 "what is kept of its message" {
            part faults: Table<FAULT>(Cuts::ALL, flows) = {
                reset,
                touch: touch.at(0),
                flow: flow.at(0),
                result: new_fault.at(4),
            };
        }

        stage 5 "the message's fault, of which the first stays" {
            let fault: Bits<FAULT> = if opens { 0 } else { faults.state };
            /// The message's counts begin with the beat; it was bad before, and is now.
            let begins: Bit = !fault.get_bit(7);
            let had_bad: Bit = fault.get_bit(0);
            let is_bad: Bit = had_bad | bad;
            let new_kind: Bits<3> =
                if had_bad { fault.get_bits::<3>(1) } else if bad { kind } else { 0 };
            let new_error_len: Bits<2> =
                if had_bad { fault.get_bits::<2>(4) } else if bad { error_len } else { 0 };
            let new_signature: Bit = fault.get_bit(6) | signature;
            wires pack_fault: PackFault = {
                bad: is_bad,
                kind: new_kind,
                error_len: new_error_len,
                signature: new_signature,
            };
            let new_fault: Bits<FAULT> = if clears { 0 } else { pack_fault };
            /// The message was bad before the beat.
            was_bad: Bit = had_bad;
            /// There is a beat; it ends its message.
            mark is_beat: Bit = is_beat;
            mark ends: Bit = ends & is_beat;
        }

        stage 7 "the numbers in one vector" {
            wires pack_numbers: PackNumbers = { bytes, valid_up_to, scalars, ill_formed };
        }

        stage 10 "whether there is a verdict in the next clock" {
            /// There is none: a register of its own for all that it clears.
            hides: Bit = !ends | reset;
        }

        stage 11 "the outputs" {
            part totals: Totals(Cuts::ALL, flows, counter_width) = {
                reset,
                touch: touch.at(2),
                flow: flow.at(2),
                begins: begins.at(6),
                numbers: pack_numbers.at(6),
                hides,
            };
            shows_refused: Bit = is_beat & refused;
            shows_bad: Bit = is_beat & !refused & is_bad;
            well_formed: Bit = ends & !is_bad;
            kind: Bits<3> = if ends { new_kind } else { 0 };
            error_len: Bits<2> = if ends { new_error_len } else { 0 };
            signature: Bit = ends & new_signature;
        }

        stage 12 "the verdict in one vector" {
            wires pack: PackVerdict = {
                bytes: totals.y.get_bits::<32>(0),
                valid_up_to: totals.y.get_bits::<32>(32),
                scalars: totals.y.get_bits::<32>(64),
                ill_formed: totals.y.get_bits::<32>(96),
                well_formed,
                signature,
                unjudged: false,
                kind,
                error_len,
                error_is_long: false,
                saturated: totals.saturated,
                edges: 0,
                bad: false,
                forbidden: 0,
                forbidden_saturated: false,
                ascii_saturated: false,
                units_saturated: false,
                width_class: 0,
            };
        }

        /// The message was bad before the beat.
        out was_bad: Bit @ 5;
        /// In the next clock there is a beat that is known, and a verdict.
        out due_beat: Bit = is_beat @ 10;
        out due: Bit = ends @ 10;
        /// There was a beat; it was refused, or its flow's message is ill-formed so far.
        out out_is_beat: Bit = is_beat @ 11;
        out out_refused: Bit = shows_refused @ 11;
        out out_bad: Bit = shows_bad @ 11;
        /// Its message ends with it; the fields of the verdict, zero otherwise.
        out out_valid: Bit = ends @ 11;
        out fields: Bits<VERDICT_BITS> = pack.fields @ 11;
    }
}
