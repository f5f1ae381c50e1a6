//! What captures are written as, and what frames are wrapped in: the payload is the same.

use super::files::{
    self, Order, SECONDS, block, enhanced, interface, nanoseconds, pcap, pcap_of, pcapng, section,
};
use super::frames::{
    IPV4, IPV6, TCP, UDP, datagram, ethernet, extension, ipv4, ipv6, secured, tagged, tcp, udp,
};
use super::{Told, told, told_by};
use crate::support::{Place, json, piped};
use serde_json::json;

const GOOD: &[u8] = "Grüße, 世界".as_bytes();
const BAD: &[u8] = b"caf\xE9 \xF0\x9F\x98";

#[track_caller]
fn has_both(told: &Told) {
    told.has_packets(&[GOOD, BAD]).has_frames(2, &[]);
}

#[test]
fn both_cores_judge_datagrams() {
    let capture = pcap(&[datagram(514, GOOD), datagram(514, BAD)]);
    for core in ["decode", "validate", "validate --mode pass"] {
        let told = told_by(core, &capture);
        has_both(&told);
        told.has_flow(
            0,
            json!({"protocol": "udp", "source": "10.0.0.1:4000", "destination": "10.0.0.2:514", "packets": 2,
                "ill_formed_packets": 1, "well_formed": false}),
        );
        let kinds: Vec<_> = [0, 1]
            .map(|packet| told.0["packets"][packet]["kind"].clone())
            .into();
        assert_eq!(kinds, ["none", "truncated"]);
    }
}

#[test]
fn events_are_those_of_the_packets() {
    let place = Place::new();
    place.write(
        "a.pcap",
        pcap(&[datagram(514, "a"), datagram(514, b"\xFF")]),
    );
    json(&place.run("sim --engine embedded --json --events e --pcap a.pcap"));
    let events = std::fs::read_to_string(place.path("e")).expect("events");
    let expected = "{\"packet\":0,\"offset\":0,\"scalar\":97}\n{\"packet\":1,\"offset\":0,\"ill_formed\":true,\
        \"kind\":\"invalid_byte\",\"length\":1}\n";
    assert_eq!(events, expected);
}

#[test]
fn standard_input_is_a_capture_like_any_other() {
    let place = Place::new();
    let mut command = place.runegate(["sim", "--engine", "embedded", "--json", "--pcap", "-"]);
    let capture = pcap(&[datagram(514, GOOD), datagram(514, BAD)]);
    has_both(&Told(json(&piped(&mut command, &capture))));
}

/// A time as it is told, some nanoseconds behind the second.
fn time(nanoseconds: u64) -> String {
    format!("{SECONDS}.{nanoseconds:09}")
}

#[test]
fn every_format_has_the_same_in_it() {
    let frames = [datagram(514, GOOD), datagram(514, BAD)];
    for order in [Order::Little, Order::Big] {
        for (nano, exact) in [
            (true, nanoseconds(1)),
            (false, nanoseconds(1) / 1000 * 1000),
        ] {
            let told = told(&pcap_of(order, nano, files::ETHERNET, &frames));
            has_both(&told);
            assert_eq!(told.0["packets"][1]["frame"], 2);
            assert_eq!(told.0["packets"][1]["time"], time(exact), "{order:?}");
        }
        let told = told(&pcapng(order, &frames));
        has_both(&told);
        assert_eq!(told.0["packets"][1]["time"], time(nanoseconds(1)));
    }
    // The upper half of the link type says that check sequences were captured, and how long they are.
    has_both(&told(&pcap_of(Order::Little, false, 0x4400_0001, &frames)));
}

#[test]
fn times_are_read_by_what_their_interface_says() {
    let frame = datagram(514, "a");
    for order in [Order::Little, Order::Big] {
        let seconds = match order {
            Order::Little => 3600_i64.to_le_bytes(),
            Order::Big => 3600_i64.to_be_bytes(),
        };
        let mut file = section(order);
        // Microseconds, milliseconds, 1024ths, and nanoseconds with an offset; then a frame whose interface nothing describes.
        file.extend(interface(order, 1, 0, &[]));
        file.extend(interface(order, 1, 0, &[(9, &[3])]));
        file.extend(interface(order, 1, 0, &[(2, b"any"), (9, &[0x8A])]));
        file.extend(interface(order, 1, 0, &[(9, &[9]), (14, &seconds)]));
        for (index, ticks) in [1_500_000, 1_500, 1_536, 1_500_000_000, 0]
            .into_iter()
            .enumerate()
        {
            file.extend(enhanced(order, index as u32, ticks, frame.len(), &frame));
        }
        let told = told(&file);
        told.has_frames(4, &[("unreadable", 1)]);
        let times: Vec<_> = (0..4)
            .map(|packet| told.0["packets"][packet]["time"].clone())
            .collect();
        assert_eq!(
            times,
            [
                "1.500000000",
                "1.500000000",
                "1.500000000",
                "3601.500000000"
            ]
        );
    }
}

#[test]
fn sections_and_other_blocks_are_no_obstacle() {
    let frame = datagram(514, GOOD);
    let mut file = section(Order::Little);
    file.extend(interface(Order::Little, 1, 0, &[]));
    file.extend(interface(Order::Little, 0, 0, &[]));
    // A block that nobody knows, the obsolete packet block, and one with neither time nor interface.
    file.extend(block(Order::Little, 0x4000_0000, b"anything"));
    file.extend(block(Order::Little, 2, &[0; 24]));
    let length = (frame.len() as u32).to_le_bytes();
    file.extend(block(Order::Little, 3, &[&length, &frame[..]].concat()));
    // Another section has its own byte order, and its own first interface.
    file.extend(section(Order::Big));
    file.extend(interface(Order::Big, 101, 0, &[]));
    file.extend(enhanced(Order::Big, 0, 0, frame.len() - 14, &frame[14..]));
    file.extend(block(Order::Big, 2, &[0; 24]));
    let told = told(&file);
    told.has_packets(&[GOOD, GOOD])
        .has_frames(2, &[("unreadable", 2)]);
    assert_eq!(told.0["packets"][0]["time"], json!(null));
    assert_eq!(told.0["packets"][0]["frame"], 2);
}

#[test]
fn every_link_type_that_is_known() {
    let packets = [
        (IPV4, ipv4(UDP, &udp(1, 2, GOOD))),
        (IPV6, ipv6(UDP, &udp(1, 2, BAD))),
    ];
    let family = |protocol: u16| if protocol == IPV4 { 2 } else { 30 };
    let wrap = |link: u32| {
        packets.clone().map(|(protocol, packet)| match link {
            1 => ethernet(protocol, &packet),
            0 => [&u32::to_le_bytes(family(protocol)), &packet[..]].concat(),
            108 => [&u32::to_be_bytes(family(protocol)), &packet[..]].concat(),
            113 => [&[0; 14], &protocol.to_be_bytes()[..], &packet].concat(),
            276 => [&protocol.to_be_bytes()[..], &[0; 18], &packet].concat(),
            _ => packet,
        })
    };
    for link in [0, 1, 12, 14, 101, 108, 113, 228, 229, 276] {
        has_both(&told(&pcap_of(Order::Little, false, link, &wrap(link))));
    }
}

#[test]
fn tags_are_part_of_the_flow() {
    let plain = datagram(514, "a");
    let outer = |vlan| tagged(&tagged(&plain, 0x8100, 30), 0x88A8, vlan);
    // The priority, in the upper bits, is not.
    let frames = [
        plain.clone(),
        tagged(&plain, 0x8100, 7),
        tagged(&plain, 0x8100, 0xE007),
        outer(20),
        outer(21),
    ];
    let told = told(&pcap(&frames));
    told.has_packets(&["a"; 5]).has_frames(5, &[]);
    let flows: Vec<_> = (0..5)
        .map(|packet| told.0["packets"][packet]["flow"].clone())
        .collect();
    assert_eq!(flows, [0, 1, 1, 2, 3]);
    told.has_flow(1, json!({"vlans": [7]}))
        .has_flow(2, json!({"vlans": [20, 30]}));
}

/// MACsec leaves a payload as it is if it only protects it: then it can be read. Together with VLAN tags there may be three tags.
#[test]
fn macsec_is_opened_if_it_is_not_encrypted() {
    let plain = datagram(514, GOOD);
    let frames = [
        secured(&plain, 0),
        secured(&tagged(&tagged(&plain, 0x8100, 30), 0x88A8, 20), 0),
        secured(&plain, 0x0C),
        secured(&plain, 0x04),
        secured(
            &tagged(&tagged(&tagged(&plain, 0x8100, 1), 0x88A8, 2), 0x88A8, 3),
            0,
        ),
    ];
    let told = told(&pcap(&frames));
    told.has_packets(&[GOOD, GOOD])
        .has_frames(2, &[("not_ip", 3)]);
    told.has_flow(1, json!({"vlans": [20, 30]}));
}

#[test]
fn extension_headers_of_ipv6_are_passed_over() {
    // Hop by hop, for the destination, routing; then a fragment header of what is no fragment.
    let atomic = [&[UDP, 0, 0, 0, 0, 0, 0, 1], &udp(1, 2, GOOD)[..]].concat();
    let headers = extension(60, &extension(43, &extension(44, &atomic)));
    let frames = [
        ethernet(IPV6, &ipv6(0, &headers)),
        ethernet(IPV6, &ipv6(0, &extension(TCP, &tcp(1, 2, 0, 0, BAD)))),
    ];
    let told = told(&pcap(&frames));
    has_both(&told);
    told.has_flow(
        0,
        json!({"source": "[fd00::1]:1", "destination": "[fd00::2]:2"}),
    );
    told.has_flow(1, json!({"protocol": "tcp"}));
}

#[test]
fn options_in_headers_are_passed_over() {
    let mut packet = ipv4(UDP, &udp(1, 2, GOOD));
    packet.splice(20..20, [1; 8]);
    packet[0] = 0x47;
    packet[3] += 8;
    let mut segment = tcp(1, 2, 0, 0, BAD);
    segment.splice(20..20, [1; 12]);
    segment[12] = 0x80;
    has_both(&told(&pcap(&[
        ethernet(IPV4, &packet),
        ethernet(IPV4, &ipv4(TCP, &segment)),
    ])));
}
