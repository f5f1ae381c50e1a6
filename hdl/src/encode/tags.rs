//! What is known of the quarters of a bank: the lanes that have a byte, whether a quarter is its packet's last, and its side signals.
//!
//! # Latency
//! It is written five clocks after it comes, which is before the quarter's bytes.
//!
//! # Reset
//! None: it is looked at only of a quarter that is complete.

use super::bank::{Bank, COUNT_BITS};
use crate::verilog::{
    Body, Expression, Operator, Sideband, bit, bits, concat, literal, name, repeat, when, width,
    write, zero,
};

impl<const N: usize, const DATA: usize> Bank<N, DATA> {
    /// What is known of the quarters that a beat completes, written where it belongs.
    pub(super) fn tags(&self, mut body: Body) -> Body {
        let (kept_bits, most) = (kept_bits(N), self.most());
        let side_bits = width::<Sideband>();
        // For each of the first quarters: is it completed, and is it the last of its packet?
        let more = (0..most).map(|than| above("completes", COUNT_BITS, than));
        let lasts = (1..=most).map(|count| {
            let is_count = name("completes").equals(literal(COUNT_BITS, count as u64));
            is_count & name("ends")
        });
        let mut doc = "Of the first quarters that may be completed: whether each is, and whether it is its packet's last; a clock later.";
        for (register, width, value) in [
            ("more", most, concat(more)),
            ("lasts", most, concat(lasts)),
            ("more_late", most, name("more")),
            ("lasts_late", most, name("lasts")),
        ] {
            body = body.later(register, width, std::mem::take(&mut doc), value);
        }
        let lanes = (0..N).map(|lane| above("kept_2", kept_bits, lane));
        doc = "What is known of all, one to three clocks later; the lanes that have a byte in a packet's last quarter.";
        for (register, width, value) in [
            ("first_late", 7, name("first")),
            ("kept_1", kept_bits, bits("kept", 0, kept_bits)),
            ("kept_2", kept_bits, name("kept_1")),
            ("lanes_3", N, concat(lanes)),
            ("side_1", side_bits, name("side")),
            ("side_2", side_bits, name("side_1")),
            ("side_3", side_bits, name("side_2")),
            ("side_4", side_bits, name("side_3")),
        ] {
            body = body.later(register, width, std::mem::take(&mut doc), value);
        }
        for part in 0..self.parts() {
            let of = |what: &str| format!("{what}_{part}");
            let is = |ahead: usize| name(of("ahead")).equals(literal(COUNT_BITS, ahead as u64));
            let any = |marks: &str| {
                let all = (0..most).map(|index| bit(of("is"), index) & bit(marks, index));
                Expression::join(Operator::Or, all).expect("there are some")
            };
            let quarter = name("first_late") + concat([name(of("ahead")), zero(4)]);
            let every_lane = repeat(N, !name(of("is_last")));
            let tag = concat([name("lanes_3") | every_lane, name(of("is_last"))]);
            body = body
                .later(
                    of("ahead"),
                    COUNT_BITS,
                    "How far the part's next quarter is from the first that is completed, as a number and one of five; where it is written.",
                    bits("ahead", COUNT_BITS * part, COUNT_BITS),
                )
                .later(of("is"), most, "", concat((0..most).map(is)))
                .wire(of("quarter"), 7, quarter)
                .later(of("address"), 4, "", bits(of("quarter"), 3, 4))
                .later(of("address_late"), 4, "", name(of("address")))
                .later(of("comes"), 1, "", any("more_late"))
                .later(of("is_last"), 1, "", any("lasts_late"))
                .later(of("write_address"), 4, "", name(of("address_late")))
                .later(of("writes"), 1, "", name(of("comes")))
                .later(of("tag"), N + 1, "", tag)
                .memory(
                    of("tags"),
                    N + 1,
                    16,
                    "The lanes of a quarter that have a byte, and whether it is its packet's last; its side signals. Never reset.",
                )
                .memory(of("sides"), side_bits, 16, "")
                .at_clock(when(
                    name(of("writes")),
                    vec![
                        write(of("tags"), name(of("write_address")), name(of("tag"))),
                        write(of("sides"), name(of("write_address")), name("side_4")),
                    ],
                ));
        }
        body
    }
}

/// Bits of a number of bytes of a quarter.
const fn kept_bits(lanes: usize) -> usize {
    lanes.ilog2() as usize + 1
}

/// Whether the lowest bits of a net, as a number, are above another number.
pub(super) fn above(of: &str, width: usize, number: usize) -> Expression {
    let all_from = |low: usize| {
        let ones = (low..width).filter(|index| number >> index & 1 == 1);
        ones.map(|index| bit(of, index))
    };
    // It has a one where the number has none, and all of its ones above there.
    let places = (0..width).filter(|index| number >> index & 1 == 0);
    let above = places.map(|low| all_from(low).fold(bit(of, low), |all, it| all & it));
    Expression::join(Operator::Or, above).unwrap_or(zero(1))
}
