//! A core on a bench: pins by name, and what came out.

use super::super::*;

pub const DENSE: Core = Core::Decode {
    signature: Signature::Keep,
    dense: true,
    to: Encoding::Utf32,
};
pub const SPARSE: Core = Core::Decode {
    signature: Signature::Keep,
    dense: false,
    to: Encoding::Utf32,
};
pub const SNOOP: Core = Core::Validate {
    mode: Mode::Snoop,
    verdict_width: 168,
    counter_width: 8,
    flows: None,
    csr: false,
};
pub const PASS: Core = Core::Validate {
    mode: Mode::Pass { is_early: false },
    verdict_width: 160,
    counter_width: 16,
    flows: None,
    csr: false,
};
pub const CORES: [Core; 4] = [SPARSE, DENSE, SNOOP, PASS];

/// A beat of bytes of the output: its bytes, `tlast` and `tid`.
pub type Sent = (Vec<u8>, bool, u32);

/// The beats of a packet's bytes, packed. Each byte has the number of the beat that it comes with, and so have the beats as their tags;
/// `last` is that of the packet's last beat.
pub fn packed(lanes: usize, bytes: &[(u8, u32)], last: u32) -> Vec<Sent> {
    let beat = |bytes: &[(u8, u32)]| {
        let id = match bytes.len() == lanes {
            true => bytes[lanes - 1].1,
            false => last,
        };
        (bytes.iter().map(|&(byte, _)| byte).collect(), false, id)
    };
    let mut beats: Vec<Sent> = bytes.chunks(lanes).map(beat).collect();
    // The packet ends with its last beat, which may have nothing left to put out.
    if beats.last().is_none_or(|&(.., id)| id != last) {
        beats.push((Vec::new(), false, last));
    }
    beats.last_mut().expect("there is one").1 = true;
    for (.., id) in &mut beats {
        *id &= 7;
    }
    beats
}

/// A model with pins by name.
pub struct Bench {
    pub model: Model,
    pub setup: Setup,
    input_pins: Vec<Pin>,
    output_pins: Vec<Pin>,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl Bench {
    /// After its reset, at the greatest depth.
    pub fn new(core: Core, lanes: usize, form: Form) -> Self {
        Self::at(None, core, lanes, form)
    }

    /// After its reset, at some depth.
    pub fn at(depth: Option<usize>, core: Core, lanes: usize, form: Form) -> Self {
        Self::under(Grammar::Rfc3629, depth, core, lanes, form)
    }

    /// After its reset, at some depth, under a grammar.
    pub fn under(
        grammar: Grammar,
        depth: Option<usize>,
        core: Core,
        lanes: usize,
        form: Form,
    ) -> Self {
        let side = Side {
            id: 3,
            dest: 0,
            user: 40,
        };
        let setup = Setup {
            policy: Default::default(),
            depth,
            beat_error: false,
            lanes,
            grammar,
            form,
            side,
            core,
        };
        let model = Model::new(&setup);
        let (input_pins, output_pins) = (model.input_pins(), model.output_pins());
        let words = |pins: &[Pin]| pins.iter().map(Pin::words).sum();
        let mut bench = Self {
            inputs: vec![0; words(&input_pins)],
            outputs: vec![0; words(&output_pins)],
            setup,
            model,
            input_pins,
            output_pins,
        };
        bench.set("rst", &[1]);
        bench.sinks([true, true]);
        bench.step();
        bench.set("rst", &[0]);
        for _ in 0..2 {
            bench.step();
        }
        bench
    }

    fn place(pins: &[Pin], name: &str) -> Option<std::ops::Range<usize>> {
        let index = pins.iter().position(|pin| pin.name == name)?;
        let at = pins[..index].iter().map(Pin::words).sum::<usize>();
        Some(at..at + pins[index].words())
    }

    /// Sets a pin, if there is one.
    pub fn set(&mut self, name: &str, value: &[u32]) {
        if let Some(place) = Self::place(&self.input_pins, name) {
            self.inputs[place].copy_from_slice(value);
        }
    }

    /// An output in this clock; nothing if there is none.
    pub fn get(&self, name: &str) -> &[u32] {
        let place = Self::place(&self.output_pins, name);
        place.map_or(&[], |place| &self.outputs[place])
    }

    pub fn high(&self, name: &str) -> bool {
        self.get(name) == [1]
    }

    /// Whether the streams' sinks are ready.
    pub fn sinks(&mut self, ready: [bool; 2]) {
        self.set("m_axis_tready", &[u32::from(ready[0])]);
        self.set("m_axis_verdict_tready", &[u32::from(ready[1])]);
    }

    /// Offers a beat.
    pub fn offer(&mut self, bytes: &[u8], last: bool) {
        let mut data = vec![0; (8 * self.setup.lanes).div_ceil(32)];
        let mut keep = vec![0; self.setup.lanes.div_ceil(32)];
        for (lane, &byte) in bytes.iter().enumerate() {
            data[lane / 4] |= u32::from(byte) << (8 * (lane % 4));
            keep[lane / 32] |= 1 << (lane % 32);
        }
        self.set("s_axis_tvalid", &[1]);
        self.set("s_axis_tready", &[1]);
        self.set("s_axis_tdata", &data);
        self.set("s_axis_tkeep", &keep);
        self.set("s_axis_tlast", &[u32::from(last)]);
        // The tags tell how many bytes the beat has.
        self.set("s_axis_tid", &[bytes.len() as u32 & 7]);
        self.set("s_axis_tuser", &[!1, bytes.len() as u32]);
    }

    /// Tags the beat that is offered.
    pub fn tag(&mut self, id: u32) {
        self.set("s_axis_tid", &[id]);
        self.set("s_axis_tuser", &[0, id]);
    }

    /// The beat of bytes that the pins show. Its bytes are in the lowest lanes, and the others are zero.
    pub fn sent(&self) -> Sent {
        let id = self.get("m_axis_tid")[0];
        assert_eq!(self.get("m_axis_tuser"), [0, id]);
        let keep = self.get("m_axis_tkeep");
        let count: u32 = keep.iter().map(|word| word.count_ones()).sum();
        let data = self.get("m_axis_tdata").iter();
        let data = data.flat_map(|word| word.to_le_bytes()).enumerate();
        let bytes = data.filter_map(|(lane, byte)| {
            let has_byte = lane < self.setup.lanes && keep[lane / 32] >> (lane % 32) & 1 == 1;
            assert_eq!(has_byte, lane < count as usize);
            assert!(has_byte || byte == 0);
            has_byte.then_some(byte)
        });
        (bytes.collect(), self.high("m_axis_tlast"), id)
    }

    pub fn step(&mut self) {
        self.model.step(&self.inputs, &mut self.outputs);
    }

    /// The number of beats that are accepted while no sink is ready.
    pub fn capacity(&mut self) -> usize {
        self.sinks([false, false]);
        self.offer(&vec![b'A'; self.setup.lanes], true);
        let accepted = |bench: &mut Self| {
            bench.step();
            bench.high("s_axis_tready")
        };
        (0..200).filter(|_| accepted(self)).count()
    }
}

/// What came out.
#[derive(Default)]
pub struct Output {
    /// Scalar values, U+FFFD, and in `marks` the kinds and lengths.
    pub data: Vec<u32>,
    pub marks: Vec<u32>,
    pub bytes: Vec<u8>,
    pub packets: usize,
    pub bad: Vec<bool>,
    pub verdicts: Vec<Vec<u32>>,
}

impl Output {
    pub fn take(&mut self, bench: &Bench, ready: [bool; 2]) {
        let decodes = matches!(bench.setup.core, Core::Decode { .. });
        if bench.high("m_axis_tvalid") && ready[0] {
            let data = bench.get("m_axis_tdata");
            let keep = bench.get("m_axis_tkeep");
            let user = bench.get("m_axis_tuser");
            let bit = |words: &[u32], bit: usize| words[bit / 32] >> (bit % 32) & 1;
            for lane in 0..bench.setup.lanes {
                if decodes && bit(keep, 4 * lane) == 1 {
                    self.data.push(data[lane]);
                    let bits = match bench.setup.grammar {
                        Grammar::Rfc3629 => 5,
                        Grammar::Rfc2279 => 6,
                    };
                    let mark = (0..bits).map(|index| bit(user, bits * lane + index) << index);
                    self.marks.push(mark.sum());
                } else if !decodes && bit(keep, lane) == 1 {
                    self.bytes.push((data[lane / 4] >> (8 * (lane % 4))) as u8);
                }
            }
            if bench.high("m_axis_tlast") {
                self.packets += 1;
                self.bad.push(user[0] & 1 == 1);
            }
        }
        if bench.high("m_axis_verdict_tvalid") && ready[1] {
            self.verdicts
                .push(bench.get("m_axis_verdict_tdata").to_vec());
        }
    }
}
