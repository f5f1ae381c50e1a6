//! Of which cores a theorem says something.

use super::theorem::Theorem;
use crate::exit::Failure;
use hdl::backpressure::packet_fifo::readers;
use hdl::config::{Classes, Config, Core, Form, MAX_LANES_OF_OPTIONS, Mode, Policy};
use hdl::layout::{FORBID_VERDICT_BITS, VERDICT_BITS};
use hdl::sideband::fields;
use hdl::validate::pass::bytes::beat_bits;

/// As many lanes as the theorem about policies is tried with. Of more the trees over the lanes are deeper, and the solver takes far longer.
const MAX_LANES_OF_POLICY: usize = 4;

/// As many lanes as the theorems about windows are tried with: of more, each register of the slot is in a block of its own.
const MAX_LANES_OF_WINDOW: usize = 8;

/// A policy that only leaves the edges open.
const OPEN: Policy = Policy {
    has_window: false,
    has_frames: false,
    ports: None,
    forbid: Classes::NONE,
    rejects: false,
    has_open_edges: true,
    is_full: false,
};

/// As many words as the theorem about the packet FIFO is tried with.
const MAX_WORDS_OF_PACKETS: usize = 64;

/// The most lanes of which packing is proven.
const MAX_PACKED: usize = 2;

impl Theorem {
    /// Refuses a core that it says nothing about.
    pub fn check(self, config: &Config) -> Result<(), Failure> {
        let Some((what, remedy)) = self.refusal(config) else {
            return Ok(());
        };
        Err(Failure::new(format!(
            "the theorem {} does not cover {what} (this is {}); {remedy}",
            self.name(),
            config.describe()
        )))
    }

    /// What of a core it does not cover, and what to do.
    pub fn refusal(self, config: &Config) -> Option<(&'static str, &'static str)> {
        let side = config.side.id + config.side.dest + config.side.user;
        match (self, config.core) {
            (Self::Grammar, _) => None,
            (Self::Policy, core) => of_policy(config, &core),
            (Self::Packets, core) => match core.packet_memory(config.lanes) {
                None => Some((
                    "a core that drops no packets",
                    "add --core validate --mode drop",
                )),
                Some((words, _)) if words > MAX_WORDS_OF_PACKETS => Some((
                    "a memory of more than 64 words",
                    "choose --drop-bytes 1, or run the lockstep: runegate sim",
                )),
                Some((words, _)) if readers(words, of_a_beat(config)) > 1 => Some((
                    "beats that are read in several parts",
                    "choose --lanes 16 or fewer and fewer bits of tuser, tid and tdest, or run the lockstep: runegate sim",
                )),
                Some(_) => None,
            },
            (Self::Positions | Self::Outside, core) => of_window(config, core),
            (_, core) if core.policy().has_window => Some((
                "a window",
                "choose the theorems positions and outside, or run the lockstep: runegate sim",
            )),
            (Self::Validate, core) if core.policy() == OPEN && config.depth.is_some() => Some((
                "open edges of a core with a depth",
                "leave --depth out, or run the lockstep: runegate sim",
            )),
            (_, core)
                if core.policy().tells_bad()
                    && !(self == Self::Validate && core.policy() == OPEN) =>
            {
                Some((
                    "a policy",
                    "choose the theorem policy (for validate --forbid alone), leave --forbid, --signature reject and --verdict full out, or \
                 run the lockstep: runegate sim",
                ))
            }
            (Self::Encode, Core::Encode { .. }) if side == 0 => None,
            (Self::Encode, Core::Encode { .. }) => {
                Some(("sidebands", "leave the widths of tid, tdest and tuser out"))
            }
            (Self::Packing, Core::Encode { .. }) if side > 0 => {
                Some(("sidebands", "leave the widths of tid, tdest and tuser out"))
            }
            (Self::Packing, Core::Encode { from, .. }) if from.is_utf16() => Some((
                "UTF-16",
                "choose --from utf32, or run the lockstep: runegate sim",
            )),
            (Self::Packing, Core::Encode { .. }) if config.core.grammar().is_2279() => Some((
                "words of six bytes",
                "leave --grammar out, or run the lockstep: runegate sim",
            )),
            (Self::Packing, Core::Encode { .. }) if config.lanes > MAX_PACKED => Some((
                "more than two lanes",
                "choose --lanes 1 or 2, or run the lockstep: runegate sim",
            )),
            (Self::Packing, Core::Encode { .. }) => None,
            (Self::Sanitise, Core::Sanitise { .. }) if side == 0 => None,
            (Self::Sanitise, Core::Sanitise { .. }) => {
                Some(("sidebands", "leave the widths of tid, tdest and tuser out"))
            }
            (_, Core::Sanitise { .. }) => Some(("a sanitiser", "choose the theorem sanitise")),
            (_, Core::Encode { .. }) => Some(("an encoder", "choose the theorem encode")),
            (Self::Encode | Self::Packing, Core::Decode { .. }) => {
                Some(("a decoder", "choose --core encode"))
            }
            (Self::Encode | Self::Packing, Core::Validate { .. }) => {
                Some(("a validator", "choose --core encode"))
            }
            (Self::Sanitise, Core::Decode { .. }) => Some(("a decoder", "choose --core sanitise")),
            (Self::Sanitise, Core::Validate { .. }) => {
                Some(("a validator", "choose --core sanitise"))
            }
            (Self::Decode | Self::Stream, Core::Validate { .. }) => {
                Some(("a validator", "choose --core decode"))
            }
            (Self::Validate | Self::Bus | Self::Writes | Self::Counters, Core::Decode { .. }) => {
                Some(("a decoder", "choose --core validate"))
            }
            (Self::Bus | Self::Writes | Self::Counters, _) if !config.has_registers() => {
                Some(("a core without registers", "add --csr"))
            }
            (Self::Stream, _) if config.depth.is_some() => Some((
                "a core with a depth",
                "choose the theorem decode, leave --depth out, or run the lockstep: runegate sim",
            )),
            // A soft reset is none that the specification knows.
            (Self::Validate, _) if config.has_registers() => {
                Some(("a core with registers", "leave --csr out"))
            }
            (Self::Validate, _) if config.lanes > MAX_LANES_OF_OPTIONS => Some((
                "the sums of more than 64 lanes",
                "choose --lanes 64 or fewer, or run the lockstep: runegate sim",
            )),
            (_, Core::Decode { dense: true, .. }) => Some((
                "a dense decoder",
                "leave --dense out, or run the lockstep: runegate sim",
            )),
            (_, Core::Validate { mode, .. }) if mode.passes() => Some((
                "forwarded packets (--mode pass, --mode drop)",
                "choose --mode snoop, or run the lockstep: runegate sim",
            )),
            (_, Core::Validate { flows: Some(_), .. }) => Some((
                "flows",
                "leave --flows out, or run the lockstep: runegate sim",
            )),
            (_, Core::Validate { verdict_width, .. }) if verdict_width != VERDICT_BITS => {
                Some(("padded verdicts", "leave --verdict-width out"))
            }
            _ if side > 0 => Some(("sidebands", "leave the widths of tid, tdest and tuser out")),
            (Self::Stream, _) if config.form == Form::Free => {
                Some(("backpressure in the form free", "choose --form axis"))
            }
            _ => None,
        }
    }
}

/// What the theorems about windows do not cover, and what to do.
fn of_window(config: &Config, core: Core) -> Option<(&'static str, &'static str)> {
    let only_window = Policy {
        has_open_edges: false,
        has_window: true,
        has_frames: false,
        ..OPEN
    };
    let side = config.side.id + config.side.dest + config.side.user;
    let is_snoop = matches!(
        core,
        Core::Validate {
            mode: Mode::Snoop,
            ..
        }
    );
    let all = [
        (
            !core.policy().has_window,
            "a core without windows",
            "add --window, of --core validate",
        ),
        (
            !is_snoop,
            "what passes or is repaired",
            "choose --core validate --mode snoop, or run the lockstep: runegate sim",
        ),
        (
            core.policy() != only_window,
            "a policy",
            "leave --forbid, --signature, --edges and --verdict out, or run the lockstep: runegate sim",
        ),
        (
            core.grammar().is_2279(),
            "RFC 2279",
            "leave --grammar out, or run the lockstep: runegate sim",
        ),
        (
            config.has_registers(),
            "a core with registers",
            "leave --csr out, or run the lockstep: runegate sim",
        ),
        (
            config.depth.is_some(),
            "a core with a depth",
            "leave --depth out, or run the lockstep: runegate sim",
        ),
        (
            config.lanes > MAX_LANES_OF_WINDOW,
            "more than eight lanes",
            "choose --lanes 8 or fewer, or run the lockstep: runegate sim",
        ),
        (
            core.verdict()
                .is_some_and(|(width, _)| width != VERDICT_BITS),
            "padded verdicts",
            "leave --verdict-width out",
        ),
        (
            side > 0,
            "sidebands",
            "leave the widths of tid, tdest and tuser out",
        ),
    ];
    let refused = all.into_iter().find(|(is_asked, ..)| *is_asked);
    refused.map(|(_, what, remedy)| (what, remedy))
}

/// What the theorem about policies does not cover, and what to do.
fn of_policy(config: &Config, core: &Core) -> Option<(&'static str, &'static str)> {
    let Core::Validate {
        mode,
        verdict_width,
        ..
    } = *core
    else {
        return Some((
            "a core without forbidden classes",
            "choose --core validate, and add --forbid",
        ));
    };
    let side = config.side.id + config.side.dest + config.side.user;
    let policy = core.policy();
    if policy.forbid.is_empty() {
        Some(("a core without forbidden classes", "add --forbid"))
    } else if policy.has_open_edges || policy.is_full {
        Some((
            "open edges or a full verdict",
            "leave --edges and --verdict out, or run the lockstep: runegate sim",
        ))
    } else if policy.rejects {
        Some((
            "--signature reject",
            "leave it out, or run the lockstep: runegate sim",
        ))
    } else if mode.passes() {
        Some((
            "forwarded packets (--mode pass, --mode drop)",
            "choose --mode snoop, or run the lockstep: runegate sim",
        ))
    } else if config.has_registers() {
        Some((
            "a core with registers",
            "leave --csr out, or run the lockstep: runegate sim",
        ))
    } else if config.depth.is_some() {
        Some((
            "a core with a depth",
            "leave --depth out, or run the lockstep: runegate sim",
        ))
    } else if config.lanes > MAX_LANES_OF_POLICY {
        Some((
            "more than four lanes",
            "choose --lanes 4 or fewer, or run the lockstep: runegate sim",
        ))
    } else if verdict_width != FORBID_VERDICT_BITS {
        Some(("padded verdicts", "leave --verdict-width out"))
    } else if side > 0 {
        Some(("sidebands", "leave the widths of tid, tdest and tuser out"))
    } else {
        None
    }
}

/// Bits of a beat that passes, with its side signals.
fn of_a_beat(config: &Config) -> usize {
    beat_bits(config.lanes) + fields(config).width
}
