//! What the attributes of the IP's wrapper state, as Yosys reads them, against the pins.

use crate::support::{Place, output, stderr};
use serde_json::Value;
use sim::tools::YOSYS;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Of AXI4-Stream, and of AXI4-Lite.
const AXIS: &str = "TVALID TREADY TDATA TKEEP TLAST TID TDEST TUSER";
const AXIL: &str = "AWADDR AWPROT AWVALID AWREADY WDATA WSTRB WVALID WREADY BRESP BVALID BREADY ARADDR ARPROT ARVALID ARREADY RDATA RRESP \
                    RVALID RREADY";

/// A pin of the wrapper, as Yosys reads it.
pub struct Pin {
    is_input: bool,
    width: usize,
    attributes: BTreeMap<String, String>,
}

pub fn pins(place: &Place) -> BTreeMap<String, Pin> {
    let folder = place.path("package/ip");
    let run = output(
        Command::new(YOSYS.program())
            .args(["-q", "-p", "read_verilog core_ip.v; write_json pins.json"])
            .current_dir(&folder),
    );
    assert!(run.status.success(), "{}", stderr(&run));
    let text = std::fs::read_to_string(folder.join("pins.json")).expect("a netlist");
    let netlist: Value = serde_json::from_str(&text).expect("JSON");
    let module = &netlist["modules"]["core_ip"];
    let ports = module["ports"].as_object().expect("ports");
    (ports.iter())
        .map(|(name, port)| {
            let attributes = module["netnames"][name]["attributes"].as_object();
            let attributes = attributes.expect("attributes").iter();
            let attributes = attributes.map(|(key, value)| {
                let value = value.as_str().expect("text");
                (key.clone(), value.to_string())
            });
            let pin = Pin {
                is_input: port["direction"] == "input",
                width: port["bits"].as_array().expect("bits").len(),
                attributes: attributes.collect(),
            };
            (name.clone(), pin)
        })
        .collect()
}

/// The parameters of an interface, each with its value.
fn parameters(pin: &Pin, interface: &str) -> Result<BTreeMap<String, String>, String> {
    let text = pin.attributes.get("X_INTERFACE_PARAMETER");
    let text = text.ok_or(format!("{interface} has no parameters"))?;
    let mut pairs = text.split(", ").map(|pair| pair.split_once(' '));
    match pairs.next() {
        Some(Some(("XIL_INTERFACENAME", name))) if name == interface => {}
        other => return Err(format!("{interface} is named {other:?}")),
    }
    let pairs = pairs.map(|pair| pair.map(|(key, value)| (key.to_string(), value.to_string())));
    pairs
        .collect::<Option<_>>()
        .ok_or(format!("no pairs: {text}"))
}

/// What a user of the IP relies on: an interface for every pin of a bus, its mode and its widths those of its pins.
pub fn check(signature: &Value, pins: &BTreeMap<String, Pin>) -> Result<(), String> {
    let mut interfaces: BTreeMap<&str, BTreeMap<&str, &Pin>> = BTreeMap::new();
    for port in signature["ports"].as_array().expect("ports") {
        let name = match port["name"].as_str().expect("a name") {
            "clk" => "aclk",
            "rst" => "aresetn",
            name => name,
        };
        let pin = pins.get(name).ok_or(format!("{name} is missing"))?;
        assert_eq!(port["width"], pin.width, "{name}");
        assert_eq!(port["direction"] == "input", pin.is_input, "{name}");
        let Some(info) = pin.attributes.get("X_INTERFACE_INFO") else {
            let is_single = ["flows_ready", "beat_error"].contains(&name);
            is_single
                .then_some(())
                .ok_or(format!("{name} is of no interface"))?;
            continue;
        };
        let words: Vec<&str> = info.split(' ').collect();
        let [bus, interface, signal] = words[..] else {
            return Err(format!("{name}: {info}"));
        };
        let (known, is_named) = match bus {
            "xilinx.com:interface:axis:1.0" => (AXIS, format!("{interface}_{signal}")),
            "xilinx.com:interface:aximm:1.0" => (AXIL, format!("{interface}_{signal}")),
            "xilinx.com:signal:clock:1.0" => ("CLK", "aclk".to_string()),
            "xilinx.com:signal:reset:1.0" => ("RST", "aresetn".to_string()),
            _ => return Err(format!("{name}: {bus}")),
        };
        if !known.split_whitespace().any(|it| it == signal) || is_named.to_lowercase() != name {
            return Err(format!("{name}: {info}"));
        }
        interfaces.entry(interface).or_default().insert(signal, pin);
    }
    let clock = parameters(interfaces["aclk"]["CLK"], "aclk")?;
    let reset = parameters(interfaces["aresetn"]["RST"], "aresetn")?;
    let of_clock: BTreeSet<&str> = clock["ASSOCIATED_BUSIF"].split(':').collect();
    let (_, buses): (Vec<_>, Vec<_>) =
        (interfaces.into_iter()).partition(|(name, _)| ["aclk", "aresetn"].contains(name));
    if of_clock != buses.iter().map(|(name, _)| *name).collect() {
        return Err(format!("the clock is of {of_clock:?}"));
    }
    if clock["ASSOCIATED_RESET"] != "aresetn" || reset["POLARITY"] != "ACTIVE_LOW" {
        return Err(format!("the reset is {clock:?} {reset:?}"));
    }
    buses
        .iter()
        .try_for_each(|(name, bus)| check_bus(name, bus))
}

fn check_bus(name: &str, bus: &BTreeMap<&str, &Pin>) -> Result<(), String> {
    let stated = bus
        .values()
        .filter(|pin| pin.attributes.contains_key("X_INTERFACE_MODE"));
    let stated: Vec<&&Pin> = stated.collect();
    let [first] = stated[..] else {
        return Err(format!("{name} has {} modes", stated.len()));
    };
    let is_input = |signal: &str| bus.get(signal).map(|pin| pin.is_input);
    let (valid, ready) = match bus.contains_key("TVALID") {
        true => (is_input("TVALID"), is_input("TREADY")),
        false => (is_input("AWVALID"), is_input("AWREADY")),
    };
    let mode = match (valid, ready) {
        (Some(true), Some(true)) => "monitor",
        (Some(true), _) => "slave",
        _ => "master",
    };
    let found = &first.attributes["X_INTERFACE_MODE"];
    let width = |signal: &str| bus.get(signal).map_or(0, |pin| pin.width);
    let has = |signal: &str| usize::from(bus.contains_key(signal));
    let expected: Vec<(&str, String)> = match bus.contains_key("TVALID") {
        true => vec![
            ("HAS_TKEEP", has("TKEEP").to_string()),
            ("HAS_TLAST", has("TLAST").to_string()),
            ("HAS_TREADY", has("TREADY").to_string()),
            ("HAS_TSTRB", "0".to_string()),
            ("TDATA_NUM_BYTES", (width("TDATA") / 8).to_string()),
            ("TDEST_WIDTH", width("TDEST").to_string()),
            ("TID_WIDTH", width("TID").to_string()),
            ("TUSER_WIDTH", width("TUSER").to_string()),
        ],
        false => vec![
            ("ADDR_WIDTH", width("AWADDR").to_string()),
            ("DATA_WIDTH", width("WDATA").to_string()),
            ("PROTOCOL", "AXI4LITE".to_string()),
        ],
    };
    let expected = expected
        .into_iter()
        .map(|(key, value)| (key.to_string(), value));
    let parameters = parameters(first, name)?;
    if found != mode || parameters != expected.collect() {
        return Err(format!("{name} is a {found} with {parameters:?}"));
    }
    // IP integrator takes whole bytes only, each with its bit of TKEEP.
    let is_whole = width("TDATA") % 8 == 0 && [0, width("TDATA")].contains(&(8 * width("TKEEP")));
    is_whole
        .then_some(())
        .ok_or(format!("{name} has parts of bytes"))
}
