//! The encoder at its pins.

use super::*;
use crate::encode::{Fault, encode};

const ENCODE: Core = Core::Encode {
    from: Encoding::Utf32,
    omits: false,
    verdict_width: 168,
    counter_width: 16,
};
const OMITS: Core = Core::Encode {
    from: Encoding::Utf32,
    omits: true,
    verdict_width: 160,
    counter_width: 8,
};
const LANES: [usize; 5] = [1, 2, 4, 8, 16];
/// More clocks than any delay in the core.
const SETTLED: usize = 40;

/// The words of a beat, one for each lane or a hole.
type Beat = Vec<Option<u32>>;

fn bench(core: Core, lanes: usize) -> Bench {
    Bench::new(core, lanes, Form::Axis)
}

fn offer(bench: &mut Bench, beat: &[Option<u32>], last: bool, id: u32) {
    let words: Vec<_> = beat.iter().map(|word| word.unwrap_or(0x42)).collect();
    let mut keep = vec![0; (4 * beat.len()).div_ceil(32)];
    for (lane, word) in beat.iter().enumerate() {
        let bits = if word.is_some() { 0xF } else { 0 };
        keep[lane / 8] |= bits << (4 * (lane % 8));
    }
    bench.set("s_axis_tvalid", &[1]);
    bench.set("s_axis_tdata", &words);
    bench.set("s_axis_tkeep", &keep);
    bench.set("s_axis_tlast", &[u32::from(last)]);
    bench.tag(id);
}

/// Random packets, each in beats. The share of long words and of holes differs between packets.
fn packets(random: &mut Xoshiro256PlusPlus, lanes: usize) -> Vec<Vec<Beat>> {
    let packet = |random: &mut Xoshiro256PlusPlus| {
        let (long, holes) = (random.random::<f64>(), random.random::<f64>());
        let holes = if holes < 0.5 { 0.0 } else { holes };
        let word = |random: &mut Xoshiro256PlusPlus| {
            let choices = [0xE9, 0x20AC, 0xD800, 0x11_0000, 0x1_F600, 0x1_F600];
            match random.random_bool(long) {
                true => choices[random.random_range(0..6)],
                false => random.random_range(0..0x80),
            }
        };
        let count = match random.random_bool(0.3) {
            true => 1,
            false => random.random_range(1..20),
        };
        let lane =
            |random: &mut Xoshiro256PlusPlus| (!random.random_bool(holes)).then(|| word(random));
        let beat = |random: &mut Xoshiro256PlusPlus| (0..lanes).map(|_| lane(random)).collect();
        (0..count).map(|_| beat(random)).collect()
    };
    (0..60).map(|_| packet(random)).collect()
}

/// What must come out for the packet whose first beat has the id `id`, and the ids after it count up.
fn reference(lanes: usize, packet: &[Beat], omits: bool, id: u32) -> Vec<Sent> {
    let mut bytes = Vec::new();
    for (beat, id) in packet.iter().zip(id..) {
        let words: Vec<u32> = beat.iter().copied().flatten().collect();
        let encoded = encode(Encoding::Utf32, omits, &words).0;
        bytes.extend(encoded.into_iter().map(|byte| (byte, id)));
    }
    packed(lanes, &bytes, id + packet.len() as u32 - 1)
}

/// The number of beats that are accepted while no sink is ready: of words of four bytes, in one packet.
fn capacity(bench: &mut Bench) -> usize {
    bench.sinks([false, false]);
    offer(bench, &vec![Some(0x1_F600); bench.setup.lanes], false, 0);
    let accepted = |bench: &mut Bench| {
        bench.step();
        bench.high("s_axis_tready")
    };
    (0..200).filter(|_| accepted(bench)).count()
}

/// Every packet comes out as the oracle says, whoever stalls; the ring does not overflow, and no credit is lost.
#[test]
fn packets_come_out_whole_under_stalls() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let stalls = [[0.0; 2], [0.5; 2], [0.95; 2], [0.0, 0.98], [0.9, 0.0]];
    let runs = LANES
        .into_iter()
        .flat_map(|lanes| stalls.map(|it| (lanes, it)));
    for ((lanes, stalls), core) in runs.flat_map(|run| [ENCODE, OMITS].map(|core| (run, core))) {
        let name = format!("{lanes} {stalls:?} {core:?}");
        let packets = packets(&mut random, lanes);
        let (mut expected, mut verdicts, mut beats) = (Vec::new(), Vec::new(), Vec::new());
        for packet in &packets {
            expected.extend(reference(lanes, packet, core == OMITS, beats.len() as u32));
            let words: Vec<u32> = packet.iter().flatten().copied().flatten().collect();
            verdicts.push(encode(Encoding::Utf32, core == OMITS, &words).1);
            let last = packet.len() - 1;
            beats.extend(
                packet
                    .iter()
                    .enumerate()
                    .map(|(at, beat)| (beat, at == last)),
            );
        }
        let mut bench = bench(core, lanes);
        let mut beats = beats.into_iter().zip(0_u32..);
        let (mut quarters, mut judged) = (Vec::new(), Vec::new());
        let (mut offered, mut done) = (None, false);
        while !(done && bench.model.is_idle()) {
            if offered.is_none() && random.random_bool(0.9) {
                offered = beats.next();
                done = offered.is_none();
            }
            match offered {
                Some(((beat, last), id)) => offer(&mut bench, beat, last, id & 7),
                None => bench.set("s_axis_tvalid", &[0]),
            }
            let ready = stalls.map(|share| !random.random_bool(share));
            bench.sinks(ready);
            if bench.model.ready() {
                offered = None;
            }
            bench.step();
            if bench.high("m_axis_tvalid") && ready[0] {
                quarters.push(bench.sent());
            }
            if bench.high("m_axis_verdict_tvalid") && ready[1] {
                judged.push(bench.get("m_axis_verdict_tdata").to_vec());
            }
        }
        assert!(quarters == expected, "{name}");
        let limit = if core == OMITS { 255 } else { 65535 };
        let fields = verdicts.iter().map(|verdict| {
            let counters = [
                verdict.bytes,
                verdict.valid_up_to,
                verdict.words,
                verdict.ill_formed,
            ];
            let kind = u32::from(verdict.kind.code());
            let flags = u32::from(verdict.well_formed) | kind << 4;
            (counters.map(|count| count.min(limit) as u32), flags)
        });
        let judged = judged.iter().map(|words| {
            let counters: [u32; 4] = words[..4].try_into().expect("four words");
            (counters, words[4] & 0xFFFF)
        });
        assert!(judged.eq(fields), "{name}");
        bench.set("s_axis_tvalid", &[0]);
        for _ in 0..SETTLED {
            bench.step(); // the count sees the last credits
        }
        assert_eq!(
            capacity(&mut bench),
            capacity(&mut self::bench(core, lanes)),
            "{name}"
        );
    }
}

#[test]
fn the_latencies_are_those_of_the_data_sheet() {
    for (lanes, stream, verdict) in [(1, 22, 19), (4, 26, 23), (16, 30, 27)] {
        let mut bench = bench(ENCODE, lanes);
        let latencies = bench.setup.latencies();
        let (stream, verdict) = (Some(stream), Some(verdict));
        assert_eq!(latencies, Latencies { stream, verdict });
        offer(&mut bench, &vec![Some(0x41); lanes], true, 5);
        for clock in 0..SETTLED {
            bench.step();
            bench.set("s_axis_tvalid", &[0]);
            for (prefix, due) in [("m_axis", stream), ("m_axis_verdict", verdict)] {
                let name = format!("{prefix} {lanes} {clock}");
                let is_due = due == Some(clock);
                assert_eq!(bench.high(&format!("{prefix}_tvalid")), is_due, "{name}");
                if is_due {
                    assert_eq!(bench.get(&format!("{prefix}_tid")), [5], "{name}");
                }
            }
        }
    }
}

/// While each beat completes one quarter, a sink that is always ready never makes the source wait.
#[test]
fn a_ready_sink_never_makes_the_source_wait() {
    for (lanes, last) in LANES.into_iter().flat_map(|it| [(it, false), (it, true)]) {
        let mut bench = bench(ENCODE, lanes);
        offer(&mut bench, &vec![Some(0x41); lanes], last, 0);
        for clock in 0..200 {
            bench.step();
            assert!(bench.high("s_axis_tready"), "{lanes} {last} {clock}");
        }
    }
}

/// Words of four bytes take four clocks a beat, and the output never pauses.
#[test]
fn the_output_is_always_full() {
    for lanes in LANES {
        let mut bench = bench(ENCODE, lanes);
        offer(&mut bench, &vec![Some(0x1_F600); lanes], false, 0);
        let mut accepted = 0;
        for clock in 0..1000 {
            bench.step();
            accepted += u32::from(bench.high("s_axis_tready"));
            let begins = bench.setup.latencies().stream.expect("a stream");
            assert_eq!(bench.high("m_axis_tvalid"), clock >= begins, "{lanes}");
        }
        assert!((250..=250 + 32).contains(&accepted), "{lanes}: {accepted}");
    }
}

/// A beat without a word ends a packet with an empty quarter, unless there are bytes left; if it is not the last, it changes nothing.
#[test]
fn beats_without_a_word() {
    let (letters, nothing) = (vec![Some(0x41); 2], vec![None; 2]);
    let half = vec![None, Some(0x42)];
    for (beats, expected) in [
        (vec![&nothing], vec![(&b""[..], true, 0)]),
        (
            vec![&letters, &nothing],
            vec![(b"AA", false, 0), (b"", true, 1)],
        ),
        (vec![&half, &nothing, &nothing], vec![(b"B", true, 2)]),
        (
            vec![&half, &nothing, &half, &nothing],
            vec![(b"BB", false, 2), (b"", true, 3)],
        ),
    ] {
        let mut bench = bench(ENCODE, 2);
        for (beat, id) in beats.iter().zip(0..) {
            offer(&mut bench, beat, id as usize == beats.len() - 1, id);
            bench.step();
        }
        bench.set("s_axis_tvalid", &[0]);
        let mut quarters = Vec::new();
        for _ in 0..SETTLED {
            bench.step();
            if bench.high("m_axis_tvalid") {
                quarters.push(bench.sent());
            }
        }
        let expected = expected
            .into_iter()
            .map(|(bytes, last, id)| (bytes.to_vec(), last, id));
        assert!(quarters.iter().cloned().eq(expected), "{quarters:?}");
    }
}

/// A reset drops what is in the core; the payload pins keep what they show.
#[test]
fn a_reset_begins_a_packet() {
    for reset in 0..SETTLED {
        let mut bench = bench(ENCODE, 4);
        bench.sinks([false, false]);
        offer(&mut bench, &[Some(0x1_F600); 4], false, 1);
        for _ in 0..reset {
            bench.step();
        }
        bench.set("s_axis_tvalid", &[0]);
        bench.set("rst", &[1]);
        bench.step();
        let before = bench.sent();
        let loads = reset + 1 == bench.setup.latencies().stream.expect("a stream");
        bench.set("rst", &[0]);
        bench.sinks([true, true]);
        for ready in [false, true] {
            bench.step();
            assert_eq!(bench.high("s_axis_tready"), ready, "{reset}");
            assert!(loads || bench.sent() == before, "{reset}");
        }
        assert!(bench.model.is_idle());
        offer(&mut bench, &[Some(0x41), None, Some(0xD800), None], true, 3);
        let (mut quarters, mut verdicts) = (Vec::new(), Vec::new());
        for _ in 0..SETTLED {
            bench.step();
            bench.set("s_axis_tvalid", &[0]);
            if bench.high("m_axis_tvalid") {
                quarters.push(bench.sent());
            }
            if bench.high("m_axis_verdict_tvalid") {
                verdicts.push(bench.get("m_axis_verdict_tdata")[..5].to_vec());
            }
        }
        let bytes = b"A\xEF\xBF\xBD".to_vec();
        assert_eq!(quarters, [(bytes, true, 3)], "{reset}");
        let kind = u32::from(Fault::Surrogate.code());
        assert_eq!(verdicts, [[4, 1, 2, 1, kind << 4]], "{reset}");
    }
}

#[test]
fn a_part_of_a_word_is_an_error() {
    let setup = Setup {
        policy: Default::default(),
        beat_error: true,
        ..bench(ENCODE, 2).setup
    };
    // tkeep, tlast, and whether the beat breaks the contract
    let cases = [
        (0xFF, 0, false),
        (0xF0, 0, false),
        (0x00, 0, false),
        (0x0F, 1, false),
        (0x7F, 0, true),
        (0x10, 1, true),
    ];
    for (keep, last, is_error) in cases {
        let mut model = Model::new(&setup);
        let names: Vec<_> = model.input_pins().iter().map(|pin| pin.name).collect();
        assert_eq!(
            names,
            [
                "rst",
                "s_axis_tvalid",
                "s_axis_tdata",
                "s_axis_tkeep",
                "s_axis_tlast",
                "s_axis_tid",
                "s_axis_tuser",
                "m_axis_tready",
                "m_axis_verdict_tready"
            ]
        );
        let mut inputs = [0, 1, 0x41, 0x42, keep, last, 0, 0, 0, 1, 1];
        let words = model.output_pins().iter().map(Pin::words).sum();
        let mut outputs = vec![0; words];
        for (clock, reset) in [1, 0, 0].into_iter().chain([0; 5]).enumerate() {
            inputs[0] = reset;
            inputs[1] = u32::from(clock < 3);
            model.step(&inputs, &mut outputs);
            // The beat is accepted in clock 2.
            let is_due = is_error && clock == 5;
            assert_eq!(outputs[words - 1], u32::from(is_due), "{keep:X} {clock}");
        }
    }
}
