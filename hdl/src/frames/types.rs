//! Ethernet's types: tags, and what is after them.

use super::head::{FROM, HEAD_BITS};
use crate::verilog::{Body, Run, bit, bits, concat, literal};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// Bytes of a tag.
pub const TAG: usize = 4;
/// The halves of Ethernet's types that are looked for.
const HIGH: [u64; 5] = [0x81, 0x88, 0x91, 0x08, 0x86];
const LOW: [u64; 3] = [0x00, 0xA8, 0xDD];

/// Which of these the halves of the types in each place are, each bit for no tag, one and two.
#[derive(Block, Blank, Described)]
pub struct Halves {
    pub bytes: Signal<In, Bits<HEAD_BITS>>,
    pub high: Signal<Out, Bits<15>>,
    pub low: Signal<Out, Bits<9>>,
    _run: Run,
}

impl Halves {
    fn body(&self, body: Body) -> Body {
        let each = |values: &[u64], half: usize| {
            concat(values.iter().flat_map(|&value| {
                (0..3).map(move |place| {
                    let at = 8 * (12 + TAG * place + half - FROM);
                    bits("bytes", at, 8).equals(literal(8, value))
                })
            }))
        };
        body.assign("high", each(&HIGH, 0))
            .assign("low", each(&LOW, 1))
    }
}

/// What Ethernet's types may be: in each place whether it is a tag, IPv4 or IPv6.
#[derive(Block, Blank, Described)]
pub struct Types {
    pub high: Signal<In, Bits<15>>,
    pub low: Signal<In, Bits<9>>,
    /// Which of them have come.
    pub has: Signal<In, Bits<4>>,
    pub tag: Signal<Out, Bits<3>>,
    pub ipv4: Signal<Out, Bits<3>>,
    pub ipv6: Signal<Out, Bits<3>>,
    _run: Run,
}

impl Types {
    fn body(&self, body: Body) -> Body {
        let half = |net, all: &[u64], value, place| {
            let of = all.iter().position(|&it| it == value);
            bit(net, 3 * of.expect("it is looked for") + place)
        };
        let each = |values: &[u64]| {
            concat((0..3).map(|place| {
                let is = |value: &u64| {
                    half("high", &HIGH, value >> 8, place) & half("low", &LOW, value & 0xFF, place)
                };
                let any = values.iter().map(is).reduce(|any, one| any | one);
                bit("has", place) & any.expect("there is one")
            }))
        };
        body.assign("tag", each(&[0x8100, 0x88A8, 0x9100]))
            .assign("ipv4", each(&[0x0800]))
            .assign("ipv6", each(&[0x86DD]))
    }
}

/// Keeps the one bit that belongs to the number of tags: none, one or two.
#[derive(Block, Blank, Described)]
pub struct AfterTags {
    pub tag: Signal<In, Bits<3>>,
    pub x: Signal<In, Bits<3>>,
    pub y: Signal<Out, Bits<3>>,
    _run: Run,
}

impl AfterTags {
    fn body(&self, body: Body) -> Body {
        let [first, second] = [0, 1].map(|place| bit("tag", place));
        let counts = [
            !first.clone(),
            first.clone() & !second.clone(),
            first & second,
        ];
        let after = counts.into_iter().enumerate();
        let after = after.map(|(tags, counts)| counts & bit("x", tags));
        body.assign("y", concat(after.collect::<Vec<_>>()))
    }
}
