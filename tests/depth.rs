//! Cores of a smaller depth: they do what the model does at every clock, with X at power-up and on inputs, stalls, idles and resets.

use crate::dut::{built, often, packets, run};
use crate::undefined::agree_without_x;
use hdl::config::{
    Config, CoreName, Depth, Form, LANES, MAX_LANES_OF_OPTIONS, Mode, Request, Signature, depths,
};
use sim::engine::EngineKind;
use sim::stimulus::Pattern;

fn request(core: CoreName, lanes: usize, depth: Depth) -> Request {
    Request {
        core: Some(core),
        lanes: Some(lanes),
        depth: Some(depth),
        ..Request::default()
    }
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

/// With one lane every depth below the greatest; with more lanes the smallest and the largest of these, and two or three between; of the
/// widest only the smallest.
fn configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for (core, lanes) in cores() {
        let all: Vec<Depth> = all_depths(core, lanes).collect();
        let is_widest = lanes > MAX_LANES_OF_OPTIONS;
        let step = match lanes {
            1 => 1,
            _ if is_widest => all.len(),
            _ => all.len().div_ceil(3),
        };
        let last = (lanes > 1 && !is_widest).then(|| all[all.len() - 1]);
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

/// A core of which only the pieces are merged: with registers.
fn with_registers(lanes: usize, mode: Mode, form: Form, depth: Depth) -> Request {
    Request {
        mode: Some(mode),
        form: Some(form),
        csr: Some(true),
        id_width: Some(lanes % 3),
        user_width: Some(5),
        ..request(CoreName::Validate, lanes, depth)
    }
}

/// A decoder of which only the pieces are merged: the events are packed.
fn dense(lanes: usize, form: Form, signature: Signature, depth: Depth) -> Request {
    Request {
        dense: Some(true),
        form: Some(form),
        signature: Some(signature),
        id_width: Some(3),
        user_width: Some(lanes % 7),
        ..request(CoreName::Decode, lanes, depth)
    }
}

/// A validator of which only the pieces are merged: it has this number of flows. With an odd number it has registers and sidebands, too.
fn flows(lanes: usize, count: usize, form: Form, depth: Depth) -> Request {
    let spare = count % 2;
    Request {
        flows: Some(count),
        form: Some(form),
        csr: Some(spare == 1),
        counter_width: Some(if spare == 1 { 8 } else { 32 }),
        id_width: Some(4),
        dest_width: Some(3 * spare),
        user_width: Some(5 * spare),
        ..request(CoreName::Validate, lanes, depth)
    }
}

#[test]
fn cores_of_every_depth_agree_and_let_no_x_out() {
    agree_without_x(&configs());
}

/// What keeps copies of a register apart has to be defined before the first verdict comes, which is soonest at the smallest depths.
#[test]
fn far_lanes_agree_and_let_no_x_out_at_every_small_depth() {
    let small = |lanes| (6..=9).map(move |depth| (lanes, depth));
    let configs: Vec<Config> = ([32, 64, 128].into_iter().flat_map(small))
        .map(|(lanes, depth)| {
            built(Request {
                form: Some(Form::Free),
                mode: Some(Mode::Snoop),
                ..request(CoreName::Validate, lanes, Depth::Clocks(depth))
            })
        })
        .collect();
    agree_without_x(&configs);
}

#[test]
fn cores_with_registers_agree_and_let_no_x_out() {
    let configs = [
        with_registers(1, Mode::Snoop, Form::Axis, Depth::Min),
        with_registers(1, Mode::Pass, Form::Free, Depth::Clocks(14)),
        with_registers(1, Mode::Snoop, Form::Free, Depth::Clocks(17)),
        with_registers(1, Mode::Pass, Form::Axis, Depth::Clocks(21)),
        with_registers(8, Mode::Pass, Form::Axis, Depth::Min),
        with_registers(8, Mode::Snoop, Form::Free, Depth::Clocks(20)),
        with_registers(32, Mode::Snoop, Form::Axis, Depth::Clocks(22)),
    ];
    agree_without_x(&configs.map(built));
}

#[test]
fn cores_that_pack_agree_and_let_no_x_out() {
    let configs = [
        dense(1, Form::Free, Signature::Strip, Depth::Min),
        dense(1, Form::Axis, Signature::Flag, Depth::Clocks(11)),
        dense(1, Form::Free, Signature::Keep, Depth::Clocks(14)),
        dense(2, Form::Axis, Signature::Strip, Depth::Min),
        dense(8, Form::Free, Signature::Flag, Depth::Min),
        dense(8, Form::Axis, Signature::Strip, Depth::Clocks(22)),
        dense(32, Form::Axis, Signature::Keep, Depth::Clocks(27)),
    ];
    agree_without_x(&configs.map(built));
}

#[test]
fn cores_with_flows_agree_and_let_no_x_out() {
    let configs = [
        flows(1, 1, Form::Axis, Depth::Min),
        flows(1, 2, Form::Free, Depth::Min),
        flows(1, 5, Form::Free, Depth::Clocks(28)),
        flows(1, 4, Form::Axis, Depth::Clocks(31)),
        flows(8, 3, Form::Axis, Depth::Min),
        flows(8, 4, Form::Free, Depth::Clocks(35)),
        flows(32, 5, Form::Free, Depth::Clocks(34)),
    ];
    agree_without_x(&configs.map(built));
}

/// Where X is driven, a payload is compared only while its `valid` is high. Without X every pin is compared in every clock, so that also
/// what still shows after a reset is as the model has it.
#[test]
fn after_many_resets_every_pin_is_as_in_the_model() {
    let form = Form::Free;
    let plain = |core, mode, lanes| Request {
        mode,
        form: Some(form),
        user_width: Some(3),
        ..request(core, lanes, Depth::Min)
    };
    let at = |depth, request| Request {
        depth: Some(depth),
        ..request
    };
    let (decode, validate) = (CoreName::Decode, CoreName::Validate);
    let (snoop, pass) = (Mode::Snoop, Mode::Pass);
    let cores = [
        plain(decode, None, 1),
        plain(decode, None, 8),
        plain(validate, Some(snoop), 1),
        plain(validate, Some(pass), 4),
        at(Depth::Clocks(14), plain(validate, Some(snoop), 8)),
        at(Depth::Clocks(25), plain(validate, Some(snoop), 32)),
        with_registers(2, snoop, form, Depth::Min),
        with_registers(2, pass, form, Depth::Clocks(18)),
        dense(1, form, Signature::Flag, Depth::Min),
        dense(8, form, Signature::Strip, Depth::Clocks(20)),
        flows(2, 2, form, Depth::Clocks(30)),
    ];
    for (config, seed) in cores.map(built).iter().zip(51..) {
        let pattern = Pattern {
            seed,
            idle: often(0.2),
            stall: often(0.0),
            late_last: 0.2,
            null_beats: 0.1,
            sparse: 0.0,
            reset: 0.05,
            accesses: 0.0,
            texts: sim::texts::Texts::Random,
        };
        run(config, EngineKind::Embedded, &packets(seed, 40), pattern);
    }
}

#[test]
fn both_sides_state_the_same_latency_at_every_depth() {
    for (core, lanes) in cores() {
        for form in [Form::Free, Form::Axis] {
            let plain = Request {
                form: Some(form),
                mode: (core == CoreName::Validate).then_some(Mode::Pass),
                ..request(core, lanes, Depth::Max)
            };
            same_latencies(&plain);
            if lanes > MAX_LANES_OF_OPTIONS {
                continue;
            }
            if core == CoreName::Decode {
                same_latencies(&dense(lanes, form, Signature::Keep, Depth::Max));
                continue;
            }
            same_latencies(&flows(lanes, 4, form, Depth::Max));
            for mode in [Mode::Snoop, Mode::Pass] {
                same_latencies(&with_registers(lanes, mode, form, Depth::Max));
            }
        }
    }
}

/// Of this core at each of its depths; the main latency of the form free is the depth.
fn same_latencies(request: &Request) {
    let (least, most) =
        depths(built(request.clone()).core, request.lanes.unwrap_or(1)).into_inner();
    let of_min = Request {
        depth: Some(Depth::Min),
        ..request.clone()
    };
    assert_eq!(built(of_min).depth, Some(least));
    for depth in least..=most {
        let config = built(Request {
            depth: Some(Depth::Clocks(depth)),
            ..request.clone()
        });
        let stated = sim::lockstep::setup(&config).latencies();
        let latency = hdl::emit::latency(&config);
        let both = (stated.stream, stated.verdict);
        let name = config.describe();
        assert_eq!((latency.stream, latency.verdict), both, "{name}");
        // Without flows registers add a clock.
        if config.form == Form::Free {
            let main = latency.verdict.or(latency.stream);
            let registers = usize::from(config.has_registers() && config.core.flows().is_none());
            assert_eq!(main, Some(depth + registers), "{name}");
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
    let error = refused(request(CoreName::Validate, 128, Depth::Clocks(36)));
    assert!(error.contains("6 to 35"), "{error}");
    for (lanes, depth, range) in [(1, 11, "12 to 22"), (64, 22, "23 to 33")] {
        let csr = with_registers(lanes, Mode::Snoop, Form::Free, Depth::Clocks(depth));
        let error = refused(csr);
        assert!(error.contains(range), "{error}");
    }
    for (lanes, depth, range) in [(1, 7, "8 to 18"), (16, 31, "20 to 30")] {
        let dense = dense(lanes, Form::Free, Signature::Keep, Depth::Clocks(depth));
        let error = refused(dense);
        assert!(error.contains(range), "{error}");
    }
    for (lanes, depth, range) in [(1, 24, "25 to 35"), (64, 42, "31 to 41")] {
        let error = refused(flows(lanes, 4, Form::Free, Depth::Clocks(depth)));
        assert!(error.contains(range), "{error}");
    }
}
