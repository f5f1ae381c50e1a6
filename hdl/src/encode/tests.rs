use super::axis::{ADDRESS_BITS, EncodeAxis};
use super::places::sum_bits;
use super::units::UPPER_BITS;
use super::words::{MARKS, MOST_MARKS, WordRule};
use crate::backpressure::fifo::part_bits;
use crate::bench::random;
use crate::config::Policy;
use crate::embedded::{encoder, settle};
use crate::primitives::Cuts;
use crate::validate::pass::bytes::beat_bits as pass_bits;
use crate::vector::from_bits;
use rand::Rng;
use rust_hdl::prelude::*;
use std::collections::VecDeque;

/// A packet's verdict: bytes, words before the first ill-formed one, words, ill-formed ones, and the flags.
type Verdict = [u32; 5];

/// The bytes of a value of up to 31 bits (RFC 2279 section 2).
fn bytes_of(value: u32) -> Vec<u8> {
    let later = |count: u32| {
        (0..count)
            .rev()
            .map(move |at| 0x80 | (value >> (6 * at)) as u8 & 0x3F)
    };
    let Some(length) = (2..=6).find(|length| value >> (5 * length + 1) == 0) else {
        unreachable!("it has more bits");
    };
    match value {
        ..0x80 => vec![value as u8],
        _ => {
            let first = !(0xFF_u8 >> length) | (value >> (6 * (length - 1))) as u8;
            [first].into_iter().chain(later(length - 1)).collect()
        }
    }
}

/// What becomes of the words of a packet, of which the greatest scalar value is `most`.
fn encoded(words: &[u32], omits: bool, most: u32) -> (Vec<u8>, Verdict) {
    let fault = |word: u32| match word {
        0xD800..=0xDFFF => 4,
        _ if word > most => 5,
        _ => 0,
    };
    let text: Vec<u8> = (words.iter())
        .filter_map(|&word| {
            (fault(word) == 0)
                .then_some(word)
                .or((!omits).then_some(0xFFFD))
        })
        .flat_map(bytes_of)
        .collect();
    let ill = words.iter().filter(|&&word| fault(word) != 0).count();
    let first = words.iter().position(|&word| fault(word) != 0);
    let kind = first.map_or(0, |first| fault(words[first]) << 4);
    let number = |count: usize| count as u32;
    let verdict = [
        number(text.len()),
        number(first.unwrap_or(words.len())),
        number(words.len()),
        number(ill),
        u32::from(first.is_none()) | kind,
    ];
    (text, verdict)
}

/// Random words in some lanes of each beat, with idles, stalls and a reset: every packet's bytes, dense, and its verdict.
macro_rules! check {
    ($n:literal, $widths:tt, $most:literal, $omits:expr, $stalls:expr, $clocks:expr) => {{
        const N: usize = $n;
        let mut block = encoder!(N, 32, $widths)(
            Cuts::ALL,
            WordRule {
                omits: $omits,
                swaps: false,
            },
            false,
            Policy::default(),
            32,
        );
        block.connect_all();
        let mut random = random();
        let (mut words, mut expected): (Vec<u32>, VecDeque<_>) = Default::default();
        let (mut bytes, mut verdicts) = (Vec::new(), VecDeque::new());
        let mut due: VecDeque<Verdict> = VecDeque::new();
        let (mut offered, mut checked) = (None, 0);
        for clock in 0..$clocks {
            let reset = clock == 0 || clock == $clocks / 2;
            let ending = clock + 400 > $clocks;
            if offered.is_none() && !ending && random.random_bool(0.8) {
                let keep: u32 = match random.random_range(0..3) {
                    0 => random.random(),
                    1 => 0,
                    _ => u32::MAX,
                };
                let last = random.random_bool(0.2);
                let data: [u32; N] = std::array::from_fn(|_| match random.random_range(0..9) {
                    0 => random.random(),
                    1 => random.random_range(0xD7F0..0xE010),
                    2 => random.random_range($most - 0x10..$most + 0x10),
                    3 => random.random_range(0xFFF0..0x1_0010),
                    4 => random.random_range(0x7F0..0x810),
                    5 => random.random_range(0x1_0000..=$most) >> random.random_range(0..8),
                    _ => random.random_range(0..0x90),
                });
                offered = Some((data, keep & ((1 << N) - 1), last));
            }
            block.rst.next = reset;
            block.s_axis_tvalid.next = offered.is_some();
            if let Some((data, keep, last)) = &offered {
                block.s_axis_tdata.next = from_bits(|bit| data[bit / 32] >> (bit % 32) & 1 == 1);
                block.s_axis_tkeep.next = from_bits(|bit| keep >> (bit / 4) & 1 == 1);
                block.s_axis_tlast.next = *last;
            }
            let ready = random.random_bool(if ending { 1.0 } else { $stalls });
            block.m_axis_tready.next = ready;
            block.m_axis_verdict_tready.next = ready;
            block.clk.next = Clock { clk: false };
            settle(&mut block).expect("it settles");
            if block.s_axis_tready.val() && offered.is_some() && !reset {
                let (data, keep, last) = offered.take().expect("a beat");
                words.extend(
                    (0..N)
                        .filter(|lane| keep >> lane & 1 == 1)
                        .map(|lane| data[lane]),
                );
                if last {
                    let (bytes, verdict) = encoded(&std::mem::take(&mut words), $omits, $most);
                    expected.push_back(bytes);
                    due.push_back(verdict);
                }
            }
            if block.m_axis_tvalid.val() && ready && !reset {
                let keep = block.m_axis_tkeep.val().to_u64();
                let (data, last) = (block.m_axis_tdata.val(), block.m_axis_tlast.val());
                assert!(last || keep == (1 << N) - 1, "a partial beat");
                for lane in 0..N {
                    let byte = data.get_bits::<8>(8 * lane).to_u64() as u8;
                    match keep >> lane & 1 {
                        1 => bytes.push(byte),
                        _ => assert_eq!(byte, 0),
                    }
                }
                assert_eq!(keep & (keep + 1), 0, "a hole");
                if last {
                    assert_eq!(Some(std::mem::take(&mut bytes)), expected.pop_front());
                    checked += 1;
                }
            }
            if block.m_axis_verdict_tvalid.val() && ready && !reset {
                let fields = block.m_axis_verdict.val();
                let word = |low| fields.get_bits::<32>(low).to_u64() as u32;
                verdicts.push_back([0, 32, 64, 96, 128].map(word));
            }
            if reset {
                expected.clear();
                due.clear();
                verdicts.clear();
                bytes.clear();
                words.clear();
            }
            while let (Some(_), Some(_)) = (due.front(), verdicts.front()) {
                assert_eq!(verdicts.pop_front(), due.pop_front(), "clock {clock}");
            }
            block.clk.next = Clock { clk: true };
            settle(&mut block).expect("it settles");
        }
        assert_eq!((expected.len(), due.len()), (0, 0));
        assert!(checked > $clocks / 50, "{checked}");
    }};
}

#[test]
fn words_become_bytes() {
    check!(1, [21, MARKS, 5, 2], 0x10_FFFF_u32, false, 0.9, 2_000);
    check!(8, [21, MARKS, 5, 2], 0x10_FFFF_u32, true, 0.5, 1_000);
}

#[test]
fn words_of_31_bits_become_up_to_six_bytes() {
    check!(
        2,
        [31, MOST_MARKS, MOST_MARKS, 3],
        0x7FFF_FFFF_u32,
        false,
        0.9,
        3_000
    );
}
