//! The end of a stream whose bytes are packed into *quarters*, the beats of the output: the encoder's, and the sanitiser's if it puts out
//! U+FFFD. A beat of words completes up to five: the bytes of four, after those that were left from the beats before. Under RFC 2279 it
//! completes up to seven, the bytes of six and one. A beat of bytes completes up to four, for each of its bytes can become three.
//!
//! Each accepted beat takes room for four quarters, six, or three. Some clocks later it gives back what it did not need, or takes one more;
//! and each quarter gives its room back when it moves on to the FIFO at the stream's end. `tready` is a register that shows whether
//! there was room a clock ago.

use super::exit::Exit;
use super::latencies::{ENCODE_UNITS, QUARTER_LATENCY, SANITISE_MORE, SPARSE_BUFFER};
use super::layout::copy_words;
use super::line::Line;
use super::payload::ByteWords;
use super::setup::Setup;

/// Quarters in the ring.
const QUARTERS: usize = 128;
/// Clocks until the count shows what a beat takes, and more if it takes UTF-16 units: then it is known later whether it is a beat; until
/// it shows what a load gives back.
const TAKEN_SEEN: usize = 3;
const UNITS_KNOWN: usize = 3;
const LOAD_SEEN: usize = 3;
/// Clocks until the count shows what a beat gives back, and one more for each doubling of the lanes.
const RETURN_SEEN: usize = 12;
/// There is room for a beat only with this number of free quarters: those of the beats that can be accepted while the count does not
/// show them, and one more for bytes that are left from the beats before.
const fn margin(taken: usize, taken_seen: usize) -> isize {
    (taken * (taken_seen + 1) + 1) as isize
}
/// Places in the ring of future clocks: a power of two, more than any delay.
const CLOCKS: usize = 64;

/// What happens at the beginning of a clock.
#[derive(Clone, Copy, Default)]
struct Change {
    /// Quarters that become free, or are taken.
    free: i8,
    /// Quarters that can be loaded from this clock on.
    waiting: u8,
}

/// The ring of quarters and the output register.
pub struct Quarters {
    lanes: usize,
    /// Clocks from a beat until its quarters can be loaded; until the count shows what it gives back.
    latency: usize,
    return_seen: usize,
    taken_seen: usize,
    /// Quarters that an accepted beat takes at first.
    taken: usize,
    /// Words of a payload.
    words: usize,
    /// Quarters that have left, and where they go.
    line: Line,
    exit: Exit,
    /// What `s_axis_tready` shows, as far as this stream goes.
    room: bool,
    /// Free quarters as the count shows them.
    free: isize,
    /// Quarters that can be loaded.
    waiting: usize,
    /// The clocks to come, and the place of this one.
    changes: [Change; CLOCKS],
    clock: usize,
    /// The payloads of the quarters, one after another, and where the parts of each are.
    ring: Vec<u32>,
    places: ByteWords,
    /// The oldest quarter in it, and the number of complete ones. The open one follows.
    first: usize,
    complete: usize,
    /// Bytes in the open quarter.
    within: usize,
}

impl Quarters {
    pub fn new(setup: &Setup) -> Self {
        let places = ByteWords::of(setup);
        let words = places.total;
        let latency = setup.quarters_latency();
        assert!(latency < CLOCKS);
        Self {
            lanes: setup.lanes,
            latency,
            return_seen: RETURN_SEEN
                + setup.levels()
                + setup.of_units(ENCODE_UNITS)
                + setup.of_bytes(SANITISE_MORE),
            taken_seen: TAKEN_SEEN + setup.of_units(UNITS_KNOWN),
            taken: setup.most_growth(),
            words,
            line: Line::new(QUARTER_LATENCY, words),
            exit: Exit::buffered(SPARSE_BUFFER, words),
            room: false,
            free: 0,
            waiting: 0,
            changes: [Change::default(); CLOCKS],
            clock: 0,
            ring: vec![0; QUARTERS * words],
            places,
            first: 0,
            complete: 0,
            within: 0,
        }
    }

    #[inline]
    pub fn has_room(&self) -> bool {
        self.room
    }

    /// Nothing will come out by itself. An open quarter waits for the packet's next beat.
    pub fn is_idle(&self) -> bool {
        self.complete == 0 && self.line.is_idle() && self.exit.is_idle()
    }

    /// Shows `tvalid` and the payload on `pins`, and lets the next quarter leave.
    ///
    /// One clock is this, [`Self::take`], [`Self::put`] and [`Self::end_beat`] if a beat is accepted, and [`Self::step`].
    #[inline]
    pub fn show(&mut self, reset: bool, sink_ready: bool, pins: &mut [u32]) {
        let leaves = self.waiting > 0 && self.exit.has_room();
        self.exit.step(reset, leaves, &self.line, sink_ready, pins);
        self.line.step(reset);
        if leaves && !reset {
            let words = self.words;
            copy_words(self.line.send(), &self.ring[self.first * words..][..words]);
            self.first = (self.first + 1) % QUARTERS;
            self.complete -= 1;
            self.waiting -= 1;
            self.in_clocks(LOAD_SEEN).free += 1;
        }
    }

    /// Puts the next bytes of a beat into the open quarter. Returns the number of quarters that they complete.
    #[inline]
    pub fn put(&mut self, bytes: &[u8], side: &[u32]) -> usize {
        let mut completed = 0;
        for &byte in bytes {
            if self.within == 0 {
                self.open();
            }
            let within = self.within;
            self.quarter(self.complete)[within / 4] |= u32::from(byte) << (8 * (within % 4));
            self.within += 1;
            if self.within == self.lanes {
                self.close(side);
                completed += 1;
            }
        }
        completed
    }

    /// A beat is accepted: it takes room.
    #[inline]
    pub fn take(&mut self) {
        self.in_clocks(self.taken_seen).free -= self.taken as i8;
    }

    /// Ends a beat whose bytes have completed this number of quarters. It takes as many clocks as if it had been accepted `ago` clocks ago.
    #[inline]
    pub fn end_beat(&mut self, mut completed: usize, last: bool, ago: usize, side: &[u32]) {
        if last {
            // A packet's last beat has at least an empty quarter.
            if self.within > 0 || completed == 0 {
                if self.within == 0 {
                    self.open();
                }
                self.close(side);
                completed += 1;
            }
            let last_at = self.places.last;
            self.quarter(self.complete - 1)[last_at] = 1;
        }
        self.in_clocks(self.return_seen - ago).free += self.taken as i8 - completed as i8;
        self.in_clocks(self.latency - ago).waiting += completed as u8;
    }

    /// The clock's edge.
    #[inline]
    pub fn step(&mut self, reset: bool) {
        self.room = self.free >= margin(self.taken, self.taken_seen);
        self.clock = (self.clock + 1) % CLOCKS;
        let Change { free, waiting } = std::mem::take(&mut self.changes[self.clock]);
        self.free += isize::from(free);
        self.waiting += usize::from(waiting);
        if reset {
            self.room = false;
            self.free = QUARTERS as isize;
            self.waiting = 0;
            self.changes = [Change::default(); CLOCKS];
            self.complete = 0;
            self.within = 0;
        }
    }

    /// What changes this number of clocks from now.
    fn in_clocks(&mut self, clocks: usize) -> &mut Change {
        &mut self.changes[(self.clock + clocks) % CLOCKS]
    }

    /// The payload of a quarter, counted from the oldest.
    fn quarter(&mut self, index: usize) -> &mut [u32] {
        let words = self.words;
        let place = (self.first + index) % QUARTERS;
        &mut self.ring[place * words..][..words]
    }

    /// The next quarter is open, and empty.
    fn open(&mut self) {
        assert!(self.complete < QUARTERS, "the ring of quarters overflows");
        self.quarter(self.complete).fill(0);
    }

    /// The open quarter is complete.
    fn close(&mut self, side: &[u32]) {
        let (places, keep) = (self.places, (1 << self.within) - 1);
        let payload = self.quarter(self.complete);
        payload[places.keep] = keep;
        payload[places.side..].copy_from_slice(side);
        self.complete += 1;
        self.within = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::setup::{Core, Form, Side};
    use super::*;
    use crate::{Encoding, Grammar, Replace};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const CORES: [Core; 2] = [
        Core::Encode {
            from: Encoding::Utf32,
            omits: false,
            verdict_width: 160,
            counter_width: 32,
        },
        Core::Sanitise {
            replace: Replace::Fffd,
            strips: false,
            verdict_width: 160,
            counter_width: 32,
        },
    ];

    fn quarters(grammar: Grammar, lanes: usize, core: Core) -> Quarters {
        let mut quarters = Quarters::new(&Setup {
            policy: Default::default(),
            lanes,
            grammar,
            form: Form::Axis,
            side: Side::default(),
            core,
            depth: None,
            beat_error: false,
        });
        quarters.step(true);
        quarters
    }

    /// A beat of this number of bytes.
    fn accept(quarters: &mut Quarters, bytes: usize, last: bool) {
        let completed = quarters.put(&vec![0x41; bytes], &[]);
        quarters.take();
        quarters.end_beat(completed, last, 0, &[]);
    }

    /// While the sink is not ready, the ring fills up to its last quarter, and no further. So the margin cannot be smaller.
    #[test]
    fn a_stalled_ring_fills_up() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let [encode, sanitise] = CORES;
        let cases = [
            (Grammar::Rfc3629, encode),
            (Grammar::Rfc2279, encode),
            (Grammar::Rfc3629, sanitise),
        ];
        let cases = cases
            .into_iter()
            .flat_map(|case| [2, 4, 8, 16].map(|lanes| (case, lanes)));
        for ((grammar, core), lanes) in cases {
            let mut most = 0;
            for _ in 0..2000 {
                let mut quarters = quarters(grammar, lanes, core);
                let longest = quarters.taken * lanes;
                let mut pins = vec![0; 1 + quarters.words];
                // After some beats of any sort, all are as long as can be.
                let (mixed, ends) = (random.random_range(0..60), random.random());
                for clock in 0..200 {
                    quarters.show(false, false, &mut pins);
                    if quarters.has_room() && clock < mixed {
                        let bytes = random.random_range(0..=longest);
                        accept(&mut quarters, bytes, random.random_bool(0.2));
                    } else if quarters.has_room() {
                        accept(&mut quarters, longest, ends);
                    }
                    most = most.max(quarters.complete + quarters.within.min(1));
                    quarters.step(false);
                }
            }
            assert_eq!(most, QUARTERS, "{lanes} lanes of {core:?}, {grammar:?}");
        }
    }
}
