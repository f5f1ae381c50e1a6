//! What is placed and routed around a core: a register at every pin, so that every path that is timed is one of the core's.

use hdl::ports::{Direction, Port};
use std::fmt::Write;

/// The module that holds the core.
pub const TOP: &str = "runegate_harness";
/// The core's name in it, which its signals begin with.
pub const CORE: &str = "core";
/// The core's module, whatever it is called elsewhere: no cell of a device has this name.
pub const MODULE: &str = "runegate_core";

/// Levels and bits of [`reference`].
const LEVELS: usize = 16;
const BITS: usize = 16;

/// Each input comes from a register that a pin feeds, and each output goes to one that feeds a pin.
pub fn registered(ports: &[Port]) -> String {
    let pins = ports.iter().filter(|port| port.name != "clk");
    let mut text = String::from("    input wire clk");
    for Port {
        name,
        direction,
        width,
        ..
    } in pins
    {
        let direction = match direction {
            Direction::Input => "input",
            Direction::Output => "output",
        };
        let _ = write!(text, ",\n    {direction} wire [{}:0] {name}", width - 1);
    }
    let drive = |text: &mut String, port: &Port| {
        let Port { name, .. } = port;
        let _ = match port.direction {
            Direction::Input => writeln!(text, "    always @(posedge clk) {name}_in <= {name};"),
            Direction::Output => writeln!(text, "    assign {name} = {name}_out;"),
        };
    };
    around(ports, &text, drive)
}

/// For a device with fewer pins than the core: the inputs' registers are one shift register, and the outputs' registers are
/// joined by a tree of one LUT and one register a level.
pub fn folded(ports: &[Port]) -> String {
    let drive = |_: &mut String, _: &Port| {};
    let names = |direction, suffix: &str| -> Vec<String> {
        let of_it = ports
            .iter()
            .filter(|port| port.direction == direction && port.name != "clk");
        of_it
            .flat_map(|port| (0..port.width).map(|bit| format!("{}_{suffix}[{bit}]", port.name)))
            .collect()
    };
    let mut text = around(
        ports,
        "    input wire clk,\n    input wire scan,\n    output wire fold",
        drive,
    );
    let end = text.rfind("endmodule").expect("a module's end");
    text.truncate(end);
    let mut before = "scan".to_string();
    for bit in names(Direction::Input, "in") {
        let _ = writeln!(text, "    always @(posedge clk) {bit} <= {before};");
        before = bit;
    }
    let mut level = names(Direction::Output, "out");
    let mut depth = 0;
    while level.len() > 1 {
        let width = level.len().div_ceil(4);
        let _ = writeln!(text, "    reg [{}:0] fold_{depth};", width - 1);
        // Neighbours can be equal, and would cancel each other: those that are joined are far from each other.
        for bit in 0..width {
            let far: Vec<&str> = level
                .iter()
                .skip(bit)
                .step_by(width)
                .map(String::as_str)
                .collect();
            let sum = far.join(" ^ ");
            let _ = writeln!(
                text,
                "    always @(posedge clk) fold_{depth}[{bit}] <= {sum};"
            );
        }
        level = (0..width)
            .map(|bit| format!("fold_{depth}[{bit}]"))
            .collect();
        depth += 1;
    }
    text + &format!("    assign fold = {};\nendmodule\n", level[0])
}

/// The core between the registers, and what drives them.
fn around(ports: &[Port], pins: &str, drive: impl Fn(&mut String, &Port)) -> String {
    let mut text = format!("module {TOP} (\n{pins}\n);\n");
    let mut connections = vec![".clk(clk)".to_string()];
    for port in ports.iter().filter(|port| port.name != "clk") {
        let (name, high) = (port.name, port.width - 1);
        let _ = match port.direction {
            Direction::Input => {
                connections.push(format!(".{name}({name}_in)"));
                writeln!(text, "    reg [{high}:0] {name}_in;")
            }
            Direction::Output => {
                connections.push(format!(".{name}({name}_core)"));
                writeln!(
                    text,
                    "    wire [{high}:0] {name}_core;\n    reg [{high}:0] {name}_out;\n    \
                     always @(posedge clk) {name}_out <= {name}_core;"
                )
            }
        };
        drive(&mut text, port);
    }
    let connections = connections.join(", ");
    text + &format!("    {MODULE} {CORE} ({connections});\nendmodule\n")
}

/// One LUT4 between two registers, many times over: the fastest that a design can be whose registers wait for anything.
pub fn reference() -> String {
    let high = BITS - 1;
    let mut text = format!(
        "module {TOP} (input wire clk, input wire [{high}:0] pins, output wire [{high}:0] result);\n    reg [{high}:0] level_0;\n    \
         always @(posedge clk) level_0 <= pins;\n"
    );
    for level in 1..=LEVELS {
        let _ = writeln!(text, "    reg [{high}:0] level_{level};");
        for bit in 0..BITS {
            let [a, b, c, d] =
                [0, 1, 3, 7].map(|away| format!("level_{}[{}]", level - 1, (bit + away) % BITS));
            let _ = writeln!(
                text,
                "    always @(posedge clk) level_{level}[{bit}] <= ({a} & {b}) ^ ({c} | {d});"
            );
        }
    }
    text + &format!("    assign result = level_{LEVELS};\nendmodule\n")
}
