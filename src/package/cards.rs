//! The core in the shells of network cards.
//!
//! The names of the shells' ports are those of Corundum's `fpga/app/template/rtl/mqnic_app_block.v` and of OpenNIC's
//! `plugin/p2p/p2p_250mhz.sv`. Events are another stream than the bytes were, so a decoder is in no card's path.

use super::instance::connections;
use super::{File, file, is_watching, passing};
use hdl::config::{Config, Core, Form, SideWidths};
use hdl::ports::{Port, ports};
use std::fmt::Write;

/// The templates that there are for a core: those of shells whose streams it has room for.
pub fn templates(config: &Config) -> Vec<File> {
    if !matches!(config.core, Core::Validate { .. }) {
        return Vec::new();
    }
    let has_room = |bits| is_watching(config) || room(config) >= bits;
    let mut files = Vec::new();
    if has_room(1 + CORUNDUM_ID + CORUNDUM_DEST) {
        files.push(file("templates/corundum.v", corundum(config)));
    }
    if config.lanes == 64 && has_room(OPENNIC_BESIDE) {
        files.push(file("templates/opennic.sv", opennic(config)));
    }
    files
}

/// Bits that pass a core beside the bytes.
fn room(config: &Config) -> usize {
    let SideWidths { id, dest, user } = config.side;
    user.max(1) + id + dest
}

/// Corundum's defaults: a mark and a PTP time stamp of 96 bits in tuser, one bit of tid, eight of tdest.
const CORUNDUM_USER: usize = 97;
const CORUNDUM_ID: usize = 1;
const CORUNDUM_DEST: usize = 8;
/// OpenNIC's tuser_size, tuser_src and tuser_dst, and the mark that it has not.
const OPENNIC_BESIDE: usize = 3 * 16 + 1;

/// How a shell's stream is called and how wide it is; in Verilog's words, `i` being the interface.
struct Shell<'a> {
    /// Prefixes of the streams in and out.
    from: &'a str,
    to: &'a str,
    data: &'a str,
    keep: &'a str,
    /// The signals that pass beside the bytes, and their widths; the lowest bit of the first says that a packet is bad.
    beside: &'a [(&'a str, &'a str)],
    clock: &'a str,
    reset: &'a str,
    /// What is done with the mark of a bad packet, for shells that have none of their own.
    has_mark: bool,
}

/// The instances of a core on the streams of a shell, one for each interface.
fn on_streams(config: &Config, shell: &Shell, count: &str) -> String {
    let Shell {
        from,
        to,
        data,
        keep,
        beside,
        clock,
        reset,
        has_mark,
    } = *shell;
    let table = ports(config);
    let at = |prefix: &str, signal: &str, width: &str| {
        format!("{prefix}_{signal}[i*{width} +: {width}]")
    };
    let verdict = |port: &Port| {
        let width = port.width;
        let name = port.name.trim_start_matches("m_axis_");
        match port.name {
            "m_axis_verdict_tready" => Some("1'b1".to_string()),
            "m_axis_verdict_tvalid" => Some(format!("{name}[i]")),
            "m_axis_verdict_tdata" => Some(format!("{name}[i*{width} +: {width}]")),
            _ => None,
        }
    };
    let mut text = format!(
        "    genvar i;\n    generate\n        for (i = 0; i < {count}; i = i + 1) begin : each_interface\n"
    );
    let mut line = |words: String| {
        let _ = writeln!(text, "            {words}");
    };
    if is_watching(config) {
        for (signal, width) in [("tdata", data), ("tkeep", keep)] {
            line(format!(
                "assign {} = {};",
                at(to, signal, width),
                at(from, signal, width)
            ));
        }
        for (signal, width) in beside {
            line(format!(
                "assign {} = {};",
                at(to, signal, width),
                at(from, signal, width)
            ));
        }
        for signal in ["tvalid", "tlast"] {
            line(format!("assign {to}_{signal}[i] = {from}_{signal}[i];"));
        }
        line(format!("assign {from}_tready[i] = {to}_tready[i];"));
        let connections = connections(&table, "                ", |port| match port.name {
            "clk" => Some(clock.to_string()),
            "rst" => Some(reset.to_string()),
            "s_axis_tdata" => Some(at(from, "tdata", data)),
            "s_axis_tkeep" => Some(at(from, "tkeep", keep)),
            "s_axis_tvalid" if config.form == Form::Free => {
                Some(format!("{from}_tvalid[i] & {to}_tready[i]"))
            }
            "s_axis_tvalid" => Some(format!("{from}_tvalid[i]")),
            "s_axis_tready" => Some(format!("{to}_tready[i]")),
            "s_axis_tlast" => Some(format!("{from}_tlast[i]")),
            name if name.starts_with("s_axis_t") => Some(format!("{}'d0", port.width)),
            _ => verdict(port),
        });
        line(format!(
            "{} core (\n{connections}\n            );",
            config.module
        ));
    } else {
        let SideWidths { id, dest, user } = config.side;
        let user = user.max(1);
        let widths: Vec<&str> = beside.iter().map(|(_, width)| *width).collect();
        let mark = usize::from(!has_mark);
        line(format!(
            "localparam BESIDE = {} + {mark};",
            widths.join(" + ")
        ));
        line(format!("localparam ROOM = {};", user + id + dest));
        line("wire [ROOM-1:0] in_beside;".to_string());
        line("wire [ROOM-1:0] out_beside;".to_string());
        // A core that has less room than the shell has signals is no module there is.
        line(format!(
            "if (ROOM < BESIDE) begin : no_room {}_needs_wider_side_signals is_no_module (); end",
            config.module
        ));
        let signals = |prefix: &str| -> String {
            let signals: Vec<String> = (beside.iter().rev())
                .map(|(signal, width)| at(prefix, signal, width))
                .collect();
            signals.join(&format!(",\n{}", " ".repeat(16)))
        };
        let (low, mark) = if has_mark {
            ("", String::new())
        } else {
            (", 1'b0", format!(", {to}_bad[i]"))
        };
        line(format!(
            "assign in_beside[BESIDE-1:0] = {{{}{low}}};",
            signals(from)
        ));
        line(format!(
            "assign {{{}{mark}}} = out_beside[BESIDE-1:0];",
            signals(to)
        ));
        line("if (ROOM > BESIDE) begin : more_room".to_string());
        line("    assign in_beside[ROOM-1:BESIDE] = {(ROOM-BESIDE){1'b0}};".to_string());
        line("    wire unused = &{1'b0, out_beside[ROOM-1:BESIDE]};".to_string());
        line("end".to_string());
        let side = |which: &str, name: &str| match name {
            "tuser" => format!("{which}_beside[{}:0]", user - 1),
            "tid" => format!("{which}_beside[{}:{user}]", user + id - 1),
            _ => format!("{which}_beside[{}:{}]", user + id + dest - 1, user + id),
        };
        let connections = connections(&table, "                ", |port| {
            let name = port.name;
            let (prefix, which) = match name.strip_prefix("s_axis_") {
                Some(_) => (from, "in"),
                None => (to, "out"),
            };
            let signal = name.rsplit('_').next().expect("a name");
            match (name, signal) {
                ("clk", _) => Some(clock.to_string()),
                ("rst", _) => Some(reset.to_string()),
                (name, _) if name.starts_with("m_axis_verdict") => verdict(port),
                (_, "tdata") => Some(at(prefix, "tdata", data)),
                (_, "tkeep") => Some(at(prefix, "tkeep", keep)),
                (_, "tuser" | "tid" | "tdest") => Some(side(which, signal)),
                (_, signal) => Some(format!("{prefix}_{signal}[i]")),
            }
        });
        line(format!(
            "{} core (\n{connections}\n            );",
            config.module
        ));
        if passing(config) == Some(Form::Free) {
            line("// The core holds nothing back: what is behind it must take a beat in every clock.".to_string());
            line(format!("assign {from}_tready[i] = 1'b1;"));
            line(format!("wire unused = &{{1'b0, {to}_tready[i]}};"));
        }
    }
    text + "        end\n    endgenerate\n"
}

fn corundum(config: &Config) -> String {
    let name = &config.module;
    let body = on_streams(
        config,
        &Shell {
            from: "s_axis_if_rx",
            to: "m_axis_if_rx",
            data: "AXIS_IF_DATA_WIDTH",
            keep: "AXIS_IF_KEEP_WIDTH",
            beside: &[
                ("tuser", "AXIS_IF_RX_USER_WIDTH"),
                ("tid", "AXIS_IF_RX_ID_WIDTH"),
                ("tdest", "AXIS_IF_RX_DEST_WIDTH"),
            ],
            clock: "clk",
            reset: "rst",
            has_mark: true,
        },
        "IF_COUNT",
    );
    let stream = |direction: &str, other: &str, prefix: &str| {
        let pin = |way: &str, width: &str, signal: &str| {
            let range = if width.is_empty() {
                "[IF_COUNT-1:0]".to_string()
            } else {
                format!("[IF_COUNT*{width}-1:0]")
            };
            format!("    {way} wire {range} {prefix}_{signal}")
        };
        [
            pin(direction, "AXIS_IF_DATA_WIDTH", "tdata"),
            pin(direction, "AXIS_IF_KEEP_WIDTH", "tkeep"),
            pin(direction, "", "tvalid"),
            pin(other, "", "tready"),
            pin(direction, "", "tlast"),
            pin(direction, "AXIS_IF_RX_ID_WIDTH", "tid"),
            pin(direction, "AXIS_IF_RX_DEST_WIDTH", "tdest"),
            pin(direction, "AXIS_IF_RX_USER_WIDTH", "tuser"),
        ]
        .join(",\n")
    };
    let user = if is_watching(config) {
        CORUNDUM_USER
    } else {
        CORUNDUM_USER.min(room(config) - CORUNDUM_ID - CORUNDUM_DEST)
    };
    format!(
        "// {name} on the receive streams of Corundum's application block, in front of the interfaces' receive engines.\n\
         //\n\
         // Its parameters and ports have the names and shapes of those of mqnic_app_block: instantiate it there in the place of the\n\
         // assignments of m_axis_if_rx_*, and give AXIS_IF_DATA_WIDTH {} bits. {}\n\
         `default_nettype none\n\n\
         module {name}_corundum_rx #(\n    parameter IF_COUNT = 1,\n    parameter AXIS_IF_DATA_WIDTH = {},\n    \
         parameter AXIS_IF_KEEP_WIDTH = AXIS_IF_DATA_WIDTH/8,\n    parameter AXIS_IF_RX_ID_WIDTH = {CORUNDUM_ID},\n    \
         parameter AXIS_IF_RX_DEST_WIDTH = {CORUNDUM_DEST},\n    parameter AXIS_IF_RX_USER_WIDTH = {user}\n) (\n    input wire clk,\n    input wire rst,\n\
         {},\n{},\n{}\n);\n{body}endmodule\n\n`default_nettype wire\n",
        8 * config.lanes,
        beside_text(
            config,
            "tuser[0], Corundum's mark of a bad frame, is set with tlast"
        ),
        8 * config.lanes,
        stream("input", "output", "s_axis_if_rx"),
        stream("output", "input", "m_axis_if_rx"),
        verdict_pins(config, "IF_COUNT"),
    )
}

fn opennic(config: &Config) -> String {
    let name = &config.module;
    let body = on_streams(
        config,
        &Shell {
            from: "s_axis_adap_rx_250mhz",
            to: "m_axis_qdma_c2h",
            data: "512",
            keep: "64",
            beside: &[
                ("tuser_size", "16"),
                ("tuser_src", "16"),
                ("tuser_dst", "16"),
            ],
            clock: "axis_aclk",
            reset: "~axis_aresetn",
            has_mark: false,
        },
        "NUM_INTF",
    );
    let stream = |direction: &str, other: &str, prefix: &str| {
        let pin = |way: &str, width: usize, signal: &str| {
            let range = match width {
                1 => "[NUM_INTF-1:0]".to_string(),
                _ => format!("[{width}*NUM_INTF-1:0]"),
            };
            format!("    {way} wire {range} {prefix}_{signal}")
        };
        [
            pin(direction, 1, "tvalid"),
            pin(direction, 512, "tdata"),
            pin(direction, 64, "tkeep"),
            pin(direction, 1, "tlast"),
            pin(direction, 16, "tuser_size"),
            pin(direction, 16, "tuser_src"),
            pin(direction, 16, "tuser_dst"),
            pin(other, 1, "tready"),
        ]
        .join(",\n")
    };
    let bad = if is_watching(config) {
        ""
    } else {
        "    // With tlast: the packet is ill-formed. The shell has no such mark; drop the packet, or count it.\n    \
         output wire [NUM_INTF-1:0] m_axis_qdma_c2h_bad,\n"
    };
    format!(
        "// {name} on the receive streams of an OpenNIC user box (250 MHz), from the adapter to the QDMA.\n\
         //\n\
         // Its ports have the names and shapes of those of p2p_250mhz: instantiate it there in the place of rx_ppl_inst. No packet changes\n\
         // its length, so tuser_size stays right. {}\n\
         `default_nettype none\n\n\
         module {name}_opennic_rx #(\n    parameter NUM_INTF = 1\n) (\n    input wire axis_aclk,\n    input wire axis_aresetn,\n\
         {},\n{},\n{bad}{}\n);\n{body}endmodule\n\n`default_nettype wire\n",
        beside_text(config, "m_axis_qdma_c2h_bad is set with tlast"),
        stream("input", "output", "s_axis_adap_rx_250mhz"),
        stream("output", "input", "m_axis_qdma_c2h"),
        verdict_pins(config, "NUM_INTF"),
    )
}

/// What becomes of the stream.
fn beside_text(config: &Config, mark: &str) -> String {
    if is_watching(config) {
        return "The core only watches:\n// the stream is not touched, and the verdicts come out beside it.".to_string();
    }
    format!(
        "The packets pass the\n// core, and {mark} if a packet is ill-formed. What is beside the bytes passes in\n\
         // the core's tuser, tid and tdest together, {} bits; if that is too few, elaboration stops at a module that is not there:\n\
         // emit the core with wider ones.",
        room(config)
    )
}

fn verdict_pins(config: &Config, count: &str) -> String {
    let table = ports(config);
    let data = (table.iter())
        .find(|port| port.name == "m_axis_verdict_tdata")
        .expect("a validator has verdicts");
    format!(
        "    // One for each packet, in order; nothing waits for them.\n    output wire [{count}-1:0] verdict_tvalid,\n    \
         output wire [{}*{count}-1:0] verdict_tdata",
        data.width
    )
}
