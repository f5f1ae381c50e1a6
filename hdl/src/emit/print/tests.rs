use super::*;
use crate::emit::module::Module;
use crate::emit::share::share;
use crate::verilog::{Register, bits, name, set};

fn net(name: &str, width: usize) -> Net {
    Net {
        name: name.to_string(),
        width,
    }
}

fn printed(module: Module) -> Result<String, EmitError> {
    let all = share(module, "m");
    print(&all[0], &all, &|_| None)
}

#[test]
fn what_the_text_could_not_mean_is_refused() {
    let good = Module {
        nets: vec![net("a$b", 1), net("c", 1)],
        ..Module::default()
    };
    assert!(printed(good.clone()).is_ok());
    for bad in ["a_b", "event", "c"] {
        let mut module = good.clone();
        module.nets.push(net(bad, 1));
        assert!(printed(module).is_err(), "{bad}");
    }
    // A net that is made of itself.
    let mut circle = good;
    for (target, value) in [("a$b", "c"), ("c", "a$b")] {
        circle.assigned.push(Assign {
            target: target.to_string(),
            value: !name(value),
        });
    }
    assert!(printed(circle).is_err());
}

#[test]
fn each_stage_has_its_block_and_its_title() {
    let register = |name: &str| Register {
        net: net(name, 1),
        starts: true,
    };
    let mut module = Module {
        registers: ["s1_a", "s2_a"].map(register).to_vec(),
        clocked: vec![set("s2_a", name("s1_a")), set("s1_a", name("s2_a"))],
        clock: "clk".to_string(),
        ..Module::default()
    };
    module.stages.insert(2, "the end".to_string());
    let text = printed(module).unwrap_or_else(|error| panic!("{error}"));
    let stages = text
        .find("// ===== stage 1 =====")
        .zip(text.find("// ===== stage 2: the end ====="));
    assert!(
        stages.is_some_and(|(first, second)| first < second),
        "{text}"
    );
}

#[test]
fn bits_that_nothing_reads_are_listed() {
    let module = Module {
        ports: vec![
            Port {
                output: false,
                net: net("x", 8),
            },
            Port {
                output: true,
                net: net("y", 1),
            },
        ],
        assigned: vec![Assign {
            target: "y".to_string(),
            value: bits("x", 3, 1),
        }],
        ..Module::default()
    };
    let text = printed(module).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        text.contains("wire unused_bits = &{1'b0, x[2:0], x[7:4]};"),
        "{text}"
    );
}
