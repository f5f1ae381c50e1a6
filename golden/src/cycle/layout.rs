//! Frames: which words hold which pin.

use super::Form;

/// A pin and its width in bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub name: &'static str,
    pub width: usize,
}

/// Bits of a lane's part of `m_axis_tuser`: a kind below a length.
pub const USER_BITS: usize = 5;
/// Where in it the length begins.
pub const LENGTH_SHIFT: usize = 3;

/// The sizes of a core's frames.
pub struct Layout {
    lanes: usize,
    form: Form,
    data_words: usize,
    keep_words: usize,
    pub input_words: usize,
    /// `tdata`, `tkeep`, `tlast` and `tuser` of the output.
    pub payload_words: usize,
}

/// A beat of bytes as it is accepted.
pub struct Beat<'a> {
    pub data: &'a [u32],
    pub keep: u64,
    pub last: bool,
}

impl Beat<'_> {
    /// The bytes of the beat.
    #[inline]
    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        (0..self.keep.trailing_ones() as usize)
            .map(|lane| (self.data[lane / 4] >> (8 * (lane % 4))) as u8)
    }
}

/// Words of the output payload: 32 bits of data and 4 of `tkeep` a lane, `tlast`, and `tuser`.
pub struct PayloadWords {
    pub keep: usize,
    pub last: usize,
    pub user: usize,
    /// The signature flag's bit of `tuser`.
    pub flag_bit: usize,
    pub total: usize,
}

impl PayloadWords {
    pub const fn of(lanes: usize) -> Self {
        let keep = lanes;
        let last = keep + (4 * lanes).div_ceil(32);
        let user = last + 1;
        Self {
            keep,
            last,
            user,
            flag_bit: USER_BITS * lanes,
            total: user + (USER_BITS * lanes + 1).div_ceil(32),
        }
    }
}

impl Layout {
    pub fn new(lanes: usize, form: Form) -> Self {
        assert!((1..=64).contains(&lanes), "{lanes} lanes");
        let data_words = (8 * lanes).div_ceil(32);
        let keep_words = lanes.div_ceil(32);
        let sink_words = if form == Form::Axis { 1 } else { 0 };
        Self {
            lanes,
            form,
            data_words,
            keep_words,
            input_words: 2 + data_words + keep_words + 1 + sink_words,
            payload_words: PayloadWords::of(lanes).total,
        }
    }

    pub fn input_pins(&self) -> Vec<Pin> {
        let mut pins = vec![
            pin("rst", 1),
            pin("s_axis_tvalid", 1),
            pin("s_axis_tdata", 8 * self.lanes),
            pin("s_axis_tkeep", self.lanes),
            pin("s_axis_tlast", 1),
        ];
        if self.form == Form::Axis {
            pins.push(pin("m_axis_tready", 1));
        }
        pins
    }

    pub fn output_pins(&self) -> Vec<Pin> {
        let mut pins = vec![
            pin("m_axis_tvalid", 1),
            pin("m_axis_tdata", 32 * self.lanes),
            pin("m_axis_tkeep", 4 * self.lanes),
            pin("m_axis_tlast", 1),
            pin("m_axis_tuser", USER_BITS * self.lanes + 1),
        ];
        if self.form == Form::Axis {
            pins.insert(0, pin("s_axis_tready", 1));
        }
        pins
    }

    /// The beat in an input frame.
    #[inline]
    pub fn beat<'a>(&self, inputs: &'a [u32]) -> Beat<'a> {
        let keep_at = 2 + self.data_words;
        let mut keep = u64::from(inputs[keep_at]);
        if self.keep_words == 2 {
            keep |= u64::from(inputs[keep_at + 1]) << 32;
        }
        Beat {
            data: &inputs[2..keep_at],
            keep,
            last: inputs[keep_at + self.keep_words] != 0,
        }
    }

    /// Whether what is offered is a beat: without a byte and without `tlast` it is none.
    #[inline]
    pub fn is_beat(&self, inputs: &[u32]) -> bool {
        let beat = self.beat(inputs);
        beat.keep != 0 || beat.last
    }
}

fn pin(name: &'static str, width: usize) -> Pin {
    Pin { name, width }
}

/// Copies a payload. That of one lane has four words, which a call of `memcpy` would take longer for than all the rest of
/// a clock.
#[inline]
pub fn copy_words(to: &mut [u32], from: &[u32]) {
    match (
        <&mut [u32; 4]>::try_from(&mut *to),
        <&[u32; 4]>::try_from(from),
    ) {
        (Ok(to), Ok(from)) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}

/// Clears a payload, with the same care.
#[inline]
pub fn clear_words(words: &mut [u32]) {
    match <&mut [u32; 4]>::try_from(&mut *words) {
        Ok(words) => *words = [0; 4],
        Err(_) => words.fill(0),
    }
}
