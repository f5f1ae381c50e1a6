//! Verilog as a tree: what a block says of itself, and what the emission turns into text.
//!
//! Rust-HDL asks a block for its Verilog by [`rust_hdl::prelude::Logic::hdl`]. Its tree has no concatenation, no memory and no
//! register but its own, and no comments. So a block that needs those describes itself by a [`Body`], and every block leaves its doc
//! comments, where [`take`] finds both.

mod about;
mod answer;
mod body;
mod expression;
mod program;
mod run;
mod sideband;
mod step;

pub use about::About;
pub use answer::{answer, leave, take, width, width_of, with_sideband};
pub use body::{Body, Library, Memory, Net, Register, Statement};
pub use body::{or_reset, set, set_bits, when, write};
pub use expression::{Expression, Literal, Operator, Reduction};
pub use expression::{
    bit, bits, choose, concat, is_number, literal, name, one, repeat, undefined, zero,
};
pub use run::{Input, Output, Run, Value};
pub use sideband::Sideband;
