//! Packets as messages of flows: their beats interleave, and they are cut into fragments.
//!
//! The messages end in the order of the packets, so that the verdicts come in that order, too. Between them come beats that
//! give no verdict: such that have to be refused, and such that begin what is dropped.

use crate::beats::{Beats, FORGET, FlowBeat, MORE, OPEN, low};
use crate::packets::{Packets, Piece};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;
use std::io;

/// The share of beats that give no verdict and belong to no packet.
const STRAY: f64 = 1.0 / 16.0;
/// The share of a message's beats that end a fragment.
const CUT: f64 = 1.0 / 4.0;
/// Flows of late to which the next beat belongs as often as to all others, so that beats of one flow are close together.
const LATE: usize = 3;

/// A packet on its way.
struct Message {
    flow: usize,
    bytes: VecDeque<u8>,
    /// Its end has been read.
    whole: bool,
    begun: bool,
}

/// Cuts packets into beats of flows.
pub struct Interleave {
    lanes: usize,
    flows: usize,
    /// Bits of `s_axis_tid`.
    id: usize,
    late_last: f64,
    /// In the order of the packets.
    messages: VecDeque<Message>,
    most: usize,
    /// Flows without a message, and all that have something that has to be dropped.
    idle: Vec<usize>,
    dirty: Vec<bool>,
    late: [usize; LATE],
    piece: Piece,
    exhausted: bool,
}

impl Interleave {
    pub fn new(lanes: usize, flows: usize, id: usize, late_last: f64) -> Self {
        Self {
            lanes,
            flows,
            id,
            late_last,
            messages: VecDeque::new(),
            most: flows - flows / 4,
            idle: (0..flows).collect(),
            dirty: vec![false; flows],
            late: [0; LATE],
            piece: Piece::default(),
            exhausted: false,
        }
    }

    /// Begins as many messages as there can be, and reads on in the newest where that is at its end.
    fn read(
        &mut self,
        packets: &mut dyn Packets,
        random: &mut Xoshiro256PlusPlus,
    ) -> io::Result<()> {
        while !self.exhausted {
            let lanes = self.lanes;
            let reads_on = self.messages.back().filter(|newest| !newest.whole);
            match reads_on {
                Some(newest) if newest.bytes.len() > lanes => break,
                None if self.messages.len() == self.most => break,
                _ => {}
            }
            let begins = reads_on.is_none();
            if !packets.next(&mut self.piece)? {
                self.exhausted = true;
                break;
            }
            if begins {
                let flow = self
                    .idle
                    .swap_remove(random.random_range(0..self.idle.len()));
                self.messages.push_back(Message {
                    flow,
                    bytes: VecDeque::new(),
                    whole: false,
                    begun: false,
                });
            }
            if let Some(newest) = self.messages.back_mut() {
                newest.bytes.extend(&self.piece.bytes);
                newest.whole = self.piece.ends;
            }
        }
        Ok(())
    }

    /// The message whose turn it is: one that has a beat before its last, or else the oldest.
    fn choose(&mut self, random: &mut Xoshiro256PlusPlus) -> usize {
        let index = if random.random_bool(0.5) {
            self.late[random.random_range(0..LATE)]
        } else {
            random.random_range(0..self.messages.len())
        };
        let message = self.messages.get(index);
        let can = message.is_some_and(|message| message.bytes.len() > self.lanes);
        let index = if can { index } else { 0 };
        self.late.rotate_right(1);
        self.late[0] = index;
        index
    }

    fn beat(&mut self, index: usize, random: &mut Xoshiro256PlusPlus) -> FlowBeat {
        let lanes = self.lanes;
        let message = &mut self.messages[index];
        let left = message.bytes.len();
        let is_late = left == lanes && random.random_bool(self.late_last);
        let ends = index == 0 && message.whole && left <= lanes && !is_late;
        let cut = !ends && random.random_bool(CUT);
        let count = match (ends, cut) {
            (true, _) => left,
            (_, true) => random.random_range(0..=lanes.min(left)),
            _ => lanes,
        };
        let mut command = if cut { MORE } else { 0 };
        if !message.begun && (self.dirty[message.flow] || random.random_bool(0.5)) {
            command |= OPEN;
        }
        // Only a packet's last beat is asked whether there is more.
        if !cut && !ends && random.random_bool(0.5) {
            command |= MORE;
        }
        message.begun = true;
        let beat = FlowBeat {
            flow: message.flow as u64,
            bytes: message.bytes.drain(..count).collect(),
            keep: low(count),
            last: ends || cut,
            command,
            is_packets: true,
            ends,
            arrived: 0,
        };
        if ends {
            self.dirty[message.flow] = false;
            self.idle.push(message.flow);
            self.messages.pop_front();
            self.late = self.late.map(|index| index.saturating_sub(1));
        }
        beat
    }

    /// A beat that gives no verdict.
    fn stray(&mut self, random: &mut Xoshiro256PlusPlus) -> FlowBeat {
        let lanes = self.lanes;
        let mut beat = FlowBeat {
            flow: random.random_range(0..self.flows) as u64,
            bytes: (0..lanes).map(|_| random.random()).collect(),
            keep: low(lanes),
            last: random.random(),
            command: random.random_range(0..8),
            ..FlowBeat::default()
        };
        match random.random_range(0..4) {
            // Of no flow.
            0 if self.flows < 1 << self.id => {
                beat.flow = random.random_range(self.flows as u64..1 << self.id);
            }
            // With a hole.
            1 if lanes > 1 => {
                let hole = random.random_range(0..lanes - 1);
                let any = u128::from(random.random::<u64>());
                beat.keep = (low(lanes) ^ 1 << hole) & (any | 1 << (hole + 1));
            }
            // Partial, and not its packet's last.
            2 if lanes > 1 => {
                beat.keep = low(random.random_range(1..lanes));
                beat.last = false;
            }
            _ => match self.idle.get(random.random_range(0..self.flows)) {
                // The begin of what is dropped.
                Some(&flow) => {
                    beat.flow = flow as u64;
                    beat.keep = low(if beat.last {
                        random.random_range(0..=lanes)
                    } else {
                        lanes
                    });
                    if beat.command & FORGET == 0 {
                        beat.command |= MORE;
                        self.dirty[flow] = true;
                    } else {
                        self.dirty[flow] = false;
                    }
                }
                // Nothing: no byte, and not the packet's last.
                None => {
                    beat.keep = 0;
                    beat.last = false;
                }
            },
        }
        beat
    }
}

impl Beats for Interleave {
    fn next(
        &mut self,
        packets: &mut dyn Packets,
        random: &mut Xoshiro256PlusPlus,
    ) -> io::Result<Option<FlowBeat>> {
        self.read(packets, random)?;
        if self.messages.is_empty() {
            return Ok(None);
        }
        if random.random_bool(STRAY) {
            return Ok(Some(self.stray(random)));
        }
        let index = self.choose(random);
        Ok(Some(self.beat(index, random)))
    }
}
