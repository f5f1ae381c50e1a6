//! Policies: forbidden classes of scalar values, and rejected signatures. Every pin over the stall matrix, and what is said of each packet
//! against the tables of Unicode.

use crate::dut::matrix::stall_matrix;
use crate::dut::{
    EVERY_CLASS as ALL, Output, built, everything, fastest, forbidding, name, oracle, run,
};
use hdl::config::{Classes, Config, CoreName, Depth, Form, Mode, Replace, Request, Signature};
use hdl::layout::CLASSES;
use sim::stimulus::Pattern;
use std::process::Command;

fn classes(names: &str) -> Option<Classes> {
    Some(names.parse().expect("names of classes"))
}

fn rejecting(core: CoreName, lanes: usize, form: Form, request: Request) -> Config {
    built(Request {
        core: Some(core),
        lanes: Some(lanes),
        form: Some(form),
        signature: Some(Signature::Reject),
        ..request
    })
}

/// Cores of every sort with a policy, each number of lanes among them; in a quick run one of each sort.
fn cores() -> Vec<Config> {
    use CoreName::{Decode, Sanitise, Validate};
    use Form::{Axis, Free};
    let request = Request::default;
    let dense = || Request {
        dense: Some(true),
        ..request()
    };
    let both = |core: CoreName, lanes, mode, form, depth, csr: bool| {
        built(Request {
            core: Some(core),
            mode: Some(mode),
            lanes: Some(lanes),
            form: Some(form),
            depth,
            csr: Some(csr),
            forbid: classes(if csr { "nul,noncharacter" } else { ALL }),
            signature: Some(Signature::Reject),
            ..request()
        })
    };
    let ascii = Request {
        replace: Some(Replace::Ascii),
        ..request()
    };
    let mut all = vec![
        forbidding(1, Mode::Snoop, Free, ALL),
        forbidding(8, Mode::Snoop, Free, ALL),
        both(Validate, 2, Mode::Pass, Axis, None, true),
        both(Validate, 8, Mode::Pass, Axis, Some(Depth::Min), false),
        rejecting(Decode, 2, Axis, dense()),
        rejecting(Sanitise, 2, Free, ascii),
    ];
    if everything() {
        all.extend([
            forbidding(2, Mode::Pass, Axis, ALL),
            forbidding(4, Mode::Pass, Free, "nul,bidi"),
            forbidding(8, Mode::Pass, Axis, "noncharacter,private"),
            forbidding(16, Mode::Snoop, Axis, "c1,from-0300"),
            forbidding(32, Mode::Snoop, Free, "control,supplementary"),
            forbidding(64, Mode::Pass, Axis, ALL),
            forbidding(128, Mode::Snoop, Free, "nul,control,supplementary"),
            both(Validate, 16, Mode::Snoop, Axis, None, true),
            both(Validate, 1, Mode::Pass, Free, Some(Depth::Min), false),
            both(Validate, 2, Mode::Pass, Axis, Some(Depth::Clocks(9)), false),
            rejecting(Validate, 1, Axis, request()),
            rejecting(Decode, 1, Axis, request()),
            rejecting(Decode, 8, Free, dense()),
            rejecting(Decode, 4, Free, request()),
            rejecting(Sanitise, 4, Axis, request()),
        ]);
    }
    all
}

fn is_as_expected(config: &Config, packets: &[Vec<u8>], output: &Output) -> bool {
    *output == oracle(config, packets)
}

#[test]
fn every_engine_agrees_over_the_stall_matrix() {
    stall_matrix(&cores(), 41, is_as_expected);
}

/// Each scalar value is a packet of its own, which other bytes shift to each lane. A quick run has the values beside the end of a class, and
/// one in 61 of the others.
#[test]
fn the_classes_of_every_scalar_value_are_found_in_every_lane() {
    let of = golden::classes::classes;
    let step = if everything() { 1 } else { 61 };
    let is_wanted = |value: &u32| {
        let next = (value + 1).min(0x10_FFFF);
        let near = [value.saturating_sub(1), next].map(of);
        value.is_multiple_of(step) || near.into_iter().any(|near| near != of(*value))
    };
    let scalars: Vec<char> = (0..=0x10_FFFF)
        .filter(is_wanted)
        .filter_map(char::from_u32)
        .collect();
    let lanes = [1, 8, 2, 4];
    let lanes = if everything() {
        &lanes[..]
    } else {
        &lanes[..2]
    };
    for &lanes in lanes {
        let config = forbidding(lanes, Mode::Snoop, Form::Free, ALL);
        for shift in 0..lanes {
            let packets: Vec<Vec<u8>> = scalars
                .iter()
                .map(|scalar| format!("{}{scalar}", &"-------"[..shift]).into_bytes())
                .collect();
            let (output, _) = run(&config, fastest(), &packets, Pattern::default());
            assert_eq!(output.against.len(), scalars.len());
            for (scalar, against) in scalars.iter().zip(&output.against) {
                let value = u32::from(*scalar);
                assert_eq!(against.forbidden, of(value), "{value:X} in lane {shift}");
                let end = (shift + scalar.len_utf8()) as u64;
                let end = if of(value) == 0 { 0 } else { end };
                assert_eq!(against.forbidden_end, end, "{value:X} in lane {shift}");
            }
        }
    }
}

/// The bench of a package, which has the classes by CPython's `unicodedata`.
const BENCH: &str = include_str!("cocotb/bench.py");

/// Prints the classes of each scalar value as one byte.
const PRINT: &str = r#"
import sys, unicodedata
CLASSES
bits = lambda char: sum(has(char) << bit for bit, has in enumerate(CLASSES.values()))
sys.stdout.buffer.write(bytes(bits(chr(value)) for value in range(0x110000)))
"#;

#[test]
fn the_tables_are_those_of_cpython() {
    let (_, classes) = BENCH
        .split_once("\nEMBEDS = ")
        .expect("what they are made of");
    let (classes, _) = classes.split_once("\nFORBID = ").expect("their end");
    let names: Vec<&str> = (classes.lines())
        .filter_map(|line| line.strip_prefix("    \"")?.split('"').next())
        .collect();
    assert_eq!(
        names,
        CLASSES.map(|(name, _)| name),
        "in the order of their bits"
    );
    let program = PRINT.replacen("CLASSES", &format!("EMBEDS = {classes}"), 1);
    let python = Command::new("python3").args(["-c", &program]).output();
    let output = python.expect("python3 runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(output.stdout.len(), 0x11_0000);
    for scalar in (0..=0x10_FFFF).filter_map(char::from_u32) {
        let value = u32::from(scalar);
        let theirs = output.stdout[value as usize];
        assert_eq!(golden::classes::classes(value), theirs, "{value:X}");
    }
}

#[test]
fn the_version_of_unicode_is_that_of_the_tables() {
    assert_eq!(hdl::layout::UNICODE, golden::classes::unicode_version());
}

/// Where the first forbidden scalar value ends, around the place where a counter of 8 bits saturates.
#[test]
fn the_end_says_that_it_has_saturated() {
    let config = forbidding(1, Mode::Snoop, Form::Free, ALL);
    let packets: Vec<Vec<u8>> = (250..262)
        .flat_map(|count| {
            let before = vec![b'a'; count];
            let behind: [&[u8]; 4] = [b"", b"\0", b"\xC2\x80\0", b"\xC2\0"];
            behind.map(|end| [&before[..], end, b"a"].concat())
        })
        .collect();
    let (output, _) = run(&config, fastest(), &packets, Pattern::default());
    let name = name(&config, fastest());
    assert!(is_as_expected(&config, &packets, &output), "{name}");
    assert!(output.against.iter().any(|against| against.saturated));
}
