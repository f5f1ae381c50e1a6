use super::*;
use crate::bench::random;
use crate::embedded::settle;
use crate::vector::from_bits;
use rand::Rng;

struct Beat {
    number: u64,
    hide: bool,
    sum: u64,
}

/// A beat in every clock: the sum of its packet so far, with every carry, up to saturation. Most beats are full; up to three bytes
/// wait for the next one.
fn sums(gone: &[i32], lanes: usize, width: usize, packet: u64, beats: usize) {
    let there = Cuts::ALL.without(FIRST_STAGE + lower(lanes, Grammar::Rfc3629) as i32..CARRIED);
    let cuts = there.without(gone.iter().copied());
    let after = |stage: i32| cuts.between(FIRST_STAGE - 1, stage);
    let mut counter = Counter::new(cuts, lanes, width, Grammar::Rfc3629);
    counter.connect_all();
    let (mut random, mut saturated, mut waiting) = (random(), 0, 0);
    let most = u64::MAX >> (64 - width);
    let latency = after(WHOLE + 1);
    assert!(!gone.is_empty() || latency == super::latency(lanes, Grammar::Rfc3629));
    let mut all: Vec<Beat> = Vec::new();
    for clock in 0..beats {
        let before = all.last().map_or(0, |beat| beat.sum);
        let first = clock == 0 || random.random_range(0..packet) == 0;
        let lanes = lanes as u64;
        let bytes = match random.random_bool(0.9) {
            true => lanes,
            false => random.random_range(0..=lanes),
        };
        let waits = random.random_range(0..=3).min(bytes);
        let brings = bytes + if first { 0 } else { waiting } - waits;
        waiting = waits;
        let one = brings > 0 && random.random();
        let number = brings - u64::from(one);
        let sum = if first { 0 } else { before } + brings;
        let hide = random.random_range(0..8) == 0;
        all.push(Beat { number, hide, sum });
        let ago = |clocks: usize| clock.checked_sub(clocks).map(|beat| &all[beat]);
        counter.first.next = first;
        counter.one.next = one;
        counter.number.next = from_bits(|bit| {
            ago(after(FIRST_STAGE - 1 + bit as i32)).is_some_and(|beat| beat.number >> bit & 1 == 1)
        });
        let shows = ago(after(WHOLE)).is_some_and(|beat| !beat.hide);
        counter.shows.next = from_bits(|_| shows);
        counter.clock.next = Clock { clk: false };
        settle(&mut counter).expect("it settles");
        if let Some(beat) = ago(latency) {
            let over = !beat.hide && beat.sum > most;
            let shown = if beat.hide { 0 } else { beat.sum.min(most) };
            assert_eq!(
                counter.value.val().to_u64(),
                shown,
                "{lanes}: clock {clock}"
            );
            assert_eq!(counter.saturated.val(), over, "{lanes}: clock {clock}");
            saturated += usize::from(over);
        }
        counter.clock.next = Clock { clk: true };
        settle(&mut counter).expect("it settles");
    }
    assert!(saturated > 0);
}

#[test]
fn a_packet_is_added_up_and_saturates() {
    for lanes in [1, 2, 4, 8, 64, 128] {
        sums(&[], lanes, 8, 400 / lanes as u64, 4_000);
    }
    sums(&[], 32, 16, 3_000, 10_000);
    sums(&[], 64, 16, 1_500, 10_000);
    sums(&[], 128, 16, 700, 10_000);
    sums(&[], 128, 24, 1 << 20, 200_000);
}

#[test]
fn without_registers_at_a_stage_it_adds_up_the_same() {
    let all: Vec<i32> = (FIRST_STAGE..=WHOLE).collect();
    // In two carry chains.
    sums(&all, 8, 16, 12_000, 30_000);
    let some: [&[i32]; 7] = [
        &[23],
        &[24, 26],
        &[23, 24, 25, 26, 27, 28, 29, 30, 31],
        &[CARRIED],
        &[WHOLE],
        &[25, CARRIED, WHOLE],
        &all,
    ];
    for gone in some {
        for lanes in [1, 2, 8, 128] {
            sums(gone, lanes, 8, 400 / lanes as u64, 1_000);
        }
        sums(gone, 64, 16, 1_500, 4_000);
        sums(gone, 128, 16, 700, 2_000);
    }
}
