//! Expressions as text.

use crate::verilog::{Expression, Operator, Reduction};

/// A name as Verilog has it.
pub fn plain(name: &str) -> String {
    name.replace('$', "_")
}

/// An expression's text.
pub fn expression(value: &Expression) -> String {
    let inner = |part: &Expression| match part {
        Expression::Binary(..) | Expression::Choose(..) => format!("({})", expression(part)),
        _ => expression(part),
    };
    match value {
        Expression::Name(name) => plain(name),
        Expression::Literal(literal) => match literal.width {
            None if literal.value().is_some_and(|value| value < 10) => literal.digits.clone(),
            None => format!("'h{}", literal.digits),
            Some(width) if literal.digits.len() > 32 => long(width, &literal.digits),
            Some(1) => format!("1'b{}", literal.digits),
            Some(width) => format!("{width}'h{}", literal.digits),
        },
        Expression::Undefined(width) => format!("{width}'hx"),
        Expression::Bits { of, low, width: 1 } => format!("{}[{low}]", plain(of)),
        Expression::Bits { of, low, width } => {
            format!("{}[{}:{low}]", plain(of), low + width - 1)
        }
        Expression::At(of, index) => format!("{}[{}]", plain(of), expression(index)),
        Expression::Not(of) => format!("~{}", inner(of)),
        Expression::Reduce(reduction, of) => {
            let sign = match reduction {
                Reduction::Any => "|",
                Reduction::All => "&",
                Reduction::Odd => "^",
            };
            match **of {
                Expression::Not(_) | Expression::Reduce(..) => {
                    format!("{sign}({})", expression(of))
                }
                _ => format!("{sign}{}", inner(of)),
            }
        }
        Expression::Binary(left, operator, right) => {
            let side = |part: &Expression, is_left: bool| match part {
                // A chain of one operator needs no parentheses.
                Expression::Binary(_, same, _)
                    if same == operator
                        && (matches!(operator, Operator::And | Operator::Or | Operator::Xor)
                            || (is_left && *operator == Operator::Add)) =>
                {
                    expression(part)
                }
                Expression::Reduce(..) => format!("({})", expression(part)),
                _ => inner(part),
            };
            format!(
                "{} {} {}",
                side(left, true),
                sign(*operator),
                side(right, false)
            )
        }
        Expression::Concat(parts) => {
            let parts: Vec<String> = parts.iter().map(expression).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Expression::Repeat(times, of) => match **of {
            Expression::Concat(_) => format!("{{{times}{}}}", expression(of)),
            _ => format!("{{{times}{{{}}}}}", expression(of)),
        },
        Expression::Choose(test, then, otherwise) => {
            format!("{} ? {} : {}", inner(test), inner(then), inner(otherwise))
        }
    }
}

/// A literal of many digits, as a concatenation of shorter ones.
fn long(width: usize, digits: &str) -> String {
    let mut parts: Vec<(usize, String)> = Vec::new();
    let mut high = width;
    while high > 0 {
        let low = (high - 1) / 64 * 64;
        let (to, from) = (
            digits.len().saturating_sub(low / 4),
            digits.len().saturating_sub(high.div_ceil(4)),
        );
        let word = match digits[from..to].trim_start_matches('0') {
            "" => format!("{}'h0", high - low),
            word => format!("{}'h{word}", high - low),
        };
        match parts.last_mut() {
            Some((times, same)) if *same == word => *times += 1,
            _ => parts.push((1, word)),
        }
        high = low;
    }
    let parts = parts.into_iter().map(|(times, word)| match times {
        1 => word,
        _ => format!("{{{times}{{{word}}}}}"),
    });
    format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::And => "&",
        Operator::Or => "|",
        Operator::Xor => "^",
        Operator::Add => "+",
        Operator::Sub => "-",
        Operator::Equal => "==",
        Operator::Differ => "!=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        Operator::ShiftLeft => "<<",
        Operator::ShiftRight => ">>",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilog::{bits, choose, concat, literal, name, repeat, zero};

    #[test]
    fn an_expression_has_the_parentheses_it_needs() {
        let (a, b, c) = (|| name("a"), || name("b"), || name("c"));
        for (value, text) in [
            (a() & b() & c(), "a & b & c"),
            ((a() & b()) | c(), "(a & b) | c"),
            (!(a() | b()), "~(a | b)"),
            ((!a()).any(), "|(~a)"),
            (a().any() & b(), "(|a) & b"),
            (a().equals(literal(4, 11)), "a == 4'hb"),
            ((a() + b()) + c(), "a + b + c"),
            (a().binary(Operator::Sub, b() + c()), "a - (b + c)"),
            (choose(a() & b(), c(), zero(1)), "(a & b) ? c : 1'b0"),
            (concat([a(), bits("b", 1, 2)]), "{b[2:1], a}"),
            (repeat(3, concat([a(), b()])), "{3{b, a}}"),
            (literal(20, 5), "20'h5"),
        ] {
            assert_eq!(expression(&value), text);
        }
        let wide = Expression::Literal(crate::verilog::Literal {
            width: Some(200),
            digits: format!("1{}", "f".repeat(48)),
        });
        assert_eq!(expression(&wide), "{8'h1, {3{64'hffffffffffffffff}}}");
    }
}
