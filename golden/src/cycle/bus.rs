//! The bus of a validator's registers: AXI4-Lite, one access after the other.
//!
//! What is at its addresses is known to [`super::registers`].

/// Clocks from the one in which an access begins to the one in which a write is carried out, and to the one before its answer.
const TO_ACT: u32 = 2;
const TO_END: u32 = 18;

/// A write, in the clock in which it is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    pub address: u32,
    pub data: u32,
    /// A bit for each byte that is meant.
    pub strobes: u32,
}

/// What there is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub value: u32,
    pub writable: bool,
}

/// What one channel has brought: it brings no more until that is answered.
#[derive(Default)]
struct Taken<T> {
    held: Option<T>,
    ready: bool,
}

impl<T: Copy> Taken<T> {
    fn step(&mut self, offered: Option<T>, answered: bool) {
        let ready = self.ready;
        let held = self.held.or(offered.filter(|_| ready));
        self.ready = answered || held.is_none();
        self.held = held.filter(|_| !answered);
    }
}

/// An answer; what it says stays on the pins when it has been taken.
#[derive(Default)]
struct Answer {
    valid: bool,
    refused: bool,
    data: u32,
}

#[derive(Clone, Copy)]
struct Access {
    address: u32,
    /// Data and strobes.
    write: Option<(u32, u32)>,
    clocks: u32,
}

/// The slave.
#[derive(Default)]
pub struct Bus {
    write_address: Taken<u32>,
    write_data: Taken<(u32, u32)>,
    read_address: Taken<u32>,
    access: Option<Access>,
    written: Answer,
    read: Answer,
}

impl Bus {
    /// The outputs in this clock.
    pub fn show(&self, pins: &mut [u32]) {
        let refused = |answer: &Answer| u32::from(answer.refused) << 1;
        pins.copy_from_slice(&[
            u32::from(self.write_address.ready),
            u32::from(self.write_data.ready),
            refused(&self.written),
            u32::from(self.written.valid),
            u32::from(self.read_address.ready),
            self.read.data,
            refused(&self.read),
            u32::from(self.read.valid),
        ]);
    }

    /// The clock's edge. `at` says what is at an address; returns the write that is carried out in this clock.
    pub fn step(
        &mut self,
        reset: bool,
        pins: &[u32],
        at: impl Fn(u32) -> Option<Place>,
    ) -> Option<Write> {
        let &[
            awaddr,
            _,
            awvalid,
            wdata,
            wstrb,
            wvalid,
            bready,
            araddr,
            _,
            arvalid,
            rready,
        ] = pins
        else {
            unreachable!("these are the bus's inputs");
        };
        let mut carried_out = None;
        let begun = self.begins();
        if let Some(Access {
            address,
            write,
            clocks,
        }) = &mut self.access
        {
            *clocks += 1;
            if let (TO_ACT, Some((data, strobes))) = (*clocks, *write) {
                carried_out = Some(Write {
                    address: *address,
                    data,
                    strobes,
                });
            }
        }
        let written = self.written.valid && bready != 0;
        let read = self.read.valid && rready != 0;
        self.written.valid &= !written;
        self.read.valid &= !read;
        self.write_address
            .step((awvalid != 0).then_some(awaddr), written);
        self.write_data
            .step((wvalid != 0).then_some((wdata, wstrb)), written);
        self.read_address
            .step((arvalid != 0).then_some(araddr), read);
        match self.access {
            None => self.access = begun,
            Some(access) if access.clocks == TO_END => {
                self.answer(access, at(access.address));
                self.access = None;
            }
            Some(_) => {}
        }
        if reset {
            *self = Self::default();
        }
        carried_out.filter(|_| !reset)
    }

    /// The access that begins in this clock: a write goes before a read.
    fn begins(&self) -> Option<Access> {
        let access = |address, write| Access {
            address,
            write,
            clocks: 0,
        };
        let write = self.write_address.held.zip(self.write_data.held);
        let write = write.filter(|_| !self.written.valid);
        let read = self.read_address.held.filter(|_| !self.read.valid);
        write
            .map(|(address, data)| access(address, Some(data)))
            .or_else(|| read.map(|address| access(address, None)))
    }

    fn answer(&mut self, access: Access, place: Option<Place>) {
        let (answer, refused) = match access.write {
            Some(_) => (
                &mut self.written,
                !place.is_some_and(|place| place.writable),
            ),
            None => (&mut self.read, place.is_none()),
        };
        answer.valid = true;
        answer.refused = refused;
        if access.write.is_none() {
            answer.data = place.map_or(0, |place| place.value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::{BUS_INPUTS, BUS_OUTPUTS};
    use super::*;

    /// The inputs of a read of this address, and of a write of it.
    fn pins(read: Option<u32>, write: Option<u32>) -> [u32; BUS_INPUTS] {
        let mut pins = [0; BUS_INPUTS];
        if let Some(address) = read {
            (pins[7], pins[9]) = (address, 1);
        }
        if let Some(address) = write {
            (pins[0], pins[2], pins[3], pins[4], pins[5]) = (address, 1, 7, 0xF, 1);
        }
        pins
    }

    fn place(address: u32) -> Option<Place> {
        let place = Place {
            value: 42,
            writable: false,
        };
        (address == 8).then_some(place)
    }

    #[test]
    fn a_write_goes_before_a_read_and_each_is_answered_once() {
        let mut bus = Bus::default();
        let mut shown = [0; BUS_OUTPUTS];
        bus.step(true, &pins(None, None), place);
        bus.step(false, &pins(None, None), place);
        bus.show(&mut shown);
        assert_eq!(shown, [1, 1, 0, 0, 1, 0, 0, 0]);
        let mut acts = Vec::new();
        let (mut written, mut read) = (Vec::new(), Vec::new());
        for clock in 0..100 {
            let mut inputs = match clock {
                0 => pins(Some(8), Some(8)),
                _ => pins(None, None),
            };
            (inputs[6], inputs[10]) = (1, 1);
            bus.show(&mut shown);
            written.extend((shown[3] == 1).then_some((clock, shown[2])));
            read.extend((shown[7] == 1).then_some((clock, shown[5], shown[6])));
            acts.extend(bus.step(false, &inputs, place).map(|_| clock));
        }
        // What is only read cannot be written; the read begins when the write has been answered.
        assert_eq!(acts, [3]);
        assert_eq!(written, [(20, 2)]);
        assert_eq!(read, [(39, 42, 0)]);
    }

    #[test]
    fn an_answer_waits_and_a_reset_drops_it() {
        let mut bus = Bus::default();
        let mut shown = [0; BUS_OUTPUTS];
        bus.step(false, &pins(None, None), place);
        bus.step(false, &pins(Some(4), None), place);
        for _ in 0..40 {
            bus.step(false, &pins(None, None), place);
        }
        bus.show(&mut shown);
        assert_eq!(shown, [1, 1, 0, 0, 0, 0, 2, 1], "refused, and there yet");
        bus.step(true, &pins(None, None), place);
        bus.show(&mut shown);
        assert_eq!(shown, [0; BUS_OUTPUTS]);
    }
}
