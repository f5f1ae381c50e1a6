//! Frames made by hand, on both sides of every bound.

mod extensions;

use super::*;
use Unjudged::{IpFragment, Malformed, NoPayload, NotIp, OtherProtocol, TooDeep};

const TEXT: &[u8] = "h\u{e9}\u{20ac}".as_bytes();

/// Tags of these types, and what follows them.
fn ethernet(tags: &[u16], ether_type: u16, datagram: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x45; 12];
    for tag in tags {
        frame.extend(tag.to_be_bytes());
        frame.extend([0x08, 0x00]);
    }
    frame.extend(ether_type.to_be_bytes());
    frame.extend(datagram);
    frame
}

/// A datagram whose header has a number of words.
fn ipv4(words: u8, protocol: u8, payload: &[u8]) -> Vec<u8> {
    let length = 4 * usize::from(words) + payload.len();
    let mut datagram = vec![0x11; 4 * usize::from(words)];
    datagram[0] = 0x40 | words;
    datagram[2..4].copy_from_slice(&(length as u16).to_be_bytes());
    datagram[6..8].fill(0);
    datagram[9] = protocol;
    datagram.extend(payload);
    datagram
}

fn ipv6(next: u8, payload: &[u8]) -> Vec<u8> {
    let mut datagram = vec![0x2C; 40];
    datagram[0] = 0x60;
    datagram[4..6].copy_from_slice(&(payload.len() as u16).to_be_bytes());
    datagram[6] = next;
    datagram.extend(payload);
    datagram
}

/// Extension headers of these numbers before a protocol; one that has a length has another one than that before.
fn chain(numbers: &[u8], protocol: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, number) in numbers.iter().enumerate() {
        let next = numbers.get(index + 1).copied().unwrap_or(protocol);
        match *number {
            // Its second byte is reserved, and so are three bits of the fourth.
            FRAGMENT => bytes.extend([next, 5, 0, 0b110, 1, 2, 3, 4]),
            _ => {
                let header = bytes.len();
                bytes.resize(header + 8 * (index + 1), FRAGMENT);
                (bytes[header], bytes[header + 1]) = (next, index as u8);
            }
        }
    }
    bytes.extend(payload);
    let first = numbers.first().copied().unwrap_or(protocol);
    ipv6(first, &bytes)
}

fn udp(text: &[u8]) -> Vec<u8> {
    let length = (8 + text.len()) as u16;
    let ports_and_length = [0x08, 0x00, 0x86, 0xDD, (length >> 8) as u8, length as u8];
    [&ports_and_length, &[0, 0][..], text].concat()
}

/// A segment whose header has a number of words.
fn tcp(words: u8, text: &[u8]) -> Vec<u8> {
    let mut segment = vec![0xFF; 4 * usize::from(words)];
    segment[12] = words << 4 | 0xF;
    segment.extend(text);
    segment
}

fn of_ipv4(datagram: &[u8]) -> Result<Range<usize>, Unjudged> {
    read(&ethernet(&[], IPV4, datagram), true)
}

fn of_ipv6(datagram: &[u8]) -> Result<Range<usize>, Unjudged> {
    read(&ethernet(&[], IPV6, datagram), true)
}

/// The frame's text is `TEXT`, at its end.
fn ends_with_text(frame: &[u8]) {
    let text = frame.len() - TEXT.len()..frame.len();
    assert_eq!(read(frame, true), Ok(text), "{frame:02X?}");
}

#[test]
fn a_whole_frame_by_hand() {
    let frame = b"\x02\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x02\x08\x00\
        \x45\x00\x00\x1F\x00\x00\x40\x00\x40\x11\x66\xCC\x0A\x00\x00\x01\x0A\x00\x00\x02\
        \x02\x02\xC0\x00\x00\x0B\x00\x00\xE2\x82\xAC\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    assert_eq!(frame.len(), 60);
    for takes_segments in [false, true] {
        assert_eq!(read(frame, takes_segments), Ok(42..45));
    }
}

#[test]
fn up_to_two_tags_are_read() {
    let datagram = ipv4(5, UDP, &udp(TEXT));
    ends_with_text(&ethernet(&[], IPV4, &datagram));
    for first in TAGS {
        ends_with_text(&ethernet(&[first], IPV4, &datagram));
        for second in TAGS {
            ends_with_text(&ethernet(&[first, second], IPV4, &datagram));
            for third in TAGS {
                let frame = ethernet(&[first, second, third], IPV4, &datagram);
                assert_eq!(read(&frame, true), Err(TooDeep));
                // The type of the third tag is enough.
                assert_eq!(read(&frame[..22], true), Err(TooDeep));
                assert_eq!(read(&frame[..21], true), Err(NotIp));
            }
        }
    }
}

#[test]
fn other_types_are_not_ip() {
    let datagram = ipv4(5, UDP, &udp(TEXT));
    for ether_type in 0..=u16::MAX {
        if [IPV4, IPV6].contains(&ether_type) || TAGS.contains(&ether_type) {
            continue;
        }
        for tags in [&[][..], &[0x8100], &[0x88A8, 0x8100]] {
            let frame = ethernet(tags, ether_type, &datagram);
            assert_eq!(read(&frame, true), Err(NotIp));
        }
    }
}

#[test]
fn the_version_is_that_of_the_type() {
    let (four, six) = (ipv4(5, UDP, &udp(TEXT)), ipv6(UDP, &udp(TEXT)));
    for version in 0..16 {
        let (mut four, mut six) = (four.clone(), six.clone());
        four[0] = version << 4 | 5;
        six[0] = version << 4 | 5;
        let malformed = |it: Result<_, _>| it == Err(Malformed);
        assert_eq!(malformed(of_ipv4(&four)), version != 4, "{version}");
        assert_eq!(malformed(of_ipv6(&six)), version != 6, "{version}");
    }
}

#[test]
fn a_header_of_ipv4_has_five_to_fifteen_words() {
    for words in 5..=15 {
        let datagram = ipv4(words, UDP, &udp(TEXT));
        ends_with_text(&ethernet(&[], IPV4, &datagram));
        for fewer in 0..5 {
            // Whatever follows is of no protocol that could be malformed, too.
            let mut short = ipv4(words, 1, &[]);
            short[0] = 0x40 | fewer;
            assert_eq!(of_ipv4(&short), Err(Malformed));
        }
        // The least total length is that of the header. There is no UDP in it then.
        for (length, reason) in [(-1, Malformed), (0, OtherProtocol), (1, OtherProtocol)] {
            let mut short = ipv4(words, 1, &udp(TEXT));
            short[3] = (4 * i32::from(words) + length) as u8;
            assert_eq!(of_ipv4(&short), Err(reason), "{words} {length}");
        }
    }
}

#[test]
fn padding_is_no_text() {
    for (ether_type, datagram) in [
        (IPV4, ipv4(6, UDP, &udp(TEXT))),
        (IPV4, ipv4(5, TCP, &tcp(5, TEXT))),
        (IPV6, chain(&[DESTINATION], TCP, &tcp(6, TEXT))),
        (IPV6, ipv6(UDP, &udp(TEXT))),
    ] {
        let mut frame = ethernet(&[], ether_type, &datagram);
        let text = frame.len() - TEXT.len()..frame.len();
        for _ in 0..70 {
            assert_eq!(read(&frame, true), Ok(text.clone()));
            frame.push(0x80);
        }
    }
}

#[test]
fn fragments_are_not_judged() {
    for bit in 0..16 {
        let field = (1_u16 << bit).to_be_bytes();
        let mut datagram = ipv4(5, UDP, &udp(TEXT));
        datagram[6..8].copy_from_slice(&field);
        // The two highest bits are reserved, and "don't fragment".
        let is_whole = bit >= 14;
        assert_eq!(of_ipv4(&datagram).err(), (!is_whole).then_some(IpFragment));

        let mut datagram = chain(&[FRAGMENT], UDP, &udp(TEXT));
        datagram[42..44].copy_from_slice(&field);
        let is_whole = [1, 2].contains(&bit);
        assert_eq!(of_ipv6(&datagram).err(), (!is_whole).then_some(IpFragment));
    }
    // What a fragment is of does not matter, but its length does.
    let mut datagram = ipv4(5, 1, &[]);
    datagram[6] = 0x20;
    assert_eq!(of_ipv4(&datagram), Err(IpFragment));
    datagram[3] += 1;
    assert_eq!(of_ipv4(&datagram), Err(Malformed));
    let mut datagram = chain(&[FRAGMENT], HOP_BY_HOP, &[]);
    datagram[43] = 1;
    assert_eq!(of_ipv6(&datagram), Err(IpFragment));
}

#[test]
fn other_protocols_are_not_judged() {
    for protocol in (0..=255).filter(|it| ![UDP, TCP].contains(it)) {
        let payload = udp(TEXT);
        assert_eq!(of_ipv4(&ipv4(5, protocol, &payload)), Err(OtherProtocol));
        if [HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION].contains(&protocol) {
            continue;
        }
        for numbers in [&[][..], &[ROUTING], &[HOP_BY_HOP, 43, 43, FRAGMENT]] {
            let datagram = chain(numbers, protocol, &[]);
            // Without a payload not even the fixed header is well-formed.
            let reason = if numbers.is_empty() {
                Malformed
            } else {
                OtherProtocol
            };
            assert_eq!(of_ipv6(&datagram), Err(reason));
            assert_eq!(
                of_ipv6(&chain(numbers, protocol, &payload)),
                Err(OtherProtocol)
            );
        }
    }
}

#[test]
fn the_length_of_udp_is_at_least_its_header_and_fits() {
    let whole = udp(TEXT).len();
    for length in 0..=u16::MAX {
        let mut payload = udp(TEXT);
        payload[4..6].copy_from_slice(&length.to_be_bytes());
        let length = usize::from(length);
        let text = |first: usize| match length {
            8 => Err(NoPayload),
            _ if length < 8 || length > whole => Err(Malformed),
            _ => Ok(first..first + length - 8),
        };
        assert_eq!(of_ipv4(&ipv4(5, UDP, &payload)), text(42));
        assert_eq!(of_ipv6(&ipv6(UDP, &payload)), text(62));
    }
}

#[test]
fn the_data_offset_of_tcp_is_at_least_its_header_and_fits() {
    for bytes in 0..=61 {
        for offset in 0..16 {
            let mut payload = tcp(15, b"\xC3")[..bytes].to_vec();
            if let Some(byte) = payload.get_mut(12) {
                *byte = offset << 4 | 0x9;
            }
            let header = 4 * usize::from(offset);
            let text = |first: usize| match bytes {
                _ if offset < 5 || header > bytes => Err(Malformed),
                _ if header == bytes => Err(NoPayload),
                _ => Ok(first + header..first + bytes),
            };
            let datagram = ipv4(5, TCP, &payload);
            assert_eq!(of_ipv4(&datagram), text(34));
            let unread = read(&ethernet(&[], IPV4, &datagram), false);
            assert_eq!(unread, Err(OtherProtocol));
            let datagram = chain(&[ROUTING], TCP, &payload);
            assert_eq!(of_ipv6(&datagram), text(62));
            let unread = read(&ethernet(&[], IPV6, &datagram), false);
            assert_eq!(unread, Err(OtherProtocol));
        }
    }
}

#[test]
fn a_cut_frame_has_no_text() {
    let chained = chain(
        &[HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION],
        UDP,
        &udp(TEXT),
    );
    for (tags, ether_type, datagram) in [
        (&[][..], IPV4, ipv4(5, UDP, &udp(TEXT))),
        (&[0x88A8, 0x8100], IPV4, ipv4(15, TCP, &tcp(15, TEXT))),
        (&[], IPV6, ipv6(TCP, &tcp(5, TEXT))),
        (&[0x9100], IPV6, chained),
    ] {
        let mut frame = ethernet(tags, ether_type, &datagram);
        let (start, end) = (frame.len() - datagram.len(), frame.len());
        frame.extend([0; 20]);
        for length in 0..=frame.len() {
            let expected = match length {
                _ if length < start => Err(NotIp),
                _ if length < end => Err(Malformed),
                _ => Ok(end - TEXT.len()..end),
            };
            assert_eq!(read(&frame[..length], true), expected, "{length}");
        }
    }
}

#[test]
fn the_longest_datagrams_are_read() {
    let longest = usize::from(u16::MAX);
    let text = vec![b'a'; longest - 8];
    let four = ethernet(&[], IPV4, &ipv4(15, UDP, &udp(&text[60..])));
    assert_eq!(read(&four, true), Ok(82..14 + longest));
    let six = ethernet(&[], IPV6, &ipv6(UDP, &udp(&text)));
    assert_eq!(read(&six, true), Ok(62..54 + longest));
}
