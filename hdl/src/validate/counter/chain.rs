//! The upper bits of a counter, in carry chains that all take the carry at once.

use crate::verilog::{Body, Statement, bit, bits, concat, name, set, zero};
use std::iter;

/// Bits of a chain at most. A longer one takes longer than the wire of one more carry.
const CHAIN: usize = 8;
/// How many of the upper bits are looked at in the clock after a carry. Those above wait for the eighth carry, and it is time to see in
/// two clocks whether they are ones.
const LOWEST: usize = 3;
const ABOVE: &str =
    "The upper bits above the lowest three are ones. They change with every eighth carry at most.";
const ABOVE_IN_CHAINS: &str = "The upper bits above the lowest three are ones; and for each higher chain, those below it are, but not all from it on. They change with every eighth carry at most.";
const GOES: &str = "The same with the lowest three: that far a carry goes. A clock old: carries come every second clock at most.";
const GOES_THROUGH: &str = "The upper bits are ones, so a carry goes through. A clock old: carries come every second clock at most.";

/// `upper` is `width` bits that take `into_upper`, unless `starts` clears them; `upper_sum` is what they then are. Once all are ones they
/// stay so: a carry goes to `into_over`.
pub fn chains(mut body: Body, width: usize) -> Body {
    let size = width.div_ceil(width.div_ceil(CHAIN));
    let chains: Vec<usize> = (0..width).step_by(size).collect();
    let doc = "The upper bits of the sum so far; all ones once it has saturated.";
    body = body.register("upper", width, doc);
    let ones = |from: usize, to: usize| bits("upper", from, to - from).all();
    let lowest = ones(0, LOWEST.min(width));
    let mut goes = vec![lowest.clone()];
    let mut doc = GOES_THROUGH;
    if width > LOWEST {
        let higher = chains[1..].iter();
        let higher = higher.map(|&chain| ones(LOWEST, chain) & !ones(chain, width));
        let above = iter::once(ones(LOWEST, width)).chain(higher);
        let of_above = if chains.len() > 1 {
            ABOVE_IN_CHAINS
        } else {
            ABOVE
        };
        body = body.later("above", chains.len(), of_above, concat(above));
        let marks = 0..chains.len();
        goes = marks
            .map(|mark| lowest.clone() & bit("above", mark))
            .collect();
        doc = GOES;
    }
    body = body.later("goes", chains.len(), doc, concat(goes));
    let into = || name("into_upper");
    let mut sums = Vec::new();
    for (mark, &chain) in chains.iter().enumerate() {
        let carry = match mark {
            0 => into() & !bit("goes", 0),
            _ => into() & bit("goes", mark),
        };
        let (sum, count) = (format!("sum_from_{chain}"), size.min(width - chain));
        let addend = match count {
            1 => carry,
            _ => concat([carry, zero(count - 1)]),
        };
        body = body.wire(&sum, count, bits("upper", chain, count) + addend);
        sums.push(name(sum));
    }
    body.wire("upper_sum", width, concat(sums))
        .wire("into_over", 1, into() & bit("goes", 0))
        .at_clock(Statement::If {
            test: name("starts"),
            then: vec![set("upper", zero(width))],
            otherwise: vec![set("upper", name("upper_sum"))],
        })
}
