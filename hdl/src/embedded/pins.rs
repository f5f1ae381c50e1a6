//! Pins as words of a frame.

use crate::config::bus;
use crate::config::ports::Direction;
use crate::config::{Config, Form};
use crate::layout::{COMMAND_BITS, FLOW_BITS, FURTHER_BITS};
use crate::sideband::fields;
use crate::vector::from_bits;
use crate::verilog::Sideband;
use rust_hdl::prelude::*;

/// Reads pins from an input frame, in order.
pub struct Inputs<'a> {
    pub words: std::slice::Iter<'a, u32>,
    pub config: &'a Config,
}

impl Inputs<'_> {
    /// The bits of a pin of this width.
    pub fn pin(&mut self, width: usize) -> impl Fn(usize) -> bool + use<> {
        let words: Vec<u32> = self
            .words
            .by_ref()
            .take(width.div_ceil(32))
            .copied()
            .collect();
        move |bit| {
            words
                .get(bit / 32)
                .is_some_and(|word| word >> (bit % 32) & 1 == 1)
        }
    }

    pub fn bits<const W: usize>(&mut self) -> Bits<W> {
        from_bits(self.pin(W))
    }

    pub fn bit(&mut self) -> bool {
        self.words.next().is_some_and(|word| word & 1 == 1)
    }

    /// The sideband of a core with flows: `tid` is the flow's number.
    pub fn flow(&mut self) -> (Bits<FLOW_BITS>, Bits<COMMAND_BITS>, Sideband) {
        let (command, side) = self.low_and_side();
        let (low, width) = fields(self.config).id;
        let flow = from_bits(|bit| bit < width && side.get_bit(low + bit));
        (flow, command, side)
    }

    /// `tid`, `tdest` and `tuser`, as far as there are such pins; and the bits of `tuser` below the user's own.
    pub fn low_and_side<const W: usize>(&mut self) -> (Bits<W>, Sideband) {
        let places = fields(self.config);
        let low = self.config.core.low_user_bits();
        let mut side = [false; Sideband::BITS];
        for (offset, width) in [places.id, places.dest] {
            let pin = self.pin(width);
            for bit in 0..width {
                side[offset + bit] = pin(bit);
            }
        }
        let user = self.pin(low + self.config.side.user);
        for bit in 0..self.config.side.user {
            side[places.user.0 + bit] = user(low + bit);
        }
        (
            from_bits(|bit| bit < low && user(bit)),
            Sideband::from_bits(|bit| side[bit]),
        )
    }

    /// The sideband of a core with nothing of its own in `tuser`.
    pub fn side(&mut self) -> Sideband {
        self.low_and_side::<1>().1
    }

    /// The registers' bus, if there is one.
    pub fn axil(&mut self) -> Bits<{ bus::IN_BITS }> {
        let mut pins = [false; bus::IN_BITS];
        if self.config.has_registers() {
            for (_, low, width) in bus::places(Direction::Input) {
                let pin = self.pin(width);
                for bit in 0..width {
                    pins[low + bit] = pin(bit);
                }
            }
        }
        from_bits(|bit| pins[bit])
    }

    /// A `tready` that there is only in the form with backpressure.
    pub fn ready(&mut self) -> bool {
        self.config.form == Form::Axis && self.bit()
    }
}

/// Writes pins to an output frame, in order.
pub struct Outputs<'a> {
    pub words: std::slice::IterMut<'a, u32>,
    pub config: &'a Config,
}

impl Outputs<'_> {
    /// Writes a pin of `width` bits: `bit` gives each bit.
    pub fn write(&mut self, width: usize, bit: impl Fn(usize) -> bool) {
        for start in (0..width).step_by(32) {
            let bits = start..width.min(start + 32);
            if let Some(word) = self.words.next() {
                *word = bits.fold(0, |word, index| {
                    word | u32::from(bit(index)) << (index - start)
                });
            }
        }
    }

    pub fn bits<const W: usize>(&mut self, value: Bits<W>) {
        self.write(W, |bit| value.get_bit(bit));
    }

    pub fn bit(&mut self, value: bool) {
        self.write(1, |_| value);
    }

    pub fn field(&mut self, side: &Sideband, (offset, width): (usize, usize)) {
        self.write(width, |bit| side.get_bit(offset + bit));
    }

    /// `beat_error`, if the configuration has that pin.
    pub fn beat_error(&mut self, value: bool) {
        if self.config.beat_error {
            self.bit(value);
        }
    }

    /// The registers' bus, if there is one.
    pub fn axil(&mut self, pins: Bits<{ bus::OUT_BITS }>) {
        if self.config.has_registers() {
            for (_, low, width) in bus::places(Direction::Output) {
                self.write(width, |bit| pins.get_bit(low + bit));
            }
        }
    }

    /// `tid` and `tdest`, and `tuser` as it is.
    pub fn side(&mut self, side: Sideband, user: usize) {
        let places = fields(self.config);
        self.field(&side, places.id);
        self.field(&side, places.dest);
        self.field(&side, (places.user.0, user));
    }

    /// `tid` and `tdest`, and `tuser` above what the events have there.
    pub fn side_and_kinds<const W: usize>(&mut self, side: Sideband, kinds: Bits<W>) {
        let places = fields(self.config);
        self.field(&side, places.id);
        self.field(&side, places.dest);
        self.write(W + places.user.1, |bit| {
            if bit < W {
                kinds.get_bit(bit)
            } else {
                side.get_bit(places.user.0 + bit - W)
            }
        });
    }

    /// A verdict, on a bus that may be wider.
    pub fn verdict<const W: usize>(&mut self, verdict: Bits<W>) {
        self.long_verdict(verdict, 0.into());
    }

    /// The same with further words, which are zero if the verdict has none.
    pub fn long_verdict<const W: usize>(&mut self, verdict: Bits<W>, further: Bits<FURTHER_BITS>) {
        if let Some((verdict_width, _)) = self.config.core.verdict() {
            self.write(verdict_width, |bit| match bit.checked_sub(W) {
                None => verdict.get_bit(bit),
                Some(bit) => bit < FURTHER_BITS && further.get_bit(bit),
            });
        }
    }
}
