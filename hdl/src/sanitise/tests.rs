use super::*;
use crate::bench::random;
use crate::embedded::settle;
use crate::primitives::Cuts;
use crate::vector::from_bits;
use rand::Rng;
use std::collections::VecDeque;

/// A packet with a question mark for each byte of an ill-formed piece, and as Rust's own decoder repairs it.
fn repaired(packet: &[u8], strips: bool) -> (Vec<u8>, String) {
    let ascii = packet.utf8_chunks().flat_map(|chunk| {
        let marks = vec![b'?'; chunk.invalid().len()];
        [chunk.valid().as_bytes().to_vec(), marks].concat()
    });
    let text = String::from_utf8_lossy(packet);
    let text = match strips {
        true => text.strip_prefix('\u{FEFF}').unwrap_or(&text),
        false => &text,
    };
    (ascii.collect(), text.to_string())
}

/// What the core puts out of random packets, with idle clocks and resets, is what becomes of them.
fn check<const N: usize, const DATA: usize>(strips: bool, clocks: usize) {
    let mut block = Sanitise::<N, DATA>::new(Cuts::ALL, strips, 32, Policy::default());
    block.connect_all();
    let mut random = random();
    let sequences = [
        0xEF, 0xBB, 0xBF, 0xF0, 0x9F, 0x98, 0x80, 0x41, 0xC3, 0xA4, 0xE2, 0x82, 0xAC,
    ];
    let mut bytes = sequences.iter().cycle();
    let (mut packet, mut due) = (Vec::new(), VecDeque::new());
    let (mut ascii, mut fffd) = (Vec::new(), Vec::new());
    let mut checked = 0;
    for clock in 0..clocks {
        let reset = clock == 0 || random.random_bool(0.002);
        let last = random.random_bool(0.15);
        let lanes = match last {
            true => random.random_range(0..=N),
            false => N,
        };
        let data: Vec<u8> = (0..N)
            .map(|_| match random.random_range(0..8) {
                0 => *bytes.by_ref().nth(1).expect("it is endless"),
                1 if random.random_bool(0.3) => random.random(),
                _ => *bytes.next().expect("it is endless"),
            })
            .collect();
        let valid = random.random_bool(0.7);
        block.reset.next = reset;
        block.valid.next = valid;
        block.last.next = last;
        block.data.next = from_bits(|bit| data[bit / 8] >> (bit % 8) & 1 == 1);
        block.keep.next = from_bits(|lane| lane < lanes);
        block.clock.next = Clock { clk: false };
        settle(&mut block).expect("it settles");
        if block.out_valid.val() {
            let plane = |index: usize| block.repaired.val().get_bit(index);
            let came = |index: usize| block.bytes.val().get_bit(index);
            let [keep, one, three] =
                [&block.out_keep, &block.one, &block.three].map(|lanes| lanes.val().to_u64());
            for lane in 0..N {
                let byte = |bit: &dyn Fn(usize) -> bool| {
                    (0..8).fold(0_u8, |byte, plane| {
                        byte | u8::from(bit(N * plane + lane)) << plane
                    })
                };
                let is = |lanes: u64| lanes >> lane & 1 == 1;
                match is(keep) {
                    true => ascii.push(byte(&plane)),
                    false => assert_eq!(byte(&plane), 0),
                }
                match (is(one), is(three)) {
                    (true, true) => fffd.extend([0xEF, 0xBF, 0xBD]),
                    (true, false) => fffd.push(byte(&came)),
                    (false, three) => assert!(!three),
                }
            }
            if block.out_last.val() {
                let expected: Option<(Vec<u8>, String)> = due.pop_front();
                let (marked, text) = expected.expect("it has ended");
                if !strips {
                    assert_eq!(std::mem::take(&mut ascii), marked, "clock {clock}");
                }
                ascii.clear();
                let fffd = String::from_utf8(std::mem::take(&mut fffd));
                assert_eq!(fffd, Ok(text), "clock {clock}");
                checked += 1;
            }
        }
        if valid {
            packet.extend(&data[..lanes]);
            if last {
                due.push_back(repaired(&std::mem::take(&mut packet), strips));
            }
        }
        if reset {
            packet.clear();
            due.clear();
            ascii.clear();
            fffd.clear();
        }
        block.clock.next = Clock { clk: true };
        settle(&mut block).expect("it settles");
    }
    assert!(checked > clocks / 30, "{checked}");
}

#[test]
fn bytes_are_repaired() {
    check::<1, 8>(true, 1_000);
    check::<2, 16>(false, 800);
    check::<4, 32>(true, 400);
}
