//! Blocks of pcapng that are not what they say: each costs its own frames, and no others.

use super::files::{ETHERNET, Order, block, enhanced, interface, section};
use super::frames::datagram;
use super::told;
use crate::support::{Place, refuses};

const ORDERS: [Order; 2] = [Order::Little, Order::Big];
/// A link type that is not known: IEEE 802.11.
const WIRELESS: u16 = 105;

fn of_ethernet(order: Order) -> Vec<u8> {
    interface(order, ETHERNET as u16, 0, &[])
}

fn frame(order: Order, interface: u32, frame: &[u8]) -> Vec<u8> {
    enhanced(order, interface, 0, frame.len(), frame)
}

#[test]
fn a_length_within_a_block_that_leads_out_of_it() {
    for order in ORDERS {
        for length in [61_u32, 1000, u32::MAX] {
            let mut lying = frame(order, 0, &datagram(2, "b"));
            lying[20..24].copy_from_slice(&order.u32(length));
            let before = [section(order), of_ethernet(order)].concat();
            let (first, last) = (
                frame(order, 0, &datagram(1, "a")),
                frame(order, 0, &datagram(3, "c")),
            );
            let told = told(&[before, first, lying, last].concat());
            told.has_packets(&["a", "c"])
                .has_frames(2, &[("unreadable", 1)]);
            assert!(told.0["capture"]["cut"].is_null());
            let frames: Vec<_> = (0..2)
                .map(|at| told.0["packets"][at]["frame"].clone())
                .collect();
            assert_eq!(frames, [1, 3], "as other tools count");
        }
    }
}

#[test]
fn a_block_that_does_not_end_where_it_says() {
    for order in ORDERS {
        let before = [
            section(order),
            of_ethernet(order),
            frame(order, 0, &datagram(1, "a")),
        ]
        .concat();
        let lying = frame(order, 0, &datagram(2, "b"));
        let last = frame(order, 0, &datagram(3, "c"));
        let length = lying.len() as u32;
        // Where the next one begins cannot be known.
        for (at, length) in [
            (4, 0),
            (4, 8),
            (4, length - 1),
            (4, length + 4),
            (lying.len() - 4, length + 4),
        ] {
            let mut lying = lying.clone();
            lying[at..at + 4].copy_from_slice(&order.u32(length));
            let told = told(&[&before[..], &lying, &last].concat());
            told.has_packets(&["a"]).has_frames(1, &[]);
            assert_eq!(told.0["capture"]["cut"]["at"], before.len());
        }
    }
}

#[test]
fn an_interface_whose_link_type_is_not_known() {
    let place = Place::new();
    for order in ORDERS {
        let both = [
            section(order),
            interface(order, WIRELESS, 0, &[]),
            of_ethernet(order),
        ]
        .concat();
        let used = frame(order, 1, &datagram(1, "a"));
        told(&[&both[..], &used].concat())
            .has_packets(&["a"])
            .has_frames(1, &[]);
        let other = frame(order, 0, &[0x88; 40]);
        told(&[&both[..], &other, &used, &other].concat())
            .has_packets(&["a"])
            .has_frames(1, &[("unknown_link", 2)]);
        // Of no interface at all nothing is known, whatever is damaged behind it.
        let alone = [section(order), interface(order, WIRELESS, 0, &[])].concat();
        for rest in [&other[..], &other[..20]] {
            place.write("a.pcap", [&alone, rest].concat());
            refuses(&place, "sim --pcap a.pcap", &["link type is 105"]);
        }
        place.write("a.pcap", [&both[..], &other].concat());
        let parts = ["1 frame: 0 used, 1 of an interface whose link type is not known"];
        refuses(&place, "sim --pcap a.pcap", &parts);
        // What is known in another section is known.
        let sections = [
            section(order),
            interface(order, WIRELESS, 0, &[]),
            other,
            section(order),
            of_ethernet(order),
            frame(order, 0, &datagram(1, "a")),
        ];
        told(&sections.concat())
            .has_packets(&["a"])
            .has_frames(1, &[("unknown_link", 1)]);
    }
}

#[test]
fn an_interface_that_cannot_be_understood() {
    for order in ORDERS {
        let file = [
            section(order),
            block(order, 1, &[0; 4]),
            of_ethernet(order),
            frame(order, 0, &datagram(1, "a")),
            frame(order, 1, &datagram(2, "b")),
        ];
        // The others keep their numbers.
        told(&file.concat())
            .has_packets(&["b"])
            .has_frames(1, &[("unreadable", 1)]);
    }
}
