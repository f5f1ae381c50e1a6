//! The chain of IPv6's extension headers.

use super::*;

#[test]
fn up_to_four_extension_headers_are_read() {
    let numbers = [ROUTING, FRAGMENT, DESTINATION];
    for count in 0..=5_u32 {
        for choice in 0..3_usize.pow(count) {
            let number = |place| numbers[choice / 3_usize.pow(place) % 3];
            let mut all: Vec<u8> = (0..count).map(number).collect();
            let mut judged = vec![all.clone()];
            if count > 0 {
                all[0] = HOP_BY_HOP;
                judged.push(all);
            }
            for all in judged {
                for (protocol, payload) in [(UDP, udp(TEXT)), (TCP, tcp(9, TEXT))] {
                    let frame = ethernet(&[0x9100], IPV6, &chain(&all, protocol, &payload));
                    match count {
                        5 => assert_eq!(read(&frame, true), Err(TooDeep), "{all:?}"),
                        _ => ends_with_text(&frame),
                    }
                }
            }
        }
    }
    // The fifth is not looked into.
    let four = [ROUTING; 4];
    for fifth in numbers {
        assert_eq!(of_ipv6(&chain(&four, fifth, &[])), Err(TooDeep));
    }
}

#[test]
fn hop_by_hop_options_come_first() {
    for before in 1..=5 {
        let mut numbers = vec![ROUTING; before];
        numbers.push(HOP_BY_HOP);
        let reason = if before == 5 { TooDeep } else { OtherProtocol };
        assert_eq!(of_ipv6(&chain(&numbers, UDP, &udp(TEXT))), Err(reason));
    }
    let twice = chain(&[HOP_BY_HOP, HOP_BY_HOP], UDP, &udp(TEXT));
    assert_eq!(of_ipv6(&twice), Err(OtherProtocol));
}

#[test]
fn extension_headers_are_in_the_payload() {
    for number in [HOP_BY_HOP, ROUTING, DESTINATION] {
        for units in 0..=255 {
            let length = 8 * (usize::from(units) + 1);
            let mut header = vec![0; length];
            (header[0], header[1]) = (59, units);
            assert_eq!(of_ipv6(&ipv6(number, &header)), Err(OtherProtocol));
            let mut frame = ethernet(&[], IPV6, &ipv6(number, &header[..length - 1]));
            // Bytes of the padding are none of the header's.
            frame.extend([0; 9]);
            assert_eq!(read(&frame, true), Err(Malformed));
            header[0] = UDP;
            header.extend(udp(TEXT));
            ends_with_text(&ethernet(&[], IPV6, &ipv6(number, &header)));
        }
    }
    for length in 1..8 {
        // Also where the first bytes already say that it is a fragment.
        let header = &[UDP, 0, 0, 1, 0, 0, 0][..length];
        for number in [HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION] {
            assert_eq!(of_ipv6(&ipv6(number, header)), Err(Malformed));
        }
    }
}
