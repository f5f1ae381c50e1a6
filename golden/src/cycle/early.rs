//! What each beat of a packet that passes tells of it so far: whether an ill-formed piece has ended in this beat or in an earlier one.

use super::setup::{Mode, Setup};
use crate::{Edges, Event, Oracle};

/// The ill-formed pieces of the packet under way.
pub struct Early {
    oracle: Oracle,
    /// With open edges: what they have cut, and the bytes of the pieces that have ended.
    edges: Option<Edges>,
    before: u64,
    is_bad: bool,
    /// Bits of `tuser` below the one that tells.
    bit: usize,
}

impl Early {
    /// None if no beat tells of it.
    pub fn of(setup: &Setup) -> Option<Self> {
        (setup.mode() == Some(Mode::Pass { is_early: true })).then(|| Self {
            oracle: Oracle::of(setup.grammar),
            edges: setup.policy.has_open_edges.then(Edges::default),
            before: 0,
            is_bad: false,
            bit: setup.user_bits(),
        })
    }

    /// A reset: the next byte is a packet's first.
    pub fn reset(&mut self) {
        self.oracle.reset();
        self.edges = self.edges.map(|_| Edges::default());
        (self.before, self.is_bad) = (0, false);
    }

    /// Takes a beat's bytes that are judged. `is_over` if no other one follows in the packet and that is known: its window ends within the
    /// beat, or it ends itself (`last`). Sets the bit of `tuser`, of which these are the words.
    pub fn step(
        &mut self,
        bytes: impl IntoIterator<Item = u8>,
        is_over: bool,
        last: bool,
        user: &mut [u32],
    ) {
        for byte in bytes {
            let pushed = self.oracle.push(byte);
            [pushed.before, pushed.here]
                .into_iter()
                .flatten()
                .for_each(|event| self.event(event));
        }
        if (is_over || last)
            && let Some(cut) = self.oracle.finish()
        {
            self.event(cut);
        }
        user[self.bit / 32] |= u32::from(self.is_bad) << (self.bit % 32);
        if last {
            self.reset();
        }
    }

    fn event(&mut self, event: Event) {
        let before = self.before;
        let is_cut = (self.edges.as_mut()).is_some_and(|edges| edges.cut(event, before));
        self.before += u64::from(event.length());
        self.is_bad |= matches!(event, Event::IllFormed { .. }) && !is_cut;
    }
}

#[cfg(test)]
mod tests {
    use super::super::setup::{Core, Form, Policy, Side};
    use super::*;
    use crate::Grammar;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn setup(has_open_edges: bool) -> Setup {
        Setup {
            lanes: 4,
            grammar: Grammar::Rfc3629,
            form: Form::Axis,
            side: Side::default(),
            core: Core::Validate {
                mode: Mode::Pass { is_early: true },
                verdict_width: 160,
                counter_width: 32,
                flows: None,
                csr: false,
            },
            policy: Policy {
                has_open_edges,
                ..Policy::default()
            },
            depth: None,
            beat_error: false,
        }
    }

    /// The bit of each beat of a packet.
    fn bits(has_open_edges: bool, beats: &[&[u8]]) -> Vec<u32> {
        let mut early = Early::of(&setup(has_open_edges)).expect("it tells");
        let bit = |(index, bytes): (usize, &&[u8])| {
            let mut user = [0];
            let last = index + 1 == beats.len();
            early.step(bytes.iter().copied(), last, last, &mut user);
            user[0] >> 1
        };
        beats.iter().enumerate().map(bit).collect()
    }

    #[test]
    fn what_is_unfinished_shows_with_the_next_beat() {
        assert_eq!(bits(false, &[b"ab\xFFd", b"efgh", b"i"]), [1, 1, 1]);
        assert_eq!(bits(false, &[b"abc\xE2", b"\x82\xACgh", b"i"]), [0, 0, 0]);
        assert_eq!(bits(false, &[b"abc\xE2", b"", b"efgh", b"i"]), [0, 0, 1, 1]);
        // An error below what is unfinished.
        assert_eq!(bits(false, &[b"\xFFbc\xE2", b"\x82\xACgh"]), [1, 1]);
        assert_eq!(bits(false, &[b"abc\xE2"]), [1]);
        assert_eq!(bits(false, &[b"abc\xE2", b""]), [0, 1]);
    }

    /// Random packets of beats of three bytes, of which Rust's own decoder says where the first error is, and whether more could mend it.
    #[test]
    fn each_beat_shows_what_from_utf8_says() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let alphabet = b"A\x80\xBF\x90\xA0\xC3\xE2\xE0\xED\xF0\xF4\xFF";
        let (mut bad, mut good) = (0, 0);
        for _ in 0..20_000 {
            let length = random.random_range(0..12);
            let byte = |_| alphabet[random.random_range(0..alphabet.len())];
            let packet: Vec<u8> = (0..length).map(byte).collect();
            let beats: Vec<&[u8]> = packet.chunks(3).chain([&[][..]]).collect();
            for (index, bit) in bits(false, &beats).into_iter().enumerate() {
                let read = std::str::from_utf8(&packet[..length.min(3 * index + 3)]);
                let last = index + 1 == beats.len();
                let is_bad = read.is_err_and(|error| last || error.error_len().is_some());
                assert_eq!(bit, u32::from(is_bad), "{packet:x?} {index}");
                *if is_bad { &mut bad } else { &mut good } += 1;
            }
        }
        assert!(bad > 1000 && good > 1000, "{bad} {good}");
    }

    #[test]
    fn what_the_edges_cut_does_not_show() {
        let packet: &[&[u8]] = &[b"\x82\xACcd", b"efg\xE2"];
        assert_eq!(bits(true, packet), [0, 0]);
        assert_eq!(bits(false, packet), [1, 1]);
        assert_eq!(bits(true, &[b"\x82\xAC\x80\x80", b"e"]), [1, 1]);
    }
}
