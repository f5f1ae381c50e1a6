//! The registers of a validator: what is at the addresses of their [`Bus`], and what counts.

use super::bus::{Bus, Place, Write};
use super::latencies::FLOW_LATENCY;
use super::setup::{Core, Form, Mode, Policy, Setup};
use crate::{Event, Kind, Ports, Unjudged, ports};
use std::collections::VecDeque;

/// Counters: packets, those of them that are bad, bytes, scalar values, and ill-formed pieces of each kind; with forbidden classes the
/// packets that have each; where packets can be unjudged those that are judged, and those of each reason by its code; and where packets
/// are dropped these, their bytes, and the packets that are too long for it.
const COUNTERS: usize = DROPPED + 3;
const DROPPED: usize = JUDGED + 9;
const OF_CLASSES: usize = 3 + Kind::ALL.len();
const JUDGED: usize = OF_CLASSES + 8;
/// The addresses of registers that do something, and of the first counter.
const CONTROL: u32 = 0x10;
const COMMAND: u32 = 0x14;
const STATUS: u32 = 0x18;
const FORBID: u32 = 0x1C;
const FIRST_COUNTER: u32 = 0x20;
/// The counters of dropped packets, and the register about the most words of the memory that were in use.
const FIRST_DROPPED: u32 = 0x108;
const MOST_WORDS: u32 = 0x120;
/// Beats of the longest packet that is dropped.
const DROP_BEATS: u32 = 0x124;
/// The reasons for which packets that are not judged are dropped.
const DROP_UNJUDGED: u32 = 0x128;
/// The register `ports`, and the first entry of the table, which has two words for each.
const PORTS: u32 = 0x100;
const FIRST_PORT: u32 = 0x180;
/// Bits of `command`.
const SNAPSHOT: u32 = 1;
const CLEAR: u32 = 2;
const SOFT_RESET: u32 = 4;

/// Clocks from a beat's acceptance until no soft reset drops what it brings; each doubling of the lanes adds one, and each clock that the core
/// takes less than it could takes one off.
const OF_PACKETS: usize = 19;
const OF_FLOWS: usize = FLOW_LATENCY;
/// And on, until a snapshot that is told of then has it.
const TO_TOTAL: usize = 2;
/// Clocks from what `status` is until that is read.
const TO_READ: usize = 5;

/// What a packet brings to the counters, or a beat of flows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub packets: u64,
    pub bad_packets: u64,
    pub bytes: u64,
    pub scalars: u64,
    /// By their codes.
    pub kinds: [u64; Kind::ALL.len()],
    /// Forbidden classes that the packet has, a bit for each.
    pub classes: u8,
    /// Why the packet is not judged.
    pub unjudged: Option<Unjudged>,
    /// It is dropped for that, if packets are.
    pub closed: bool,
    /// Packets that are dropped, and that are too long for it.
    pub dropped: u64,
    pub long: u64,
}

impl Counts {
    #[inline]
    pub fn observe(&mut self, event: Event) {
        match event {
            Event::Scalar(_) => self.scalars += 1,
            Event::IllFormed { kind, .. } => self.kinds[usize::from(kind.code())] += 1,
        }
    }

    /// In the order of the addresses.
    fn in_order(&self) -> [u64; COUNTERS] {
        let [_, kinds @ ..] = self.kinds;
        let mut all = [0; COUNTERS];
        all[..4].copy_from_slice(&[self.packets, self.bad_packets, self.bytes, self.scalars]);
        let (of_kinds, of_classes) = all[4..].split_at_mut(kinds.len());
        of_kinds.copy_from_slice(&kinds);
        let (of_classes, of_reasons) = of_classes.split_at_mut(JUDGED - OF_CLASSES);
        let (of_reasons, of_drops) = of_reasons.split_at_mut(DROPPED - JUDGED);
        of_drops.copy_from_slice(&[self.dropped, self.dropped * self.bytes, self.long]);
        for (class, count) in of_classes.iter_mut().enumerate() {
            *count = u64::from(self.classes >> class & 1);
        }
        let code = self.unjudged.map_or(0, |why| why.code());
        of_reasons[usize::from(code)] = self.packets;
        all
    }
}

/// What a packet is looked at for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looks {
    /// Forbidden classes, a bit for each.
    pub forbid: u8,
    /// Reasons for which it is dropped if it is not judged: bit `c - 1` is that of the code `c`.
    pub closes: u8,
}

/// What the core is told in a clock.
#[derive(Clone, Copy)]
pub struct Told {
    /// It drops what is in it, as at a reset.
    pub drops: bool,
    /// It looks at a beat that it accepts, and what for.
    pub looks: Option<Looks>,
    /// The table of ports, as it is in this clock.
    pub ports: Ports,
}

/// The registers.
pub struct Registers {
    bus: Bus,
    /// `id`, `version`, `config` and `widths`.
    fixed: [u32; 4],
    flows: bool,
    /// Clocks from a beat's acceptance until no soft reset drops what it brings.
    settles: u64,
    clock: u64,
    enable: bool,
    in_packet: bool,
    looking: bool,
    /// The forbidden classes that the core finds; those of the register; and those of the packet under way.
    forbid: u8,
    forbidden: u8,
    watched: u8,
    /// `drop_unjudged`, if there is such a register, and what it was when the packet under way began.
    closed: Option<u8>,
    closes: u8,
    /// The table of ports, if there is one, and what it is after a reset.
    ports: Option<Ports>,
    ports_at_reset: Option<Ports>,
    /// Commands that are carried out in this clock.
    commands: u32,
    /// The core is in reset; one with flows a clock later.
    drops: bool,
    drops_late: bool,
    /// What is on its way, each with the clock in which its beat was accepted.
    due: VecDeque<(u64, Counts)>,
    totals: [u64; COUNTERS],
    copies: [u64; COUNTERS],
    /// Which counters there are.
    has: [bool; COUNTERS],
    /// The most words of the memory in which packets wait, and that at the last snapshot; if packets are dropped.
    most_words: Option<[u32; 2]>,
    /// Beats of the longest packet that is dropped.
    longest: Option<u32>,
    /// Whether a beat broke the contract, as it is known in this clock, and as it was in those before.
    beat_error: [bool; TO_READ + 1],
}

impl Registers {
    /// If it has any.
    pub fn of(setup: &Setup) -> Option<Self> {
        let Core::Validate {
            mode,
            verdict_width,
            counter_width,
            flows,
            csr: true,
        } = setup.core
        else {
            return None;
        };
        let part = |text: &str| text.parse::<u32>().expect("a part of a version");
        let version = part(env!("CARGO_PKG_VERSION_MAJOR")) << 24
            | part(env!("CARGO_PKG_VERSION_MINOR")) << 16
            | part(env!("CARGO_PKG_VERSION_PATCH")) << 8
            | 1;
        let config = setup.lanes
            | counter_width << 8
            | usize::from(mode != Mode::Snoop) << 16
            | usize::from(setup.form == Form::Free) << 17
            | flows.unwrap_or_default() << 18;
        let widths = setup.side.id
            | setup.side.dest << 8
            | setup.side.user << 16
            | (verdict_width / 8) << 24;
        let settles = if flows.is_some() {
            OF_FLOWS
        } else {
            OF_PACKETS
        };
        Some(Self {
            bus: Bus::default(),
            fixed: [0x5255_4E45, version, config as u32, widths as u32],
            flows: flows.is_some(),
            settles: (settles + setup.window_clocks() + setup.levels()
                - setup.shortened()
                - setup.ports_clocks()) as u64,
            clock: 0,
            enable: true,
            in_packet: false,
            looking: true,
            forbid: setup.policy.forbid,
            forbidden: setup.policy.forbid,
            watched: setup.policy.forbid,
            closed: (setup.drops().is_some() && setup.policy.has_window).then_some(0),
            closes: 0,
            ports: setup.policy.ports,
            ports_at_reset: setup.policy.ports,
            commands: 0,
            drops: false,
            drops_late: false,
            due: VecDeque::new(),
            totals: [0; COUNTERS],
            copies: [0; COUNTERS],
            has: std::array::from_fn(|counter| match counter {
                DROPPED.. => setup.drops().is_some(),
                _ => has(setup.policy, counter),
            }),
            most_words: setup.drops().map(|_| [0; 2]),
            longest: setup.drops().map(|(_, longest)| longest as u32),
            beat_error: [false; TO_READ + 1],
        })
    }

    /// Gives all counters this number.
    pub fn preset(&mut self, value: u64) {
        self.totals = [value; COUNTERS];
    }

    /// What the core is told in this clock.
    #[inline]
    pub fn told(&self) -> Told {
        Told {
            drops: if self.flows {
                self.drops_late
            } else {
                self.drops
            },
            looks: (self.flows || self.looking).then_some(Looks {
                forbid: self.watched,
                closes: self.closes,
            }),
            ports: self.ports.unwrap_or_default(),
        }
    }

    /// The outputs of the bus in this clock.
    #[inline]
    pub fn show(&self, pins: &mut [u32]) {
        self.bus.show(pins);
    }

    /// The clock's edge. `taken` is whether a beat that was accepted is its packet's last; `counts` what the core counts with it.
    /// `beat_error` tells of a beat; `fill` is how many words of the memory in which packets wait are taken.
    pub fn step(
        &mut self,
        reset: bool,
        pins: &[u32],
        taken: Option<bool>,
        counts: Option<Counts>,
        beat_error: bool,
        fill: u32,
    ) {
        let commands = self.commands;
        let drops = self.told().drops;
        self.due.extend(counts.map(|counts| (self.clock, counts)));
        if drops {
            let (clock, settles) = (self.clock, self.settles);
            self.due.retain(|(accepted, _)| accepted + settles < clock);
        }
        let settled = self.settles + TO_TOTAL as u64;
        while let Some(&(accepted, counts)) = self.due.front()
            && accepted + settled <= self.clock
        {
            for (total, count) in self.totals.iter_mut().zip(counts.in_order()) {
                *total = total.wrapping_add(count);
            }
            self.due.pop_front();
        }
        if commands & SNAPSHOT != 0 {
            self.copies = self.totals;
        }
        if let Some([most, copy]) = &mut self.most_words {
            if commands & SNAPSHOT != 0 {
                *copy = *most;
            }
            // What was in use before a reset is not seen after it.
            *most = match commands & CLEAR {
                0 if drops => *most,
                0 => fill.max(*most),
                _ => fill,
            };
        }
        if commands & CLEAR != 0 {
            self.totals = [0; COUNTERS];
        }
        // Whether a packet is looked at is settled before its first beat.
        let stays = !drops && taken.map_or(self.in_packet, |last| !last);
        if !stays {
            self.looking = self.enable;
            self.watched = self.forbidden;
            self.closes = self.closed.unwrap_or_default();
        }
        self.in_packet = stays;
        // Of flows there is no packet's end to wait for.
        let is_off = self.flows && !self.enable;
        self.drops_late = self.drops || reset;
        self.drops = reset || commands & SOFT_RESET != 0 || is_off;

        let state = State {
            fixed: self.fixed,
            copies: self.copies,
            enable: self.enable,
            beat_error: self.beat_error[TO_READ],
            forbidden: (self.forbid != 0).then_some(self.forbidden),
            ports: self.ports,
            has: self.has,
            most_words: self.most_words.map(|[_, copy]| copy),
            longest: self.longest,
            closed: self.closed,
        };
        let write = self.bus.step(reset, pins, |address| place(address, &state));
        let stays = self.beat_error[0] && commands & CLEAR == 0;
        self.beat_error.rotate_right(1);
        self.beat_error[0] = stays || beat_error;
        self.commands = 0;
        match write {
            Some(Write {
                address: CONTROL,
                data,
                strobes,
            }) if strobes & 1 != 0 => self.enable = data & 1 != 0,
            Some(Write {
                address: COMMAND,
                data,
                strobes,
            }) if strobes & 1 != 0 => self.commands = data & (SNAPSHOT | CLEAR | SOFT_RESET),
            Some(Write {
                address: FORBID,
                data,
                strobes,
            }) if strobes & 1 != 0 => self.forbidden = data as u8 & self.forbid,
            Some(Write {
                address: DROP_UNJUDGED,
                data,
                strobes,
            }) if strobes & 1 != 0 => self.closed = self.closed.map(|_| data as u8),
            Some(write) => {
                if let Some(ports) = &mut self.ports {
                    write_ports(ports, write);
                }
            }
            None => {}
        }
        if reset {
            self.enable = true;
            self.looking = true;
            self.forbidden = self.forbid;
            self.watched = self.forbid;
            self.closed = self.closed.map(|_| 0);
            self.closes = 0;
            self.ports = self.ports_at_reset;
            self.due.clear();
            self.totals = [0; COUNTERS];
            self.copies = [0; COUNTERS];
            self.most_words = self.most_words.map(|_| [0; 2]);
            self.beat_error = [false; TO_READ + 1];
        }
        self.clock += 1;
    }
}

/// Whether a core has a counter.
fn has(policy: Policy, counter: usize) -> bool {
    match counter.checked_sub(JUDGED) {
        None => counter < OF_CLASSES || policy.forbid != 0,
        Some(0) => policy.has_window || policy.has_frames,
        Some(1) => policy.has_window && !policy.has_frames,
        Some(7) => policy.ports.is_some(),
        Some(_) => policy.has_frames,
    }
}

/// Writes a word of the table of ports, or the register about all of them.
fn write_ports(ports: &mut Ports, write: Write) {
    let Write {
        address,
        data,
        strobes,
    } = write;
    if address == PORTS && strobes & 1 != 0 {
        ports.all = data & 1 != 0;
    }
    // Within a word there is no register.
    let from = address.checked_sub(FIRST_PORT).filter(|from| from % 4 == 0);
    let Some(word) = from.map(|from| from as usize / 4) else {
        return;
    };
    let Some(entry) = ports.entries.get_mut(word / 2) else {
        return;
    };
    if word % 2 == 0 {
        let strobed = |byte: u32| (strobes >> byte & 1) * 0xFF;
        let mask = (0..4).fold(0, |mask, byte| mask | strobed(byte) << (8 * byte));
        let old = range_word(entry);
        let new = old & !mask | data & mask;
        (entry.low, entry.high) = (new as u16, (new >> 16) as u16);
    } else if strobes & 1 != 0 {
        let bit = |at: u32| data >> at & 1 != 0;
        (entry.udp, entry.tcp) = (bit(0), bit(1));
        (entry.source, entry.destination) = (bit(2), bit(3));
    }
}

/// The two words of an entry.
fn range_word(entry: &ports::Entry) -> u32 {
    u32::from(entry.high) << 16 | u32::from(entry.low)
}

fn match_word(entry: &ports::Entry) -> u32 {
    let bits = [entry.udp, entry.tcp, entry.source, entry.destination];
    (bits.iter().rev()).fold(0, |word, &bit| word << 1 | u32::from(bit))
}

/// What is read.
struct State {
    fixed: [u32; 4],
    copies: [u64; COUNTERS],
    enable: bool,
    beat_error: bool,
    /// None in a core without forbidden classes, which has no registers about them.
    forbidden: Option<u8>,
    /// None in a core without a table of ports.
    ports: Option<Ports>,
    /// Which counters there are.
    has: [bool; COUNTERS],
    /// None in a core that drops no packets.
    most_words: Option<u32>,
    longest: Option<u32>,
    /// None in a core without such a register.
    closed: Option<u8>,
}

/// What is at an address.
fn place(address: u32, state: &State) -> Option<Place> {
    if !address.is_multiple_of(4) {
        return None;
    }
    let (value, writable) = match address {
        CONTROL => (u32::from(state.enable), true),
        COMMAND => (0, true),
        STATUS => (u32::from(state.beat_error), false),
        FORBID => (u32::from(state.forbidden?), true),
        MOST_WORDS => (state.most_words?, false),
        DROP_BEATS => (state.longest?, false),
        DROP_UNJUDGED => (u32::from(state.closed?), true),
        PORTS => (u32::from(state.ports?.all), true),
        FIRST_PORT.. => {
            let ports = state.ports?;
            let word = (address - FIRST_PORT) as usize / 4;
            let entry = ports.entries.get(word / 2)?;
            let value = [range_word, match_word][word % 2](entry);
            (value, true)
        }
        _ => match state.fixed.get(address as usize / 4) {
            Some(&word) => (word, false),
            None => {
                let word = match address.checked_sub(FIRST_DROPPED) {
                    Some(from) => 2 * DROPPED + from as usize / 4,
                    None => {
                        let word = address.checked_sub(FIRST_COUNTER)? as usize / 4;
                        (word < 2 * DROPPED).then_some(word)?
                    }
                };
                let copy = state.copies.get(word / 2).filter(|_| state.has[word / 2])?;
                ((copy >> (32 * (word % 2))) as u32, false)
            }
        },
    };
    Some(Place { value, writable })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_at_their_addresses() {
        let copies: [u64; COUNTERS] = std::array::from_fn(|index| (index as u64) << 32 | 99);
        let state = |policy: Policy| State {
            fixed: [1, 2, 3, 4],
            copies,
            enable: true,
            beat_error: true,
            forbidden: (policy.forbid != 0).then_some(policy.forbid),
            ports: policy.ports,
            has: std::array::from_fn(|counter| counter < DROPPED && has(policy, counter)),
            most_words: None,
            longest: None,
            closed: None,
        };
        let none = Policy::default();
        let at = |address| place(address, &state(none));
        let read = |value| {
            Some(Place {
                value,
                writable: false,
            })
        };
        assert_eq!([at(0), at(12)], [read(1), read(4)]);
        assert!(at(CONTROL).is_some_and(|place| place.writable && place.value == 1));
        assert!(at(COMMAND).is_some_and(|place| place.writable && place.value == 0));
        let drops = State {
            has: [true; COUNTERS],
            most_words: Some(33),
            longest: Some(44),
            ..state(none)
        };
        assert_eq!(
            [0x104, 0x108, 0x10C, 0x118, 0x120, 0x124, 0x128].map(|it| place(it, &drops)),
            [None, read(99), read(28), read(99), read(33), read(44), None]
        );
        assert_eq!([at(0x108), at(0x120), at(0x124)], [None; 3]);
        // The last counter, `truncated_at_end`, is at 0x70.
        assert_eq!([at(0x70), at(0x74)], [read(99), read(10)]);
        assert_eq!(at(STATUS), read(1));
        assert_eq!([at(0x1C), at(0x78), at(0x21)], [None; 3]);
        let forbids = Policy { forbid: 5, ..none };
        let at = |address| place(address, &state(forbids));
        assert!(at(FORBID).is_some_and(|place| place.writable && place.value == 5));
        // The first and the last counter of classes.
        assert_eq!([at(0x7C), at(0xB4)], [read(11), read(18)]);
        assert_eq!(at(0xB8), None);
        let windows = Policy {
            has_window: true,
            ..none
        };
        let at = |address| place(address, &state(windows));
        assert_eq!([at(0x78), at(0xB4), at(0xC8)], [None; 3]);
        assert_eq!([at(0xBC), at(0xC4)], [read(19), read(20)]);
        let frames = Policy {
            has_frames: true,
            ..windows
        };
        let at = |address| place(address, &state(frames));
        assert_eq!([at(0xBC), at(0xCC), at(0xFC)], [19, 21, 27].map(read));
        // No window, no table of ports, and no more reasons.
        assert_eq!([at(0xC0), at(0xF0), at(0x100)], [None; 3]);
        let mut table = Ports {
            all: true,
            ..Ports::default()
        };
        for (address, data, strobes) in [
            (0x1F8, 0x0051_0050, 0b1111),
            (0x1F8, 0xAAAA_AA35, 0b0001),
            (0x1FC, 0b1101, 0b0001),
            (0x1FC, 0, 0b1110),
            (0x1F9, 0, 0b1111),
            (0x200, u32::MAX, 0b1111),
        ] {
            let write = Write {
                address,
                data,
                strobes,
            };
            write_ports(&mut table, write);
        }
        let last = ports::Entry {
            udp: true,
            tcp: false,
            source: true,
            destination: true,
            low: 0x35,
            high: 0x51,
        };
        assert_eq!(table.entries[15], last);
        let with_ports = Policy {
            ports: Some(table),
            ..frames
        };
        let at = |address| place(address, &state(with_ports));
        assert!(at(0x100).is_some_and(|place| place.writable && place.value == 1));
        assert!(at(0x1F8).is_some_and(|place| place.writable && place.value == 0x0051_0035));
        assert!(at(0x1FC).is_some_and(|place| place.writable && place.value == 0b1101));
        assert_eq!([at(0x104), at(0x17C), at(0x200)], [None; 3]);
        assert_eq!(at(0xF4), read(26));
    }
}
