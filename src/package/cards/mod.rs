//! The core in the shells of network cards.
//!
//! A decoder has no template here: its events are not the stream of bytes. Neither has a core in a shell's path without backpressure,
//! because the shells stall their streams, nor a core with flows, because no shell's stream carries flow numbers.

mod corundum;
mod opennic;

use super::instance::connections;
use super::shell::Shell;
use super::{File, file, is_watching};
use crate::report::describe_count;
use hdl::config::bus;
use hdl::config::ports::{Direction, Port, ports};
use hdl::config::{Config, Core, Form, SideWidths};

/// OpenNIC's tuser_size, tuser_src and tuser_dst.
pub const OPENNIC_USER: usize = 48;
/// Corundum's default: a mark of a bad frame, and a PTP time stamp.
pub const CORUNDUM_USER: usize = 97;

/// What comes first in a template, and in every text about it. The frames are those of public captures.
pub const JUDGED: &str = "**Whole frames are judged, headers included: of 29,759 real Ethernet frames, 55 are well-formed.**";

/// The templates that there are for a core, and what else their shells need: of shells whose streams it has room for.
pub fn templates(config: &Config) -> Vec<(Shell, Vec<File>)> {
    if !matches!(config.core, Core::Validate { flows: None, .. }) {
        return Vec::new();
    }
    let left_out = left_out(config);
    let has = |name: &str| !left_out.iter().any(|(other, _)| *other == name);
    let mut templates = Vec::new();
    if has("Corundum") {
        let template = file("templates/corundum.v", corundum::template(config));
        templates.push((Shell::Corundum, vec![template]));
    }
    if has("OpenNIC") {
        let template = file("templates/opennic.v", opennic::template(config));
        let constraints = file("constraints/opennic.xdc", opennic::constraints(config));
        templates.push((Shell::Opennic, vec![template, constraints]));
    }
    templates
}

/// Why there is no template, of those that a validator could have: each shell's name, and what it would take.
pub fn left_out(config: &Config) -> Vec<(&'static str, String)> {
    if !matches!(config.core, Core::Validate { flows: None, .. }) {
        return Vec::new();
    }
    let needs = |bits: usize| {
        if is_watching(config) {
            None
        } else if config.form == Form::Free {
            Some("its streams have a tready: choose --form axis".to_string())
        } else if config.side.user == 0 || room(config) < bits {
            // Without a tuser at its input it could not pass the mark of a frame that is bad already.
            Some(format!(
                "{} or more of sideband go through the core, at least one of them in tuser, but it has room for {} in tuser, tid \
                 and tdest together: widen these with --user-width, --id-width and --dest-width",
                describe_count(bits as u64, "bit"),
                room(config)
            ))
        } else {
            None
        }
    };
    let width =
        (config.lanes != 64).then(|| "its stream has 64 lanes: choose --lanes 64".to_string());
    [
        ("Corundum", needs(1)),
        ("OpenNIC", width.or_else(|| needs(OPENNIC_USER + 1))),
    ]
    .into_iter()
    .filter_map(|(shell, why)| Some((shell, why?)))
    .collect()
}

/// Bits of sideband that pass a core.
fn room(config: &Config) -> usize {
    let SideWidths { id, dest, user } = config.side;
    user + id + dest
}

/// A shell's stream, before the core and after it, in Verilog's words.
struct Stream<'a> {
    from: &'a dyn Fn(&str) -> String,
    to: &'a dyn Fn(&str) -> String,
    clock: &'a str,
    reset: &'a str,
    /// The sideband, the mark of a bad packet lowest: its width, its source, and its destination.
    sideband: [&'a str; 3],
    verdict: &'a dyn Fn(&str) -> String,
    beat_error: &'a str,
    /// A pin of the registers' bus.
    registers: &'a dyn Fn(&str) -> String,
}

/// The core on a stream, in lines.
fn on_stream(config: &Config, shell: &Stream) -> Vec<String> {
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
fn indented(lines: &[String], by: usize) -> String {
    let lines: Vec<String> = (lines.iter())
        .map(|line| format!("{}{line}\n", " ".repeat(by)))
        .collect();
    lines.concat()
}

fn verdict_width(config: &Config) -> usize {
    let table = ports(config);
    let data = table
        .iter()
        .find(|port| port.name == "m_axis_verdict_tdata");
    data.expect("a validator has verdicts").width
}

/// A pin of the registers' bus.
fn register_pin(signal: &str) -> &'static Port {
    let mut pins = bus::PORTS.iter();
    pins.find(|port| port.name.strip_prefix("s_axil_") == Some(signal))
        .expect("a pin of the bus")
}

/// The registers' bus as ports, if there is one, with ranges as a function has them.
fn register_ports(config: &Config, prefix: &str, range: impl Fn(&str) -> String) -> String {
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
fn beat_error_port(config: &Config, range: &str) -> String {
    if !config.beat_error {
        return String::new();
    }
    format!(
        "    // An accepted beat had a hole in tkeep, or was partial without tlast.\n    output wire {range}beat_error,\n"
    )
}

/// The first lines of a validator's template, as comments of its language: what is judged.
pub fn judged(config: &Config, comment: &str) -> String {
    if !matches!(config.core, Core::Validate { flows: None, .. }) {
        return String::new();
    }
    format!(
        "{comment} {JUDGED}\n{comment} To have payloads judged, remove the headers before the core.\n{comment}\n"
    )
}

/// What becomes of the stream.
fn about(config: &Config, mark: &str) -> String {
    if is_watching(config) {
        return "// The core only monitors the stream, which passes unchanged; the verdicts have their own outputs.\n".to_string();
    }
    format!(
        "// The packets pass through the core, and {mark} in the last beat of an ill-formed one.\n\
         // With whole frames nearly every packet is marked; --mode snoop leaves the stream unchanged. The sidebands pass in the core's\n\
         // tuser, tid and tdest, which have {} bits together; if the sidebands need more, elaboration stops at an undefined module:\n\
         // emit the core with wider ones.\n",
        room(config)
    )
}
