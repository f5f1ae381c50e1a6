//! What a core takes of a fabric, counted in the netlist that Yosys makes of it.

use super::target::Target;
use crate::Failure;
use ::sim::netlist::yosys_json;
use serde::Serialize;
use serde_json::Value;

/// What there is of each sort of cell.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Area {
    pub luts: usize,
    pub carry: usize,
    pub ffs: usize,
    pub brams: usize,
    /// Memories and shift registers made of LUTs.
    pub lut_rams: usize,
}

/// What became of the registers that the Verilog describes, in bits.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Registers {
    pub described: usize,
    /// Without those that nobody reads, that are constant or equal to another, or that a memory has in it.
    pub needed: usize,
    /// Those of `needed` that synthesis has removed for no such reason.
    pub unexplained: usize,
}

/// What synthesis makes of a core by itself.
pub fn area(target: Target, module: &str, verilog: &str) -> Result<Area, Failure> {
    synthesised(target, target.synthesis(), module, verilog)
}

/// Compares the Verilog's registers with the netlist's, in which none is hidden in a LUT.
pub fn registers(target: Target, module: &str, verilog: &str) -> Result<Registers, Failure> {
    let kept = synthesised(target, &target.without_shifts(), module, verilog)?.ffs;
    compare(kept, module, verilog)
}

fn synthesised(
    target: Target,
    synthesis: &str,
    module: &str,
    verilog: &str,
) -> Result<Area, Failure> {
    let netlist = cells(module, verilog, &format!("{synthesis} -top {module}"))?;
    let sorts = target.cells();
    let count = |sort: fn(&str) -> bool| netlist.iter().filter(|(cell, _)| sort(cell)).count();
    Ok(Area {
        luts: count(sorts.lut),
        carry: count(sorts.carry),
        ffs: count(sorts.flip_flop),
        brams: count(sorts.block_ram),
        lut_rams: count(sorts.lut_ram),
    })
}

fn compare(kept: usize, module: &str, verilog: &str) -> Result<Registers, Failure> {
    let read = format!("hierarchy -top {module}; proc; flatten");
    let registers = |commands: &str| -> Result<usize, Failure> {
        let cells = cells(module, verilog, commands)?;
        let of_it = cells.iter().filter(|(cell, _)| {
            cell.starts_with('$') && (cell.contains("dff") || cell.contains("DFF"))
        });
        Ok(of_it.map(|(_, bits)| bits).sum())
    };
    let described = registers(&read)?;
    let needed = registers(&format!(
        "{read}; splitcells; opt -full; opt_clean; memory -nomap; techmap; opt -full; opt_clean"
    ))?;
    Ok(Registers {
        described,
        needed,
        unexplained: needed.saturating_sub(kept),
    })
}

/// The cells of the top module: each one's type, and the bits of its output Q, if it has one.
fn cells(module: &str, verilog: &str, commands: &str) -> Result<Vec<(String, usize)>, Failure> {
    let document: Value = serde_json::from_str(&yosys_json(verilog, commands)?)?;
    let Some(cells) = document["modules"][module]["cells"].as_object() else {
        return Err(Failure::new(format!("Yosys has lost the module {module}")));
    };
    let told = |cell: &Value| {
        let sort = cell["type"].as_str().unwrap_or_default().to_string();
        let bits = cell["connections"]["Q"].as_array().map_or(0, Vec::len);
        (sort, bits)
    };
    Ok(cells.values().map(told).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::sim::tools::YOSYS;

    #[test]
    fn a_register_that_is_gone_is_noticed() {
        if YOSYS.version().is_err() {
            assert!(std::env::var_os("RUNEGATE_REQUIRE_TOOLS").is_none());
            println!("SKIPPED: Yosys is not installed");
            return;
        }
        // Of nine bits one is constant, four are equal to others.
        let verilog = "module m (input wire clk, input wire [3:0] a, output wire [8:0] q);\n\
            reg [8:0] r; always @(posedge clk) r <= {1'b0, a, a}; assign q = r; endmodule";
        let all = area(Target::Ecp5, "m", verilog).ok().expect("an area");
        assert_eq!(all.ffs, 4);
        let told = registers(Target::Ecp5, "m", verilog)
            .ok()
            .expect("registers");
        assert_eq!((told.described, told.needed, told.unexplained), (9, 4, 0));
        let told = compare(3, "m", verilog).ok().expect("registers");
        assert_eq!(told.unexplained, 1);
    }
}
