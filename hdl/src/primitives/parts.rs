//! Functions over the parts of a block. The code of [`hdl_macros::Block`] calls them: it is compiled anew for every block and width,
//! these are compiled once.

use crate::verilog::About;
use rust_hdl::prelude::*;
use std::cell::Cell;

thread_local! {
    static SKIPS: Cell<bool> = const { Cell::new(false) };
}

/// Whether blocks that have settled are passed over in this thread.
///
/// A block has settled if its last update changed nothing in it and nothing new has been put into its inputs since: another update would
/// change nothing either. Who lets blocks settle sees to it that each has been updated before.
pub fn skips_the_settled() -> bool {
    SKIPS.get()
}

/// Does something in which blocks that have settled are passed over.
pub fn skipping_the_settled<T>(act: impl FnOnce() -> T) -> T {
    let before = SKIPS.replace(true);
    let result = act();
    SKIPS.set(before);
    result
}

/// An input, or a list of such.
pub trait Awaits {
    /// Whether something is to be put into it that is not what it has.
    fn awaits(&self) -> bool;
}

impl<T: Synth> Awaits for Signal<In, T> {
    fn awaits(&self) -> bool {
        self.next != self.val()
    }
}

impl<S: Awaits> Awaits for Vec<S> {
    fn awaits(&self) -> bool {
        self.iter().any(Awaits::awaits)
    }
}

pub fn any_awaits(inputs: &[&dyn Awaits]) -> bool {
    inputs.iter().any(|input| input.awaits())
}

pub fn each(parts: &mut [&mut dyn Block], act: fn(&mut dyn Block)) {
    // A loop of its own: where a call for each part would not be inlined, it takes longer than most parts.
    parts.iter_mut().for_each(|part| act(&mut **part));
}

pub fn connect(part: &mut dyn Block) {
    part.connect_all();
}

pub fn update(part: &mut dyn Block) {
    part.update_all();
}

pub fn any_changed(parts: &[&dyn Block]) -> bool {
    parts.iter().any(|part| part.has_changed())
}

pub fn accept(about: &About, parts: &[&dyn Block], probe: &mut dyn Probe) {
    for ((name, _), part) in about.parts.iter().zip(parts) {
        part.accept(name, probe);
    }
}

pub fn set_clocks(clocks: &mut [&mut Signal<In, Clock>], now: Clock) {
    for clock in clocks {
        clock.next = now;
    }
}

pub fn connect_clocks(clocks: &mut [&mut Signal<In, Clock>]) {
    for clock in clocks {
        clock.connect();
    }
}
