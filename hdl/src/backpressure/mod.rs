//! Backpressure without a stall net: a FIFO after a pipeline that never stalls, and credits for its words.
//!
//! A beat is accepted only if the FIFO has a word for it whatever happens. `tready` towards the source comes from a register,
//! `tready` of the sink goes to the FIFO's read side only, and no path leads from one to the other.
//!
//! At the greatest depth [`fifo`] and [`credits`] have one LUT between registers, at a smaller one [`shallow`] is both. In drop mode all
//! streams wait in block memory: [`packet_fifo`] and [`block_fifo`], over one [`store`].

pub mod block_fifo;
pub mod credits;
pub mod fifo;
pub mod packet_fifo;
pub mod shallow;
mod split;
mod store;

/// Clocks that the FIFO adds at the greatest depth.
pub const FIFO_LATENCY: usize = 3;
