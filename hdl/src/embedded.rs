//! A core inside this process: built from its configuration, to be emitted or to be run by Rust-HDL's own simulator.
//!
//! Pins are exchanged as *frames*: the values of all inputs (but the clock), or of all outputs, of one clock, in the order of
//! [`crate::ports::ports`], each in as many 32-bit words as it needs, least significant first.

use crate::config::{Config, Core, Form, Mode, Signature};
use crate::csr::bus;
use crate::decode::axis::{DecodeAxis, bank_address_bits};
use crate::decode::beat::{PLANES, beat_bits};
use crate::decode::events::SignatureRule;
use crate::decode::free::DecodeFree;
use crate::flow::fifo::capacity;
use crate::flows::Flows;
use crate::flows::entry::COMMAND_BITS;
use crate::flows::table::FLOW_BITS;
use crate::flows::tail::TAIL;
use crate::layout::{SCALAR_BITS, USER_BITS};
use crate::ports::Direction;
use crate::primitives::wires::from_bits;
use crate::side::{Sideband, fields};
use crate::validate::pass::axis::PassAxis;
use crate::validate::pass::bytes::beat_bits as pass_bits;
use crate::validate::pass::free::PassFree;
use crate::validate::snoop::Snoop;
use rust_hdl::core::prelude::*;

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

/// Half of so many lanes, but at least one.
const fn half(lanes: usize) -> usize {
    if lanes > 1 { lanes / 2 } else { 1 }
}

/// The one place that turns a number of lanes into types: runs an expression in which `$n` is that number as a constant. This crate's
/// own tests need two narrow cores only; each further one takes a minute to compile.
macro_rules! with_lanes {
    ($lanes:expr, $n:ident => $value:expr) => {
        match $lanes {
            1 => with_lanes!(@ 1, $n => $value),
            2 => with_lanes!(@ 2, $n => $value),
            #[cfg(not(test))]
            4 => with_lanes!(@ 4, $n => $value),
            #[cfg(not(test))]
            8 => with_lanes!(@ 8, $n => $value),
            #[cfg(not(test))]
            16 => with_lanes!(@ 16, $n => $value),
            #[cfg(not(test))]
            32 => with_lanes!(@ 32, $n => $value),
            #[cfg(not(test))]
            64 => with_lanes!(@ 64, $n => $value),
            lanes => unreachable!("{lanes} lanes are refused by Request::resolve"),
        }
    };
    (@ $lanes:literal, $n:ident => $value:expr) => {{
        const $n: usize = $lanes;
        $value
    }};
}

/// A core of so many lanes: its type's parameters are the widths that follow from them.
macro_rules! decode {
    ($top:ident, $n:ident, $dense:literal $(, $more:expr)*) => {
        $top::<
            $n,
            { 8 * $n },
            { SCALAR_BITS * $n },
            { PLANES * $n },
            { beat_bits($n) },
            { 32 * $n },
            { 4 * $n },
            { USER_BITS * $n + 1 },
            $dense
            $(, { $more })*
        >::new
    };
}
macro_rules! validate {
    ($top:ident, $n:ident $(, $more:expr)*) => {
        $top::<
            $n,
            { 8 * $n },
            { half($n) },
            { half(half($n)) },
            { half(half(half($n))) },
            { half(half(half(half($n)))) },
            { half(half(half(half(half($n))))) }
            $(, { $more })*
        >::new
    };
}

macro_rules! flows {
    ($n:ident, $csr:literal) => {
        Flows::<
            $n,
            { 8 * $n },
            { $n + TAIL },
            { 8 * ($n + TAIL) },
            { half($n) },
            { half(half($n)) },
            { half(half(half($n))) },
            { half(half(half(half($n)))) },
            { half(half(half(half(half($n))))) },
            $csr,
        >::new
    };
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

/// Builds a core.
pub fn build(config: &Config) -> Box<dyn EmbeddedCore> {
    with_stack(|| build_here(config))
}

fn build_here(config: &Config) -> Box<dyn EmbeddedCore> {
    match config.core {
        Core::Decode { signature, dense } => decode(config, signature, dense),
        Core::Validate {
            mode,
            counter_width,
            csr,
            flows,
            ..
        } => match flows {
            None => validate(config, mode, counter_width, csr),
            Some(flows) => self::flows(config, counter_width, flows, csr),
        },
    }
}

fn decode(config: &Config, signature: Signature, dense: bool) -> Box<dyn EmbeddedCore> {
    const SPARSE: usize = bank_address_bits(false);
    const DENSE: usize = bank_address_bits(true);
    let rule = SignatureRule {
        strip: signature == Signature::Strip,
        flag: signature == Signature::Flag,
    };
    with_lanes!(config.lanes, N => match (config.form, dense) {
        (Form::Free, false) => connected(decode!(DecodeFree, N, 0)(rule)),
        (Form::Free, true) => connected(decode!(DecodeFree, N, 1)(rule)),
        (Form::Axis, false) => connected(decode!(DecodeAxis, N, 0, SPARSE, capacity(SPARSE), 2 << SPARSE)(rule)),
        (Form::Axis, true) => connected(decode!(DecodeAxis, N, 1, DENSE, capacity(DENSE), 2 << DENSE)(rule)),
    })
}

fn validate(config: &Config, mode: Mode, counter_width: usize, csr: bool) -> Box<dyn EmbeddedCore> {
    let stallable = config.form == Form::Axis;
    with_lanes!(config.lanes, N => match (mode, config.form, csr) {
        (Mode::Snoop, _, false) => connected(validate!(Snoop, N, 0)(counter_width, stallable, config)),
        (Mode::Snoop, _, true) => connected(validate!(Snoop, N, 1)(counter_width, stallable, config)),
        (Mode::Pass, Form::Free, false) => {
            connected(validate!(PassFree, N, pass_bits(N), 0)(counter_width, config))
        }
        (Mode::Pass, Form::Free, true) => {
            connected(validate!(PassFree, N, pass_bits(N), 1)(counter_width, config))
        }
        (Mode::Pass, Form::Axis, false) => {
            connected(validate!(PassAxis, N, pass_bits(N), 0)(counter_width, config))
        }
        (Mode::Pass, Form::Axis, true) => {
            connected(validate!(PassAxis, N, pass_bits(N), 1)(counter_width, config))
        }
    })
}

fn flows(config: &Config, counter_width: usize, flows: usize, csr: bool) -> Box<dyn EmbeddedCore> {
    let stallable = config.form == Form::Axis;
    with_lanes!(config.lanes, N => if csr {
        connected(flows!(N, 1)(flows, counter_width, stallable, config))
    } else {
        connected(flows!(N, 0)(flows, counter_width, stallable, config))
    })
}

fn connected<T: EmbeddedCore + Block + 'static>(mut core: T) -> Box<dyn EmbeddedCore> {
    core.connect_all();
    Box::new(core)
}

/// Lets everything settle.
pub(crate) fn settle(block: &mut dyn Block) -> Result<(), NotSettled> {
    for _ in 0..MAX_ROUNDS {
        block.update_all();
        if !block.has_changed() {
            return Ok(());
        }
    }
    Err(NotSettled)
}

/// Reads pins from an input frame, in order.
struct Inputs<'a> {
    words: std::slice::Iter<'a, u32>,
    config: &'a Config,
}

impl Inputs<'_> {
    /// The bits of a pin so wide.
    fn pin(&mut self, width: usize) -> impl Fn(usize) -> bool + use<> {
        let words: Vec<u32> = self
            .words
            .by_ref()
            .take(width.div_ceil(32))
            .copied()
            .collect();
        move |bit| {
            words
                .get(bit / 32)
                .is_some_and(|word| word >> (bit % 32) & 1 == 1)
        }
    }

    fn bits<const W: usize>(&mut self) -> Bits<W> {
        from_bits(self.pin(W))
    }

    fn bit(&mut self) -> bool {
        self.words.next().is_some_and(|word| word & 1 == 1)
    }

    /// The side signals of flows: `tid` is the flow, and what a beat is told is the lowest part of `tuser`.
    fn flow(&mut self) -> (Bits<FLOW_BITS>, Bits<COMMAND_BITS>, Sideband) {
        let places = fields(self.config);
        let [id, dest, user] =
            [places.id.1, places.dest.1, COMMAND_BITS + places.user.1].map(|width| {
                let pin = self.pin(width);
                (0..width).map(pin).collect::<Vec<bool>>()
            });
        let side = [
            (places.id.0, &id[..]),
            (places.dest.0, &dest),
            (places.user.0, &user[COMMAND_BITS..]),
        ];
        let bit = |bits: &[bool], at: usize| bits.get(at).copied().unwrap_or_default();
        (
            from_bits(|at| bit(&id, at)),
            from_bits(|at| user[at]),
            Sideband::from_bits(|at| {
                let mut parts = side.iter();
                parts.any(|(low, bits)| at.checked_sub(*low).is_some_and(|at| bit(bits, at)))
            }),
        )
    }

    /// `tid`, `tdest` and `tuser`, as far as there are such pins.
    fn side(&mut self) -> Sideband {
        let places = fields(self.config);
        let mut side = [false; Sideband::BITS];
        for (offset, width) in [
            places.id,
            places.dest,
            (places.user.0, self.config.side.user),
        ] {
            let pin = self.pin(width);
            for bit in 0..width {
                side[offset + bit] = pin(bit);
            }
        }
        Sideband::from_bits(|bit| side[bit])
    }

    /// The registers' bus, if there is one.
    fn axil(&mut self) -> Bits<{ bus::IN_BITS }> {
        let mut pins = [false; bus::IN_BITS];
        if self.config.has_registers() {
            for (_, low, width) in bus::places(Direction::Input) {
                let pin = self.pin(width);
                for bit in 0..width {
                    pins[low + bit] = pin(bit);
                }
            }
        }
        from_bits(|bit| pins[bit])
    }

    /// A `tready` that there is only in the form with backpressure.
    fn ready(&mut self) -> bool {
        self.config.form == Form::Axis && self.bit()
    }
}

/// Writes pins to an output frame, in order.
struct Outputs<'a> {
    words: std::slice::IterMut<'a, u32>,
    config: &'a Config,
}

impl Outputs<'_> {
    /// A pin of `width` bits whose bits a function tells.
    fn write(&mut self, width: usize, bit: impl Fn(usize) -> bool) {
        for start in (0..width).step_by(32) {
            let bits = start..width.min(start + 32);
            if let Some(word) = self.words.next() {
                *word = bits.fold(0, |word, index| {
                    word | u32::from(bit(index)) << (index - start)
                });
            }
        }
    }

    fn bits<const W: usize>(&mut self, value: Bits<W>) {
        self.write(W, |bit| value.get_bit(bit));
    }

    fn bit(&mut self, value: bool) {
        self.write(1, |_| value);
    }

    fn field(&mut self, side: &Sideband, (offset, width): (usize, usize)) {
        self.write(width, |bit| side.get_bit(offset + bit));
    }

    /// Whether a beat broke the contract, if that is told.
    fn beat_error(&mut self, value: bool) {
        if self.config.beat_error {
            self.bit(value);
        }
    }

    /// The registers' bus, if there is one.
    fn axil(&mut self, pins: Bits<{ bus::OUT_BITS }>) {
        if self.config.has_registers() {
            for (_, low, width) in bus::places(Direction::Output) {
                self.write(width, |bit| pins.get_bit(low + bit));
            }
        }
    }

    /// `tid` and `tdest`, and `tuser` as it is.
    fn side(&mut self, side: Sideband, user: usize) {
        let places = fields(self.config);
        self.field(&side, places.id);
        self.field(&side, places.dest);
        self.field(&side, (places.user.0, user));
    }

    /// `tid` and `tdest`, and `tuser` above what the events have there.
    fn side_and_kinds<const W: usize>(&mut self, side: Sideband, kinds: Bits<W>) {
        let places = fields(self.config);
        self.field(&side, places.id);
        self.field(&side, places.dest);
        self.write(W + places.user.1, |bit| {
            if bit < W {
                kinds.get_bit(bit)
            } else {
                side.get_bit(places.user.0 + bit - W)
            }
        });
    }

    /// A verdict, on a bus that may be wider.
    fn verdict<const W: usize>(&mut self, verdict: Bits<W>) {
        if let Core::Validate { verdict_width, .. } = self.config.core {
            self.write(verdict_width, |bit| bit < W && verdict.get_bit(bit));
        }
    }
}

/// Implements [`EmbeddedCore`]: the pins in the table's order; that the order is right, a test of the table's names and
/// widths and every lockstep show.
macro_rules! embedded_core {
    ($top:ident<$($parameter:ident),+>, $core:ident, $inputs:ident => $drive:block, $outputs:ident => $sample:block) => {
        impl<$(const $parameter: usize),+> EmbeddedCore for $top<$($parameter),+> {
            fn block(&self) -> &dyn Block {
                self
            }

            fn drive(&mut self, config: &Config, frame: &[u32]) {
                let $core = self;
                let mut $inputs = Inputs { words: frame.iter(), config };
                $drive
            }

            fn sample(&self, config: &Config, frame: &mut [u32]) {
                let $core = self;
                let mut $outputs = Outputs { words: frame.iter_mut(), config };
                $sample
            }

            fn settle(&mut self, clk: bool) -> Result<(), NotSettled> {
                self.clk.next = Clock { clk };
                settle(self)
            }
        }
    };
}

embedded_core!(
    DecodeFree<N, DATA, SCALARS, STACK, BEAT, WORDS, KEEP, USER, DENSE>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        core.s_axis_side.next = inputs.side();
    },
    outputs => {
        outputs.bit(core.m_axis_tvalid.val());
        outputs.bits(core.m_axis_tdata.val());
        outputs.bits(core.m_axis_tkeep.val());
        outputs.bit(core.m_axis_tlast.val());
        outputs.side_and_kinds(core.m_axis_side.val(), core.m_axis_kinds.val());
        outputs.beat_error(core.beat_error.val());
    }
);
embedded_core!(
    DecodeAxis<N, DATA, SCALARS, STACK, BEAT, WORDS, KEEP, USER, DENSE, A, T, C>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        core.s_axis_side.next = inputs.side();
        core.m_axis_tready.next = inputs.bit();
    },
    outputs => {
        outputs.bit(core.s_axis_tready.val());
        outputs.bit(core.m_axis_tvalid.val());
        outputs.bits(core.m_axis_tdata.val());
        outputs.bits(core.m_axis_tkeep.val());
        outputs.bit(core.m_axis_tlast.val());
        outputs.side_and_kinds(core.m_axis_side.val(), core.m_axis_kinds.val());
        outputs.beat_error(core.beat_error.val());
    }
);
embedded_core!(
    Snoop<N, DATA, H1, H2, H3, H4, H5, CSR>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tready.next = inputs.ready();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        core.s_axis_side.next = inputs.side();
        core.s_axil_in.next = inputs.axil();
    },
    outputs => {
        outputs.bit(core.m_axis_verdict_tvalid.val());
        outputs.verdict(core.m_axis_verdict.val());
        outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
        outputs.beat_error(core.beat_error.val());
        outputs.axil(core.s_axil_out.val());
    }
);
embedded_core!(
    Flows<N, DATA, M, WIDE, H1, H2, H3, H4, H5, CSR>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tready.next = inputs.ready();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        let (flow, command, side) = inputs.flow();
        core.s_axis_flow.next = flow;
        core.s_axis_command.next = command;
        core.s_axis_side.next = side;
        core.s_axil_in.next = inputs.axil();
    },
    outputs => {
        outputs.bit(core.flows_ready.val());
        outputs.bit(core.m_axis_flow_tvalid.val());
        outputs.bits(core.m_axis_flow_tdata.val());
        outputs.side(core.m_axis_flow_side.val(), outputs.config.side.user);
        outputs.bit(core.m_axis_verdict_tvalid.val());
        outputs.verdict(core.m_axis_verdict.val());
        outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
        outputs.axil(core.s_axil_out.val());
    }
);
embedded_core!(
        PassFree<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        core.s_axis_side.next = inputs.side();
        core.s_axil_in.next = inputs.axil();
    },
    outputs => {
        outputs.bit(core.m_axis_tvalid.val());
        outputs.bits(core.m_axis_tdata.val());
        outputs.bits(core.m_axis_tkeep.val());
        outputs.bit(core.m_axis_tlast.val());
        outputs.side(core.m_axis_side.val(), fields(outputs.config).user.1);
        outputs.bit(core.m_axis_verdict_tvalid.val());
        outputs.verdict(core.m_axis_verdict.val());
        outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
        outputs.beat_error(core.beat_error.val());
        outputs.axil(core.s_axil_out.val());
    }
);
embedded_core!(
    PassAxis<N, DATA, H1, H2, H3, H4, H5, BEAT, CSR>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        core.s_axis_side.next = inputs.side();
        core.m_axis_tready.next = inputs.bit();
        core.m_axis_verdict_tready.next = inputs.bit();
        core.s_axil_in.next = inputs.axil();
    },
    outputs => {
        outputs.bit(core.s_axis_tready.val());
        outputs.bit(core.m_axis_tvalid.val());
        outputs.bits(core.m_axis_tdata.val());
        outputs.bits(core.m_axis_tkeep.val());
        outputs.bit(core.m_axis_tlast.val());
        outputs.side(core.m_axis_side.val(), fields(outputs.config).user.1);
        outputs.bit(core.m_axis_verdict_tvalid.val());
        outputs.verdict(core.m_axis_verdict.val());
        outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
        outputs.beat_error(core.beat_error.val());
        outputs.axil(core.s_axil_out.val());
    }
);
