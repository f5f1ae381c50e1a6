use super::*;
use crate::bench::random;
use crate::verilog::step::number;
use crate::verilog::{
    About, Reduction, bit, bits, choose, concat, literal, name, repeat, set, set_bits, when, write,
};
use rand::Rng;

const ABOUT: About = About {
    name: "Tried",
    doc: "",
    parts: &[],
    parameters: &[],
};

fn body() -> Body {
    Body::new(&ABOUT)
}

/// A program with inputs `a`, `b` of 8 bits and `s` of one, and an output `y` of a width.
fn program(body: &Body, width: usize) -> (Program, [Place; 3], Place) {
    let mut program = Program::default();
    let inputs = [("a", 8), ("b", 8), ("s", 1)];
    let inputs = inputs.map(|(name, width)| program.input(vec![(name.to_string(), width)]));
    program.load(body);
    let output = program.output(vec![("y".to_string(), width)]);
    (program, inputs, output)
}

fn set_to(program: &mut Program, place: Place, value: usize) {
    program.set(place, |bits| {
        for (at, bit) in bits.iter_mut().enumerate() {
            *bit = value >> at & 1 == 1;
        }
    });
}

#[test]
fn expressions_are_what_they_are_in_arithmetic() {
    let [a, b, s] = ["a", "b", "s"].map(name);
    let by = literal(32, 3);
    type Of = fn(usize, usize, usize) -> usize;
    let all: Vec<(Expression, usize, Of)> = vec![
        (a.clone() & b.clone(), 8, |a, b, _| a & b),
        (a.clone() | b.clone(), 8, |a, b, _| a | b),
        (a.clone() ^ !b.clone(), 8, |a, b, _| a ^ !b & 0xFF),
        (a.clone() + b.clone(), 8, |a, b, _| (a + b) & 0xFF),
        (a.clone().binary(Operator::Sub, b.clone()), 8, |a, b, _| {
            (256 + a - b) & 0xFF
        }),
        (a.clone().binary(Operator::Less, b.clone()), 1, |a, b, _| {
            usize::from(a < b)
        }),
        (a.clone().equals(literal(8, 7)), 1, |a, _, _| {
            usize::from(a == 7)
        }),
        (a.clone().any(), 1, |a, _, _| usize::from(a != 0)),
        ((a.clone() | b.clone()).all(), 1, |a, b, _| {
            usize::from(a | b == 0xFF)
        }),
        (choose(s.clone(), a.clone(), b.clone()), 8, |a, b, s| {
            if s == 1 { a } else { b }
        }),
        (concat([bits("a", 2, 3), s.clone()]), 4, |a, _, s| {
            a >> 2 & 7 | s << 3
        }),
        (repeat(3, bits("b", 6, 2)), 6, |_, b, _| (b >> 6) * 0b10101),
        (
            a.clone().binary(Operator::ShiftLeft, by.clone()),
            8,
            |a, _, _| a << 3 & 0xFF,
        ),
        (a.clone().binary(Operator::ShiftRight, by), 8, |a, _, _| {
            a >> 3
        }),
        (
            Expression::Reduce(Reduction::Odd, Box::new(a)),
            1,
            |a, _, _| a.count_ones() as usize & 1,
        ),
    ];
    let mut random = random();
    for (value, width, of) in all {
        let (mut program, [a, b, s], y) = program(&body().assign("y", value.clone()), width);
        for _ in 0..200 {
            let all = [
                random.random_range(0..256),
                random.random_range(0..256),
                random.random_range(0..2),
            ];
            for (place, value) in [a, b, s].into_iter().zip(all) {
                set_to(&mut program, place, value);
            }
            program.run(true, false);
            assert_eq!(
                number(program.get(y)),
                of(all[0], all[1], all[2]),
                "{value:?} {all:?}"
            );
        }
    }
}

/// Registers take what was there before the clock, all at once; a memory what is written under a condition.
#[test]
fn a_clock_moves_all_registers_at_once() {
    let swap = body()
        .register("first", 8, "")
        .register("second", 8, "")
        .memory("words", 8, 4, "")
        .at_clock(set("first", name("a")))
        .at_clock(set("second", name("first")))
        .at_clock(when(
            name("s"),
            vec![write("words", bits("b", 0, 2), name("first"))],
        ))
        .assign(
            "y",
            concat([
                name("second"),
                Expression::At("words".into(), Box::new(bits("b", 0, 2))),
            ]),
        );
    let (mut program, [a, b, s], y) = program(&swap, 16);
    set_to(&mut program, b, 2);
    for (at, written, expected) in [
        (5, 0, 0),
        (6, 1, 0x0505),
        (7, 0, 0x0506),
        (8, 1, 0x0707),
        (9, 0, 0x0708),
    ] {
        set_to(&mut program, a, at);
        set_to(&mut program, s, written);
        program.run(true, true);
        assert_eq!(number(program.get(y)), expected, "after {at}");
    }
}

/// The last assignment of a clock counts, bit by bit; a memory of three words has none at a fourth address; it shows the old word in
/// the clock in which one is written.
#[test]
fn what_is_written_last_is_there() {
    let written = body()
        .register("kept", 8, "")
        .memory("words", 8, 3, "")
        .register("read", 8, "")
        .at_clock(set("kept", name("a")))
        .at_clock(set_bits("kept", 4, 4, bits("b", 0, 4)))
        .at_clock(Statement::If {
            test: name("s"),
            then: vec![write("words", bits("b", 0, 2), name("a"))],
            otherwise: vec![set("kept", name("b"))],
        })
        .at_clock(set(
            "read",
            Expression::At("words".into(), Box::new(bits("b", 0, 2))),
        ))
        .assign("y", concat([name("kept"), name("read")]));
    let (mut program, [a, b, s], y) = program(&written, 16);
    for (values, expected) in [
        ([0x12, 0x01, 1], 0x0012),
        ([0x34, 0x01, 1], 0x1214),
        ([0x56, 0x01, 0], 0x3401),
        ([0x78, 0x03, 1], 0xFF38),
        ([0x78, 0x02, 1], 0x0028),
    ] {
        for (place, value) in [a, b, s].into_iter().zip(values) {
            set_to(&mut program, place, value);
        }
        program.run(true, true);
        assert_eq!(number(program.get(y)), expected, "{values:x?}");
    }
    // A clock passes without a change of the inputs.
    program.run(false, true);
    assert_eq!(number(program.get(y)), 0x7828);
}

#[test]
fn what_verilog_would_take_otherwise_is_refused() {
    let refused = |body: Body| {
        let taken = std::panic::catch_unwind(|| program(&body, 8)).is_ok();
        assert!(!taken, "{body:?}");
    };
    let twice = body().assign("y", name("a")).assign("y", name("b"));
    refused(twice);
    refused(body().assign("a", name("b")).assign("y", name("b")));
    let kept = || body().register("kept", 8, "").assign("y", name("kept"));
    refused(kept().at_clock(when(name("a"), vec![set("kept", name("b"))])));
    refused(kept().at_clock(set("y", name("b"))));
    let words = body().memory("words", 8, 4, "").assign("y", name("a"));
    refused(words.at_clock(write("words", bits("b", 0, 2), name("s"))));
    refused(body().assign("y", name("a") & name("s")));
    refused(body().assign("y", bit("a", 8)));
    refused(
        body()
            .assign("y", name("later"))
            .wire("later", 8, name("a")),
    );
    refused(body().assign("y", name("s")));
    refused(body().wire("short", 4, name("a")).assign("y", name("a")));
    refused(
        body()
            .register("kept", 4, "")
            .at_clock(set("kept", name("a")))
            .assign("y", name("a")),
    );
}
