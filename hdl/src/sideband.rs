//! `tid`, `tdest` and `tuser`: carried as one vector.

use crate::config::{Config, Core, SideWidths};
use crate::primitives::blank;
use crate::verilog::{Body, Expression, Literal, Run, Sideband, choose, name, width};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Sets a bit of sideband signals if `mark` is set.
#[derive(Block, Blank, Described)]
pub struct MarkBit {
    pub x: Signal<In, Sideband>,
    pub mark: Signal<In, Bit>,
    pub y: Signal<Out, Sideband>,
    _at: usize,
    _run: Run,
}

impl MarkBit {
    /// The bit `at`.
    pub fn new(at: usize) -> Self {
        Self { _at: at, ..blank() }
    }

    fn body(&self, body: Body) -> Body {
        let mark = Expression::Literal(Literal {
            width: Some(width::<Sideband>()),
            digits: format!("{:x}", 1_u128 << self._at),
        });
        let marked = name("x") | mark;
        body.assign("y", choose(name("mark"), marked, name("x")))
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

/// The bit of them that tells early that a packet is ill-formed, if there is one: the highest of `tuser`.
pub fn early_bit(config: &Config) -> Option<usize> {
    let (low, width) = fields(config).user;
    config.core.tells_early().then(|| low + width - 1)
}

/// The fields of a configuration, each as its lowest bit and its width.
pub fn fields(config: &Config) -> SideFields {
    let SideWidths { id, dest, user } = config.side;
    // A packet that passes needs a bit that can tell that it is bad.
    let marks = matches!(config.core, Core::Validate { mode, .. } if mode.passes());
    let user = user.max(usize::from(marks)) + usize::from(config.core.tells_early());
    SideFields {
        user: (0, user),
        id: (user, id),
        dest: (user + id, dest),
        width: user + id + dest,
    }
}
