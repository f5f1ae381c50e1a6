//! Beats at the rate of a line.

use super::files::pcap;
use super::frames::{datagram, segment};
use crate::support::{Place, broken_core, done, json, output, stderr, verilog_engines};
use serde_json::Value;

/// Runs a core behind a line.
fn behind(options: &str, frames: &[Vec<u8>]) -> Value {
    let place = Place::new();
    place.write("a.pcap", pcap(frames));
    let run = json(&place.run(&format!(
        "sim --engine embedded --json --pcap a.pcap {options}"
    )));
    run["line"].clone()
}

/// Long frames that a core is given. The embedded engine is slow with many lanes.
const FRAMES: usize = 3;

fn number(line: &Value, field: &str) -> u64 {
    line[field].as_u64().expect("a number")
}

#[test]
fn the_shortest_frames_come_as_often_as_they_do() {
    let frames = vec![datagram(514, "0123456789"); 1000];
    // 84 bytes each; the last byte of the last payload is the 60th of its frame's 84, preamble included.
    let bytes = 999 * 84 + 8 + 42 + 10;
    for (rate, bits, clock, megahertz) in [
        ("100G", 100_000, "250", 250.0),
        ("10G", 10_000, "156.25", 156.25),
        ("25G", 25_000, "322.265625", 322.265625),
        ("2.5G", 2_500, "100", 100.0),
        ("100M", 100, "25", 25.0),
    ] {
        let options = format!("--core validate --lanes 16 --line-rate {rate} --clock {clock}");
        let count = if bits < 10_000 { 10 } else { 1000 };
        let bytes = bytes - (1000 - count as u64) * 84;
        let line = behind(&options, &frames[..count]);
        assert_eq!(number(&line, "bits_per_second"), bits * 1_000_000);
        let clocks = bytes as f64 * 8.0 / bits as f64 * megahertz;
        assert_eq!(number(&line, "clocks"), clocks.ceil() as u64, "{rate}");
        assert_eq!(number(&line, "beats"), count as u64);
        assert_eq!(
            (&line["most_waiting_beats"], &line["keeps_up"]),
            (&1.into(), &true.into())
        );
    }
    // 1000 of them at 148.8 million a second, and 250 million clocks.
    let line = behind("--lanes 16 --line-rate 100G", &frames);
    let clocks = 1000.0 / 148.809_523 * 250.0;
    assert!(
        (number(&line, "clocks") as f64 - clocks).abs() < 2.0,
        "{line}"
    );
}

#[test]
fn a_wide_core_keeps_up_with_what_a_narrow_one_does_not() {
    let frames = vec![datagram(514, "x".repeat(1472)); FRAMES];
    let bytes = FRAMES as u64 * 1472;
    for core in ["decode --form free", "validate --mode pass"] {
        let options = |lanes| format!("--core {core} --lanes {lanes} --line-rate 100G");
        let wide = behind(&options(64), &frames);
        assert_eq!(wide["keeps_up"], true, "{core}: {wide}");
        assert_eq!(
            (number(&wide, "lost_clocks"), number(&wide, "beats")),
            (0, FRAMES as u64 * 23)
        );
        assert!(number(&wide, "most_waiting_beats") <= 2, "{core}: {wide}");
        assert_eq!(number(&wide, "core_bits_per_second"), 128_000_000_000);
        let narrow = behind(&options(1), &frames);
        assert_eq!(narrow["keeps_up"], false, "{core}: {narrow}");
        assert_eq!(number(&narrow, "beats"), bytes);
        // While 50 bytes come in a clock, it takes one: nearly all of them wait at last, but for those that it has taken.
        let clocks = number(&narrow, "clocks");
        let waiting = number(&narrow, "most_waiting_beats");
        assert!(waiting.abs_diff(bytes - clocks) < 80, "{core}: {narrow}");
        assert!(
            number(&narrow, "longest_wait_clocks").abs_diff(waiting) < 80,
            "{core}: {narrow}"
        );
    }
}

#[test]
fn a_sink_that_stalls_loses_clocks() {
    let frames = vec![datagram(514, "x".repeat(1472)); FRAMES];
    let stalled = behind(
        "--lanes 8 --line-rate 10G --stall 0.5 --stall-burst 100",
        &frames,
    );
    assert_eq!(stalled["keeps_up"], false);
    assert!(number(&stalled, "lost_clocks") > 20, "{stalled}");
    assert!(number(&stalled, "most_waiting_beats") > 20, "{stalled}");
    // A slow line leaves time for it.
    let slow = behind("--lanes 8 --line-rate 1G --stall 0.5", &frames);
    assert!(number(&slow, "most_waiting_beats") < 20, "{slow}");
}

#[test]
fn frames_without_a_packet_take_their_time_too() {
    let payload = datagram(514, "a");
    let clocks =
        |frames: &[Vec<u8>]| number(&behind("--lanes 1 --line-rate 100G", frames), "clocks");
    let acknowledgement = || segment(1, 0, "");
    let busy: Vec<Vec<u8>> = (0..100)
        .map(|_| acknowledgement())
        .chain([payload.clone()])
        .collect();
    assert_eq!(clocks(&[payload]), 2); // 51 bytes
    assert_eq!(clocks(&busy), (100 * 84 + 51_u64).div_ceil(50));
    // A segment that waits for another takes its time with it, and one behind a gap leaves it to what follows.
    let held = [
        segment(0, 2, ""),
        segment(2, 0, "b"),
        segment(1, 0, "a"),
        segment(9, 0, "z"),
        datagram(1, "end"),
    ];
    let place = Place::new();
    place.write("a.pcap", pcap(&held));
    let run =
        json(&place.run("sim --engine embedded --json --lanes 4 --line-rate 100G --pcap a.pcap"));
    assert_eq!(run["packets"].as_array().expect("packets").len(), 2);
}

#[test]
fn people_are_told_of_the_line() {
    let place = Place::new();
    place.write("a.pcap", pcap(&[datagram(514, "x".repeat(500))]));
    let run =
        place.run("sim --engine embedded --pcap a.pcap --line-rate 2.5G --clock 125 --lanes 4");
    for part in [
        "line of 2.5 Gbit/s, core of 4 Gbit/s (4 bytes at 125 MHz): it keeps up",
        "125 beats in",
        "0 clocks lost to tready",
    ] {
        assert!(done(&run).contains(part), "{part:?} in {}", done(&run));
    }
}

/// Of 65 bytes are two beats of 64, and 89 on the wire.
#[test]
fn the_lengths_of_frames_that_are_too_fast_are_named() {
    let place = Place::new();
    place.write("a.pcap", pcap(&[datagram(514, "text")]));
    let sim = |options: &str| {
        let sim = format!("sim --engine embedded --core validate --pcap a.pcap {options}");
        (
            done(&place.run(&sim)).to_string(),
            json(&place.run(&format!("{sim} --json")))["line"]["frames"].clone(),
        )
    };
    let (text, frames) = sim("--lanes 64 --line-rate 100G");
    assert!(
        text.contains(
            "it does not keep up with 65 to 75; it would with every length from 281 MHz on"
        ),
        "{text}"
    );
    let expected = serde_json::json!({
        "from": 60,
        "to": 1514,
        "too_fast": [{"from": 65, "to": 75}],
        "hertz_for_all": 280_898_877,
    });
    assert_eq!(frames, expected);
    let (text, frames) = sim("--lanes 64 --line-rate 100G --clock 322.265625");
    assert!(text.contains("it keeps up with every length"), "{text}");
    assert_eq!(frames["too_fast"], serde_json::json!([]));
    let (text, frames) = sim("--lanes 128 --line-rate 400G --clock 391");
    assert!(
        text.contains("60 to 103, 129 to 231, 257 to 359, "),
        "{text}"
    );
    assert_eq!(frames["hertz_for_all"], 653_594_772);
    let (text, _) = sim("--lanes 8 --line-rate 12.5G --clock 187");
    for part in ["not keep up with 377, ", "and 5 more ranges"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_mismatch_is_shown_again_with_the_same_capture_and_line() {
    let place = Place::new();
    broken_core(&place, '\u{20AC}');
    place.write("a b.pcap", pcap(&[datagram(514, "price: 5 \u{20AC}")]));
    let Some(engine) = verilog_engines().pop() else {
        return;
    };
    let options = [
        "--line-rate",
        "2.5G",
        "--clock",
        "322.265625",
        "--verilog",
        "broken core.v",
    ];
    let mut command = place.runegate(["sim", "--engine", engine, "--pcap", "a b.pcap"]);
    let run = output(command.args(options));
    assert_eq!(run.status.code(), Some(1), "{}", stderr(&run));
    let said = stderr(&run).to_string();
    let again = said
        .lines()
        .find_map(|line| line.split_once("again: runegate "));
    let (_, again) = again.expect("a command that shows it again");
    for part in [
        "--pcap 'a b.pcap'",
        "--line-rate 2.5G",
        "--clock 322.265625",
    ] {
        assert!(again.contains(part), "{part} in {again}");
    }
    let shell = format!("exec {:?} {again}", crate::support::RUNEGATE);
    let mut command = std::process::Command::new("sh");
    let run = output(command.args(["-c", &shell]).current_dir(place.path("")));
    assert_eq!(stderr(&run), said);
}
