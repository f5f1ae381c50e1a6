//! Campaigns: inputs that are made rather than read, so that every case there is occurs in them, or that they are random.
//!
//! A campaign is a stream of windows, each of which begins a byte after the one before. A [`Shard`] is an equal part of them,
//! and brings the bytes with it that its last window needs beyond the first byte of the next shard's: so every window is
//! whole in one shard.

pub mod census;
pub mod classes;
pub mod framed;
pub mod random;
pub mod windows;
pub mod words;

use crate::packets::{Packets, Reader, Split};
use golden::Grammar;
use hdl::config::{Encoding, PortTable};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::ops::Range;

/// The campaigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Campaign {
    /// Every window of four bytes.
    Windows,
    /// Every window of as many byte classes as decide a piece.
    Classes,
    /// Random packets; its windows have one byte. Each shard has packets of its own.
    Random,
}

/// Windows of a random campaign, if nobody says how many.
const RANDOM_DEFAULT: u64 = 1 << 20;

impl Campaign {
    pub const ALL: [Self; 3] = [Self::Windows, Self::Classes, Self::Random];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Windows => "windows",
            Self::Classes => "classes",
            Self::Random => "random",
        }
    }

    /// Bytes of a window.
    pub const fn window(self, grammar: Grammar) -> u64 {
        match self {
            Self::Windows => 4,
            Self::Classes => classes::order(grammar) as u64,
            Self::Random => 1,
        }
    }

    /// How many windows there are; `None` if there are as many as one likes.
    pub fn all(self, grammar: Grammar) -> Option<u64> {
        match self {
            Self::Windows => Some(windows::WINDOWS),
            Self::Classes => Some(classes::windows(grammar)),
            Self::Random => None,
        }
    }

    /// How many there are if nobody says how many.
    pub fn default_count(self, grammar: Grammar) -> u64 {
        self.all(grammar).unwrap_or(RANDOM_DEFAULT)
    }
}

/// One of `of` equal parts, from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    pub number: u64,
    pub of: u64,
}

impl Shard {
    /// The windows of this shard, of `count`.
    pub fn windows(self, count: u64) -> Range<u64> {
        let end =
            |number: u64| (u128::from(count) * u128::from(number) / u128::from(self.of)) as u64;
        end(self.number - 1)..end(self.number)
    }
}

/// A campaign's shard.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub campaign: Campaign,
    /// What the bytes are to the core.
    pub grammar: Grammar,
    /// Forbidden classes, a bit for each: random packets have many values at the ends of their ranges.
    pub forbid: u8,
    /// Windows of all shards: the campaign's first.
    pub count: u64,
    pub shard: Shard,
    pub seed: u64,
    /// How the shard's bytes become packets; random ones are packets already.
    pub split: Split,
    /// What the core takes, if it takes words. Only random packets are of these.
    pub words: Option<Encoding>,
    /// The core takes Ethernet frames. Only random packets are put into these.
    pub frames: bool,
    /// Ports of these that it judges.
    pub ports: Option<PortTable>,
}

impl Plan {
    pub fn windows(&self) -> Range<u64> {
        self.shard.windows(self.count)
    }

    /// Bytes of the shard.
    pub fn bytes(&self) -> u64 {
        let Range { start, end } = self.windows();
        end - start + self.campaign.window(self.grammar) - 1
    }

    pub fn packets(&self) -> Box<dyn Packets> {
        let first = self.windows().start;
        let stream: Box<dyn Read> = match self.campaign {
            Campaign::Windows => Box::new(windows::Windows::from(first)),
            Campaign::Classes => Box::new(classes::Classes::from(self.grammar, first, self.seed)),
            Campaign::Random => {
                let (seed, stream, left) = (self.seed, self.shard.number - 1, self.bytes());
                return match self.words {
                    None if self.frames => Box::new(random::Limited {
                        packets: framed::Framed::new(
                            self.grammar,
                            seed,
                            stream,
                            self.forbid,
                            self.ports,
                        ),
                        left,
                    }),
                    None => Box::new(random::Limited {
                        packets: random::Random::new(self.grammar, seed, stream)
                            .with_classes(self.forbid),
                        left,
                    }),
                    Some(encoding) => Box::new(random::Limited {
                        packets: words::Words::new(encoding, self.grammar, seed, stream),
                        left,
                    }),
                };
            }
        };
        Box::new(Reader::new(stream.take(self.bytes()), self.split))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::packets::tests::all;

    /// A number that stands for bytes (FNV-1a): the same in every build.
    pub fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
        bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
        })
    }

    fn packets(plan: &Plan) -> Vec<Vec<u8>> {
        all(plan.packets().as_mut())
    }

    fn plan(campaign: Campaign, grammar: Grammar, count: u64, shard: Shard) -> Plan {
        Plan {
            campaign,
            grammar,
            forbid: 0,
            count,
            shard,
            seed: 3,
            split: Split::Whole,
            words: None,
            frames: false,
            ports: None,
        }
    }

    #[test]
    fn shards_have_each_window_once_and_are_equal() {
        for (count, of) in [
            (1, 1),
            (10, 3),
            (7, 7),
            (windows::WINDOWS, 1000),
            (u64::MAX, 65_536),
        ] {
            let mut next = 0;
            for number in 1..=of {
                let windows = Shard { number, of }.windows(count);
                assert_eq!(windows.start, next);
                let size = windows.end - windows.start;
                assert!((count / of..=count.div_ceil(of)).contains(&size));
                next = windows.end;
            }
            assert_eq!(next, count);
        }
    }

    #[test]
    fn the_windows_of_the_shards_are_those_of_the_stream() {
        for (campaign, grammar, window) in [
            (Campaign::Windows, Grammar::Rfc3629, 4),
            (Campaign::Classes, Grammar::Rfc3629, 6),
            (Campaign::Classes, Grammar::Rfc2279, 7),
        ] {
            assert_eq!(campaign.window(grammar), window);
            let windows = |shard| {
                let plan = plan(campaign, grammar, 10_000, shard);
                let packets = packets(&plan);
                assert_eq!(packets.len(), 1);
                assert_eq!(packets[0].len() as u64, plan.bytes());
                let windows = packets[0].windows(campaign.window(grammar) as usize);
                windows.map(<[u8]>::to_vec).collect::<Vec<_>>()
            };
            let whole = windows(Shard { number: 1, of: 1 });
            assert_eq!(whole.len(), 10_000);
            let shards = (1..=7).flat_map(|number| windows(Shard { number, of: 7 }));
            assert!(shards.eq(whole), "{}", campaign.name());
        }
    }

    #[test]
    fn each_random_shard_has_packets_of_its_own() {
        let shard = |number| {
            packets(&plan(
                Campaign::Random,
                Grammar::Rfc3629,
                10_001,
                Shard { number, of: 2 },
            ))
        };
        let (first, second) = (shard(1), shard(2));
        assert_ne!(first[..10], second[..10]);
        assert_eq!((first.concat().len(), second.concat().len()), (5000, 5001));
    }
}
