//! Beats of flows.

use crate::packets::Packets;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io;

/// The commands of a beat, in the lowest bits of `s_axis_tuser`.
pub const MORE: u8 = 1;
pub const OPEN: u8 = 2;
pub const FORGET: u8 = 4;

/// A beat of a flow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowBeat {
    pub flow: u64,
    pub bytes: Vec<u8>,
    pub keep: u128,
    pub last: bool,
    pub command: u8,
    /// Its bytes are a packet's, which ends with it.
    pub is_packets: bool,
    pub ends: bool,
    /// Of one that comes over a line: where on the wire its last byte ends.
    pub arrived: u64,
}

/// What cuts packets into beats of flows.
pub trait Beats {
    /// The next beat; none if every packet has been cut.
    fn next(
        &mut self,
        packets: &mut dyn Packets,
        random: &mut Xoshiro256PlusPlus,
    ) -> io::Result<Option<FlowBeat>>;
}

/// The lowest lanes.
pub fn low(count: usize) -> u128 {
    u128::MAX.checked_shr(128 - count as u32).unwrap_or(0)
}

/// Puts lanes into the words of `s_axis_tkeep`.
#[inline]
pub fn put(lanes: u128, words: &mut [u32]) {
    for (index, word) in words.iter_mut().enumerate() {
        *word = (lanes >> (32 * index)) as u32;
    }
}
