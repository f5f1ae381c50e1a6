//! The pins of the register bus, AXI4-Lite.

use super::port::{Direction, Port, input, output};
use crate::layout::ADDRESS_BITS;

/// The pins.
pub const PORTS: [Port; 19] = [
    input(
        "s_axil_awaddr",
        ADDRESS_BITS,
        "address of a write, in bytes",
    ),
    input("s_axil_awprot", 3, "ignored"),
    input("s_axil_awvalid", 1, "awaddr is valid"),
    output(
        "s_axil_awready",
        1,
        "awaddr is accepted; driven by a register",
    ),
    input("s_axil_wdata", 32, "write data"),
    input("s_axil_wstrb", 4, "byte strobes of wdata"),
    input("s_axil_wvalid", 1, "wdata and wstrb are valid"),
    output(
        "s_axil_wready",
        1,
        "wdata is accepted; driven by a register",
    ),
    output("s_axil_bresp", 2, "0: OKAY; 2: SLVERR, write ignored"),
    output("s_axil_bvalid", 1, "bresp is valid"),
    input("s_axil_bready", 1, "bresp is accepted"),
    input("s_axil_araddr", ADDRESS_BITS, "address of a read, in bytes"),
    input("s_axil_arprot", 3, "ignored"),
    input("s_axil_arvalid", 1, "araddr is valid"),
    output(
        "s_axil_arready",
        1,
        "araddr is accepted; driven by a register",
    ),
    output("s_axil_rdata", 32, "read data"),
    output("s_axil_rresp", 2, "0: OKAY; 2: SLVERR, rdata is 0"),
    output("s_axil_rvalid", 1, "rdata and rresp are valid"),
    input("s_axil_rready", 1, "rdata is accepted"),
];

/// Pins of one direction, each with its lowest bit in the vector that the description has of them.
pub fn places(direction: Direction) -> impl Iterator<Item = (&'static str, usize, usize)> {
    let mut next = 0;
    let pins = PORTS.iter().filter(move |port| port.direction == direction);
    pins.map(move |port| {
        let low = next;
        next += port.width;
        (port.name, low, port.width)
    })
}

/// Bits of all pins of a direction.
const fn bits(output: bool) -> usize {
    let (mut bits, mut index) = (0, 0);
    while index < PORTS.len() {
        if matches!(PORTS[index].direction, Direction::Output) == output {
            bits += PORTS[index].width;
        }
        index += 1;
    }
    bits
}
pub const IN_BITS: usize = bits(false);
pub const OUT_BITS: usize = bits(true);
