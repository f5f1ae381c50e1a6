//! The fields of a verdict, of packets as of messages, in one vector.

use crate::layout::VERDICT_BITS;
use crate::primitives::wires::from_bits;
use crate::verilog::{Body, concat, name, zero};
use hdl_macros::{Blank, Block};
use rust_hdl::prelude::*;

/// The fields of a verdict as one vector, in the places that [`crate::layout::VERDICT`] lists.
#[derive(Block, Blank)]
pub struct PackVerdict {
    pub bytes: Signal<In, Bits<32>>,
    pub valid_up_to: Signal<In, Bits<32>>,
    pub scalars: Signal<In, Bits<32>>,
    pub ill_formed: Signal<In, Bits<32>>,
    pub well_formed: Signal<In, Bit>,
    pub signature: Signal<In, Bit>,
    pub kind: Signal<In, Bits<3>>,
    pub error_len: Signal<In, Bits<2>>,
    pub saturated: Signal<In, Bits<4>>,
    pub fields: Signal<Out, Bits<VERDICT_BITS>>,
}

impl Logic for PackVerdict {
    fn update(&mut self) {
        let fields = [
            (0, 32, self.bytes.val().to_u64()),
            (32, 32, self.valid_up_to.val().to_u64()),
            (64, 32, self.scalars.val().to_u64()),
            (96, 32, self.ill_formed.val().to_u64()),
            (128, 1, self.well_formed.val().into()),
            (129, 1, self.signature.val().into()),
            (132, 3, self.kind.val().to_u64()),
            (136, 2, self.error_len.val().to_u64()),
            (144, 4, self.saturated.val().to_u64()),
        ];
        self.fields.next = from_bits(|bit| {
            let field = fields
                .iter()
                .find(|(at, width, _)| (*at..at + width).contains(&bit));
            field.is_some_and(|(at, _, value)| value >> (bit - at) & 1 == 1)
        });
    }

    fn connect(&mut self) {
        self.fields.connect();
    }

    fn hdl(&self) -> Verilog {
        let fields = concat([
            name("bytes"),
            name("valid_up_to"),
            name("scalars"),
            name("ill_formed"),
            name("well_formed"),
            name("signature"),
            zero(2),
            name("kind"),
            zero(1),
            name("error_len"),
            zero(6),
            name("saturated"),
            zero(12),
        ]);
        Body::new(Self::ABOUT).assign("fields", fields).done()
    }
}
