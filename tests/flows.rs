//! `validate --flows`: whatever interleaves, each flow's message gets the verdict that it would get alone.

use crate::dut::{
    bursts, engines, everything, fastest, flows, flows_with_counters, have, name, often, oracle,
    packets, run, try_run, verilog,
};
use golden::{Verdict, verdict};
use hdl::config::{Core, Form};
use sim::engine::{self, Dut, EngineKind};
use sim::frame::Frame;
use sim::lockstep::{self, Outcome};
use sim::stimulus::{Pattern, Pauses};
use sim::tools;

const IDLES: [Pauses; 3] = [often(0.0), often(0.4), bursts(0.5, 9.0)];

/// All engines over numbers of lanes and flows: every pin as the model has it, and every verdict as of the packet alone.
#[test]
fn every_message_of_a_flow_has_its_own_verdict() {
    let mut seed = 0;
    for kind in engines() {
        let (count, step) = match kind {
            EngineKind::Verilator => (600, 1),
            _ => (40, 4),
        };
        for lanes in [1, 8, 64] {
            for count_of_flows in [1, 2, 5] {
                seed += 1;
                if seed % step != 0 {
                    continue;
                }
                let form = if seed % 2 == 0 {
                    Form::Axis
                } else {
                    Form::Free
                };
                let config = flows(lanes, count_of_flows, form);
                let pattern = Pattern {
                    seed,
                    idle: IDLES[seed as usize % 3],
                    stall: often(0.2),
                    late_last: 0.3,
                    ..Pattern::default()
                };
                let packets = packets(seed, count);
                let (output, _) = run(&config, kind, &packets, pattern);
                let expected = oracle(&config, &packets);
                assert!(
                    output.verdicts == expected.verdicts,
                    "{}",
                    name(&config, kind)
                );
            }
        }
    }
}

/// Resets at any moment: all flows are forgotten, and what comes before that is done is not taken.
#[test]
fn a_reset_forgets_every_flow() {
    for kind in engines() {
        // Engines other than Verilator take wide cores slowly.
        let sizes = [(1, 1), (4, 7), (64, 3)].into_iter();
        for (lanes, count) in
            sizes.filter(|&(lanes, _)| lanes < 64 || everything() || kind == EngineKind::Verilator)
        {
            let pattern = Pattern {
                seed: 5,
                idle: often(0.1),
                reset: 0.01,
                accesses: 0.1,
                ..Pattern::default()
            };
            run(
                &flows(lanes, count, Form::Free),
                kind,
                &packets(6, 60),
                pattern,
            );
        }
    }
}

/// A thousand flows whose beats come in any order.
#[test]
fn a_thousand_flows_interleave() {
    let config = flows(64, 1024, Form::Free);
    let packets = packets(9, 10_000);
    let (output, _) = run(&config, fastest(), &packets, Pattern::default());
    assert!(output.verdicts == oracle(&config, &packets).verdicts);
}

/// Messages whose counts carry from each digit into the next, now in this beat and now in that; those of no more bits saturate there.
#[test]
fn counts_carry_from_digit_to_digit() {
    let quick = [(8, 16, 16, 16), (64, 32, 16, 16), (64, 32, 24, 2)];
    let more = [(64, 24, 24, 4), (64, 32, 24, 4)];
    let more = more.into_iter().filter(|_| everything());
    for (lanes, width, bits, messages) in quick.into_iter().chain(more) {
        let config = flows_with_counters(lanes, 4, Form::Free, width);
        let least = (1 << bits) - 50 * messages;
        let long = |index: usize| vec![b'a'; least + 100 * index];
        let input: Vec<Vec<u8>> = (0..messages).map(long).collect();
        let (output, _) = run(&config, fastest(), &input, Pattern::default());
        assert!(output.verdicts == oracle(&config, &input).verdicts);
    }
}

/// A fault in a table's forwarding is seen: of each register that stands in for the memory, in each sort of table: of the entry, of
/// faults, of a lower digit and of the topmost one.
#[test]
fn a_stale_word_is_seen() {
    const TABLES: usize = 4;
    let config = flows(8, 3, Form::Free);
    assert!(matches!(
        config.core,
        Core::Validate {
            counter_width: 8,
            ..
        }
    ));
    let good = verilog(&config);
    let faults = [
        ("s4_next_same_1 <= s3_same_1;", "s4_next_same_1 <= 1'b0;"),
        ("s4_next_other_1 <= ~s3_same_1;", "s4_next_other_1 <= 1'b1;"),
        ("if (s3_same_2) begin", "if (1'b0) begin"),
        ("if (s3_same_3) begin", "if (1'b0) begin"),
        ("if (s2_same_4) begin", "if (1'b0) begin"),
        ("if (s2_same_5) begin", "if (1'b0) begin"),
    ];
    // In the topmost digit of counts of eight bits there is whether they have saturated, and nothing else.
    let long = (0..100).map(|index| vec![b'a'; 240 + index % 64]);
    let input: Vec<Vec<u8>> = packets(3, 40).into_iter().chain(long).collect();
    // What it shows of the table is X where it means nothing, and its build takes no time.
    if !have(&tools::ICARUS) {
        return;
    }
    let outcome = |verilog: &str| {
        let engine = EngineKind::Icarus;
        try_run(&config, engine, verilog, &input, Pattern::default()).1
    };
    assert!(!matches!(outcome(&good), Outcome::Differed(_)));
    for (text, fault) in faults {
        let parts: Vec<&str> = good.split(text).collect();
        assert_eq!(
            parts.len(),
            TABLES + 1,
            "{text:?} is in every sort of table"
        );
        for table in 0..TABLES {
            let bad: String = parts[0].to_string()
                + &(0..TABLES)
                    .map(|index| {
                        let text = if index == table { fault } else { text };
                        text.to_string() + parts[index + 1]
                    })
                    .collect::<String>();
            assert!(
                matches!(outcome(&bad), Outcome::Differed(_)),
                "{text:?} of table {table} is not seen"
            );
        }
    }
}

/// What the bytes of the short messages are: each class of the grammar that begins, continues or breaks a sequence.
const ALPHABET: [u8; 5] = [b'A', 0xE1, 0xF1, 0x80, 0xFF];
/// Bytes of a short message, at most.
const LONGEST: usize = 3;

/// The bits of `s_axis_tuser`.
const MORE: u32 = 1;

fn messages() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    let mut longest = vec![Vec::new()];
    for _ in 0..LONGEST {
        longest = (longest.iter())
            .flat_map(|message| ALPHABET.map(|byte| [&message[..], &[byte]].concat()))
            .collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// All orders of so many beats of flow 0 and of flow 1.
fn orders(lengths: [usize; 2]) -> Vec<Vec<usize>> {
    if lengths == [0, 0] {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for flow in 0..2 {
        let mut left = lengths;
        if left[flow] > 0 {
            left[flow] -= 1;
            all.extend(
                orders(left)
                    .into_iter()
                    .map(|rest| [&[flow], &rest[..]].concat()),
            );
        }
    }
    all
}

/// Two flows, every pair of short messages, every order of their beats, each beat a fragment or within one, a beat in every
/// clock: every pin as the model has it, and every verdict as of the message alone.
#[test]
fn no_order_of_beats_mixes_two_flows() {
    let config = flows(1, 2, Form::Free);
    let kind = fastest();
    let (inputs, outputs) = (Frame::inputs(&config), Frame::outputs(&config));
    let text = verilog(&config);
    let dut = Dut {
        config: &config,
        verilog: &text,
        trace: None,
        coverage: false,
        bytes: None,
    };
    let mut engine = engine::start(kind, &dut).unwrap_or_else(|error| panic!("{error}"));
    let mut model = lockstep::model(&config);
    let at = |name: &str| inputs.at(name);
    let out = |name: &str| outputs.at(name);
    let mut frames: Vec<u32> = Vec::new();
    // Each verdict that is due: its flow, and what Rust's own decoder and the oracle say of the message alone.
    let mut due: Vec<(u32, Verdict)> = Vec::new();
    let mut clock = |beat: Option<(usize, u8, bool, u32)>, reset: bool| {
        let start = frames.len();
        frames.resize(start + inputs.words, 0);
        let frame = &mut frames[start..];
        frame[0] = u32::from(reset);
        if let Some((flow, byte, last, command)) = beat {
            frame[1] = 1;
            frame[at("s_axis_tdata")] = u32::from(byte);
            frame[at("s_axis_tkeep")] = 1;
            frame[at("s_axis_tlast")] = u32::from(last);
            frame[at("s_axis_tid")] = flow as u32;
            frame[at("s_axis_tuser")] = command;
        }
    };
    for reset in [true, true, false, false, false, false] {
        clock(None, reset);
    }
    let all = messages();
    let mut beats = 0_usize;
    for one in &all {
        for other in &all {
            for order in orders([one.len(), other.len()]) {
                let mut sent = [0; 2];
                for flow in order {
                    let message = [one, other][flow];
                    let byte = message[sent[flow]];
                    sent[flow] += 1;
                    let ends = sent[flow] == message.len();
                    beats += 1;
                    // Every third beat that could go on ends a packet.
                    let (last, command) = match ends {
                        true => (true, 0),
                        false => (beats.is_multiple_of(3), MORE),
                    };
                    clock(Some((flow, byte, last, command)), false);
                    if ends {
                        let alone = verdict(message);
                        let std = std::str::from_utf8(message);
                        assert_eq!(alone.well_formed, std.is_ok());
                        due.push((flow as u32, alone));
                    }
                }
            }
        }
    }
    for _ in 0..64 {
        clock(None, false);
    }
    let clocks = frames.len() / inputs.words;
    let mut expected = vec![0; clocks * outputs.words];
    for (frame, pins) in frames
        .chunks_exact(inputs.words)
        .zip(expected.chunks_exact_mut(outputs.words))
    {
        model.step(frame, pins);
    }
    let mut got = vec![0; clocks * outputs.words];
    let undefined = engine
        .run(clocks, &frames, &mut got)
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(undefined.is_empty());
    let words = outputs.words;
    // The clock before the first reset means nothing.
    let differs = (1..clocks)
        .find(|&clock| expected[clock * words..][..words] != got[clock * words..][..words]);
    assert_eq!(differs, None, "the first clock that differs");
    let mut due = due.into_iter();
    for pins in got.chunks_exact(words).skip(1) {
        if pins[out("m_axis_verdict_tvalid")] == 0 {
            continue;
        }
        let (flow, alone) = due.next().expect("no more verdicts than messages");
        let data = &pins[out("m_axis_verdict_tdata")..][..5];
        assert_eq!(pins[out("m_axis_verdict_tid")], flow);
        assert_eq!(u64::from(data[0]), alone.bytes);
        assert_eq!(u64::from(data[1]), alone.valid_up_to);
        assert_eq!(u64::from(data[2]), alone.scalars);
        assert_eq!(u64::from(data[3]), alone.ill_formed);
        assert_eq!(data[4] & 1 == 1, alone.well_formed);
        assert_eq!(data[4] >> 4 & 7, u32::from(alone.kind.code()));
    }
    assert_eq!(due.next(), None, "every message has its verdict");
}
