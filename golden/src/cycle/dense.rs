//! How events are packed: the beats of the sparse decoder become beats that are full, or end their packet.
//!
//! Events are held until there is a beat of them. A packet's last arrival can leave two beats; the second one then waits a
//! clock, and what arrives in that clock is too late to leave by itself.

use super::layout::copy_words;
use super::line::{Line, Shown};
use super::payload::EventWords;
use super::setup::{Core, Setup, Signature};

/// Sparse beats in, dense beats out.
pub struct Packer {
    words: EventWords,
    /// The data and the mark of each event that has not been sent; fewer than a beat's between clocks.
    held: Vec<(u32, u32)>,
    /// They include the packet's first event that is sent, and its signature is to be flagged.
    flagged: bool,
    /// The flag is of the packet's last beat, not of its first.
    flags_end: bool,
    /// A beat is complete and goes next.
    waiting: bool,
    /// Its payload.
    beat: Vec<u32>,
    /// The words of its `tid`, `tdest` and user bits.
    side: Vec<u32>,
    /// An arrival of the packet in progress has sent nothing: its credit may be wanted for a second beat at the end.
    owed: bool,
    /// Where the beats leave.
    pub line: Line,
}

impl Packer {
    pub fn new(setup: &Setup) -> Self {
        let words = EventWords::of(setup);
        Self {
            held: Vec::with_capacity(2 * words.lanes),
            flagged: false,
            flags_end: matches!(
                setup.core,
                Core::Decode {
                    signature: Signature::Reject,
                    ..
                }
            ),
            waiting: false,
            beat: vec![0; words.total],
            side: Vec::new(),
            owed: false,
            line: Line::new(setup.packing_latency(), words.total),
            words,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.line.is_idle() && !self.waiting
    }

    /// One clock, with what arrives from the sparse decoder.
    #[inline]
    pub fn step(&mut self, reset: bool, arrival: Shown) {
        self.line.step(reset);
        if reset {
            self.held.clear();
            self.flagged = false;
            self.waiting = false;
            self.owed = false;
            return;
        }
        let late = std::mem::take(&mut self.waiting);
        if late {
            copy_words(self.line.send(), &self.beat);
        }
        if arrival.valid || arrival.retired {
            self.arrive(arrival.payload, late);
        }
    }

    /// A beat arrives. If it is `late`, another one leaves in this clock.
    fn arrive(&mut self, payload: &[u32], late: bool) {
        let words = self.words;
        let events = (0..words.lanes).filter_map(|lane| words.get(payload, lane));
        self.held.extend(events);
        self.flagged |= words.flag(payload);
        let last = words.last(payload);
        if self.held.len() < words.lanes && !last {
            // One credit is kept for the packet's end; it is enough, for only the end can leave two beats at once.
            if std::mem::replace(&mut self.owed, true) {
                self.line.retire();
            }
            return;
        }
        let two = self.held.len() > words.lanes && last;
        self.complete(payload, last && !two);
        if late {
            assert!(!two, "nothing was held while a beat was waiting");
            self.waiting = true;
        } else {
            copy_words(self.line.send(), &self.beat);
        }
        if two {
            assert!(self.owed, "a second beat has no credit");
            self.complete(payload, true);
            self.waiting = true;
        } else if last && self.owed {
            self.line.retire();
        }
        self.owed &= !last;
    }

    /// Packs a beat of the first events that are held. `newest` is the payload of the newest arrival.
    fn complete(&mut self, newest: &[u32], last: bool) {
        self.beat.fill(0);
        let count = self.held.len().min(self.words.lanes);
        for (lane, (data, mark)) in self.held.drain(..count).enumerate() {
            self.words.put(&mut self.beat, lane, data, mark);
        }
        self.words.set_last(&mut self.beat, last);
        if (last || !self.flags_end) && std::mem::take(&mut self.flagged) {
            self.words.set_flag(&mut self.beat);
        }
        self.side.clear();
        self.side.extend(self.words.side(newest));
        self.words.put_side(&mut self.beat, &self.side);
    }
}

#[cfg(test)]
mod tests {
    use super::super::setup::{Form, Side};
    use super::*;
    use crate::{Encoding, Grammar};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    type Events = Vec<(u32, u32)>;

    /// A beat, sparse or dense.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Beat {
        events: Events,
        flag: bool,
        last: bool,
        side: Vec<u32>,
    }

    /// What the packer must make of a packet: its events in order, `lanes` a beat. The tags of a beat are those of the newest
    /// arrival with an event in it; the last arrival has its `tlast` in the last beat.
    fn reference(lanes: usize, packet: &[Beat]) -> Vec<Beat> {
        let events: Vec<_> = (packet.iter().enumerate())
            .flat_map(|(from, beat)| beat.events.iter().map(move |&event| (event, from)))
            .collect();
        // A full beat does not wait for a `tlast` that may come without any event.
        let ends_alone = packet[packet.len() - 1].events.is_empty();
        let count = match events.len() % lanes {
            0 => events.len() / lanes + usize::from(ends_alone),
            _ => events.len() / lanes + 1,
        };
        let flag = packet.iter().any(|beat| beat.flag);
        let beat = |index: usize| {
            let events = events.iter().skip(index * lanes).take(lanes);
            let last = index + 1 == count;
            let newest = if last {
                packet.len() - 1
            } else {
                events.clone().next_back().expect("a full beat").1
            };
            Beat {
                events: events.map(|&(event, _)| event).collect(),
                flag: flag && index == 0,
                last,
                side: packet[newest].side.clone(),
            }
        };
        (0..count).map(beat).collect()
    }

    fn random_packet(random: &mut Xoshiro256PlusPlus, lanes: usize) -> Vec<Beat> {
        let count = random.random_range(1..20);
        let density = random.random();
        let mut packet = vec![Beat::default(); count];
        for beat in &mut packet {
            let has_event = |random: &mut Xoshiro256PlusPlus| random.random_bool(density);
            let count = (0..lanes).filter(|_| has_event(random)).count();
            beat.events = (0..count)
                .map(|_| (random.random(), random.random_range(0..32)))
                .collect();
            beat.side = [9, 5, 32, 8]
                .map(|bits| random.random::<u32>() >> (32 - bits))
                .into();
        }
        packet[count - 1].last = true;
        // The sparse decoder flags the first beat that it sends.
        let first = packet
            .iter()
            .position(|beat| beat.last || !beat.events.is_empty());
        packet[first.expect("the last")].flag = random.random();
        packet
    }

    /// A sparse payload: the events in random lanes.
    fn payload(random: &mut Xoshiro256PlusPlus, words: &EventWords, beat: &Beat) -> Vec<u32> {
        let mut payload = vec![0; words.total];
        let lanes = rand::seq::index::sample(random, words.lanes, beat.events.len());
        let mut lanes = lanes.into_vec();
        lanes.sort();
        for (lane, &(data, mark)) in lanes.into_iter().zip(&beat.events) {
            words.put(&mut payload, lane, data, mark);
        }
        words.set_last(&mut payload, beat.last);
        if beat.flag {
            words.set_flag(&mut payload);
        }
        words.put_side(&mut payload, &beat.side);
        payload
    }

    /// The beat in a dense payload: its events are contiguous from lane 0.
    fn beat(words: &EventWords, payload: &[u32]) -> Beat {
        let lanes: Vec<_> = (0..words.lanes)
            .map(|lane| words.get(payload, lane))
            .collect();
        let events: Events = lanes.iter().map_while(|&event| event).collect();
        assert_eq!(events.len(), lanes.iter().flatten().count(), "a gap");
        Beat {
            events,
            flag: words.flag(payload),
            last: words.last(payload),
            side: words.side(payload).collect(),
        }
    }

    #[test]
    fn events_are_packed_in_order_and_every_credit_returns() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for lanes in [1, 2, 4, 8, 64] {
            let setup = Setup {
                policy: Default::default(),
                depth: None,
                beat_error: false,
                grammar: Grammar::default(),
                lanes,
                form: Form::Axis,
                side: Side {
                    id: 9,
                    dest: 5,
                    user: 40,
                },
                core: Core::Decode {
                    signature: Signature::Flag,
                    dense: true,
                    to: Encoding::Utf32,
                },
            };
            let words = EventWords::of(&setup);
            let mut packer = Packer::new(&setup);
            let (mut arrived, mut expected) = (Vec::new(), Vec::new());
            for _ in 0..300 {
                let packet = random_packet(&mut random, lanes);
                let beats = reference(lanes, &packet);
                assert!(beats.len() <= packet.len());
                expected.extend(beats);
                arrived.extend(packet);
            }
            let (mut sent, mut retired) = (Vec::new(), 0);
            let mut beats = arrived.iter();
            let (silence, nothing) = (Beat::default(), vec![0; words.total]);
            loop {
                let idle = random.random_bool(0.3);
                let arrival = if idle { None } else { beats.next() };
                let payload = payload(&mut random, &words, arrival.unwrap_or(&silence));
                let valid = arrival.is_some_and(|beat| beat.last || !beat.events.is_empty());

                let left = Shown {
                    valid,
                    retired: arrival.is_some() && !valid,
                    payload: if valid { &payload } else { &nothing },
                };
                packer.step(false, left);
                let shown = packer.line.shown();
                if shown.valid {
                    sent.push(beat(&words, shown.payload));
                }
                retired += usize::from(shown.retired);
                if !idle && arrival.is_none() && packer.is_idle() {
                    break;
                }
            }
            assert!(sent == expected, "{lanes} lanes");
            assert_eq!(sent.len() + retired, arrived.len(), "{lanes} lanes");
        }
    }
}
