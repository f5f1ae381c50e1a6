//! Packets of which only a window is judged. Every pin over the stall matrix, and what is said of a window against Rust's own decoder.

use crate::dut::matrix::stall_matrix;
use crate::dut::{Output, built, everything, fastest, oracle, packets, run};
use golden::Window;
use hdl::config::{
    Config, CoreName, Depth, Edges, Extent, Form, Grammar, Mode, Replace, Request, Signature,
};
use sim::stimulus::Pattern;
use sim::texts::Texts;

/// A core with windows: a validator, unless the request has another.
fn windowed(lanes: usize, mode: Mode, form: Form, request: Request) -> Config {
    built(Request {
        core: request.core.or(Some(CoreName::Validate)),
        mode: request.core.is_none().then_some(mode),
        lanes: Some(lanes),
        form: Some(form),
        window: Some(true),
        ..request
    })
}

/// Cores of every sort; in a quick run a few.
fn cores() -> Vec<Config> {
    use Form::{Axis, Free};
    use Mode::{Pass, Snoop};
    let request = Request::default;
    let repairs = || Request {
        core: Some(CoreName::Sanitise),
        replace: Some(Replace::Ascii),
        user_width: Some(3),
        ..request()
    };
    let open = || Request {
        edges: Some(Edges::Open),
        user_width: Some(40),
        ..request()
    };
    let full = || Request {
        verdict: Some(Extent::Full),
        forbid: Some("supplementary,nul".parse().expect("classes")),
        signature: Some(Signature::Reject),
        depth: Some(Depth::Min),
        ..request()
    };
    let registers = || Request {
        csr: Some(true),
        ..request()
    };
    let long = || Request {
        grammar: Some(Grammar::Rfc2279),
        ..request()
    };
    let mut all = vec![
        windowed(1, Snoop, Free, open()),
        windowed(2, Pass, Axis, full()),
        windowed(8, Pass, Axis, request()),
        windowed(4, Pass, Axis, repairs()),
    ];
    if everything() {
        all.extend([
            windowed(1, Pass, Axis, long()),
            windowed(1, Pass, Free, repairs()),
            windowed(2, Snoop, Axis, registers()),
            windowed(4, Snoop, Free, full()),
            windowed(8, Snoop, Free, long()),
            windowed(8, Pass, Free, open()),
            windowed(16, Pass, Axis, registers()),
            windowed(32, Pass, Free, repairs()),
            windowed(64, Snoop, Axis, request()),
            windowed(64, Pass, Axis, open()),
            windowed(128, Pass, Free, request()),
        ]);
    }
    all
}

fn is_as_expected(config: &Config, packets: &[Vec<u8>], output: &Output) -> bool {
    *output == oracle(config, packets)
}

#[test]
fn every_engine_agrees_over_the_stall_matrix() {
    stall_matrix(&cores(), 43, is_as_expected);
}

/// What a reset drops may show for some clocks more, without `valid`. Where lanes are far from each other these are most, and the reasons
/// of several packets are on the way.
#[test]
fn after_many_resets_every_pin_is_as_in_the_model() {
    let config = windowed(32, Mode::Snoop, Form::Free, Request::default());
    let pattern = Pattern {
        seed: 44,
        reset: 0.05,
        ..Pattern::default()
    };
    run(&config, fastest(), &packets(45, 4000), pattern);
}

/// The verdicts on these packets with the same window in each are those of Rust's decoder on the bytes within.
fn are_as_rust_says(config: &Config, packets: &[Vec<u8>], window: Window) {
    let pattern = Pattern {
        texts: Texts::At(window),
        ..Pattern::default()
    };
    let (output, _) = run(config, fastest(), packets, pattern);
    assert_eq!(output.verdicts.len(), packets.len());
    for (packet, (verdict, _)) in packets.iter().zip(&output.verdicts) {
        let inside = (0..packet.len())
            .filter(|at| (usize::from(window.first)..usize::from(window.end)).contains(at));
        let text: Vec<u8> = inside.map(|at| packet[at]).collect();
        let at = format!("{window:?} of {} bytes, {}", packet.len(), config.lanes);
        let error = str::from_utf8(&text).err();
        let up_to = error.map_or(text.len(), |error| error.valid_up_to());
        assert_eq!(verdict.bytes, text.len() as u64, "{at}");
        assert_eq!(verdict.well_formed, error.is_none(), "{at}");
        assert_eq!(verdict.valid_up_to, up_to as u64, "{at}");
        let length = error.map(|error| error.error_len().unwrap_or(0) as u8);
        assert_eq!(verdict.error_len, length, "{at}");
        let scalars: usize = text
            .utf8_chunks()
            .map(|it| it.valid().chars().count())
            .sum();
        assert_eq!(verdict.scalars, scalars as u64, "{at}");
        assert_eq!(verdict.signature, text.starts_with(b"\xEF\xBB\xBF"), "{at}");
    }
}

/// Every window within three beats, of random packets and of such that are all text or have a signature anywhere.
#[test]
fn a_window_may_begin_and_end_in_any_lane() {
    let text = "a\u{feff}\u{e9}\u{20ac}\u{1f600}\u{feff}\u{feff}b".as_bytes();
    let many = packets(5, 40).into_iter();
    let all: Vec<Vec<u8>> = many
        .chain((0..text.len()).map(|from| text[from..].to_vec()))
        .collect();
    for lanes in [1, 2, 4, 8] {
        let config = windowed(lanes, Mode::Snoop, Form::Free, Request::default());
        let step = if everything() { 1 } else { 3 };
        let most = (3 * lanes + 2) as u16;
        let windows = (0..most).flat_map(|first| (0..most + 2).map(move |end| (first, end)));
        for (first, end) in windows.step_by(step) {
            are_as_rust_says(&config, &all, Window { first, end });
        }
    }
}

/// Positions end at 65,535: what comes after is in no window, however long the packet is.
#[test]
fn no_byte_beyond_all_positions_is_judged() {
    let long: Vec<u8> = "\u{20ac}".repeat(50_000).into_bytes();
    let packets = [long.clone(), b"short".to_vec(), long[1..].to_vec()];
    for lanes in [1, 16, 64] {
        let config = windowed(lanes, Mode::Snoop, Form::Free, Request::default());
        for (first, end) in [(0, 65_535), (65_532, 65_535), (65_535, 65_535), (3, 65_534)] {
            are_as_rust_says(&config, &packets, Window { first, end });
        }
    }
}
