//! Campaigns: what they run is all that they say, and comes out as the oracle says. Shards, their reports, and the merge are in
//! `shards`.

use crate::support::{self, BROKEN, Place, done, have_verilator, json, refuses, stdout};
use golden::{Grammar, events_of};
use serde_json::{Value, json};
use sim::campaign::census::Census;
use sim::campaign::{Campaign, Plan, Shard};
use sim::packets::{Piece, Split};
use sim::tools;

/// The pieces of a campaign by the oracle, as many as begin in its own windows.
fn pieces(plan: &Plan) -> Census {
    let (mut packets, mut piece, mut packet) = (plan.packets(), Piece::default(), Vec::new());
    let mut census = Census::of(plan.grammar);
    let whole = plan.split == Split::Whole && plan.campaign != Campaign::Random;
    let own = if whole { plan.windows().end } else { u64::MAX };
    while packets.next(&mut piece).expect("nothing can fail") {
        packet.extend_from_slice(&piece.bytes);
        if piece.ends {
            events_of(plan.grammar, &packet)
                .filter(|(at, event)| at + 1 - usize::from(event.length()) < own as usize)
                .for_each(|(_, event)| census.observe(event));
            packet.clear();
        }
    }
    census
}

fn plan(campaign: Campaign, count: u64, split: Split) -> Plan {
    Plan {
        campaign,
        forbid: 0,
        grammar: Grammar::Rfc3629,
        count,
        shard: Shard { number: 1, of: 1 },
        seed: 1,
        split,
        words: None,
        frames: false,
        ports: None,
    }
}

/// Runs a campaign on a core; what comes out has to be what the oracle says, if the core shows pieces.
fn agrees(flags: &str, plan: &Plan) -> Value {
    let place = Place::new();
    let (name, count) = (plan.campaign.name(), plan.count);
    let run = json(&place.run(&format!(
        "sim --json --stimulus {name} --count {count} {flags}"
    )));
    assert_eq!(
        (&run["mismatches"], &run["stimulus"], &run["bytes"]),
        (&0.into(), &name.into(), &plan.bytes().into()),
        "{flags}"
    );
    assert_eq!(
        run["shard"],
        json!({"number": 1, "of": 1, "first_window": 0, "windows": count})
    );
    for rate in ["windows_per_second", "bytes_per_second"] {
        assert!(run[rate].as_f64().expect("a rate") > 0.0);
    }
    match run["config"]["core"].as_str() {
        Some("decode") => assert_eq!(run["pieces"], json!(pieces(plan)), "{flags}"),
        _ => assert_eq!(run["pieces"], Value::Null),
    }
    run
}

/// Each build of a core takes longer than what it runs here: a few of them have all kinds.
const STRIP: &str = "--form free --signature strip";
const DENSE: &str = "--lanes 8 --dense";
const PASS: &str = "--core validate --mode pass --lanes 4 --counter-width 8";
/// Cores of the smallest depth. `scripts/evidence.sh` has more of them.
const SHALLOW: [&str; 2] = [
    "--depth min --form free --lanes 8",
    "--core validate --depth min",
];

/// The quick set of `--stimulus windows`.
#[test]
fn the_first_windows_agree() {
    let windows = |flags: &str, count| agrees(flags, &plan(Campaign::Windows, count, Split::Whole));
    if have_verilator() {
        windows("", 1 << 24);
        windows(STRIP, 1 << 20);
        windows(&format!("{DENSE} --stall 0.2"), 1 << 21);
        windows("--lanes 64 --idle 0.1", 1 << 22);
        windows(PASS, 1 << 20);
    }
    windows("--engine embedded", 1 << 10);
}

/// All windows of classes, in one packet and cut by packets' ends.
#[test]
fn every_window_of_classes_agrees() {
    let all = Campaign::Classes.default_count(Grammar::Rfc3629);
    let classes = |flags: &str, count, split| agrees(flags, &plan(Campaign::Classes, count, split));
    let ladder = |lanes| Split::Ladder { lanes };
    if have_verilator() {
        classes("", all, Split::Whole);
        classes("--split random", all, Split::Random { lanes: 1, seed: 1 });
        classes(&format!("{DENSE} --split ladder"), all, ladder(8));
        let run = classes(PASS, all, Split::Whole);
        assert_eq!(run["ill_formed_packets"], 1);
        for (flags, lanes) in SHALLOW.into_iter().zip([8, 1]) {
            classes(&format!("{flags} --split ladder"), all, ladder(lanes));
        }
    }
    classes("--engine embedded --split ladder", 1 << 10, ladder(1));
    if support::have(&tools::ICARUS) {
        let widest = "--engine icarus --lanes 128 --form free";
        classes(widest, 1 << 10, Split::Whole);
        let validate = format!("{widest} --core validate --split ladder");
        classes(&validate, 1 << 10, ladder(128));
    }
}

#[test]
fn rfc_2279_has_windows_and_packets_of_its_own() {
    let grammar = Grammar::Rfc2279;
    let rfc2279 = |campaign, count, split| Plan {
        grammar,
        ..plan(campaign, count, split)
    };
    for (flags, lanes) in [("--lanes 2", 2), ("--lanes 4 --dense", 4)] {
        let flags = format!("--engine embedded --grammar rfc2279 {flags} --resets 0");
        let random = rfc2279(Campaign::Random, 1 << 12, Split::Whole);
        let run = agrees(&flags, &random);
        for length in 1..=6 {
            assert!(run["pieces"][format!("scalars_of_{length}")] != 0, "{run}");
        }
        let classes = rfc2279(Campaign::Classes, 1 << 11, Split::Whole);
        agrees(&flags, &classes);
        let ladder = Split::Ladder { lanes };
        let classes = rfc2279(Campaign::Classes, 1 << 11, ladder);
        agrees(&format!("{flags} --split ladder"), &classes);
    }
    assert_eq!(Campaign::Classes.default_count(grammar), 19_u64.pow(7));
}

#[test]
fn random_packets_agree() {
    // What a reset drops does not come out.
    let random = |flags: &str, count| {
        let flags = format!("{flags} --resets 0");
        agrees(&flags, &plan(Campaign::Random, count, Split::Whole))
    };
    if have_verilator() {
        random(&format!("{STRIP} --late-last 0.3"), 1 << 20);
        random(&format!("{DENSE} --idle 0.2 --stall 0.3"), 1 << 20);
        let run = random(PASS, 1 << 20);
        let counts = [
            "packet_count",
            "ill_formed_packets",
            "saturated_packets",
            "scalars",
        ];
        let counts = counts.map(|name| run[name].as_u64().expect("a count"));
        assert!(
            counts[0] > counts[1] && counts.iter().all(|&count| count > 100),
            "{counts:?}"
        );
    }
    random("--engine embedded --idle 0", 1 << 10);
}

#[test]
fn people_are_told_what_has_been_run() {
    let place = Place::new();
    let told = |flags: &str| {
        let run = place.run(&format!("sim --engine embedded {flags}"));
        done(&run);
        stdout(&run).to_string()
    };
    let windows = told("--stimulus windows --count 2^9 --shard 2/2");
    for part in [
        "windows, shard 2/2, on embedded",
        "seed 1",
        "256 windows, 259 bytes",
        "0 mismatches",
        "a second",
    ] {
        assert!(windows.contains(part), "{part:?} in {windows}");
    }
    let random = told("--stimulus random --count 300 --seed 7");
    for part in [
        "packets, ",
        "random, on embedded",
        "seed 7",
        "  300 bytes in ",
    ] {
        assert!(random.contains(part), "{part:?} in {random}");
    }
}

#[test]
fn a_configuration_file_has_the_same_keys() {
    let place = Place::new();
    place.write(
        "run.toml",
        "stimulus = \"classes\"\ncount = 90\nshard = \"3/3\"\nseed = 5\nengine = \"embedded\"\nsplit = \"random\"\n",
    );
    let run = |flags: &str| {
        let run = json(&place.run(&format!("sim --json --config run.toml {flags}")));
        let shard = &run["shard"];
        (
            run["stimulus"].clone(),
            shard["number"].clone(),
            shard["windows"].clone(),
        )
    };
    assert_eq!(run(""), ("classes".into(), 3.into(), 30.into()));
    assert_eq!(
        run("--stimulus windows --count 40 --shard 1/4 --split whole"),
        ("windows".into(), 1.into(), 10.into())
    );
    let both = ["--stimulus classes", BROKEN, "leave one of them out"];
    refuses(&place, &format!("sim --config run.toml {BROKEN}"), &both);
}

#[test]
fn events_of_a_campaign_are_written() {
    let place = Place::new();
    done(&place.run("sim --engine embedded --stimulus windows --count 1 --events events"));
    let events = std::fs::read_to_string(place.path("events")).expect("the events");
    assert_eq!(events.lines().count(), 4);
}

#[test]
fn campaigns_that_there_are_not() {
    let place = Place::new();
    let refuses = |flags: &str, parts: &[&str]| {
        support::refuses(&place, &format!("sim --engine embedded {flags}"), parts);
    };
    refuses(
        "--stimulus all",
        &["--stimulus", "'all'", "windows, classes, random"],
    );
    for flag in ["--count 5", "--shard 1/2", "--report r.json"] {
        let name = flag.split(' ').next().expect("a name");
        refuses(
            &format!("{flag} {BROKEN}"),
            &[name, "choose --stimulus windows"],
        );
    }
    refuses(
        &format!("--stimulus windows {BROKEN}"),
        &["--stimulus windows", BROKEN, "leave one of them out"],
    );
    for (stimulus, count, range) in [
        ("windows", "0", "1 to 4294967296 windows"),
        ("windows", "2^33", "1 to 4294967296 windows"),
        ("windows", "4294967297", "1 to 4294967296 windows"),
        ("classes", "11390626", "1 to 11390625 windows"),
        ("random", "0", "at least 1 byte"),
    ] {
        let flags = format!("--stimulus {stimulus} --count {count}");
        refuses(
            &flags,
            &["--count is", range, "choose a number in that range"],
        );
    }
    refuses(
        "--stimulus windows --grammar rfc2279",
        &[
            "--stimulus windows",
            "--grammar rfc2279",
            "up to 6 bytes",
            "choose --stimulus classes or random",
        ],
    );
    refuses(
        "--stimulus classes --grammar rfc2279 --count 893871740",
        &["--count is", "1 to 893871739 windows"],
    );
    for count in ["-1", "1.5", "many", "3^5", "2^64", "2^-1", "2^", ""] {
        let run =
            support::output(&mut place.runegate(["sim", "--stimulus", "random", "--count", count]));
        support::refused(&run, &["--count", "as in 2^24"]);
    }
    for shard in [
        "3", "0/4", "5/4", "a/b", "1/0", "1/65537", "-1/4", "1/4/4", "/", "1.0/2",
    ] {
        let flags = format!("--stimulus windows --shard={shard}");
        refuses(&flags, &["--shard is", shard, "write K/N, as in 3/8"]);
    }
    let few = ["--shard 1/6", "--count 5", "choose fewer shards"];
    refuses("--stimulus windows --count 5 --shard 1/6", &few);
    for (stimulus, split) in [
        ("windows", "ladder"),
        ("windows", "random"),
        ("windows", "lines"),
        ("classes", "lines"),
        ("random", "ladder"),
        ("random", "lines"),
    ] {
        refuses(
            &format!("--stimulus {stimulus} --split {split}"),
            &[
                &format!("--split {split}"),
                &format!("--stimulus {stimulus}"),
                "leave it out",
            ],
        );
    }
    refuses(
        "--stimulus classes --split words",
        &["\"words\"", "ladder or random"],
    );
}
