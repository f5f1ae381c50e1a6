//! The fields of a verdict, of packets as of messages, in one vector.

use crate::layout::{FORBID_VERDICT_BITS, VERDICT_BITS};
use crate::verilog::{Body, Run, concat, name, zero};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// The fields of a verdict as one vector, in the places that [`crate::layout::VERDICT`] lists.
#[derive(Block, Blank, Described)]
pub struct PackVerdict {
    pub bytes: Signal<In, Bits<32>>,
    pub valid_up_to: Signal<In, Bits<32>>,
    pub scalars: Signal<In, Bits<32>>,
    pub ill_formed: Signal<In, Bits<32>>,
    pub well_formed: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    pub kind: Signal<In, Bits<3>>,
    pub error_len: Signal<In, Bits<2>>,
    /// Its bit 2.
    pub error_is_long: Signal<In, Bit>,
    /// With open edges: the bytes before the first boundary, and of the sequence that the end cuts.
    pub edges: Signal<In, Bits<4>>,
    pub saturated: Signal<In, Bits<4>>,
    /// With a policy: the packet is ill-formed, or against it. With forbidden classes: those that it has, and whether the end of the
    /// first such scalar value did not fit its counter.
    pub bad: Signal<In, Bit>,
    pub forbidden: Signal<In, Bits<8>>,
    pub forbidden_saturated: Signal<In, Bit>,
    pub fields: Signal<Out, Bits<VERDICT_BITS>>,
    _run: Run,
}

impl PackVerdict {
    fn body(&self, body: Body) -> Body {
        let fields = concat([
            name("bytes"),
            name("valid_up_to"),
            name("scalars"),
            name("ill_formed"),
            name("well_formed"),
            name("signature"),
            zero(1),
            name("bad"),
            name("kind"),
            zero(1),
            name("error_len"),
            name("error_is_long"),
            zero(1),
            name("edges"),
            name("saturated"),
            name("forbidden_saturated"),
            zero(3),
            name("forbidden"),
        ]);
        body.assign("fields", fields)
    }
}

/// A verdict with its word of what is forbidden.
#[derive(Block, Blank, Described)]
pub struct PackForbidden {
    pub verdict: Signal<In, Bits<VERDICT_BITS>>,
    pub forbidden_end: Signal<In, Bits<32>>,
    pub fields: Signal<Out, Bits<FORBID_VERDICT_BITS>>,
    _run: Run,
}

impl PackForbidden {
    fn body(&self, body: Body) -> Body {
        body.assign("fields", concat([name("verdict"), name("forbidden_end")]))
    }
}
