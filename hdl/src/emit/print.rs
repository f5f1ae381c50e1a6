//! Prints rewritten modules as Verilog-2005.

use super::EmitError;
use super::module::{Module, Net, Port, Statement};
use super::rewrite::{identifiers, rename};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The text of a module. `describe` gives the comment of a port, if it has one.
pub fn print(
    module: &Module,
    describe: &dyn Fn(&str) -> Option<&'static str>,
) -> Result<String, EmitError> {
    check_names(module)?;
    let plan = Plan::of(module);
    let mut out = String::new();
    let _ = writeln!(out, "module {} (", module.name);
    let ports: Vec<String> = module
        .ports
        .iter()
        .enumerate()
        .map(|(index, port)| {
            let comma = if index + 1 < module.ports.len() {
                ","
            } else {
                ""
            };
            let comment =
                describe(&port.net.name).map_or(String::new(), |text| format!(" // {text}"));
            format!("    {}{comma}{comment}\n", plan.port(port))
        })
        .collect();
    out.push_str(&ports.concat());
    out.push_str(");\n");
    for (name, value) in &module.constants {
        let _ = writeln!(
            out,
            "    localparam {}{name} = {value};",
            width_of_literal(value)
        );
    }
    for register in &module.registers {
        let _ = writeln!(out, "    reg {};", declare(&register.net));
    }
    for net in &module.nets {
        let keyword = if plan.variables.contains(&net.name) {
            "reg"
        } else {
            "wire"
        };
        let _ = writeln!(out, "    {keyword} {};", declare(net));
    }
    for instance in &module.instances {
        let connections: Vec<String> = instance
            .connections
            .iter()
            .map(|(port, net)| format!("        .{port}({net})"))
            .collect();
        let _ = write!(
            out,
            "\n    {} {} (\n{}\n    );\n",
            instance.module,
            instance.name,
            connections.join(",\n")
        );
    }
    plan.print(module, &mut out);
    if let Some(body) = &module.custom {
        out.push('\n');
        let mut depth = 1;
        for line in body.lines() {
            depth -= usize::from(line.starts_with("end"));
            let _ = writeln!(out, "{}{line}", "    ".repeat(depth));
            depth += usize::from(line.ends_with("begin"));
        }
    }
    out.push_str("endmodule\n");
    Ok(rename(&out, |word| word.replace('$', "_")))
}

fn declare(net: &Net) -> String {
    match net.width {
        1 => net.name.clone(),
        width => format!("[{}:0] {}", width - 1, net.name),
    }
}

/// The range of a sized literal wider than one bit, for its localparam.
fn width_of_literal(value: &str) -> String {
    match value
        .split_once('\'')
        .and_then(|(size, _)| size.parse::<usize>().ok())
    {
        Some(width) if width > 1 => format!("[{}:0] ", width - 1),
        _ => String::new(),
    }
}

/// Where each statement goes: a continuous assignment, a clocked block, or a combinational block.
struct Plan<'a> {
    assigns: Vec<&'a Statement>,
    clocked: Vec<&'a Statement>,
    /// Statements that write the same nets share a block.
    combinational: Vec<Vec<&'a Statement>>,
    /// Nets that a combinational block writes.
    variables: BTreeSet<String>,
}

impl<'a> Plan<'a> {
    fn of(module: &'a Module) -> Self {
        let next_values: BTreeSet<String> = module
            .registers
            .iter()
            .map(|register| format!("{}$d", register.net.name))
            .collect();
        let mut writers: BTreeMap<&str, usize> = BTreeMap::new();
        for statement in &module.statements {
            for target in statement.targets() {
                *writers.entry(target).or_default() += 1;
            }
        }
        let mut plan = Plan {
            assigns: Vec::new(),
            clocked: Vec::new(),
            combinational: Vec::new(),
            variables: BTreeSet::new(),
        };
        for statement in &module.statements {
            let targets = statement.targets();
            if targets.iter().all(|target| next_values.contains(*target)) {
                plan.clocked.push(statement);
            } else if matches!(statement, Statement::Assign { .. })
                && targets.iter().all(|target| writers[target] == 1)
            {
                plan.assigns.push(statement);
            } else {
                plan.variables.extend(targets.iter().map(|t| t.to_string()));
                plan.add_combinational(statement);
            }
        }
        plan
    }

    fn add_combinational(&mut self, statement: &'a Statement) {
        let targets = statement.targets();
        let (mut sharing, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.combinational)
            .into_iter()
            .partition(|block| block.iter().any(|s| !s.targets().is_disjoint(&targets)));
        sharing.push(vec![statement]);
        self.combinational = others;
        self.combinational.push(sharing.concat());
    }

    fn port(&self, port: &Port) -> String {
        let keyword = match (port.output, self.variables.contains(&port.net.name)) {
            (false, _) => "input wire",
            (true, false) => "output wire",
            (true, true) => "output reg",
        };
        format!("{keyword} {}", declare(&port.net))
    }

    fn print(&self, module: &Module, out: &mut String) {
        if !self.assigns.is_empty() {
            out.push('\n');
        }
        for statement in &self.assigns {
            if let Statement::Assign { target, value } = statement {
                let _ = writeln!(out, "    assign {target} = {value};");
            }
        }
        for block in &self.combinational {
            out.push_str("\n    always @(*) begin\n");
            block
                .iter()
                .for_each(|statement| print_statement(statement, 2, "=", out));
            out.push_str("    end\n");
        }
        if module.registers.is_empty() {
            return;
        }
        out.push_str("\n    initial begin\n");
        for register in &module.registers {
            let _ = writeln!(out, "        {} = {};", register.net.name, register.initial);
        }
        out.push_str("    end\n");
        let _ = writeln!(
            out,
            "\n    always @(posedge {}) begin",
            module.registers[0].clock
        );
        for statement in &self.clocked {
            print_statement(statement, 2, "<=", out);
        }
        out.push_str("    end\n");
    }
}

fn print_statement(statement: &Statement, depth: usize, operator: &str, out: &mut String) {
    let indent = "    ".repeat(depth);
    match statement {
        Statement::Assign { target, value } => {
            let target = if operator == "<=" {
                target.trim_end_matches("$d")
            } else {
                target
            };
            // A register that keeps its value needs no statement.
            if operator == "=" || target != value {
                let _ = writeln!(out, "{indent}{target} {operator} {value};");
            }
        }
        Statement::If {
            test,
            then,
            otherwise,
        } => {
            let _ = writeln!(out, "{indent}if ({test}) begin");
            then.iter()
                .for_each(|s| print_statement(s, depth + 1, operator, out));
            if !otherwise.is_empty() {
                let _ = writeln!(out, "{indent}end else begin");
                otherwise
                    .iter()
                    .for_each(|s| print_statement(s, depth + 1, operator, out));
            }
            let _ = writeln!(out, "{indent}end");
        }
    }
}

/// Refuses what the printed text could not mean: keywords as names, names that become equal, a register's next value
/// that is read, registers on different clocks.
fn check_names(module: &Module) -> Result<(), EmitError> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let declared = (module.ports.iter().map(|port| &port.net.name))
        .chain(module.nets.iter().map(|net| &net.name))
        .chain(module.registers.iter().map(|register| &register.net.name))
        .chain(module.constants.iter().map(|(name, _)| name))
        .chain(module.instances.iter().map(|instance| &instance.name));
    for name in declared {
        let printed = name.replace('$', "_");
        if super::names::is_keyword(&printed) {
            return Err(EmitError::unknown(&format!(
                "the keyword {printed} as a name"
            )));
        }
        if let Some(other) = seen.insert(printed, name) {
            return Err(EmitError::unknown(&format!(
                "{name} and {other}, which would have one name in {}",
                module.name
            )));
        }
    }
    let reads_next_value = module.registers.iter().any(|register| {
        let next = format!("{}$d", register.net.name);
        let mut text: Vec<&str> = module
            .instances
            .iter()
            .flat_map(|instance| instance.connections.iter().map(|(_, net)| net.as_str()))
            .collect();
        for statement in &module.statements {
            statement.reads(&mut |expression| text.push(expression));
        }
        text.into_iter()
            .any(|text| identifiers(text).any(|word| word == next))
    });
    if reads_next_value {
        return Err(EmitError::unknown(&format!(
            "a register's next value that is read in {}",
            module.name
        )));
    }
    if module
        .registers
        .windows(2)
        .any(|pair| pair[0].clock != pair[1].clock)
    {
        return Err(EmitError::unknown(&format!(
            "two clocks in {}",
            module.name
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::module::Register;

    fn register(name: &str, clock: &str) -> Register {
        Register {
            net: net(name),
            clock: clock.to_string(),
            initial: "1'h0".to_string(),
        }
    }

    fn net(name: &str) -> Net {
        Net {
            name: name.to_string(),
            width: 1,
        }
    }

    fn assign(target: &str, value: &str) -> Statement {
        Statement::Assign {
            target: target.to_string(),
            value: value.to_string(),
        }
    }

    fn refused(module: &Module) -> bool {
        print(module, &|_| None).is_err()
    }

    #[test]
    fn what_the_text_could_not_mean_is_refused() {
        let good = Module {
            name: "m".to_string(),
            nets: vec![net("a$b"), net("c")],
            registers: vec![register("r", "clk")],
            statements: vec![assign("r$d", "c")],
            ..Default::default()
        };
        assert!(!refused(&good));
        let mut collision = good.clone();
        collision.nets.push(net("a_b"));
        assert!(refused(&collision), "a$b and a_b are printed alike");
        let mut keyword = good.clone();
        keyword.nets.push(net("event"));
        assert!(refused(&keyword));
        let mut next_value = good.clone();
        next_value.statements.push(assign("c", "r$d"));
        assert!(refused(&next_value), "a register's next value is no net");
        let mut two_clocks = good;
        two_clocks.registers.push(register("s", "other"));
        assert!(refused(&two_clocks));
    }

    #[test]
    fn statements_that_write_the_same_net_share_a_block() {
        let test = |test: &str, target: &str| Statement::If {
            test: test.to_string(),
            then: vec![assign(target, "1'b1")],
            otherwise: Vec::new(),
        };
        let module = Module {
            name: "m".to_string(),
            nets: vec![net("x"), net("y")],
            statements: vec![assign("x", "1'b0"), assign("y", "z"), test("a", "x")],
            ..Default::default()
        };
        let text = print(&module, &|_| None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(text.matches("always @(*)").count(), 1, "{text}");
        assert!(text.contains("assign y = z;"), "{text}");
    }
}
