//! Reads the Verilog that Rust-HDL prints, for tests: what [`super::probe`] makes is compared with it.
//!
//! Rust-HDL prints one statement or declaration a line, and always in the same shape, so a reader of lines is enough. A
//! line it does not know is an error, never skipped.

use super::EmitError;
use super::module::{Instance, Module, Net, Port, Statement};

/// All modules of Rust-HDL's text, in its order.
pub fn parse(text: &str) -> Result<Vec<Module>, EmitError> {
    let mut lines = Lines {
        rest: text.lines().collect(),
        next: 0,
    };
    let mut modules = Vec::new();
    while let Some(line) = lines.take() {
        if let Some(rest) = line.strip_prefix("module ") {
            let name = rest.split('(').next().unwrap_or_default().to_string();
            modules.push(parse_module(name, &mut lines)?);
        } else if !line.is_empty() {
            return Err(EmitError::unknown(line));
        }
    }
    Ok(modules)
}

struct Lines<'a> {
    rest: Vec<&'a str>,
    next: usize,
}

impl<'a> Lines<'a> {
    fn take(&mut self) -> Option<&'a str> {
        let line = self.rest.get(self.next)?.trim();
        self.next += 1;
        Some(line)
    }

    fn expect(&mut self) -> Result<&'a str, EmitError> {
        self.take().ok_or_else(|| EmitError::unknown("end of text"))
    }

    fn peek(&self) -> &'a str {
        self.rest.get(self.next).map_or("", |line| line.trim())
    }
}

fn parse_module(name: String, lines: &mut Lines) -> Result<Module, EmitError> {
    let mut module = Module {
        name,
        ..Default::default()
    };
    loop {
        let line = lines.expect()?;
        if line.starts_with("endmodule") {
            return Ok(module);
        } else if line == "// Update code (custom)" {
            module.custom = Some(parse_custom(lines)?);
        } else if line == "always @(*) begin" {
            module.statements = parse_block(lines)?;
        } else if line.is_empty() || line.starts_with("//") {
            continue;
        } else if let Some(rest) = line.strip_prefix("localparam ") {
            let (name, value) = rest
                .trim_end_matches(';')
                .split_once('=')
                .ok_or_else(|| EmitError::unknown(line))?;
            module
                .constants
                .push((name.trim().to_string(), value.trim().to_string()));
        } else if let Some(net) = declaration(line, "input wire") {
            module.ports.push(Port { output: false, net });
        } else if let Some(net) =
            declaration(line, "output reg").or_else(|| declaration(line, "output wire"))
        {
            module.ports.push(Port { output: true, net });
        } else if let Some(net) = declaration(line, "reg").or_else(|| declaration(line, "wire")) {
            module.nets.push(net);
        } else if let Some(head) = line.strip_suffix('(') {
            module.instances.push(parse_instance(head, lines)?);
        } else {
            return Err(EmitError::unknown(line));
        }
    }
}

/// `KEYWORD [7:0] name;` or `KEYWORD name;`
fn declaration(line: &str, keyword: &str) -> Option<Net> {
    let rest = line.strip_prefix(keyword)?.strip_prefix(' ')?.trim();
    let rest = rest.strip_suffix(';')?;
    let (width, name) = match rest.strip_prefix('[') {
        Some(range) => {
            let (range, name) = range.split_once(']')?;
            (
                range.strip_suffix(":0")?.parse::<usize>().ok()? + 1,
                name.trim(),
            )
        }
        None => (1, rest),
    };
    Some(Net {
        name: name.to_string(),
        width,
    })
}

fn parse_instance(head: &str, lines: &mut Lines) -> Result<Instance, EmitError> {
    let (module, name) = head
        .split_once(' ')
        .ok_or_else(|| EmitError::unknown(head))?;
    let mut instance = Instance {
        module: module.to_string(),
        name: name.to_string(),
        connections: Vec::new(),
    };
    loop {
        let line = lines.expect()?;
        if line == ");" {
            return Ok(instance);
        }
        let (port, net) = line
            .strip_prefix('.')
            .and_then(|rest| rest.trim_end_matches(',').strip_suffix(')'))
            .and_then(|rest| rest.split_once('('))
            .ok_or_else(|| EmitError::unknown(line))?;
        instance
            .connections
            .push((port.to_string(), net.to_string()));
    }
}

/// Statements up to the `end` of the block whose `begin` has been read.
fn parse_block(lines: &mut Lines) -> Result<Vec<Statement>, EmitError> {
    let mut block = Vec::new();
    loop {
        let line = lines.expect()?;
        if line == "end" {
            return Ok(block);
        }
        block.push(parse_statement(line, lines)?);
    }
}

fn parse_statement(line: &str, lines: &mut Lines) -> Result<Statement, EmitError> {
    if let Some(test) = line
        .strip_prefix("if (")
        .and_then(|rest| rest.strip_suffix(") begin"))
    {
        let then = parse_block(lines)?;
        let otherwise = if lines.peek() == "else begin" {
            lines.take();
            parse_block(lines)?
        } else if let Some(chained) = lines.peek().strip_prefix("else if") {
            lines.take();
            vec![parse_statement(&format!("if{chained}"), lines)?]
        } else {
            Vec::new()
        };
        return Ok(Statement::If {
            test: test.to_string(),
            then,
            otherwise,
        });
    }
    line.strip_suffix(';')
        .and_then(|statement| statement.split_once(" = "))
        .map(|(target, value)| Statement::Assign {
            target: target.to_string(),
            value: value.to_string(),
        })
        .ok_or_else(|| EmitError::unknown(line))
}

fn parse_custom(lines: &mut Lines) -> Result<String, EmitError> {
    let mut body = String::new();
    while !lines.peek().starts_with("endmodule") {
        let line = lines.expect()?;
        if !line.is_empty() {
            body.push_str(line);
            body.push('\n');
        }
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_not_known_is_an_error() {
        let module = |line: &str| format!("module m(a);\n    {line}\nendmodule // m\n");
        assert!(parse(&module("input wire  a;")).is_ok());
        for line in [
            "inout wire  a;",
            "initial begin",
            "assign a = b;",
            "input wire  [7:1] a;",
        ] {
            assert!(parse(&module(line)).is_err(), "{line}");
        }
        assert!(parse("module m(a);\n    input wire  a;").is_err(), "no end");
        assert!(parse("garbage").is_err());
    }

    #[test]
    fn chained_conditions_keep_their_order() {
        let text = "module m(a);\nalways @(*) begin\nif (a) begin\nx = 1'b0;\nend\nelse if (b & c) begin\nx = y;\n\
                    end\nelse begin\nx = z;\nend\nend\nendmodule // m\n";
        let modules = parse(text).unwrap_or_else(|error| panic!("{error}"));
        let assign = |value: &str| {
            vec![Statement::Assign {
                target: "x".to_string(),
                value: value.to_string(),
            }]
        };
        let chained = Statement::If {
            test: "b & c".to_string(),
            then: assign("y"),
            otherwise: assign("z"),
        };
        let expected = Statement::If {
            test: "a".to_string(),
            then: assign("1'b0"),
            otherwise: vec![chained],
        };
        assert_eq!(modules[0].statements, [expected]);
    }
}
