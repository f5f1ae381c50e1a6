//! Frames, written byte by byte: nothing here comes from what the tool reads them with.
#![allow(dead_code)] // each test binary uses a part

pub const IPV4: u16 = 0x0800;
pub const IPV6: u16 = 0x86DD;
pub const UDP: u8 = 17;
pub const TCP: u8 = 6;

pub const FIN: u8 = 1;
pub const SYN: u8 = 2;
pub const RST: u8 = 4;
pub const ACK: u8 = 16;

fn be16(value: usize) -> [u8; 2] {
    u16::try_from(value).expect("16 bits").to_be_bytes()
}

/// An Ethernet frame, padded as the standard wants it.
pub fn ethernet(ether_type: u16, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];
    frame.extend(ether_type.to_be_bytes());
    frame.extend(payload);
    frame.resize(frame.len().max(60), 0);
    frame
}

/// The frame with a tag before what was its first one.
pub fn tagged(frame: &[u8], tag_protocol: u16, vlan: u16) -> Vec<u8> {
    let tag = [tag_protocol.to_be_bytes(), vlan.to_be_bytes()].concat();
    [&frame[..12], &tag, &frame[12..]].concat()
}

/// The frame with a MACsec tag (IEEE 802.1AE) before what was its first one, and an integrity check value at its end; `control` has
/// the bits E (0x08) and C (0x04) of what is encrypted, or changed.
pub fn secured(frame: &[u8], control: u8) -> Vec<u8> {
    let tag = [0x88, 0xE5, control, 0, 0, 0, 0, 1];
    [&frame[..12], &tag, &frame[12..], &[0xFF; 16]].concat()
}

/// An IPv4 packet from 10.0.0.1 to 10.0.0.2.
pub fn ipv4(protocol: u8, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x45, 0];
    packet.extend(be16(20 + payload.len()));
    packet.extend([0, 1, 0x40, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    let mut sum: u32 = packet
        .chunks(2)
        .map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]))
        .sum();
    sum = (sum & 0xFFFF) + (sum >> 16);
    packet[10..12].copy_from_slice(&(!(sum as u16 + (sum >> 16) as u16)).to_be_bytes());
    packet.extend(payload);
    packet
}

/// An IPv6 packet from fd00::1 to fd00::2.
pub fn ipv6(next: u8, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x60, 0, 0, 0];
    packet.extend(be16(payload.len()));
    packet.extend([next, 64]);
    for host in [1, 2] {
        packet.extend([0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, host]);
    }
    packet.extend(payload);
    packet
}

/// An extension header of IPv6 with nothing but padding in it (hop by hop, and for the destination).
pub fn extension(next: u8, payload: &[u8]) -> Vec<u8> {
    [&[next, 0, 1, 4, 0, 0, 0, 0], payload].concat()
}

pub fn udp(source: u16, destination: u16, payload: &[u8]) -> Vec<u8> {
    let ports = [source.to_be_bytes(), destination.to_be_bytes()].concat();
    [&ports, &be16(8 + payload.len())[..], &[0, 0], payload].concat()
}

pub fn tcp(source: u16, destination: u16, sequence: u32, flags: u8, payload: &[u8]) -> Vec<u8> {
    let ports = [source.to_be_bytes(), destination.to_be_bytes()].concat();
    let numbers = [sequence.to_be_bytes(), [0; 4]].concat();
    [
        &ports,
        &numbers,
        &[0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0][..],
        payload,
    ]
    .concat()
}

/// A datagram between hosts of IPv4, from port 4000.
pub fn datagram(destination: u16, payload: impl AsRef<[u8]>) -> Vec<u8> {
    ethernet(IPV4, &ipv4(UDP, &udp(4000, destination, payload.as_ref())))
}

/// A segment between hosts of IPv4, from port 5000 to 80.
pub fn segment(sequence: u32, flags: u8, payload: impl AsRef<[u8]>) -> Vec<u8> {
    ethernet(
        IPV4,
        &ipv4(TCP, &tcp(5000, 80, sequence, flags, payload.as_ref())),
    )
}

/// A segment the other way.
pub fn answer(sequence: u32, flags: u8, payload: impl AsRef<[u8]>) -> Vec<u8> {
    let mut packet = ipv4(TCP, &tcp(80, 5000, sequence, flags, payload.as_ref()));
    let (from, to) = packet[12..20].split_at_mut(4);
    from.swap_with_slice(to);
    ethernet(IPV4, &packet)
}
