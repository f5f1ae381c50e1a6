//! The pins of a core that takes words, or packs bytes.

use super::configuration::{Config, Encoding, SideWidths};
use super::port::{Port, input, output};

/// The stream of words that enters.
pub(super) fn words(config: &Config, from: Encoding) -> [Port; 8] {
    let SideWidths { id, dest, user } = config.side;
    let side = "copied to the beats that this one completes";
    [
        input("s_axis_tvalid", 1, "a beat of words is valid"),
        output(
            "s_axis_tready",
            1,
            "the beat is accepted; driven by a register",
        ),
        input(
            "s_axis_tdata",
            from.bits() * config.lanes,
            match from {
                Encoding::Utf32 => "32 bits per lane: a scalar value; lane 0 first in the stream",
                Encoding::Utf16le => {
                    "16 bits per lane: UTF-16 unit, its low octet in the low byte; lane 0 first in the stream"
                }
                Encoding::Utf16be => {
                    "16 bits per lane: UTF-16 unit, its high octet in the low byte; lane 0 first in the stream"
                }
            },
        ),
        input(
            "s_axis_tkeep",
            from.bits() / 8 * config.lanes,
            match from {
                Encoding::Utf32 => {
                    "4 bits per lane: all ones in a lane with a word, else zeros; any lanes"
                }
                _ => "2 bits per lane: both ones in a lane with a unit, else zeros; any lanes",
            },
        ),
        input("s_axis_tlast", 1, "the packet ends with this beat"),
        input("s_axis_tid", id, side),
        input("s_axis_tdest", dest, side),
        input("s_axis_tuser", user, side),
    ]
}

/// The stream of packed bytes: what words become, or repaired text.
pub(super) fn packed(config: &Config) -> [Port; 8] {
    let lanes = config.lanes;
    let SideWidths { id, dest, user } = config.side;
    let side = "sideband of the input beat that completed this one";
    [
        output(
            "m_axis_tvalid",
            1,
            "a beat of bytes is valid: it is full or ends its packet",
        ),
        input("m_axis_tready", 1, "the sink accepts the beat"),
        output(
            "m_axis_tdata",
            8 * lanes,
            "bytes, lane 0 (bits 7..0) first in the stream; 0 without one",
        ),
        output(
            "m_axis_tkeep",
            lanes,
            "lanes with a byte: contiguous from lane 0; partial only with tlast, and all zeros if the packet has no byte left",
        ),
        output("m_axis_tlast", 1, "the packet ends with this beat"),
        output("m_axis_tid", id, side),
        output("m_axis_tdest", dest, side),
        output("m_axis_tuser", user, side),
    ]
}
