//! The fields of a verdict, of packets as of messages, in one vector.

use crate::layout::{FURTHER_BITS, VERDICT_BITS};
use crate::verilog::{Body, Run, bits, concat, name, zero};
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
    /// With a window: the packet is not judged, and `edges` says why.
    pub unjudged: Signal<In, Bit>,
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
    /// In a full verdict: which counts did not fit, and the class of the greatest scalar value.
    pub ascii_saturated: Signal<In, Bit>,
    pub units_saturated: Signal<In, Bit>,
    pub width_class: Signal<In, Bits<3>>,
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
            name("unjudged"),
            name("bad"),
            name("kind"),
            name("ascii_saturated"),
            name("error_len"),
            name("error_is_long"),
            name("units_saturated"),
            name("edges"),
            name("saturated"),
            name("forbidden_saturated"),
            name("width_class"),
            name("forbidden"),
        ]);
        body.assign("fields", fields)
    }
}

/// What comes after a verdict's first words, as [`crate::layout::VERDICT`] lists it.
#[derive(Block, Blank, Described)]
pub struct PackFurther {
    pub forbidden_end: Signal<In, Bits<32>>,
    pub ascii: Signal<In, Bits<32>>,
    pub units: Signal<In, Bits<32>>,
    pub fields: Signal<Out, Bits<FURTHER_BITS>>,
    _run: Run,
}

impl PackFurther {
    fn body(&self, body: Body) -> Body {
        let fields = concat([name("forbidden_end"), name("ascii"), name("units")]);
        body.assign("fields", fields)
    }
}

/// A verdict with as many of its further words as `W` bits have.
#[derive(Block, Blank, Described)]
pub struct Lengthen<const W: usize> {
    pub verdict: Signal<In, Bits<VERDICT_BITS>>,
    pub further: Signal<In, Bits<FURTHER_BITS>>,
    pub fields: Signal<Out, Bits<W>>,
    _run: Run,
}

impl<const W: usize> Lengthen<W> {
    fn body(&self, body: Body) -> Body {
        let further = bits("further", 0, W - VERDICT_BITS);
        body.assign("fields", concat([name("verdict"), further]))
    }
}

/// The same, apart again; words that it does not have are zero.
#[derive(Block, Blank, Described)]
pub struct Shorten<const W: usize> {
    pub fields: Signal<In, Bits<W>>,
    pub verdict: Signal<Out, Bits<VERDICT_BITS>>,
    pub further: Signal<Out, Bits<FURTHER_BITS>>,
    _run: Run,
}

impl<const W: usize> Shorten<W> {
    fn body(&self, body: Body) -> Body {
        let more = W - VERDICT_BITS;
        let further = bits("fields", VERDICT_BITS, more);
        body.assign("verdict", bits("fields", 0, VERDICT_BITS))
            .assign("further", concat([further, zero(FURTHER_BITS - more)]))
    }
}
