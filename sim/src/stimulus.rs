//! What drives the pins: packets cut into beats, with idles before beats and stalls of the sink, all from one seed.

use crate::beats::{self, Beats, FlowBeat};
use crate::fragments::Fragments;
use crate::frame::Frame;
use crate::interleave::Interleave;
use crate::line::{Pacer, Strain};
use crate::master::Master;
use crate::packets::{Packets, Piece};
use crate::resets::Resets;
use crate::texts::{self, Texts};
use hdl::config::{Config, Grammar};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io;

/// When a side pauses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pauses {
    /// The share of clocks that are paused, in the long run: 0 or more, below 1.
    pub share: f64,
    /// Mean length of a pause in clocks, at least 1; `None` lets each clock decide for itself.
    pub burst: Option<f64>,
}

/// Everything random or configurable about a run, but the packets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pattern {
    pub seed: u64,
    /// The source offers no beat.
    pub idle: Pauses,
    /// The sink is not ready.
    pub stall: Pauses,
    /// The share of packets whose `tlast` comes in a last beat without any byte.
    pub late_last: f64,
    /// The share of beats that are null: without any byte and without `tlast`.
    pub null_beats: f64,
    /// Of a core that takes words: the share of beats whose words are in random lanes.
    pub sparse: f64,
    /// The share of clocks in which a reset begins: it lasts one clock or several, and now and then another one follows soon.
    pub reset: f64,
    /// The share of clocks in which the registers' bus, if there is one, begins a random access as soon as it can.
    pub accesses: f64,
    /// Of a core with windows: where the text of each packet is.
    pub texts: Texts,
}

/// The state of one side's pauses.
struct Pauser {
    pauses: Pauses,
    paused: bool,
    enter: f64,
    leave: f64,
}

impl Pauser {
    fn new(pauses: Pauses) -> Self {
        let share = pauses.share;
        // A two-state chain: the mean pause is 1 / leave, and the share of paused clocks enter / (enter + leave).
        let (enter, leave) = match pauses.burst {
            None => (share, 1.0 - share),
            Some(burst) => ((share / (burst * (1.0 - share))).min(1.0), 1.0 / burst),
        };
        Self {
            pauses,
            paused: false,
            enter,
            leave,
        }
    }

    fn next(&mut self, random: &mut Xoshiro256PlusPlus) -> bool {
        if self.pauses.share > 0.0 {
            self.paused = if self.paused {
                !random.random_bool(self.leave)
            } else {
                random.random_bool(self.enter)
            };
        }
        self.paused
    }
}

/// How far the core has come: the next byte that it will accept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Bytes accepted before it, over all packets.
    pub bytes: u64,
    /// Its packet, and its offset there.
    pub packet: u64,
    pub offset: u64,
}

impl Position {
    /// A beat of so many bytes is accepted.
    #[inline]
    pub fn accept(&mut self, bytes: u64, last: bool) {
        self.bytes += bytes;
        self.offset += bytes;
        if last {
            self.packet += 1;
            self.offset = 0;
        }
    }
}

/// What lanes without a byte carry: what would matter if the core looked there, as the end of a sequence, a lead, or a piece.
const fn mattering(grammar: Grammar) -> [u8; 8] {
    match grammar {
        Grammar::Rfc3629 => [0x80, 0x9F, 0xBF, 0xBB, 0xC3, 0xE1, 0xF1, b'a'],
        Grammar::Rfc2279 => [0x80, 0xBF, 0xC3, 0xE1, 0xF1, 0xF9, 0xFD, b'a'],
    }
}

/// Where the input pins are, in words of a frame.
struct Places {
    /// `s_axis_tready`, if it is an input: the core only watches, and another sink takes the beat.
    taken: Option<usize>,
    data: usize,
    keep: usize,
    last: usize,
    /// `tid`, `tdest` and `tuser`, up to `end`.
    side: usize,
    /// `tuser`, if there is one.
    user: usize,
    end: usize,
    /// The bits that there are in each word from `data` to `end`.
    masks: Vec<u32>,
}

impl Places {
    fn of(frame: &Frame) -> Self {
        let payload = ["data", "keep", "last", "id", "dest", "user"];
        let payload = payload.map(|part| format!("s_axis_t{part}"));
        let pins = frame.pins.iter();
        let masks: Vec<u32> = pins
            .filter(|pin| payload.iter().any(|name| name == pin.name))
            .flat_map(|pin| masks(pin.width))
            .collect();
        let data = frame.at("s_axis_tdata");
        let last = frame.at("s_axis_tlast");
        Self {
            taken: frame.find("s_axis_tready"),
            data,
            keep: frame.at("s_axis_tkeep"),
            last,
            side: last + 1,
            user: frame.find("s_axis_tuser").unwrap_or_default(),
            end: data + masks.len(),
            masks,
        }
    }
}

/// Drives a core.
pub struct Stimulus<'a> {
    packets: Box<dyn Packets + 'a>,
    /// Bytes of a beat, and of a lane.
    width: usize,
    of_lane: usize,
    mattering: [u8; 8],
    places: Places,
    random: Xoshiro256PlusPlus,
    idle: Pauser,
    /// Every `tready` that is an input, and its pauses.
    sinks: Vec<(usize, Pauser)>,
    late_last: f64,
    null_beats: f64,
    sparse: f64,
    texts: Option<Texts>,
    resets: Resets,
    pacer: Option<Pacer>,
    clock: u64,
    bytes: Vec<u8>,
    at: usize,
    piece: Piece,
    /// The buffered bytes are the packet's last.
    ends: bool,
    /// Its `tlast` comes in a beat of its own.
    late: bool,
    /// A beat is on the pins and has not been accepted.
    offered: bool,
    /// The bytes of the newest beat, and whether it is its packet's last.
    beat: (u64, bool),
    position: Position,
    exhausted: bool,
    /// The packets are messages of flows.
    flows: Option<Box<dyn Beats>>,
    /// The next beat of a flow, which has not come yet.
    coming: Option<FlowBeat>,
    master: Option<Master>,
}

impl<'a> Stimulus<'a> {
    pub fn new(packets: Box<dyn Packets + 'a>, config: &Config, pattern: Pattern) -> Self {
        let frame = Frame::inputs(config);
        let readies = frame.pins.iter().filter(|pin| pin.name.ends_with("tready"));
        let sinks = readies.map(|pin| (frame.at(pin.name), Pauser::new(pattern.stall)));
        Self {
            pacer: packets.line().map(Pacer::new),
            flows: beats_of(config, packets.as_ref(), pattern.late_last),
            coming: None,
            packets,
            width: config.core.input_bits() / 8 * config.lanes,
            of_lane: config.core.input_bits() / 8,
            mattering: mattering(config.core.grammar()),
            places: Places::of(&frame),
            random: Xoshiro256PlusPlus::seed_from_u64(pattern.seed),
            idle: Pauser::new(pattern.idle),
            sinks: sinks.collect(),
            late_last: pattern.late_last,
            null_beats: pattern.null_beats,
            sparse: pattern.sparse,
            texts: (config.core.policy().takes_windows()).then_some(pattern.texts),
            resets: Resets::new(pattern.reset),
            clock: 0,
            bytes: Vec::new(),
            at: 0,
            piece: Piece::default(),
            ends: false,
            late: false,
            offered: false,
            beat: (0, false),
            position: Position::default(),
            exhausted: false,
            master: Master::of(config, pattern.accesses),
        }
    }

    /// Whether every beat has been accepted.
    pub fn is_done(&self) -> bool {
        self.exhausted && !self.offered
    }

    /// Whether the registers, if there are any, have been read as well.
    pub fn has_read(&self) -> bool {
        self.master.as_ref().is_none_or(Master::is_done)
    }

    /// The outputs of the newest clock, and whether everything has come out.
    #[inline]
    pub fn saw(&mut self, outputs: &[u32], is_idle: bool) {
        let rests = is_idle && self.is_done();
        if let Some(master) = &mut self.master {
            master.saw(outputs, rests);
        }
    }

    /// How far the core has come with the inputs so far.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Resets in mid-run, so far.
    pub fn resets(&self) -> u64 {
        self.resets.count()
    }

    /// Random accesses to the registers, so far.
    pub fn accesses(&self) -> u64 {
        self.master.as_ref().map_or(0, Master::accesses)
    }

    /// How the core has stood the line.
    pub fn strain(&self) -> Option<Strain> {
        self.pacer.as_ref().map(Pacer::strain)
    }

    /// The inputs of the next clock, in which `s_axis_tready` or `flows_ready` is `ready` if there is such an output. `previous` holds those of the
    /// clock before: a beat that was not accepted stays as it is.
    #[inline]
    pub fn next(&mut self, ready: bool, previous: &[u32], inputs: &mut [u32]) -> io::Result<()> {
        let reset = self.resets.next(self.is_done(), &mut self.random);
        if let (Some(pacer), true) = (&mut self.pacer, ready && !reset) {
            pacer.begin(self.clock);
        }
        self.clock += 1;
        if self.offered {
            inputs.copy_from_slice(previous);
        } else {
            let idle = self.idle.next(&mut self.random);
            if idle || !self.offer(inputs)? {
                self.offer_nothing(inputs);
            }
        }
        inputs[0] = u32::from(reset);
        for (at, stall) in &mut self.sinks {
            inputs[*at] = u32::from(!stall.next(&mut self.random));
        }
        if let Some(master) = &mut self.master {
            master.drive(reset, inputs, &mut self.random);
        }
        let taken = ready && self.places.taken.is_none_or(|at| inputs[at] != 0);
        self.offered = inputs[1] != 0 && (reset || !taken);
        if let Some(pacer) = &mut self.pacer
            && inputs[1] != 0
        {
            pacer.clock(self.clock, !self.offered);
        }
        if inputs[1] != 0 && !self.offered {
            self.position.accept(self.beat.0, self.beat.1);
        }
        Ok(())
    }

    /// Without `tvalid` the other pins mean nothing, and the core must not look at them.
    fn offer_nothing(&mut self, inputs: &mut [u32]) {
        inputs[1] = 0;
        let Places { data, masks, .. } = &self.places;
        for (word, mask) in inputs[*data..].iter_mut().zip(masks) {
            *word = self.random.random::<u32>() & mask;
        }
    }

    /// Puts the next beat on the pins; false if there is none.
    #[inline]
    fn offer(&mut self, inputs: &mut [u32]) -> io::Result<bool> {
        if self.flows.is_some() {
            return self.offer_of_flow(inputs);
        }
        while !self.ends && self.bytes.len() - self.at <= self.width && !self.exhausted {
            self.refill()?;
        }
        if self.exhausted && !self.ends {
            return Ok(false);
        }
        let left = self.bytes.len() - self.at;
        let is_null = self.null_beats > 0.0 && self.random.random_bool(self.null_beats);
        let keep = self.lanes_of_beat(if is_null { 0 } else { left.min(self.width) });
        let count = keep.count_ones() as usize;
        // Only a full beat can be followed by a last one without any byte.
        let last = !is_null && self.ends && count == left && !(self.late && count == self.width);
        if let Some(pacer) = &mut self.pacer
            && !pacer.offer(count, self.clock)
        {
            return Ok(false);
        }
        inputs[1] = 1;
        let Places {
            data,
            keep: keep_at,
            last: last_at,
            side,
            end,
            ref masks,
            ..
        } = self.places;
        let null = if count < self.width {
            self.random.random::<u32>()
        } else {
            0
        };
        let mattering = self.mattering;
        let byte_of_null = |lane: usize| mattering[(null >> (3 * (lane % 10))) as usize % 8];
        if self.width == 1 {
            let byte = self.bytes.get(self.at).filter(|_| count == 1);
            inputs[data] = u32::from(byte.copied().unwrap_or_else(|| byte_of_null(0)));
            inputs[keep_at] = count as u32;
        } else {
            inputs[data..keep_at].fill(0);
            let mut bytes = self.bytes[self.at..].iter();
            for lane in 0..self.width {
                let byte = match keep >> lane & 1 {
                    1 => bytes.next().copied().expect("as many as lanes"),
                    _ => byte_of_null(lane),
                };
                inputs[data + lane / 4] |= u32::from(byte) << (8 * (lane % 4));
            }
            beats::put(keep, &mut inputs[keep_at..last_at]);
        }
        inputs[last_at] = u32::from(last);
        for at in side..end {
            inputs[at] = self.random.random::<u32>() & masks[at - data];
        }
        self.put_window(is_null, inputs);
        self.beat = (count as u64, last);
        self.at += count;
        if last {
            self.ends = false;
            self.bytes.clear();
            self.at = 0;
        }
        Ok(true)
    }

    /// Puts the packet's window beside its first beat, and one that means nothing beside the others.
    #[inline]
    fn put_window(&mut self, is_null: bool, inputs: &mut [u32]) {
        let Some(texts) = self.texts else { return };
        let window = match self.position.offset == 0 && !is_null {
            true => texts.of_packet(self.position.packet, self.piece.window),
            false => texts::random(self.random.random()),
        };
        let bits = texts::bits(window);
        let user = self.places.user;
        inputs[user] = bits as u32;
        inputs[user + 1] = inputs[user + 1] & !1 | (bits >> 32) as u32;
    }

    /// The bytes of a beat that have one of the next `count`: the lowest, or those of random lanes.
    #[inline]
    fn lanes_of_beat(&mut self, count: usize) -> u128 {
        let low = beats::low(count);
        let is_sparse = self.sparse > 0.0 && self.random.random_bool(self.sparse);
        if !is_sparse || !count.is_multiple_of(self.of_lane) {
            return low;
        }
        let of_lane = beats::low(self.of_lane);
        let lanes = self.random.random::<u128>() & beats::low(self.width / self.of_lane);
        let set = (0..self.width / self.of_lane).filter(|lane| lanes >> lane & 1 == 1);
        let set = set.take(count / self.of_lane);
        set.fold(0, |keep, lane| keep | of_lane << (self.of_lane * lane))
    }

    /// Puts the next beat of a flow on the pins; false if there is none, or none that has come.
    fn offer_of_flow(&mut self, inputs: &mut [u32]) -> io::Result<bool> {
        if self.coming.is_none()
            && let Some(flows) = &mut self.flows
            && !self.exhausted
        {
            self.coming = flows.next(self.packets.as_mut(), &mut self.random)?;
            self.exhausted = self.coming.is_none();
        }
        let Some(beat) = self.coming.take() else {
            return Ok(false);
        };
        if self.null_beats > 0.0 && self.random.random_bool(self.null_beats) {
            self.coming = Some(beat);
            self.offer_beat(&FlowBeat::default(), inputs);
            return Ok(true);
        }
        if let Some(pacer) = &mut self.pacer
            && !pacer.offer_at(beat.arrived, self.clock)
        {
            self.coming = Some(beat);
            return Ok(false);
        }
        self.offer_beat(&beat, inputs);
        Ok(true)
    }

    /// Puts a beat of a flow on the pins.
    fn offer_beat(&mut self, beat: &FlowBeat, inputs: &mut [u32]) {
        // What a lane without a byte has, and what is carried beside, is anything.
        self.offer_nothing(inputs);
        inputs[1] = 1;
        let places = &self.places;
        for (lane, &byte) in beat.bytes.iter().enumerate() {
            let (word, shift) = (&mut inputs[places.data + lane / 4], 8 * (lane % 4));
            *word = *word & !(0xFF << shift) | u32::from(byte) << shift;
        }
        beats::put(beat.keep, &mut inputs[places.keep..places.last]);
        inputs[places.last] = u32::from(beat.last);
        // A flow's number has at most one word; what a beat is told is below all else in tuser.
        inputs[places.side] = beat.flow as u32;
        let word = &mut inputs[places.user];
        *word = *word & !7 | u32::from(beat.command);
        let bytes = if beat.is_packets { beat.bytes.len() } else { 0 };
        self.beat = (bytes as u64, beat.ends);
    }

    fn refill(&mut self) -> io::Result<()> {
        self.bytes.drain(..self.at);
        self.at = 0;
        if !self.packets.next(&mut self.piece)? {
            self.exhausted = true;
            return Ok(());
        }
        self.bytes.extend_from_slice(&self.piece.bytes);
        if let Some(pacer) = &mut self.pacer {
            pacer.pull(self.piece.bytes.len(), self.piece.arrived);
        }
        if self.piece.ends {
            self.ends = true;
            self.late = self.late_last > 0.0
                && !self.bytes.is_empty()
                && self.random.random_bool(self.late_last);
        }
        Ok(())
    }
}

/// What cuts these packets for a core that has flows; `late_last` is the share of `tlast` that comes in a beat of its own.
fn beats_of(config: &Config, packets: &dyn Packets, late_last: f64) -> Option<Box<dyn Beats>> {
    let flows = config.core.flows()?;
    Some(if packets.are_fragments() {
        Box::new(Fragments::new(config.lanes, late_last))
    } else {
        Box::new(Interleave::new(
            config.lanes,
            flows,
            config.side.id,
            late_last,
        ))
    })
}

/// The words of a pin of this width, with all bits set.
fn masks(width: usize) -> impl Iterator<Item = u32> {
    (0..width.div_ceil(32)).map(move |word| u32::MAX >> (32 - (width - 32 * word).min(32)))
}
