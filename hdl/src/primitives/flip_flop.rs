//! A register.

use super::blank::blank;
use crate::verilog::{Body, Library, answer};
use hdl_macros::Block;
use rust_hdl::prelude::*;

/// `q` is `d`, a clock later; zero at power-up. `dff_setup!` connects its clock. In a stage without registers it is a wire.
///
/// Rust-HDL has the same block, but says what it is in Verilog's text.
#[derive(Block)]
pub struct DFF<T: Synth> {
    pub d: Signal<In, T>,
    pub q: Signal<Out, T>,
    pub clock: Signal<In, Clock>,
    _is_wire: bool,
}

impl<T: Synth> DFF<T> {
    /// The register of a stage, or a wire in its place.
    pub fn staged(is_register: bool) -> Self {
        let mut register: Self = blank();
        register._is_wire = !is_register;
        register
    }
}

impl<T: Synth> Default for DFF<T> {
    fn default() -> Self {
        Self {
            d: blank(),
            q: blank(),
            clock: blank(),
            _is_wire: false,
        }
    }
}

impl<T: Synth> Logic for DFF<T> {
    fn update(&mut self) {
        if self._is_wire || self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let mut body = Body::new(Self::ABOUT);
        body.library = Some(match self._is_wire {
            true => Library::Wire,
            false => Library::FlipFlop,
        });
        answer(body)
    }
}
