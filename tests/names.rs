//! Default module names: each configuration has its own, and none is that of another core's inner module.

use hdl::config::{COUNTER_WIDTHS, Config, CoreName, Depth, Form, Mode, Request, Signature};
use hdl::emit::emit;
use std::collections::{HashMap, HashSet};

/// What makes one configuration into another.
type Changes<'a> = &'a [&'a dyn Fn(&mut Request)];

/// Every option with every other, as far as a core has both.
fn crossed() -> Vec<Config> {
    let mut requests = vec![Request::default()];
    let mut cross = |options: &[&dyn Fn(&mut Request)]| {
        let all = std::mem::take(&mut requests);
        for request in all {
            for option in options {
                let mut request = request.clone();
                option(&mut request);
                // What no core can be made of further is left alone as soon as it can be seen.
                requests.push(request);
            }
        }
    };
    cross(&[
        &|request| request.core = Some(CoreName::Decode),
        &|request| request.core = Some(CoreName::Validate),
    ]);
    cross(&[
        &|_| {},
        &|request| request.signature = Some(Signature::Flag),
        &|request| request.signature = Some(Signature::Strip),
        &|request| request.mode = Some(Mode::Pass),
        &|request| request.flows = Some(1),
        &|request| request.flows = Some(2),
        &|request| request.flows = Some(1024),
    ]);
    cross(
        &[&|_| {}, &|request| request.dense = Some(true), &|request| {
            request.csr = Some(true)
        }],
    );
    cross(&[
        &|_| {},
        &|request| request.verdict_width = Some(168),
        &|request| request.verdict_width = Some(1024),
    ]);
    let widths: Vec<_> = COUNTER_WIDTHS
        .map(|width| move |request: &mut Request| request.counter_width = Some(width))
        .into();
    let widths = widths.iter().map(|width| width as &dyn Fn(&mut Request));
    let widths: Vec<_> = std::iter::once(&(|_: &mut Request| {}) as &dyn Fn(&mut Request))
        .chain(widths)
        .collect();
    cross(&widths);
    cross(&[&|_| {}, &|request| request.form = Some(Form::Free)]);
    cross(&[&|_| {}, &|request| request.depth = Some(Depth::Min)]);
    cross(&[&|_| {}, &|request| request.beat_error = Some(true)]);
    cross(&[
        &|_| {},
        &|request| request.id_width = Some(1),
        &|request| request.id_width = Some(10),
        &|request| request.id_width = Some(11),
    ]);
    cross(&[&|_| {}, &|request| request.dest_width = Some(1)]);
    cross(&[&|_| {}, &|request| request.user_width = Some(11)]);
    cross(&[
        &|request| request.lanes = Some(1),
        &|request| request.lanes = Some(2),
        &|request| request.lanes = Some(64),
    ]);
    let built = requests.into_iter().map(Request::resolve);
    built.filter_map(Result::ok).collect()
}

#[test]
fn each_configuration_has_a_name_of_its_own() {
    let mut of_names: HashMap<String, Config> = HashMap::new();
    for config in crossed() {
        let name = config.module.clone();
        let word = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        let is_plain = name
            .split('_')
            .all(|part| !part.is_empty() && part.chars().all(word));
        assert!(is_plain && name.starts_with("utf8_"), "{name}");
        if let Some(other) = of_names.insert(name, config.clone()) {
            // A default that is said is the same core as one that is not.
            assert_eq!(other, config, "two configurations of one name");
        }
    }
    assert!(of_names.len() > 10_000, "only {}", of_names.len());
    let names: HashSet<&str> = of_names.keys().map(String::as_str).collect();
    for name in &names {
        for (end, _) in name.match_indices('_') {
            let start = &name[..end];
            assert!(!names.contains(start), "{name} may be inside of {start}");
        }
    }
}

/// What people have in their scripts.
#[test]
fn defaults_have_short_names() {
    for (request, name) in [
        (Request::default(), "utf8_decode_w1"),
        (
            Request {
                lanes: Some(8),
                dense: Some(true),
                signature: Some(Signature::Keep),
                form: Some(Form::Axis),
                user_width: Some(0),
                ..Request::default()
            },
            "utf8_decode_dense_w8",
        ),
        (
            Request {
                core: Some(CoreName::Validate),
                mode: Some(Mode::Pass),
                csr: Some(true),
                verdict_width: Some(160),
                counter_width: Some(32),
                lanes: Some(64),
                ..Request::default()
            },
            "utf8_validate_pass_csr_w64",
        ),
        (
            Request {
                core: Some(CoreName::Validate),
                flows: Some(1024),
                id_width: Some(10),
                lanes: Some(64),
                ..Request::default()
            },
            "utf8_validate_flows1024_w64",
        ),
    ] {
        let config = request.resolve().expect("it can be built");
        assert_eq!(config.module, name);
    }
}

/// No option is named that changes nothing: of each two of these cores, the Verilog differs in more than the name.
#[test]
fn what_is_named_is_in_the_verilog() {
    let variants: [(CoreName, Changes); 2] = [
        (
            CoreName::Decode,
            &[
                &|_| {},
                &|request| request.form = Some(Form::Free),
                &|request| request.signature = Some(Signature::Flag),
                &|request| request.signature = Some(Signature::Strip),
                &|request| request.dense = Some(true),
                &|request| request.beat_error = Some(true),
                &|request| request.id_width = Some(3),
                &|request| request.dest_width = Some(3),
                &|request| request.user_width = Some(3),
            ],
        ),
        (
            CoreName::Validate,
            &[
                &|_| {},
                &|request| request.form = Some(Form::Free),
                &|request| request.mode = Some(Mode::Pass),
                &|request| request.csr = Some(true),
                &|request| request.verdict_width = Some(168),
                &|request| request.counter_width = Some(8),
                &|request| request.depth = Some(Depth::Min),
                &|request| request.depth = Some(Depth::Clocks(9)),
                &|request| request.flows = Some(2),
                &|request| request.flows = Some(3),
                &|request| {
                    request.flows = Some(3);
                    request.id_width = Some(3);
                },
            ],
        ),
    ];
    for (core, variants) in variants {
        let mut seen: HashMap<String, String> = HashMap::new();
        for variant in variants {
            let mut request = Request {
                core: Some(core),
                lanes: Some(2),
                ..Request::default()
            };
            variant(&mut request);
            let named = request.clone().resolve().expect("it can be built").module;
            request.module = Some("core".to_string());
            let config = request.resolve().expect("it can be built");
            let verilog = emit(&config).expect("it can be emitted").verilog;
            let is_of_head = |line: &&str| line.starts_with("// C");
            let body: Vec<&str> = verilog.lines().filter(|line| !is_of_head(line)).collect();
            if let Some(other) = seen.insert(body.join("\n"), named.clone()) {
                panic!("{named} and {other} are the same Verilog");
            }
        }
    }
}
