//! What a core is: its configuration.

use crate::{Encoding, Grammar, Ports, Replace};

/// What a core is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Bytes per beat, or words to encode: a power of two, at most 128; at most 64 if events are packed, flows interleave or there are
    /// registers, and at most 16 of words, or if U+FFFD replaces bytes.
    pub lanes: usize,
    /// What UTF-8 is. Under RFC 2279 there are no flows, no UTF-16 and no sanitiser.
    pub grammar: Grammar,
    pub form: Form,
    pub side: Side,
    pub core: Core,
    /// How packets are judged beyond the grammar: of the validators without flows, and of the sanitisers.
    pub policy: Policy,
    /// Clocks from a beat to its events, or from a packet's last beat to its verdict, without a FIFO. `None`: as many as there can be.
    pub depth: Option<usize>,
    /// A pin tells of beats that break the contract.
    pub beat_error: bool,
}

/// How packets are judged beyond the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Scalar values of these classes (see [`crate::classes`]), a bit for each, make a packet bad; only of validators under RFC 3629.
    pub forbid: u8,
    /// A signature at its beginning does.
    pub rejects: bool,
    /// What a packet's beginning and its end cut is no error (see [`crate::edges`]); only of validators under RFC 3629.
    pub has_open_edges: bool,
    /// The verdict has all of its words; only of validators under RFC 3629.
    pub is_full: bool,
    /// Only the bytes of a window (see [`crate::window`]) are judged; of validators, and of sanitisers that put out question marks.
    pub has_window: bool,
    /// The window is the payload of an Ethernet frame (see [`crate::frames`]); of those with a window.
    pub has_frames: bool,
    /// With frames: a table of ports. Only packets with a port of it are judged. With registers it can be written.
    pub ports: Option<Ports>,
}

impl Policy {
    /// Whether the verdict's bit `bad` is used.
    pub(super) fn tells_bad(&self) -> bool {
        *self != Self::default()
    }
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

impl Side {
    /// Words of all of them.
    pub(super) fn words(&self) -> usize {
        let widths = [self.id, self.dest, self.user];
        widths.iter().map(|width| width.div_ceil(32)).sum()
    }
}

/// Which core, and what only that core has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// Bytes in, one event per piece out.
    Decode {
        signature: Signature,
        /// The events are packed into full beats.
        dense: bool,
        to: Encoding,
    },
    /// Bytes in, one verdict per packet out.
    Validate {
        mode: Mode,
        /// Bits of `m_axis_verdict_tdata`: a multiple of 8, at least 160.
        verdict_width: usize,
        /// Bits of each counter, 8 to 32; they saturate.
        counter_width: usize,
        /// The number of flows whose beats interleave (1 to 4096); none if no beats do.
        flows: Option<usize>,
        /// It has registers, on a bus.
        csr: bool,
    },
    /// Words in, bytes out, and one verdict per packet. It is always of the form `Axis` and of the greatest depth.
    Encode {
        from: Encoding,
        /// Ill-formed words are omitted, not replaced.
        omits: bool,
        /// Bits of `m_axis_verdict_tdata`: a multiple of 8, at least 160.
        verdict_width: usize,
        /// Bits of each counter, 8 to 32; they saturate.
        counter_width: usize,
    },
    /// Bytes in, well-formed bytes out, and one verdict per packet. It is always of the greatest depth, and of the form `Axis` if it puts
    /// out U+FFFD.
    Sanitise {
        replace: Replace,
        /// A signature at the beginning of a packet is left out. Only where U+FFFD is put out.
        strips: bool,
        /// Bits of `m_axis_verdict_tdata`: a multiple of 8, at least 160.
        verdict_width: usize,
        /// Bits of each counter, 8 to 32; they saturate.
        counter_width: usize,
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
    /// It is sent, and its packet's last beat is flagged.
    Reject,
}

/// What `validate` does with the packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It watches them on their way to another sink.
    Snoop,
    /// They pass through it, and the last beat of an ill-formed one says so; if `is_early`, each beat says whether an ill-formed piece has
    /// ended.
    Pass { is_early: bool },
    /// The same, but an ill-formed one is not put out, if it has at most `longest` beats. They wait in a memory of `words` beats.
    Drop { words: usize, longest: usize },
}

impl Setup {
    /// How often the lanes double from one.
    pub(super) fn levels(&self) -> usize {
        self.lanes.ilog2() as usize
    }

    pub(super) fn flows(&self) -> Option<usize> {
        match self.core {
            Core::Validate { flows, .. } => flows,
            Core::Decode { .. } | Core::Encode { .. } | Core::Sanitise { .. } => None,
        }
    }

    /// Bits of a lane's part of the events' `tdata`.
    pub(super) fn word_bits(&self) -> usize {
        match self.core {
            Core::Decode { to, .. } => 8 * to.word_bytes(),
            _ => 32,
        }
    }

    /// Bits of a lane's part of the events' `tuser`: three of a kind, and above them those of a length up to three, under RFC 2279 up to five.
    pub(super) fn mark_bits(&self) -> usize {
        match self.grammar {
            Grammar::Rfc3629 => 5,
            Grammar::Rfc2279 => 6,
        }
    }

    /// Bytes of a lane of the input.
    pub(super) fn lane_bytes(&self) -> usize {
        match self.core {
            Core::Encode { from, .. } => from.word_bytes(),
            _ => 1,
        }
    }

    /// Bits of a verdict's `tdata`, if there are verdicts.
    pub(super) fn verdict_width(&self) -> Option<usize> {
        match self.core {
            Core::Decode { .. } => None,
            Core::Validate { verdict_width, .. }
            | Core::Encode { verdict_width, .. }
            | Core::Sanitise { verdict_width, .. } => Some(verdict_width),
        }
    }

    /// Whether `s_axis_tready` is an output, and each stream of the output ends in a FIFO. Snoop mode has neither.
    pub(super) fn answers(&self) -> bool {
        self.form == Form::Axis && !self.snoops()
    }

    /// What it does with packets, of a validator.
    pub(super) fn mode(&self) -> Option<Mode> {
        match self.core {
            Core::Validate { mode, .. } => Some(mode),
            _ => None,
        }
    }

    /// Bits of `tuser` of a packet that passes through a validator, but for the one that tells early that it is ill-formed.
    pub(super) fn user_bits(&self) -> usize {
        self.side.user.max(1)
    }

    /// Whether it is a validator that watches packets, or one that they pass through.
    pub(super) fn snoops(&self) -> bool {
        matches!(self.core, Core::Validate { mode, .. } if mode == Mode::Snoop)
    }

    pub(super) fn passes(&self) -> bool {
        matches!(self.core, Core::Validate { mode, .. } if mode != Mode::Snoop)
    }

    /// If bad packets are dropped: the words of the memory in which they wait, and the beats of the longest one.
    pub(super) fn drops(&self) -> Option<(usize, usize)> {
        match self.core {
            Core::Validate {
                mode: Mode::Drop { words, longest },
                ..
            } => Some((words, longest)),
            _ => None,
        }
    }

    /// Whether it is a validator with registers.
    pub(super) fn has_registers(&self) -> bool {
        matches!(self.core, Core::Validate { csr: true, .. })
    }

    /// Whether the core sees its inputs a clock late: it has registers, whose reset of the core takes a clock, and nothing holds its
    /// stream up meanwhile.
    pub(super) fn is_staged(&self) -> bool {
        let holds_up = self.form == Form::Axis && self.passes();
        self.has_registers() && self.flows().is_none() && !holds_up
    }

    /// Whether a smaller depth only shortens a validator's way to the pieces. What comes after them, like the registers or the state of flows,
    /// then takes as many clocks as ever.
    pub(super) fn keeps_its_end(&self) -> bool {
        self.has_registers() || self.flows().is_some()
    }

    /// The most bytes that are put out for a lane of the input.
    pub(super) fn most_growth(&self) -> usize {
        match self.core {
            Core::Sanitise { .. } => 3,
            _ => self.grammar.longest(),
        }
    }

    /// Slots of a sanitiser. At most three bytes after a beat belong to a sequence that begins in it.
    pub(super) fn slots(&self) -> usize {
        3_usize.div_ceil(self.lanes)
    }

    /// Whether it puts question marks into bytes that stay where they are.
    fn repairs(&self) -> bool {
        let replace = Replace::Ascii;
        matches!(self.core, Core::Sanitise { replace: its, .. } if its == replace)
    }

    pub(super) fn check(&self) {
        let Self { lanes, side, .. } = self;
        let most = match self.core {
            Core::Encode { .. }
            | Core::Sanitise {
                replace: Replace::Fffd,
                ..
            } => 16,
            Core::Decode { dense: true, .. } => 64,
            _ if self.keeps_its_end() => 64,
            _ => 128,
        };
        assert!(lanes.is_power_of_two() && *lanes <= most, "{lanes} lanes");
        let widths = [side.id, side.dest, side.user];
        assert!(widths.iter().all(|&width| width <= 64), "{side:?}");
        if self.grammar == Grammar::Rfc2279 {
            assert!(
                matches!(
                    self.core,
                    Core::Decode {
                        to: Encoding::Utf32,
                        ..
                    } | Core::Validate { flows: None, .. }
                        | Core::Encode {
                            from: Encoding::Utf32,
                            ..
                        }
                ),
                "RFC 2279 is not for flows, UTF-16 and sanitise: {:?}",
                self.core
            );
        }
        let judges = matches!(self.core, Core::Validate { flows: None, .. });
        let Policy {
            has_open_edges,
            is_full,
            ..
        } = self.policy;
        let is_of_3629 = self.policy.forbid != 0 || has_open_edges || is_full;
        assert!(!is_of_3629 || judges && self.grammar == Grammar::Rfc3629);
        assert!(!self.policy.rejects || judges || matches!(self.core, Core::Sanitise { .. }));
        assert!(!self.policy.has_window || judges || self.repairs());
        assert!(!self.policy.has_frames || self.policy.has_window);
        assert!(self.policy.ports.is_none() || self.policy.has_frames);
        if let Core::Validate {
            mode,
            flows: Some(flows),
            ..
        } = self.core
        {
            assert!((1..=4096).contains(&flows) && mode == Mode::Snoop);
        }
        if let Core::Encode { .. } = self.core {
            assert!(self.form == Form::Axis && self.depth.is_none());
        }
        if let Core::Sanitise {
            replace, strips, ..
        } = self.core
        {
            assert!(self.depth.is_none());
            assert!(self.form == Form::Axis || replace == Replace::Ascii);
            assert!(!strips || replace == Replace::Fffd);
        }
        if let Core::Validate {
            verdict_width,
            counter_width,
            ..
        }
        | Core::Encode {
            verdict_width,
            counter_width,
            ..
        }
        | Core::Sanitise {
            verdict_width,
            counter_width,
            ..
        } = self.core
        {
            let least = match self.policy {
                Policy { is_full: true, .. } => 256,
                Policy { forbid: 0, .. } => 160,
                _ => 192,
            };
            assert!(verdict_width >= least && verdict_width.is_multiple_of(8));
            assert!([8, 16, 24, 32].contains(&counter_width));
        }
    }
}
