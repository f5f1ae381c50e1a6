//! The cycle model: every output pin of a core at every clock, stalls and resets included.
//!
//! It knows when beats move (a slot, delay lines, FIFOs with credits) and asks the [`Oracle`](crate::Oracle) what they
//! hold. It does not know how the hardware finds that out.
//!
//! Pins are exchanged as *frames*: all inputs but the clock, or all outputs, in the order of [`Model::input_pins`] and
//! [`Model::output_pins`], each in as many 32-bit words as it needs, least significant first. An output frame shows the
//! pins before the clock's rising edge; none depends on the inputs of the same clock.

mod bus;
mod contract;
mod credits;
mod decode;
mod dense;
mod events;
mod exit;
mod flows;
mod layout;
mod line;
mod payload;
mod registers;
#[cfg(test)]
mod tests;
mod validate;

pub use layout::Pin;

use contract::Contract;
use credits::FIFO_LATENCY;
use decode::Decode;
use flows::Flows;
use layout::Inputs;
use registers::{Registers, Told};
use validate::Validate;

/// Clocks from a beat's acceptance to its events on the pins, if nothing of it waits for the next byte.
const SPARSE_LATENCY: usize = 14;
/// Clocks that packing them adds, and three more for each doubling of the lanes.
const PACKING_LATENCY: usize = 4;
/// Clocks from a beat's acceptance until it has passed, and one more for each doubling.
const PASS_LATENCY: usize = 15;
/// Clocks from the acceptance of a packet's last beat to the verdict, and one more for each doubling.
const VERDICT_LATENCY: usize = 38;
/// Clocks from a beat of a flow to what is known with it, and one more for each doubling.
const FLOW_LATENCY: usize = 35;

/// What a core is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Bytes per beat: a power of two, at most 64.
    pub lanes: usize,
    pub form: Form,
    pub side: Side,
    pub core: Core,
    /// A pin tells of beats that break the contract.
    pub beat_error: bool,
}

/// How the core takes part in flow control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// No `tready`: a beat is accepted whenever it is offered.
    Free,
    /// AXI4-Stream with backpressure.
    Axis,
}

/// Bits (0 to 64) of the signals beside the bytes; with 0 there is no such pin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    pub id: usize,
    pub dest: usize,
    pub user: usize,
}

/// Which core, and what only that core has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// Bytes in, one event per piece out.
    Decode {
        signature: Signature,
        /// The events are packed into full beats.
        dense: bool,
    },
    /// Bytes in, one verdict per packet out.
    Validate {
        mode: Mode,
        /// Bits of `m_axis_verdict_tdata`: a multiple of 8, at least 160.
        verdict_width: usize,
        /// Bits of each counter, 8 to 32; they saturate.
        counter_width: usize,
        /// Beats of so many flows interleave (1 to 4096).
        flows: Option<usize>,
        /// It has registers, on a bus.
        csr: bool,
    },
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

/// What `validate` does with the packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It watches them on their way to another sink.
    Snoop,
    /// They pass through it, and the last beat of an ill-formed one says so.
    Pass,
}

/// Clocks from a beat's acceptance to the pins of each stream; `None` if there is no such stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latencies {
    /// Of events, if nothing of the beat waits for what comes next; or of bytes that pass.
    pub stream: Option<usize>,
    /// From a packet's last beat.
    pub verdict: Option<usize>,
}

impl Setup {
    /// How often the lanes double from one.
    fn levels(&self) -> usize {
        self.lanes.ilog2() as usize
    }

    fn flows(&self) -> Option<usize> {
        match self.core {
            Core::Decode { .. } => None,
            Core::Validate { flows, .. } => flows,
        }
    }

    /// Whether it is a validator in this mode.
    fn mode(&self, asked: Mode) -> bool {
        matches!(self.core, Core::Validate { mode, .. } if mode == asked)
    }

    /// Whether it is a validator with registers.
    fn has_registers(&self) -> bool {
        matches!(self.core, Core::Validate { csr: true, .. })
    }

    /// Whether the core sees its inputs a clock late: it has registers, whose reset of the core takes a clock, and nothing holds its
    /// stream up meanwhile.
    fn is_staged(&self) -> bool {
        let holds_up = self.form == Form::Axis && self.mode(Mode::Pass);
        self.has_registers() && self.flows().is_none() && !holds_up
    }

    pub fn latencies(&self) -> Latencies {
        let levels = self.levels();
        let (stream, verdict) = match self.core {
            Core::Decode { dense: false, .. } => (Some(SPARSE_LATENCY), None),
            Core::Decode { dense: true, .. } => {
                (Some(SPARSE_LATENCY + PACKING_LATENCY + 3 * levels), None)
            }
            Core::Validate { flows: Some(_), .. } => (None, Some(FLOW_LATENCY + levels)),
            Core::Validate { mode, .. } => (
                (mode == Mode::Pass).then_some(PASS_LATENCY + levels),
                Some(VERDICT_LATENCY + levels),
            ),
        };
        let staged = usize::from(self.is_staged());
        // Who only watches has no FIFO.
        let buffered = self.form == Form::Axis && !self.mode(Mode::Snoop);
        let extra = if buffered { FIFO_LATENCY } else { 0 };
        Latencies {
            stream: stream.map(|clocks| clocks + extra + staged),
            verdict: verdict.map(|clocks| clocks + extra + staged),
        }
    }

    fn check(&self) {
        let Self { lanes, side, .. } = self;
        assert!(lanes.is_power_of_two() && *lanes <= 64, "{lanes} lanes");
        let widths = [side.id, side.dest, side.user];
        assert!(widths.iter().all(|&width| width <= 64), "{side:?}");
        if let Core::Validate {
            verdict_width,
            counter_width,
            mode,
            flows,
            ..
        } = self.core
        {
            assert!(flows.is_none_or(|flows| (1..=4096).contains(&flows) && mode == Mode::Snoop));
            assert!(verdict_width >= 160 && verdict_width.is_multiple_of(8));
            assert!([8, 16, 24, 32].contains(&counter_width));
        }
    }
}

/// A core.
pub struct Model {
    setup: Setup,
    inputs: Inputs,
    /// The first output is `s_axis_tready`.
    answers: bool,
    /// Its pin comes before the registers', which are the last ones.
    contract: Contract,
    registers: Option<Registers>,
    /// Where the core's streams have their `tvalid`, if it has registers: their reset of the core is a clock late, and meanwhile none is high.
    valids: Vec<usize>,
    /// The inputs of the clock before, if it is those that the core sees.
    late: Option<Vec<u32>>,
    core: Running,
}

enum Running {
    Decode(Decode),
    Validate(Validate),
    Flows(Flows),
}

impl Model {
    /// A core that has never seen a clock.
    pub fn new(setup: &Setup) -> Self {
        setup.check();
        Self {
            setup: *setup,
            inputs: Inputs::of(setup),
            answers: setup.form == Form::Axis && !setup.mode(Mode::Snoop),
            contract: Contract::default(),
            registers: Registers::of(setup),
            valids: valids(setup),
            late: setup.is_staged().then(|| {
                let pins = layout::input_pins(setup);
                vec![0; pins.iter().map(Pin::words).sum()]
            }),
            core: match setup.core {
                Core::Decode { signature, dense } => {
                    Running::Decode(Decode::new(setup, signature, dense))
                }
                Core::Validate {
                    verdict_width,
                    counter_width,
                    flows: Some(flows),
                    ..
                } => Running::Flows(Flows::new(setup, verdict_width, counter_width, flows)),
                Core::Validate {
                    mode,
                    verdict_width,
                    counter_width,
                    flows: None,
                    ..
                } => Running::Validate(Validate::new(setup, mode, verdict_width, counter_width)),
            },
        }
    }

    /// A core that has never seen a clock, with this number in each of its counters of 64 bits: a reset clears them. Panics if it has no
    /// registers.
    pub fn with_counters(setup: &Setup, value: u64) -> Self {
        let mut model = Self::new(setup);
        let registers = model.registers.as_mut();
        registers.expect("a core with registers").preset(value);
        model
    }

    /// Names and widths of the inputs but the clock, in the order of a frame.
    pub fn input_pins(&self) -> Vec<Pin> {
        present(layout::input_pins(&self.setup))
    }

    /// Names and widths of the outputs, in the order of a frame.
    pub fn output_pins(&self) -> Vec<Pin> {
        present(layout::output_pins(&self.setup))
    }

    /// `s_axis_tready` or `flows_ready` in the coming clock; always true where neither is an output.
    #[inline]
    pub fn ready(&self) -> bool {
        let core = match &self.core {
            Running::Decode(core) => core.ready(),
            Running::Validate(core) => core.ready(),
            Running::Flows(core) => core.ready(),
        };
        core && self
            .registers
            .as_ref()
            .is_none_or(|it| self.late.is_some() || !it.told().drops)
    }

    /// Whether nothing is left in the core that will still come out by itself.
    pub fn is_idle(&self) -> bool {
        let core = match &self.core {
            Running::Decode(core) => core.is_idle(),
            Running::Validate(core) => core.is_idle(),
            Running::Flows(core) => core.is_idle(),
        };
        core && self.late.as_ref().is_none_or(|inputs| inputs[1] == 0)
    }

    /// One clock: `frame` shows the output pins before its rising edge, `inputs` are those at the edge.
    #[inline]
    pub fn step(&mut self, inputs: &[u32], frame: &mut [u32]) {
        let newest = inputs;
        let reset = newest[0] != 0;
        let told = self.registers.as_ref().map(Registers::told);
        let Told { drops, looks } = told.unwrap_or(Told {
            drops: reset,
            looks: true,
        });
        let inputs = self.late.as_deref().unwrap_or(newest);
        let high = |pin: Option<usize>| pin.is_none_or(|at| inputs[at] != 0);
        let ready = self.ready();
        let accepted = inputs[1] != 0 && ready && high(self.inputs.taken) && !drops;
        let beat = accepted.then(|| self.inputs.beat(inputs));
        let at_pins = ready && self.inputs.taken.is_none_or(|at| newest[at] != 0);
        let mut outputs = &mut frame[..];
        if self.answers {
            outputs[0] = u32::from(ready);
            outputs = &mut outputs[1..];
        }
        if let Some(registers) = &self.registers {
            let pins;
            (outputs, pins) = outputs.split_at_mut(outputs.len() - bus::OUTPUTS);
            registers.show(pins);
        }
        let mut beat_error = self.contract.shown();
        if self.setup.beat_error {
            let (last, rest) = outputs.split_last_mut().expect("there is such a pin");
            *last = u32::from(beat_error);
            outputs = rest;
        }
        let sink_ready = high(self.inputs.sink_ready);
        let counts = match &mut self.core {
            Running::Decode(core) => {
                core.step(drops, beat.as_ref(), sink_ready, outputs);
                None
            }
            Running::Flows(core) => {
                let counts = core.step(drops, ready, beat.as_ref(), outputs);
                beat_error = flows::is_refused(outputs) && !drops;
                counts
            }
            Running::Validate(core) => {
                let verdict_ready = high(self.inputs.verdict_ready);
                let ready = [sink_ready, verdict_ready];
                core.step(drops, beat.as_ref(), looks, ready, outputs)
            }
        };
        if drops {
            for &at in &self.valids {
                frame[at] = 0;
            }
        }
        // It is looked for at the pins.
        let taken = newest[1] != 0 && at_pins && !reset;
        self.contract
            .step(reset, taken.then(|| self.inputs.beat(newest)).as_ref());
        if let Some(registers) = &mut self.registers {
            let pins = &newest[newest.len() - bus::INPUTS..];
            registers.step(reset, pins, beat.map(|beat| beat.last), counts, beat_error);
        }
        if let Some(late) = &mut self.late {
            late.copy_from_slice(newest);
        }
    }
}

/// The first word of each `tvalid` of a core with registers.
fn valids(setup: &Setup) -> Vec<usize> {
    let mut at = 0;
    let words = layout::output_pins(setup).into_iter().map(|pin| {
        at += pin.words();
        (at - pin.words(), pin)
    });
    words
        .filter(|(_, pin)| setup.has_registers() && pin.name.ends_with("tvalid"))
        .map(|(at, _)| at)
        .collect()
}

/// The pins that there are.
fn present(mut pins: Vec<Pin>) -> Vec<Pin> {
    pins.retain(|pin| pin.width > 0);
    pins
}
