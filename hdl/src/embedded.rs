//! A core inside this process: built from its configuration, to be emitted or to be run by Rust-HDL's own simulator.
//!
//! Pins are exchanged as *frames*: the values of all inputs (but the clock), or of all outputs, of one clock, in the order of
//! [`crate::ports::ports`], each in as many 32-bit words as it needs, least significant first.

use crate::config::{Config, Core, Form, Signature};
use crate::decode::axis::DecodeAxis;
use crate::decode::beat::beat_bits;
use crate::decode::events::SignatureRule;
use crate::decode::free::DecodeFree;
use crate::layout::{SCALAR_BITS, USER_BITS};
use rust_hdl::core::prelude::*;

/// Rounds of evaluation in which a clock's change must have settled.
const MAX_ROUNDS: usize = 200;

/// A core that Rust-HDL can simulate.
pub trait EmbeddedCore: Send {
    /// The description, for emission and for probes.
    fn block(&self) -> &dyn Block;

    /// One clock: the outputs before the rising edge, with these inputs; then the edge.
    fn clock(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), NotSettled>;
}

/// Rust-HDL's simulator found no fixed point.
#[derive(Debug, thiserror::Error)]
#[error("Rust-HDL's simulator did not settle within {MAX_ROUNDS} rounds")]
pub struct NotSettled;

/// Builds a core.
pub fn build(config: &Config) -> Box<dyn EmbeddedCore> {
    let rule = SignatureRule {
        strip: config.signature == Signature::Strip,
        flag: config.signature == Signature::Flag,
    };
    let Core::Decode = config.core;
    // Lanes, then the widths that Rust cannot compute from them; the functions refuse wrong ones when they are compiled.
    match (config.form, config.lanes) {
        (Form::Axis, 1) => decode_axis::<1, 8, 21, 29, 32, 4, 6>(rule),
        (Form::Axis, 2) => decode_axis::<2, 16, 42, 56, 64, 8, 11>(rule),
        (Form::Axis, 4) => decode_axis::<4, 32, 84, 110, 128, 16, 21>(rule),
        (Form::Axis, 8) => decode_axis::<8, 64, 168, 218, 256, 32, 41>(rule),
        (Form::Axis, 16) => decode_axis::<16, 128, 336, 434, 512, 64, 81>(rule),
        (Form::Axis, 32) => decode_axis::<32, 256, 672, 866, 1024, 128, 161>(rule),
        (Form::Axis, 64) => decode_axis::<64, 512, 1344, 1730, 2048, 256, 321>(rule),
        (Form::Free, 1) => decode_free::<1, 8, 21, 29, 32, 4, 6>(rule),
        (Form::Free, 2) => decode_free::<2, 16, 42, 56, 64, 8, 11>(rule),
        (Form::Free, 4) => decode_free::<4, 32, 84, 110, 128, 16, 21>(rule),
        (Form::Free, 8) => decode_free::<8, 64, 168, 218, 256, 32, 41>(rule),
        (Form::Free, 16) => decode_free::<16, 128, 336, 434, 512, 64, 81>(rule),
        (Form::Free, 32) => decode_free::<32, 256, 672, 866, 1024, 128, 161>(rule),
        (Form::Free, 64) => decode_free::<64, 512, 1344, 1730, 2048, 256, 321>(rule),
        (_, lanes) => unreachable!("{lanes} lanes are refused by Config::new"),
    }
}

fn settle(block: &mut dyn Block) -> Result<(), NotSettled> {
    for _ in 0..MAX_ROUNDS {
        block.update_all();
        if !block.has_changed() {
            return Ok(());
        }
    }
    Err(NotSettled)
}

/// Reads pins from an input frame, in order.
struct Inputs<'a>(std::slice::Iter<'a, u32>);

impl Inputs<'_> {
    fn bits<const W: usize>(&mut self) -> Bits<W> {
        let mut value = Bits::<W>::default();
        for word in 0..W.div_ceil(32) {
            let bits = self.0.next().copied().unwrap_or_default();
            for bit in (0..W - 32 * word).take(32) {
                value = value.replace_bit(32 * word + bit, bits >> bit & 1 == 1);
            }
        }
        value
    }

    fn bit(&mut self) -> bool {
        self.0.next().is_some_and(|word| word & 1 == 1)
    }
}

/// Writes pins to an output frame, in order.
struct Outputs<'a>(std::slice::IterMut<'a, u32>);

impl Outputs<'_> {
    fn bits<const W: usize>(&mut self, value: Bits<W>) {
        for word in 0..W.div_ceil(32) {
            let bits = (0..W - 32 * word)
                .take(32)
                .map(|bit| u32::from(value.get_bit(32 * word + bit)) << bit)
                .fold(0, |word, bit| word | bit);
            if let Some(out) = self.0.next() {
                *out = bits;
            }
        }
    }

    fn bit(&mut self, value: bool) {
        if let Some(out) = self.0.next() {
            *out = u32::from(value);
        }
    }
}

/// Implements [`EmbeddedCore`] for a top, and a function that builds it with connected signals. The macro's two lists are
/// the pins in the table's order; that the order is right, a test of the table's names and widths shows.
macro_rules! embedded_core {
    ($build:ident, $top:ident, inputs: $($input:ident $in_kind:ident),+; outputs: $($output:ident $out_kind:ident),+) => {
        fn $build<
            const N: usize,
            const DATA: usize,
            const SCALARS: usize,
            const BEAT: usize,
            const WORDS: usize,
            const KEEP: usize,
            const USER: usize,
        >(rule: SignatureRule) -> Box<dyn EmbeddedCore> {
            const {
                assert!(DATA == 8 * N && SCALARS == SCALAR_BITS * N && BEAT == beat_bits(N));
                assert!(WORDS == 32 * N && KEEP == 4 * N && USER == USER_BITS * N + 1);
            }
            let mut core = Box::new($top::<N, DATA, SCALARS, BEAT, WORDS, KEEP, USER>::new(rule));
            core.connect_all();
            core
        }

        impl<
            const N: usize,
            const DATA: usize,
            const SCALARS: usize,
            const BEAT: usize,
            const WORDS: usize,
            const KEEP: usize,
            const USER: usize,
        > EmbeddedCore for $top<N, DATA, SCALARS, BEAT, WORDS, KEEP, USER> {
            fn block(&self) -> &dyn Block {
                self
            }

            fn clock(&mut self, inputs: &[u32], outputs: &mut [u32]) -> Result<(), NotSettled> {
                let mut frame = Inputs(inputs.iter());
                $(self.$input.next = frame.$in_kind();)+
                self.clk.next = Clock { clk: false };
                settle(self)?;
                let mut frame = Outputs(outputs.iter_mut());
                $(frame.$out_kind(self.$output.val());)+
                self.clk.next = Clock { clk: true };
                settle(self)
            }
        }
    };
}

embedded_core!(
    decode_axis, DecodeAxis,
    inputs: rst bit, s_axis_tvalid bit, s_axis_tdata bits, s_axis_tkeep bits, s_axis_tlast bit, m_axis_tready bit;
    outputs: s_axis_tready bit, m_axis_tvalid bit, m_axis_tdata bits, m_axis_tkeep bits, m_axis_tlast bit,
        m_axis_tuser bits
);
embedded_core!(
    decode_free, DecodeFree,
    inputs: rst bit, s_axis_tvalid bit, s_axis_tdata bits, s_axis_tkeep bits, s_axis_tlast bit;
    outputs: m_axis_tvalid bit, m_axis_tdata bits, m_axis_tkeep bits, m_axis_tlast bit, m_axis_tuser bits
);
