//! `tid`, `tdest` and `tuser`: carried as one vector.

use crate::config::{Config, Core, SideWidths};
use crate::verilog::{Body, Run, Sideband, choose, literal, name, width};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Sets the lowest bit of sideband signals if `mark` is set.
#[derive(Block, Blank, Described)]
pub struct MarkLowest {
    pub x: Signal<In, Sideband>,
    pub mark: Signal<In, Bit>,
    pub y: Signal<Out, Sideband>,
    _run: Run,
}

impl MarkLowest {
    fn body(&self, body: Body) -> Body {
        let marked = name("x") | literal(width::<Sideband>(), 1);
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

/// The fields of a configuration, each as its lowest bit and its width.
pub fn fields(config: &Config) -> SideFields {
    let SideWidths { id, dest, user } = config.side;
    // A packet that passes needs a bit that can tell that it is bad.
    let marks = matches!(config.core, Core::Validate { mode, .. } if mode.passes());
    let user = user.max(usize::from(marks));
    SideFields {
        user: (0, user),
        id: (user, id),
        dest: (user + id, dest),
        width: user + id + dest,
    }
}
