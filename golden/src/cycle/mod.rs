//! The cycle model: every output of a core at every clock, stalls and resets included.
//!
//! It knows when beats move (slots, delay lines, FIFOs with credits) and asks the [`Oracle`](crate::Oracle), or the
//! [`Encoder`](crate::encode::Encoder), what they hold; a [`Sanitiser`](crate::sanitise::Sanitiser) says what becomes of
//! bytes. It does not know how the hardware finds that out.
//!
//! Pins are exchanged as *frames*: all inputs but the clock, or all outputs, in the order of [`Model::input_pins`] and
//! [`Model::output_pins`], each in as many 32-bit words as it needs, least significant first. An output frame shows the
//! pins before the clock's rising edge; none depends on the inputs of the same clock.

mod buffer;
mod bus;
mod contract;
mod credits;
mod decode;
mod dense;
mod early;
mod encode;
mod events;
mod exit;
mod flows;
mod latencies;
mod layout;
mod line;
mod model;
mod packets;
mod payload;
mod quarters;
mod registers;
mod sanitise;
mod setup;
mod slots;
mod store;
#[cfg(test)]
mod tests;
mod validate;
mod windows;

pub use crate::{Encoding, Grammar, Replace};
pub use latencies::Latencies;
pub use layout::Pin;
pub use model::Model;
pub use setup::{Core, Form, Mode, Policy, Setup, Side, Signature};
