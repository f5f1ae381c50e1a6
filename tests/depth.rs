//! Cores of a smaller depth: they do what the model does at every clock, with X at power-up and on inputs, stalls, idles and resets.

use crate::undefined::agree_without_x;
use hdl::config::{
    Config, ConfigError, CoreName, Depth, Form, LANES, Mode, Request, Signature, depths,
};

fn request(core: CoreName, lanes: usize, depth: Depth) -> Request {
    Request {
        core: Some(core),
        lanes: Some(lanes),
        depth: Some(depth),
        ..Request::default()
    }
}

fn built(request: Request) -> Config {
    request.resolve().expect("a core")
}

/// Both cores in each width.
fn cores() -> impl Iterator<Item = (CoreName, usize)> {
    let cores = [CoreName::Decode, CoreName::Validate].into_iter();
    cores.flat_map(|core| LANES.map(|lanes| (core, lanes)))
}

/// Every depth but the greatest, which is what the other tests have.
fn all_depths(core: CoreName, lanes: usize) -> impl Iterator<Item = Depth> {
    let range = depths(built(request(core, lanes, Depth::Max)).core, lanes);
    (*range.start()..*range.end()).map(Depth::Clocks)
}

/// With one lane every depth below the greatest; with more lanes the smallest and the largest of these, and two or three between.
fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for (core, lanes) in cores() {
        let all: Vec<Depth> = all_depths(core, lanes).collect();
        let step = if lanes == 1 { 1 } else { all.len().div_ceil(3) };
        let last = (lanes > 1).then(|| all[all.len() - 1]);
        for (index, depth) in all.into_iter().step_by(step).chain(last).enumerate() {
            let axis = (index + lanes.ilog2() as usize).is_multiple_of(2);
            let signatures = [Signature::Keep, Signature::Flag, Signature::Strip];
            let decodes = core == CoreName::Decode;
            configs.push(built(Request {
                form: Some(if axis { Form::Axis } else { Form::Free }),
                signature: decodes.then_some(signatures[index % 3]),
                mode: (!decodes).then_some(if index % 3 == 0 {
                    Mode::Pass
                } else {
                    Mode::Snoop
                }),
                id_width: Some(index % 4),
                user_width: Some(index % 2),
                ..request(core, lanes, depth)
            }));
        }
    }
    configs
}

#[test]
fn cores_of_every_depth_agree_and_let_no_x_out() {
    agree_without_x(&configs());
}

#[test]
fn both_sides_state_the_same_latency_at_every_depth() {
    for (core, lanes) in cores() {
        for depth in all_depths(core, lanes).chain([Depth::Min, Depth::Max]) {
            for form in [Form::Free, Form::Axis] {
                let config = built(Request {
                    form: Some(form),
                    mode: (core == CoreName::Validate).then_some(Mode::Pass),
                    ..request(core, lanes, depth)
                });
                let stated = sim::lockstep::setup(&config).latencies();
                let latency = hdl::emit::latency(&config);
                let both = (stated.stream, stated.verdict);
                assert_eq!(
                    (latency.stream, latency.verdict),
                    both,
                    "{}",
                    config.describe()
                );
            }
        }
    }
}

#[test]
fn the_greatest_depth_is_the_core_as_it_is_without_the_option() {
    for core in [CoreName::Decode, CoreName::Validate] {
        let without = built(Request {
            depth: None,
            ..request(core, 8, Depth::Max)
        });
        let most = *depths(without.core, 8).end();
        for depth in [Depth::Max, Depth::Clocks(most)] {
            let with = built(request(core, 8, depth));
            assert_eq!((&with, with.hash()), (&without, without.hash()));
        }
        let less = built(request(core, 8, Depth::Clocks(most - 1)));
        assert_ne!(less.module, without.module);
        assert_ne!(less.hash(), without.hash());
    }
}

#[test]
fn a_depth_that_there_is_not_is_refused() {
    let refused = |request: Request| request.resolve().expect_err("no core").to_string();
    for (depth, range) in [(2, "3 to 14"), (15, "3 to 14")] {
        let error = refused(request(CoreName::Decode, 4, Depth::Clocks(depth)));
        assert!(
            error.contains(&depth.to_string()) && error.contains(range),
            "{error}"
        );
    }
    let error = refused(request(CoreName::Validate, 64, Depth::Clocks(5)));
    assert!(error.contains("6 to 33"), "{error}");
    let csr = Request {
        csr: Some(true),
        ..request(CoreName::Validate, 1, Depth::Min)
    };
    assert!(refused(csr.clone()).contains("--csr"));
    let max = Request {
        depth: Some(Depth::Max),
        ..csr
    };
    assert!(max.resolve().is_ok());
    let dense = Request {
        dense: Some(true),
        ..request(CoreName::Decode, 1, Depth::Clocks(5))
    };
    let of = ConfigError::DepthOf {
        depth: Depth::Clocks(5),
        option: "--dense",
    };
    assert_eq!(dense.resolve(), Err(of));
}
