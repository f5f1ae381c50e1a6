//! `NAME.json`: what a script needs to know of a core without reading its Verilog.

use super::head::RUST_HDL_VERSION;
use super::latency::latency;
use super::registers::{self, RegisterEntry};
use crate::config::ports::{Port, ports};
use crate::config::{Config, Core, Encoding};
use crate::layout::{Field, KIND_BITS, KINDS, LENGTH_BITS, USER_BITS, VERDICT};
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
    /// By code; none for a code that this core never gives.
    kinds: [Option<&'static str>; 8],
    #[serde(skip_serializing_if = "Option::is_none")]
    registers: Option<Vec<RegisterEntry>>,
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
    let above = USER_BITS * config.lanes;
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
        bits_per_lane: USER_BITS,
        lane: [
            field("kind", 0, KIND_BITS),
            field("length", KIND_BITS, LENGTH_BITS),
        ],
        beat,
    }
}

/// The fields of a core's verdict. An encoder counts words where a validator counts scalar values, and gives no signature and no length of
/// an ill-formed piece.
pub fn verdict(config: &Config) -> Vec<Field> {
    let encodes = matches!(config.core, Core::Encode { .. });
    let fields = VERDICT.into_iter();
    let fields =
        fields.filter(|field| !encodes || !["signature", "error_len"].contains(&field.name));
    let fields = fields.map(|field| Field {
        name: match field.name {
            "scalars" if encodes => "words",
            "scalars_saturated" if encodes => "words_saturated",
            name => name,
        },
        ..field
    });
    fields.collect()
}

/// The kinds of ill-formed pieces that a core gives, by code.
pub fn kinds(config: &Config) -> [Option<&'static str>; 8] {
    match config.core {
        Core::Encode {
            from: Encoding::Utf32,
            ..
        } => {
            let mut kinds = [None; 8];
            kinds[0] = Some("none");
            kinds[4] = Some("surrogate");
            kinds[5] = Some("too_large");
            kinds
        }
        Core::Encode { .. } => {
            let mut kinds = [None; 8];
            kinds[0] = Some("none");
            kinds[1] = Some("unpaired_low");
            kinds[6] = Some("unpaired_high");
            kinds[7] = Some("unpaired_high_at_end");
            kinds
        }
        Core::Decode { .. } | Core::Validate { .. } => KINDS.map(Some),
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
        kinds: kinds(config),
        registers: registers::entries(config),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("a description is plain data");
    text.push('\n');
    text
}
