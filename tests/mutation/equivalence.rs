//! Proofs that a mutant is no change: it puts out what the core does, whatever comes in.

use super::{Mutant, Mutated, yosys};
use std::collections::BTreeSet;

/// Clocks of the bounded proof: a reset of [`RESET`], the core's latency, and [`BEATS`] of what comes out.
fn bound(core: &Mutated) -> usize {
    RESET + core.latency + BEATS
}
const RESET: usize = 4;
const BEATS: usize = 16;
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
    /// In the first clocks, of which [`BEATS`] have outputs of what came in.
    Bounded,
}

/// Tries both.
pub fn prove(core: &Mutated, mutant: &Mutant) -> Option<Proof> {
    if by_induction(core, mutant) {
        Some(Proof::Induction)
    } else {
        is_equal_up_to_bound(core, mutant).then_some(Proof::Bounded)
    }
}

/// The core as `gold` and the mutant as `gate`, in one design.
fn both(core: &Mutated, mutant: &Mutant, prepare: &str) -> String {
    let module = &core.module;
    format!(
        "read_rtlil core.il\nrename {module} gold\n{prepare}design -stash gold\nread_rtlil core.il\n{}\nrename {module} \
         gate\n{prepare}design -copy-from gold -as gold gold\n",
        mutant.command
    )
}

/// Induction over the registers of both: if all are equal for some clocks, each is at the next. A register that differs, or cannot
/// be shown not to, is nothing that the proof may lean on: it is given up, and the proof tried without it, until all outputs are
/// proven or one is not.
fn by_induction(core: &Mutated, mutant: &Mutant) -> bool {
    // Registers that are constant, because they begin so and take the like from another, are best gone before, bit by bit and
    // one after the other; what a mutant has cut from its register begins with nothing. Bits by themselves, over more clocks,
    // show more and take longer.
    let without_constants =
        format!("{REGISTERS}setattr -unset init w:* @registers %d\nsimplemap t:$mux\n")
            + &"opt_dff -nodffe -nosdff\nopt_expr -fine\nopt_clean\n".repeat(core.latency);
    let bits = "memory_map\nopt_clean\nsplitnets -format .\n";
    [(without_constants.as_str(), 2), ("", 2), (bits, 5)]
        .iter()
        .any(|(simplify, clocks)| by_induction_after(core, mutant, simplify, *clocks))
}

fn by_induction_after(core: &Mutated, mutant: &Mutant, simplify: &str, clocks: usize) -> bool {
    let mut given_up = BTreeSet::new();
    for _ in 0..ROUNDS {
        let hidden: String = given_up
            .iter()
            .map(|name| format!("rename -hide w:{name}\n"))
            .collect();
        // Only registers are compared, by name: of other wires the mutated one differs in any case. What they begin with is
        // of no matter to an induction.
        let prepare = format!(
            "{simplify}setattr -unset init w:*\nmemory_map\nopt_clean\n{REGISTERS}rename -hide w:* @registers %d\n{hidden}"
        );
        let script = both(core, mutant, &prepare)
            + "equiv_make gold gate both\nhierarchy -top both\nopt_clean\nequiv_struct\n"
            + &format!("equiv_simple -seq {clocks}\nequiv_status\n");
        // What Yosys cannot carry out is no proof.
        let Ok(said) = yosys(&core.folder, &script) else {
            return false;
        };
        let failed: BTreeSet<String> = said
            .lines()
            .filter_map(|line| line.trim().strip_prefix("Unproven $equiv "))
            .filter_map(|line| {
                line.split_once(": \\")?
                    .1
                    .split_once("_gold")
                    .map(|(name, _)| name)
            })
            .map(str::to_string)
            .collect();
        if said.contains("Equivalence successfully proven!") {
            return true;
        }
        let is_output = |name: &String| name.starts_with("m_axis") || name == "s_axis_tready";
        if failed.is_empty() || failed.iter().any(is_output) || failed.is_subset(&given_up) {
            return false;
        }
        given_up.extend(failed);
    }
    false
}

/// A solver looks for inputs that make the outputs differ, from the first reset on.
fn is_equal_up_to_bound(core: &Mutated, mutant: &Mutant) -> bool {
    let script = both(core, mutant, "")
        + &format!(
            "miter -equiv -flatten gold gate miter\nhierarchy -top miter\nmemory_map\nopt -full\nopt_merge -share_all\nopt -full\n\
             sat -seq {} -set-at 1 in_rst 1 -set-at 2 in_rst 1 -set-at 3 in_rst 1 -set-at 4 in_rst 1 \
             -prove-skip 1 -prove trigger 0 miter\n",
            bound(core)
        );
    yosys(&core.folder, &script).is_ok_and(|said| said.contains("SUCCESS!"))
}
