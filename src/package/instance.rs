//! The core in a module of its own pins, and the core for LiteX.
//!
//! LiteX's names are those of `litex/soc/interconnect/axi/axi_stream.py` and `axi_lite.py`.

use super::text::{is_common, is_watching, takes_words};
use hdl::config::ports::{Direction, Port, ports};
use hdl::config::{Config, Form};
use hdl::emit::range;
use hdl::layout::ADDRESS_BITS;
use std::fmt::Write;

/// `.port(signal)` of each port, one a line.
pub fn connections(
    table: &[Port],
    indent: &str,
    signal: impl Fn(&Port) -> Option<String>,
) -> String {
    let lines: Vec<String> = (table.iter())
        .map(|port| {
            let signal = signal(port).unwrap_or_default();
            format!("{indent}.{}({signal})", port.name)
        })
        .collect();
    lines.join(",\n")
}

/// The core in a module of the same pins; with AXI's usual names of clock and reset, or with its own.
pub fn wrapper(config: &Config, is_aclk: bool) -> String {
    let (end, about) = if is_aclk {
        (
            "aclk",
            "with AXI's usual clock and reset; aresetn is active low and synchronous to aclk",
        )
    } else {
        ("instance", "an instance to copy into your design")
    };
    module(config, end, is_aclk, about, |_| String::new())
}

/// The module `NAME_END`, which has lines of attributes before each pin.
pub fn module(
    config: &Config,
    end: &str,
    is_aclk: bool,
    about: &str,
    attributes: impl Fn(&Port) -> String,
) -> String {
    let name = &config.module;
    let table = ports(config);
    let (clock, reset, reset_text) = if is_aclk {
        ("aclk", "aresetn", "~aresetn")
    } else {
        ("clk", "rst", "rst")
    };
    let pins: Vec<String> = (table.iter())
        .map(|port| {
            let direction = match port.direction {
                Direction::Input => "input",
                Direction::Output => "output",
            };
            let name = match port.name {
                "clk" => clock,
                "rst" => reset,
                name => name,
            };
            let attributes = attributes(port);
            format!(
                "{attributes}    {direction} wire {}{name}",
                range(port.width)
            )
        })
        .collect();
    let connections = connections(&table, "        ", |port| {
        Some(match port.name {
            "clk" => clock.to_string(),
            "rst" => reset_text.to_string(),
            name => name.to_string(),
        })
    });
    format!(
        "// {name}, {about}.\n`default_nettype none\n\nmodule {name}_{end} (\n{}\n);\n    {name} core (\n{connections}\n    );\n\
         endmodule\n\n`default_nettype wire\n",
        pins.join(",\n")
    )
}

/// The core for LiteX: a stream in, a stream out, one of what is known of flows, and one of verdicts, as it has them.
pub fn litex(config: &Config) -> String {
    let name = &config.module;
    let table = ports(config);
    let width = |prefix: &str, field: &str| {
        let name = format!("{prefix}_t{field}");
        let port = table.iter().find(|port| port.name == name);
        port.map_or(0, |port| port.width)
    };
    let streams: Vec<(&str, &str)> = [
        ("s_axis", "sink"),
        ("m_axis", "source"),
        ("m_axis_flow", "flow"),
        ("m_axis_verdict", "verdict"),
    ]
    .into_iter()
    .filter(|(prefix, _)| width(prefix, "data") > 0)
    .collect();
    let watches = is_watching(config);
    let flows = config.core.flows();
    let (arguments, about) = if watches {
        (
            "platform, watched, rtl",
            match flows {
                None => {
                    "Monitors the stream `watched` and drives none of its signals. `verdict` has no backpressure: its ready is ignored."
                }
                Some(_) => {
                    "Monitors the stream `watched` and drives none of its signals. The outputs have no backpressure: their ready is \
                     ignored. No beat may be accepted before `flows_ready`."
                }
            },
        )
    } else if config.form == Form::Free {
        (
            "platform, rtl",
            "Accepts a beat in every clock. The outputs have no backpressure: their ready is ignored.",
        )
    } else if takes_words(config) {
        (
            "platform, rtl",
            "Takes its words from the stream `sink`: a lane has a word if all of its bits of `keep` are set.",
        )
    } else {
        ("platform, rtl", "Takes its bytes from the stream `sink`.")
    };
    let mut text = format!(
        "\"\"\"{name} for LiteX: {}.\"\"\"\n\nfrom migen import ClockSignal, Instance, Module, ResetSignal{signal}\n\
         from litex.soc.interconnect.axi import {interfaces}\n\n\n\
         class {}(Module):\n    \"\"\"{about}\n\n    Adds the Verilog in the folder `rtl` to `platform`.{more}\n    \"\"\"\n\n    \
         def __init__(self, {arguments}=\"rtl\"):\n        platform.add_source(f\"{{rtl}}/{name}.v\")\n",
        config.describe(),
        class_name(name),
        more = litex_notes(config),
        signal = if flows.is_some() || config.beat_error {
            ", Signal"
        } else {
            ""
        },
        interfaces = if config.has_registers() {
            "AXILiteInterface, AXIStreamInterface"
        } else {
            "AXIStreamInterface"
        },
    );
    if config.has_registers() {
        // As wide as the SoC's bus: LiteX bridges from Wishbone, its default, to no other width.
        text += "        self.registers = AXILiteInterface(data_width=32, address_width=32)\n";
    }
    if flows.is_some() {
        text += "        self.flows_ready = Signal()\n";
    }
    if config.beat_error {
        text += "        self.beat_error = Signal()\n";
    }
    let own = |stream: &str| !(watches && stream == "sink");
    for (prefix, stream) in streams.iter().filter(|(_, stream)| own(stream)) {
        let data = width(prefix, "data");
        let is_packets = width(prefix, "last") > 0;
        let keep = match width(prefix, "keep") {
            0 if !is_packets => data.div_ceil(8),
            keep => keep,
        };
        let _ = writeln!(
            text,
            "        self.{stream} = AXIStreamInterface(\n            data_width={data}, keep_width={keep}, id_width={}, \
             dest_width={}, user_width={}\n        )",
            width(prefix, "id"),
            width(prefix, "dest"),
            width(prefix, "user"),
        );
        // LiteX's streams always have these two, and what takes packets waits for a `last`.
        if !is_packets {
            let _ = writeln!(
                text,
                "        self.comb += self.{stream}.last.eq(1), self.{stream}.keep.eq(2**{keep} - 1)"
            );
        }
    }
    // LiteX's streams always have a ready.
    if config.form == Form::Free && !watches {
        text += "        self.comb += self.sink.ready.eq(1)\n";
    }
    let _ = writeln!(
        text,
        "        self.specials += Instance(\n            \"{name}\",\n            i_clk=ClockSignal(),\n            i_rst=ResetSignal(),"
    );
    for port in table.iter().filter(|port| !is_common(port)) {
        let direction = match port.direction {
            Direction::Input => "i",
            Direction::Output => "o",
        };
        if let Some(signal) = port.name.strip_prefix("s_axil_") {
            // Channels are aw, w, b, ar and r.
            let (channel, field) = signal.split_at(if signal.starts_with('a') { 2 } else { 1 });
            let part = match field {
                "addr" => format!("[:{ADDRESS_BITS}]"),
                _ => String::new(),
            };
            let _ = writeln!(
                text,
                "            {direction}_{}=self.registers.{channel}.{field}{part},",
                port.name
            );
            continue;
        }
        if ["flows_ready", "beat_error"].contains(&port.name) {
            let _ = writeln!(text, "            o_{0}=self.{0},", port.name);
            continue;
        }
        let (prefix, field) = port.name.rsplit_once("_t").expect("of a stream");
        let (_, stream) = streams
            .iter()
            .find(|(of, _)| *of == prefix)
            .expect("a stream");
        let signal = match (own(stream), field) {
            (true, field) => format!("self.{stream}.{field}"),
            // What is taken is what counts.
            (false, "valid") if config.form == Form::Free => {
                "watched.valid & watched.ready".to_string()
            }
            (false, field) => format!("watched.{field}"),
        };
        let _ = writeln!(text, "            {direction}_{}={signal},", port.name);
    }
    text + "        )\n"
}

/// What a user of the class has to know of streams without packets, and of the registers.
fn litex_notes(config: &Config) -> String {
    let mut notes = String::new();
    if config.core.verdict().is_some() {
        let streams = match config.core.flows() {
            None => "`verdict`",
            Some(_) => "`flow` and of `verdict`",
        };
        let _ = write!(
            notes,
            "\n\n    Each beat of {streams} is a packet of one beat."
        );
    }
    if config.has_registers() {
        let _ = write!(
            notes,
            "\n\n    `registers` is a slave of the SoC's bus:\n    `bus.add_slave(\"{}\", core.registers, \
             SoCRegion(origin=..., size=0x{:x}, cached=False))`.",
            config.module,
            1 << ADDRESS_BITS,
        );
    }
    notes
}

fn class_name(module: &str) -> String {
    let words = module.split('_').filter(|word| !word.is_empty());
    // With a prefix it is no word of Python's, and no name of Migen's.
    let words = words.map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    format!("Runegate{}", words.collect::<String>())
}
