//! Snapshots and clears in every clock around the carries out of bits 15, 31 and 47 of the counters.
//!
//! No run is long enough for a counter of 64 bits to get there by itself. So the counters begin there: in the design by the power-up
//! values of their registers, in the model by a number it is made with. Then comes one packet that counts in all of them, and a command.

use crate::dut::{built, have};
use crate::plants::tokens::Text;
use crate::plants::{Plant, Plants, edits, planted};
use golden::cycle::Model;
use hdl::config::{Config, CoreName, Depth, Form, Mode, Request};
use sim::engine::{self, Dut, Engine, EngineKind};
use sim::frame::Frame;
use sim::lockstep::setup;
use sim::tools::VERILATOR;
use sim::undefined::Meaning;

/// What every counter begins with: whatever is added carries out of all bits.
const FULL: u64 = u64::MAX;
/// A packet with all there is to count: scalar values, and an ill-formed piece of each kind.
const PACKET: [u8; 11] = [
    0xC3, 0xA9, 0x80, 0xFF, 0xC0, 0xED, 0xA0, 0xF5, 0xC3, 0x41, 0xE2,
];
/// Registers' addresses.
const CONTROL: u32 = 0x10;
const COMMAND: u32 = 0x14;
const COUNTERS: std::ops::Range<u32> = 0x20..0x78;
/// Bits of the command.
const SNAPSHOT: u32 = 1;
const CLEAR: u32 = 2;
const SOFT_RESET: u32 = 4;
/// Clocks until everything is in the counters, whatever the core.
const SETTLES: usize = 100;
/// Clocks from the first command that is tried to the last one.
const WINDOW: usize = 28;

/// The file that chooses a planted bug.
const CHOICE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/carries.hex");

/// The Verilog, with some bugs that can be chosen and with power-up values that are [`FULL`].
fn about_to_carry(config: &Config, plants: &[&Plant]) -> String {
    let emitted = hdl::emit::emit(config).expect("it can be emitted").verilog;
    let text = Text::new(&planted(&Text::new(&emitted), plants, CHOICE));
    let shape = [
        "$total <= $ended;",
        "if ($ends) $ended <= $sum[16:1]; else $ended <= 16'h0;",
        "if ($snapshot) $copy <= $total;",
        "$total = «0»",
    ];
    // Of a counter the lowest segment, the highest and those between. With flows every beat restarts the first counter, whose lowest
    // segment then is a module of its own.
    let modules = 3 + usize::from(config.core.flows().is_some());
    let presets = edits(
        &text,
        &shape.map(String::from),
        &["16'hffff".to_string()],
        modules,
    );
    let presets = presets.unwrap_or_else(|why| {
        panic!("{why}; look for the power-up value of a counter's segment of 16 bits: the register that a snapshot copies")
    });
    text.edited(presets)
}

/// The design and the model, in lockstep.
struct Pair {
    engine: Box<dyn Engine>,
    meaning: Meaning,
    model: Model,
    inputs: Frame,
    outputs: Frame,
    pins: Vec<u32>,
    shown: Vec<u32>,
    expected: Vec<u32>,
    /// The clock, and the first in which they differed.
    clocks: usize,
    differs: Option<usize>,
}

impl Pair {
    fn new(config: &Config, verilog: &str) -> Self {
        let dut = Dut {
            config,
            verilog,
            trace: None,
            coverage: false,
            bytes: Some(1),
        };
        let (inputs, outputs) = (Frame::inputs(config), Frame::outputs(config));
        let mut pair = Self {
            meaning: Meaning::of(config, false),
            engine: engine::start(EngineKind::Verilator, &dut)
                .unwrap_or_else(|error| panic!("{error}")),
            model: Model::with_counters(&setup(config), FULL),
            pins: vec![0; inputs.words],
            shown: vec![0; outputs.words],
            expected: vec![0; outputs.words],
            inputs,
            outputs,
            clocks: 0,
            differs: None,
        };
        let readies = pair
            .inputs
            .pins
            .iter()
            .filter(|pin| pin.name.ends_with("tready"));
        let readies: Vec<usize> = readies.map(|pin| pair.inputs.at(pin.name)).collect();
        readies.into_iter().for_each(|at| pair.pins[at] = 1);
        // rst would clear the counters; a soft reset gives all else its state. The two are compared from then on.
        pair.write(CONTROL, 1);
        pair.write(COMMAND, SOFT_RESET);
        (0..SETTLES).for_each(|_| pair.clock());
        pair.differs = None;
        pair
    }

    fn set(&mut self, pin: &str, value: u32) {
        self.pins[self.inputs.at(pin)] = value;
    }

    /// What the design shows.
    fn get(&self, pin: &str) -> u32 {
        self.shown[self.outputs.at(pin)]
    }

    fn clock(&mut self) {
        self.model.step(&self.pins, &mut self.expected);
        let undefined = self.engine.run(1, &self.pins, &mut self.shown);
        let mut undefined = undefined.expect("it runs");
        (self.meaning).forgive(&self.expected, &mut self.shown, &mut undefined);
        assert_eq!(undefined, []);
        if self.shown != self.expected {
            self.differs.get_or_insert(self.clocks);
        }
        self.clocks += 1;
    }

    /// Sends the packet's beats, one in each clock.
    fn packet(&mut self, lanes: usize) {
        let beats = PACKET.chunks(lanes);
        let last = beats.len() - 1;
        for (index, bytes) in beats.enumerate() {
            let at = self.inputs.at("s_axis_tdata");
            for (lane, byte) in bytes.iter().enumerate() {
                let (word, shift) = (&mut self.pins[at + lane / 4], 8 * (lane % 4));
                *word = *word & !(0xFF << shift) | u32::from(*byte) << shift;
            }
            self.set("s_axis_tkeep", (1 << bytes.len()) - 1);
            self.set("s_axis_tlast", u32::from(index == last));
            self.set("s_axis_tvalid", 1);
            self.clock();
        }
        self.set("s_axis_tvalid", 0);
    }

    /// An access: offered until it is taken, and then answered.
    fn access(&mut self, channels: &[&str], answer: &str) {
        let mut left = channels.to_vec();
        for channel in channels {
            self.set(&format!("s_axil_{channel}valid"), 1);
        }
        self.set(&format!("s_axil_{answer}ready"), 1);
        for _ in 0..60 {
            self.clock();
            left.retain(|channel| {
                let taken = self.shown[self.outputs.at(&format!("s_axil_{channel}ready"))] != 0;
                if taken {
                    self.pins[self.inputs.at(&format!("s_axil_{channel}valid"))] = 0;
                }
                !taken
            });
            if self.get(&format!("s_axil_{answer}valid")) != 0 {
                self.set(&format!("s_axil_{answer}ready"), 0);
                return;
            }
        }
        panic!("no answer");
    }

    fn write(&mut self, address: u32, data: u32) {
        self.set("s_axil_awaddr", address);
        self.set("s_axil_wdata", data);
        self.set("s_axil_wstrb", 0xF);
        self.access(&["aw", "w"], "b");
    }

    fn counters(&mut self) -> Vec<u64> {
        let words: Vec<u64> = COUNTERS
            .step_by(4)
            .map(|address| {
                self.set("s_axil_araddr", address);
                self.access(&["ar"], "r");
                self.get("s_axil_rdata").into()
            })
            .collect();
        words
            .chunks(2)
            .map(|words| words[1] << 32 | words[0])
            .collect()
    }
}

/// A command `clocks` clocks after the packet. Returns the first clock in which the two differ, and the counters as they were copied
/// first, and in the end.
fn run(
    config: &Config,
    verilog: &str,
    command: u32,
    clocks: usize,
) -> (Option<usize>, [Vec<u64>; 2]) {
    let mut pair = Pair::new(config, verilog);
    pair.packet(config.lanes);
    (0..clocks).for_each(|_| pair.clock());
    pair.write(COMMAND, command);
    (0..SETTLES).for_each(|_| pair.clock());
    let first = pair.counters();
    pair.write(COMMAND, SNAPSHOT);
    let second = pair.counters();
    (pair.differs, [first, second])
}

/// Every command in every clock of the window; returns the first in which the two differ.
fn sweep(config: &Config, verilog: &str) -> Option<String> {
    // From well before the lowest segment of the first counter adds, to after the highest of the last one has.
    let until = hdl::emit::counted(config);
    for command in [SNAPSHOT, CLEAR, SNAPSHOT | CLEAR] {
        for clocks in until - WINDOW..=until {
            if let (Some(clock), _) = run(config, verilog, command, clocks) {
                return Some(format!(
                    "command {command}, {clocks} clocks after the packet: clock {clock}"
                ));
            }
        }
    }
    None
}

fn config(lanes: usize, mode: Mode, form: Form, flows: Option<usize>, depth: Depth) -> Config {
    built(Request {
        depth: Some(depth),
        core: Some(CoreName::Validate),
        lanes: Some(lanes),
        mode: Some(mode),
        form: Some(form),
        flows,
        id_width: flows.map(|_| 3),
        csr: Some(true),
        ..Default::default()
    })
}

fn choose(number: usize) {
    std::fs::write(CHOICE, format!("{number:x}\n")).expect("a file");
}

/// One lane first, and then what the two bugs do to it: they share a file that chooses the bug.
#[test]
fn carries_are_neither_lost_nor_missed_by_a_snapshot() {
    if !have(&VERILATOR) {
        return;
    }
    let all = Plants::read();
    let plants: Vec<&Plant> = all.plant.iter().filter(|plant| plant.carries).collect();
    let one_lane = config(1, Mode::Snoop, Form::Axis, None, Depth::Max);
    let verilog = about_to_carry(&one_lane, &plants);
    choose(0);
    assert_eq!(sweep(&one_lane, &verilog), None);
    for (plant, number) in plants.iter().zip(1..) {
        choose(number);
        let found = sweep(&one_lane, &verilog);
        println!("{}: {found:?}", plant.bug);
        assert!(found.is_some(), "not found: {}", plant.bug);
    }
    choose(0);
    for other in [
        config(8, Mode::Pass, Form::Axis, None, Depth::Max),
        config(4, Mode::Snoop, Form::Free, Some(8), Depth::Max),
        config(8, Mode::Snoop, Form::Free, None, Depth::Min),
    ] {
        let verilog = about_to_carry(&other, &[]);
        assert_eq!(sweep(&other, &verilog), None, "{}", other.describe());
        // The window has the carries in it: at its begin a snapshot is of before them, and at its end of after.
        let until = hdl::emit::counted(&other);
        let copied = |clocks| run(&other, &verilog, SNAPSHOT, clocks).1;
        let [[before, after], [late, _]] = [copied(until - WINDOW), copied(until)];
        assert_eq!(before, [FULL; 11]);
        assert!(after.iter().all(|&count| count < 100), "{after:x?}");
        assert_eq!(after, late);
    }
}
