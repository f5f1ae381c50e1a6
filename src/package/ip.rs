//! The core as an IP for Vivado: a wrapper whose attributes state the bus interfaces, and the script that packages it.
//!
//! The attributes and their values are those of AMD's UG994, "List of Supported X_ Attributes"; the commands those of UG1118.

use super::instance;
use super::text::{fill, is_common, is_watching};
use hdl::config::Config;
use hdl::config::ports::{Port, ports};
use hdl::csr::map::{self, Register};
use hdl::layout::ADDRESS_BITS;

/// A bus interface: its pins, which have one prefix.
struct Interface {
    name: &'static str,
    pins: Vec<Port>,
}

impl Interface {
    fn is_registers(&self) -> bool {
        self.name == "s_axil"
    }

    /// Bits of a pin; of one that is not there, 0.
    fn width(&self, signal: &str) -> usize {
        let pin = self.pins.iter().find(|pin| signal_of(pin).1 == signal);
        pin.map_or(0, |pin| pin.width)
    }

    /// What is said once of an interface, at its first pin.
    fn attributes(&self, config: &Config) -> String {
        let mode = if self.name.starts_with("m_") {
            "master"
        } else if is_watching(config) && !self.is_registers() {
            "monitor"
        } else {
            "slave"
        };
        let parameters = if self.is_registers() {
            format!("PROTOCOL AXI4LITE, DATA_WIDTH 32, ADDR_WIDTH {ADDRESS_BITS}")
        } else {
            let has = |signal| usize::from(self.width(signal) > 0);
            format!(
                "TDATA_NUM_BYTES {}, TID_WIDTH {}, TDEST_WIDTH {}, TUSER_WIDTH {}, HAS_TREADY {}, HAS_TSTRB 0, HAS_TKEEP {}, HAS_TLAST {}",
                self.width("TDATA") / 8,
                self.width("TID"),
                self.width("TDEST"),
                self.width("TUSER"),
                has("TREADY"),
                has("TKEEP"),
                has("TLAST"),
            )
        };
        format!(
            "    (* X_INTERFACE_MODE = \"{mode}\" *)\n{}",
            parameter(self.name, &parameters)
        )
    }
}

/// The interface and the signal of a pin, `s_axis_tdata` for `s_axis` and `TDATA`.
fn signal_of(pin: &Port) -> (&'static str, String) {
    let (interface, signal) = pin.name.rsplit_once('_').expect("a prefix");
    (interface, signal.to_uppercase())
}

/// All interfaces, in the order of the ports.
fn interfaces(config: &Config) -> Vec<Interface> {
    let mut interfaces: Vec<Interface> = Vec::new();
    let of_bus = |pin: &Port| pin.name.contains("_axi");
    for pin in ports(config).into_iter().filter(of_bus) {
        let (name, _) = signal_of(&pin);
        match interfaces.last_mut().filter(|last| last.name == name) {
            Some(last) => last.pins.push(pin),
            None => interfaces.push(Interface {
                name,
                pins: vec![pin],
            }),
        }
    }
    interfaces
}

fn info(kind: &str, interface: &str, signal: &str) -> String {
    format!("    (* X_INTERFACE_INFO = \"xilinx.com:{kind}:1.0 {interface} {signal}\" *)\n")
}

fn parameter(interface: &str, values: &str) -> String {
    format!("    (* X_INTERFACE_PARAMETER = \"XIL_INTERFACENAME {interface}, {values}\" *)\n")
}

/// The attributes of each pin of the wrapper.
fn attributes(config: &Config, pin: &Port) -> String {
    let interfaces = interfaces(config);
    if is_common(pin) {
        let names: Vec<&str> = interfaces.iter().map(|it| it.name).collect();
        return if pin.name == "clk" {
            let associated = format!(
                "ASSOCIATED_BUSIF {}, ASSOCIATED_RESET aresetn",
                names.join(":")
            );
            info("signal:clock", "aclk", "CLK") + &parameter("aclk", &associated)
        } else {
            info("signal:reset", "aresetn", "RST") + &parameter("aresetn", "POLARITY ACTIVE_LOW")
        };
    }
    let of_pin = interfaces.iter().find(|it| it.pins.contains(pin));
    of_pin.map_or(String::new(), |interface| {
        let bus = if interface.is_registers() {
            "interface:aximm"
        } else {
            "interface:axis"
        };
        let info = info(bus, interface.name, &signal_of(pin).1);
        if pin == &interface.pins[0] {
            info + &interface.attributes(config)
        } else {
            info
        }
    })
}

/// The wrapper.
pub fn wrapper(config: &Config) -> String {
    let about =
        "as an IP for Vivado: attributes state its bus interfaces; aresetn is synchronous to aclk";
    instance::module(config, "ip", true, about, |pin| attributes(config, pin))
}

/// The script.
pub fn script(config: &Config) -> String {
    let interfaces = interfaces(config);
    let names = interfaces.iter().map(|it| it.name);
    let names: Vec<&str> = names.chain(["aclk", "aresetn"]).collect();
    let registers = if config.has_registers() {
        registers(config)
    } else {
        String::new()
    };
    fill(config, include_str!("files/package_ip.tcl"))
        .replace("@INTERFACES@", &names.join(" "))
        .replace("@IP_VERSION@", version())
        .replace("@REGISTERS@", &registers)
}

/// An IP's version has two numbers.
fn version() -> &'static str {
    let version = env!("CARGO_PKG_VERSION");
    version.rsplit_once('.').expect("three numbers").0
}

/// The part of the script about the registers.
fn registers(config: &Config) -> String {
    let rows: Vec<String> = map::registers(config)
        .into_iter()
        .map(|it| row(it, config))
        .collect();
    include_str!("files/registers_ip.tcl")
        .replace("@WINDOW@", &(1 << ADDRESS_BITS).to_string())
        .replace("@ROWS@", &rows.join("\n"))
}

fn row(register: &Register, config: &Config) -> String {
    let access = |is_written| {
        if is_written {
            "read-write"
        } else {
            "read-only"
        }
    };
    let mut fields: Vec<String> = (register.fields().iter())
        .map(|field| {
            let access = access(register.is_written(field, config));
            format!("{} {} {} {access}", field.name, field.low, field.width)
        })
        .collect();
    if fields.is_empty() {
        fields.push(format!("{} 0 64 {}", register.name, access(false)));
    }
    format!(
        "    {} {:#05x} {} {{{}}} {{{}}}",
        register.name,
        register.offset,
        32 * register.words(),
        register.description,
        fields.join("  ")
    )
}
