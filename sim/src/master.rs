//! Who uses the bus of a core's registers: at random, if that is asked for, and when all else is done, to read all of them.

use crate::frame::Frame;
use crate::headers::PORTS;
use hdl::config::Config;
use hdl::csr::map::{Access, Register, every, find, registers};
use hdl::layout::ADDRESS_BITS;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;

/// Clocks from the last verdict until everything is in the counters, and some more.
const SETTLES: usize = 64;
/// The share of clocks in which an answer waits, and in which a part of an access does, if it is used at random.
const PAUSED: f64 = 0.3;
/// The share of accesses that need not be what anyone does on purpose, and of writes whose strobes are anything.
const ODD: f64 = 0.2;
/// The share of commands that may be a soft reset, of a core without flows.
const SOFT: f64 = 0.1;
/// When a core with flows drops what is in it, it forgets one flow in a clock. With this number of flows it does so half as often.
const HALF: f64 = 64.0;

/// A write.
#[derive(Clone, Copy)]
struct Write {
    address: u32,
    data: u32,
    strobes: u32,
}

/// One channel of the bus, with what is offered on it: that waits until it is taken.
struct Channel {
    /// Where `valid` is among the inputs, and `ready` among the outputs.
    valid: usize,
    ready: usize,
    /// The payload's pins, and what is on them.
    pins: Vec<(usize, u32)>,
    offered: Option<Vec<u32>>,
    shown: bool,
}

impl Channel {
    fn new(inputs: &Frame, outputs: &Frame, name: &str, payload: &[&str]) -> Self {
        let pin = |part: &&str| {
            let name = format!("s_axil_{part}");
            let width = inputs.pins.iter().find(|pin| pin.name == name);
            let width = width.expect("the bus has it").width;
            (inputs.at(&name), u32::MAX >> (32 - width))
        };
        Self {
            valid: inputs.at(&format!("s_axil_{name}valid")),
            ready: outputs.at(&format!("s_axil_{name}ready")),
            pins: payload.iter().map(pin).collect(),
            offered: None,
            shown: false,
        }
    }

    fn drive(&mut self, inputs: &mut [u32], waits: bool, random: &mut Xoshiro256PlusPlus) {
        self.shown |= self.offered.is_some() && !waits;
        inputs[self.valid] = u32::from(self.shown);
        for (index, &(at, mask)) in self.pins.iter().enumerate() {
            let offered = self.offered.as_ref().filter(|_| self.shown);
            // Protection bits come last, and are anything.
            let word = offered.and_then(|words| words.get(index)).copied();
            inputs[at] = word.unwrap_or_else(|| random.random()) & mask;
        }
    }

    fn saw(&mut self, outputs: &[u32]) {
        if self.shown && outputs[self.ready] != 0 {
            self.offered = None;
            self.shown = false;
        }
    }
}

/// Where an answer comes.
struct Answers {
    valid: usize,
    ready: usize,
    is_ready: bool,
    due: bool,
}

impl Answers {
    fn new(inputs: &Frame, outputs: &Frame, name: &str) -> Self {
        Self {
            valid: outputs.at(&format!("s_axil_{name}valid")),
            ready: inputs.at(&format!("s_axil_{name}ready")),
            is_ready: false,
            due: false,
        }
    }

    fn drive(&mut self, inputs: &mut [u32], waits: bool) {
        self.is_ready = !waits;
        inputs[self.ready] = u32::from(self.is_ready);
    }

    fn saw(&mut self, outputs: &[u32]) {
        self.due &= !(self.is_ready && outputs[self.valid] != 0);
    }
}

/// The master.
pub struct Master {
    /// The share of clocks in which it begins a random access, if it can.
    share: f64,
    /// The share of writes that make the core drop what is in it, of those that would.
    drops: f64,
    /// Random accesses so far.
    accesses: u64,
    write_address: Channel,
    write_data: Channel,
    written: Answers,
    read_address: Channel,
    read: Answers,
    rests: bool,
    /// Clocks to wait, and then what to read; none before all else is done.
    at_end: Option<(usize, VecDeque<u32>)>,
    snapshot: Option<Write>,
    /// All that there are.
    registers: Vec<&'static Register>,
}

impl Master {
    /// If the core has registers.
    pub fn of(config: &Config, share: f64) -> Option<Self> {
        if !config.has_registers() {
            return None;
        }
        let (inputs, outputs) = (Frame::inputs(config), Frame::outputs(config));
        let channel = |name: &str, payload: &[&str]| Channel::new(&inputs, &outputs, name, payload);
        let answers = |name: &str| Answers::new(&inputs, &outputs, name);
        Some(Self {
            share,
            drops: config
                .core
                .flows()
                .map_or(1.0, |flows| HALF / (HALF + flows as f64)),
            accesses: 0,
            write_address: channel("aw", &["awaddr", "awprot"]),
            write_data: channel("w", &["wdata", "wstrb"]),
            written: answers("b"),
            read_address: channel("ar", &["araddr", "arprot"]),
            read: answers("r"),
            rests: false,
            at_end: None,
            registers: registers(config),
            snapshot: Some(Write {
                address: register("command").offset as u32,
                data: 1 << find("command", "snapshot").low,
                strobes: 1,
            }),
        })
    }

    /// The inputs of the next clock.
    pub fn drive(&mut self, reset: bool, inputs: &mut [u32], random: &mut Xoshiro256PlusPlus) {
        if reset {
            self.drop_accesses();
        } else if self.rests {
            self.read_all();
        } else if self.share > 0.0 {
            if !self.written.due && random.random_bool(self.share) {
                self.accesses += 1;
                let write = self.random_write(random);
                self.write(write);
            }
            if !self.read.due && random.random_bool(self.share) {
                self.accesses += 1;
                let address = self.random_address(random);
                self.read(address);
            }
        }
        let is_random = self.share > 0.0;
        let mut waits = || is_random && random.random_bool(PAUSED);
        let [aw, w, b, ar, r] = std::array::from_fn(|_| waits());
        self.write_address.drive(inputs, aw, random);
        self.write_data.drive(inputs, w, random);
        self.written.drive(inputs, b);
        self.read_address.drive(inputs, ar, random);
        self.read.drive(inputs, r);
    }

    /// The core's outputs in that clock; `rests` tells that everything else is done.
    pub fn saw(&mut self, outputs: &[u32], rests: bool) {
        self.rests = rests;
        self.write_address.saw(outputs);
        self.write_data.saw(outputs);
        self.written.saw(outputs);
        self.read_address.saw(outputs);
        self.read.saw(outputs);
    }

    /// Random accesses so far.
    pub fn accesses(&self) -> u64 {
        self.accesses
    }

    /// Whether all registers have been read.
    pub fn is_done(&self) -> bool {
        let is_read = |(_, left): &(usize, VecDeque<u32>)| left.is_empty();
        self.at_end.as_ref().is_some_and(is_read) && !self.read.due
    }

    /// Takes a copy of the counters, and reads one register after the other.
    fn read_all(&mut self) {
        let (clocks, left) = self.at_end.get_or_insert_with(|| {
            let words = |it: &Register| {
                (0..it.words())
                    .map(|word| (it.offset + 4 * word) as u32)
                    .collect::<Vec<_>>()
            };
            let all = self.registers.iter().copied();
            (SETTLES, all.flat_map(words).collect())
        });
        if self.written.due || self.read.due {
            return;
        }
        if *clocks > 0 {
            *clocks -= 1;
        } else if let Some(snapshot) = self.snapshot.take() {
            self.write(snapshot);
        } else if let Some(address) = left.pop_front() {
            self.read(address);
        }
    }

    fn write(&mut self, write: Write) {
        self.write_address.offered = Some(vec![write.address]);
        self.write_data.offered = Some(vec![write.data, write.strobes]);
        self.written.due = true;
    }

    fn read(&mut self, address: u32) {
        self.read_address.offered = Some(vec![address]);
        self.read.due = true;
    }

    /// A reset drops what is under way, and it is never answered.
    fn drop_accesses(&mut self) {
        for channel in [
            &mut self.write_address,
            &mut self.write_data,
            &mut self.read_address,
        ] {
            channel.offered = None;
            channel.shown = false;
        }
        self.written.due = false;
        self.read.due = false;
    }

    fn random_address(&self, random: &mut Xoshiro256PlusPlus) -> u32 {
        if random.random_bool(ODD) {
            return random.random_range(0..1 << ADDRESS_BITS);
        }
        let register = self.registers[random.random_range(0..self.registers.len())];
        (register.offset + 4 * random.random_range(0..register.words())) as u32
    }

    /// Often one that does something. Those that make the core drop what is in it are made in the share `drops`.
    fn random_write(&self, random: &mut Xoshiro256PlusPlus) -> Write {
        let drops = self.drops;
        let [control, command] = ["control", "command"].map(register);
        debug_assert!(control.access == Access::ReadWrite && command.access == Access::Command);
        let enable = 1 << find("control", "enable").low;
        let soft_reset = 1 << find("command", "soft_reset").low;
        let noise: u32 = random.random();
        let mut chance = |share: f64| random.random_bool(share);
        let (odd, control_it, any_strobes) = (chance(ODD), chance(0.5), chance(ODD));
        let (disables, resets) = (chance(0.25 * drops), chance(SOFT * drops));
        // Only some cores have it.
        let forbids = self.registers.iter().any(|it| it.name == "forbid") && chance(0.25);
        let closes = self.registers.iter().any(|it| it.name == "drop_unjudged") && chance(0.25);
        let ports = self.registers.iter().any(|it| it.name == "ports") && chance(0.6);
        let (address, data) = match (odd, control_it) {
            _ if ports => random_port(random),
            _ if forbids => (register("forbid").offset as u32, noise),
            _ if closes => (register("drop_unjudged").offset as u32, noise),
            (true, _) => (self.random_address(random), noise),
            (false, true) if disables => (control.offset as u32, noise & !enable),
            (false, true) => (control.offset as u32, noise | enable),
            (false, false) if resets => (command.offset as u32, noise | soft_reset),
            (false, false) => (command.offset as u32, noise & !soft_reset),
        };
        Write {
            address,
            data,
            strobes: if any_strobes { random.random() } else { 0xF },
        }
    }
}

/// A write of the table of ports, with ports that random frames often have.
fn random_port(random: &mut Xoshiro256PlusPlus) -> (u32, u32) {
    let all = register("ports").offset as u32;
    let first = register("port_0_range").offset as u32;
    let mut port = || u32::from(PORTS[random.random_range(0..PORTS.len())]);
    let (low, high) = (port(), port());
    let noise: u32 = random.random();
    match random.random_range(0..8) {
        0 => (all, noise),
        1..4 => (first + 8 * random.random_range(0..16), high << 16 | low),
        _ => (first + 8 * random.random_range(0..16) + 4, noise),
    }
}

fn register(name: &str) -> &'static Register {
    let mut all = every();
    all.find(|it| it.name == name).expect("the map has it")
}
