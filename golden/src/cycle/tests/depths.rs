//! Streams with `tready` at every depth: a sink that is always ready never makes the source wait, and no beat is lost.

use super::super::buffer::Buffer;
use super::super::credits::Credits;
use super::super::line::Line;
use super::*;

/// The cores with `tready` that may have a smaller depth, at each of their depths.
fn cores() -> Vec<(Option<usize>, Core, usize)> {
    let mut cores = Vec::new();
    for lanes in [1, 2, 8, 128] {
        for (core, least) in [(SPARSE, 3), (PASS, 6)] {
            let greatest = Bench::new(core, lanes, Form::Free).setup.latencies();
            let greatest = greatest.verdict.or(greatest.stream).expect("a stream");
            let depths = (least..greatest).map(Some).chain([None]);
            cores.extend(depths.map(|depth| (depth, core, lanes)));
        }
        // Of a dense one only the pieces are merged.
        let lanes = lanes.min(widest(DENSE));
        let greatest = Bench::new(DENSE, lanes, Form::Free).setup.latencies();
        let greatest = greatest.stream.expect("a stream");
        let depths = (greatest - 10..greatest).map(Some).chain([None]);
        cores.extend(depths.map(|depth| (depth, DENSE, lanes)));
    }
    cores
}

/// What a source sends without a pause: packets of one beat, of two, of many, each with letters, with sequences over the beats' borders,
/// and with signatures, of which beats have nothing to send; and mixed ones of up to two beats, four, or nine.
fn traffic(lanes: usize) -> impl Iterator<Item = Vec<Vec<u8>>> {
    let alike = [1, 2, 100].into_iter().flat_map(move |beats| {
        let contents: [&[u8]; 3] = [b"A", b"\xF0\x9F\x98\x80", b"\xEF\xBB\xBF"];
        contents.map(|content| {
            let bytes = content.iter().cycle().copied();
            vec![bytes.take(beats * lanes).collect(); 200 / beats]
        })
    });
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mixed = [2, 4, 9].map(|beats| {
        let packet = || {
            let packet = random_packet(&mut random);
            let most = random.random_range(1..=beats * lanes);
            packet.into_iter().take(most).collect()
        };
        std::iter::repeat_with(packet).take(600 / beats).collect()
    });
    alike.chain(mixed)
}

#[test]
fn a_ready_sink_never_makes_the_source_wait() {
    for (depth, core, lanes) in cores() {
        let strips = Core::Decode {
            signature: Signature::Strip,
            dense: false,
            to: Encoding::Utf32,
        };
        let cores = if core == SPARSE {
            vec![core, strips]
        } else {
            vec![core]
        };
        for (core, packets) in cores
            .into_iter()
            .flat_map(|core| traffic(lanes).map(move |it| (core, it)))
        {
            let mut bench = Bench::at(depth, core, lanes, Form::Axis);
            for (index, packet) in packets.iter().enumerate() {
                // Every other packet comes after a pause, in which a beat may wait for the next one.
                bench.set("s_axis_tvalid", &[0]);
                for _ in 0..(index % 2) * (index % 40) {
                    bench.step();
                }
                for (bytes, last) in beats(packet, lanes) {
                    bench.offer(bytes, last);
                    bench.step();
                    assert!(
                        bench.high("s_axis_tready"),
                        "{:?}, packet {index}",
                        bench.setup
                    );
                }
            }
        }
    }
}

/// The source always sends, and the sink always takes. Returns whether the source ever waits.
fn waits(buffer: Buffer, clocks: usize) -> bool {
    let mut line = Line::new(clocks, 1);
    let mut credits = Credits::new(buffer, 1);
    credits.step(true, false, line.shown(), true);
    credits.step(false, false, line.shown(), true);
    (0..200).any(|_| {
        let sends = credits.room;
        credits.step(false, sends, line.shown(), true);
        line.step(false);
        if sends {
            line.send();
        }
        !sends
    })
}

#[test]
fn a_fifo_of_a_smaller_depth_has_no_word_too_many() {
    for clocks in 3..40 {
        assert!(!waits(Buffer::shallow(clocks), clocks), "{clocks}");
        assert!(waits(Buffer::shallow(clocks), clocks + 1), "{clocks}");
    }
}

/// While no sink is ready, the core takes as many beats as there are words: it shows one, and the others fill the FIFO to its last word but
/// one, which stays empty. So the margin cannot be smaller.
#[test]
fn a_core_fills_its_fifo() {
    for (depth, core, lanes) in cores() {
        let Some(depth) = depth else { continue };
        // How many beats a dense core takes depends on their bytes.
        if core == DENSE {
            continue;
        }
        let mut bench = Bench::at(Some(depth), core, lanes, Form::Axis);
        let clocks = match core {
            PASS => bench.setup.pass_latency(),
            _ => depth,
        };
        assert_eq!(bench.capacity(), clocks + 6, "{:?}", bench.setup);
    }
}

/// As at the greatest depth: every packet comes out as the oracle says, whoever stalls; no FIFO overflows, and no credit is lost.
#[test]
fn packets_come_out_whole_at_every_depth() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for (index, (depth, core, lanes)) in cores().into_iter().enumerate() {
        let stalls = [[0.5; 2], [0.95; 2], [0.0, 0.97], [0.97, 0.0]][index % 4];
        let packets: Vec<_> = (0..100).map(|_| random_packet(&mut random)).collect();
        let mut bench = Bench::at(depth, core, lanes, Form::Axis);
        let capacity = Bench::at(depth, core, lanes, Form::Axis).capacity();
        let name = format!("{:?} {stalls:?}", bench.setup);
        let output = run(&mut bench, &packets, stalls, &mut random);
        assert_as_oracle(&bench.setup, &packets, &output, &name);
        bench.set("s_axis_tvalid", &[0]);
        for _ in 0..4 {
            bench.step(); // the count sees the last credits
        }
        assert_eq!(bench.capacity(), capacity, "{name}");
    }
}
