//! The whole model at its pins.

mod bench;
mod depths;
mod encode;
mod encode_rfc2279;
mod rfc2279;
mod sanitise;

use super::*;
use crate::{Event, Kind, events_of, verdict_of};
use bench::{Bench, CORES, DENSE, Output, PASS, SNOOP, SPARSE, Sent, packed};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;

fn random_packet(random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let choices: [&[u8]; 6] = [
        b"A",
        b"\xC3\xA9",
        b"\xE2\x82\xAC",
        b"\xF0\x9F",
        b"\xFF",
        b"\xED",
    ];
    let ascii = random.random_bool(0.3);
    let mut packet = Vec::new();
    for _ in 0..random.random_range(0..60) {
        let choice = if ascii { 0 } else { random.random_range(0..6) };
        packet.extend_from_slice(choices[choice]);
    }
    packet
}

/// Beats of the lanes' width, and whether they are their packet's last.
fn beats(packet: &[u8], lanes: usize) -> impl Iterator<Item = (&[u8], bool)> {
    let count = packet.len().div_ceil(lanes).max(1);
    (0..count).map(move |index| {
        let rest = &packet[index * lanes..];
        (&rest[..lanes.min(rest.len())], index + 1 == count)
    })
}

/// Runs packets; `stalls` are the shares of clocks in which each sink is not ready.
fn run(
    bench: &mut Bench,
    packets: &[Vec<u8>],
    stalls: [f64; 2],
    random: &mut Xoshiro256PlusPlus,
) -> Output {
    let lanes = bench.setup.lanes;
    let has_ready = bench.setup.form == Form::Axis && bench.setup.core != SNOOP;
    let mut beats = packets.iter().flat_map(|packet| beats(packet, lanes));
    let mut output = Output::default();
    let (mut offered, mut done) = (None, false);
    for _ in 0..1_000_000 {
        if done && bench.model.is_idle() {
            return output;
        }
        if offered.is_none() && random.random_bool(0.9) {
            offered = beats.next();
            done = offered.is_none();
        }
        match offered {
            Some((bytes, last)) => bench.offer(bytes, last),
            None => bench.set("s_axis_tvalid", &[0]),
        }
        let ready = stalls.map(|share| !has_ready || !random.random_bool(share));
        bench.sinks(ready);
        if bench.model.ready() {
            offered = None;
        }
        bench.step();
        output.take(bench, ready);
    }
    panic!("stuck: {:?}", bench.setup);
}

/// The most lanes of a core.
fn widest(core: Core) -> usize {
    if core == DENSE { 64 } else { 128 }
}

/// Every packet comes out as the oracle says, whoever stalls; no FIFO overflows, and no credit is lost.
#[test]
fn packets_come_out_whole_under_stalls() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let stalls = [[0.0; 2], [0.5; 2], [0.95; 2], [0.0, 0.97], [0.97, 0.0]];
    let runs = CORES.into_iter().flat_map(|core| {
        let lanes = [1, 2, 8, widest(core)].into_iter();
        lanes.flat_map(move |lanes| stalls.map(|stalls| (core, lanes, stalls)))
    });
    for ((core, lanes, stalls), form) in
        runs.flat_map(|run| [Form::Free, Form::Axis].map(|form| (run, form)))
    {
        let name = format!("{core:?} {lanes} {form:?} {stalls:?}");
        let capacity = Bench::new(core, lanes, form).capacity();
        let packets: Vec<_> = (0..100).map(|_| random_packet(&mut random)).collect();
        let mut bench = Bench::new(core, lanes, form);
        let output = run(&mut bench, &packets, stalls, &mut random);
        assert_as_oracle(&bench.setup, &packets, &output, &name);
        bench.set("s_axis_tvalid", &[0]);
        for _ in 0..4 {
            bench.step(); // the count sees the last credits
        }
        assert_eq!(bench.capacity(), capacity, "{name}");
    }
}

fn assert_as_oracle(setup: &Setup, packets: &[Vec<u8>], output: &Output, name: &str) {
    let &Setup { core, grammar, .. } = setup;
    if core == SPARSE || core == DENSE {
        let events = packets.iter().flat_map(|packet| events_of(grammar, packet));
        let (data, marks): (Vec<u32>, Vec<u32>) = events
            .map(|(_, event)| match event {
                Event::Scalar(value) => (value, 0),
                Event::IllFormed { kind, length } => {
                    (0xFFFD, u32::from(kind.code()) | u32::from(length) << 3)
                }
            })
            .unzip();
        assert!(output.data == data && output.marks == marks, "{name}");
        assert_eq!(output.packets, packets.len(), "{name}");
        return;
    }
    let limit = if core == SNOOP { 255 } else { 65535 };
    assert_verdicts(grammar, packets, &output.verdicts, limit, name);
    if core == PASS {
        assert!(output.bytes == packets.concat(), "{name}");
        let bad = |packet: &Vec<u8>| match grammar {
            Grammar::Rfc3629 => std::str::from_utf8(packet).is_err(),
            Grammar::Rfc2279 => !verdict_of(grammar, packet).well_formed,
        };
        let expected: Vec<bool> = packets.iter().map(bad).collect();
        assert!(output.bad == expected, "{name}");
    }
}

/// The verdicts are the oracle's; `limit` is the most that a counter shows.
fn assert_verdicts(
    grammar: Grammar,
    packets: &[Vec<u8>],
    verdicts: &[Vec<u32>],
    limit: u64,
    name: &str,
) {
    assert_eq!(verdicts.len(), packets.len(), "{name}");
    for (shown, packet) in verdicts.iter().zip(packets) {
        let verdict = verdict_of(grammar, packet);
        let counts = [
            verdict.bytes,
            verdict.valid_up_to,
            verdict.scalars,
            verdict.ill_formed,
        ];
        assert_eq!(
            shown[..4],
            counts.map(|count| count.min(limit) as u32),
            "{name}"
        );
        assert_eq!(shown[4] & 1 == 1, verdict.well_formed, "{name}");
    }
}

#[test]
fn the_latencies_are_those_of_the_data_sheet() {
    let stated = |core, lanes, form| {
        let Latencies { stream, verdict } = Bench::new(core, lanes, form).setup.latencies();
        (stream, verdict)
    };
    assert_eq!(stated(SPARSE, 64, Form::Free), (Some(14), None));
    assert_eq!(stated(SPARSE, 64, Form::Axis), (Some(17), None));
    assert_eq!(stated(DENSE, 1, Form::Free), (Some(18), None));
    assert_eq!(stated(DENSE, 64, Form::Axis), (Some(39), None));
    assert_eq!(stated(SNOOP, 1, Form::Axis), (None, Some(22)));
    assert_eq!(stated(PASS, 64, Form::Free), (Some(21), Some(33)));
    assert_eq!(stated(PASS, 64, Form::Axis), (Some(24), Some(36)));
    assert_eq!(stated(SPARSE, 128, Form::Axis), (Some(17), None));
    assert_eq!(stated(SNOOP, 128, Form::Free), (None, Some(35)));
    assert_eq!(stated(PASS, 128, Form::Axis), (Some(25), Some(38)));
}

/// A beat that ends its packet shows after the stated latency, with its own tags.
#[test]
fn a_beat_comes_out_after_the_stated_latency() {
    for core in CORES {
        for (lanes, form) in [1, 4, widest(core)]
            .into_iter()
            .flat_map(|lanes| [Form::Free, Form::Axis].map(|form| (lanes, form)))
        {
            let mut bench = Bench::new(core, lanes, form);
            let Latencies { stream, verdict } = bench.setup.latencies();
            bench.offer(&vec![b'A'; lanes], true);
            for clock in 0..60 {
                bench.step();
                bench.set("s_axis_tvalid", &[0]);
                let name = format!("{core:?} {lanes} {form:?} {clock}");
                for (prefix, due) in [("m_axis", stream), ("m_axis_verdict", verdict)] {
                    let is_due = due == Some(clock);
                    assert_eq!(bench.high(&format!("{prefix}_tvalid")), is_due, "{name}");
                    if is_due {
                        assert_eq!(bench.get(&format!("{prefix}_tid")), [lanes as u32 & 7]);
                    }
                }
            }
        }
    }
}

/// A reset drops what is in the core; the payload that was about to show does so for one clock, a verdict and the bytes of a packet that
/// passes for two, a verdict of many lanes for three, sparse events of many lanes for six or eight, without `tvalid`.
#[test]
fn a_reset_shows_payloads_without_tvalid() {
    let cases = CORES
        .into_iter()
        .flat_map(|core| [(core, 4), (core, 8), (core, 32)]);
    for (core, lanes) in cases {
        let Latencies { stream, verdict } = Bench::new(core, lanes, Form::Free).setup.latencies();
        let events = match lanes {
            8 if core == SPARSE => 6,
            32 if core == SPARSE => 8,
            _ if core == PASS => 2,
            _ => 1,
        };
        let judged = if lanes == 32 { 3 } else { 2 };
        let streams = [
            ("m_axis", stream, events),
            ("m_axis_verdict", verdict, judged),
        ];
        for (prefix, latency, lingering) in streams {
            let Some(latency) = latency else { continue };
            for reset in 1..latency + 2 {
                let mut bench = Bench::new(core, lanes, Form::Free);
                bench.offer(b"AB\xFF", true);
                for clock in 0..80 {
                    bench.set("rst", &[u32::from(clock == reset)]);
                    bench.step();
                    bench.set("s_axis_tvalid", &[0]);
                    let shown = clock == latency && reset + lingering >= latency;
                    let name = format!("{core:?} {lanes} {prefix} {reset} {clock}");
                    let data = bench.get(&format!("{prefix}_tdata"));
                    assert_eq!(data.iter().any(|&word| word != 0), shown, "{name}");
                    assert_eq!(
                        bench.high(&format!("{prefix}_tvalid")),
                        shown && reset >= latency,
                        "{name}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_reset_begins_a_packet() {
    for core in CORES {
        for (packet, data, words) in [
            (b"\xEF\xBB\xBF", vec![0xFEFF], [3, 3, 1, 0, 0b11]),
            (
                b"\xBB\xBFA",
                vec![0xFFFD, 0xFFFD, 0x41],
                [3, 0, 1, 2, 1 << 4 | 1 << 8],
            ),
        ] {
            let mut bench = Bench::new(core, 2, Form::Free);
            bench.offer(b"\xFF\xEF", false);
            bench.step();
            bench.set("rst", &[1]);
            bench.step();
            bench.set("rst", &[0]);
            for (bytes, last) in beats(packet, 2) {
                bench.offer(bytes, last);
                bench.step();
            }
            bench.set("s_axis_tvalid", &[0]);
            let mut output = Output::default();
            for _ in 0..60 {
                bench.step();
                output.take(&bench, [true; 2]);
            }
            if core == SPARSE || core == DENSE {
                assert_eq!((output.data, output.packets), (data, 1), "{core:?}");
            } else {
                assert_eq!(output.verdicts.len(), 1, "{core:?}");
                assert_eq!(output.verdicts[0][..5], words, "{core:?}");
            }
        }
    }
}

/// To the decoder, a beat without a byte and without `tlast` is none: it settles nothing.
#[test]
fn a_void_beat_decodes_to_nothing() {
    let mut bench = Bench::new(SPARSE, 2, Form::Free);
    let mut output = Output::default();
    for (bytes, last) in [(&b"\xC3"[..], false), (b"", false), (b"\xA9", true)] {
        bench.offer(bytes, last);
        bench.step();
    }
    bench.set("s_axis_tvalid", &[0]);
    for _ in 0..60 {
        bench.step();
        output.take(&bench, [true; 2]);
    }
    assert_eq!((output.data, output.packets), (vec![0xE9], 1));
}

/// A beat without a byte and without `tlast` passes, and leaves no trace in the verdict.
#[test]
fn a_void_beat_passes() {
    let mut bench = Bench::new(PASS, 4, Form::Axis);
    for (bytes, last) in [(&b"AB\xC3\xA9"[..], false), (b"", false), (b"\xFF", true)] {
        bench.offer(bytes, last);
        bench.step();
    }
    bench.set("s_axis_tvalid", &[0]);
    let (mut beats, mut verdicts) = (Vec::new(), Vec::new());
    for _ in 0..60 {
        bench.step();
        if bench.high("m_axis_tvalid") {
            beats.push([
                bench.get("m_axis_tkeep")[0],
                bench.get("m_axis_tuser")[0] & 1,
            ]);
        }
        if bench.high("m_axis_verdict_tvalid") {
            verdicts.push(bench.get("m_axis_verdict_tdata").to_vec());
        }
    }
    assert_eq!(beats, [[0xF, 0], [0, 0], [1, 1]]);
    let kind = u32::from(Kind::InvalidByte.code());
    assert_eq!(verdicts, [[5, 4, 3, 1, kind << 4 | 1 << 8]]);
}

/// Clocks after a reset of one clock that a bench looks at.
const AFTER: usize = 20;

/// For how many clocks after a reset of one clock a pin of a payload shows what was dropped, at most.
fn shows_after_reset(grammar: Grammar, core: Core, lanes: usize, form: Form, pin: &str) -> usize {
    let resets = 1..60;
    let shown = resets.map(|reset| {
        let mut bench = Bench::under(grammar, None, core, lanes, form);
        let mut shown = 0;
        for clock in 0..=reset + AFTER {
            // The core is full when the reset comes.
            bench.set("rst", &[u32::from(clock == reset)]);
            match clock < reset {
                true => bench.offer(&vec![b'A'; lanes], true),
                false => bench.set("s_axis_tvalid", &[0]),
            }
            bench.step();
            if clock > reset && bench.get(pin).iter().any(|&word| word != 0) {
                shown = clock - reset;
            }
        }
        shown
    });
    shown.max().unwrap_or_default()
}

#[test]
fn the_page_of_the_interface_states_for_how_long_payloads_show_after_a_reset() {
    let mut few = BTreeSet::new();
    let mut many = [BTreeSet::new(), BTreeSet::new()];
    let mut passed = BTreeSet::new();
    let mut verdicts = [BTreeSet::new(), BTreeSet::new()];
    for (core, lanes, form) in CORES
        .into_iter()
        .flat_map(|core| [1, 2, 4, 8, 16, 32, widest(core)].map(|lanes| (core, lanes)))
        .flat_map(|(core, lanes)| [Form::Free, Form::Axis].map(|form| (core, lanes, form)))
    {
        let Latencies { stream, verdict } = Bench::new(core, lanes, form).setup.latencies();
        let streams = [("m_axis", stream), ("m_axis_verdict", verdict)];
        for (prefix, _) in streams.iter().filter(|(_, latency)| latency.is_some()) {
            let clocks = shows_after_reset(
                Grammar::Rfc3629,
                core,
                lanes,
                form,
                &format!("{prefix}_tdata"),
            );
            // The model keeps the payload of a stream with a tready until the next beat, as the core does with a smaller depth; that of a
            // FIFO's memory is not compared without its valid.
            if form == Form::Axis && core != SNOOP {
                assert_eq!(clocks, AFTER, "{prefix} of {core:?}, {lanes} lanes");
                continue;
            }
            match (*prefix, core == SPARSE, lanes) {
                ("m_axis", ..) if core == PASS => passed.insert(clocks),
                ("m_axis", true, 8..=16) => many[0].insert(clocks),
                ("m_axis", true, 32..) => many[1].insert(clocks),
                ("m_axis", ..) => few.insert(clocks),
                _ => verdicts[usize::from(lanes >= 32)].insert(clocks),
            };
        }
    }
    let most = |clocks: &BTreeSet<usize>| *clocks.last().expect("a core of each sort");
    let stated = format!(
        "in the form `free` for {} clock, those of `pass` for {}, a verdict's for {}, with 32 or more lanes for {} (with `--csr` a clock more); \
         those of `decode` with 8 or 16 lanes for {}, with 32 or more for {}. In the form `axis` (but for `snoop`, as in `free`) they are what \
         the FIFO's memory holds, in a simulation X until the first beat; with `--frames` or a smaller depth they stay until the next beat takes their place.",
        most(&few),
        most(&passed),
        most(&verdicts[0]),
        most(&verdicts[1]),
        most(&many[0]),
        most(&many[1])
    );
    let page = include_str!("../../../../docs/src/interface.md");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        page.contains(&stated),
        "docs/src/interface.md does not say: {stated}"
    );
}
