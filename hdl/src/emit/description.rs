//! `NAME.json`: what a script needs to know of a core without reading its Verilog.

use super::fields::{kinds, verdict};
use super::head::RUST_HDL_VERSION;
use super::latency::latency;
use super::registers::{self, RegisterEntry};
use crate::config::ports::{Port, ports};
use crate::config::{Config, Core};
use crate::layout::{Field, KIND_BITS, REASONS, UNICODE, WIDTHS};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    module: &'a str,
    generator: Generator,
    command: String,
    config: &'a Config,
    config_sha256: String,
    latency: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict_latency: Option<usize>,
    initiation_interval: usize,
    clock: &'static str,
    reset: Reset,
    ports: Vec<Port>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<User>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Vec<Field>>,
    /// The forbidden classes of scalar values.
    #[serde(skip_serializing_if = "Option::is_none")]
    forbid: Option<Forbid>,
    /// Of a full verdict: how many bits the greatest scalar value needs at most, by `width_class`.
    #[serde(skip_serializing_if = "Option::is_none")]
    widths: Option<[usize; 6]>,
    /// With windows: why a packet is not judged, by `reason`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<[&'static str; REASONS.len()]>,
    /// By code; none for a code that this core never gives.
    kinds: [Option<&'static str>; 8],
    #[serde(skip_serializing_if = "Option::is_none")]
    registers: Option<Vec<RegisterEntry>>,
}

#[derive(Serialize)]
struct Forbid {
    /// The version of Unicode that the classes are of.
    unicode: &'static str,
    classes: Vec<Class>,
}

/// A class: its bit in the verdict's `forbidden`, and what is in it.
#[derive(Serialize)]
struct Class {
    bit: usize,
    name: &'static str,
    scalar_values: &'static str,
}

fn forbid(config: &Config) -> Option<Forbid> {
    let mask = config.core.policy().forbid;
    let classes = mask.each().map(|(bit, name, scalar_values)| Class {
        bit,
        name,
        scalar_values,
    });
    (!mask.is_empty()).then(|| Forbid {
        unicode: UNICODE,
        classes: classes.collect(),
    })
}

#[derive(Serialize)]
struct Generator {
    runegate: &'static str,
    rust_hdl: &'static str,
}

#[derive(Serialize)]
struct Reset {
    port: &'static str,
    active: &'static str,
    synchronous: bool,
}

/// Fields of `m_axis_tuser` of a core that puts out events: within a lane's part, and above all lanes.
#[derive(Serialize)]
struct User {
    bits_per_lane: usize,
    lane: [Field; 2],
    beat: Vec<Field>,
}

fn user(config: &Config) -> User {
    let grammar = config.core.grammar();
    let above = grammar.user_bits() * config.lanes;
    let field = |name, offset, width| Field {
        name,
        offset,
        width,
    };
    let mut beat = vec![field("signature", above, 1)];
    if config.side.user > 0 {
        beat.push(field("s_axis_tuser", above + 1, config.side.user));
    }
    User {
        bits_per_lane: grammar.user_bits(),
        lane: [
            field("kind", 0, KIND_BITS),
            field("length", KIND_BITS, grammar.length_bits()),
        ],
        beat,
    }
}

pub fn json(config: &Config) -> String {
    let decodes = matches!(config.core, Core::Decode { .. });
    let document = Document {
        module: &config.module,
        generator: Generator {
            runegate: env!("CARGO_PKG_VERSION"),
            rust_hdl: RUST_HDL_VERSION,
        },
        command: config.command(),
        config,
        config_sha256: config.hash(),
        latency: latency(config).main(),
        verdict_latency: latency(config).verdict,
        initiation_interval: 1,
        clock: "clk",
        reset: Reset {
            port: "rst",
            active: "high",
            synchronous: true,
        },
        ports: ports(config),
        user: decodes.then(|| user(config)),
        verdict: (!decodes).then(|| verdict(config)),
        forbid: forbid(config),
        widths: config.core.policy().is_full.then_some(WIDTHS),
        reasons: config.core.policy().has_window.then_some(REASONS),
        kinds: kinds(config),
        registers: registers::entries(config),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("a description is plain data");
    text.push('\n');
    text
}
