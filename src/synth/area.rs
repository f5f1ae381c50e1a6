//! What a core takes of a fabric, counted in the netlist that Yosys makes of it.

use super::design::Design;
use super::sites::sites;
use crate::exit::Failure;
use crate::fpga::flow::Flow;
use crate::fpga::target::Target;
use ::sim::netlist::{Source, yosys_json_of};
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
    /// LUTs of the device that are taken, see [`super::sites`].
    pub sites: usize,
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

/// What synthesis makes of a design by itself.
pub fn area(target: Target, flow: Flow, design: &Design) -> Result<Area, Failure> {
    of_sources(
        target,
        target.synthesis(flow),
        &design.module,
        &design.sources(""),
    )
}

/// Compares the Verilog's registers with the netlist's, in which none is hidden in a LUT.
pub fn registers(target: Target, flow: Flow, design: &Design) -> Result<Registers, Failure> {
    let sources = design.sources("");
    let synthesis = target.without_shifts(flow);
    let kept = of_sources(target, &synthesis, &design.module, &sources)?.ffs;
    compare(kept, &design.module, &sources)
}

fn of_sources(
    target: Target,
    synthesis: &str,
    module: &str,
    sources: &[Source],
) -> Result<Area, Failure> {
    let netlist = synthesised(module, sources, &format!("{synthesis} -top {module}"))?;
    let cells = cells(&netlist);
    let sorts = target.cells();
    let count = |sort: fn(&str) -> bool| cells.iter().filter(|(cell, _)| sort(cell)).count();
    Ok(Area {
        luts: count(sorts.lut),
        carry: count(sorts.carry),
        ffs: count(sorts.flip_flop),
        brams: count(sorts.block_ram),
        lut_rams: count(sorts.lut_ram),
        sites: sites(target, &netlist),
    })
}

fn compare(kept: usize, module: &str, sources: &[Source]) -> Result<Registers, Failure> {
    let read = format!("hierarchy -top {module}; proc; flatten");
    let registers = |commands: &str| -> Result<usize, Failure> {
        let netlist = synthesised(module, sources, commands)?;
        let cells = cells(&netlist);
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

/// The top module of a netlist, as in Yosys's JSON.
fn synthesised(module: &str, sources: &[Source], commands: &str) -> Result<Value, Failure> {
    let mut document: Value = serde_json::from_str(&yosys_json_of(sources, commands)?)?;
    let netlist = document["modules"][module].take();
    match netlist["cells"].is_object() {
        true => Ok(netlist),
        false => Err(Failure::new(format!(
            "Yosys's output lacks the module {module}"
        ))),
    }
}

/// Each cell's type, and the bits of its output Q, if it has one.
fn cells(netlist: &Value) -> Vec<(&str, usize)> {
    let bits = |cell: &'_ Value| cell["connections"]["Q"].as_array().map_or(0, Vec::len);
    let cells = netlist["cells"].as_object().into_iter().flatten();
    cells
        .map(|(_, cell)| (cell["type"].as_str().unwrap_or_default(), bits(cell)))
        .collect()
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
        let sources = [Source::verilog(verilog)];
        let all = of_sources(Target::Ecp5, "synth_ecp5", "m", &sources);
        let kept = all.ok().expect("an area").ffs;
        assert_eq!(kept, 4);
        let told = compare(kept, "m", &sources).ok().expect("registers");
        assert_eq!((told.described, told.needed, told.unexplained), (9, 4, 0));
        let told = compare(3, "m", &sources).ok().expect("registers");
        assert_eq!(told.unexplained, 1);
    }
}
