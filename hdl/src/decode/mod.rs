//! The `decode` core: UTF-8 bytes in, one event per piece out, in order, at the byte that ends the piece.
//!
//! One description for every width: a beat's signals are planes (a bit per lane), so the width is a type parameter and
//! nothing is written per lane. Read [`crate::pieces`] first, then [`scalar`] (or [`units`]) and [`events`], and [`dense`] for how events are
//! packed; [`pipeline`] joins them, [`free`] and [`axis`] are its two forms.
//!
//! # Ports
//! Those of [`crate::config::ports::ports`], which has each one's width, direction and meaning; the fields of the output are those of
//! [`crate::layout`]. A beat whose `tkeep` is zero and which is not the packet's last is ignored. `tkeep` is low-aligned, and
//! partial only with `tlast`; the core does not check that.
//!
//! # Parameters
//! `N` lanes, 1 to 128 by powers of two ([`crate::config::LANES`]; 64 if dense); the other const parameters are widths that follow from it
//! and that Rust cannot compute: `DATA = 8 * N`, `SCALARS = 21 * N`, `STACK = 27 * N`, `BEAT` ([`beat::beat_bits`]),
//! `WORDS = 32 * N`, `KEEP = 4 * N`, `USER = 5 * N + 1`; `DENSE` is 1 if events are packed, else 0. With UTF-16 units for scalar values
//! `SCALARS` and `WORDS` are `16 * N`, `STACK` is `22 * N`, and `KEEP` is `2 * N`. With RFC 2279's grammar `SCALARS` is `31 * N`, `STACK` is
//! `38 * N`, and `USER` is `6 * N + 1`.
//! [`events::EventRule`] says what happens to a signature, and which octet of a unit comes first.
//!
//! # Latency
//! [`pipeline::latency`] clocks, and [`crate::backpressure::FIFO_LATENCY`] more in the AXI4-Stream form; or fewer as [`crate::schedule`] says,
//! and [`crate::backpressure::shallow::LATENCY`] more. A beat in every clock. A beat whose top lane is in an unfinished sequence waits for
//! the next one. No combinational path leads from an input to an output.
//!
//! # Reset
//! `rst` is synchronous and active high. It enters the pipeline as a packet's end ([`crate::pieces`]), after which what is carried
//! from beat to beat is clear; it clears what marks beats from there on and the credits, and deliberately no payload: for one clock
//! after it (six with eight lanes, eight with 32 or more) the free-running form's payload pins may show beats that were dropped, but not
//! with fewer clocks.
//!
//! # Timing
//! Every path inside the pipeline is written as one or two 4-input functions of its lane and its neighbours (a few more where a
//! beat is sent or not); the stages' fields are named after the stage. In the AXI4-Stream form the counts have a register
//! between their digits, or are thermometers.
//!
//! # Ill-formed input
//! Each maximal subpart gives one event with its kind and length. Nothing stalls, and no byte has to be presented twice.
//!
//! # Verified by
//! `tests/lockstep.rs` (every output at every clock against the cycle model), `tests/vectors.rs`, `tests/alignment.rs`;
//! `tests/mutants.rs` shows that these can fail.

pub mod axis;
pub mod beat;
pub mod dense;
pub mod events;
pub mod free;
pub mod pipeline;
pub mod scalar;
pub mod side;
pub mod units;
