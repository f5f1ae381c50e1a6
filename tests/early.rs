//! `--early-bad`: each beat of a packet that passes shows whether an ill-formed piece has ended so far. Every pin is compared over the stall
//! matrix. The model is compared with Rust's own decoder in `golden`, and the core with CPython's in `tests/cocotb`.

use crate::dut::matrix::stall_matrix;
use crate::dut::{Output, built, everything, oracle};
use hdl::config::{Config, CoreName, Depth, Edges, Form, Grammar, Mode, Request, Signature};

/// Cores of every sort, the narrowest first; in a quick run none of more than 8 lanes.
fn cores() -> Vec<Config> {
    let core = |lanes, form, request| {
        built(Request {
            core: Some(CoreName::Validate),
            mode: Some(Mode::Pass),
            lanes: Some(lanes),
            form: Some(form),
            early_bad: Some(true),
            ..request
        })
    };
    let request = Request::default;
    let open = || Request {
        edges: Some(Edges::Open),
        user_width: Some(31),
        ..request()
    };
    let shallow = || Request {
        depth: Some(Depth::Min),
        signature: Some(Signature::Reject),
        user_width: Some(64),
        dest_width: Some(64),
        id_width: Some(64),
        ..request()
    };
    let windows = || Request {
        window: Some(true),
        ..open()
    };
    let framed = || Request {
        frames: Some(true),
        csr: Some(true),
        ports: Some("all".parse().expect("ports")),
        ..open()
    };
    let six = || Request {
        grammar: Some(Grammar::Rfc2279),
        ..request()
    };
    let mut all = vec![
        core(1, Form::Axis, request()),
        core(4, Form::Free, windows()),
        core(8, Form::Axis, framed()),
    ];
    if everything() {
        all.extend([
            core(1, Form::Free, open()),
            core(2, Form::Axis, six()),
            core(4, Form::Axis, shallow()),
            core(8, Form::Axis, windows()),
            core(16, Form::Free, framed()),
            core(32, Form::Axis, shallow()),
            core(64, Form::Axis, request()),
            core(64, Form::Axis, framed()),
            core(128, Form::Free, six()),
        ]);
    }
    all
}

fn is_as_expected(config: &Config, packets: &[Vec<u8>], output: &Output) -> bool {
    *output == oracle(config, packets)
}

#[test]
fn every_engine_agrees_over_the_stall_matrix() {
    stall_matrix(&cores(), 29, is_as_expected);
}
