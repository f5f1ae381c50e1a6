//! Every core from the command line: what is emitted, what a simulation tells, and what cannot be had.

use crate::support::{Place, done, json, refuses, stdout};
use serde_json::{Value, json as value};

/// Well-formed, ill-formed, cut by its end, and empty.
const LINES: &[u8] = b"h\xC3\xA9llo\nab\xED\xA0\x80cd\n\xF0\x9F\x98\n\n";

/// The fields of each packet in a report that tell of errors.
fn verdicts(report: &Value) -> Vec<Value> {
    let packets = report["packets"].as_array().expect("packets");
    let fields = ["well_formed", "valid_up_to", "error_len", "kind"];
    packets
        .iter()
        .map(|packet| fields.iter().map(|&field| packet[field].clone()).collect())
        .collect()
}

#[test]
fn every_core_gives_the_verdicts() {
    let place = Place::new();
    place.write("lines", LINES);
    for core in [
        "--core decode",
        "--core decode --dense --lanes 2",
        "--core validate --lanes 4",
        "--core validate --mode pass --lanes 2 --id-width 4 --user-width 3",
        "--core validate --mode drop --lanes 2 --id-width 4 --user-width 3",
        "--core validate --form free --counter-width 8 --verdict-width 256",
        "--core validate --csr --lanes 4",
    ] {
        let run = place.run(&format!(
            "sim --engine embedded {core} --split lines --json lines"
        ));
        let report = json(&run);
        assert_eq!(report["mismatches"], 0, "{core}");
        assert_eq!(
            verdicts(&report),
            [
                value!([true, 6, null, "none"]),
                value!([false, 2, 1, "surrogate"]),
                value!([false, 0, 0, "truncated_at_end"]),
                value!([true, 0, null, "none"]),
            ],
            "{core}"
        );
    }
}

/// What a run with registers says of them, for the lines above, and in its text.
#[test]
fn registers_are_read_when_all_is_done() {
    let place = Place::new();
    place.write("lines", LINES);
    let run = "sim --engine embedded --core validate --csr --lanes 4 --split lines lines";
    let report = json(&place.run(&format!("{run} --json")));
    let expected = [
        ("id", 0x5255_4E45_u64),
        ("config", 4 | 32 << 8),
        ("control", 1),
        ("packets", 4),
        ("bad_packets", 2),
        ("bytes", 16),
        ("scalars", 9),
        ("stray_continuation", 2),
        ("invalid_byte", 0),
        ("surrogate", 1),
        ("truncated", 0),
        ("truncated_at_end", 1),
    ];
    for (name, value) in expected {
        assert_eq!(report["registers"][name], value, "{name}");
    }
    let run = place.run(run);
    let told = done(&run);
    assert!(
        told.contains("read over AXI4-Lite: packets 4, bad_packets 2, bytes 16, scalars 9"),
        "{told}"
    );
}

#[test]
fn a_counter_that_saturates_is_told() {
    let place = Place::new();
    place.write("long", vec![b'a'; 300]);
    let run = "sim --engine embedded --core validate --lanes 8 --counter-width 8 long";
    let told = json(&place.run(&format!("{run} --json")));
    let packet = &told["packets"][0];
    assert_eq!(packet["bytes"], 255);
    assert_eq!(
        packet["saturated"],
        value!(["bytes", "valid_up_to", "scalars"])
    );
    assert!(
        done(&place.run(run))
            .contains("saturated, the true count is higher: bytes, valid_up_to, scalars")
    );
    // Of an encoder it is the words, as everywhere else.
    place.write("words", vec![0xFF; 1200]);
    let run = "sim --engine embedded --core encode --counter-width 8 words --json";
    let packet = &json(&place.run(run))["packets"][0];
    assert_eq!(packet["words"], 255);
    assert_eq!(
        packet["saturated"],
        value!(["bytes", "words", "ill_formed"])
    );
}

#[test]
fn a_ladder_cuts_an_input_into_packets_of_all_lengths() {
    let place = Place::new();
    place.write("long", vec![b'a'; 1000]);
    let run = place.run("sim --engine embedded --lanes 2 --core validate --split ladder --idle 0.3 --stall 0.3 --json long");
    let report = json(&run);
    let lengths = report["packets"].as_array().expect("packets").iter();
    let lengths: Vec<u64> = lengths
        .map(|packet| packet["bytes"].as_u64().expect("a number"))
        .collect();
    assert_eq!(lengths[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 129]);
    assert_eq!(lengths[10..74], [1; 64]);
    assert_eq!(lengths.iter().sum::<u64>(), 1000);
}

#[test]
fn what_is_emitted_names_the_core() {
    let place = Place::new();
    for (options, module, latencies) in [
        ("--lanes 4", "utf8_decode_w4", [value!(17), Value::Null]),
        (
            "--lanes 4 --dense",
            "utf8_decode_dense_w4",
            [value!(27), Value::Null],
        ),
        (
            "--core validate --lanes 8",
            "utf8_validate_w8",
            [value!(27), value!(27)],
        ),
        (
            "--core validate --mode pass --form free",
            "utf8_validate_pass_free_w1",
            [value!(15), value!(22)],
        ),
        (
            "--core validate --mode drop --lanes 4",
            "utf8_validate_drop_w4",
            [value!(24), value!(31)],
        ),
        (
            "--core validate --csr --lanes 2",
            "utf8_validate_csr_w2",
            [value!(24), value!(24)],
        ),
    ] {
        let report = json(&place.run(&format!("emit {options} --json")));
        assert_eq!(report["module"], module);
        let told = ["latency", "verdict_latency"].map(|key| report[key].clone());
        assert_eq!(told, latencies, "{options}");
        // The command in the file makes the same file.
        let file = std::fs::read_to_string(place.path(&format!("{module}.v"))).expect("written");
        // What does not fit on a line of the header goes on in the next.
        let header = file.replace("\n//          ", " ");
        let command = header
            .lines()
            .find_map(|line| line.strip_prefix("// Command: runegate "))
            .expect("a command");
        done(&place.run(&format!("{command} --out again")));
        let again = std::fs::read_to_string(place.path(&format!("again/{module}.v")));
        assert_eq!(again.ok(), Some(file));
    }
}

#[test]
fn what_a_core_does_not_have_is_refused() {
    let place = Place::new();
    place.write("file", "x");
    for (arguments, parts) in [
        ("emit --core validate --dense", ["dense true", "no events"]),
        (
            "emit --core validate --signature strip",
            ["signature strip", "always tells"],
        ),
        ("emit --mode pass", ["mode pass", "--core validate"]),
        (
            "emit --verdict-width 256",
            ["verdict-width 256", "no verdict"],
        ),
        ("emit --counter-width 8", ["counter-width 8", "no verdict"]),
        ("emit --csr", ["csr true", "--core validate"]),
        (
            "emit --core validate --csr=perhaps",
            ["perhaps", "true or false"],
        ),
        (
            "emit --core validate --verdict-width 128",
            ["verdict-width is 128", "a verdict has 160 bits"],
        ),
        (
            "emit --core validate --verdict-width 161",
            ["verdict-width is 161", "a multiple of 8 from 160 to 1024"],
        ),
        (
            "emit --core validate --verdict-width 2048",
            ["2048", "1024"],
        ),
        (
            "emit --core validate --counter-width 20",
            ["20", "8, 16, 24, 32"],
        ),
        ("emit --flows 4", ["flows 4", "--core validate"]),
        (
            "emit --core validate --flows 0",
            ["flows is 0", "1 to 4096"],
        ),
        ("emit --core validate --flows many", ["many", "1 to 4096"]),
        ("emit --core validate --flows 4097", ["4097", "1 to 4096"]),
        (
            "emit --core validate --mode pass --flows 4",
            ["--mode pass", "--mode snoop"],
        ),
        (
            "emit --core validate --mode drop --flows 4",
            ["--mode drop", "--mode snoop"],
        ),
        (
            "emit --core validate --mode drop --form free",
            ["--mode drop", "--form axis"],
        ),
        (
            "emit --core validate --early-bad",
            ["--early-bad", "--mode pass"],
        ),
        (
            "emit --core validate --mode drop --early-bad",
            ["--mode drop", "--mode pass"],
        ),
        ("emit --early-bad", ["early-bad true", "--core validate"]),
        (
            "emit --core sanitise --replace ascii --lanes 8 --frames --ports none",
            ["--ports none", "ever be judged; name ports"],
        ),
        (
            "emit --package p --for corundum --mode pass --early-bad",
            ["--early-bad", "--for corundum"],
        ),
        (
            "emit --core validate --mode pass --drop-bytes 100",
            ["--drop-bytes 100", "--mode drop"],
        ),
        (
            "emit --core validate --mode drop --drop-bytes 0",
            ["drop-bytes is 0", "1 to 65506"],
        ),
        (
            "emit --core validate --mode drop --lanes 64 --drop-bytes 9999999",
            ["drop-bytes is 9999999", "1 to 4191680"],
        ),
        (
            "emit --core validate --mode drop --drop-bytes many",
            ["'many'", "a whole number of bytes"],
        ),
        (
            "emit --drop-bytes 100",
            ["drop-bytes 100", "--core validate"],
        ),
        (
            "emit --core validate --lanes 8 --frames --ports none",
            ["--ports none", "choose --csr"],
        ),
        (
            "emit --core validate --flows 1024 --id-width 9",
            ["id-width is 9", "10 to 16"],
        ),
        (
            "sim --core validate --flows 4 --coverage points.json file",
            ["--coverage", "--flows 4"],
        ),
        (
            "sim --lanes 2 --beat-error --coverage points.json file",
            ["--coverage", "--beat-error"],
        ),
        ("emit --beat-error", ["beat-error", "one lane"]),
        (
            "emit --core validate --lanes 2 --flows 4 --beat-error",
            ["beat-error", "m_axis_flow"],
        ),
        (
            "emit --lanes 2 --beat-error=perhaps",
            ["perhaps", "true or false"],
        ),
        ("prove --core validate --flows 4", ["flows", "runegate sim"]),
        ("emit --lanes 128 --dense", ["--dense", "lanes 64 or fewer"]),
        (
            "emit --core validate --lanes 128 --flows 4",
            ["--flows", "lanes 64 or fewer"],
        ),
        (
            "sim --core validate --lanes 128 --csr file",
            ["--csr", "--lanes 128"],
        ),
        ("emit --lanes 256", ["256", "64, 128"]),
        ("emit --forbid nul", ["forbid nul", "--core validate"]),
        (
            "emit --core validate --forbid nul,bom",
            ["\"bom\" is no class", "noncharacter, bidi"],
        ),
        (
            "emit --core validate --forbid nul --flows 4",
            ["--flows", "--forbid"],
        ),
        (
            "emit --core validate --signature reject --flows 4",
            ["--flows", "--signature reject"],
        ),
        (
            "emit --core validate --forbid nul --grammar rfc2279",
            ["--forbid", "end at 10FFFF"],
        ),
        (
            "emit --core validate --forbid nul --verdict-width 160",
            ["verdict-width is 160", "from 192 to"],
        ),
        ("emit --edges open", ["edges open", "--core validate"]),
        (
            "emit --core sanitise --verdict full",
            ["verdict full", "--core validate"],
        ),
        (
            "emit --core validate --edges ajar",
            ["'ajar'", "closed, open"],
        ),
        (
            "emit --core validate --edges open --flows 4",
            ["--flows", "--edges open"],
        ),
        (
            "emit --core validate --verdict full --grammar rfc2279",
            ["--verdict full", "end at 10FFFF"],
        ),
        (
            "emit --core validate --edges open --grammar rfc2279",
            ["--edges open", "leave --edges out"],
        ),
        (
            "emit --core validate --verdict full --verdict-width 192",
            ["verdict-width is 192", "from 256 to"],
        ),
        (
            "prove validate --core validate --forbid nul",
            ["a policy", "the theorem policy"],
        ),
        ("emit --id-width 65", ["id-width is 65", "from 0"]),
        ("emit --user-width -1", ["-1", "0 to 64"]),
        ("emit --dest-width many", ["many", "0 to 64"]),
        ("emit --dense=perhaps", ["perhaps", "true or false"]),
        (
            "sim --engine embedded --core validate --events out file",
            ["--events", "the core validate puts out verdicts"],
        ),
        (
            "sim --engine embedded --form free --stall 0.1 file",
            ["--stall 0.1", "--form axis"],
        ),
    ] {
        refuses(&place, arguments, &parts);
    }
}

/// What a report says of each packet, under these names.
fn of_packets(report: &Value, names: &str) -> Value {
    let all = report["packets"].as_array().expect("packets").iter();
    let of_one =
        |packet: &Value| -> Value { names.split(' ').map(|name| packet[name].clone()).collect() };
    all.map(of_one).collect()
}

/// What the edges of packets have cut, and the further counts, in the reports.
#[test]
fn a_full_verdict_is_in_the_reports() {
    let place = Place::new();
    place.write(
        "packets.txt",
        b"\x80\xBFab\xF0\x9F\n\x80\x80\x80\x80\nplain\n",
    );
    let run = place.run(
        "sim --engine embedded --core validate --edges open --verdict full --split lines --json packets.txt",
    );
    let report = json(&run);
    let names = "bad well_formed head_bytes tail_bytes ill_formed ascii utf16_units width";
    let said = of_packets(&report, names);
    assert_eq!(
        said,
        value!([
            [false, false, 2, 2, 0, 2, 2, 7],
            [true, false, 3, 0, 1, 0, 1, 0],
            [false, true, 0, 0, 0, 5, 5, 7],
        ])
    );
    let run =
        place.run("sim --engine embedded --core validate --edges open --split lines packets.txt");
    let said = stdout(&run);
    assert!(
        said.contains("well-formed but for its edges, 6 bytes"),
        "{said}"
    );
    assert!(said.contains("3 packets, 1 of them ill-formed"), "{said}");
}

/// What a policy says of packets, and what the core's own description says of the policy.
#[test]
fn a_policy_is_in_the_reports() {
    let place = Place::new();
    place.write(
        "packets.txt",
        b"\xEF\xBB\xBFa\n\xE2\x80\xAEb\0\n\xFF\nplain\n",
    );
    let run = place.run(
        "sim --engine embedded --core validate --forbid bidi,nul --signature reject --split lines --json packets.txt",
    );
    let report = json(&run);
    assert_eq!(
        of_packets(&report, "bad forbidden forbidden_end"),
        value!([
            [true, null, null],
            [true, ["nul", "bidi"], 3],
            [true, null, null],
            [false, null, null],
        ])
    );
    let read = json(&place.run("decode --signature reject --split lines --json packets.txt"));
    let bad = of_packets(&read, "bad");
    assert_eq!(bad, value!([[true], [false], [true], [false]]));
    let emitted = place.run("emit --core validate --forbid bidi,nul --module guarded");
    assert_eq!(emitted.status.code(), Some(0));
    let described = std::fs::read_to_string(place.path("guarded.json")).expect("it is written");
    let described: serde_json::Value = serde_json::from_str(&described).expect("JSON");
    assert_eq!(described["config"]["forbid"], "nul,bidi");
    let classes = described["forbid"]["classes"].as_array().expect("classes");
    let bits: Vec<_> = classes.iter().map(|class| &class["bit"]).collect();
    assert_eq!(bits, [&value!(0), &value!(4)]);
}

#[test]
fn a_configuration_file_has_the_same_keys() {
    let place = Place::new();
    place.write(
        "core.toml",
        "core = \"validate\"\nlanes = 2\nmode = \"pass\"\nverdict-width = 512\ncounter-width = 16\ncsr = true\nbeat-error = true\nid-width = 8\n\
         dest-width = 4\nuser-width = 2\n",
    );
    let report = json(&place.run("emit --config core.toml --dest-width 5 --json"));
    let config = &report["config"];
    for (key, expected) in [
        ("core", value!("validate")),
        ("mode", value!("pass")),
        ("verdict_width", value!(512)),
        ("counter_width", value!(16)),
        ("csr", value!(true)),
        ("beat_error", value!(true)),
        ("id_width", value!(8)),
        ("dest_width", value!(5)),
        ("user_width", value!(2)),
    ] {
        assert_eq!(config[key], expected, "{key}");
    }
    place.write("dense.toml", "dense = true\n");
    let report = json(&place.run("emit --config dense.toml --json"));
    assert_eq!(report["config"]["dense"], true);
}

/// A data sheet states which stages have no registers.
#[test]
fn the_data_sheet_of_a_smaller_depth_lists_the_stages_without_registers() {
    let place = Place::new();
    for (core, stages) in [
        ("--core decode", None),
        (
            "--core decode --depth min",
            Some("1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12"),
        ),
        (
            "--core validate --csr --depth min",
            Some("1, 2, 3, 4, 5, 6, 7, 8, 9, 11"),
        ),
    ] {
        let folder = core.replace([' ', '-'], "");
        done(&place.run(&format!("emit {core} --package {folder} --quiet")));
        let sheet = std::fs::read_to_string(place.path(&format!("{folder}/README.md")));
        let sheet = sheet.expect("a data sheet");
        let listed = sheet
            .lines()
            .find_map(|line| line.split_once("registers at these stages: "));
        assert_eq!(
            listed.map(|(_, rest)| rest.trim_end_matches('.')),
            stages,
            "{core}"
        );
    }
}
