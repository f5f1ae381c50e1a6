//! The pins of a stream of bytes that passes through a core.

use super::configuration::{Config, SideWidths};
use super::port::{Port, input, output};

/// The stream of bytes that passes through.
pub(super) fn passed(config: &Config) -> [Port; 8] {
    let lanes = config.lanes;
    let SideWidths { id, dest, user } = config.side;
    let drops = config.core.packet_memory(lanes).is_some();
    let early = usize::from(config.core.tells_early());
    [
        output("m_axis_tvalid", 1, "a beat of bytes is valid"),
        input("m_axis_tready", 1, "the sink accepts the beat"),
        output("m_axis_tdata", 8 * lanes, "s_axis_tdata, unchanged"),
        output("m_axis_tkeep", lanes, "s_axis_tkeep, unchanged"),
        output("m_axis_tlast", 1, "s_axis_tlast, unchanged"),
        output("m_axis_tid", id, "s_axis_tid, unchanged"),
        output("m_axis_tdest", dest, "s_axis_tdest, unchanged"),
        output(
            "m_axis_tuser",
            user.max(1) + early,
            if early > 0 {
                "top bit: an ill-formed piece has ended in this beat or an earlier one of the packet; lower bits: what passes of s_axis_tuser; bit 0 with tlast is also set if the packet is bad"
            } else if drops && config.core.policy().takes_windows() {
                "s_axis_tuser above its lowest 33 bits, unchanged but for bit 0 with tlast, which is also set if the packet is bad and too long to be dropped"
            } else if drops {
                "s_axis_tuser, unchanged but for bit 0 with tlast, which is also set if the packet is bad and too long to be dropped"
            } else if config.core.policy().takes_windows() {
                "s_axis_tuser above its lowest 33 bits, unchanged but for bit 0 with tlast, which is also set if the packet is bad"
            } else if config.core.policy().tells_bad() {
                "s_axis_tuser, unchanged but for bit 0 with tlast, which is also set if the packet is bad: ill-formed, or against the policy"
            } else {
                "s_axis_tuser, unchanged but for bit 0 with tlast, which is also set if the packet is ill-formed"
            },
        ),
    ]
}

/// What a stream that is repaired has in `tuser`.
fn of_user(config: &Config) -> &'static str {
    match config.core.policy().takes_windows() {
        true => "s_axis_tuser above its lowest 33 bits, unchanged",
        false => "s_axis_tuser, unchanged",
    }
}

/// The same stream with question marks in it.
pub(super) fn repaired(config: &Config) -> [Port; 8] {
    let mut ports = passed(config);
    for port in &mut ports {
        match port.name {
            "m_axis_tdata" => {
                port.description = match config.core.policy().has_window {
                    true => {
                        "s_axis_tdata, but 3F in each lane of an ill-formed piece of the text; 0 in a lane without a byte"
                    }
                    false => {
                        "s_axis_tdata, but 3F in each lane of an ill-formed piece; 0 in a lane without a byte"
                    }
                };
            }
            "m_axis_tuser" => (port.width, port.description) = (config.side.user, of_user(config)),
            _ => {}
        }
    }
    ports
}
