//! The core in the shells of network cards.
//!
//! Events are another stream than the bytes were, so a decoder is in no card's path; and nothing that cannot be held up is, for the shells hold it up. Nor is a core with flows: no stream of theirs
//! has a flow's number, which comes from what takes the headers off.

mod corundum;
mod opennic;

use super::instance::connections;
use super::shell::Shell;
use super::{File, file, is_watching};
use crate::report::describe_count;
use hdl::config::{Config, Core, Form, SideWidths};
use hdl::csr::bus;
use hdl::ports::{Direction, Port, ports};

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

/// Bits that pass a core beside the bytes.
fn room(config: &Config) -> usize {
    let SideWidths { id, dest, user } = config.side;
    user + id + dest
}

/// A shell's stream, before the core and behind it, in Verilog's words.
struct Stream<'a> {
    from: &'a dyn Fn(&str) -> String,
    to: &'a dyn Fn(&str) -> String,
    clock: &'a str,
    reset: &'a str,
    /// What passes beside the bytes, the mark of a bad packet lowest: its width, whence it comes, and whither it goes.
    beside: [&'a str; 3],
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
    let [width, whence, whither] = shell.beside;
    let name = &config.module;
    let mut lines: Vec<String> = [
        format!("localparam BESIDE = {width};"),
        format!("localparam ROOM = {};", room(config)),
        "wire [ROOM-1:0] in_beside;".to_string(),
        "wire [ROOM-1:0] out_beside;".to_string(),
        format!("if (ROOM < BESIDE) begin : no_room {name}_needs_wider_side_signals is_no_module (); end"),
        format!("assign in_beside[BESIDE-1:0] = {whence};"),
        format!("assign {whither} = out_beside[BESIDE-1:0];"),
        "if (ROOM > BESIDE) begin : more_room".to_string(),
        "    assign in_beside[ROOM-1:BESIDE] = {(ROOM-BESIDE){1'b0}};".to_string(),
        "    wire unused = &{1'b0, out_beside[ROOM-1:BESIDE]};".to_string(),
        "end".to_string(),
    ]
    .into();
    lines.extend(instance(&|port| {
        let (stream, beside, signal) = match port.name.strip_prefix("s_axis_") {
            Some(signal) => (from, "in_beside", signal),
            None => (to, "out_beside", port.name.trim_start_matches("m_axis_")),
        };
        Some(match signal {
            "tuser" => format!("{beside}[{}:0]", user - 1),
            "tid" => format!("{beside}[{}:{user}]", user + id - 1),
            "tdest" => format!("{beside}[{}:{}]", user + id + dest - 1, user + id),
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
        "    // A beat came with a hole in tkeep, or partial without tlast.\n    output wire {range}beat_error,\n"
    )
}

/// The first lines of a validator's template, as comments of its language: what is judged.
pub fn judged(config: &Config, comment: &str) -> String {
    if !matches!(config.core, Core::Validate { flows: None, .. }) {
        return String::new();
    }
    format!(
        "{comment} {JUDGED}\n{comment} What takes the headers off, in front of the core, is yours.\n{comment}\n"
    )
}

/// What becomes of the stream.
fn about(config: &Config, mark: &str) -> String {
    if is_watching(config) {
        return "// The core only watches: the stream is not touched, and the verdicts come out alongside.\n".to_string();
    }
    format!(
        "// The packets pass the core, and {mark} in the last beat of an ill-formed one.\n\
         // With whole frames that is nearly every packet: --mode snoop leaves the stream alone. What is beside the bytes passes in the\n\
         // core's tuser, tid and tdest together, {} bits; if these are too few, elaboration stops at a module that is not there:\n\
         // emit the core with wider ones.\n",
        room(config)
    )
}
