//! Frames: which words hold which pin.

use super::setup::{Core, Form, Mode, Setup, Side};
use std::borrow::Cow;
use std::ops::Range;

/// A pin and its width in bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub name: &'static str,
    pub width: usize,
}

impl Pin {
    /// 32-bit words that the pin takes in a frame.
    pub fn words(&self) -> usize {
        self.width.div_ceil(32)
    }
}

fn pin(name: &'static str, width: usize) -> Pin {
    Pin { name, width }
}

/// Bits of `s_axis_tuser` below those that come out again: with flows more, open, forget; with windows whether there is one, and two
/// positions of 16 bits.
const COMMANDS: usize = 3;
const WINDOW: usize = 33;
/// Words of the input pins of the registers' bus, and of its output pins; and bits of an address on it.
pub const BUS_INPUTS: usize = 11;
pub const BUS_OUTPUTS: usize = 8;
const ADDRESS: usize = 12;
/// Where the length begins in a lane's part of the decoder's `m_axis_tuser`: above a kind.
pub const LENGTH_SHIFT: usize = 3;

/// Bits of `s_axis_tuser` that do not come out again.
fn low_user(setup: &Setup) -> usize {
    match (
        setup.flows(),
        setup.policy.has_window && !setup.policy.has_frames,
    ) {
        (Some(_), _) => COMMANDS,
        (None, true) => WINDOW,
        (None, false) => 0,
    }
}

/// All inputs that a core can have, in order; those that this one does not have are 0 bits wide.
pub fn input_pins(setup: &Setup) -> Vec<Pin> {
    let Side { id, dest, user } = setup.side;
    let (answers, judges) = (setup.answers(), setup.verdict_width().is_some());
    let snoops = setup.form == Form::Axis && setup.snoops();
    let lane_bytes = setup.lane_bytes();
    vec![
        pin("rst", 1),
        pin("s_axis_tvalid", 1),
        pin("s_axis_tready", usize::from(snoops)),
        pin("s_axis_tdata", 8 * lane_bytes * setup.lanes),
        pin("s_axis_tkeep", lane_bytes * setup.lanes),
        pin("s_axis_tlast", 1),
        pin("s_axis_tid", id),
        pin("s_axis_tdest", dest),
        pin("s_axis_tuser", low_user(setup) + user),
        pin("m_axis_tready", usize::from(answers)),
        pin("m_axis_verdict_tready", usize::from(answers && judges)),
    ]
    .into_iter()
    .chain(bus_inputs(setup))
    .collect()
}

/// The same for the outputs.
pub fn output_pins(setup: &Setup) -> Vec<Pin> {
    let Side { id, dest, user } = setup.side;
    let lanes = setup.lanes;
    let mut pins = vec![pin("s_axis_tready", usize::from(setup.answers()))];
    if setup.flows().is_some() {
        pins.extend([
            pin("flows_ready", 1),
            pin("m_axis_flow_tvalid", 1),
            pin("m_axis_flow_tdata", 8),
            pin("m_axis_flow_tid", id),
            pin("m_axis_flow_tdest", dest),
            pin("m_axis_flow_tuser", user),
        ]);
    }
    let mut stream = |data, keep, user| {
        pins.extend([
            pin("m_axis_tvalid", 1),
            pin("m_axis_tdata", data),
            pin("m_axis_tkeep", keep),
            pin("m_axis_tlast", 1),
            pin("m_axis_tid", id),
            pin("m_axis_tdest", dest),
            pin("m_axis_tuser", user),
        ]);
    };
    match setup.core {
        Core::Decode { .. } => {
            let bits = setup.word_bits() * lanes;
            stream(bits, bits / 8, setup.mark_bits() * lanes + 1 + user);
        }
        Core::Validate { mode, .. } if setup.passes() => {
            let early = usize::from(mode == Mode::Pass { is_early: true });
            stream(8 * lanes, lanes, setup.user_bits() + early);
        }
        Core::Validate { .. } => {}
        Core::Encode { .. } | Core::Sanitise { .. } => stream(8 * lanes, lanes, user),
    }
    if let Some(verdict_width) = setup.verdict_width() {
        pins.extend([
            pin("m_axis_verdict_tvalid", 1),
            pin("m_axis_verdict_tdata", verdict_width),
            pin("m_axis_verdict_tid", id),
            pin("m_axis_verdict_tdest", dest),
            pin("m_axis_verdict_tuser", user),
        ]);
    }
    pins.push(pin("beat_error", usize::from(setup.beat_error)));
    pins.extend(bus_outputs(setup));
    pins
}

fn bus_inputs(setup: &Setup) -> impl Iterator<Item = Pin> + use<> {
    let pins: [Pin; BUS_INPUTS] = [
        pin("s_axil_awaddr", ADDRESS),
        pin("s_axil_awprot", 3),
        pin("s_axil_awvalid", 1),
        pin("s_axil_wdata", 32),
        pin("s_axil_wstrb", 4),
        pin("s_axil_wvalid", 1),
        pin("s_axil_bready", 1),
        pin("s_axil_araddr", ADDRESS),
        pin("s_axil_arprot", 3),
        pin("s_axil_arvalid", 1),
        pin("s_axil_rready", 1),
    ];
    let there = setup.has_registers();
    pins.into_iter().filter(move |_| there)
}

fn bus_outputs(setup: &Setup) -> impl Iterator<Item = Pin> + use<> {
    let pins: [Pin; BUS_OUTPUTS] = [
        pin("s_axil_awready", 1),
        pin("s_axil_wready", 1),
        pin("s_axil_bresp", 2),
        pin("s_axil_bvalid", 1),
        pin("s_axil_arready", 1),
        pin("s_axil_rdata", 32),
        pin("s_axil_rresp", 2),
        pin("s_axil_rvalid", 1),
    ];
    let there = setup.has_registers();
    pins.into_iter().filter(move |_| there)
}

/// A beat of bytes, or of words to encode, as it is accepted: a frame, of which only what is wanted is read.
pub struct Beat<'a> {
    inputs: &'a Inputs,
    frame: &'a [u32],
    keep: u128,
    pub last: bool,
}

impl<'a> Beat<'a> {
    /// How many bytes it has.
    #[inline]
    pub fn count(&self) -> usize {
        self.keep.trailing_ones() as usize
    }

    /// The lanes with a byte are the lowest, without a hole.
    pub fn is_low_aligned(&self) -> bool {
        self.keep.count_ones() as usize == self.count()
    }

    /// It has a hole, or some lanes without a byte though the packet goes on. (One without any is no beat of bytes.) Of words, it has a
    /// part of one.
    pub fn breaks_contract(&self) -> bool {
        if self.inputs.lane_bytes > 1 {
            return (0..self.inputs.lanes)
                .any(|lane| ![0, self.whole()].contains(&self.lane_keep(lane)));
        }
        !self.is_low_aligned() || !self.last && self.keep != 0 && self.count() < self.inputs.lanes
    }

    /// The bytes of the beat.
    #[inline]
    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        let data = &self.frame[self.inputs.data..];
        (0..self.count()).map(|lane| (data[lane / 4] >> (8 * (lane % 4))) as u8)
    }

    /// The `tkeep` of a lane with a whole word to encode.
    #[inline]
    fn whole(&self) -> u128 {
        (1 << self.inputs.lane_bytes) - 1
    }

    /// The `tkeep` of a lane.
    #[inline]
    fn lane_keep(&self, lane: usize) -> u128 {
        self.keep >> (self.inputs.lane_bytes * lane) & self.whole()
    }

    /// The word to encode in each lane, if the lane has all its bytes.
    #[inline]
    pub fn lane_words(&self) -> impl Iterator<Item = Option<u32>> {
        let (data, bits) = (self.data(), 8 * self.inputs.lane_bytes);
        (0..self.inputs.lanes).map(move |lane| {
            let word = data[bits * lane / 32] >> (bits * lane % 32) & u32::MAX >> (32 - bits);
            (self.lane_keep(lane) == self.whole()).then_some(word)
        })
    }

    /// The words of `tdata`.
    #[inline]
    pub fn data(&self) -> &'a [u32] {
        &self.frame[self.inputs.data..self.inputs.keep]
    }

    /// The words of `tid`, `tdest` and `tuser`.
    #[inline]
    pub fn side(&self) -> &'a [u32] {
        &self.frame[self.inputs.side..self.inputs.end]
    }

    /// The words from `tdata` to `tlast`.
    #[inline]
    pub fn stream(&self) -> &'a [u32] {
        &self.frame[self.inputs.data..=self.inputs.last]
    }

    /// The words of `tid`, `tdest` and of what of `tuser` comes out again.
    #[inline]
    pub fn own_side(&self) -> Cow<'a, [u32]> {
        match self.inputs.low_user {
            0 => Cow::Borrowed(self.side()),
            low => Cow::Owned(self.side_above(low)),
        }
    }

    fn side_above(&self, low: usize) -> Vec<u32> {
        let (side, user) = self.side().split_at(self.inputs.user - self.inputs.side);
        let word = |at: usize| u64::from(user.get(at).copied().unwrap_or(0));
        let own = (0..self.inputs.own_user.div_ceil(32)).map(|at| {
            let at = at + low / 32;
            ((word(at) | word(at + 1) << 32) >> (low % 32)) as u32
        });
        side.iter().copied().chain(own).collect()
    }

    /// The lowest bits of `tuser`.
    pub fn low_user(&self) -> u64 {
        let words = self.frame[self.inputs.user..self.inputs.end].iter().rev();
        words.fold(0, |bits, &word| bits << 32 | u64::from(word))
    }

    /// The bytes of some lanes, below those that have one.
    pub fn bytes_of(&self, lanes: Range<usize>) -> impl Iterator<Item = u8> {
        self.bytes().take(lanes.end).skip(lanes.start)
    }

    /// Without a byte and without `tlast`, a beat says nothing.
    #[inline]
    pub fn is_void(&self) -> bool {
        self.keep == 0 && !self.last
    }
}

/// Where the pins of an input frame are, in words.
pub struct Inputs {
    /// `s_axis_tready`, if it is an input.
    pub taken: Option<usize>,
    lanes: usize,
    /// Bytes of a lane: more than one if it has a word to encode.
    lane_bytes: usize,
    data: usize,
    keep: usize,
    last: usize,
    side: usize,
    user: usize,
    end: usize,
    /// Bits of `tuser` that do not come out again, and of those that do.
    low_user: usize,
    own_user: usize,
    pub sink_ready: Option<usize>,
    pub verdict_ready: Option<usize>,
}

impl Inputs {
    pub fn of(setup: &Setup) -> Self {
        let pins = input_pins(setup);
        let place = |name| {
            let at = pins.iter().take_while(|pin| pin.name != name);
            at.map(Pin::words).sum()
        };
        let present = |name| {
            let has = pins.iter().any(|pin| pin.name == name && pin.width > 0);
            has.then(|| place(name))
        };
        Self {
            taken: present("s_axis_tready"),
            lanes: setup.lanes,
            lane_bytes: setup.lane_bytes(),
            data: place("s_axis_tdata"),
            keep: place("s_axis_tkeep"),
            last: place("s_axis_tlast"),
            side: place("s_axis_tid"),
            user: place("s_axis_tuser"),
            low_user: low_user(setup),
            own_user: setup.side.user,
            end: place("m_axis_tready"),
            sink_ready: present("m_axis_tready"),
            verdict_ready: present("m_axis_verdict_tready"),
        }
    }

    /// The beat in a frame.
    #[inline]
    pub fn beat<'a>(&'a self, frame: &'a [u32]) -> Beat<'a> {
        let words = frame[self.keep..self.last].iter().rev();
        let keep = words.fold(0, |keep, &word| keep << 32 | u128::from(word));
        Beat {
            inputs: self,
            frame,
            keep,
            last: frame[self.last] != 0,
        }
    }
}

/// Copies a payload. The smallest have four words (one lane) or five (a verdict), for which a call of `memcpy` would take
/// longer than all the rest of a clock.
#[inline]
pub fn copy_words(to: &mut [u32], from: &[u32]) {
    if let (Ok(to), Ok(from)) = (
        <&mut [u32; 4]>::try_from(&mut *to),
        <&[u32; 4]>::try_from(from),
    ) {
        *to = *from;
    } else if let (Ok(to), Ok(from)) = (
        <&mut [u32; 5]>::try_from(&mut *to),
        <&[u32; 5]>::try_from(from),
    ) {
        *to = *from;
    } else {
        to.copy_from_slice(from);
    }
}

/// Clears a payload, with the same care.
#[inline]
pub fn clear_words(words: &mut [u32]) {
    if let Ok(words) = <&mut [u32; 4]>::try_from(&mut *words) {
        *words = [0; 4];
    } else if let Ok(words) = <&mut [u32; 5]>::try_from(&mut *words) {
        *words = [0; 5];
    } else {
        words.fill(0);
    }
}
