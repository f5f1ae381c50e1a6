//! What a core does: its outputs in every clock.

use super::contract::Contract;
use super::decode::Decode;
use super::encode::Encode;
use super::flows::{self, Flows};
use super::layout::{self, Inputs, Pin};
use super::registers::{Looks, Registers, Told};
use super::sanitise::Sanitise;
use super::setup::{Core, Setup};
use super::validate::Validate;

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
    Encode(Encode),
    Sanitise(Box<Sanitise>),
}

impl Model {
    /// A core that has never seen a clock.
    pub fn new(setup: &Setup) -> Self {
        setup.check();
        Self {
            setup: *setup,
            inputs: Inputs::of(setup),
            answers: setup.answers(),
            contract: Contract::default(),
            registers: Registers::of(setup),
            valids: valids(setup),
            late: setup.is_staged().then(|| {
                let pins = layout::input_pins(setup);
                vec![0; pins.iter().map(Pin::words).sum()]
            }),
            core: match setup.core {
                Core::Decode {
                    signature,
                    dense,
                    to,
                } => Running::Decode(Decode::new(setup, signature, dense, to)),
                Core::Validate {
                    verdict_width,
                    counter_width,
                    flows: Some(flows),
                    ..
                } => Running::Flows(Flows::new(setup, verdict_width, counter_width, flows)),
                Core::Validate {
                    verdict_width,
                    counter_width,
                    flows: None,
                    ..
                } => Running::Validate(Validate::new(setup, verdict_width, counter_width)),
                Core::Encode {
                    from,
                    omits,
                    verdict_width,
                    counter_width,
                } => Running::Encode(Encode::new(
                    setup,
                    from,
                    omits,
                    verdict_width,
                    counter_width,
                )),
                Core::Sanitise {
                    replace,
                    strips,
                    verdict_width,
                    counter_width,
                } => Running::Sanitise(Box::new(Sanitise::new(
                    setup,
                    replace,
                    strips,
                    verdict_width,
                    counter_width,
                ))),
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
            Running::Encode(core) => core.ready(),
            Running::Sanitise(core) => core.ready(),
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
            Running::Encode(core) => core.is_idle(),
            Running::Sanitise(core) => core.is_idle(),
        };
        core && self.late.as_ref().is_none_or(|inputs| inputs[1] == 0)
    }

    /// One clock: `frame` shows the output pins before its rising edge, `inputs` are those at the edge.
    #[inline]
    pub fn step(&mut self, inputs: &[u32], frame: &mut [u32]) {
        let newest = inputs;
        let reset = newest[0] != 0;
        let told = self.registers.as_ref().map(Registers::told);
        let Told {
            drops,
            looks,
            ports,
        } = told.unwrap_or(Told {
            drops: reset,
            looks: Some(Looks {
                forbid: self.setup.policy.forbid,
                closes: 0,
            }),
            ports: self.setup.policy.ports.unwrap_or_default(),
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
            (outputs, pins) = outputs.split_at_mut(outputs.len() - layout::BUS_OUTPUTS);
            registers.show(pins);
        }
        let mut beat_error = self.contract.shown();
        if self.setup.beat_error {
            let (last, rest) = outputs.split_last_mut().expect("there is such a pin");
            *last = u32::from(beat_error);
            outputs = rest;
        }
        let sink_ready = high(self.inputs.sink_ready);
        let fill = match &self.core {
            Running::Validate(core) => core.fill(),
            _ => 0,
        };
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
                core.step(drops, beat.as_ref(), looks, &ports, ready, outputs)
            }
            Running::Encode(core) => {
                let ready = [sink_ready, high(self.inputs.verdict_ready)];
                core.step(drops, beat.as_ref(), ready, outputs);
                None
            }
            Running::Sanitise(core) => {
                let ready = [sink_ready, high(self.inputs.verdict_ready)];
                core.step(drops, beat.as_ref(), ready, outputs);
                None
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
            let pins = &newest[newest.len() - layout::BUS_INPUTS..];
            registers.step(
                reset,
                pins,
                beat.map(|beat| beat.last),
                counts,
                beat_error,
                fill,
            );
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
