//! Bytes in, pieces out: the part that every core shares.
//!
//! Guarantee: in every clock a beat may enter, whatever its bytes are and whatever entered before; each piece of a packet (a well-formed
//! sequence, or a maximal subpart of an ill-formed one) is marked in the lane of the byte that ends it.
//!
//! UTF-8 needs no state machine. A byte continues a sequence if the byte before it expects a continuation, and what a byte expects follows
//! from at most the three before it; so what a lane is follows from its neighbours below, and a register may stand anywhere on the way. RFC
//! 3629's ranges of bytes are products of a high and a low nibble: functions of each nibble (stage 1), their products (stage 2) and their
//! sums (stage 3) name every class, each with four inputs at most. Then come the second, third and fourth bytes (stages 4 to 7). With
//! RFC 2279's grammar `six_octets` tells up to sixth bytes in their place.
//!
//! Whether an unfinished sequence ends at a byte is known from the next byte. Within a beat that is the lane above; for the top lane it is
//! lane 0 of the next beat, so the newest beat stays in a slot (stage 10) until it is finished (its top lane is not in an unfinished
//! sequence, or it is the packet's last) or until the next beat takes its place. So none is ever in another's way. Every signal of a beat
//! is a plane (a bit per lane), so the width is a type parameter and nothing is written per lane.
//!
//! # Latency
//! [`LATENCY`] clocks, a beat in every clock. A beat whose top lane is in an unfinished sequence waits for the next one.
//!
//! # Reset
//! A reset enters stage 1 as the end of a packet, and so clears what is carried at each stage when it comes by. Beats that entered before
//! it never get into the slot, for `rested` is low until they are through. So no plane before the slot has a reset or needs one.

mod edges;
mod rules;
mod sequence;
mod six_octets;
#[cfg(test)]
mod tests;

pub use rules::Rules;
pub use sequence::Pieces;

/// Clocks from a beat's acceptance to its pieces, if nothing of it waits for the next byte.
pub const LATENCY: usize = 13;
