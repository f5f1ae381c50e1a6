//! What happens at the clock, as text.

use super::expression::{expression, plain};
use crate::emit::module::keep;
use crate::emit::share::Shared;
use crate::emit::text::fill;
use crate::verilog::{Expression, Statement};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The stage of a register, if its name states one: `s5_second` is of stage 5.
fn stage(name: &str) -> Option<usize> {
    let (number, _) = name.strip_prefix('s')?.split_once('_')?;
    number.parse().ok()
}

/// What happens at the clock, stage by stage.
pub fn print_clocked(module: &Shared, out: &mut String) {
    let mut stages: BTreeSet<Option<usize>> = BTreeSet::new();
    for statement in &module.clocked {
        statement.targets(&mut |name| _ = stages.insert(stage(name)));
    }
    if stages.is_empty() {
        return;
    }
    let head = format!("always @(posedge {})", plain(&module.clock));
    out.push('\n');
    if let [one @ Statement::Assign { .. }] = module.clocked.as_slice() {
        return fill(&format!("{head} {}", assignment(one)), "    ", out);
    }
    let _ = writeln!(out, "    {head} begin");
    let many = stages.len() > 1;
    for (index, of) in stages.into_iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if many && let Some(of) = of {
            let title = module.stages.get(&of).map(|title| format!(": {title}"));
            let _ = writeln!(
                out,
                "        // ===== stage {of}{} =====",
                title.unwrap_or_default()
            );
        }
        let statements = keep(module.clocked.clone(), &|target| {
            stage(Statement::base(target)) == of
        });
        print_statements(&statements, 2, out);
    }
    out.push_str("    end\n");
}

fn print_statements(statements: &[Statement], depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth);
    for statement in statements {
        match statement {
            Statement::Assign { .. } => fill(&assignment(statement), &indent, out),
            Statement::If {
                test,
                then,
                otherwise,
            } => print_if(test, then, otherwise, "", depth, out),
        }
    }
}

fn assignment(statement: &Statement) -> String {
    match statement {
        Statement::Assign { target, value } => {
            format!("{} <= {};", expression(target), expression(value))
        }
        Statement::If { .. } => String::new(),
    }
}

fn print_if(
    test: &Expression,
    then: &[Statement],
    otherwise: &[Statement],
    before: &str,
    depth: usize,
    out: &mut String,
) {
    let indent = "    ".repeat(depth);
    let head = format!("{before}if ({})", expression(test));
    if let ([one @ Statement::Assign { .. }], []) = (then, otherwise)
        && before.is_empty()
    {
        return fill(&format!("{head} {}", assignment(one)), &indent, out);
    }
    if let ([one @ Statement::Assign { .. }], [other @ Statement::Assign { .. }]) =
        (then, otherwise)
        && before.is_empty()
    {
        fill(&format!("{head} {}", assignment(one)), &indent, out);
        return fill(&format!("else {}", assignment(other)), &indent, out);
    }
    fill(&format!("{head} begin"), &indent, out);
    print_statements(then, depth + 1, out);
    match otherwise {
        [] => {
            let _ = writeln!(out, "{indent}end");
        }
        [
            Statement::If {
                test,
                then,
                otherwise,
            },
        ] => print_if(test, then, otherwise, "end else ", depth, out),
        otherwise => {
            let _ = writeln!(out, "{indent}end else begin");
            print_statements(otherwise, depth + 1, out);
            let _ = writeln!(out, "{indent}end");
        }
    }
}
