//! The `encode` core: words in, UTF-8 bytes out, dense, and a verdict per packet.
//!
//! Four bytes can come of a word (six in RFC 2279), so a beat of `N` words comes to up to as many beats of bytes, and the core has a form
//! with backpressure only. Read [`words`] first, then [`slots`], which is the table of RFC 3629 section 3; [`places`] says where each byte
//! goes, the network of `decode --dense` ([`crate::decode::dense::network`]) takes it there, and in [`ring`] it waits to leave. [`room`]
//! counts what is free; [`pipeline`] joins them, and [`axis`] has the pins.
//!
//! # Ports
//! Those of [`crate::config::ports::ports`]. A lane has a word if all of its `tkeep` bits are set; lanes may be empty, and so may beats.
//! Within a packet no beat of bytes is partial; a packet that ends without a byte left ends in an empty beat.
//!
//! # Parameters
//! `N` lanes, 1 to 16 by powers of two: the network has four times as many (in RFC 2279 1 to 8, and eight times). The other const
//! parameters are widths that follow from it and that Rust cannot compute: see [`pipeline::Pipeline`].
//!
//! # Latency
//! [`pipeline::latency`] clocks from a beat to its first bytes on the pins, and [`pipeline::verdict_latency`] with
//! [`crate::backpressure::FIFO_LATENCY`] to the verdict. A beat of bytes in every clock; words are accepted as long as they need no more.
//!
//! # Reset
//! `rst` is synchronous and active high. It clears what marks beats, and where bytes go; no byte.
//!
//! # Ill-formed input
//! Becomes U+FFFD or nothing. No byte that is ill-formed is ever put out.
//!
//! # Verified by
//! `tests/encode.rs` (every output at every clock against the cycle model, and the bytes against Rust's own encoder); `runegate prove
//! encode` (the bytes of each word).

pub mod axis;
mod bank;
mod before;
mod contract;
mod leaving;
pub mod pipeline;
pub mod places;
mod ring;
mod room;
pub mod slots;
#[cfg(test)]
mod tests;
pub mod units;
mod verdict;
pub mod words;
