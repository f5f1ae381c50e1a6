//! Every form of the core between a source and sinks that nobody here wrote, against CPython's decoder: the bench of a package, run as
//! its user does.

use crate::support::{Place, done, have, make, output};
use sim::tools::{COCOTB, ICARUS};
use std::path::Path;
use std::process::Output;

/// The forms of the core.
const CORES: [&str; 5] = [
    "decode",
    "decode --to utf16le",
    "decode --dense",
    "validate",
    "validate --mode pass",
];

/// Packages a core as `core` in the folder `package`.
fn package(place: &Place, arguments: &str) {
    // Of flows, tid is the number, as wide as they need.
    let ident = if arguments.contains("--flows") {
        ""
    } else {
        "--id-width 3"
    };
    done(&place.run(&format!(
        "emit --core {arguments} {ident} --module core --package package --quiet"
    )));
}

/// Runs the bench, or some modules of it: its exit code is the verdict, and `results.xml` says which tests there were.
fn run(place: &Place, modules: Option<&str>) -> (Output, String) {
    run_with(place, modules, &[])
}

/// As [`run`], with these environment variables.
fn run_with(
    place: &Place,
    modules: Option<&str>,
    environment: &[(&str, &str)],
) -> (Output, String) {
    let folder = place.path("package/cocotb");
    let mut command = make(&folder);
    command.envs(environment.iter().copied());
    command.args(modules.map(|modules| format!("COCOTB_TEST_MODULES={modules}")));
    let output = output(command.env("COCOTB_LOG_LEVEL", "ERROR"));
    let results = std::fs::read_to_string(folder.join("results.xml"));
    (output, results.unwrap_or_default())
}

/// Of the bench: four mixes of idles and stalls, and a reset.
const TESTS: usize = 5;
/// Of a core that drops also: four mixes around the longest packet that it can drop, packets that are never held up, and resets.
const DROP_TESTS: usize = 6;
/// Of its part about the registers.
const REGISTER_TESTS: usize = 14;
/// Of the bench with flows, and of these beside the registers.
const FLOW_TESTS: usize = 6;
const FLOW_REGISTER_TESTS: usize = 6;

/// Of the bench with frames: four mixes of idles and stalls, the places of texts, a giant, and a reset.
const FRAME_TESTS: usize = 7;

/// Of the bench of an encoder: four mixes of idles and stalls, words that are never held up, and a reset.
const WORD_TESTS: usize = 6;

/// Runs so many tests, and none fails.
fn is_as_cpython_decodes_it(arguments: &str, modules: Option<&str>, tests: usize) {
    let place = Place::new();
    package(&place, arguments);
    let (output, results) = run(&place, modules);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{arguments}:\n{said}");
    assert_eq!(
        results.matches("<testcase").count(),
        tests,
        "{arguments}:\n{said}"
    );
    assert_eq!(
        results.matches("<failure").count(),
        0,
        "{arguments}:\n{said}"
    );
}

fn all_are(lanes_and_forms: &[(usize, &str)]) {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    for (lanes, form) in lanes_and_forms {
        for core in CORES {
            let arguments = format!("{core} --lanes {lanes} --form {form}");
            is_as_cpython_decodes_it(&arguments, None, TESTS);
        }
    }
}

/// Also the registers: what is read and refused, and each counter, whatever the bus and the stream do. With `RUNEGATE_COCOTB=all`
/// so do other cores than a narrow one.
#[test]
fn registers_count_what_cpython_counts() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let cores = [
        "validate --csr --lanes 4 --counter-width 8",
        "validate --csr --mode pass --lanes 2 --user-width 3",
        "validate --csr --lanes 1 --form free",
        "validate --csr --mode pass --lanes 64",
    ];
    let all = if has_time() { &cores[..] } else { &cores[1..2] };
    for arguments in all {
        is_as_cpython_decodes_it(arguments, None, TESTS + REGISTER_TESTS);
    }
}

/// What each beat tells of the packet so far; with `RUNEGATE_COCOTB=all` in windows, in frames and of wide cores, too.
#[test]
fn beats_tell_early_of_what_is_ill_formed() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let cores = [
        ("--lanes 4 --user-width 3", TESTS),
        ("--lanes 8 --frames --edges open", FRAME_TESTS),
        ("--lanes 4 --window --edges open", TESTS),
        ("--lanes 1 --form free --depth min --edges open", TESTS),
        ("--lanes 64 --user-width 64", TESTS),
        (
            "--lanes 8 --frames --ports udp:514 --depth min",
            FRAME_TESTS,
        ),
        ("--lanes 2 --csr --window", TESTS + REGISTER_TESTS),
    ];
    let all = if has_time() { &cores[..] } else { &cores[..1] };
    for (options, tests) in all {
        let arguments = format!("validate --mode pass --early-bad {options}");
        is_as_cpython_decodes_it(&arguments, None, *tests);
    }
}

/// What a core that drops puts out, and what it does not. With `RUNEGATE_COCOTB=all` of the narrowest and of wide cores, with registers
/// and of the smallest memory, too.
#[test]
fn bad_packets_are_dropped_and_no_others() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let cores = [
        "validate --mode drop --lanes 8 --drop-bytes 100 --user-width 3",
        "validate --mode drop --lanes 1 --drop-bytes 20",
        "validate --mode drop --lanes 64 --drop-bytes 1200",
        "validate --mode drop --lanes 2 --drop-bytes 1 --edges open --verdict full",
        "validate --mode drop --lanes 4 --drop-bytes 100 --window --user-width 2",
        "validate --mode drop --lanes 8 --drop-bytes 1000 --csr --depth min",
    ];
    let all = if has_time() { &cores[..] } else { &cores[..1] };
    for arguments in all {
        let registers = if arguments.contains("--csr") {
            REGISTER_TESTS
        } else {
            0
        };
        is_as_cpython_decodes_it(arguments, None, TESTS + DROP_TESTS + registers);
    }
}

/// What is bad by a policy is what CPython's `unicodedata` says; a test more asks for the ends of each class, in every lane.
#[test]
fn a_policy_is_as_unicodedata_has_it() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let all = hdl::layout::CLASSES.map(|(name, _)| name).join(",");
    let arguments = format!("validate --mode pass --forbid {all} --signature reject --lanes 4");
    is_as_cpython_decodes_it(&arguments, None, TESTS + 1);
    if has_time() {
        is_as_cpython_decodes_it(
            "validate --forbid bidi,nul --lanes 8 --form free",
            None,
            TESTS + 1,
        );
        is_as_cpython_decodes_it(
            "validate --signature reject --mode pass --lanes 2",
            None,
            TESTS,
        );
    }
}

/// What the edges of packets cut, and the further counts of a full verdict.
#[test]
fn open_edges_are_as_cpython_decodes_them() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let arguments = "validate --mode pass --edges open --verdict full --lanes 4";
    is_as_cpython_decodes_it(arguments, None, TESTS);
    if has_time() {
        for arguments in [
            "validate --edges open --mode pass --lanes 2 --signature reject --csr",
            "validate --edges open --lanes 1 --form free --counter-width 8",
            "validate --verdict full --lanes 16 --forbid supplementary,nul --csr",
        ] {
            let (csr, classes) = (arguments.contains("csr"), arguments.contains("forbid"));
            let registers = if csr { REGISTER_TESTS } else { 0 } + usize::from(csr && classes);
            let tests = TESTS + registers + usize::from(classes);
            is_as_cpython_decodes_it(arguments, None, tests);
        }
    }
}

/// What is judged of packets with a window, and what is not.
#[test]
fn windows_are_as_cpython_judges_them() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    is_as_cpython_decodes_it("validate --window --mode pass --lanes 4", None, TESTS);
    if has_time() {
        for arguments in [
            "validate --window --lanes 8 --edges open --verdict full --form free",
            "validate --window --mode pass --lanes 2 --edges open --signature reject --csr",
            "validate --window --lanes 1 --counter-width 8 --user-width 3",
            "sanitise --replace ascii --window --lanes 4",
            "sanitise --replace ascii --window --lanes 1 --form free",
        ] {
            let registers = if arguments.contains("csr") {
                REGISTER_TESTS
            } else {
                0
            };
            is_as_cpython_decodes_it(arguments, None, TESTS + registers);
        }
    }
}

/// What is judged of whole Ethernet frames, and what is not: frames that scapy builds. With `RUNEGATE_COCOTB=all` wide cores, too.
#[test]
fn frames_are_as_scapy_makes_them() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let cores = [
        "validate --frames --lanes 8 --edges open --ports udp:514,tcp:80-81,udp:dst:53,tcp:src:1000-65535",
        "validate --frames --lanes 8 --mode pass",
        "sanitise --replace ascii --frames --lanes 8",
        "sanitise --replace ascii --frames --lanes 64 --form free --ports udp:514 --id-width 4",
        "validate --frames --lanes 8 --mode pass --form free --depth min --user-width 4",
        "validate --frames --lanes 16 --form free --edges open --verdict full",
        "validate --frames --lanes 32 --counter-width 8 --signature reject",
        "validate --frames --lanes 64 --mode pass --edges open",
        "validate --frames --lanes 64 --forbid nul,bidi",
        "validate --frames --lanes 8 --edges open --csr --ports all",
        "validate --frames --lanes 64 --ports udp:src:0-79,udp:dst:514",
        "validate --frames --lanes 8 --mode pass --edges open --forbid nul,bidi --csr",
        "validate --frames --lanes 8 --mode drop --edges open --ports udp:514",
        "validate --frames --lanes 8 --mode drop --edges open --ports udp:514 --drop-bytes 400 --user-width 4",
    ];
    let all = if has_time() { &cores[..] } else { &cores[..1] };
    for arguments in all {
        let has = |option| arguments.contains(option);
        let more = [has("forbid"), has("ports")].map(|asked| usize::from(asked && has("csr")));
        let registers = if has("csr") {
            REGISTER_TESTS + more[0] + more[1]
        } else {
            0
        };
        is_as_cpython_decodes_it(arguments, None, FRAME_TESTS + registers);
    }
}

/// A network card's traffic through the templates for Corundum, with one port, and for OpenNIC: exactly the bad texts are marked, or are
/// missing. With `RUNEGATE_COCOTB=all` through a wide core for Corundum, too. The bench fails with a core that marks what it should drop,
/// with one that judges all ports, and with a template that shuffles the sideband.
#[test]
fn a_card_marks_exactly_the_bad_texts() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let cards = [("corundum", 8), ("opennic", 64), ("corundum", 64)];
    let all = if has_time() { &cards[..] } else { &cards[..2] };
    for &(shell, lanes) in all {
        let card = |mode_and_ports: &str| {
            let place = Place::new();
            done(&place.run(&format!(
                "emit --core validate --mode {mode_and_ports} --lanes {lanes} --for {shell} --module core --package package --quiet"
            )));
            place
        };
        let succeeds = |place: &Place, environment: &[(&str, &str)]| {
            let result = mixed_traffic(place, shell, lanes, environment);
            assert_eq!(result, (true, 2, 0), "{shell}, {lanes} lanes");
        };
        let fails = |place: &Place, environment: &[(&str, &str)]| {
            let (success, _, failures) = mixed_traffic(place, shell, lanes, environment);
            assert!(!success && failures > 0, "{shell}, {lanes} lanes");
        };
        let drops = &[("RUNEGATE_DROPS", "1")][..];
        let place = card("pass --ports udp:514,tcp:80-81");
        succeeds(&place, &[]);
        // A core that only marks drops nothing.
        fails(&place, drops);
        fails(&card("drop"), drops);
        let place = card("drop --ports udp:514,tcp:80-81");
        succeeds(&place, drops);
        let path = place.path(&format!("package/templates/{shell}.v"));
        let text = std::fs::read_to_string(&path).expect("emitted");
        let good = "assign in_sideband[SIDEBAND-1:0] =";
        let bad = "assign {in_sideband[SIDEBAND-2:0], in_sideband[SIDEBAND-1]} =";
        assert_eq!(text.matches(good).count(), 1, "{good}");
        std::fs::write(&path, text.replace(good, bad)).expect("written");
        fails(&place, drops);
    }
}

/// Whether the run succeeds, and how many tests and failures there are.
fn mixed_traffic(
    place: &Place,
    shell: &str,
    lanes: usize,
    environment: &[(&str, &str)],
) -> (bool, usize, usize) {
    let (top, parameters) = match shell {
        "corundum" => ("mqnic_app_block", "-Pmqnic_app_block.PORT_COUNT=1"),
        _ => ("p2p_250mhz", "-DHAS_BAD"),
    };
    place.write("package/cocotb/nic.py", include_str!("nic.py"));
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let around = tests.join(format!("shells/{shell}.v"));
    let sources = format!("../rtl/core.v ../templates/{shell}.v {}", around.display());
    let mut command = make(&place.path("package/cocotb"));
    command.args([
        format!("VERILOG_SOURCES={sources}"),
        format!("COMPILE_ARGS=-DLANES={lanes} -DTEMPLATE=core_{shell}_rx {parameters}"),
        format!("COCOTB_TOPLEVEL={top}"),
        "COCOTB_TEST_MODULES=nic".to_string(),
    ]);
    command.envs(environment.iter().copied());
    let output = output(command.env("COCOTB_LOG_LEVEL", "ERROR"));
    let results = std::fs::read_to_string(place.path("package/cocotb/results.xml"));
    let results = results.unwrap_or_default();
    let count = |what: &str| results.matches(what).count();
    (
        output.status.success(),
        count("<testcase"),
        count("<failure"),
    )
}

/// A package's bench writes registers over AXI4-Lite: addresses outside the map are refused, frames are judged by the table of ports, and those
/// that are not judged are dropped for the reasons that a register has.
#[test]
fn a_table_of_ports_is_in_the_registers() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let place = Place::new();
    // Its table is empty after a reset.
    package(&place, "validate --mode drop --frames --lanes 8 --csr");
    for filter in [
        "not_in_the_map_is_refused",
        "while_the_table_has_them",
        "while_the_register_says_so",
    ] {
        let environment = [("COCOTB_TEST_FILTER", filter)];
        let (output, results) = run_with(&place, Some("registers"), &environment);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        assert_eq!(results.matches("<testcase").count(), 1, "{said}");
        assert_eq!(results.matches("<failure").count(), 0, "{said}");
    }
}

/// Whether all that there is runs.
fn has_time() -> bool {
    std::env::var("RUNEGATE_COCOTB").is_ok_and(|words| words == "all")
}

/// Beats of flows that interleave, and what their registers count; but for the bus's own tests, which are those of any core with
/// registers. With `RUNEGATE_COCOTB=all` of narrow cores these, too, and so do the widest core, one flow and a thousand.
#[test]
fn each_flow_is_as_cpython_decodes_it() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let core = "validate --lanes 4 --flows 5 --csr --user-width 4";
    let modules = "flows,flow_registers";
    let without_bus = FLOW_TESTS + FLOW_REGISTER_TESTS;
    is_as_cpython_decodes_it(core, Some(modules), without_bus);
    if !has_time() {
        return;
    }
    let wide = "validate --lanes 64 --flows 6 --csr";
    is_as_cpython_decodes_it(wide, Some(modules), without_bus);
    let with_registers = without_bus + REGISTER_TESTS;
    for (arguments, tests) in [
        (
            "validate --lanes 1 --flows 3 --counter-width 8 --csr",
            with_registers,
        ),
        (
            "validate --lanes 2 --flows 1 --form free --csr",
            with_registers,
        ),
        (
            "validate --lanes 16 --flows 1000 --form free --dest-width 9",
            FLOW_TESTS,
        ),
    ] {
        is_as_cpython_decodes_it(arguments, None, tests);
    }
}

/// Of each encoding and of both ways with ill-formed words; with `RUNEGATE_COCOTB=all` the narrowest and the widest encoders, too.
#[test]
fn encoders_are_as_cpython_encodes() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let cores = [
        "encode --lanes 8",
        "encode --from utf16le --lanes 2 --on-error omit",
        "encode --lanes 1 --on-error omit --counter-width 8",
        "encode --from utf16be --lanes 1 --user-width 3",
        "encode --from utf16be --lanes 4 --beat-error",
        "encode --lanes 16 --on-error omit",
        "encode --from utf16le --lanes 16",
    ];
    let all = if has_time() { &cores[..] } else { &cores[..2] };
    for arguments in all {
        is_as_cpython_decodes_it(arguments, None, WORD_TESTS);
    }
}

/// Of each way to repair; with `RUNEGATE_COCOTB=all` the widest, too.
#[test]
fn what_is_repaired_is_as_cpython_repairs_it() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    let cores = [
        "sanitise --lanes 4",
        "sanitise --replace ascii --lanes 1 --form free",
        "sanitise --signature strip --lanes 1 --user-width 3",
        "sanitise --signature strip --lanes 2 --counter-width 8",
        "sanitise --lanes 16",
        "sanitise --replace ascii --lanes 2",
        "sanitise --replace ascii --lanes 64",
    ];
    let all = if has_time() { &cores[..] } else { &cores[..2] };
    for arguments in all {
        // Whether well-formed text is held up is asked of what moves bytes.
        let more = usize::from(!arguments.contains("ascii"));
        is_as_cpython_decodes_it(arguments, None, TESTS + more);
    }
}

#[test]
fn narrow_cores_are_as_cpython_decodes() {
    all_are(&[(1, "axis"), (4, "free")]);
}

/// Decoders of the smallest depth; with `RUNEGATE_COCOTB=all` every form of the core with one and with eight lanes.
#[test]
fn shallow_cores_are_as_cpython_decodes() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    is_as_cpython_decodes_it("decode --lanes 2 --depth min", None, TESTS);
    is_as_cpython_decodes_it(
        "decode --dense --lanes 2 --depth min --to utf16be",
        None,
        TESTS,
    );
    if !has_time() {
        return;
    }
    for core in CORES {
        for lanes_and_form in ["1 --form axis", "8 --form free"] {
            let arguments = format!("{core} --depth min --lanes {lanes_and_form}");
            is_as_cpython_decodes_it(&arguments, None, TESTS);
        }
    }
}

/// With `RUNEGATE_COCOTB=all` the widest, too, which Icarus runs slowly.
#[test]
fn wide_cores_are_as_cpython_decodes() {
    all_are(&[(16, "free")]);
    if has_time() {
        all_are(&[(64, "axis")]);
    }
}

/// The bench finds a defect in each stream of a core, by the test that is made for it.
#[test]
fn a_broken_core_is_seen() {
    if !have(&COCOTB) || !have(&ICARUS) {
        return;
    }
    // Only the named test runs.
    let defects = [
        (
            "decode",
            "s8_third_up <= s7_third | s7_fourth;",
            "s8_third_up <= s7_third;",
            "as_cpython_decodes_it",
        ),
        (
            "decode",
            "ready <= credits_enough;",
            "ready <= credits_enough & ~ready;",
            "as_cpython_decodes_it",
        ),
        (
            "validate --mode pass",
            "assign bad = s20_wrong & ",
            "assign bad = 1'b0 & ",
            "as_cpython_decodes_it",
        ),
        (
            "validate",
            ".x(s20_wrong)",
            ".x(1'b0)",
            "as_cpython_decodes_it",
        ),
        (
            "validate --mode pass --early-bad",
            "| (s20_bad & ~s20_over);",
            "| s20_bad;",
            "as_cpython_decodes_it",
        ),
        (
            "validate --csr",
            "looking <= enable;",
            "looking <= 1'b1;",
            "enable_is_of_packets_that_begin",
        ),
        (
            "validate --csr",
            "b_refused <= refused;",
            "b_refused <= 1'b0;",
            "what_is_not_in_the_map_is_refused",
        ),
        (
            "validate --flows 5",
            "~delay_refused_10_y & delay_is_bad_10_y;",
            "~delay_refused_10_y & delay_is_bad_10_y & ~s10_ends;",
            "each_message_is_as_cpython_decodes_it",
        ),
        (
            "encode",
            "s4_kind_0 <= s3_ill & s3_too_large;",
            "s4_kind_0 <= 4'h0;",
            "as_cpython_encodes_it",
        ),
        (
            "encode",
            "ready <= room_enough & verdict_credits_enough;",
            "ready <= room_enough & verdict_credits_enough & ~ready;",
            "words_of_one_byte_are_never_held_up",
        ),
        (
            "encode --from utf16le --on-error omit",
            "s3_carried <= s2_high[3] & ~s2_last;",
            "s3_carried <= s2_high[3];",
            "as_cpython_encodes_it",
        ),
        (
            "validate --frames --edges open",
            "assign too_long = eights[14];",
            "assign too_long = 1'b0;",
            "each_frame_is_as_scapy_made_it",
        ),
        (
            "validate --frames --mode pass",
            "s4_too_deep <= &s3_tag;",
            "s4_too_deep <= 1'b0;",
            "each_frame_is_as_scapy_made_it",
        ),
        (
            "validate --mode drop --drop-bytes 100",
            "good_1 <= push & beat[36] & ~side[0] & ~released;",
            "good_1 <= push & beat[36] & ~released;",
            "as_cpython_decodes_it",
        ),
        (
            "validate --mode drop --drop-bytes 100",
            "stays_1 <= push & beat[36] & (size_carry_2 | ~side[0]);",
            "stays_1 <= push & beat[36] & ~side[0];",
            "only_packets_within_the_limit_are_dropped",
        ),
        (
            "validate --mode drop --drop-bytes 100",
            "wire gives = stock[6] & (~gave | stock_before[6]) & tokens_free[1];",
            "wire gives = stock[6] & ~gave & tokens_free[1];",
            "packets_within_the_limit_are_never_held_up",
        ),
        (
            "validate --mode drop --frames --csr",
            "closed_due_x = closes_it_y & ",
            "closed_due_x = closes_it_y & late_closes_y[1] & ",
            "while_the_register_says_so",
        ),
        (
            "validate --mode drop --drop-bytes 100",
            "            base <= 6'h0;",
            "            base <= base;",
            "a_reset_empties_the_memory",
        ),
    ];
    for (core, good, bad, test) in defects {
        let place = Place::new();
        let lanes = if core.contains("--frames") { 8 } else { 4 };
        package(&place, &format!("{core} --lanes {lanes}"));
        let path = place.path("package/rtl/core.v");
        let text = std::fs::read_to_string(&path).expect("emitted");
        assert_eq!(text.matches(good).count(), 1, "{good}");
        std::fs::write(&path, text.replace(good, bad)).expect("written");
        // The first failure is the verdict.
        let environment = [("COCOTB_TEST_FILTER", test), ("COCOTB_MAX_FAILURES", "1")];
        let (output, results) = run_with(&place, None, &environment);
        assert!(!output.status.success(), "{core} with {bad}");
        assert!(results.contains("<failure"), "{core} with {bad}");
    }
}
