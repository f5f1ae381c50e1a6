//! Verilog as a tree: what a block says of itself, and what the emission turns into text.
//!
//! Rust-HDL asks a block for its Verilog by [`rust_hdl::prelude::Logic::hdl`]. Its tree has no concatenation, no memory and no
//! register but its own, and no comments. So a block that needs those describes itself by a [`Body`], and every block leaves its doc
//! comments, where [`take`] finds both.

mod body;
mod expression;
mod program;
mod run;
mod sideband;

pub use body::{Body, Library, Memory, Net, Register, Statement};
pub use body::{set, set_bits, when, write};
pub use expression::{Expression, Literal, Operator, Reduction};
pub use expression::{bit, bits, choose, concat, literal, name, one, repeat, undefined, zero};
pub use run::{Input, Output, Run, Value};
pub use sideband::Sideband;

use rust_hdl::prelude::{Synth, TypeDescriptor};
use std::cell::{Cell, RefCell};

/// What a block's source says of it: its type's name and doc comment, and those of its parts and signals.
#[derive(Clone, Copy, Debug)]
pub struct About {
    pub name: &'static str,
    pub doc: &'static str,
    pub parts: &'static [(&'static str, &'static str)],
    /// Its type's numbers, which mean nothing in Verilog.
    pub parameters: &'static [&'static str],
}

thread_local! {
    /// Of the block that was asked last: a thread asks one block after the other, and takes each answer before the next question.
    static ANSWER: RefCell<(Option<&'static About>, Option<Body>)> = const { RefCell::new((None, None)) };
    static SIDEBAND: Cell<usize> = const { Cell::new(Sideband::BITS) };
}

/// Runs something while sideband signals have a width.
pub fn with_sideband<R>(width: usize, run: impl FnOnce() -> R) -> R {
    SIDEBAND.set(width);
    run()
}

/// The width in Verilog of signals of a type: that of [`Sideband`] is the configuration's.
pub fn width<T: Synth>() -> usize {
    width_of(&T::descriptor(), T::BITS)
}

/// The same of a signal.
pub fn width_of(described: &TypeDescriptor, bits: usize) -> usize {
    match described.name == Sideband::NAME {
        true => SIDEBAND.get(),
        false => bits,
    }
}

/// Leaves a block's doc comments, and its description if it has a [`Body`], for [`take`].
pub fn leave(about: &'static About, body: Option<Body>) {
    ANSWER.set((Some(about), body));
}

/// What the block that was asked last for its Verilog has left, beside what Rust-HDL was given.
pub fn take() -> (Option<&'static About>, Option<Body>) {
    ANSWER.take()
}
