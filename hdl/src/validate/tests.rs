use super::*;
use crate::bench::random;
use crate::embedded::settle;
use crate::primitives::Cuts;
use crate::vector::from_bits;
use rand::Rng;

/// The verdicts that are shown in each clock, of short packets with idle clocks and unfinished sequences.
fn run<const N: usize, const DATA: usize>(cuts: Cuts, clocks: usize) -> Vec<Option<[u32; 5]>> {
    let mut block = Validate::<N, DATA, 0>::new(cuts, 8, Grammar::Rfc2279, Policy::default());
    block.connect_all();
    let mut random = random();
    let mut bytes = [0xF0, 0x9F, 0x98, 0x80, 0xEF, 0xBB, 0xBF, 0x41, 0xC3, 0xA4]
        .iter()
        .cycle();
    let mut shown = Vec::new();
    for clock in 0..clocks {
        let last = random.random_bool(0.1);
        let lanes = match last {
            true => random.random_range(0..=N),
            false => N,
        };
        let data: Vec<u8> = (0..N)
            .map(|_| match (random.random_range(0..40), bytes.next()) {
                (1.., Some(&byte)) => byte,
                _ => random.random(),
            })
            .collect();
        block.reset.next = clock == 0;
        block.looks.next = true;
        block.valid.next = random.random_bool(0.8);
        block.last.next = last;
        block.data.next = from_bits(|bit| data[bit / 8] >> (bit % 8) & 1 == 1);
        block.keep.next = from_bits(|lane| lane < lanes);
        for clk in [false, true] {
            block.clock.next = Clock { clk };
            settle(&mut block).expect("it settles");
        }
        let fields = block.out_verdict.val();
        let word = |low| fields.get_bits::<32>(low).to_u64() as u32;
        let words = [0, 32, 64, 96, 128].map(word);
        shown.push(block.out_valid.val().then_some(words));
    }
    shown
}

/// The same verdicts, each earlier by what is left out.
fn earlier<const N: usize, const DATA: usize>(clocks: usize) {
    let all = run::<N, DATA>(Cuts::ALL, clocks);
    assert!(all.iter().flatten().count() > clocks / 20);
    let there = verdict::stages(Cuts::ALL, N, Grammar::Rfc2279);
    let least: Vec<i32> = (1..=33).filter(|stage| ![10, 21].contains(stage)).collect();
    for gone in [
        vec![2, 13, 20],
        vec![14, 21, 22],
        vec![20, 23, 32],
        vec![15, 22, 24, 33],
        vec![8, 9, 11, 12, 13, 14, 15, 20, 21, 22],
        (22..=33).collect(),
        least,
    ] {
        let cuts = Cuts::ALL.without(gone.iter().copied());
        let less =
            there.between(-1, 34) - verdict::stages(cuts, N, Grammar::Rfc2279).between(-1, 34);
        let fewer = run::<N, DATA>(cuts, clocks);
        let pairs = fewer[40 - less..].iter().zip(&all[40..]);
        assert_eq!(
            pairs.clone().position(|(fewer, all)| fewer != all),
            None,
            "{N} lanes without {gone:?}"
        );
    }
}

#[test]
fn without_registers_at_a_stage_the_verdicts_are_the_same_and_earlier() {
    earlier::<1, 8>(1000);
    earlier::<8, 64>(150);
}
