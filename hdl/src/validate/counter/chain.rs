//! The upper bits of a counter, in carry chains that all take the carry at once.

use crate::verilog::{Body, Statement, bit, bits, concat, name, set, zero};
use std::iter;

/// Bits of a chain at most. A longer one takes longer than the wire of one more carry.
const CHAIN: usize = 8;
/// How many of the upper bits are looked at in the clock after a carry. Those above wait for the eighth carry, and it is time to see in
/// two clocks whether they are ones.
const LOWEST: usize = 3;
const ABOVE: &str = "Whether a carry that has come through the lowest three goes through all, and whether it comes to each higher chain, but not through all.";
const GOES: &str = "The same of a carry that comes to the lowest.";

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
    if width > LOWEST {
        let higher = chains[1..].iter();
        let higher = higher.map(|&chain| ones(LOWEST, chain) & !ones(chain, width));
        let above = iter::once(ones(LOWEST, width)).chain(higher);
        body = body.later("above", chains.len(), ABOVE, concat(above));
        let marks = 0..chains.len();
        goes = marks
            .map(|mark| lowest.clone() & bit("above", mark))
            .collect();
    }
    body = body.later("goes", chains.len(), GOES, concat(goes));
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
