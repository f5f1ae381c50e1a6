use super::*;
use crate::emit::module::Port;
use crate::verilog::{Net, bit, choose, concat, name, one};

/// A module with inputs `a` of one bit, and `x` and `y` of eight.
fn widths() -> Widths {
    let port = |(name, width): (&str, usize)| Port {
        output: false,
        net: Net {
            name: name.to_string(),
            width,
        },
    };
    Widths::of(&Module {
        ports: [("a", 1), ("x", 8), ("y", 8)].map(port).to_vec(),
        ..Module::default()
    })
}

#[test]
fn constants_are_folded() {
    let (a, x) = (|| name("a"), || name("x"));
    for (value, plain) in [
        (zero(1) & a(), zero(1)),
        (one() & a(), a()),
        (a() | one(), one()),
        (x() | zero(8), x()),
        (x() & repeat(8, one()), x()),
        (x() ^ zero(8), x()),
        (!(!x()), x()),
        (!zero(1), one()),
        (a().any(), a()),
        (choose(one(), x(), name("y")), x()),
        (choose(a(), x(), x()), x()),
        (bits("x", 0, 8), x()),
        (bits("a", 0, 1), a()),
        (repeat(1, a()), a()),
        (repeat(3, zero(2)), zero(6)),
        (concat([x(), zero(0)]), x()),
        (concat([bits("x", 0, 3), bits("x", 3, 5)]), x()),
        (concat([a(), a(), a()]), repeat(3, a())),
    ] {
        assert_eq!(widths().plain(value.clone(), None), plain, "{value:?}");
    }
}

#[test]
fn what_computes_stays() {
    for value in [
        name("x") & name("y"),
        // All ones of one bit are not all ones of eight.
        name("x") & literal(8, 1),
        choose(name("a"), name("x"), name("y")),
        concat([bit("x", 1), bit("x", 0)]),
        name("x").any(),
    ] {
        assert_eq!(widths().plain(value.clone(), None), value);
    }
}

#[test]
fn a_literal_has_the_width_of_what_it_stands_beside() {
    let open = |digits: &str| {
        Expression::Literal(Literal {
            width: None,
            digits: digits.to_string(),
        })
    };
    let sum = widths().plain(name("x") + open("1"), None);
    assert_eq!(sum, name("x") + literal(8, 1));
    assert_eq!(widths().plain(open("0"), Some(5)), zero(5));
}

#[test]
fn bits_of_wires_are_bits_of_what_they_come_from() {
    let value = concat([name("x"), repeat(3, name("a")), bits("y", 2, 4)]);
    for (low, width, part) in [
        (0, 8, name("x")),
        (3, 2, bits("x", 3, 2)),
        (7, 3, concat([bit("x", 7), repeat(2, name("a"))])),
        (11, 4, bits("y", 2, 4)),
        (12, 2, bits("y", 3, 2)),
    ] {
        assert_eq!(widths().slice(&value, low, width), Some(part));
    }
    assert_eq!(
        widths().slice(&literal(70, 0xABC), 4, 8),
        Some(literal(8, 0xAB))
    );
    let sum = name("x") + name("y");
    assert_eq!(widths().slice(&sum, 0, 1), None, "a carry comes from below");
}

#[test]
fn an_if_on_a_constant_is_decided() {
    let set = |value| crate::verilog::set("x", value);
    let test = |test, then: Vec<Statement>, otherwise: Vec<Statement>| Statement::If {
        test,
        then,
        otherwise,
    };
    let plain = |statement| widths().plain_statements(vec![statement]);
    assert_eq!(
        plain(test(one(), vec![set(name("y"))], vec![])),
        [set(name("y"))]
    );
    assert_eq!(plain(test(zero(1), vec![set(name("y"))], vec![])), []);
    // What takes back an assignment before it must stay.
    let hold = test(name("a"), vec![set(name("x"))], vec![]);
    assert_eq!(plain(hold.clone()), [hold]);
}
