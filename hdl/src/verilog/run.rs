//! A body's simulation: a block that is described by a [`Body`] is what its description says, in the embedded simulator as in Verilog.
//!
//! So it is said once, and what both engines run is the same.

use super::answer::with_sideband;
use super::body::Body;
use super::program::Program;
use super::sideband::Sideband;
use super::step::Place;
use crate::vector::from_bits;
use rust_hdl::prelude::*;

/// What a signal of a described block can hold.
pub trait Value: Synth {
    /// Its bits, the lowest first.
    fn put(self, bits: &mut [bool]);
    fn get(bits: &[bool]) -> Self;
}

impl Value for Bit {
    fn put(self, bits: &mut [bool]) {
        bits[0] = self;
    }

    fn get(bits: &[bool]) -> Self {
        bits[0]
    }
}

impl<const N: usize> Value for Bits<N> {
    fn put(self, bits: &mut [bool]) {
        match self {
            Bits::Short(_) => put_word(self.to_u64(), bits),
            Bits::Long(_) => {
                let places = bits.iter_mut().enumerate();
                places.for_each(|(bit, place)| *place = self.get_bit(bit));
            }
        }
    }

    fn get(bits: &[bool]) -> Self {
        from_bits(|bit| bits[bit])
    }
}

impl Value for Sideband {
    fn put(self, bits: &mut [bool]) {
        let places = bits.iter_mut().enumerate();
        places.for_each(|(bit, place)| *place = self.get_bit(bit));
    }

    fn get(bits: &[bool]) -> Self {
        Self::from_bits(|bit| bits[bit])
    }
}

fn put_word(word: u64, bits: &mut [bool]) {
    for (bit, place) in bits.iter_mut().enumerate() {
        *place = word >> bit & 1 == 1;
    }
}

/// An input of a described block, or a list of such.
pub trait Input {
    /// Its nets with their widths, from its name.
    fn nets(&self, name: &str) -> Vec<(String, usize)>;
    fn read(&self, bits: &mut [bool]);
}

/// An output, or a list of such.
pub trait Output {
    fn nets(&self, name: &str) -> Vec<(String, usize)>;
    fn write(&mut self, bits: &[bool]);
    fn connect_all(&mut self);
}

impl<T: Value> Input for Signal<In, T> {
    fn nets(&self, name: &str) -> Vec<(String, usize)> {
        vec![(name.to_string(), T::BITS)]
    }

    fn read(&self, bits: &mut [bool]) {
        self.val().put(bits);
    }
}

impl<T: Value> Output for Signal<Out, T> {
    fn nets(&self, name: &str) -> Vec<(String, usize)> {
        vec![(name.to_string(), T::BITS)]
    }

    fn write(&mut self, bits: &[bool]) {
        self.next = T::get(bits);
    }

    fn connect_all(&mut self) {
        self.connect();
    }
}

impl<T: Value> Input for Vec<Signal<In, T>> {
    fn nets(&self, name: &str) -> Vec<(String, usize)> {
        list(self.len(), name, T::BITS)
    }

    fn read(&self, bits: &mut [bool]) {
        for (pin, bits) in self.iter().zip(bits.chunks_mut(T::BITS)) {
            pin.read(bits);
        }
    }
}

impl<T: Value> Output for Vec<Signal<Out, T>> {
    fn nets(&self, name: &str) -> Vec<(String, usize)> {
        list(self.len(), name, T::BITS)
    }

    fn write(&mut self, bits: &[bool]) {
        for (pin, bits) in self.iter_mut().zip(bits.chunks(T::BITS)) {
            pin.write(bits);
        }
    }

    fn connect_all(&mut self) {
        self.iter_mut().for_each(|pin| pin.connect());
    }
}

/// The nets of a list, as Rust-HDL names them.
fn list(count: usize, name: &str, width: usize) -> Vec<(String, usize)> {
    let nets = (0..count).map(|index| (format!("{name}${index}"), width));
    nets.collect()
}

/// The simulation of a block, from its first update on.
#[derive(Default)]
pub struct Run(Option<Box<Ready>>);

/// A program, where its pins lie in its bits, and whether it has something new to say.
struct Ready {
    program: Program,
    inputs: Vec<Place>,
    outputs: Vec<Place>,
    changed: bool,
}

impl Run {
    /// Takes the inputs, and a clock if one `passed`. `body` is asked at the first update only. Each pin has its name.
    pub fn read(
        &mut self,
        body: &dyn Fn() -> Body,
        inputs: &[(&str, &dyn Input)],
        outputs: &[(&str, &dyn Output)],
        passed: bool,
    ) {
        let mut changed = self.0.is_none();
        let ready = self.0.get_or_insert_with(|| {
            let mut program = Program::default();
            let nets = inputs
                .iter()
                .map(|(name, pin)| program.input(pin.nets(name)));
            let inputs = nets.collect();
            program.load(&with_sideband(Sideband::BITS, body));
            let nets = outputs
                .iter()
                .map(|(name, pin)| program.output(pin.nets(name)));
            let outputs = nets.collect();
            Box::new(Ready {
                program,
                inputs,
                outputs,
                changed,
            })
        });
        for ((_, pin), place) in inputs.iter().zip(&ready.inputs) {
            changed |= ready.program.set(*place, |bits| pin.read(bits));
        }
        ready.changed = changed || passed;
        ready.program.run(changed, passed);
    }

    /// Writes the outputs, if they may have changed.
    pub fn write(&self, outputs: &mut [&mut dyn Output]) {
        let ready = self.0.as_ref().expect("it was read before");
        if ready.changed {
            for (pin, place) in outputs.iter_mut().zip(&ready.outputs) {
                pin.write(ready.program.get(*place));
            }
        }
    }
}
