//! The cores under RFC 2279 at their pins: sequences of up to six bytes, and what differs from RFC 3629.

use super::*;

const STRIP: Core = Core::Decode {
    signature: Signature::Strip,
    dense: false,
    to: Encoding::Utf32,
};
const STRIP_DENSE: Core = Core::Decode {
    signature: Signature::Strip,
    dense: true,
    to: Encoding::Utf32,
};
/// A signature, and five bytes that want a sixth: eight bytes without an event if the signature is stripped.
const SIGNATURE_AND_FIVE: &[u8] = b"\xEF\xBB\xBF\xFD\xBF\xBF\xBF\xBF";

fn bench(core: Core, lanes: usize, form: Form) -> Bench {
    Bench::under(Grammar::Rfc2279, None, core, lanes, form)
}

fn random_packet(random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let choices: [&[u8]; 10] = [
        b"A",
        b"\xC3\xA9",
        b"\xED\x9F\xBF",
        b"\xF7\xBF\xBF\xBF",
        b"\xF8\x88\x80\x80\x80",
        b"\xFD\xBF\xBF\xBF\xBF\xBF",
        b"\xFC\x84\x80\x80\x80",
        b"\xFB\xBF",
        b"\xFE",
        b"\xED",
    ];
    let mut packet = Vec::new();
    for _ in 0..random.random_range(0..40) {
        packet.extend_from_slice(choices[random.random_range(0..choices.len())]);
    }
    packet
}

#[test]
fn packets_come_out_whole_under_stalls() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2279);
    for core in CORES {
        for lanes in [1, 2, 4, 8, 16, widest(core)] {
            for (depth, form, stalls) in [
                (None, Form::Free, [0.0; 2]),
                (None, Form::Axis, [0.5; 2]),
                (None, Form::Axis, [0.9, 0.1]),
                (Some(21), Form::Axis, [0.5; 2]),
            ] {
                // Of the latency of a dense core the smaller depth takes only some.
                if depth.is_some() && (core != SNOOP && core != PASS) {
                    continue;
                }
                let fresh = || Bench::under(Grammar::Rfc2279, depth, core, lanes, form);
                let name = format!("{core:?} {lanes} {form:?} {depth:?} {stalls:?}");
                let capacity = fresh().capacity();
                let packets: Vec<_> = (0..100).map(|_| random_packet(&mut random)).collect();
                let mut bench = fresh();
                let output = run(&mut bench, &packets, stalls, &mut random);
                assert_as_oracle(&bench.setup, &packets, &output, &name);
                bench.set("s_axis_tvalid", &[0]);
                for _ in 0..4 {
                    bench.step(); // the count sees the last credits
                }
                assert_eq!(bench.capacity(), capacity, "{name}");
            }
        }
    }
}

/// A lane's part of `m_axis_tuser` has six bits: the length above the kind. The flag is above all lanes, then the user's bits.
#[test]
fn a_mark_has_six_bits() {
    for (grammar, width) in [
        (Grammar::Rfc3629, 5 * 8 + 1 + 40),
        (Grammar::Rfc2279, 6 * 8 + 1 + 40),
    ] {
        let bench = Bench::under(grammar, None, SPARSE, 8, Form::Free);
        let pins = bench.model.output_pins();
        let user = pins.iter().find(|pin| pin.name == "m_axis_tuser");
        assert_eq!(user.map(|pin| pin.width), Some(width), "{grammar:?}");
        let data = pins.iter().find(|pin| pin.name == "m_axis_tdata");
        assert_eq!(data.map(|pin| pin.width), Some(256), "{grammar:?}");
    }
    let flags = Core::Decode {
        signature: Signature::Flag,
        dense: false,
        to: Encoding::Utf32,
    };
    let mut bench = bench(flags, 16, Form::Free);
    // The signature, five bytes that a letter cuts, the greatest value, and a byte of no sequence.
    bench.offer(
        b"\xEF\xBB\xBF\xFD\xBF\xBF\xBF\xBFA\xFD\xBF\xBF\xBF\xBF\xBF\xFE",
        true,
    );
    let Latencies { stream, .. } = bench.setup.latencies();
    for _ in 0..=stream.expect("a stream") {
        bench.step();
        bench.set("s_axis_tvalid", &[0]);
    }
    assert!(bench.high("m_axis_tvalid"));
    let mut data = [0; 16];
    (data[2], data[7], data[8], data[14], data[15]) = (0xFEFF, 0xFFFD, 0x41, 0x7FFF_FFFF, 0xFFFD);
    assert_eq!(bench.get("m_axis_tdata"), data);
    // Kind 6 of five bytes in lane 7, kind 2 of one in lane 15, the flag, and the user's bits, the first of which is 0 and the eighth and
    // higher ones those that the bench gives.
    let user = bench.get("m_axis_tuser");
    let at = |bit: usize, bits: usize| {
        (0..bits).fold(0, |sum, index| {
            let bit = bit + index;
            sum | (user[bit / 32] >> (bit % 32) & 1) << index
        })
    };
    let marks: Vec<u32> = (0..16).map(|lane| at(6 * lane, 6)).collect();
    let mut expected = vec![0; 16];
    (expected[7], expected[15]) = (6 | 5 << 3, 2 | 1 << 3);
    assert_eq!(marks, expected);
    assert_eq!(at(96, 1), 1);
    assert_eq!([at(97, 32), at(129, 8)], [!1, 16]);
}

#[test]
fn a_verdict_has_three_bits_of_error_len() {
    let mut bench = bench(SNOOP, 4, Form::Free);
    let mut output = Output::default();
    for (bytes, last) in beats(b"\xFC\x84\x80\x80\x80A\xFF", 4) {
        bench.offer(bytes, last);
        bench.step();
    }
    bench.set("s_axis_tvalid", &[0]);
    for _ in 0..40 {
        bench.step();
        output.take(&bench, [true; 2]);
    }
    // Bits 138:136 of tdata, after the four counters: five bytes that were cut.
    assert_eq!(output.verdicts, [[7, 0, 1, 2, 5 << 8 | 6 << 4, 0]]);
}

/// Clocks under RFC 2279 are those of RFC 3629, but for a verdict of two lanes, which takes one more.
#[test]
fn the_latencies_are_those_of_rfc_3629_but_for_a_verdict_of_two_lanes() {
    let with_registers = |core| match core {
        Core::Validate {
            mode,
            verdict_width,
            counter_width,
            flows,
            ..
        } => Core::Validate {
            mode,
            verdict_width,
            counter_width,
            flows,
            csr: true,
        },
        core => core,
    };
    let cores = CORES.into_iter().chain([SNOOP, PASS].map(with_registers));
    for (core, lanes, form) in cores
        .flat_map(|core| [1, 2, 4, 8, 16, 64].map(|lanes| (core, lanes)))
        .flat_map(|(core, lanes)| [Form::Free, Form::Axis].map(|form| (core, lanes, form)))
    {
        let latencies = |grammar| {
            let bench = Bench::under(grammar, None, core, lanes, form);
            bench.setup.latencies()
        };
        let was = latencies(Grammar::Rfc3629);
        let expected = Latencies {
            verdict: was.verdict.map(|clocks| clocks + usize::from(lanes == 2)),
            ..was
        };
        assert_eq!(
            latencies(Grammar::Rfc2279),
            expected,
            "{core:?} {lanes} {form:?}"
        );
    }
    let stated = bench(SNOOP, 2, Form::Free).setup.latencies();
    assert_eq!(stated.verdict, Some(24));
}

/// A beat that ends its packet shows after the stated latency.
#[test]
fn a_beat_comes_out_after_the_stated_latency() {
    for (core, lanes, form) in CORES
        .into_iter()
        .flat_map(|core| [1, 2, 8].map(|lanes| (core, lanes)))
        .flat_map(|(core, lanes)| [Form::Free, Form::Axis].map(|form| (core, lanes, form)))
    {
        let mut bench = bench(core, lanes, form);
        let Latencies { stream, verdict } = bench.setup.latencies();
        bench.offer(&vec![0xFC; lanes], true);
        for clock in 0..60 {
            bench.step();
            bench.set("s_axis_tvalid", &[0]);
            for (prefix, due) in [("m_axis", stream), ("m_axis_verdict", verdict)] {
                let is_due = due == Some(clock);
                let name = format!("{core:?} {lanes} {form:?} {clock}");
                assert_eq!(bench.high(&format!("{prefix}_tvalid")), is_due, "{name}");
            }
        }
    }
}

/// A full beat of eight lanes can have no event. It is not sent, and the packet's next beat has its flag.
#[test]
fn eight_lanes_can_be_full_without_an_event() {
    for core in [STRIP, STRIP_DENSE] {
        let mut bench = bench(core, 8, Form::Free);
        let mut output = Output::default();
        let mut shown = Vec::new();
        let packet = [SIGNATURE_AND_FIVE, b"\xBF"].concat();
        for (bytes, last) in beats(&packet, 8) {
            bench.offer(bytes, last);
            bench.step();
        }
        bench.set("s_axis_tvalid", &[0]);
        for _ in 0..60 {
            bench.step();
            output.take(&bench, [true; 2]);
            if bench.high("m_axis_tvalid") {
                // The flag, above eight lanes of six bits.
                shown.push(bench.get("m_axis_tuser")[48 / 32] >> (48 % 32) & 1);
            }
        }
        assert_eq!(
            (output.data, shown),
            (vec![0x7FFF_FFFF], vec![1]),
            "{core:?}"
        );
    }
}

/// If a signature is stripped, eight lanes are cleared by a reset as four are under RFC 3629; else, and more lanes, as ever.
#[test]
fn dropped_events_of_eight_lanes_show_for_one_clock_after_a_reset() {
    let strips = Core::Decode {
        signature: Signature::Strip,
        dense: false,
        to: Encoding::Utf32,
    };
    for (core, lanes, clocks) in [
        (strips, 4, 1),
        (strips, 8, 1),
        (SPARSE, 8, 6),
        (strips, 16, 6),
        (strips, 32, 8),
    ] {
        let shown = shows_after_reset(Grammar::Rfc2279, core, lanes, Form::Free, "m_axis_tdata");
        assert_eq!(shown, clocks, "{lanes} lanes");
    }
}

#[test]
fn what_there_is_not_under_rfc_2279_is_refused() {
    let setup = |core| Setup {
        policy: Default::default(),
        lanes: 4,
        grammar: Grammar::Rfc2279,
        form: Form::Axis,
        side: Side {
            id: 2,
            ..Side::default()
        },
        core,
        depth: None,
        beat_error: false,
    };
    let utf16 = Encoding::Utf16 { high_first: true };
    let validate = |flows| Core::Validate {
        mode: Mode::Snoop,
        verdict_width: 160,
        counter_width: 32,
        flows,
        csr: false,
    };
    let decode = |to| Core::Decode {
        signature: Signature::Keep,
        dense: false,
        to,
    };
    let encode = |from| Core::Encode {
        from,
        omits: false,
        verdict_width: 160,
        counter_width: 32,
    };
    let sanitise = |replace| Core::Sanitise {
        replace,
        strips: false,
        verdict_width: 160,
        counter_width: 32,
    };
    let refuses = |core| std::panic::catch_unwind(|| setup(core).check()).is_err();
    for core in [
        validate(Some(4)),
        decode(utf16),
        encode(utf16),
        sanitise(Replace::Ascii),
        sanitise(Replace::Fffd),
    ] {
        assert!(refuses(core), "{core:?}");
        // It is the grammar that is refused.
        let today = Setup {
            policy: Default::default(),
            grammar: Grammar::Rfc3629,
            ..setup(core)
        };
        today.check();
    }
    for core in [
        validate(None),
        decode(Encoding::Utf32),
        encode(Encoding::Utf32),
    ] {
        assert!(!refuses(core), "{core:?}");
    }
}
