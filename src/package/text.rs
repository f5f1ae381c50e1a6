//! What the files of a package are made with: their places, the words that are filled in, and what they ask of a core.

use super::frame;
use hdl::config::ports::{Direction, Port, ports};
use hdl::config::{Config, Core, CoreName, Encoding, Mode, OnError, Replace};
use std::path::PathBuf;

/// A file of the package, by its path in it.
pub type File = (PathBuf, String);

pub fn file(path: &str, text: String) -> File {
    (PathBuf::from(path), text)
}

/// Whether there is a cocotb bench. Its judge is CPython, which does not know RFC 2279.
pub fn has_cocotb(config: &Config) -> bool {
    !config.core.grammar().is_2279()
}

/// A text with the configuration's words in it. Its lines with `@SIM@` are of the cocotb bench.
pub fn fill(config: &Config, text: &str) -> String {
    let lines = text.split_inclusive('\n');
    let kept = lines.filter_map(|line| match line.strip_prefix("@SIM@") {
        Some(of_bench) => has_cocotb(config).then_some(of_bench),
        None => Some(line),
    });
    let table = ports(config);
    let (words, on_error) = match config.core {
        Core::Encode { from, on_error, .. } => (from, on_error),
        _ => (config.core.to(), OnError::default()),
    };
    let replacement = match config.core {
        Core::Sanitise {
            replace: Replace::Ascii,
            ..
        } => "0x3F",
        _ => "0xEF, 0xBF, 0xBD",
    };
    // What makes the frames of the bench.
    let scapy = match config.core.policy().has_frames {
        true => " scapy==2.8.0",
        false => "",
    };
    let readies = |direction: Direction| {
        let of = move |port: &&Port| port.direction == direction && port.name.ends_with("_tready");
        table.iter().filter(of).map(|port| port.name)
    };
    let taken = readies(Direction::Output).next();
    let taken = taken.map_or("true".to_string(), |name| format!("core.{name}"));
    // Of a stream that is watched the sink is the bench's, too.
    let mut sinks: Vec<String> = readies(Direction::Input)
        .map(|name| format!("core.{name} = 1;"))
        .collect();
    let headers = match config.core.policy().has_frames {
        true => frame::headers(9)
            .into_iter()
            .map(|byte| format!("{byte:#04x}, "))
            .collect(),
        false => String::new(),
    };
    // Whole packets are judged.
    if config.core.policy().takes_windows() {
        sinks.push(
            "const uint64_t window = 0xFFFFull << 17 | 1; memcpy(&core.s_axis_tuser, &window, sizeof window);".to_string(),
        );
    }
    [
        ("@NAME@", config.module.clone()),
        ("@VERSION@", env!("CARGO_PKG_VERSION").to_string()),
        ("@DESCRIPTION@", config.describe()),
        ("@LANES@", config.lanes.to_string()),
        ("@OCTETS@", (words.bits() / 8).to_string()),
        ("@HIGH_FIRST@", (words == Encoding::Utf16be).to_string()),
        ("@OMITS@", (on_error == OnError::Omit).to_string()),
        ("@REPLACEMENT@", replacement.to_string()),
        ("@HEADERS@", headers),
        ("@TAKEN@", taken),
        ("@SINKS@", sinks.join(" ")),
        ("@FLOWS@", config.core.flows().unwrap_or(1).to_string()),
        ("@SCAPY@", scapy.to_string()),
        ("@TESTS@", tests(config)),
        ("@BENCH@", fusesoc_bench(config)),
    ]
    .into_iter()
    .fold(kept.collect(), |text: String, (word, value)| {
        text.replace(word, &value)
    })
}

/// The modules of the cocotb bench beside bench.py.
pub fn modules(config: &Config) -> Vec<(&'static str, &'static str)> {
    let mut modules = Vec::new();
    let has_flows = config.core.flows().is_some();
    if takes_words(config) {
        modules.push(("words", include_str!("../../tests/cocotb/words.py")));
    }
    if has_flows {
        modules.push(("flows", include_str!("../../tests/cocotb/flows.py")));
    }
    if config.core.policy().has_frames {
        modules.extend([
            ("frames", include_str!("../../tests/cocotb/frames.py")),
            (
                "frames_cases",
                include_str!("../../tests/cocotb/frames_cases.py"),
            ),
            (
                "frames_faults",
                include_str!("../../tests/cocotb/frames_faults.py"),
            ),
        ]);
    }
    if config.has_registers() {
        modules.push(("registers", include_str!("../../tests/cocotb/registers.py")));
    }
    if has_flows && config.has_registers() {
        modules.push((
            "flow_registers",
            include_str!("../../tests/cocotb/flow_registers.py"),
        ));
    }
    modules
}

/// Modules that make frames, and have no tests.
const WITHOUT_TESTS: [&str; 2] = ["frames_cases", "frames_faults"];

/// Those whose tests are of this core: bench.py's are of whole packets of bytes.
fn tests(config: &Config) -> String {
    let has_frames = config.core.policy().has_frames;
    let is_of_packets = config.core.flows().is_none() && !takes_words(config) && !has_frames;
    let whole = is_of_packets.then_some("bench");
    let others = modules(config).into_iter().map(|(name, _)| name);
    let others = others.filter(|name| !WITHOUT_TESTS.contains(name));
    let tests: Vec<&str> = whole.into_iter().chain(others).collect();
    tests.join(",")
}

/// The files of the cocotb bench in FuseSoC's form, each copied to where it is in the package.
fn fusesoc_bench(config: &Config) -> String {
    let modules = modules(config).into_iter().map(|(name, _)| name);
    let modules = std::iter::once("bench").chain(modules);
    let files = modules.map(|name| format!("cocotb/{name}.py"));
    let lines: Vec<String> = std::iter::once("cocotb/Makefile".to_string())
        .chain(files)
        .map(|file| format!("      - {file}: {{copyto: {file}}}"))
        .collect();
    lines.join("\n")
}

/// A core that touches nothing.
pub fn is_watching(config: &Config) -> bool {
    matches!(
        config.core,
        Core::Validate {
            mode: Mode::Snoop,
            ..
        }
    )
}

/// Whether the core's input has words.
pub fn takes_words(config: &Config) -> bool {
    config.core.name() == CoreName::Encode
}

/// Whether the port is the clock or the reset.
pub fn is_common(port: &Port) -> bool {
    ["clk", "rst"].contains(&port.name)
}
