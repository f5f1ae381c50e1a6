//! `tid`, `tdest` and `tuser`: carried as one vector, whose width Rust need not know.
//!
//! A width is a type's parameter in Rust-HDL, and there are too many of these to build every core with each. So the
//! description carries [`SIDE`] bits, a width that nothing else has, and the emitter puts the configuration's in their place.

use crate::config::{Config, Core, Mode, SideWidths};

/// Bits of the vector in the description: room for three fields of 64 bits. A prime, so that no other signal is as wide.
pub const SIDE: usize = 197;

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
