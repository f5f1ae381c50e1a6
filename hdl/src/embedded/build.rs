//! A core's types, from its configuration.

use super::engine::{EmbeddedCore, with_stack};
use crate::backpressure::fifo::{capacity, part_bits};
use crate::config::{
    Config, Core, Encoding, Form, Grammar, Mode, OnError, Policy, Replace, Signature,
};
use crate::decode::axis::{DecodeAxis, bank_address_bits};
use crate::decode::beat::{beat_bits, planes};
use crate::decode::events::EventRule;
use crate::decode::free::DecodeFree;
use crate::decode::units::UNIT_BITS;
use crate::encode::axis::{ADDRESS_BITS, EncodeAxis};
use crate::encode::places::sum_bits;
use crate::encode::units::UPPER_BITS;
use crate::encode::words::{MARKS, MOST_MARKS, WordRule};
use crate::flows::Flows;
use crate::flows::tail::TAIL;
use crate::layout::{
    FORBID_VERDICT_BITS, FULL_VERDICT_BITS, LONG_SCALAR_BITS, LONG_USER_BITS, SCALAR_BITS,
    USER_BITS,
};
use crate::primitives::Cuts;
use crate::sanitise::axis::SanitiseAxis;
use crate::sanitise::free::SanitiseFree;
use crate::schedule;
use crate::validate::pass::axis::{PASS_ADDRESS_BITS, PassAxis};
use crate::validate::pass::bytes::beat_bits as pass_bits;
use crate::validate::pass::free::PassFree;
use crate::validate::snoop::Snoop;
use rust_hdl::prelude::Block;

/// The one place that turns a number of lanes into types: runs an expression in which `$n` is that number as a constant. This crate's
/// own tests emit cores of one lane only; with each further number of lanes they would take half a minute more to compile.
macro_rules! with_lanes {
    (wide $lanes:expr, $n:ident => $value:expr) => {
        match $lanes {
            #[cfg(not(test))]
            128 => with_lanes!(@ 128, $n => $value),
            lanes => with_lanes!(lanes, $n => $value),
        }
    };
    ($lanes:expr, $n:ident => $value:expr) => {
        match $lanes {
            #[cfg(not(test))]
            32 => with_lanes!(@ 32, $n => $value),
            #[cfg(not(test))]
            64 => with_lanes!(@ 64, $n => $value),
            lanes => with_lanes!(narrow lanes, $n => $value),
        }
    };
    (narrow $lanes:expr, $n:ident => $value:expr) => {
        match $lanes {
            #[cfg(not(test))]
            16 => with_lanes!(@ 16, $n => $value),
            lanes => with_lanes!(narrowest lanes, $n => $value),
        }
    };
    (narrowest $lanes:expr, $n:ident => $value:expr) => {
        match $lanes {
            1 => with_lanes!(@ 1, $n => $value),
            #[cfg(not(test))]
            2 => with_lanes!(@ 2, $n => $value),
            #[cfg(not(test))]
            4 => with_lanes!(@ 4, $n => $value),
            #[cfg(not(test))]
            8 => with_lanes!(@ 8, $n => $value),
            lanes => unreachable!("{lanes} lanes are refused by Request::resolve"),
        }
    };
    (@ $lanes:literal, $n:ident => $value:expr) => {{
        const $n: usize = $lanes;
        $value
    }};
}

/// A core's type for a number of lanes: the widths that are its parameters follow from the lanes. A decoder's also follow from the bits
/// of a lane's word, of its part of `tdata` and of its part of `tuser`.
macro_rules! decode {
    ($top:ident, $n:ident, [$word:expr, $data:literal, $user:expr], $dense:literal $(, $more:expr)*) => {
        $top::<
            $n,
            { 8 * $n },
            { $word * $n },
            { planes($word, $user) * $n },
            { beat_bits(planes($word, $user), $n) },
            { $data * $n },
            { $data / 8 * $n },
            { $user * $n + 1 },
            $dense
            $(, { $more })*
        >::new
    };
}
macro_rules! decode_axis {
    ($n:ident, [$word:expr, $data:literal, $user:expr], $dense:literal, $address_bits:expr) => {
        decode!(
            DecodeAxis,
            $n,
            [$word, $data, $user],
            $dense,
            $address_bits,
            capacity($address_bits),
            part_bits(beat_bits(planes($word, $user), $n), $address_bits)
        )
    };
}
macro_rules! validate {
    ($top:ident, $n:ident $(, $more:expr)*) => {
        $top::<
            $n,
            { 8 * $n }
            $(, { $more })*
        >::new
    };
}

/// An encoder's type. A word has `bits` bits and `2 ** turn` slots; its value, its marks and those that the slots need have this number of
/// planes.
macro_rules! encoder {
    ($n:ident, $bits:literal, [$scalar:expr, $marks:expr, $later:expr, $turn:literal]) => {
        EncodeAxis::<
            $n,
            { $bits * $n },
            { $bits / 8 * $n },
            { UPPER_BITS * $n },
            { $scalar * $n },
            { sum_bits($n) * $n },
            { $marks * $n },
            { $later * $n },
            { $n << $turn },
            { $n << ($turn + 3) },
            { 8 * $n },
            { pass_bits($n) },
            $turn,
            { part_bits(pass_bits($n), ADDRESS_BITS) },
        >::new
    };
    ($n:ident, $bits:literal) => {
        encoder!($n, $bits, [SCALAR_BITS, MARKS, 5, 2])
    };
}
#[cfg(test)]
pub(crate) use encoder;

macro_rules! flows {
    ($n:ident, $csr:literal) => {
        Flows::<$n, { 8 * $n }, { $n + TAIL }, { 8 * ($n + TAIL) }, $csr>::new
    };
}

/// Builds a core.
pub fn build(config: &Config) -> Box<dyn EmbeddedCore> {
    with_stack(|| build_here(config))
}

fn build_here(config: &Config) -> Box<dyn EmbeddedCore> {
    match config.core {
        Core::Decode {
            signature,
            dense,
            to,
            grammar,
        } => {
            let rule = EventRule {
                strip: signature == Signature::Strip,
                reject: signature == Signature::Reject,
                flag: signature == Signature::Flag,
                swaps: to == Encoding::Utf16be,
                grammar,
            };
            match (to.is_utf16(), grammar) {
                (true, _) => decode_to_units(config, rule, dense),
                (false, Grammar::Rfc3629) => decode_to_scalars(config, rule, dense),
                (false, Grammar::Rfc2279) => decode_to_long_scalars(config, rule, dense),
            }
        }
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
        Core::Encode {
            from,
            on_error,
            counter_width,
            grammar,
            ..
        } => {
            let omits = on_error == OnError::Omit;
            match grammar {
                Grammar::Rfc3629 => encode(config, from, omits, counter_width),
                Grammar::Rfc2279 => encode_long(config, omits, counter_width),
            }
        }
        Core::Sanitise {
            replace,
            counter_width,
            ..
        } => sanitise(config, replace, counter_width),
    }
}

/// A function that builds decoders of a lane's word, of its part of `tdata` and of its part of `tuser` with these bits.
macro_rules! decoders {
    ($name:ident, $bits:tt) => {
        fn $name(config: &Config, rule: EventRule, dense: bool) -> Box<dyn EmbeddedCore> {
            const SPARSE: usize = bank_address_bits(false);
            const DENSE: usize = bank_address_bits(true);
            let cuts = schedule::cuts(config);
            if dense {
                return with_lanes!(config.lanes, N => match config.form {
                    Form::Free => connected(decode!(DecodeFree, N, $bits, 1)(cuts, rule)),
                    Form::Axis => connected(decode_axis!(N, $bits, 1, DENSE)(cuts, rule)),
                });
            }
            with_lanes!(wide config.lanes, N => match config.form {
                Form::Free => connected(decode!(DecodeFree, N, $bits, 0)(cuts, rule)),
                Form::Axis => connected(decode_axis!(N, $bits, 0, SPARSE)(cuts, rule)),
            })
        }
    };
}

decoders!(decode_to_scalars, [SCALAR_BITS, 32, USER_BITS]);
decoders!(decode_to_units, [UNIT_BITS, 16, USER_BITS]);
decoders!(
    decode_to_long_scalars,
    [LONG_SCALAR_BITS, 32, LONG_USER_BITS]
);

fn validate(config: &Config, mode: Mode, counter_width: usize, csr: bool) -> Box<dyn EmbeddedCore> {
    let (cuts, stallable) = (schedule::cuts(config), config.form == Form::Axis);
    if csr {
        return with_lanes!(config.lanes, N => match (mode, config.form) {
            (Mode::Snoop, _) => connected(validate!(Snoop, N, 1)(cuts, counter_width, stallable, config)),
            (Mode::Pass | Mode::Drop, Form::Free) => connected(validate!(PassFree, N, pass_bits(N), 1)(cuts, counter_width, config)),
            (Mode::Pass | Mode::Drop, Form::Axis) if config.core.policy().is_full => connected(validate!(PassAxis, N, pass_bits(N), 1, FULL_VERDICT_BITS, part_bits(pass_bits(N), PASS_ADDRESS_BITS))(cuts, counter_width, config)),
            (Mode::Pass | Mode::Drop, Form::Axis) => connected(validate!(PassAxis, N, pass_bits(N), 1, FORBID_VERDICT_BITS, part_bits(pass_bits(N), PASS_ADDRESS_BITS))(cuts, counter_width, config)),
        });
    }
    with_lanes!(wide config.lanes, N => match (mode, config.form) {
        (Mode::Snoop, _) => connected(validate!(Snoop, N, 0)(cuts, counter_width, stallable, config)),
        (Mode::Pass | Mode::Drop, Form::Free) => connected(validate!(PassFree, N, pass_bits(N), 0)(cuts, counter_width, config)),
        (Mode::Pass | Mode::Drop, Form::Axis) if config.core.policy().is_full => connected(validate!(PassAxis, N, pass_bits(N), 0, FULL_VERDICT_BITS, part_bits(pass_bits(N), PASS_ADDRESS_BITS))(cuts, counter_width, config)),
        (Mode::Pass | Mode::Drop, Form::Axis) => connected(validate!(PassAxis, N, pass_bits(N), 0, FORBID_VERDICT_BITS, part_bits(pass_bits(N), PASS_ADDRESS_BITS))(cuts, counter_width, config)),
    })
}

fn flows(config: &Config, counter_width: usize, flows: usize, csr: bool) -> Box<dyn EmbeddedCore> {
    let (cuts, stallable) = (schedule::cuts(config), config.form == Form::Axis);
    with_lanes!(config.lanes, N => if csr {
        connected(flows!(N, 1)(cuts, flows, counter_width, stallable, config))
    } else {
        connected(flows!(N, 0)(cuts, flows, counter_width, stallable, config))
    })
}

fn encode(config: &Config, from: Encoding, omits: bool, width: usize) -> Box<dyn EmbeddedCore> {
    let swaps = from == Encoding::Utf16be;
    let rule = WordRule { omits, swaps };
    if from.is_utf16() {
        return with_lanes!(narrow config.lanes, N => connected(encoder!(N, 16)(Cuts::ALL, rule, false, Policy::default(), width)));
    }
    with_lanes!(narrow config.lanes, N => connected(encoder!(N, 32)(Cuts::ALL, rule, false, Policy::default(), width)))
}

fn encode_long(config: &Config, omits: bool, width: usize) -> Box<dyn EmbeddedCore> {
    let swaps = false;
    let rule = WordRule { omits, swaps };
    with_lanes!(narrowest config.lanes, N => connected(encoder!(N, 32, [LONG_SCALAR_BITS, MOST_MARKS, MOST_MARKS, 3])(Cuts::ALL, rule, false, Policy::default(), width)))
}

fn sanitise(config: &Config, replace: Replace, width: usize) -> Box<dyn EmbeddedCore> {
    let (policy, strip) = (config.core.policy(), config.core.strips());
    if replace == Replace::Fffd {
        return with_lanes!(narrow config.lanes, N => connected(encoder!(N, 8)(Cuts::ALL, WordRule::default(), strip, policy, width)));
    }
    with_lanes!(wide config.lanes, N => match config.form {
        Form::Free => connected(validate!(SanitiseFree, N)(Cuts::ALL, width, policy)),
        Form::Axis => connected(validate!(SanitiseAxis, N, pass_bits(N), part_bits(pass_bits(N), bank_address_bits(false)))(Cuts::ALL, width, config)),
    })
}

fn connected<T: EmbeddedCore + Block + 'static>(mut core: T) -> Box<dyn EmbeddedCore> {
    core.connect_all();
    // Only what unwinds drops a core's parts; without that, the code for it would be a sixth of what there is to compile.
    #[cfg(panic = "abort")]
    let core = std::mem::ManuallyDrop::new(core);
    Box::new(core)
}
