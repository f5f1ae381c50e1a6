//! `decode` and `encode` in one design, joined as they are: a text comes out as Rust's own decoder would have it.

use crate::support::{Place, done, have_verilator, output};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::process::Command;

/// Text of all lengths of sequences, and random bytes, mixed.
fn mix(length: usize) -> Vec<u8> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3629);
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        let highest = [0x7F, 0x7FF, 0xFFFF, 0x10_FFFF][random.random_range(0..4)];
        match char::from_u32(random.random_range(0..=highest)) {
            Some(scalar) if random.random_bool(0.9) => {
                bytes.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => bytes.push(random.random()),
        }
    }
    bytes
}

/// A mebibyte, or as many as `RUNEGATE_JOINED` says.
#[test]
fn a_text_comes_back() {
    if !have_verilator() {
        return;
    }
    let mebibytes = std::env::var("RUNEGATE_JOINED").map_or(1, |it| it.parse().expect("a number"));
    let place = Place::new();
    for (module, core) in [("decoder", "decode"), ("encoder", "encode")] {
        let arguments = format!("emit --core {core} --lanes 8 --module {module} --quiet");
        done(&place.run(&arguments));
    }
    place.write("joined.v", include_str!("joined.v"));
    place.write("joined.cpp", include_str!("joined.cpp"));
    let mut build = Command::new("verilator");
    build.args([
        "--cc",
        "--exe",
        "--build",
        "--no-timing",
        "-O3",
        "-Wno-fatal",
    ]);
    build.args(["-CFLAGS", "-O1", "--top-module", "joined", "-o", "joined"]);
    build.args(["joined.v", "decoder.v", "encoder.v", "joined.cpp"]);
    done(&output(build.current_dir(place.path("."))));
    let mut text = mix(mebibytes << 20);
    let run = |text: &[u8]| {
        let (from, to) = (place.write("in", text), place.path("out"));
        let mut program = Command::new(place.path("obj_dir/joined"));
        done(&output(program.args([&from, &to])));
        std::fs::read(to).expect("what came out")
    };
    assert!(run(&text) == String::from_utf8_lossy(&text).as_bytes());
    // The packet's end may cut a sequence, and be in any lane.
    for length in (0..20).map(|less| 4_000 - less) {
        text.truncate(length);
        assert!(
            run(&text) == String::from_utf8_lossy(&text).as_bytes(),
            "{length}"
        );
    }
}
