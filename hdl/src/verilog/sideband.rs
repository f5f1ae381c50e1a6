//! A vector whose width Rust need not know.
//!
//! A width is a type's parameter in Rust-HDL, and there are too many of `tid`, `tdest` and `tuser` to build every core with each. So the
//! description carries a type of its own, with room for all, and the emission gives it the configuration's width.

use crate::vector::from_bits;
use rust_hdl::prelude::*;
use rust_hdl::prelude::{TypeDescriptor, VCDValue, VerilogLiteral};

/// Bits of three fields of 64.
const WIDEST: usize = 3 * 64;

/// All sideband signals of a beat, the lowest bits of which are in use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sideband(Bits<WIDEST>);

impl Sideband {
    /// The type's name in Rust-HDL, by which the emitter knows it.
    pub const NAME: &'static str = "Sideband";

    /// Signals from a function of the bit.
    pub fn from_bits(bit: impl Fn(usize) -> bool) -> Self {
        Self(from_bits(bit))
    }

    pub fn get_bit(&self, bit: usize) -> bool {
        self.0.get_bit(bit)
    }
}

impl From<u64> for Sideband {
    fn from(value: u64) -> Self {
        Self(value.into())
    }
}

impl Synth for Sideband {
    const BITS: usize = WIDEST;

    fn descriptor() -> TypeDescriptor {
        TypeDescriptor {
            name: Self::NAME.to_string(),
            ..Bits::<WIDEST>::descriptor()
        }
    }

    fn vcd(self) -> VCDValue {
        self.0.vcd()
    }

    fn verilog(self) -> VerilogLiteral {
        self.0.verilog()
    }
}
