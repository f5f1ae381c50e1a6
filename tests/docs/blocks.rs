//! The tables that the code has, as Markdown.

use super::line;
use crate::support::{Place, done};
use hdl::config::ports::{Direction, Port, ports};
use hdl::config::{Config, CoreName, Encoding, Form, LANES, Mode, Replace, Request};
use hdl::emit::{emit, latency};
use hdl::layout::{self, KINDS};
use std::collections::HashMap;

/// All that there are.
pub const NAMES: [&str; 20] = [
    "kinds",
    "latency",
    "line",
    "options bench",
    "options core",
    "options decode",
    "options emit",
    "options prove",
    "options sim",
    "options synth",
    "pins decode",
    "pins encode",
    "pins flows",
    "pins input",
    "pins pass",
    "pins registers",
    "pins sanitise",
    "pins validate",
    "registers",
    "verdict",
];

pub fn table(name: &str) -> String {
    match name.split_once(' ') {
        Some(("pins", of)) => pins(of),
        Some(("options", "core")) => options(&of_a_core()),
        Some(("options", command)) => {
            let core = of_a_core();
            let own = options_of(command)
                .into_iter()
                .filter(|option| !core.contains(option));
            options(&own.collect::<Vec<_>>())
        }
        _ => match name {
            "kinds" => kinds(),
            "latency" => latencies(),
            "line" => line::table(),
            "registers" => registers(),
            "verdict" => verdict(),
            _ => panic!("there is no table {name}"),
        },
    }
}

pub fn rows<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&head.map(str::to_string)) + &"|---".repeat(N) + "|\n";
    rows.into_iter().for_each(|row| text += &line(&row));
    text
}

fn code(text: impl std::fmt::Display) -> String {
    format!("`{text}`")
}

fn built(request: Request) -> Config {
    request.resolve().expect("it can be built")
}

/// Widths as sums of the widths that a core is asked for: each is found by asking for one more of it.
fn pins(of: &str) -> String {
    let base = match of {
        "input" | "decode" => Request::default(),
        "encode" => Request {
            core: Some(CoreName::Encode),
            ..Request::default()
        },
        "sanitise" => Request {
            core: Some(CoreName::Sanitise),
            ..Request::default()
        },
        _ => Request {
            core: Some(CoreName::Validate),
            mode: Some(if ["pass", "validate"].contains(&of) {
                Mode::Pass
            } else {
                Mode::Snoop
            }),
            flows: (of == "flows").then_some(4),
            csr: Some(of == "registers"),
            ..Request::default()
        },
    };
    let base = Request {
        beat_error: Some(["input", "decode", "encode", "sanitise"].contains(&of)),
        lanes: Some(2),
        id_width: Some(2),
        dest_width: Some(2),
        user_width: Some(2),
        ..base
    };
    let wider = [
        (
            "N",
            2,
            Request {
                lanes: Some(4),
                ..base.clone()
            },
        ),
        (
            "id",
            1,
            Request {
                id_width: Some(3),
                ..base.clone()
            },
        ),
        (
            "dest",
            1,
            Request {
                dest_width: Some(3),
                ..base.clone()
            },
        ),
        (
            "user",
            1,
            Request {
                user_width: Some(3),
                ..base.clone()
            },
        ),
    ];
    let wider = wider.map(|(name, more, request)| {
        let widths: HashMap<&str, usize> = ports(&built(request))
            .iter()
            .map(|port| (port.name, port.width))
            .collect();
        (name, more, widths)
    });
    let width = |port: &Port| {
        // Two of each, of all that it is a sum of.
        let mut rest = port.width;
        let mut terms = Vec::new();
        for (name, more, widths) in &wider {
            let times = (widths[port.name] - port.width) / more;
            rest -= 2 * times;
            match times {
                0 => {}
                1 => terms.push(name.to_string()),
                _ => terms.push(format!("{times} {name}")),
            }
        }
        if rest > 0 {
            terms.push(rest.to_string());
        }
        terms.join(" + ")
    };
    let is_of = |name: &str| match of {
        "input" => ["clk", "rst"].contains(&name) || name.starts_with("s_axis_"),
        "decode" | "sanitise" => name.starts_with("m_axis_") || name == "beat_error",
        "encode" => !["clk", "rst"].contains(&name),
        "validate" => name.starts_with("m_axis_verdict_"),
        "pass" => name.starts_with("m_axis_t"),
        "flows" => {
            ["s_axis_tid", "s_axis_tuser", "flows_ready"].contains(&name)
                || name.starts_with("m_axis_flow_")
        }
        "registers" => name.starts_with("s_axil_"),
        _ => panic!("there are no pins {of}"),
    };
    let all = ports(&built(base));
    rows(
        ["pin", "width", "direction", "meaning"],
        all.iter().filter(|port| is_of(port.name)).map(|port| {
            let direction = match port.direction {
                Direction::Input => "in",
                Direction::Output => "out",
            };
            [
                code(port.name),
                width(port),
                direction.to_string(),
                port.description.to_string(),
            ]
        }),
    )
}

/// When each kind is, and what simdutf calls it; `judge_simdutf.rs` of golden's tests checks the latter.
fn kinds() -> String {
    let words = [
        ("a scalar value", "SUCCESS"),
        ("80..BF where no sequence is open", "TOO_LONG"),
        ("F8..FF", "HEADER_BITS"),
        ("C0, C1; E0 before 80..9F; F0 before 80..8F", "OVERLONG"),
        ("ED before A0..BF", "SURROGATE"),
        ("F5..F7; F4 before 90..BF", "TOO_LARGE"),
        (
            "an open sequence cut by a byte that cannot continue it",
            "TOO_SHORT",
        ),
        ("an open sequence cut by the end of the packet", "TOO_SHORT"),
    ];
    rows(
        ["code", "kind", "when", "simdutf's name"],
        KINDS
            .iter()
            .zip(words)
            .enumerate()
            .map(|(number, (kind, (when, name)))| {
                [number.to_string(), code(kind), when.to_string(), code(name)]
            }),
    )
}

fn verdict() -> String {
    let meaning = |name: &str| {
        match name {
        "bytes" => "bytes of the packet; with [`--window`](windows.md) or [`--frames`](frames.md) those that are judged".to_string(),
        "valid_up_to" => "bytes before the first ill-formed piece; all of them if there is none".to_string(),
        "scalars" => "well-formed sequences".to_string(),
        "ill_formed" => "ill-formed pieces: the number of U+FFFD that a lossy decoder writes".to_string(),
        "well_formed" => "the packet is well-formed".to_string(),
        "signature" => "the packet begins with EF BB BF".to_string(),
        "kind" => "kind of the first ill-formed piece".to_string(),
        "error_len" => "its length; 0 if the packet is well-formed or the piece is cut by the end of the packet; bit 138 only with `--grammar rfc2279`".to_string(),
        "bad" => "with a [policy](policies.md), a [window](windows.md) or [frames](frames.md), else 0: the packet is ill-formed, but for open edges, or against the policy".to_string(),
        "forbidden" => "with `--forbid`: a bit for each [class](policies.md) that the packet has".to_string(),
        "forbidden_end" => "with `--forbid`: bytes up to the end of the first forbidden scalar value; 0 if there is none".to_string(),
        "head_bytes" => "with `--edges open`: bytes before the [first boundary](policies.md#open-edges)".to_string(),
        "tail_bytes" => "with `--edges open`: bytes of the sequence that the end cuts".to_string(),
        "unjudged" => "with [`--window`](windows.md) or [`--frames`](frames.md): the packet is not judged, and all else says what it says of an empty one".to_string(),
        "reason" => "with these, if the packet is not judged: why ([windows](windows.md), [frames](frames.md))".to_string(),
        "width_class" => "with `--verdict full`: the [class](policies.md#full-verdicts) of the greatest scalar value".to_string(),
        "ascii" => "with `--verdict full`: scalar values below U+0080".to_string(),
        "utf16_units" => "with `--verdict full`: 16-bit units of the lossy text".to_string(),
        _ => {
            let counter = name.strip_suffix("_saturated").expect("a field with a meaning");
            format!("{} did not fit its counter, which shows all ones", code(counter))
        }
    }
    };
    rows(
        ["bits", "field", "meaning"],
        layout::VERDICT.iter().map(|field| {
            let low = field.offset;
            let bits = match field.width {
                1 => low.to_string(),
                width => format!("{}:{low}", low + width - 1),
            };
            [bits, code(field.name), meaning(field.name)]
        }),
    )
}

/// In clocks; of what has a stream and a verdict, both.
fn latencies() -> String {
    let validate = |mode, flows| Request {
        core: Some(CoreName::Validate),
        mode: Some(mode),
        flows,
        ..Request::default()
    };
    let both = &[Form::Free, Form::Axis][..];
    let dense = Request {
        dense: Some(true),
        ..Request::default()
    };
    let pass = validate(Mode::Pass, None);
    let drop = validate(Mode::Drop, None);
    let encode = |from| Request {
        core: Some(CoreName::Encode),
        from: Some(from),
        ..Request::default()
    };
    let sanitise = |replace| Request {
        core: Some(CoreName::Sanitise),
        replace: Some(replace),
        ..Request::default()
    };
    let cores: [(&str, Request, &[Form]); 14] = [
        ("decode", Request::default(), &both[..1]),
        ("decode", Request::default(), &both[1..]),
        ("decode --dense", dense.clone(), &both[..1]),
        ("decode --dense", dense, &both[1..]),
        ("validate", validate(Mode::Snoop, None), both),
        ("validate --mode pass", pass.clone(), &both[..1]),
        ("validate --mode pass", pass, &both[1..]),
        ("validate --mode drop", drop, &both[1..]),
        ("validate --flows F", validate(Mode::Snoop, Some(2)), both),
        ("encode", encode(Encoding::Utf32), &both[1..]),
        (
            "encode --from utf16le",
            encode(Encoding::Utf16le),
            &both[1..],
        ),
        ("sanitise", sanitise(Replace::Fffd), &both[1..]),
        (
            "sanitise --replace ascii",
            sanitise(Replace::Ascii),
            &both[..1],
        ),
        (
            "sanitise --replace ascii",
            sanitise(Replace::Ascii),
            &both[1..],
        ),
    ];
    let lanes = LANES.map(|lanes| lanes.to_string());
    let head: Vec<&str> = ["core", "form"]
        .into_iter()
        .chain(lanes.iter().map(String::as_str))
        .collect();
    let head: [&str; 2 + LANES.len()] = head.try_into().expect("a column for each width");
    let lines = cores.into_iter().map(|(name, request, forms)| {
        let form = match forms {
            [Form::Free] => code("free"),
            [Form::Axis] => code("axis"),
            _ => "both".to_string(),
        };
        let of = |lanes, form| {
            let request = Request {
                lanes: Some(lanes),
                form: Some(form),
                ..request.clone()
            };
            let Ok(config) = request.resolve() else {
                return "–".to_string();
            };
            let latency = latency(&config);
            let clocks =
                [latency.main(), latency.verdict].map(|clocks| clocks.map(|it| it.to_string()));
            match clocks {
                [Some(main), Some(verdict)] if main != verdict => format!("{main} / {verdict}"),
                [main, verdict] => main.or(verdict).expect("a latency"),
            }
        };
        let clocks = LANES.map(|lanes| {
            let clocks = of(lanes, forms[0]);
            assert!(
                forms.iter().all(|&form| of(lanes, form) == clocks),
                "{name}"
            );
            clocks
        });
        let cells: Vec<String> = [code(name), form].into_iter().chain(clocks).collect();
        cells.try_into().expect("a cell for each width")
    });
    rows(head, lines)
}

/// The table of the registers' document.
fn registers() -> String {
    let config = built(Request {
        core: Some(CoreName::Validate),
        lanes: Some(64),
        csr: Some(true),
        ..Request::default()
    });
    let emitted = emit(&config).expect("it can be emitted");
    let document = emitted.registers.iter().find(|(end, _)| *end == "_regs.md");
    let (_, text) = document.expect("it has one");
    let lines = text.split_inclusive('\n');
    lines.filter(|line| line.starts_with('|')).collect()
}

/// An option as `-h` has it, and what it means.
type Choice = [String; 2];

fn options_of(command: &str) -> Vec<Choice> {
    let run = Place::new().run(&format!("{command} -h"));
    let lines = done(&run).lines().filter(|line| line.starts_with(' '));
    let options = lines.filter_map(|line| {
        let (option, meaning) = line.trim().split_once("  ")?;
        let is_option = option.starts_with('-') && !option.ends_with("--help");
        is_option.then(|| [code(option), meaning.trim().to_string()])
    });
    options.collect()
}

/// What all commands about a core have: what `bench` has, but for its own.
fn of_a_core() -> Vec<Choice> {
    let all = options_of("bench").into_iter();
    all.filter(|[option, _]| !option.contains("--mib"))
        .collect()
}

fn options(choices: &[Choice]) -> String {
    rows(["option", "meaning"], choices.iter().cloned())
}
