//! What a block leaves when Rust-HDL asks it for its Verilog, and the width that its answer has.

use super::about::About;
use super::body::Body;
use super::sideband::Sideband;
use rust_hdl::prelude::{Synth, TypeDescriptor, Verilog};
use std::cell::{Cell, RefCell};

thread_local! {
    /// Of the block that was asked last: a thread asks one block after the other, and takes each answer before the next question.
    static ANSWER: RefCell<(Option<&'static About>, Option<Body>)> = const { RefCell::new((None, None)) };
    static SIDEBAND: Cell<usize> = const { Cell::new(Sideband::BITS) };
}

/// Runs something while sideband signals have a width.
pub fn with_sideband<R>(width: usize, run: impl FnOnce() -> R) -> R {
    let before = SIDEBAND.replace(width);
    let result = run();
    SIDEBAND.set(before);
    result
}

/// The width in Verilog of signals of a type: that of [`Sideband`] is the configuration's.
pub fn width<T: Synth>() -> usize {
    width_of(&T::descriptor(), T::BITS)
}

/// The width in Verilog of a signal of this type.
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

/// What a block with a description gives Rust-HDL: nothing, for its tree cannot say it. The description is left for [`take`].
pub fn answer(body: Body) -> Verilog {
    leave(body.about, Some(body));
    Verilog::Empty
}
