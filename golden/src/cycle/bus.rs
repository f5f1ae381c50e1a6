//! The bus of a validator's registers, while nobody uses it.
//!
//! Nothing is known here of what is in the registers: they have the values that a reset gives them, with which the core judges every
//! packet.

use super::Setup;
use super::layout::{Pin, pin};

/// Bits of an address.
const ADDRESS: usize = 12;
/// Words of the output pins.
pub const OUTPUTS: usize = 8;
/// Of these, the places of `awready`, `wready` and `arready`.
const READIES: [usize; 3] = [0, 1, 4];

pub fn inputs(setup: &Setup) -> impl Iterator<Item = Pin> + use<> {
    let pins = [
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

pub fn outputs(setup: &Setup) -> impl Iterator<Item = Pin> + use<> {
    let pins: [Pin; OUTPUTS] = [
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

/// A slave that waits for a transaction.
#[derive(Default)]
pub struct Resting {
    ready: bool,
}

impl Resting {
    /// One clock. Addresses and data can be taken from the clock after a reset on.
    #[inline]
    pub fn step(&mut self, reset: bool, pins: &mut [u32]) {
        pins.fill(0);
        for place in READIES {
            pins[place] = u32::from(self.ready);
        }
        self.ready = !reset;
    }
}
