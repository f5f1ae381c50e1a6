//! The registers that a core has are those of its map: in the Verilog, the C header, the Rust module, the documents and the signature.

use crate::support::{Place, done, have, output};
use hdl::config::{Config, Core, CoreName, Edges, Form, Mode, Request};
use serde_json::Value;
use sim::engine::{self, Dut, Engine, EngineKind};
use sim::frame::Frame;
use sim::tools::{CXX, VERILATOR};
use std::collections::BTreeMap;
use std::process::Command;

/// Bytes of addresses.
const WINDOW: u32 = 1 << 12;
/// Responses.
const OKAY: u32 = 0;
const SLVERR: u32 = 2;

fn config(lanes: usize, mode: Mode, form: Form) -> Config {
    let request = Request {
        core: Some(CoreName::Validate),
        lanes: Some(lanes),
        mode: Some(mode),
        form: Some(form),
        csr: Some(true),
        user_width: Some(9),
        verdict_width: Some(176),
        counter_width: Some(16),
        module: Some("core".to_string()),
        ..Default::default()
    };
    request.resolve().expect("a configuration that exists")
}

/// A core and its registers' bus.
struct Bus {
    engine: Box<dyn Engine>,
    inputs: Frame,
    outputs: Frame,
    pins: Vec<u32>,
    shown: Vec<u32>,
}

impl Bus {
    fn new(config: &Config) -> Self {
        let verilog = hdl::emit::emit(config).expect("it can be emitted").verilog;
        let dut = Dut {
            config,
            verilog: &verilog,
            trace: None,
            coverage: false,
            bytes: Some(1),
        };
        let kind = if have(&VERILATOR) {
            EngineKind::Verilator
        } else {
            EngineKind::Embedded
        };
        let (inputs, outputs) = (Frame::inputs(config), Frame::outputs(config));
        let mut bus = Self {
            engine: engine::start(kind, &dut).expect("it starts"),
            pins: vec![0; inputs.words],
            shown: vec![0; outputs.words],
            inputs,
            outputs,
        };
        bus.set("rst", 1);
        bus.clock();
        bus.set("rst", 0);
        bus.clock();
        bus
    }

    fn set(&mut self, pin: &str, value: u32) {
        self.pins[self.inputs.at(pin)] = value;
    }

    fn get(&self, pin: &str) -> u32 {
        self.shown[self.outputs.at(pin)]
    }

    fn clock(&mut self) {
        let undefined = self.engine.run(1, &self.pins, &mut self.shown);
        assert_eq!(undefined.expect("it runs"), []);
    }

    /// Offers something until it is taken.
    fn offer(&mut self, valid: &str, ready: &str) {
        self.set(valid, 1);
        self.clock();
        while self.get(ready) == 0 {
            self.clock();
        }
        self.set(valid, 0);
    }

    /// Waits for an answer and takes it.
    fn answer(&mut self, valid: &str, ready: &str) {
        self.set(ready, 1);
        let mut clocks = 0;
        self.clock();
        while self.get(valid) == 0 {
            self.clock();
            clocks += 1;
            assert!(clocks < 40, "no answer");
        }
        self.set(ready, 0);
    }

    /// The response, and what is read.
    fn read(&mut self, address: u32) -> (u32, u32) {
        self.set("s_axil_araddr", address);
        self.offer("s_axil_arvalid", "s_axil_arready");
        self.answer("s_axil_rvalid", "s_axil_rready");
        (self.get("s_axil_rresp"), self.get("s_axil_rdata"))
    }

    fn write(&mut self, address: u32, data: u32) -> u32 {
        self.set("s_axil_awaddr", address);
        self.set("s_axil_wdata", data);
        self.set("s_axil_wstrb", 0xF);
        self.offer("s_axil_wvalid", "s_axil_wready");
        self.offer("s_axil_awvalid", "s_axil_awready");
        self.answer("s_axil_bvalid", "s_axil_bready");
        self.get("s_axil_bresp")
    }
}

/// The constants of the emitted files by the header's names, without the core's: `CONTROL_ENABLE_MASK`.
type Constants = BTreeMap<String, u32>;

/// What a program that prints `name value` lines has to say.
fn told(program: &mut Command) -> Constants {
    let text = String::from_utf8(output(program).stdout).expect("text");
    let line = |line: &str| {
        let (name, value) = line.split_once(' ').expect("a name and a value");
        (name.to_string(), value.parse().expect("a number"))
    };
    text.lines().map(line).collect()
}

fn is_silent(command: &mut Command) {
    let output = output(command);
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

/// The header's constants, as a C compiler reads them.
fn c_constants(place: &Place) -> Constants {
    let header = std::fs::read_to_string(place.path("core_regs.h")).expect("emitted");
    let names = header.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("#define CORE_")?.split_once(' ')?;
        Some(name)
    });
    let prints: Vec<String> = names
        .map(|name| format!("    printf(\"{name} %lu\\n\", (unsigned long)CORE_{name});\n"))
        .collect();
    place.write(
        "main.c",
        format!(
            "#include \"core_regs.h\"\n#include <stdio.h>\n\nint main(void)\n{{\n    uint32_t words[4] = {{0, 0, 7, 1}};\n    \
             if (core_counter(words, 8) != 0x100000007u) return 1;\n{}    return 0;\n}}\n",
            prints.concat()
        ),
    );
    is_silent(
        Command::new("gcc")
            .args([
                "-std=c99",
                "-pedantic",
                "-Wall",
                "-Wextra",
                "-Werror",
                "main.c",
                "-o",
                "main",
            ])
            .current_dir(place.path(".")),
    );
    told(&mut Command::new(place.path("main")))
}

/// The module's constants, as Rust reads them, by the header's names.
fn rust_constants(place: &Place) -> Constants {
    let module = std::fs::read_to_string(place.path("core_regs.rs")).expect("emitted");
    let mut prints = vec!["    println!(\"WINDOW {}\", regs::WINDOW);\n".to_string()];
    let mut register = "";
    for line in module.lines() {
        if let Some(name) = line.strip_prefix("pub mod ") {
            register = name.trim_end_matches(" {");
        } else if let Some(rest) = line.strip_prefix("    pub const ") {
            let (name, _) = rest.split_once(':').expect("a type");
            let label = format!("{}_{name}", register.to_uppercase());
            prints.push(format!(
                "    println!(\"{label} {{}}\", regs::{register}::{name});\n"
            ));
        }
    }
    place.write(
        "main.rs",
        format!(
            "#[path = \"core_regs.rs\"]\nmod regs;\n\nfn main() {{\n{}}}\n",
            prints.concat()
        ),
    );
    is_silent(
        Command::new("rustc")
            .args([
                "--edition",
                "2021",
                "-D",
                "warnings",
                "main.rs",
                "-o",
                "rust_main",
            ])
            .current_dir(place.path(".")),
    );
    told(&mut Command::new(place.path("rust_main")))
}

/// Each word of the window, read from the core.
fn words(bus: &mut Bus) -> BTreeMap<u32, u32> {
    let mut words = BTreeMap::new();
    for address in (0..WINDOW).step_by(4) {
        match bus.read(address) {
            (OKAY, data) => {
                words.insert(address, data);
            }
            (SLVERR, 0) => {}
            other => panic!("{address:#x} is {other:?}"),
        }
    }
    words
}

#[test]
fn what_answers_is_what_the_files_say() {
    if !have(&CXX) {
        return;
    }
    let forbidding = |mut config: Config| {
        let Core::Validate {
            forbid,
            verdict_width,
            ..
        } = &mut config.core
        else {
            unreachable!("it is a validator");
        };
        (*forbid, *verdict_width) = ("nul,from-0300".parse().expect("classes"), 192);
        config
    };
    let with_ports = Request {
        core: Some(CoreName::Validate),
        lanes: Some(8),
        csr: Some(true),
        frames: Some(true),
        edges: Some(Edges::Open),
        ports: Some("udp:514,tcp:src:80-81".parse().expect("a table")),
        module: Some("core".to_string()),
        ..Default::default()
    };
    for config in [
        with_ports.resolve().expect("it exists"),
        config(1, Mode::Snoop, Form::Axis),
        config(8, Mode::Pass, Form::Free),
        forbidding(config(2, Mode::Pass, Form::Axis)),
    ] {
        let place = Place::new();
        done(&place.run(&config.command().replace("runegate ", "")));
        let constants = c_constants(&place);
        assert_eq!(constants, rust_constants(&place));
        assert_eq!(constants["WINDOW"], WINDOW);

        let text = std::fs::read_to_string(place.path("core.json")).expect("emitted");
        let signature: Value = serde_json::from_str(&text).expect("JSON");
        let document = std::fs::read_to_string(place.path("core_regs.md")).expect("emitted");
        let mut expected = BTreeMap::new();
        let mut named = 1;
        for register in signature["registers"].as_array().expect("registers") {
            let name = register["name"].as_str().expect("a name");
            let offset = constants[&format!("{}_OFFSET", name.to_uppercase())];
            assert_eq!(register["offset"], offset);
            assert!(
                document.contains(&format!("| {offset:#05x} | `{name}` |")),
                "{name}"
            );
            named += 1;
            let mut reset = 0;
            for field in register["fields"].as_array().into_iter().flatten() {
                let field_name = field["name"].as_str().expect("a name");
                assert!(
                    document.contains(&format!("| `{field_name}` |")),
                    "{field_name}"
                );
                let label = format!("{name}_{field_name}").to_uppercase();
                let of_field = |what: &str| constants[&format!("{label}_{what}")];
                assert_eq!(field["offset"], of_field("SHIFT"));
                let width = of_field("MASK").count_ones();
                assert_eq!(field["width"], width);
                assert_eq!(of_field("MASK").trailing_zeros(), of_field("SHIFT"));
                assert_eq!(field["reset"], of_field("RESET"));
                reset |= of_field("RESET") << of_field("SHIFT");
                named += 3;
            }
            expected.insert(offset, reset);
            if register["bits"] == 64 {
                expected.insert(offset + 4, 0);
            }
        }
        assert_eq!(named, constants.len(), "the files have nothing else");
        let mut bus = Bus::new(&config);
        assert_eq!(words(&mut bus), expected);
        // What can be written, and that what cannot has not changed.
        for (&address, &before) in &expected {
            let name = |name: &str| constants.get(&format!("{name}_OFFSET")) == Some(&address);
            let is_of_ports = name("PORTS") || (0x180..0x200).contains(&address);
            let is_written = name("CONTROL") || name("COMMAND") || name("FORBID") || is_of_ports;
            let response = bus.write(address, 0xFFFF_FFFF);
            assert_eq!(
                response,
                if is_written { OKAY } else { SLVERR },
                "{address:#x}"
            );
            let ones = match address {
                0x100 => 1,
                _ if address % 8 == 0 => u32::MAX,
                _ => 0b1111,
            };
            let after = if is_of_ports { ones } else { before };
            assert_eq!(bus.read(address), (OKAY, after), "{address:#x}");
        }
        if let Some(&forbid) = constants.get("FORBID_OFFSET") {
            assert_eq!(bus.write(forbid, 0x7F), OKAY);
            assert_eq!(
                bus.read(forbid),
                (OKAY, 1),
                "the other class was taken back"
            );
        }
        assert_eq!(bus.write(constants["CONTROL_OFFSET"], 0), OKAY);
        assert_eq!(bus.read(constants["CONTROL_OFFSET"]), (OKAY, 0));
        assert_eq!(
            bus.write(constants["CONTROL_OFFSET"] + WINDOW / 2, 1),
            SLVERR
        );
        assert_eq!(bus.read(constants["CONTROL_OFFSET"]), (OKAY, 0));
    }
}

/// Packets, and all of them, of more than a counter's lowest segment holds.
#[test]
fn counters_carry() {
    const BEATS: u64 = 1_500;
    const PACKETS: u64 = 40;
    let config = config(64, Mode::Snoop, Form::Axis);
    let mut bus = Bus::new(&config);
    let (data, keep) = (bus.inputs.at("s_axis_tdata"), bus.inputs.at("s_axis_tkeep"));
    // Letters, and in each beat one byte that is never in UTF-8.
    bus.pins[data..data + 16].fill(0x6161_6161);
    bus.pins[data + 7] = 0x61FF_6161;
    bus.pins[keep..keep + 2].fill(u32::MAX);
    bus.set("s_axis_tready", 1);
    bus.set("s_axis_tvalid", 1);
    for beat in 1..=PACKETS * BEATS {
        bus.set("s_axis_tlast", u32::from(beat % BEATS == 0));
        bus.clock();
    }
    bus.set("s_axis_tvalid", 0);
    for _ in 0..100 {
        bus.clock();
    }
    assert_eq!(bus.write(0x14, 1), OKAY);
    let mut counter = |offset: u32| {
        let [(_, low), (_, high)] = [bus.read(offset), bus.read(offset + 4)];
        u64::from(high) << 32 | u64::from(low)
    };
    assert_eq!([counter(0x20), counter(0x28)], [PACKETS, PACKETS]);
    assert_eq!(counter(0x30), PACKETS * BEATS * 64);
    assert_eq!(counter(0x38), PACKETS * BEATS * 63);
    let kinds = [0x40, 0x48, 0x50, 0x58, 0x60, 0x68, 0x70].map(counter);
    assert_eq!(kinds, [0, PACKETS * BEATS, 0, 0, 0, 0, 0]);
}

/// Only a core with registers has their files.
#[test]
fn without_registers_there_are_no_files_of_them() {
    let place = Place::new();
    done(&place.run("emit --core validate --quiet"));
    assert_eq!(place.files().len(), 3);
    done(&place.run("emit --core validate --csr --out with --quiet"));
    let files = place.files();
    for end in [".v", ".json", ".f", "_regs.h", "_regs.rs", "_regs.md"] {
        let name = format!("with/utf8_validate_csr_w1{end}");
        assert!(files.contains(&name), "{name} of {files:?}");
    }
}
