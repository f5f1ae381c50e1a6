//! The words of a beat of the output: `tdata`, `tkeep`, `tlast`, `tid`, `tdest` and `tuser`, as on the pins.

use super::setup::Setup;

/// Where each part of a beat of bytes begins, after `tdata`.
#[derive(Clone, Copy)]
pub struct ByteWords {
    pub keep: usize,
    pub last: usize,
    pub side: usize,
    pub total: usize,
}

impl ByteWords {
    pub fn of(setup: &Setup) -> Self {
        let keep = (8 * setup.lanes).div_ceil(32);
        let last = keep + setup.lanes.div_ceil(32);
        Self {
            keep,
            last,
            side: last + 1,
            total: last + 1 + setup.side.words(),
        }
    }
}

/// Where each part of a beat of events begins. An event is 32 or 16 bits of data, four or two bits of `tkeep`, and a mark of
/// five or six bits in `tuser`.
#[derive(Clone, Copy)]
pub struct EventWords {
    pub lanes: usize,
    /// Bits of an event's data, and of its `tkeep`.
    data_bits: usize,
    keep_bits: usize,
    /// Bits of its mark.
    mark_bits: usize,
    keep: usize,
    last: usize,
    user: usize,
    /// Words of the user bits that come with the bytes.
    user_words: usize,
    /// The signature flag's bit of `tuser`; the user bits are above.
    flag_bit: usize,
    pub total: usize,
}

impl EventWords {
    pub fn of(setup: &Setup) -> Self {
        let (lanes, side) = (setup.lanes, setup.side);
        let data_bits = setup.word_bits();
        let keep_bits = data_bits / 8;
        let keep = (data_bits * lanes).div_ceil(32);
        let last = keep + (keep_bits * lanes).div_ceil(32);
        let user = last + 1 + side.id.div_ceil(32) + side.dest.div_ceil(32);
        let mark_bits = setup.mark_bits();
        let flag_bit = mark_bits * lanes;
        Self {
            lanes,
            data_bits,
            keep_bits,
            mark_bits,
            keep,
            last,
            user,
            user_words: side.user.div_ceil(32),
            flag_bit,
            total: user + (flag_bit + 1 + side.user).div_ceil(32),
        }
    }

    /// Puts an event into a lane that is empty.
    #[inline]
    pub fn put(&self, payload: &mut [u32], lane: usize, data: u32, mark: u32) {
        let bit = self.data_bits * lane;
        payload[bit / 32] |= data << (bit % 32);
        let bit = self.keep_bits * lane;
        payload[self.keep + bit / 32] |= ((1 << self.keep_bits) - 1) << (bit % 32);
        if mark != 0 {
            or_bits(&mut payload[self.user..], self.mark_bits * lane, mark);
        }
    }

    /// The event of a lane, as it was put there.
    #[inline]
    pub fn get(&self, payload: &[u32], lane: usize) -> Option<(u32, u32)> {
        let bit = self.keep_bits * lane;
        let has_event = payload[self.keep + bit / 32] >> (bit % 32) & 1 == 1;
        let mark =
            || bits(&payload[self.user..], self.mark_bits * lane) & ((1 << self.mark_bits) - 1);
        let bit = self.data_bits * lane;
        let data = || payload[bit / 32] >> (bit % 32) & u32::MAX >> (32 - self.data_bits);
        has_event.then(|| (data(), mark()))
    }

    /// Clears all but the lanes' events.
    pub fn keep_events(&self, payload: &mut [u32]) {
        payload[self.last..self.user].fill(0);
        let marks = &mut payload[self.user..];
        marks[self.flag_bit / 32] &= (1 << (self.flag_bit % 32)) - 1;
        marks[self.flag_bit / 32 + 1..].fill(0);
    }

    #[inline]
    pub fn set_last(&self, payload: &mut [u32], last: bool) {
        payload[self.last] = u32::from(last);
    }

    #[inline]
    pub fn last(&self, payload: &[u32]) -> bool {
        payload[self.last] != 0
    }

    #[inline]
    pub fn set_flag(&self, payload: &mut [u32]) {
        payload[self.user + self.flag_bit / 32] |= 1 << (self.flag_bit % 32);
    }

    #[inline]
    pub fn flag(&self, payload: &[u32]) -> bool {
        payload[self.user + self.flag_bit / 32] >> (self.flag_bit % 32) & 1 == 1
    }

    /// Puts the words of `tid`, `tdest` and `tuser` of a beat of bytes, once.
    #[inline]
    pub fn put_side(&self, payload: &mut [u32], side: &[u32]) {
        if side.is_empty() {
            return;
        }
        let (tags, user) = side.split_at(self.user - self.last - 1);
        payload[self.last + 1..self.user].copy_from_slice(tags);
        for (word, &user) in user.iter().enumerate() {
            or_bits(
                &mut payload[self.user..],
                self.flag_bit + 1 + 32 * word,
                user,
            );
        }
    }

    /// What [`Self::put_side`] put.
    pub fn side<'a>(&self, payload: &'a [u32]) -> impl Iterator<Item = u32> + use<'a> {
        let (above_flag, user) = (self.flag_bit + 1, &payload[self.user..]);
        let tags = &payload[self.last + 1..self.user];
        let user = (0..self.user_words).map(move |word| bits(user, above_flag + 32 * word));
        tags.iter().copied().chain(user)
    }
}

/// The 32 bits that begin at `bit`; there are zeros behind the last word.
#[inline]
fn bits(words: &[u32], bit: usize) -> u32 {
    let next = words.get(bit / 32 + 1).copied().unwrap_or(0);
    let both = u64::from(words[bit / 32]) | u64::from(next) << 32;
    (both >> (bit % 32)) as u32
}

/// Sets the bits of `value` from `bit` on.
#[inline]
fn or_bits(words: &mut [u32], bit: usize, value: u32) {
    let both = u64::from(value) << (bit % 32);
    words[bit / 32] |= both as u32;
    if both >> 32 != 0 {
        words[bit / 32 + 1] |= (both >> 32) as u32;
    }
}
