use super::*;
use crate::bench::random;
use crate::embedded::settle;
use crate::primitives::Cuts;
use rand::Rng;

type Four = Pieces<4, 32>;

/// What leaves in each clock, of a stream with idle clocks and unfinished sequences.
fn run(cuts: Cuts, clocks: usize) -> Vec<Option<[u64; 9]>> {
    let mut block = Four::new(cuts, true, true);
    block.connect_all();
    let mut random = random();
    let mut bytes = [0xF0, 0x9F, 0x98, 0x80, 0xEF, 0xBB, 0xBF, 0x41, 0xC3, 0x28]
        .iter()
        .cycle();
    let mut left = Vec::new();
    for clock in 0..clocks {
        let data = (0..4).fold(0u64, |data, _| {
            match (random.random_range(0..8), bytes.next()) {
                (1.., Some(&byte)) => data << 8 | byte,
                _ => data << 8 | random.random_range(0..256),
            }
        });
        let last = random.random_bool(0.2);
        let keep = if last {
            (1u64 << random.random_range(0..5)) - 1
        } else {
            15
        };
        block.reset.next = clock == 0;
        block.valid.next = random.random_bool(0.7);
        block.last.next = last;
        block.data.next = data.into();
        block.keep.next = keep.into();
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
        ];
        let present = block.present.val();
        let planes = planes.map(|plane| u64::from(plane.val() & present));
        let last = u64::from(block.out_last.val());
        let all = std::array::from_fn(|index| planes.get(index).copied().unwrap_or(last));
        left.push(block.out_valid.val().then_some(all));
    }
    left
}

/// The same beats in the same order, each earlier by what is left out.
#[test]
fn without_registers_at_a_stage_all_is_the_same_and_earlier() {
    let all = run(Cuts::ALL, 3000);
    assert!(all.iter().flatten().count() > 1000);
    for (gone, clocks) in [(vec![2], 1), (vec![1, 3], 2), (vec![1, 2, 4, 12], 4)] {
        let fewer = run(Cuts::ALL.without(gone.iter().copied()), 3000);
        let pairs = fewer[20 - clocks..].iter().zip(&all[20..]);
        assert_eq!(
            pairs.clone().position(|(fewer, all)| fewer != all),
            None,
            "without {gone:?}"
        );
    }
}
