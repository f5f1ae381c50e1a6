//! The core with the interfaces of taxi, the successor of verilog-axis and the present home of Corundum's modules.
//!
//! The names of signals, parameters and modports are those of `taxi_axis_if` and `taxi_axil_if`. As taxi's own modules do, the module
//! stops elaboration if an interface has other widths than the core: SystemVerilog would truncate or extend them without a word.

use super::cards::judged;
use super::instance::connections;
use super::text::is_watching;
use hdl::config::ports::{Port, ports};
use hdl::config::{Config, Core, Form};
use hdl::layout::ADDRESS_BITS;

/// A stream of the core, as an interface of taxi's.
struct Stream {
    /// Of its ports and of the interface.
    name: &'static str,
    modport: &'static str,
    /// Widths of tdata, tkeep, tlast, tid, tdest and tuser in bits; 0 if the core has no such port.
    widths: [usize; 6],
}

const STREAMS: [&str; 4] = ["s_axis", "m_axis", "m_axis_flow", "m_axis_verdict"];
const FIELDS: [&str; 6] = ["tdata", "tkeep", "tlast", "tid", "tdest", "tuser"];

pub fn template(config: &Config) -> String {
    let name = &config.module;
    let table = ports(config);
    let streams = streams(config, &table);
    let mut pins = vec![
        "input wire logic clk".to_string(),
        "input wire logic rst".to_string(),
    ];
    pins.extend(
        streams
            .iter()
            .map(|stream| format!("taxi_axis_if.{} {}", stream.modport, stream.name)),
    );
    if config.has_registers() {
        pins.extend(["wr", "rd"].map(|way| format!("taxi_axil_if.{way}_slv s_axil_{way}")));
    }
    let signals = ["flows_ready", "beat_error"].into_iter();
    let signals = signals.filter(|signal| table.iter().any(|port| port.name == *signal));
    pins.extend(signals.map(|signal| format!("output wire logic {signal}")));
    let checks: Vec<String> = (streams.iter().flat_map(|stream| checks(config, stream)))
        .chain(register_checks(config))
        .map(|(wrong, must)| {
            format!("    if ({wrong})\n        $fatal(0, \"{must} (instance %m)\");\n")
        })
        .collect();
    let rest: Vec<String> = (streams.iter().flat_map(|stream| rest(config, stream)))
        .chain(
            ["wr.buser", "rd.ruser"]
                .into_iter()
                .filter(|_| config.has_registers())
                .map(|user| format!("s_axil_{user} = '0")),
        )
        .map(|assignment| format!("    assign {assignment};\n"))
        .collect();
    format!(
        "{}// {name} with the interfaces of taxi: taxi_axis_if{}.\n\
         {}// Elaboration stops if the parameters of an interface do not match the core.\n\
         `default_nettype none\n\n\
         module {name}_taxi (\n    {}\n);\n{}\n    {name} core (\n{}\n    );\n{}endmodule\n\n`default_nettype wire\n",
        judged(config, "//"),
        if config.has_registers() {
            " and taxi_axil_if"
        } else {
            ""
        },
        about(config),
        pins.join(",\n    "),
        checks.concat(),
        connections(&table, "        ", |port| Some(signal(config, port))),
        rest.concat(),
    )
}

/// What the module does with its streams, as comments.
fn about(config: &Config) -> String {
    let mut text = match config.core {
        _ if is_watching(config) => {
            "// s_axis is a monitor: connect it to an interface that has a source and a sink.\n".to_string()
        }
        Core::Decode { to, .. } => {
            let bits = to.bits();
            format!("// s_axis takes bytes; m_axis has the events, each in {bits} bits of tdata.\n")
        }
        Core::Encode { from, .. } => {
            let bits = from.bits();
            format!("// s_axis takes words, each in {bits} bits of tdata; m_axis has their bytes.\n")
        }
        Core::Sanitise { .. } => {
            "// s_axis takes bytes; m_axis has them with what takes the place of ill-formed pieces.\n".to_string()
        }
        Core::Validate { drop_bytes: Some(bytes), .. } => format!(
            "// The packets pass through the core, which drops a bad one of up to {bytes} bytes; m_axis.tuser[0] is set in the\n\
             // last beat of a longer one that is bad.\n"
        ),
        Core::Validate { .. } => "// The packets pass through the core, and m_axis.tuser[0] is set in the last beat of a bad one:\n\
             // a taxi_axis_fifo with FRAME_FIFO, DROP_OVERSIZE_FRAME and DROP_BAD_FRAME drops it.\n"
            .to_string(),
    };
    if config.form == Form::Free || is_watching(config) {
        text +=
            "// The core ignores the tready of its outputs: their sinks must always be ready.\n";
    }
    text
}

/// The streams that the core has.
fn streams(config: &Config, table: &[Port]) -> Vec<Stream> {
    let width = |stream: &str, field: &str| {
        let name = format!("{stream}_{field}");
        table
            .iter()
            .find(|port| port.name == name)
            .map_or(0, |port| port.width)
    };
    let all = STREAMS.map(|name| Stream {
        name,
        modport: match name {
            "s_axis" if is_watching(config) => "mon",
            "s_axis" => "snk",
            _ => "src",
        },
        widths: FIELDS.map(|field| width(name, field)),
    });
    all.into_iter()
        .filter(|stream| stream.widths[0] > 0)
        .collect()
}

/// Parameters of an interface that stop elaboration: a condition in Verilog, and the message.
fn checks(config: &Config, stream: &Stream) -> Vec<(String, String)> {
    let name = stream.name;
    let [data, keep, last, sidebands @ ..] = stream.widths;
    let mut checks = vec![must_be(name, "DATA_W", data)];
    if keep > 0 {
        checks.push(must_be(name, "KEEP_W", keep));
    }
    if stream.modport == "src" && keep > 0 {
        // Bytes that pass have a null beat only if they came with a tkeep.
        let needed = match config.core {
            Core::Validate { .. } => "s_axis.KEEP_EN && ",
            _ => "",
        };
        checks.push((
            format!("{needed}!{name}.KEEP_EN"),
            format!("{name}.KEEP_EN must be 1"),
        ));
    }
    if stream.modport == "src" && last > 0 {
        checks.push((
            format!("!{name}.LAST_EN"),
            format!("{name}.LAST_EN must be 1"),
        ));
    }
    for (field, width) in ["ID", "DEST", "USER"].into_iter().zip(sidebands) {
        if width > 0 {
            checks.push((
                format!("!{name}.{field}_EN || {name}.{field}_W != {width}"),
                format!("{name}.{field}_EN must be 1, and {name}.{field}_W {width}"),
            ));
        } else if stream.modport != "mon" {
            // The core would drop it; a stream that is only watched keeps it.
            let option = field.to_lowercase();
            checks.push((
                format!("{name}.{field}_EN"),
                format!("{name}.{field}_EN must be 0: emit the core with --{option}-width"),
            ));
        }
    }
    checks
}

fn must_be(name: &str, parameter: &str, value: usize) -> (String, String) {
    (
        format!("{name}.{parameter} != {value}"),
        format!("{name}.{parameter} must be {value}"),
    )
}

/// The same for the registers' interfaces.
fn register_checks(config: &Config) -> Vec<(String, String)> {
    let ways = ["s_axil_wr", "s_axil_rd"]
        .into_iter()
        .filter(|_| config.has_registers());
    let checks = ways.flat_map(|name| {
        let address = (
            format!("{name}.ADDR_W < {ADDRESS_BITS}"),
            format!("{name}.ADDR_W must be {ADDRESS_BITS} or more"),
        );
        [
            must_be(name, "DATA_W", 32),
            must_be(name, "STRB_W", 4),
            address,
        ]
    });
    checks.collect()
}

/// What a port of the core is connected to.
fn signal(config: &Config, port: &Port) -> String {
    let stream = port
        .name
        .rsplit_once('_')
        .filter(|(stream, _)| STREAMS.contains(stream));
    match (port.name, stream) {
        // An accepted beat is one with both.
        ("s_axis_tvalid", _) if is_watching(config) && config.form == Form::Free => {
            "s_axis.tvalid & s_axis.tready".to_string()
        }
        // Only with their parameters do these two have a meaning.
        ("s_axis_tkeep", _) => "s_axis.KEEP_EN ? s_axis.tkeep : '1".to_string(),
        ("s_axis_tlast", _) => "s_axis.LAST_EN ? s_axis.tlast : 1'b1".to_string(),
        (_, Some((stream, field))) => format!("{stream}.{field}"),
        (name, None) => match name.strip_prefix("s_axil_") {
            None => name.to_string(),
            Some(field) if field.ends_with("addr") => {
                format!("s_axil_{}.{field}[{}:0]", way(field), ADDRESS_BITS - 1)
            }
            Some(field) => format!("s_axil_{}.{field}", way(field)),
        },
    }
}

/// The half of an AXI4-Lite bus that has the signal.
fn way(field: &str) -> &'static str {
    if field.starts_with("ar") || field.starts_with('r') {
        "rd"
    } else {
        "wr"
    }
}

/// What the module drives and the core does not.
fn rest(config: &Config, stream: &Stream) -> Vec<String> {
    let name = stream.name;
    match stream.modport {
        "snk" if config.form == Form::Free => return vec![format!("{name}.tready = 1'b1")],
        "src" => {}
        _ => return Vec::new(),
    }
    let fields = FIELDS
        .into_iter()
        .zip(stream.widths)
        .filter(|(_, width)| *width == 0);
    let mut rest: Vec<String> = fields
        .map(|(field, _)| {
            // Each verdict is a packet of one whole beat.
            let value = if ["tkeep", "tlast"].contains(&field) {
                "'1"
            } else {
                "'0"
            };
            format!("{name}.{field} = {value}")
        })
        .collect();
    rest.push(format!("{name}.tstrb = {name}.tkeep"));
    rest
}
