//! The core in the shells of network cards.
//!
//! The names of the shells' ports are those of Corundum's `fpga/app/template/rtl/mqnic_app_block.v` and of OpenNIC's
//! `axi_stream_pipeline`, as `plugin/p2p/p2p_250mhz.sv` instantiates it. Events are another stream than the bytes were, so a decoder is
//! in no card's path; and nothing that cannot be held up is, for the shells hold it up. Nor is a core with flows: no stream of theirs
//! has a flow's number, which comes from what takes the headers off.

use super::instance::connections;
use super::{File, file, is_watching};
use crate::report::describe_count;
use hdl::config::{Config, Core, Form, SideWidths};
use hdl::csr::bus;
use hdl::csr::map::ADDRESS_BITS;
use hdl::ports::{Direction, Port, ports};
use hdl::primitives::wires::range;

/// OpenNIC's tuser_size, tuser_src and tuser_dst.
const OPENNIC_USER: usize = 48;
/// Corundum's default: a mark of a bad frame, and a PTP time stamp.
const CORUNDUM_USER: usize = 97;

/// The templates that there are for a core: those of shells whose streams it has room for.
pub fn templates(config: &Config) -> Vec<File> {
    if !matches!(config.core, Core::Validate { flows: None, .. }) {
        return Vec::new();
    }
    let left_out = left_out(config);
    let mut files = Vec::new();
    for (shell, path, text) in [
        (
            "Corundum",
            "templates/corundum.v",
            corundum as fn(&Config) -> String,
        ),
        ("OpenNIC", "templates/opennic.v", opennic),
    ] {
        if !left_out.iter().any(|(other, _)| *other == shell) {
            files.push(file(path, text(config)));
        }
    }
    files
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
                "{} or more go through the core beside the bytes, at least one of them in tuser, and it has room for {} in tuser, tid \
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
struct Shell<'a> {
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
fn on_stream(config: &Config, shell: &Shell) -> Vec<String> {
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

/// What becomes of the stream.
fn about(config: &Config, mark: &str) -> String {
    let judged = "A whole frame is judged, its headers included: what takes these off is yours.";
    if is_watching(config) {
        return format!(
            "// The core only watches: the stream is not touched, and the verdicts come out beside it.\n// {judged}\n"
        );
    }
    format!(
        "// The packets pass the core, and {mark} in the last beat of an ill-formed one. What is beside the bytes passes in the\n\
         // core's tuser, tid and tdest together, {} bits; if these are too few, elaboration stops at a module that is not there:\n\
         // emit the core with wider ones.\n// {judged}\n",
        room(config)
    )
}

fn corundum(config: &Config) -> String {
    let name = &config.module;
    let bits = 8 * config.lanes;
    let widths = |signal: &str| match signal {
        "tdata" => "AXIS_SYNC_DATA_WIDTH",
        "tkeep" => "AXIS_SYNC_KEEP_WIDTH",
        "tuser" => "AXIS_SYNC_RX_USER_WIDTH",
        _ => "",
    };
    let part = |prefix: &str, signal: &str| match widths(signal) {
        "" => format!("{prefix}_axis_sync_rx_{signal}[i]"),
        width => format!("{prefix}_axis_sync_rx_{signal}[i*{width} +: {width}]"),
    };
    let pins = |prefix: &str, direction: &str, other: &str| {
        ["tdata", "tkeep", "tvalid", "tready", "tlast", "tuser"]
            .into_iter()
            .map(|signal| {
                let way = if signal == "tready" { other } else { direction };
                let range = match widths(signal) {
                    "" => "PORT_COUNT-1:0".to_string(),
                    width => format!("PORT_COUNT*{width}-1:0"),
                };
                format!("    {way} wire [{range}] {prefix}_axis_sync_rx_{signal},\n")
            })
            .collect::<String>()
    };
    let verdict = verdict_width(config);
    let wide = |signal: &str| match signal {
        "awaddr" | "araddr" => "AXIL_APP_CTRL_ADDR_WIDTH".to_string(),
        _ => register_pin(signal).width.to_string(),
    };
    let mut body = Vec::new();
    if config.has_registers() {
        // Above the registers' window nothing is: not a multiple of 4, such an address is refused.
        for signal in ["awaddr", "araddr"] {
            let width = wide(signal);
            body.push(format!(
                "wire [{width}-1:0] {signal} = s_axil_app_ctrl_{signal}[i*{width} +: {width}];"
            ));
        }
    }
    body.extend(on_stream(
        config,
        &Shell {
            from: &|signal| part("s", signal),
            to: &|signal| part("m", signal),
            clock: "clk",
            reset: "rst",
            beside: [
                "AXIS_SYNC_RX_USER_WIDTH",
                &part("s", "tuser"),
                &part("m", "tuser"),
            ],
            verdict: &|signal| match signal {
                "tdata" => format!("verdict_tdata[i*{verdict} +: {verdict}]"),
                _ => format!("verdict_{signal}[i]"),
            },
            beat_error: "beat_error[i]",
            registers: &|signal| match (signal, wide(signal).as_str()) {
                ("awaddr" | "araddr", _) => format!(
                    "{{{signal}[{}:1], {signal}[0] | (|({signal} >> {ADDRESS_BITS}))}}",
                    ADDRESS_BITS - 1
                ),
                (_, "1") => format!("s_axil_app_ctrl_{signal}[i]"),
                (_, width) => format!("s_axil_app_ctrl_{signal}[i*{width} +: {width}]"),
            },
        },
    ));
    let register_ports = register_ports(config, "s_axil_app_ctrl_", |signal| match wide(signal) {
        width if width == "1" => "[PORT_COUNT-1:0] ".to_string(),
        width => format!("[PORT_COUNT*{width}-1:0] "),
    });
    let (register_parameter, about_registers) = if config.has_registers() {
        (
            ",\n    parameter AXIL_APP_CTRL_ADDR_WIDTH = 16",
            "// Each port has its registers on a bus of its own: of one port it is s_axil_app_ctrl, of more they are behind an AXI4-Lite\n\
             // interconnect.\n",
        )
    } else {
        ("", "")
    };
    let beat_error = beat_error_port(config, "[PORT_COUNT-1:0] ");
    let user = if is_watching(config) {
        CORUNDUM_USER
    } else {
        CORUNDUM_USER.min(room(config))
    };
    format!(
        "// {name} on the receive streams of Corundum's application block, those of the ports: axis_sync_rx.\n\
         //\n\
         // Its parameters and ports have the names and shapes of those of mqnic_app_block: instantiate it there in the place of the\n\
         // assignments of m_axis_sync_rx_*, with APP_AXIS_SYNC_ENABLE. Behind it is the receive FIFO, which drops what tuser[0] marks.\n\
         {}{about_registers}`default_nettype none\n\n\
         module {name}_corundum_rx #(\n    parameter PORT_COUNT = 1,\n    parameter AXIS_SYNC_DATA_WIDTH = {bits},\n    \
         parameter AXIS_SYNC_KEEP_WIDTH = AXIS_SYNC_DATA_WIDTH/8,\n    parameter AXIS_SYNC_RX_USER_WIDTH = {user}{register_parameter}\n) (\n    \
         input wire clk,\n    input wire rst,\n{}{}{register_ports}{beat_error}    // One for each packet, in order; nothing waits for them.\n    \
         output wire [PORT_COUNT-1:0] verdict_tvalid,\n    output wire [PORT_COUNT*{verdict}-1:0] verdict_tdata\n);\n    \
         genvar i;\n    generate\n        if (AXIS_SYNC_DATA_WIDTH != {bits}) begin : other_width\n            \
         {name}_has_{bits}_bits_of_tdata is_no_module ();\n        end\n        \
         for (i = 0; i < PORT_COUNT; i = i + 1) begin : each_port\n{}        end\n    endgenerate\nendmodule\n\n\
         `default_nettype wire\n",
        about(config, "tuser[0], Corundum's mark of a bad frame, is set"),
        pins("s", "input", "output"),
        pins("m", "output", "input"),
        indented(&body, 12),
    )
}

fn opennic(config: &Config) -> String {
    let name = &config.module;
    let pins = |prefix: &str, direction: &str, other: &str| {
        let pin = |way: &str, range: &str, signal: &str| {
            format!("    {way} wire {range}{prefix}_axis_{signal},\n")
        };
        [
            pin(direction, "", "tvalid"),
            pin(direction, "[511:0] ", "tdata"),
            pin(direction, "[63:0] ", "tkeep"),
            pin(direction, "", "tlast"),
            pin(direction, "[47:0] ", "tuser"),
            pin(other, "", "tready"),
        ]
        .concat()
    };
    let mut body = vec![
        "(* ASYNC_REG = \"TRUE\" *) reg [1:0] running = 2'b00;".to_string(),
        "always @(posedge aclk) running <= {running[0], aresetn};".to_string(),
    ];
    body.extend(on_stream(
        config,
        &Shell {
            from: &|signal| format!("s_axis_{signal}"),
            to: &|signal| format!("m_axis_{signal}"),
            clock: "aclk",
            reset: "~running[1]",
            beside: ["49", "{s_axis_tuser, 1'b0}", "{m_axis_tuser, bad}"],
            verdict: &|signal| format!("verdict_{signal}"),
            beat_error: "beat_error",
            registers: &|signal| format!("s_axil_{signal}"),
        },
    ));
    let register_ports = register_ports(config, "s_axil_", |signal| {
        range(register_pin(signal).width)
    });
    let about_registers = if config.has_registers() {
        "// The bus of its registers is in aclk's domain, not in axil_aclk's: bring it there, and give it a window of 4 KiB.\n"
    } else {
        ""
    };
    let beat_error = beat_error_port(config, "");
    let bad = if is_watching(config) {
        ""
    } else {
        "    // With the last beat: the packet is ill-formed. The shell has no such mark; drop the packet, or count it.\n    \
         output wire bad,\n"
    };
    format!(
        "// {name} in the receive path of an OpenNIC user box (250 MHz), from the adapter to the QDMA.\n\
         //\n\
         // It has the pins of axi_stream_pipeline, and takes its place as rx_ppl_inst in p2p_250mhz (NUM_QDMA of 1): tuser is {{dst, src,\n\
         // size}}. No packet changes its length, so tuser_size stays right. The shell's aresetn is of axil_aclk's domain: two registers bring\n\
         // it to aclk's. The first is not to be timed: set_false_path -to [get_pins -hier -filter {{NAME =~ *running_reg[0]/D}}]\n\
         {}{about_registers}`default_nettype none\n\n\
         module {name}_opennic_rx (\n{}{}{bad}{register_ports}{beat_error}    // One for each packet, in order; nothing waits for them.\n    \
         output wire verdict_tvalid,\n    output wire [{}:0] verdict_tdata,\n    input wire aclk,\n    input wire aresetn\n);\n\
         {}endmodule\n\n`default_nettype wire\n",
        about(config, "bad is set"),
        pins("s", "input", "output"),
        pins("m", "output", "input"),
        verdict_width(config) - 1,
        indented(&body, 4),
    )
}
