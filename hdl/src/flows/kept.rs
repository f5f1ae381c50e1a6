//! The bytes that are kept of a flow: what is kept behind a beat, the next beat with them in front, and whether that begins with a
//! signature.
//!
//! # Reset
//! None.

use super::tail::{TAIL, TAIL_BITS};
use crate::primitives::wires::from_bits;
use hdl_macros::{Blank, Block};
use rust_hdl::prelude::*;

/// Bits that are kept of a flow: three bytes, the last one uppermost, and for each whether there is one, the last one's lowest.
pub const KEPT: usize = TAIL_BITS + TAIL;

/// The last three bytes of what is kept and of a beat's bytes.
///
/// It is in the table's loop, so it needs no more than two LUTs with the choice of what is kept: `keeps` has a bit for each number of bytes by
/// which that is shifted, and what is chosen is masked by it in the same LUT.
#[derive(Block, Blank)]
pub struct Append {
    /// What is kept of the flow.
    pub kept: Signal<In, Bits<KEPT>>,
    /// The beat's last bytes.
    pub tail: Signal<In, Bits<TAIL_BITS>>,
    /// It has one, two, three bytes at least, and something is kept behind it.
    pub adds: Signal<In, Bits<TAIL>>,
    /// What is kept counts, and goes on being kept behind none, one, two bytes of the beat.
    pub keeps: Signal<In, Bits<TAIL>>,
    /// What is kept from now on.
    pub y: Signal<Out, Bits<KEPT>>,
}

impl Logic for Append {
    fn update(&mut self) {
        let (kept, tail) = (self.kept.val(), self.tail.val());
        let (adds, keeps) = (self.adds.val(), self.keeps.val());
        let new = (0..TAIL).filter(|&byte| adds.get_bit(byte)).count();
        let shift = (0..TAIL).find(|&shift| keeps.get_bit(shift));
        let there = match shift {
            Some(_) => (0..TAIL)
                .filter(|&byte| kept.get_bit(TAIL_BITS + byte))
                .count(),
            None => 0,
        };
        self.y.next = from_bits(|bit| match (bit, shift) {
            (TAIL_BITS.., _) => bit - TAIL_BITS < new + there,
            _ if bit + 8 * new >= TAIL_BITS => tail.get_bit(bit),
            (_, Some(_)) => kept.get_bit(bit + 8 * new),
            _ => false,
        });
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        // Each byte, and whether there is one: the beat's own, or the one that comes to its place.
        let place = |own: String, own_is_there: usize, places: &[String]| {
            let all = std::iter::once((own, format!("adds[{own_is_there}]"))).chain(
                places
                    .iter()
                    .cloned()
                    .enumerate()
                    .map(|(shift, place)| (place, format!("keeps[{shift}]"))),
            );
            let wide: Vec<String> = all
                .map(|(bits, mask)| format!("({{8{{{mask}}}}} & {bits})"))
                .collect();
            wide.join(" | ")
        };
        let byte = |name: &str, index: usize| format!("{name}[{}:{}]", 8 * index + 7, 8 * index);
        let bytes = (0..TAIL).map(|index| {
            let places: Vec<String> = (index..TAIL).map(|from| byte("kept", from)).collect();
            format!(
                "wire [7:0] byte_{index} = {};\n",
                place(byte("tail", index), TAIL - 1 - index, &places)
            )
        });
        let there = (0..TAIL).map(|index| {
            let places = (0..=index)
                .map(|shift| format!(" | (kept[{}] & keeps[{shift}])", TAIL_BITS + index - shift));
            format!(
                "wire there_{index} = adds[{index}]{};\n",
                places.collect::<String>()
            )
        });
        Verilog::Custom(format!(
            "{}{}assign y = {{there_2, there_1, there_0, byte_2, byte_1, byte_0}};\n",
            bytes.collect::<String>(),
            there.collect::<String>(),
        ))
    }
}

/// A beat with the three bytes before it as lanes below its own; bit 0 of `there` says that there is the last of these. `M` is three
/// more than `N`, and `WIDE` is `8 * M`.
#[derive(Block, Blank)]
pub struct Prepend<const N: usize, const DATA: usize, const M: usize, const WIDE: usize> {
    pub kept: Signal<In, Bits<KEPT>>,
    pub data: Signal<In, Bits<DATA>>,
    pub keep: Signal<In, Bits<N>>,
    pub out_data: Signal<Out, Bits<WIDE>>,
    pub out_keep: Signal<Out, Bits<M>>,
}

impl<const N: usize, const DATA: usize, const M: usize, const WIDE: usize> Logic
    for Prepend<N, DATA, M, WIDE>
{
    fn update(&mut self) {
        const { assert!(M == N + TAIL && DATA == 8 * N && WIDE == 8 * M) }
        let (kept, data, keep) = (self.kept.val(), self.data.val(), self.keep.val());
        self.out_data.next = from_bits(|bit| match bit {
            TAIL_BITS.. => data.get_bit(bit - TAIL_BITS),
            _ => kept.get_bit(bit),
        });
        self.out_keep.next = from_bits(|lane| match lane {
            TAIL.. => keep.get_bit(lane - TAIL),
            _ => kept.get_bit(TAIL_BITS + TAIL - 1 - lane),
        });
    }

    fn connect(&mut self) {
        self.out_data.connect();
        self.out_keep.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "assign out_data = {data, kept[23:0]};\nassign out_keep = {keep, kept[24], kept[25], kept[26]};\n"
                .to_string(),
        )
    }
}

/// Whether a message's first three bytes, EF BB BF, end in a beat that comes with the three bytes before it; two clocks later.
#[derive(Block, Blank)]
pub struct Opening<const M: usize, const WIDE: usize> {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<WIDE>>,
    pub keep: Signal<In, Bits<M>>,
    pub y: Signal<Out, Bit>,
    _before: bool,
    _found: bool,
}

impl<const M: usize, const WIDE: usize> Opening<M, WIDE> {
    /// The lanes in which the message can begin: in its own beat it is the lowest.
    fn starts() -> impl Iterator<Item = usize> {
        (1..=TAIL).filter(|start| start + TAIL <= M)
    }
}

impl<const M: usize, const WIDE: usize> Logic for Opening<M, WIDE> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (data, keep) = (self.data.val(), self.keep.val());
            let byte = |lane: usize| {
                (0..8).fold(0, |byte, bit| {
                    byte | u8::from(data.get_bit(8 * lane + bit)) << bit
                })
            };
            self._found = self._before;
            self._before = Self::starts().any(|start| {
                let bytes = [byte(start), byte(start + 1), byte(start + 2)];
                !keep.get_bit(start - 1) && keep.get_bit(start + 2) && bytes == [0xEF, 0xBB, 0xBF]
            });
        }
        self.y.next = self._found;
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        let parts = Self::starts().map(|start| {
            let byte = |index: usize| {
                let low = 8 * (start + index);
                format!("data[{}:{low}]", low + 7)
            };
            format!(
                "is_{start} <= {{{} == 8'hbf & keep[{}], {} == 8'hbb & ~keep[{}], {} == 8'hef}};\n",
                byte(2),
                start + 2,
                byte(1),
                start - 1,
                byte(0),
            )
        });
        let registers = Self::starts()
            .map(|start| format!("reg [2:0] is_{start};\ninitial is_{start} = 3'h0;\n"));
        let found: Vec<String> = Self::starts().map(|start| format!("&is_{start}")).collect();
        Verilog::Custom(format!(
            "{}reg found;\ninitial found = 1'b0;\nwire unused = &{{1'b0, data, keep}};\n\
             always @(posedge clock) begin\n{}found <= {};\nend\nassign y = found;\n",
            registers.collect::<String>(),
            parts.collect::<String>(),
            found.join(" | ")
        ))
    }
}
