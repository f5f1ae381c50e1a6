//! The lockstep can fail: of mutants that Yosys makes of the cores, each is found, or proven to be no change.
//!
//! A sample of them runs in the test, and many more with `RUNEGATE_MUTANTS=all scripts/test.sh mutants --nocapture`, which
//! takes some minutes. `RUNEGATE_MUTANTS=window` runs only the cores whose description has this word. The results are printed as a table,
//! and written to `target/evidence/`.

use crate::dut::vectors::{Vector, vectors};
use crate::dut::{
    EVERY_CLASS, built, bursts, decoder, evidence, have, in_rfc2279, often, packets_for, to_utf16,
    try_run, verilog,
};
use crate::mutation::equivalence::{Proof, by_induction, prove};
use crate::mutation::{Mutant, Mutated};
use hdl::config::{
    Config, Core, CoreName, Depth, Edges, Encoding, Extent, Form, Mode, Replace, Request, Signature,
};
use serde_json::{Value, json};
use sim::engine::EngineKind;
use sim::lockstep::Outcome;
use sim::stimulus::{Pattern, Pauses};
use sim::tools;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Mutants that no run finds and no proof covers in good time, for it would have to go through a memory, know which states a core comes
/// into, or look at a clock's edge: the core, parts of their names, the line of the Verilog that they are of, and why they make no
/// difference.
const EQUIVALENT: [(&str, [&str; 2], &str, &str); 12] = [
    (
        "decode, lanes 1, axis",
        [" A[", r" of $flatten\pipeline_scalar.$procmux$"],
        "if (fill) s10_slot_scalars_held <= s9_scalars;",
        "of one lane only an unfinished sequence waits in the slot, so that what is kept there meanwhile is no scalar's value",
    ),
    (
        "validate, lanes 1, free, mode pass",
        ["const1 CLK[0]", "s22_bytes.bit_2 "],
        "always @(posedge clock) begin",
        "a beat of one lane has one byte, so that this bit of their number is always clear",
    ),
    (
        DROP,
        [" B[0]", r"$0\tokens_free[5:0] [0]"],
        "if (reset) begin",
        "the first beat that is given after a reset shifts this bit out, and none is read before; for that another one is looked at",
    ),
    (
        DROP,
        [r"const0 A[0] of $flatten\packets_0.$ternary", "_Y [4]"],
        "tokens_free <= (gave ^ was_read) ? (was_read ? {tokens_free[4:0], 1'b1} : {1'b0, tokens_free[5:1]}) :",
        "with each beat that is given from six free tokens one is lost: five are enough for a beat's way to the reader and back",
    ),
    (
        DROP,
        ["const1 Y[0]", r"\s33_ended.$and$"],
        "fields <= clocks[6] & (fields | ~apart);",
        "what a verdict's fields are matters only in the clock in which it is written",
    ),
    (
        DROP,
        ["const0 A[0]", r"\s33_ended.$or$"],
        "of_ill_formed <= clocks[6] & (of_ill_formed | ~apart);",
        "what keeps copies apart is never set, so that the other operand always is",
    ),
    (
        DROP,
        ["const1 CLK[0]", "s21_add_bits.bit_2 "],
        "always @(posedge clock) begin",
        "a beat of one lane adds at most one byte, so that this bit is always clear",
    ),
    (
        "sanitise, lanes 1, free, replace ascii",
        ["inv CLK[0]", "s21_add_bits.bit_2 "],
        "always @(posedge clock) begin",
        "a beat of one lane adds at most one byte, so that this bit is always clear",
    ),
    (
        "encode, lanes 1, axis, from utf32",
        ["inv B[0]", r"verdict_fifo_0.$0\filled[62:0] [50]"],
        "if (reset) begin",
        "what a reset leaves in a high place stays above the beats that are counted, and only the lowest place is looked at",
    ),
    (
        "encode, lanes 1, axis, from utf32",
        ["inv B[0]", r"fifo_0.$0\filled[30:0] [30]"],
        "if (reset) begin",
        "what a reset leaves in a high place stays above the beats that are counted, and only the lowest place is looked at",
    ),
    (
        "encode, lanes 1, axis, from utf32",
        ["cnot0 B[2] by bit 1", r"pipeline.\ring.\bank_3.$or$"],
        "next_round <= round_after & (next_round | {5{~apart}});",
        "what keeps copies apart is never set, so that the other operand always is",
    ),
    (
        "encode, lanes 1, axis, from utf32",
        ["cnot1 Y[1] by bit 2", "pipeline.ring.of_bank_ahead_of_3"],
        "assign ahead_of_3 = {3'h0 + ~first[2:0], 3'h4 + ~first[2:0]};",
        "the number is changed only where it is four or more, and a beat of one lane completes at most four quarters",
    ),
];

/// The core that drops packets.
const DROP: &str = "validate, lanes 1, axis, mode drop";

/// Why a mutant makes no difference, if that is known.
fn equivalent(core: &str, mutant: &Mutant) -> Option<&'static str> {
    let listed = EQUIVALENT.iter().find(|(of, parts, line, _)| {
        core.starts_with(of)
            && parts.iter().all(|part| mutant.name.contains(part))
            && mutant.source.iter().any(|source| source == line)
    });
    if let Some((.., reason)) = listed {
        return Some(reason);
    }
    // A FIFO of verdicts handles all fields as a word, or a word of 32 bits in each part. A name is `MODE PORT[BIT] by bit BIT of CELL`,
    // or without the second bit.
    let (mode, rest) = mutant.name.split_once(' ')?;
    let (port, cell) = rest.split_once(" of ")?;
    let is_data = ["A[", "B[", "Y[", "D[", "Q[", "RD_DATA[", "WR_DATA["]
        .iter()
        .any(|data| port.starts_with(data));
    let is_word = ["[159:0]", "[31:0]", "_beat", "beats_", "_verdict_0.words"]
        .iter()
        .any(|word| mutant.name.contains(word));
    let cell = cell.replace('\\', "");
    let first = match cell.split_once("verdict_fifo.slice_") {
        Some((_, part)) => 32 * part.split_once('.')?.0.parse::<usize>().ok()?,
        None if cell.contains("kept_verdict_0.") => 0,
        None => return None,
    };
    let bits: Vec<usize> = port
        .split(|it: char| !it.is_ascii_digit())
        .filter_map(|bit| bit.parse().ok())
        .collect();
    let is_clear = |bit: &usize| !VERDICT_HAS.iter().any(|has| has.contains(&(first + bit)));
    let makes_none = match mode {
        "cnot1" => bits.last().is_some_and(is_clear),
        "const0" => bits.first().is_some_and(is_clear),
        _ => false,
    };
    let is_here = [DROP, "encode, lanes 1", "sanitise, lanes 1"]
        .iter()
        .any(|it| core.starts_with(it));
    (is_here && core.contains("counter width 8") && is_data && is_word && makes_none).then_some(
        "bits of a verdict that are always clear: a counter has 8 bits in this core, and there are no policies",
    )
}

/// The bits that are ever set of a verdict with counters of 8 bits, without policies: the counters, two marks, the kind, its length,
/// and which counters are full.
const VERDICT_HAS: [Range<usize>; 8] = [
    0..8,
    32..40,
    64..72,
    96..104,
    128..130,
    132..135,
    136..138,
    144..148,
];

/// Each core, its mutants in the sample and in the full run.
fn cores() -> [(Config, usize, usize); 25] {
    use Form::{Axis, Free};
    let validator = |mode, lanes, form| {
        built(Request {
            form: Some(form),
            core: Some(CoreName::Validate),
            mode: Some(mode),
            lanes: Some(lanes),
            counter_width: Some(8),
            // What passes beside the bytes is wide enough to show in which order it comes.
            user_width: Some(if mode == Mode::Pass { 4 } else { 0 }),
            ..Default::default()
        })
    };
    let shallow = |core, lanes, form| {
        built(Request {
            depth: Some(Depth::Min),
            lanes: Some(lanes),
            form: Some(form),
            core: Some(core),
            signature: (core == CoreName::Decode).then_some(Signature::Strip),
            counter_width: (core == CoreName::Validate).then_some(8),
            ..Default::default()
        })
    };
    let units_of_the_smallest_depth = built(Request {
        depth: Some(Depth::Min),
        form: Some(Form::Free),
        to: Some(Encoding::Utf16le),
        ..Default::default()
    });
    let encoder = built(Request {
        core: Some(CoreName::Encode),
        counter_width: Some(8),
        ..Default::default()
    });
    let sanitiser = |replace, form| {
        built(Request {
            core: Some(CoreName::Sanitise),
            replace: Some(replace),
            form: Some(form),
            signature: (replace == Replace::Fffd).then_some(Signature::Strip),
            counter_width: Some(8),
            ..Default::default()
        })
    };
    let with_policy = built(Request {
        core: Some(CoreName::Validate),
        lanes: Some(1),
        form: Some(Form::Free),
        forbid: Some(EVERY_CLASS.parse().expect("names of classes")),
        signature: Some(Signature::Reject),
        counter_width: Some(8),
        ..Default::default()
    });
    let with_edges = built(Request {
        core: Some(CoreName::Validate),
        lanes: Some(1),
        form: Some(Form::Free),
        edges: Some(Edges::Open),
        verdict: Some(Extent::Full),
        counter_width: Some(8),
        ..Default::default()
    });
    let dropping = built(Request {
        core: Some(CoreName::Validate),
        mode: Some(Mode::Drop),
        lanes: Some(1),
        drop_bytes: Some(20),
        user_width: Some(2),
        counter_width: Some(8),
        ..Default::default()
    });
    let with_windows = built(Request {
        core: Some(CoreName::Validate),
        lanes: Some(4),
        form: Some(Form::Free),
        window: Some(true),
        counter_width: Some(8),
        ..Default::default()
    });
    let of_six_octets = |core, lanes, form| {
        in_rfc2279(Request {
            core: Some(core),
            lanes: Some(lanes),
            form: Some(form),
            counter_width: (core != CoreName::Decode).then_some(8),
            ..Default::default()
        })
    };
    [
        (decoder(1, Axis, Signature::Keep), 0, 200),
        (decoder(1, Axis, Signature::Flag), 0, 160),
        (decoder(1, Axis, Signature::Strip), 16, 160),
        (decoder(1, Free, Signature::Keep), 0, 160),
        (validator(Mode::Snoop, 1, Axis), 16, 200),
        (validator(Mode::Pass, 1, Free), 16, 200),
        (decoder(8, Free, Signature::Keep), 0, 200),
        (validator(Mode::Snoop, 8, Axis), 0, 120),
        (shallow(CoreName::Decode, 1, Free), 10, 200),
        (shallow(CoreName::Decode, 1, Axis), 0, 100),
        (shallow(CoreName::Validate, 1, Free), 10, 200),
        (shallow(CoreName::Decode, 8, Free), 0, 100),
        (
            to_utf16(Encoding::Utf16le, 1, Free, Signature::Strip, false),
            12,
            200,
        ),
        (
            to_utf16(Encoding::Utf16be, 8, Free, Signature::Keep, false),
            0,
            120,
        ),
        (units_of_the_smallest_depth, 0, 100),
        (encoder, 0, 200),
        (sanitiser(Replace::Ascii, Form::Free), 12, 200),
        (sanitiser(Replace::Fffd, Form::Axis), 0, 200),
        (of_six_octets(CoreName::Decode, 1, Form::Free), 8, 200),
        (of_six_octets(CoreName::Validate, 2, Form::Free), 0, 200),
        (of_six_octets(CoreName::Encode, 1, Form::Axis), 0, 200),
        (with_policy, 0, 300),
        (with_edges, 0, 300),
        (with_windows, 0, 300),
        (dropping, 0, 300),
    ]
}

/// What became of a core's mutants.
struct Tally {
    core: String,
    mutants: usize,
    idle: usize,
    killed: usize,
    induction: usize,
    bounded: Vec<String>,
    reasoned: Vec<String>,
    survivors: Vec<String>,
}

impl Tally {
    fn of(config: &Config, count: usize, packets: &[Vec<u8>]) -> Self {
        let core = Mutated::new(config, &verilog(config), count);
        assert!(
            !is_found(config, &core, 0, packets),
            "the core itself is right"
        );
        let mut tally = Self {
            core: config.describe(),
            mutants: core.mutants.len(),
            idle: core.idle,
            killed: 0,
            induction: 0,
            bounded: Vec::new(),
            reasoned: Vec::new(),
            survivors: Vec::new(),
        };
        let mut refuted = false;
        for (mutant, number) in core.mutants.iter().zip(1..) {
            // The proofs know one edge of one clock: of a register on the other edge they say nothing.
            let of_clock = mutant.name.contains("CLK[");
            if is_found(config, &core, number, packets) {
                // A proof that can fail: of what is a change there is none.
                if !refuted && !of_clock {
                    let wrong = by_induction(&core, mutant);
                    assert!(!wrong, "{} is found, and no change", mutant.name);
                    refuted = true;
                }
                tally.killed += 1;
            } else if let Some(reason) = equivalent(&tally.core, mutant) {
                tally.reasoned.push(format!("{}: {reason}", mutant.name));
            } else if of_clock {
                let why = "a clock's edge, which no proof knows";
                tally.survivors.push(format!("{}: {why}", mutant.name));
            } else {
                match prove(&core, mutant) {
                    Ok(Proof::Induction) => tally.induction += 1,
                    Ok(Proof::Bounded) => tally.bounded.push(mutant.name.clone()),
                    Err(why) => tally.survivors.push(format!("{}: {why}", mutant.name)),
                }
            }
        }
        assert!(refuted, "no mutant tried the proofs");
        tally
    }

    fn show(&self) {
        println!(
            "{:7} {:6} {:9} {:7} {:8} {:9} {}",
            self.mutants,
            self.killed,
            self.induction,
            self.bounded.len(),
            self.reasoned.len(),
            self.survivors.len(),
            self.core
        );
        for survivor in &self.survivors {
            println!("  survivor: {survivor}");
        }
    }

    fn json(&self) -> Value {
        json!({
            "core": self.core,
            "mutants": self.mutants,
            "left_out": self.idle,
            "killed_by_lockstep": self.killed,
            "proven_by_induction": self.induction,
            "proven_up_to_the_bound": self.bounded,
            "reasoned": self.reasoned,
            "survivors": self.survivors,
        })
    }
}

/// Whether a run with everything in it (idles, stalls, late ends, resets) finds it. There are three: with short idles; with long idles,
/// in which the core runs empty; and with a beat in every clock and ten times as many resets, which then find every register full. Where
/// much has to come before the memories are full, there are two more, with stalls in which they are.
fn is_found(config: &Config, core: &Mutated, number: usize, packets: &[Vec<u8>]) -> bool {
    let stalls = bursts(0.5, 40.0);
    let mut runs = vec![
        (often(0.3), 0.003, stalls),
        (bursts(0.5, 40.0), 0.003, stalls),
        (often(0.0), 0.03, stalls),
    ];
    if fills(config) {
        runs.push((often(0.0), 0.0002, bursts(0.5, 4000.0)));
        runs.push((often(0.0), 0.0002, bursts(0.8, 300.0)));
    }
    runs.into_iter()
        .any(|run| is_found_with(run, config, core, number, packets))
}

fn is_found_with(
    (idle, reset, stall): (Pauses, f64, Pauses),
    config: &Config,
    core: &Mutated,
    number: usize,
    packets: &[Vec<u8>],
) -> bool {
    let pattern = Pattern {
        seed: 11,
        idle,
        stall: if config.form == Form::Axis {
            stall
        } else {
            often(0.0)
        },
        late_last: 0.2,
        null_beats: 0.1,
        sparse: 0.0,
        reset,
        accesses: 0.0,
        texts: sim::texts::Texts::Random,
    };
    core.wake(number);
    let (_, outcome) = try_run(
        config,
        EngineKind::Verilator,
        &core.verilog,
        packets,
        pattern,
    );
    matches!(outcome, Outcome::Differed(_))
}

/// Whether more waits in it than comes in a common stall: packets that may be dropped, or bytes that are packed.
fn fills(config: &Config) -> bool {
    let packs = matches!(
        config.core,
        Core::Encode { .. }
            | Core::Sanitise {
                replace: Replace::Fffd,
                ..
            }
    );
    packs || config.core.packet_memory(config.lanes).is_some()
}

/// Packets that show what a mutant changes.
fn revealing(config: &Config) -> Vec<Vec<u8>> {
    let lanes = config.lanes;
    let mut packets = packets_for(config, 12, 300);
    // In the vectors every kind is the first of a packet, which is the one that a verdict tells; each of them in every lane.
    for lane in 0..lanes {
        let shifted = |vector: &Vector| [vec![b'a'; lane], vector.bytes()].concat();
        packets.extend(vectors().iter().map(shifted));
    }
    // Every lead byte in every lane, with a second byte of each class.
    for (lane, lead) in (0..lanes).flat_map(|lane| (0xC0..=0xFF_u8).map(move |lead| (lane, lead))) {
        let with = |second| [&vec![b'a'; lane][..], &[lead, second]].concat();
        packets.extend([0x80, 0x90, 0xA0].map(with));
    }
    // A signature that is cut: its last byte is on the pins in some of the clocks without a beat.
    packets.extend(vec![vec![0xEF, 0xBB, 0x80]; 3000]);
    // Every bit of a counter counts, up to its saturation: a few of the packets are long enough, and whole in spite of resets.
    for byte in [b'a', 0xFF] {
        let lengths = [130, 200, 260].into_iter().cycle().take(60);
        packets.extend(lengths.map(|bytes| vec![byte; bytes]));
    }
    if fills(config) {
        // More verdicts than there is room for, and as many bytes.
        packets.extend(vec![b"a".to_vec(); 2000]);
        packets.extend((0..1000).map(|bytes| vec![0xFF; 1 + bytes % 24]));
    }
    if !config.core.policy().forbid.is_empty() {
        // Sequences that a byte of ASCII cuts: that byte is of no class.
        let cut = (0xC0..=0xFF_u8).flat_map(|lead| [vec![lead, b'a'], vec![lead, 0x80, b'a']]);
        packets.extend(cut);
        // Those that differ from a forbidden one in a single bit.
        for range in [
            0x80..0x800,
            0x2000..0x2080,
            0xFDC0..0xFE00,
            0xFFC0..0x1_0000,
        ] {
            let all = range.filter_map(char::from_u32);
            packets.extend(all.map(|scalar| scalar.to_string().into_bytes()));
        }
        // What one scalar value's bytes leave behind must not show in the next one, of the same packet or of another.
        let lefts = [
            "\u{2000}",
            "\u{2040}",
            "\u{fdc0}",
            "\u{ffc0}",
            "\u{e000}",
            "\u{fffff}",
        ];
        for (left, last) in lefts
            .iter()
            .flat_map(|left| (0x80..0xC0).map(move |last| (left, last)))
        {
            let next = [[0xC2, last].to_vec(), [0xC3, last].to_vec()].concat();
            packets.push([left.as_bytes(), &next].concat());
            packets.extend([left.as_bytes().to_vec(), next]);
        }
        // Forbidden values that end around the saturation of a counter.
        let lengths = [130, 200, 260].into_iter().cycle().take(60);
        packets.extend(lengths.map(|bytes| [&vec![b'a'; bytes][..], b"\0"].concat()));
    }
    packets
}

/// The same of words.
fn revealing_words(config: &Config) -> Vec<Vec<u8>> {
    let mut packets = packets_for(config, 12, 600);
    // More verdicts than there is room for.
    packets.extend(vec![b"a\0\0\0".to_vec(); 6000]);
    // More bytes than there is room for, of words that have four each; now and then another place is a packet's first.
    packets.extend((0..1000).map(|index: usize| {
        let mut words = [0x00, 0xF6, 0x01, 0x00].repeat(1 + index % 24);
        if index.is_multiple_of(7) {
            words.extend(*b"a\0\0\0");
        }
        words
    }));
    packets
}

#[test]
fn every_mutant_is_found_or_no_change() {
    if !have(&tools::VERILATOR) || !have(&tools::YOSYS) || !have(&tools::YICES) {
        return;
    }
    let wanted = std::env::var("RUNEGATE_MUTANTS").unwrap_or_default();
    let chosen = cores().map(|(config, sample, full)| match wanted.as_str() {
        "" => (config, sample),
        "all" => (config, full),
        words => {
            let is_asked = config.describe().contains(words);
            (config, if is_asked { full } else { 0 })
        }
    });
    let chosen: Vec<_> = chosen.into_iter().filter(|(_, count)| *count > 0).collect();
    assert!(
        !chosen.is_empty(),
        "RUNEGATE_MUTANTS is {wanted}, and can be: all, or words of a core's description"
    );
    println!("mutants killed induction bounded reasoned survivors core");
    let tallies = each(&chosen, |(config, count)| {
        let packets = match config.core.name() {
            CoreName::Encode => revealing_words(config),
            _ => revealing(config),
        };
        let tally = Tally::of(config, *count, &packets);
        tally.show();
        tally
    });
    let cores: Vec<Value> = tallies.iter().map(Tally::json).collect();
    let document = json!({
        "yosys": tools::YOSYS.version().expect("it is there"),
        "wanted": wanted,
        "cores": cores,
    });
    evidence::keep("mutants.json", &document);
    let all = tallies.iter().map(|tally| tally.mutants + tally.idle);
    let counts: Vec<usize> = all.collect();
    let asked: Vec<usize> = chosen.iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, asked, "Yosys found so many");
    let survivors = tallies.iter().flat_map(|tally| &tally.survivors);
    let survivors: Vec<&str> = survivors.map(String::as_str).collect();
    assert!(survivors.is_empty(), "survivors:\n{}", survivors.join("\n"));
}

#[test]
fn the_full_run_is_large_enough() {
    let of = |lanes: usize| -> usize {
        let of_it = cores()
            .into_iter()
            .filter(|(config, ..)| config.lanes == lanes);
        of_it.map(|(_, _, full)| full).sum()
    };
    assert!(of(1) >= 1000 && of(8) >= 300);
    assert!(cores().iter().map(|(_, sample, _)| sample).sum::<usize>() >= 100);
}

/// Does the work for each, two at a time, in their order.
fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else {
                return done;
            };
            done.push((index, work(item)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let other = scope.spawn(take);
        let mut done = take();
        done.extend(other.join().expect("the work is done"));
        done
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// What a core put out before it went wrong is told: here all packets but the last, the only one that is ill-formed.
#[test]
fn a_run_that_fails_tells_what_came_before() {
    if !have(&tools::ICARUS) {
        return;
    }
    let config = decoder(1, Form::Axis, Signature::Keep);
    let verilog = hdl::emit::emit(&config).expect("it can be emitted").verilog;
    let broken = verilog.replace("'hfffd", "'hfffc");
    assert_ne!(broken, verilog);
    let mut packets = vec![b"well-formed".to_vec(); 50];
    packets.push(vec![0xFF]);
    let pattern = Pattern::default();
    let (output, outcome) = try_run(&config, EngineKind::Icarus, &broken, &packets, pattern);
    let Outcome::Differed(mismatch) = outcome else {
        panic!("not found");
    };
    assert_eq!(output.verdicts.len(), 50);
    assert_eq!(output.events.len(), 50 * "well-formed".len());
    let pins: Vec<&str> = mismatch
        .differences
        .iter()
        .map(|difference| difference.pin)
        .collect();
    assert_eq!(pins, ["m_axis_tdata"]);
}
