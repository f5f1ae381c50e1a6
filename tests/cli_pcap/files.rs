//! Capture files, written byte by byte.
#![allow(dead_code)] // each test binary uses a part

pub const ETHERNET: u32 = 1;
pub const RAW: u32 = 101;

/// When the first frame was captured, in seconds since 1970; each further one is captured 1234 ns later.
pub const SECONDS: u64 = 1_700_000_000;

/// The nanoseconds of a frame's time behind the second.
pub fn nanoseconds(frame: usize) -> u64 {
    1234 * frame as u64
}

/// How numbers are written.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    Little,
    Big,
}

impl Order {
    pub fn u32(self, value: u32) -> [u8; 4] {
        match self {
            Self::Little => value.to_le_bytes(),
            Self::Big => value.to_be_bytes(),
        }
    }

    fn u16(self, value: u16) -> [u8; 2] {
        match self {
            Self::Little => value.to_le_bytes(),
            Self::Big => value.to_be_bytes(),
        }
    }
}

/// A pcap file whose time is in nanoseconds or in microseconds.
pub fn pcap_of<F: AsRef<[u8]>>(order: Order, nano: bool, link: u32, frames: &[F]) -> Vec<u8> {
    let mut file = order
        .u32(if nano { 0xA1B2_3C4D } else { 0xA1B2_C3D4 })
        .to_vec();
    file.extend([order.u16(2), order.u16(4)].concat());
    file.extend([0, 0, 0x4_0000, link].map(|word| order.u32(word)).concat());
    for (index, frame) in frames.iter().enumerate() {
        let length = frame.as_ref().len();
        record(&mut file, order, nano, index, length, frame.as_ref());
    }
    file
}

/// A record of a frame that was so long.
pub fn record(
    file: &mut Vec<u8>,
    order: Order,
    nano: bool,
    index: usize,
    length: usize,
    captured: &[u8],
) {
    let part = nanoseconds(index) / if nano { 1 } else { 1000 };
    let words = [SECONDS, part, captured.len() as u64, length as u64];
    file.extend(words.map(|word| order.u32(word as u32)).concat());
    file.extend(captured);
}

/// The pcap file that most tools would write.
pub fn pcap<F: AsRef<[u8]>>(frames: &[F]) -> Vec<u8> {
    pcap_of(Order::Little, false, ETHERNET, frames)
}

/// A block of pcapng.
pub fn block(order: Order, number: u32, body: &[u8]) -> Vec<u8> {
    let padding = vec![0; body.len().wrapping_neg() % 4];
    let length = order.u32((12 + body.len() + padding.len()) as u32);
    [&order.u32(number), &length, body, &padding, &length].concat()
}

pub fn section(order: Order) -> Vec<u8> {
    let versions = [order.u16(1), order.u16(0)].concat();
    let body = [&order.u32(0x1A2B_3C4D)[..], &versions, &[0xFF; 8]].concat();
    block(order, 0x0A0D_0D0A, &body)
}

/// An interface with options.
pub fn interface(order: Order, link: u16, snap_length: u32, options: &[(u16, &[u8])]) -> Vec<u8> {
    let mut body = [order.u16(link), [0; 2]].concat();
    body.extend(order.u32(snap_length));
    for (code, value) in options {
        body.extend([order.u16(*code), order.u16(value.len() as u16)].concat());
        body.extend(*value);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    block(order, 1, &body)
}

/// A frame of an interface, at a time in that interface's unit.
pub fn enhanced(
    order: Order,
    interface: u32,
    time: u64,
    length: usize,
    captured: &[u8],
) -> Vec<u8> {
    let words = [
        interface,
        (time >> 32) as u32,
        time as u32,
        captured.len() as u32,
        length as u32,
    ];
    block(
        order,
        6,
        &[&words.map(|word| order.u32(word)).concat(), captured].concat(),
    )
}

/// A pcapng file of one section and one interface, whose time is in nanoseconds.
pub fn pcapng<F: AsRef<[u8]>>(order: Order, frames: &[F]) -> Vec<u8> {
    let mut file = section(order);
    file.extend(interface(order, ETHERNET as u16, 0, &[(9, &[9])]));
    for (index, frame) in frames.iter().enumerate() {
        let frame = frame.as_ref();
        let time = SECONDS * 1_000_000_000 + nanoseconds(index);
        file.extend(enhanced(order, 0, time, frame.len(), frame));
    }
    file
}
