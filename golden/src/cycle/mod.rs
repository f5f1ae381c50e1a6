//! The cycle model: every output pin of a core at every clock, stalls and resets included.
//!
//! It knows when beats move (a slot, a delay line, a FIFO with credits) and asks the [`Oracle`](crate::Oracle) what they
//! hold. It does not know how the hardware finds that out.
//!
//! Pins are exchanged as *frames*: all inputs but the clock, or all outputs, in the order of [`Decode::input_pins`] and
//! [`Decode::output_pins`], each in as many 32-bit words as it needs, least significant first. An output frame shows the
//! pins before the clock's rising edge; none depends on the inputs of the same clock.

mod credits;
mod events;
mod layout;

pub use layout::Pin;

use credits::Credits;
use events::Events;
use layout::{Layout, copy_words};

/// Clocks from a beat's acceptance to the output of [`Form::Free`], if nothing of it waits for the next byte.
pub const FREE_LATENCY: usize = 14;
/// The same for [`Form::Axis`].
pub const AXIS_LATENCY: usize = FREE_LATENCY + credits::FIFO_LATENCY;

/// How the core takes part in flow control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// No `tready`: a beat is accepted whenever it is offered.
    Free,
    /// AXI4-Stream with backpressure.
    Axis,
}

/// What happens to a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// It is a U+FEFF like any other.
    Keep,
    /// It is sent, and its beat is flagged.
    Flag,
    /// It is not sent; the packet's first beat that is sent is flagged.
    Strip,
}

/// The `decode` core.
pub struct Decode {
    layout: Layout,
    events: Events,
    credits: Option<Credits>,
    /// The beat of events that shows on the pins of the free-running form, or enters the FIFO of the other.
    leaving: events::Leaving,
}

impl Decode {
    /// A core that has never seen a clock, of `lanes` bytes per beat (at most 64).
    pub fn new(lanes: usize, form: Form, signature: Signature) -> Self {
        let layout = Layout::new(lanes, form);
        Self {
            events: Events::new(lanes, signature),
            credits: (form == Form::Axis).then(|| Credits::new(layout.payload_words)),
            leaving: Default::default(),
            layout,
        }
    }

    /// Names and widths of the inputs but the clock, in the order of a frame.
    pub fn input_pins(&self) -> Vec<Pin> {
        self.layout.input_pins()
    }

    /// Names and widths of the outputs, in the order of a frame.
    pub fn output_pins(&self) -> Vec<Pin> {
        self.layout.output_pins()
    }

    /// `s_axis_tready` in the coming clock; always true of the free-running form.
    #[inline]
    pub fn ready(&self) -> bool {
        self.credits.as_ref().is_none_or(|credits| credits.ready)
    }

    /// Whether nothing is left in the core that will still come out by itself.
    pub fn is_idle(&self) -> bool {
        self.events.is_idle()
            && !self.leaving.valid
            && self.credits.as_ref().is_none_or(Credits::is_idle)
    }

    /// One clock: `outputs` shows the pins before its rising edge, `inputs` are those at the edge.
    #[inline]
    pub fn step(&mut self, inputs: &[u32], outputs: &mut [u32]) {
        let reset = inputs[0] != 0;
        let offered = inputs[1] != 0;
        let accepted = offered && self.ready() && self.layout.is_beat(inputs);
        match &mut self.credits {
            None => {
                outputs[0] = u32::from(self.leaving.valid);
                copy_words(&mut outputs[1..], self.events.payload(&self.leaving));
            }
            Some(credits) => {
                outputs[0] = u32::from(credits.ready);
                outputs[1] = u32::from(credits.valid);
                copy_words(&mut outputs[2..], &credits.payload);
                let sink_ready = inputs[self.layout.input_words - 1] != 0;
                let beat = self
                    .leaving
                    .valid
                    .then(|| self.events.payload(&self.leaving));
                credits.step(reset, accepted, beat, self.leaving.retired, sink_ready);
            }
        }
        let beat = accepted.then(|| self.layout.beat(inputs));
        self.leaving = self.events.step(reset, beat);
    }
}
