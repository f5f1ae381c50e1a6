//! An Ethernet frame around a text, for the benches and the diagram of a core that takes whole frames.

/// The headers of Ethernet, IPv4 and UDP before a text of `text` bytes.
pub fn headers(text: usize) -> Vec<u8> {
    let length = |header: usize| ((header + text) as u16).to_be_bytes();
    let ethernet = [[0x02, 0, 0, 0, 0, 2], [0x02, 0, 0, 0, 0, 1]].concat();
    // A time to live of 64, UDP, and the addresses 10.0.0.1 and 10.0.0.2.
    let mut ip = vec![0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 17, 0, 0];
    ip.extend([10, 0, 0, 1, 10, 0, 0, 2]);
    ip[2..4].copy_from_slice(&length(28));
    let words = ip.chunks(2).map(|it| u16::from_be_bytes([it[0], it[1]]));
    let sum = words.fold(0_u32, |sum, word| sum + u32::from(word));
    let sum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
    ip[10..12].copy_from_slice(&sum.to_be_bytes());
    // To port 514, without a checksum.
    let [high, low] = length(8);
    let udp = [0x0F, 0xA0, 0x02, 0x02, high, low, 0, 0];
    [&ethernet[..], &[0x08, 0x00], &ip, &udp].concat()
}

/// The same around a text.
pub fn around(text: &[u8]) -> Vec<u8> {
    [headers(text.len()), text.to_vec()].concat()
}
