//! How many words of a FIFO are not promised to a beat.
//!
//! Nothing here is more than one LUT4 between registers: what happens in a clock is registered, then what it comes to, and the count has a
//! register between its digits of two bits. So `enough` is six clocks old, and the margin is for those.

use crate::verilog::{Body, Expression, Run, Statement, literal, name, set};
use hdl_macros::{Blank, Block, Described};
use rust_hdl::prelude::*;

/// `tready` falls while fewer words than this are unpromised: seven beats may enter before `tready` shows the first of them,
/// and the beat on the outputs has its word until it leaves, though its credit has come back.
pub const MARGIN: u64 = 8;

/// Digits of the count, each of two bits.
const DIGITS: usize = 4;

/// Counts the FIFO's free words. A beat that enters spends one; it comes back when the FIFO shows the beat, or when it turns
/// out to have nothing to send. `WORDS` is at most 64.
#[derive(Blank, Block, Described)]
pub struct Credits<const WORDS: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub spent: Signal<In, Bit>,
    pub retired: Signal<In, Bit>,
    pub returned: Signal<In, Bit>,
    /// There are as many free words as the margin has, or more.
    pub enough: Signal<Out, Bit>,
    _run: Run,
}

/// What a register is in the next clock, and after a reset.
struct Next(String, Expression, bool);

impl<const WORDS: usize> Credits<WORDS> {
    fn body(&self, mut body: Body) -> Body {
        let [spent, retired, returned] = ["was_spent", "was_retired", "was_returned"].map(name);
        let [step_0, step_1] = ["step_0", "step_1"].map(name);
        let clear = |register: &str, next| Next(register.to_string(), next, false);
        let [one, two] = [retired.clone() ^ returned.clone(), retired & returned];
        let mut all = vec![
            clear("was_spent", name("spent")),
            clear("was_retired", name("retired")),
            clear("was_returned", name("returned")),
            clear("step_0", spent.clone() ^ one.clone()),
            clear("step_1", two ^ (spent & !one)),
        ];
        for digit in 0..DIGITS {
            let of = |what: &str| name(format!("{what}_{digit}"));
            let [bit_0, bit_1] = ["bit_0", "bit_1"].map(of);
            let full = bit_1.clone() & bit_0.clone();
            let empty = !bit_1.clone() & !bit_0.clone();
            let [next_0, next_1, up, down] = if digit == 0 {
                let [by_0, by_1] = [step_0.clone(), step_1.clone()];
                [
                    bit_0.clone() ^ by_0.clone(),
                    bit_1.clone() ^ by_1.clone() ^ (bit_0 & by_0.clone()),
                    (bit_1 & by_1.clone() & !by_0.clone()) | (full & by_0.clone() & !by_1.clone()),
                    empty & by_0 & by_1,
                ]
            } else {
                let [up, down] = ["up", "down"].map(|it| name(format!("{it}_{}", digit - 1)));
                [
                    bit_0.clone() ^ (up.clone() | down.clone()),
                    bit_1 ^ ((bit_0.clone() & up.clone()) | (!bit_0 & down.clone())),
                    up & full,
                    down & empty,
                ]
            };
            let after_reset = |bit: usize| (WORDS as u64 - MARGIN) >> (2 * digit + bit) & 1 == 1;
            all.push(Next(format!("bit_0_{digit}"), next_0, after_reset(0)));
            all.push(Next(format!("bit_1_{digit}"), next_1, after_reset(1)));
            if digit + 1 < DIGITS {
                all.push(Next(format!("up_{digit}"), up, false));
                all.push(Next(format!("down_{digit}"), down, false));
            }
        }
        for Next(register, ..) in &all {
            let doc = match register.as_str() {
                "was_spent" => {
                    "What happened a clock ago: a credit was spent, or has come back in one way or the other."
                }
                "step_0" => "The change of the count: from minus 1 to 2, modulo 4.",
                "bit_0_0" => {
                    "Free words beyond the margin: digits of two bits, the top bit the sign; what goes up and down between them."
                }
                _ => "",
            };
            body = body.register(register, 1, doc);
        }
        let resets = all
            .iter()
            .map(|Next(register, _, one)| set(register, literal(1, u64::from(*one))));
        let resets = resets.collect();
        let moves = all
            .into_iter()
            .map(|Next(register, next, _)| set(register, next));
        let at_clock = Statement::If {
            test: name("reset"),
            then: resets,
            otherwise: moves.collect(),
        };
        let sign = name(format!("bit_1_{}", DIGITS - 1));
        body.at_clock(at_clock).assign("enough", !sign)
    }
}
