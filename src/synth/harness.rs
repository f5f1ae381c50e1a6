//! What is placed and routed around a core: a register at every pin, so that every path that is timed is one of the core's.

use super::design::{Design, Pin};
use hdl::config::ports::Direction;
use std::fmt::Write;

/// The module that holds the core.
pub const TOP: &str = "runegate_harness";
/// The core's name in it, which its signals begin with.
pub const CORE: &str = "core";

/// Levels and bits of [`reference`].
const LEVELS: usize = 16;
const BITS: usize = 16;

/// Each input comes from a register that a pin feeds, and each output goes to one that feeds a pin. No two names can be the same
/// whatever the design's pins are called, for each begins with what it is.
pub fn registered(design: &Design) -> String {
    let mut text = String::from("    input wire clk");
    for Pin {
        name,
        direction,
        width,
    } in &design.pins
    {
        let direction = match direction {
            Direction::Input => "input",
            Direction::Output => "output",
        };
        let _ = write!(text, ",\n    {direction} wire [{}:0] pin_{name}", width - 1);
    }
    let drive = |text: &mut String, pin: &Pin| {
        let Pin { name, .. } = pin;
        let _ = match pin.direction {
            Direction::Input => {
                writeln!(text, "    always @(posedge clk) in_{name} <= pin_{name};")
            }
            Direction::Output => writeln!(text, "    assign pin_{name} = out_{name};"),
        };
    };
    around(design, &text, drive)
}

/// For a device with fewer pins than the design: the inputs' registers are one shift register, and the outputs' registers are
/// joined by a tree of one LUT and three registers a level, two of them for the way: what is joined next is far away.
pub fn folded(design: &Design) -> String {
    let drive = |_: &mut String, _: &Pin| {};
    let names = |direction, prefix: &str| -> Vec<String> {
        let of_it = design.pins.iter().filter(|pin| pin.direction == direction);
        of_it
            .flat_map(|pin| (0..pin.width).map(|bit| format!("{prefix}_{}[{bit}]", pin.name)))
            .collect()
    };
    let mut text = around(
        design,
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
        let high = width - 1;
        let _ = writeln!(
            text,
            "    reg [{high}:0] fold_{depth}, way_{depth}, there_{depth};\n    \
             always @(posedge clk) way_{depth} <= fold_{depth};\n    \
             always @(posedge clk) there_{depth} <= way_{depth};"
        );
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
            .map(|bit| format!("there_{depth}[{bit}]"))
            .collect();
        depth += 1;
    }
    text + &format!("    assign fold = {};\nendmodule\n", level[0])
}

/// The design between the registers, and what drives them.
fn around(design: &Design, pins: &str, drive: impl Fn(&mut String, &Pin)) -> String {
    let mut text = format!("module {TOP} (\n{pins}\n);\n");
    let mut connections = vec![format!(".{}(clk)", design.clock)];
    for pin in &design.pins {
        let (name, high) = (&pin.name, pin.width - 1);
        let _ = match pin.direction {
            Direction::Input => {
                connections.push(format!(".{name}(in_{name})"));
                writeln!(text, "    reg [{high}:0] in_{name};")
            }
            Direction::Output => {
                connections.push(format!(".{name}(core_{name})"));
                writeln!(
                    text,
                    "    wire [{high}:0] core_{name};\n    reg [{high}:0] out_{name};\n    \
                     always @(posedge clk) out_{name} <= core_{name};"
                )
            }
        };
        drive(&mut text, pin);
    }
    let connections = connections.join(", ");
    text + &format!("    {} {CORE} ({connections});\nendmodule\n", design.module)
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
