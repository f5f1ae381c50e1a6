use super::*;
use crate::bench::random;
use crate::embedded::settle;
use crate::primitives::Cuts;
use crate::primitives::fanout::{Clearing, is_far};
use crate::vector::from_bits;
use rand::Rng;
use rust_hdl::prelude::*;

/// What leaves in a clock: a word of each plane, and whether it is its packet's last.
type Beat = Option<([u64; 9], bool)>;

/// What leaves in each clock, of a stream with idle clocks, resets and unfinished sequences.
fn run<const N: usize, const DATA: usize>(cuts: Cuts, is_2279: bool, clocks: usize) -> Vec<Beat> {
    let clearing = match N {
        ..=4 => Clearing::AtOnce,
        _ if is_far(N) && cuts != Cuts::ALL => Clearing::Later,
        _ => Clearing::Never,
    };
    let rules = Rules {
        strip: true,
        is_2279,
        ..Rules::plain(clearing)
    };
    let mut block = Pieces::<N, DATA>::new(cuts, rules);
    block.connect_all();
    let mut random = random();
    let mut bytes = [
        0xF0, 0x9F, 0x98, 0x80, 0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF, 0xEF, 0xBB, 0xBF, 0x41, 0xC3,
        0x28,
    ]
    .iter()
    .cycle();
    let mut left = Vec::new();
    for clock in 0..clocks {
        let data: Vec<u8> = (0..N)
            .map(|_| match (random.random_range(0..8), bytes.next()) {
                (1.., Some(&byte)) => byte,
                _ => random.random(),
            })
            .collect();
        let last = random.random_bool(0.2);
        let lanes = match last {
            true => random.random_range(0..=N),
            false => N,
        };
        block.reset.next = clock == 0;
        block.valid.next = random.random_bool(0.7);
        block.last.next = last;
        block.data.next = from_bits(|bit| data[bit / 8] >> (bit % 8) & 1 == 1);
        block.keep.next = from_bits(|lane| lane < lanes);
        for clk in [false, true] {
            block.clock.next = Clock { clk };
            settle(&mut block).expect("it settles");
        }
        let planes = [
            &block.present,
            &block.scalar,
            &block.ill,
            &block.kind_0,
            &block.kind_1,
            &block.kind_2,
            &block.second,
            &block.length_1,
            &block.length_2,
        ];
        let present = block.present.val();
        let planes = planes.map(|plane| u64::from(plane.val() & present));
        let last = block.out_last.val();
        left.push(block.out_valid.val().then_some((planes, last)));
    }
    left
}

/// The same beats in the same order, each earlier by what is left out; of lanes that are near to each other and of some that are far.
fn earlier<const N: usize, const DATA: usize>(is_2279: bool, clocks: usize) {
    let all = run::<N, DATA>(Cuts::ALL, is_2279, clocks);
    assert!(all.iter().flatten().count() > clocks / 3);
    let least = (1..=9).chain([11, 12]).collect();
    for gone in [
        vec![2],
        vec![1, 3],
        vec![1, 2, 4, 12],
        vec![9],
        vec![8, 9],
        vec![6, 7, 8],
        vec![5, 6, 7, 8, 9],
        vec![11, 12],
        least,
    ] {
        let fewer = run::<N, DATA>(Cuts::ALL.without(gone.iter().copied()), is_2279, clocks);
        let pairs = fewer[20 - gone.len()..].iter().zip(&all[20..]);
        assert_eq!(
            pairs.clone().position(|(fewer, all)| fewer != all),
            None,
            "{N} lanes without {gone:?}"
        );
    }
}

#[test]
fn without_registers_at_a_stage_all_is_the_same_and_earlier() {
    earlier::<4, 32>(false, 500);
    earlier::<4, 32>(true, 500);
    earlier::<32, 256>(false, 100);
}
