//! Why a configuration cannot be built.

use super::configuration::{
    COUNTER_WIDTHS, CoreName, LANES, MAX_FLOWS, MAX_SIDE_WIDTH, MAX_VERDICT_WIDTH, Mode, Signature,
};
use super::depth::Depth;
use crate::layout::FLOW_BITS;

/// A configuration that cannot be built.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    #[error("lanes is {0}, but a core has {choices} bytes per beat; choose one of those", choices = list(&LANES))]
    Lanes(usize),
    #[error(
        "--{option} cannot be combined with --lanes {lanes}: {reason} at most {most} lanes; choose --lanes \
         {most} or fewer, or {instead}"
    )]
    TooManyLanes {
        option: &'static str,
        lanes: usize,
        most: usize,
        reason: &'static str,
        instead: &'static str,
    },
    #[error(
        "{option} {value} is not for the core {core}: {reason}; leave it out, or choose --core {other}"
    )]
    NotForCore {
        option: &'static str,
        value: String,
        core: CoreName,
        reason: &'static str,
        other: CoreName,
    },
    #[error(
        "verdict-width is {width}, but a verdict has {least} bits and its bus is made of whole bytes, {MAX_VERDICT_WIDTH} \
         bits at most; choose a multiple of 8 from {least} to {MAX_VERDICT_WIDTH}"
    )]
    VerdictWidth { width: usize, least: usize },
    #[error(
        "flows is {0}, but a core has a table of 1 to {MAX_FLOWS} flows; choose a number in that range"
    )]
    Flows(usize),
    #[error(
        "drop-bytes is {bytes}, but this core drops packets of 1 to {most} bytes; choose a number in that range"
    )]
    DropBytes { bytes: usize, most: usize },
    #[error(
        "--drop-bytes {0} cannot be used without --mode drop: no packet is dropped; choose --mode drop, or leave --drop-bytes out"
    )]
    DropBytesWithoutDrop(usize),
    #[error(
        "--early-bad needs --mode pass, and this is --mode {0}: it is a bit of the beats that the core forwards as they come; choose --mode pass, or leave --early-bad out"
    )]
    EarlyBad(Mode),
    #[error(
        "--form free cannot be combined with --mode drop: packets wait until they are judged, and the sink may make them wait longer; choose --form axis"
    )]
    DropFree,
    #[error(
        "--flows cannot be combined with --mode {0}: a verdict is known only after a message's last packet, when earlier packets have left; choose --mode snoop"
    )]
    FlowsPass(Mode),
    #[error(
        "--flows cannot be combined with --{0}: what a flow keeps has no room for a policy; choose one of the two"
    )]
    FlowsPolicy(&'static str),
    #[error(
        "signature {0} is not for the core validate: its verdict always tells of a signature, and the packet is never changed; choose keep or reject, or choose --core decode"
    )]
    ValidateSignature(Signature),
    #[error(
        "id-width is {width}, but s_axis_tid selects one of {flows} flows; choose {least} to {FLOW_BITS} bits, or leave it out"
    )]
    FlowId {
        width: usize,
        flows: usize,
        least: usize,
    },
    #[error(
        "depth is {depth}, but this core takes {least} to {most} clocks; choose min, max or a number in that range"
    )]
    Depth {
        depth: usize,
        least: usize,
        most: usize,
    },
    #[error(
        "--grammar rfc2279 cannot be combined with --{option}: {reason}; choose --grammar rfc3629, or {instead}"
    )]
    Grammar {
        option: &'static str,
        reason: &'static str,
        instead: &'static str,
    },
    #[error(
        "--form free cannot be combined with --core encode: more than one byte can come of a word, so words have to wait; choose --form axis"
    )]
    EncodeFree,
    #[error(
        "--form free cannot be combined with --replace fffd: up to three bytes come of a byte, so bytes have to wait; choose --form axis, or \
         --replace ascii"
    )]
    FffdFree,
    #[error(
        "--signature strip cannot be combined with --replace ascii: a packet keeps its length; choose --signature keep, or --replace fffd"
    )]
    AsciiStrip,
    #[error(
        "--{0} cannot be combined with --replace fffd, the default: its bytes move, and those beside the text stay where they are; choose --replace ascii, or leave --{0} out"
    )]
    FffdWindow(&'static str),
    #[error(
        "lanes is {0}, but --frames reads headers in 8 to 64 lanes only; choose 8, 16, 32 or 64"
    )]
    FrameLanes(usize),
    #[error(
        "--frames cannot be combined with --window: the frame says where its text is; leave one of them out"
    )]
    FramesWindow,
    #[error(
        "--ports cannot be used without --frames: ports are in the headers of frames; choose --frames, or leave --ports out"
    )]
    PortsWithoutFrames,
    #[error(
        "--ports none cannot be used without --csr: nobody could write the table, and no packet would ever be judged; {0}name ports"
    )]
    PortsNone(&'static str),
    #[error(
        "--ports has an entry of tcp, but a segment of TCP is judged only with --edges open; choose --edges open, or leave the entry out"
    )]
    PortsOfTcp,
    #[error(
        "--ports has an entry of tcp, but sanitise repairs no segment of TCP: it may begin and end within a character; leave the entry out"
    )]
    SanitiseTcp,
    #[error(
        "signature flag is not for the core sanitise: its stream has no place for a flag, and its verdict has one; choose keep, reject, or strip with --replace fffd"
    )]
    SanitiseFlag,
    #[error(
        "depth is {depth}, but {core} has a register at every stage, and no other depth; choose max, or leave it out"
    )]
    OnlyDepth { depth: Depth, core: CoreName },
    #[error(
        "--depth list is no depth of a core: it shows those that there are, in runegate emit only; choose min, max or a number of clocks"
    )]
    DepthList,
    #[error(
        "--beat-error needs two lanes or more: with one lane of bytes every tkeep is legal; leave it out"
    )]
    BeatErrorOfOneLane,
    #[error(
        "--beat-error cannot be combined with --flows: m_axis_flow reports each refused beat; leave it out"
    )]
    BeatErrorOfFlows,
    #[error("counter-width is {0}, but a counter has {choices} bits; choose one of those", choices = list(&COUNTER_WIDTHS))]
    CounterWidth(usize),
    #[error(
        "{option} is {width}, but a width is from 0 (no such pin) to {MAX_SIDE_WIDTH} bits; choose one in that range"
    )]
    SideWidth { option: &'static str, width: usize },
    #[error(
        "the module name {name:?} cannot be used: {reason}; use letters, digits and underscores, beginning with a \
         letter or an underscore, and no reserved word"
    )]
    Module { name: String, reason: &'static str },
}

/// Numbers as a sentence lists them.
pub fn list(numbers: &[usize]) -> String {
    let all: Vec<String> = numbers.iter().map(usize::to_string).collect();
    all.join(", ")
}
