//! The sanitiser at its pins.

use super::*;
use crate::sanitise::bytes;

const ASCII: Core = sanitise(Replace::Ascii, false);
const FFFD: Core = sanitise(Replace::Fffd, false);
const STRIPS: Core = sanitise(Replace::Fffd, true);
/// More clocks than any delay in the core.
const SETTLED: usize = 64;

const fn sanitise(replace: Replace, strips: bool) -> Core {
    Core::Sanitise {
        replace,
        strips,
        verdict_width: 160,
        counter_width: 16,
    }
}

/// Bytes, and whether the beat is its packet's last.
type Beat = (Vec<u8>, bool);

/// Every core of each form and number of lanes that it has.
fn every_core() -> impl Iterator<Item = (Core, Form, usize)> {
    let ascii = (0..8).flat_map(|level| {
        let forms = [Form::Free, Form::Axis];
        forms.map(|form| (ASCII, form, 1 << level))
    });
    let fffd = (0..5).flat_map(|level| [FFFD, STRIPS].map(|core| (core, Form::Axis, 1 << level)));
    ascii.chain(fffd)
}

/// A packet in beats, with void ones between; it may end in a beat without a byte.
fn in_beats(random: &mut Xoshiro256PlusPlus, packet: &[u8], lanes: usize) -> Vec<Beat> {
    let mut all = Vec::new();
    for (bytes, last) in beats(packet, lanes) {
        while random.random_bool(0.1) {
            all.push((Vec::new(), false));
        }
        all.push((bytes.to_vec(), last));
    }
    let (bytes, last) = all.last_mut().expect("a packet has a beat");
    if bytes.len() == lanes && random.random_bool(0.3) {
        *last = false;
        all.push((Vec::new(), true));
    }
    all
}

/// What must come out for the packet whose first beat has the id `id`, and the ids after it count up.
fn reference(core: Core, lanes: usize, packet: &[Beat], id: u32) -> Vec<Sent> {
    let Core::Sanitise {
        replace, strips, ..
    } = core
    else {
        panic!("no sanitiser");
    };
    let whole: Vec<u8> = packet.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
    let beats = packet.iter().zip(id..);
    let ids = beats.flat_map(|((bytes, _), id)| std::iter::repeat_n(id, bytes.len()));
    let ids: Vec<u32> = ids.collect();
    let out: Vec<_> = bytes(replace, strips, &whole)
        .map(|(offset, byte)| (byte, ids[offset]))
        .collect();
    if replace == Replace::Fffd {
        return packed(lanes, &out, id + packet.len() as u32 - 1);
    }
    let beats = packet.iter().zip(id..);
    let beats = beats.filter(|((bytes, last), _)| *last || !bytes.is_empty());
    beats
        .map(|(&(_, last), id)| {
            let bytes = out.iter().filter(|&&(_, of)| of == id);
            (bytes.map(|&(byte, _)| byte).collect(), last, id & 7)
        })
        .collect()
}

/// Every packet comes out as the oracle says, whoever stalls; nothing overflows, and no credit is lost.
#[test]
fn packets_come_out_whole_under_stalls() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let stalls = [[0.0; 2], [0.5; 2], [0.95; 2], [0.0, 0.98], [0.95, 0.0]];
    let runs = every_core().flat_map(|run| stalls.map(|stalls| (run, stalls)));
    for ((core, form, lanes), stalls) in runs {
        let name = format!("{core:?} {form:?} {lanes} {stalls:?}");
        let (mut packets, mut offers, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..60 {
            let mut packet = random_packet(&mut random);
            if random.random_bool(0.2) {
                packet.splice(0..0, *b"\xEF\xBB\xBF");
            }
            let beats = in_beats(&mut random, &packet, lanes);
            expected.extend(reference(core, lanes, &beats, offers.len() as u32));
            packets.push(packet);
            offers.extend(beats);
        }
        let mut bench = Bench::new(core, lanes, form);
        let mut offers = offers.into_iter().zip(0_u32..);
        let (mut sent, mut verdicts) = (Vec::new(), Vec::new());
        let (mut offered, mut done) = (None, false);
        while !(done && bench.model.is_idle()) {
            if offered.is_none() && random.random_bool(0.8) {
                offered = offers.next();
                done = offered.is_none();
            }
            match &offered {
                Some(((bytes, last), id)) => {
                    bench.offer(bytes, *last);
                    bench.tag(id & 7);
                }
                None => bench.set("s_axis_tvalid", &[0]),
            }
            let ready = stalls.map(|share| form == Form::Free || !random.random_bool(share));
            bench.sinks(ready);
            if bench.model.ready() {
                offered = None;
            }
            bench.step();
            if bench.high("m_axis_tvalid") && ready[0] {
                sent.push(bench.sent());
            }
            if bench.high("m_axis_verdict_tvalid") && ready[1] {
                verdicts.push(bench.get("m_axis_verdict_tdata").to_vec());
            }
        }
        assert!(sent == expected, "{name}");
        assert_verdicts(Grammar::Rfc3629, &packets, &verdicts, 65535, &name);
        bench.set("s_axis_tvalid", &[0]);
        for _ in 0..SETTLED {
            bench.step(); // the count sees the last credits
        }
        let capacity = Bench::new(core, lanes, form).capacity();
        assert_eq!(bench.capacity(), capacity, "{name}");
    }
}

/// A beat of bytes of the output with the clock in which it shows.
type Timed = (usize, Vec<u8>, bool, u32);

/// What shows in which clock, if beats are accepted in the clocks that come with them. Their ids count up from 0.
fn timed(core: Core, form: Form, lanes: usize, beats: &[(usize, &[u8], bool)]) -> Vec<Timed> {
    let mut bench = Bench::new(core, lanes, form);
    let mut offers = beats.iter().zip(0..).peekable();
    let mut shown = Vec::new();
    for clock in 0..2 * SETTLED {
        bench.set("s_axis_tvalid", &[0]);
        if let Some((&(_, bytes, last), id)) = offers.next_if(|((due, ..), _)| *due == clock) {
            assert!(bench.model.ready());
            bench.offer(bytes, last);
            bench.tag(id);
        }
        bench.step();
        if bench.high("m_axis_tvalid") {
            let (bytes, last, id) = bench.sent();
            shown.push((clock, bytes, last, id));
        }
    }
    shown
}

/// Beats in, each with the clock of its acceptance, and beats out, each with its clock and its tag.
type Case<'a> = (
    usize,
    &'a [(usize, &'a [u8], bool)],
    &'a [(usize, &'a [u8], bool, u32)],
);

fn assert_clocks(core: Core, form: Form, cases: &[Case]) {
    for &(lanes, beats, expected) in cases {
        let shown = timed(core, form, lanes, beats);
        let expected = expected.iter();
        let expected: Vec<Timed> = expected
            .map(|&(clock, bytes, last, id)| (clock, bytes.to_vec(), last, id))
            .collect();
        assert_eq!(shown, expected, "{lanes} lanes, {beats:02X?}");
    }
}

/// One slot: a beat leaves with the next arrival at the latest.
#[test]
fn beats_of_four_lanes_wait_in_one_slot() {
    assert_clocks(
        ASCII,
        Form::Free,
        &[
            (4, &[(0, b"A\xFFCD", false)], &[(14, b"A?CD", false, 0)]),
            (4, &[(0, b"ABC\xC3", true)], &[(14, b"ABC?", true, 0)]),
            // It waits for ever.
            (4, &[(0, b"ABC\xC3", false)], &[]),
            (
                4,
                &[(0, b"ABC\xC3", false), (1, b"\xA9BCD", false)],
                &[(14, b"ABC\xC3", false, 0), (15, b"\xA9BCD", false, 1)],
            ),
            // It leaves in clock 5, not 1.
            (
                4,
                &[(0, b"ABC\xC3", false), (5, b"\xA9BCD", true)],
                &[(18, b"ABC\xC3", false, 0), (19, b"\xA9BCD", true, 1)],
            ),
            // A void beat decides nothing.
            (
                4,
                &[(0, b"AB\xE1\x80", false), (2, b"", false), (4, b"", true)],
                &[(17, b"AB??", false, 0), (18, b"", true, 2)],
            ),
        ],
    );
}

/// Two slots: the beat in the last one waits for the fourth byte.
#[test]
fn beats_of_two_lanes_wait_in_two_slots() {
    assert_clocks(
        ASCII,
        Form::Free,
        &[
            (2, &[(0, b"AB", false)], &[(14, b"AB", false, 0)]),
            (
                2,
                &[
                    (0, b"A\xF0", false),
                    (1, b"\x9F\x98", false),
                    (2, b"\x80B", false),
                ],
                &[
                    (14, b"A\xF0", false, 0),
                    (15, b"\x9F\x98", false, 1),
                    (16, b"\x80B", false, 2),
                ],
            ),
            // They leave in clocks 7, 8 and 9.
            (
                2,
                &[
                    (0, b"A\xF0", false),
                    (3, b"\x9F\x98", false),
                    (7, b"AB", false),
                ],
                &[
                    (19, b"A?", false, 0),
                    (20, b"??", false, 1),
                    (21, b"AB", false, 2),
                ],
            ),
            // The second arrival decides the first beat, which is then in the last slot and leaves a clock later.
            (
                2,
                &[(0, b"A\xC3", false), (5, b"\xA9B", false)],
                &[(18, b"A\xC3", false, 0), (19, b"\xA9B", false, 1)],
            ),
            // The first beat leaves while the second waits. The second's sequence is another than that in which the third ends.
            (
                2,
                &[
                    (0, b"AB", false),
                    (1, b"C\xC3", false),
                    (9, b"\xA9\xC3", false),
                    (12, b"A", true),
                ],
                &[
                    (14, b"AB", false, 0),
                    (22, b"C\xC3", false, 1),
                    (25, b"\xA9?", false, 2),
                    (26, b"A", true, 3),
                ],
            ),
        ],
    );
}

/// Three slots: each byte is a beat.
#[test]
fn beats_of_one_lane_wait_in_three_slots() {
    assert_clocks(
        ASCII,
        Form::Free,
        &[
            (1, &[(0, b"\xFF", false)], &[(14, b"?", false, 0)]),
            (
                1,
                &[
                    (0, b"\xF0", false),
                    (2, b"\x9F", false),
                    (5, b"\x98", false),
                    (9, b"\x80", false),
                ],
                // They leave in clocks 9 to 12.
                &[
                    (20, b"\xF0", false, 0),
                    (21, b"\x9F", false, 1),
                    (22, b"\x98", false, 2),
                    (23, b"\x80", false, 3),
                ],
            ),
            // The first beat waits in one slot, and takes the others as ever.
            (
                1,
                &[(0, b"\xE1", false), (6, b"A", false)],
                &[(19, b"?", false, 0), (20, b"A", false, 1)],
            ),
            (
                1,
                &[(0, b"\xE1", false), (4, b"\x80", false), (9, b"", true)],
                &[
                    (21, b"?", false, 0),
                    (22, b"?", false, 1),
                    (23, b"", true, 2),
                ],
            ),
        ],
    );
}

/// U+FFFD comes with the last byte of its piece, and everything as much later as its beat leaves the slots.
#[test]
fn packed_bytes_come_as_late_as_their_beats() {
    assert_clocks(
        FFFD,
        Form::Axis,
        &[
            (
                4,
                &[(0, b"ABC\xC3", false), (5, b"\xA9BCD", true)],
                &[(39, b"ABC\xC3", false, 0), (40, b"\xA9BCD", true, 1)],
            ),
            // Three bytes are left of the first beat: with U+FFFD they are more than a beat of the output.
            (
                4,
                &[(0, b"ABC\xE1", false), (1, b"\x80DEF", true)],
                &[
                    (36, b"ABC\xEF", false, 1),
                    (37, b"\xBF\xBDDE", false, 1),
                    (38, b"F", true, 1),
                ],
            ),
            (
                2,
                &[(0, b"\xFF\xFF", true)],
                &[
                    (33, b"\xEF\xBF", false, 0),
                    (34, b"\xBD\xEF", false, 0),
                    (35, b"\xBF\xBD", true, 0),
                ],
            ),
            // The second beat leaves in clock 9, but the output register is not free before.
            (
                1,
                &[(0, b"\xE1", false), (6, b"A", true)],
                &[
                    (36, b"\xEF", false, 0),
                    (37, b"\xBF", false, 0),
                    (38, b"\xBD", false, 0),
                    (39, b"A", true, 1),
                ],
            ),
            // An empty packet, then one that ends without a byte left.
            (
                2,
                &[
                    (0, b"", true),
                    (1, b"AB", false),
                    (2, b"", false),
                    (9, b"", true),
                ],
                &[
                    (33, b"", true, 0),
                    (34, b"AB", false, 1),
                    (42, b"", true, 3),
                ],
            ),
        ],
    );
}

#[test]
fn a_signature_is_left_out() {
    assert_clocks(
        STRIPS,
        Form::Axis,
        &[
            (
                1,
                &[
                    (0, b"\xEF", false),
                    (1, b"\xBB", false),
                    (2, b"\xBF", false),
                    (3, b"A", true),
                ],
                &[(34, b"A", true, 3)],
            ),
            (
                2,
                &[
                    (0, b"\xEF\xBB", false),
                    (1, b"\xBFA", false),
                    (2, b"B", true),
                ],
                &[(35, b"AB", true, 2)],
            ),
            // Nothing is left of the first packet. In the second, there are two.
            (
                4,
                &[
                    (0, b"\xEF\xBB\xBF", true),
                    (1, b"\xEF\xBB\xBF\xEF", false),
                    (2, b"\xBB\xBF", true),
                ],
                &[(35, b"", true, 0), (37, b"\xEF\xBB\xBF", true, 2)],
            ),
        ],
    );
}

#[test]
fn the_latencies_are_those_of_the_data_sheet() {
    let cases = [
        (ASCII, Form::Free, 1, 14, 22),
        (ASCII, Form::Axis, 1, 17, 25),
        (ASCII, Form::Free, 128, 14, 35),
        (ASCII, Form::Axis, 128, 17, 38),
        (FFFD, Form::Axis, 1, 31, 25),
        (FFFD, Form::Axis, 2, 33, 26),
        (STRIPS, Form::Axis, 16, 39, 32),
    ];
    for (core, form, lanes, stream, verdict) in cases {
        let bench = Bench::new(core, lanes, form);
        let (stream, verdict) = (Some(stream), Some(verdict));
        assert_eq!(bench.setup.latencies(), Latencies { stream, verdict });
    }
    for (core, form, lanes) in every_core() {
        let mut bench = Bench::new(core, lanes, form);
        let Latencies { stream, verdict } = bench.setup.latencies();
        bench.offer(&vec![b'A'; lanes], true);
        for clock in 0..SETTLED {
            bench.step();
            bench.set("s_axis_tvalid", &[0]);
            for (prefix, due) in [("m_axis", stream), ("m_axis_verdict", verdict)] {
                let is_high = bench.high(&format!("{prefix}_tvalid"));
                assert_eq!(is_high, due == Some(clock), "{core:?} {lanes} {clock}");
            }
        }
    }
}

/// While each beat of the input is one of the output, a sink that is always ready never makes the source wait.
#[test]
fn a_ready_sink_never_makes_the_source_wait() {
    for ((core, form, lanes), last) in every_core().flat_map(|it| [(it, false), (it, true)]) {
        let mut bench = Bench::new(core, lanes, form);
        bench.offer(&vec![b'A'; lanes], last);
        for clock in 0..300 {
            assert!(bench.model.ready(), "{core:?} {lanes} {last} {clock}");
            bench.step();
        }
    }
}

/// Of a stream of ASCII the beats flow as a decoder's events do, in every clock: the FIFO and its credits are the same.
#[test]
fn beats_flow_as_events_do() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    for (lanes, stalls) in [1, 2, 4, 32]
        .into_iter()
        .flat_map(|it| [(it, 0.3), (it, 0.9)])
    {
        let mut benches = [ASCII, SPARSE].map(|core| Bench::new(core, lanes, Form::Axis));
        for clock in 0..3000 {
            let (offers, void) = (random.random_bool(0.8), random.random_bool(0.1));
            let last = !void && random.random_bool(0.3);
            let bytes = vec![b'A'; if void { 0 } else { lanes }];
            let (ready, reset) = (!random.random_bool(stalls), random.random_bool(0.002));
            for bench in &mut benches {
                bench.offer(&bytes, last);
                bench.set("s_axis_tvalid", &[u32::from(offers)]);
                bench.set("rst", &[u32::from(reset)]);
                bench.sinks([ready, true]);
                bench.step();
            }
            for pin in [
                "s_axis_tready",
                "m_axis_tvalid",
                "m_axis_tlast",
                "m_axis_tid",
            ] {
                let [ours, theirs] = benches.each_ref().map(|bench| bench.get(pin));
                assert_eq!(ours, theirs, "{lanes} {stalls} {clock} {pin}");
            }
        }
    }
}

/// While the sink takes nothing, 32 quarters go to the FIFO, and all others stay. In clock `c` the count shows the three quarters that
/// each beat before clock `c - 2` took, and the two that each before clock `c - 20` gave back, or one clock later for each doubling of
/// the lanes: `128 + 32 - 3 * (c - 2) + 2 * (c - 20)`. In clock 114 it is less than 13, and a clock later there is no room.
#[test]
fn the_count_shows_what_a_beat_takes_and_gives_back() {
    for (level, core) in (0..5).flat_map(|level| [(level, FFFD), (level, STRIPS)]) {
        let mut bench = Bench::new(core, 1 << level, Form::Axis);
        bench.sinks([false, true]);
        bench.offer(&vec![b'A'; 1 << level], false);
        let accepted = |bench: &mut Bench| {
            bench.step();
            bench.high("s_axis_tready")
        };
        let clocks = (0..200).take_while(|_| accepted(&mut bench)).count();
        assert_eq!(clocks, 115 - 2 * level, "{level}");
    }
}

/// Bytes that are each ill-formed take three clocks a beat, and the output never pauses.
#[test]
fn the_output_is_always_full() {
    for lanes in [1, 2, 4, 8, 16] {
        let mut bench = Bench::new(FFFD, lanes, Form::Axis);
        bench.offer(&vec![0xFF; lanes], false);
        let begins = bench.setup.latencies().stream.expect("a stream");
        let mut accepted = 0;
        for clock in 0..1200 {
            accepted += u32::from(bench.model.ready());
            bench.step();
            assert_eq!(bench.high("m_axis_tvalid"), clock >= begins, "{lanes}");
        }
        assert!((400..=400 + 43).contains(&accepted), "{lanes}: {accepted}");
    }
}

/// The pins of the verdicts are those of a validator that is given the same, in every clock.
#[test]
fn the_verdicts_are_the_validators() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for (core, form, lanes) in every_core() {
        let mut benches = [core, PASS].map(|core| Bench::new(core, lanes, form));
        let offers = (0..200).flat_map(|_| {
            let packet = random_packet(&mut random);
            in_beats(&mut random, &packet, lanes)
        });
        let offers: Vec<Beat> = offers.collect();
        let mut offers = offers.iter().peekable();
        while offers.peek().is_some() {
            let offers_one = random.random_bool(0.7) && benches.iter().all(|it| it.model.ready());
            let offered = offers.next_if(|_| offers_one);
            let reset = u32::from(random.random_bool(0.003));
            let ready = random.random_bool(0.9);
            for bench in &mut benches {
                bench.set("rst", &[reset]);
                bench.set("s_axis_tvalid", &[0]);
                if let Some((bytes, last)) = offered {
                    bench.offer(bytes, *last);
                }
                bench.sinks([true, ready]);
                bench.step();
            }
            for pin in ["tvalid", "tdata", "tid", "tuser"] {
                let pin = format!("m_axis_verdict_{pin}");
                let [ours, theirs] = benches.each_ref().map(|bench| bench.get(&pin));
                assert_eq!(ours, theirs, "{core:?} {form:?} {lanes} {pin}");
            }
        }
    }
}

/// A reset drops what is in the core, wherever it is, and the next beat begins a packet.
#[test]
fn a_reset_begins_a_packet() {
    for (core, form, lanes) in every_core() {
        for reset in 1..SETTLED {
            let mut bench = Bench::new(core, lanes, form);
            bench.sinks([false, false]);
            for _ in 0..reset {
                bench.offer(&vec![0xF1; lanes], false);
                bench.step();
            }
            bench.set("s_axis_tvalid", &[0]);
            bench.set("rst", &[1]);
            bench.step();
            bench.set("rst", &[0]);
            bench.sinks([true, true]);
            for ready in [form == Form::Free, true] {
                let name = format!("{core:?} {form:?} {lanes} {reset}");
                assert_eq!(bench.model.ready(), ready, "{name}");
                bench.step();
                assert!(!bench.high("m_axis_tvalid"), "{name}");
            }
            assert!(bench.model.is_idle());
            let packet = b"\xEF\xBB\xBFA\x80";
            let offers: Vec<Beat> = beats(packet, lanes)
                .map(|(bytes, last)| (bytes.to_vec(), last))
                .collect();
            let expected = reference(core, lanes, &offers, 0);
            let mut offers = offers.iter().zip(0..);
            let mut sent = Vec::new();
            for _ in 0..SETTLED {
                bench.set("s_axis_tvalid", &[0]);
                if let Some(((bytes, last), id)) = offers.next() {
                    bench.offer(bytes, *last);
                    bench.tag(id);
                }
                bench.step();
                if bench.high("m_axis_tvalid") {
                    sent.push(bench.sent());
                }
            }
            assert_eq!(sent, expected, "{core:?} {form:?} {lanes} {reset}");
        }
    }
}

/// After a reset dropped bytes show for as long as events would, with four lanes as long as with eight; their side signals for a clock.
#[test]
fn dropped_bytes_show_after_a_reset_as_events_do() {
    for (lanes, clocks) in [(1, 1), (2, 1), (4, 6), (8, 6), (16, 6), (32, 8), (128, 8)] {
        let shows = |pin| shows_after_reset(Grammar::Rfc3629, ASCII, lanes, Form::Free, pin);
        assert_eq!(shows("m_axis_tdata"), clocks, "{lanes}");
        assert_eq!(shows("m_axis_tkeep"), clocks, "{lanes}");
        assert_eq!(shows("m_axis_tlast"), 1, "{lanes}");
        assert_eq!(shows("m_axis_tuser"), 1, "{lanes}");
    }
}

/// Nothing is defined for the packet of a beat that breaks the contract, but the next one comes out whole.
#[test]
fn a_beat_that_breaks_the_contract_stops_nothing() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    for (core, form, lanes) in every_core() {
        let mut bench = Bench::new(core, lanes, form);
        for _ in 0..500 {
            bench.offer(&vec![0xF1; lanes], false);
            let keep = (0..lanes.div_ceil(32)).map(|_| random.random::<u32>());
            let keep: Vec<u32> = keep
                .map(|keep| keep & (u32::MAX >> (32 - lanes.min(32))))
                .collect();
            bench.set("s_axis_tkeep", &keep);
            bench.tag(0);
            bench.step();
        }
        bench.offer(b"", true);
        bench.tag(0);
        while !bench.model.ready() {
            bench.step();
        }
        bench.step();
        bench.offer(b"A", true);
        bench.tag(1);
        while !bench.model.ready() {
            bench.step();
        }
        bench.step();
        bench.set("s_axis_tvalid", &[0]);
        let mut sent = Vec::new();
        while !bench.model.is_idle() {
            bench.step();
            if bench.high("m_axis_tvalid") && bench.get("m_axis_tid") == [1] {
                sent.push(bench.sent());
            }
        }
        assert_eq!(
            sent.last(),
            Some(&(b"A".to_vec(), true, 1)),
            "{core:?} {lanes}"
        );
    }
}

#[test]
fn the_pins_are_in_order() {
    let names = |pins: Vec<Pin>| -> Vec<&str> { pins.iter().map(|pin| pin.name).collect() };
    let model = |core, form, side| {
        Model::new(&Setup {
            policy: Default::default(),
            grammar: Grammar::Rfc3629,
            lanes: 16,
            form,
            side,
            core,
            depth: None,
            beat_error: true,
        })
    };
    let side = Side {
        id: 3,
        dest: 4,
        user: 5,
    };
    let all = model(FFFD, Form::Axis, side);
    assert_eq!(
        names(all.input_pins()),
        [
            "rst",
            "s_axis_tvalid",
            "s_axis_tdata",
            "s_axis_tkeep",
            "s_axis_tlast",
            "s_axis_tid",
            "s_axis_tdest",
            "s_axis_tuser",
            "m_axis_tready",
            "m_axis_verdict_tready"
        ]
    );
    let pins = all.output_pins();
    let widths: Vec<_> = pins.iter().map(|pin| pin.width).collect();
    assert_eq!(widths, [1, 1, 128, 16, 1, 3, 4, 5, 1, 160, 3, 4, 5, 1]);
    assert_eq!(
        names(pins),
        [
            "s_axis_tready",
            "m_axis_tvalid",
            "m_axis_tdata",
            "m_axis_tkeep",
            "m_axis_tlast",
            "m_axis_tid",
            "m_axis_tdest",
            "m_axis_tuser",
            "m_axis_verdict_tvalid",
            "m_axis_verdict_tdata",
            "m_axis_verdict_tid",
            "m_axis_verdict_tdest",
            "m_axis_verdict_tuser",
            "beat_error"
        ]
    );
    let few = model(ASCII, Form::Free, Side::default());
    let inputs = [
        "rst",
        "s_axis_tvalid",
        "s_axis_tdata",
        "s_axis_tkeep",
        "s_axis_tlast",
    ];
    assert_eq!(names(few.input_pins()), inputs);
    assert_eq!(
        names(few.output_pins()),
        [
            "m_axis_tvalid",
            "m_axis_tdata",
            "m_axis_tkeep",
            "m_axis_tlast",
            "m_axis_verdict_tvalid",
            "m_axis_verdict_tdata",
            "beat_error"
        ]
    );
}
