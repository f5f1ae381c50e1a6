//! What a core is to whoever runs it.

use crate::config::Config;
use crate::primitives::parts::skipping_the_settled;
use rust_hdl::prelude::*;
use std::mem::ManuallyDrop;

/// Rounds of evaluation in which a clock's change must have settled.
const MAX_ROUNDS: usize = 200;

/// A core that Rust-HDL can simulate.
pub trait EmbeddedCore: Send {
    /// The description, for emission and for probes.
    fn block(&self) -> &dyn Block;

    /// Sets the input pins from a frame.
    fn drive(&mut self, config: &Config, frame: &[u32]);

    /// Writes the output pins to a frame.
    fn sample(&self, config: &Config, frame: &mut [u32]);

    /// Sets the clock and lets everything settle.
    fn settle(&mut self, clk: bool) -> Result<(), NotSettled>;

    /// One clock: the outputs before the rising edge, with these inputs; then the edge.
    fn clock(
        &mut self,
        config: &Config,
        inputs: &[u32],
        outputs: &mut [u32],
    ) -> Result<(), NotSettled> {
        self.drive(config, inputs);
        self.settle(false)?;
        self.sample(config, outputs);
        self.settle(true)
    }
}

/// Rust-HDL's simulator found no fixed point.
#[derive(Debug, thiserror::Error)]
#[error("Rust-HDL's simulator did not settle within {MAX_ROUNDS} rounds")]
pub struct NotSettled;

/// A core that is never dropped: what it has on the heap stays until the process ends.
impl<T: EmbeddedCore> EmbeddedCore for ManuallyDrop<T> {
    fn block(&self) -> &dyn Block {
        (**self).block()
    }

    fn drive(&mut self, config: &Config, frame: &[u32]) {
        (**self).drive(config, frame);
    }

    fn sample(&self, config: &Config, frame: &mut [u32]) {
        (**self).sample(config, frame);
    }

    fn settle(&mut self, clk: bool) -> Result<(), NotSettled> {
        (**self).settle(clk)
    }
}

/// Stack that a wide core takes to be built, walked or run: its vectors are arrays within it.
pub const STACK_BYTES: usize = 64 << 20;

/// Runs a function on a stack of that size.
pub fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, run)
            .expect("a thread can be started");
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Lets everything settle.
pub(crate) fn settle(block: &mut dyn Block) -> Result<(), NotSettled> {
    // In the first round all of it, whatever has been done to it since; then only what a round has changed.
    block.update_all();
    skipping_the_settled(|| {
        for _ in 1..MAX_ROUNDS {
            if !block.has_changed() {
                return Ok(());
            }
            block.update_all();
        }
        Err(NotSettled)
    })
}
