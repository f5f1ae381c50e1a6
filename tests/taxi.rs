//! The template for taxi connects every port of the core, is silent between taxi's interfaces, and stops elaboration where one of them
//! does not fit.

use crate::support::{Place, have, output};
use serde_json::Value;
use sim::tools::VERILATOR;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Every kind of stream there is, and cores without registers and with them.
const CORES: [&str; 11] = [
    "--core decode --lanes 1",
    "--core decode --dense --lanes 4 --form free --user-width 7 --beat-error",
    "--core validate --lanes 8 --csr",
    "--core validate --lanes 2 --form free --id-width 4",
    "--core validate --mode pass --lanes 4 --form free --user-width 64",
    "--core validate --mode pass --lanes 8 --csr --user-width 64 --id-width 33 --dest-width 1 --beat-error",
    "--core validate --lanes 8 --flows 5 --csr --user-width 4",
    "--for taxi --mode pass",
    "--core encode --lanes 8",
    "--core sanitise --replace ascii --lanes 8 --user-width 4",
    "--core encode --from utf16le --lanes 2 --id-width 3 --beat-error",
];

/// A core in its package, and its ports by name: width and direction.
struct Core {
    place: Place,
    ports: BTreeMap<String, (u64, String)>,
    watches: bool,
}

fn core(arguments: &str) -> Core {
    let place = crate::support::package(arguments, "core");
    let signature = crate::support::signature(&place, "core");
    let text = |value: &Value| value.as_str().expect("text").to_string();
    let ports = signature["ports"].as_array().expect("ports").iter();
    let ports = ports.map(|port| {
        let width = port["width"].as_u64().expect("a width");
        (text(&port["name"]), (width, text(&port["direction"])))
    });
    let ports = ports.collect();
    let watches = signature["config"]["mode"] == "snoop";
    Core {
        place,
        ports,
        watches,
    }
}

impl Core {
    fn width(&self, port: &str) -> u64 {
        self.ports.get(port).map_or(0, |(width, _)| *width)
    }

    /// The core's streams, each with the parameters that its interface needs.
    fn interfaces(&self) -> BTreeMap<&'static str, BTreeMap<String, u64>> {
        let streams = ["s_axis", "m_axis", "m_axis_flow", "m_axis_verdict"].into_iter();
        let streams = streams.filter(|stream| self.width(&format!("{stream}_tdata")) > 0);
        let mut all: BTreeMap<_, _> = streams
            .map(|stream| {
                let width = |field: &str| self.width(&format!("{stream}_t{field}"));
                let mut parameters = BTreeMap::from([("DATA_W".to_string(), width("data"))]);
                if width("keep") > 0 {
                    parameters.insert("KEEP_W".to_string(), width("keep"));
                }
                for field in ["id", "dest", "user"] {
                    if width(field) > 0 {
                        let name = field.to_uppercase();
                        parameters.insert(format!("{name}_EN"), 1);
                        parameters.insert(format!("{name}_W"), width(field));
                    }
                }
                (stream, parameters)
            })
            .collect();
        if self.width("s_axil_awaddr") > 0 {
            all.extend(["s_axil_wr", "s_axil_rd"].map(|name| (name, BTreeMap::new())));
        }
        all
    }

    /// The template between interfaces that drive constants and have all of their signals read.
    fn shell(&self, interfaces: &BTreeMap<&str, BTreeMap<String, u64>>) -> String {
        let mut text =
            "module shell (input wire clk, input wire rst, output wire seen);\n".to_string();
        let mut pins = vec![".clk(clk)".to_string(), ".rst(rst)".to_string()];
        let mut seen = Vec::new();
        for (name, parameters) in interfaces {
            let kind = if name.starts_with("s_axil") {
                "taxi_axil_if"
            } else {
                "taxi_axis_if"
            };
            let parameters = parameters
                .iter()
                .map(|(name, value)| format!(".{name}({value})"));
            let parameters: Vec<String> = parameters.collect();
            text += &format!("    {kind} #({}) {name} ();\n", parameters.join(", "));
            pins.push(format!(".{name}({name})"));
            let (driven, read): (&[&str], &[&str]) = match *name {
                "s_axil_wr" => (
                    &[
                        "awaddr", "awprot", "awvalid", "wdata", "wstrb", "wvalid", "bready",
                    ],
                    &["awready", "wready", "bresp", "buser", "bvalid"],
                ),
                "s_axil_rd" => (
                    &["araddr", "arprot", "arvalid", "rready"],
                    &["arready", "rdata", "rresp", "ruser", "rvalid"],
                ),
                "s_axis" if self.watches => (&[SOURCE, &["tready"]].concat(), &[]),
                "s_axis" => (SOURCE, &["tready"]),
                _ => (&["tready"], SOURCE),
            };
            for signal in driven {
                text += &format!("    assign {name}.{signal} = '0;\n");
            }
            seen.extend(read.iter().map(|signal| format!("{name}.{signal}")));
        }
        for signal in ["flows_ready", "beat_error"] {
            if self.width(signal) > 0 {
                text += &format!("    wire {signal};\n");
                pins.push(format!(".{signal}({signal})"));
                seen.push(signal.to_string());
            }
        }
        format!(
            "{text}    core_taxi dut (\n        {}\n    );\n    assign seen = ^{{{}}};\nendmodule\n",
            pins.join(",\n        "),
            seen.join(", ")
        )
    }

    /// What Verilator says of the template in such a shell, and whether it takes it.
    fn lint(&self, interfaces: &BTreeMap<&str, BTreeMap<String, u64>>) -> (bool, String) {
        let shell = self.place.write("shell.sv", self.shell(interfaces));
        let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shells/taxi.sv");
        let run = output(
            Command::new("verilator")
                .args([
                    "--lint-only",
                    "-Wall",
                    "-Wno-DECLFILENAME",
                    "--top-module",
                    "shell",
                ])
                .arg(stub)
                .arg(self.place.path("package/templates/taxi.sv"))
                .arg(self.place.path("package/rtl/core.v"))
                .arg(shell),
        );
        (
            run.status.success(),
            String::from_utf8_lossy(&run.stderr).into_owned(),
        )
    }

    /// Each port is connected to the signal of its name: what has the same width could be swapped, and no tool would say so.
    fn connects_every_port(&self) {
        let text = std::fs::read_to_string(self.place.path("package/templates/taxi.sv"));
        let text = text.expect("a template");
        for port in self.ports.keys() {
            let start = format!("        .{port}(");
            let line = text.lines().find_map(|line| line.strip_prefix(&start));
            let line = line.unwrap_or_else(|| panic!("{port}"));
            let signal = match port.split_once("_axil_") {
                Some((_, signal)) if signal.starts_with(['r']) || signal.starts_with("ar") => {
                    format!("s_axil_rd.{signal}")
                }
                Some((_, signal)) => format!("s_axil_wr.{signal}"),
                None => port.replace("_t", ".t"),
            };
            let words =
                line.split(|letter: char| !letter.is_alphanumeric() && !"_.".contains(letter));
            assert!(
                words.into_iter().any(|word| word == signal),
                "{port}: {line}"
            );
        }
    }
}

const SOURCE: &[&str] = &[
    "tvalid", "tdata", "tkeep", "tstrb", "tlast", "tid", "tdest", "tuser",
];

/// Other parameters of an interface: the core by its place in [`CORES`], and the words of the refusal; none if nothing is lost.
const OTHERS: [(usize, &str, &str, u64, Option<&str>); 19] = [
    (5, "s_axis", "DATA_W", 128, Some("s_axis.DATA_W must be 64")),
    (5, "s_axis", "KEEP_W", 4, Some("s_axis.KEEP_W must be 8")),
    (5, "s_axis", "USER_W", 97, Some("s_axis.USER_W 64")),
    (5, "s_axis", "DEST_EN", 0, Some("s_axis.DEST_EN must be 1")),
    (5, "m_axis", "DATA_W", 512, Some("m_axis.DATA_W must be 64")),
    (5, "m_axis", "KEEP_EN", 0, Some("m_axis.KEEP_EN must be 1")),
    (5, "m_axis", "LAST_EN", 0, Some("m_axis.LAST_EN must be 1")),
    (
        5,
        "m_axis_verdict",
        "ID_W",
        8,
        Some("m_axis_verdict.ID_W 33"),
    ),
    (
        5,
        "m_axis_verdict",
        "DATA_W",
        8,
        Some("m_axis_verdict.DATA_W must be 160"),
    ),
    (
        5,
        "s_axil_wr",
        "DATA_W",
        64,
        Some("s_axil_wr.DATA_W must be 32"),
    ),
    (
        5,
        "s_axil_rd",
        "ADDR_W",
        8,
        Some("s_axil_rd.ADDR_W must be 12 or more"),
    ),
    (
        0,
        "s_axis",
        "USER_EN",
        1,
        Some("s_axis.USER_EN must be 0: emit the core with --user-width"),
    ),
    (6, "s_axis", "ID_W", 8, Some("s_axis.ID_W 3")),
    (
        7,
        "m_axis_verdict",
        "ID_EN",
        1,
        Some("m_axis_verdict.ID_EN must be 0"),
    ),
    (8, "s_axis", "DATA_W", 64, Some("s_axis.DATA_W must be 256")),
    (9, "m_axis", "KEEP_EN", 0, Some("m_axis.KEEP_EN must be 1")),
    // What is only watched may have more than the core looks at; one lane needs no tkeep; without a tlast a beat is a packet.
    (2, "s_axis", "USER_EN", 1, None),
    (7, "s_axis", "LAST_EN", 0, None),
    (7, "m_axis", "KEEP_EN", 0, None),
];

#[test]
fn the_template_fits_its_interfaces_and_no_others() {
    let has_verilator = have(&VERILATOR);
    for (index, arguments) in CORES.into_iter().enumerate() {
        let core = core(arguments);
        core.connects_every_port();
        if !has_verilator {
            continue;
        }
        let (is_taken, said) = core.lint(&core.interfaces());
        assert!(is_taken && said.is_empty(), "{arguments}:\n{said}");
        for (_, name, parameter, value, told) in OTHERS.iter().filter(|other| other.0 == index) {
            let mut interfaces = core.interfaces();
            let parameters = interfaces.get_mut(name).expect("an interface");
            parameters.insert(parameter.to_string(), *value);
            let (is_taken, said) = core.lint(&interfaces);
            let is_right = match told {
                Some(told) => !is_taken && said.contains(told),
                None => is_taken && said.is_empty(),
            };
            assert!(is_right, "{arguments}: {name} {parameter} {value}:\n{said}");
        }
    }
}
