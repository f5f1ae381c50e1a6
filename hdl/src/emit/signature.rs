//! `NAME.json`: what a script needs to know of a core without reading its Verilog.

use super::{RUST_HDL_VERSION, latency};
use crate::config::Config;
use crate::layout::{KIND_BITS, KINDS, LENGTH_BITS, USER_BITS};
use crate::ports::{Port, ports};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    module: &'a str,
    generator: Generator,
    command: String,
    config: &'a Config,
    config_sha256: String,
    latency: usize,
    initiation_interval: usize,
    clock: &'static str,
    reset: Reset,
    ports: Vec<Port>,
    user: User,
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

/// Fields of `m_axis_tuser`: bits within a lane's part, and the flag above all lanes.
#[derive(Serialize)]
struct User {
    bits_per_lane: usize,
    kind: Field,
    length: Field,
    signature: Field,
    kinds: [&'static str; 8],
}

#[derive(Serialize)]
struct Field {
    offset: usize,
    width: usize,
}

pub fn json(config: &Config) -> String {
    let document = Document {
        module: &config.module,
        generator: Generator {
            runegate: env!("CARGO_PKG_VERSION"),
            rust_hdl: RUST_HDL_VERSION,
        },
        command: config.command(),
        config,
        config_sha256: config.hash(),
        latency: latency(config),
        initiation_interval: 1,
        clock: "clk",
        reset: Reset {
            port: "rst",
            active: "high",
            synchronous: true,
        },
        ports: ports(config),
        user: User {
            bits_per_lane: USER_BITS,
            kind: Field {
                offset: 0,
                width: KIND_BITS,
            },
            length: Field {
                offset: KIND_BITS,
                width: LENGTH_BITS,
            },
            signature: Field {
                offset: USER_BITS * config.lanes,
                width: 1,
            },
            kinds: KINDS,
        },
    };
    let mut text = serde_json::to_string_pretty(&document).expect("a signature is plain data");
    text.push('\n');
    text
}
