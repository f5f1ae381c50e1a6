//! The core on a shell's stream, in Verilog, and what a template says of it.

use crate::package::instance::connections;
use crate::package::text::is_watching;
use hdl::config::bus;
use hdl::config::ports::{Direction, Port, ports};
use hdl::config::{Config, Core, Form, SideWidths};

/// What comes first in a template, and in every text about it. The frames are those of public captures.
pub const JUDGED: &str = "**Whole frames are judged, headers included: of 29,759 real Ethernet frames, 55 are well-formed.**";

/// What comes next if packets are dropped by what is no text by intention, too.
pub const DROPS_ALL_TEXT: &str = "payloads of all ports are judged: those of DNS and QUIC are dropped, too, for they are no text; name ports with --ports";

/// Whether a core drops frames of all ports.
pub fn drops_all_text(config: &Config) -> bool {
    let policy = config.core.policy();
    config.core.packet_memory(config.lanes).is_some() && policy.has_frames && policy.ports.is_none()
}

/// And if headers are no text for the core, but it drops what is no text.
pub const DROPS_FRAMES: &str = "of Ethernet frames nearly all are dropped, for their headers are judged, too; add --frames, and --lanes 8 or more";

/// Whether a core drops frames for their headers.
pub fn drops_frames(config: &Config) -> bool {
    let policy = config.core.policy();
    config.core.packet_memory(config.lanes).is_some() && !policy.has_frames && !policy.has_window
}

/// The pins that have a packet's window, of a core with windows.
const WINDOW: &str = "s_axis_tuser[32:0]";

/// The first lines of a validator's template, as comments of its language: what is judged.
pub fn judged(config: &Config, comment: &str) -> String {
    if !matches!(config.core, Core::Validate { flows: None, .. }) {
        return String::new();
    }
    let policy = config.core.policy();
    if policy.takes_windows() {
        return format!(
            "{comment} Only the window of each packet is judged that {WINDOW} says: your design has to drive it.\n{comment}\n"
        );
    }
    if policy.has_frames {
        let what = match policy.has_open_edges {
            true => "the payload of UDP, and of each TCP segment,",
            false => "the payload of UDP",
        };
        let ports = match policy.ports {
            Some(_) if config.has_registers() => " with a port of the table in the registers",
            Some(_) => " with a port of the table",
            None => "",
        };
        let all = match drops_all_text(config) {
            true => format!("{comment} Beware: {DROPS_ALL_TEXT}.\n"),
            false => String::new(),
        };
        return format!(
            "{comment} Of each Ethernet frame {what}{ports} is judged; a frame without one passes unmarked.\n{all}{comment}\n"
        );
    }
    let mark = match config.core.packet_memory(config.lanes) {
        Some(_) => format!("{comment} The others are dropped.\n"),
        None => String::new(),
    };
    format!(
        "{comment} {JUDGED}\n{mark}{comment} To have payloads judged, remove the headers before the core.\n{comment}\n"
    )
}

/// Bits of sideband that pass a core.
pub fn room(config: &Config) -> usize {
    let SideWidths { id, dest, user } = config.side;
    user + id + dest
}

/// A shell's stream, before the core and after it, in Verilog's words.
pub struct Stream<'a> {
    pub from: &'a dyn Fn(&str) -> String,
    pub to: &'a dyn Fn(&str) -> String,
    pub clock: &'a str,
    pub reset: &'a str,
    /// The sideband, the mark of a bad packet lowest: its width, its source, and its destination.
    pub sideband: [&'a str; 3],
    pub verdict: &'a dyn Fn(&str) -> String,
    pub beat_error: &'a str,
    /// A pin of the registers' bus.
    pub registers: &'a dyn Fn(&str) -> String,
}

/// The core on a stream, in lines.
pub fn on_stream(config: &Config, shell: &Stream) -> Vec<String> {
    let table = ports(config);
    let verdict = |port: &Port| match port.name {
        "m_axis_verdict_tready" => Some("1'b1".to_string()),
        "m_axis_verdict_tvalid" => Some((shell.verdict)("tvalid")),
        "m_axis_verdict_tdata" => Some((shell.verdict)("tdata")),
        _ => None,
    };
    let common = |port: &Port| match port.name {
        "clk" => Some(shell.clock.to_string()),
        "rst" => Some(shell.reset.to_string()),
        "beat_error" => Some(shell.beat_error.to_string()),
        name => (name.strip_prefix("s_axil_")).map(|signal| (shell.registers)(signal)),
    };
    let instance = |signal: &dyn Fn(&Port) -> Option<String>| {
        let connections = connections(&table, "    ", |port| {
            common(port).or_else(|| {
                if port.name.starts_with("m_axis_verdict") {
                    verdict(port)
                } else {
                    signal(port)
                }
            })
        });
        let text = format!("{} core (\n{connections}\n);", config.module);
        text.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let (from, to) = (shell.from, shell.to);
    if is_watching(config) {
        let mut lines: Vec<String> = ["tdata", "tkeep", "tvalid", "tlast", "tuser"]
            .into_iter()
            .map(|signal| format!("assign {} = {};", to(signal), from(signal)))
            .collect();
        lines.push(format!("assign {} = {};", from("tready"), to("tready")));
        lines.extend(instance(&|port| {
            Some(match (port.name, config.form) {
                ("s_axis_tvalid", Form::Free) => format!("{} & {}", from("tvalid"), to("tready")),
                ("s_axis_tready", _) => to("tready"),
                ("s_axis_tid" | "s_axis_tdest" | "s_axis_tuser", _) => format!("{}'d0", port.width),
                (name, _) => from(name.trim_start_matches("s_axis_")),
            })
        }));
        return lines;
    }
    let SideWidths { id, dest, user } = config.side;
    let [width, input, output] = shell.sideband;
    let name = &config.module;
    let mut lines: Vec<String> = [
        format!("localparam SIDEBAND = {width};"),
        format!("localparam ROOM = {};", room(config)),
        "wire [ROOM-1:0] in_sideband;".to_string(),
        "wire [ROOM-1:0] out_sideband;".to_string(),
        format!(
            "if (ROOM < SIDEBAND) begin : no_room {name}_needs_wider_sidebands is_no_module (); end"
        ),
        format!("assign in_sideband[SIDEBAND-1:0] = {input};"),
        format!("assign {output} = out_sideband[SIDEBAND-1:0];"),
        "if (ROOM > SIDEBAND) begin : more_room".to_string(),
        "    assign in_sideband[ROOM-1:SIDEBAND] = {(ROOM-SIDEBAND){1'b0}};".to_string(),
        "    wire unused = &{1'b0, out_sideband[ROOM-1:SIDEBAND]};".to_string(),
        "end".to_string(),
    ]
    .into();
    lines.extend(instance(&|port| {
        let (stream, sideband, signal) = match port.name.strip_prefix("s_axis_") {
            Some(signal) => (from, "in_sideband", signal),
            None => (to, "out_sideband", port.name.trim_start_matches("m_axis_")),
        };
        Some(match signal {
            "tuser" => format!("{sideband}[{}:0]", user - 1),
            "tid" => format!("{sideband}[{}:{user}]", user + id - 1),
            "tdest" => format!("{sideband}[{}:{}]", user + id + dest - 1, user + id),
            signal => stream(signal),
        })
    }));
    lines
}

/// Lines in a module's body.
pub fn indented(lines: &[String], by: usize) -> String {
    let lines: Vec<String> = (lines.iter())
        .map(|line| format!("{}{line}\n", " ".repeat(by)))
        .collect();
    lines.concat()
}

pub fn verdict_width(config: &Config) -> usize {
    let table = ports(config);
    let data = table
        .iter()
        .find(|port| port.name == "m_axis_verdict_tdata");
    data.expect("a validator has verdicts").width
}

/// A pin of the registers' bus.
pub fn register_pin(signal: &str) -> &'static Port {
    let mut pins = bus::PORTS.iter();
    pins.find(|port| port.name.strip_prefix("s_axil_") == Some(signal))
        .expect("a pin of the bus")
}

/// The registers' bus as ports, if there is one, with ranges as a function has them.
pub fn register_ports(config: &Config, prefix: &str, range: impl Fn(&str) -> String) -> String {
    let pins = bus::PORTS.iter().filter(|_| config.has_registers());
    pins.map(|port| {
        let direction = match port.direction {
            Direction::Input => "input",
            Direction::Output => "output",
        };
        let signal = port.name.trim_start_matches("s_axil_");
        format!("    {direction} wire {}{prefix}{signal},\n", range(signal))
    })
    .collect()
}

/// The port of a stream's errors, if the core has one.
pub fn beat_error_port(config: &Config, range: &str) -> String {
    if !config.beat_error {
        return String::new();
    }
    format!(
        "    // An accepted beat had a hole in tkeep, or was partial without tlast.\n    output wire {range}beat_error,\n"
    )
}

/// What becomes of the stream.
pub fn about(config: &Config, mark: &str) -> String {
    if is_watching(config) {
        return "// The core only monitors the stream, which passes unchanged; the verdicts have their own outputs.\n".to_string();
    }
    let what = match config.core.packet_memory(config.lanes) {
        Some((_, longest)) => format!(
            "// The packets pass through the core, which drops a bad one of up to {longest} beats; {mark} in the last beat of a longer one that is bad."
        ),
        None => {
            format!(
                "// The packets pass through the core, and {mark} in the last beat of a bad one."
            )
        }
    };
    let headers = match config.core.policy().has_frames {
        true => "",
        false => {
            "// With whole frames nearly every packet is bad; --mode snoop leaves the stream unchanged.\n"
        }
    };
    format!(
        "{what}\n{headers}\
         // The sidebands pass in the core's tuser, tid and tdest, which have {} bits together; if the sidebands need more, elaboration\n\
         // stops at an undefined module: emit the core with wider ones.\n",
        room(config)
    )
}
