//! A register.

use super::blank;
use crate::verilog::{Body, Library};
use hdl_macros::Block;
use rust_hdl::prelude::*;

/// `q` is `d`, a clock later; zero at power-up. `dff_setup!` connects its clock.
///
/// Rust-HDL has the same block, but says what it is in Verilog's text.
#[derive(Block)]
pub struct DFF<T: Synth> {
    pub d: Signal<In, T>,
    pub q: Signal<Out, T>,
    pub clock: Signal<In, Clock>,
}

impl<T: Synth> Default for DFF<T> {
    fn default() -> Self {
        Self {
            d: blank(),
            q: blank(),
            clock: blank(),
        }
    }
}

impl<T: Synth> Logic for DFF<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut body = Body::new(Self::ABOUT);
        body.library = Some(Library::FlipFlop);
        body.done()
    }
}
