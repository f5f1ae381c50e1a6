//! `tid`, `tdest` and `tuser`: carried as one vector, whose width Rust need not know.
//!
//! A width is a type's parameter in Rust-HDL, and there are too many of these to build every core with each. So the description carries
//! a type of its own, [`Sideband`], with room for all, and the emitter gives it the configuration's width.

use crate::config::{Config, Core, Mode, SideWidths};
use crate::primitives::wires::from_bits;
use crate::verilog::{Body, choose, literal, name, width};
use hdl_macros::{Blank, Block};
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

/// Sets the lowest bit of sideband signals if `mark` is set.
#[derive(Block, Blank)]
pub struct MarkLowest {
    pub x: Signal<In, Sideband>,
    pub mark: Signal<In, Bit>,
    pub y: Signal<Out, Sideband>,
}

impl Logic for MarkLowest {
    fn update(&mut self) {
        let (x, mark) = (self.x.val(), self.mark.val());
        self.y.next = Sideband::from_bits(|bit| x.get_bit(bit) || (bit == 0 && mark));
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let marked = name("x") | literal(width::<Sideband>(), 1);
        Body::new(Self::ABOUT)
            .assign("y", choose(name("mark"), marked, name("x")))
            .done()
    }
}

/// Where the fields lie: `tuser` lowest, then `tid`, then `tdest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideFields {
    pub user: (usize, usize),
    pub id: (usize, usize),
    pub dest: (usize, usize),
    /// Bits of all.
    pub width: usize,
}

/// The fields of a configuration, each as its lowest bit and its width.
pub fn fields(config: &Config) -> SideFields {
    let SideWidths { id, dest, user } = config.side;
    // A packet that passes needs a bit that can tell that it is bad.
    let marks = matches!(
        config.core,
        Core::Validate {
            mode: Mode::Pass,
            ..
        }
    );
    let user = user.max(usize::from(marks));
    SideFields {
        user: (0, user),
        id: (user, id),
        dest: (user + id, dest),
        width: user + id + dest,
    }
}
