//! Runs SymbiYosys in a folder of its own.

use super::theorem::{LEMMAS, LEMMAS_DEPTH, Theorem};
use crate::exit::Failure;
use ::sim::interrupt::{self, Folder};
use ::sim::tools;
use hdl::config::Config;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// Stops if a lemma names a net that the core does not have. Yosys takes the mark away when it joins the two; a net that is left would be
/// undriven, and what is claimed of it would say nothing of the core.
const BOUND: &str = "select -assert-none w:* a:hierconn %i";

/// What SymbiYosys says of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Pass,
    Fail,
    Unknown,
    Timeout,
}

/// What SymbiYosys is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Prove a part, which has these definitions, for all clocks.
    Prove(Vec<String>),
    /// Look for a counterexample of the whole within some clocks.
    Search,
    /// Reach every cover point.
    Cover,
}

/// A theorem about a core, and its files.
pub struct Run {
    folder: Folder,
    theorem: Theorem,
    config: Config,
    files: Vec<&'static str>,
    started: Instant,
    timeout: Duration,
}

impl Run {
    pub fn new(
        theorem: Theorem,
        config: &Config,
        verilog: &str,
        timeout: Duration,
    ) -> Result<Self, Failure> {
        let mut files = theorem.files(config);
        if theorem.is_of_a_core() {
            files.insert(0, ("core.v", verilog.to_string()));
        }
        Self::of(&files, theorem, config, timeout).map_err(cannot_write)
    }

    fn of(
        files: &[(&'static str, String)],
        theorem: Theorem,
        config: &Config,
        timeout: Duration,
    ) -> std::io::Result<Self> {
        let folder = Folder::new("runegate-", &std::env::temp_dir())?;
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text)?;
        }
        Ok(Self {
            folder,
            theorem,
            config: config.clone(),
            files: files.iter().map(|(name, _)| *name).collect(),
            started: Instant::now(),
            timeout,
        })
    }

    /// Carries out a task, in what is left of the time. An error is one of SymbiYosys or of the files, not of the theorem.
    pub fn task(&self, task: &Task) -> Result<Status, Failure> {
        let left = self.timeout.saturating_sub(self.started.elapsed());
        if left.as_secs() == 0 {
            return Ok(Status::Timeout);
        }
        let script = self.script(task, left.as_secs());
        std::fs::write(self.folder.path().join("proof.sby"), script).map_err(cannot_write)?;
        let sby = tools::program_of(tools::SBY);
        let parts = [
            ("YOSYS", tools::YOSYS.program()),
            ("SMTBMC", tools::program_of(tools::SMTBMC)),
            ("WITNESS", tools::program_of(tools::WITNESS)),
        ];
        let mut command = Command::new(sby);
        command
            .args(["-f", "proof.sby"])
            .envs(parts)
            .current_dir(self.folder.path());
        let output = interrupt::output(&mut command).map_err(|error| {
            Failure::new(format!(
                "cannot run SymbiYosys ({sby}): {error}; install it: {}",
                tools::YOSYS.install
            ))
        })?;
        match output.status.code() {
            Some(0) => Ok(Status::Pass),
            Some(2) => Ok(Status::Fail),
            Some(4) => Ok(Status::Unknown),
            Some(8) => Ok(Status::Timeout),
            // While the design is still read, SymbiYosys stops at its timeout with an error of its own.
            Some(1) if String::from_utf8_lossy(&output.stderr).contains("check_timeout") => {
                Ok(Status::Timeout)
            }
            _ => {
                let said = String::from_utf8_lossy(&output.stdout);
                if said.contains("COMMAND NOT FOUND") {
                    let parts = parts.map(|(_, program)| program).join(", ");
                    return Err(Failure::new(format!(
                        "SymbiYosys does not find all its parts ({parts}) on PATH; install them: {}",
                        tools::YOSYS.install
                    )));
                }
                let errors: Vec<&str> =
                    said.lines().filter(|line| line.contains("ERROR")).collect();
                Err(Failure::new(format!(
                    "SymbiYosys cannot carry out the proof ({}):\n{}{}\n  check that the Verilog is that of this core",
                    output.status,
                    errors.join("\n"),
                    String::from_utf8_lossy(&output.stderr)
                )))
            }
        }
    }

    /// The counterexample's waveform of the last task, which failed.
    pub fn trace(&self) -> PathBuf {
        self.folder.path().join("proof/engine_0/trace.vcd")
    }

    fn script(&self, task: &Task, seconds: u64) -> String {
        let depths = self.theorem.depths(&self.config);
        let mut definitions = self.theorem.definitions(&self.config);
        // What a part assumes of the others takes effect a clock later; the contract does so at once. SymbiYosys would take the
        // delay away again (`assume_early`).
        let delay = "select -set others t:$assume a:src=contract.svh:* %d\nselect -assert-min 1 @others\n\
                     chformal -assume -delay 1 @others\n";
        // Cover points are reached without what is asserted.
        let (mode, depth, formal) = match task {
            Task::Prove(part) => {
                definitions.extend_from_slice(part);
                match part.as_slice() {
                    [one] if one == LEMMAS => ("prove", LEMMAS_DEPTH, ""),
                    part if self.theorem.leans(part) => ("prove", depths.induction, delay),
                    _ => ("prove", depths.induction, ""),
                }
            }
            Task::Search => ("bmc", depths.search, ""),
            Task::Cover => ("cover", depths.cover, "chformal -assert -remove\n"),
        };
        let definitions: String = definitions
            .iter()
            .map(|definition| format!(" -D{definition}"))
            .collect();
        let reads: String = self
            .files
            .iter()
            .filter(|name| !name.ends_with(".svh"))
            .map(|name| match *name {
                "core.v" => "read_verilog core.v\n".to_string(),
                _ => format!("read_verilog -formal -sv{definitions} {name}\n"),
            })
            .collect();
        let cuts: String = self
            .theorem
            .cuts()
            .iter()
            .map(|cut| format!("blackbox {}_{cut}\n", self.config.module))
            .collect();
        let cuts = match cuts.is_empty() {
            true => cuts,
            false => cuts + "cutpoint -blackbox\n",
        };
        let anyhow = match self.theorem.begins_anyhow() {
            true => "setattr -unset init w:dut.*\nsetundef -anyseq\n",
            false => "",
        };
        format!(
            "[options]\nmode {mode}\ndepth {depth}\ntimeout {seconds}\nassume_early off\n\
             [engines]\nsmtbmc yices\n\
             [script]\n{reads}hierarchy -check -top check\n{cuts}proc\nmemory_collect\nmemory_map\nflatten\n{BOUND}\n{anyhow}async2sync\n{formal}\
             prep\nopt_clean -purge\n\
             [files]\n{}\n",
            self.files.join("\n")
        )
    }
}

fn cannot_write(error: std::io::Error) -> Failure {
    Failure::new(format!(
        "cannot write the proof's files to a temporary folder: {error}; make room there, or set TMPDIR"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::config::{Grammar, Request};

    fn have_tools() -> bool {
        let have = tools::YOSYS.version().is_ok() && tools::YICES.version().is_ok();
        if !have {
            assert!(std::env::var_os("RUNEGATE_REQUIRE_TOOLS").is_none());
            println!("SKIPPED: Yosys or Yices is not installed");
        }
        have
    }

    /// The theorem about the specification itself has no Verilog that a bug could be planted in.
    #[test]
    fn a_bug_in_the_specification_is_found() {
        if !have_tools() {
            return;
        }
        let of_window = (
            "n = continues(p, n, x) ? n + 3'd1 : 3'd1;",
            "n = continues(p, n, x) || n == 3'd2 && x == 8'hC0 ? n + 3'd1 : 3'd1;",
        );
        // A row of the table that has an overlong form: the window has it, too, but not the range of values.
        let of_table = ("`IN(1, 88, BF)", "`IN(1, 87, BF)");
        for (grammar, (right, wrong)) in
            [(Grammar::Rfc3629, of_window), (Grammar::Rfc2279, of_table)]
        {
            let request = Request {
                grammar: Some(grammar),
                ..Request::default()
            };
            let config = request.resolve().expect("it exists");
            let mut files = Theorem::Grammar.files(&config);
            for (_, text) in &mut files {
                *text = text.replace(right, wrong);
            }
            assert!(files.iter().any(|(_, text)| text.contains(wrong)));
            let run = Run::of(&files, Theorem::Grammar, &config, Duration::from_secs(600))
                .expect("its files");
            assert_eq!(run.task(&Task::Search).ok(), Some(Status::Fail));
            let waveform = std::fs::read_to_string(run.trace()).expect("a waveform");
            assert!(waveform.contains("$enddefinitions"));
        }
    }

    /// Two claims, each in a part that assumes the other. If neither is true, neither part may be proven; if one follows from the
    /// other's clock before, both are.
    #[test]
    fn a_part_does_not_lean_on_the_clock_that_it_proves() {
        if !have_tools() {
            return;
        }
        let text = "module check (input wire clk, input wire x, input wire y);\n\
            reg q = 1'b1, r = 1'b1;\n\
            always @(posedge clk) {q, r} <= {NEXT};\n\
            `ifdef FIRST\nalways @(posedge clk) begin assert (q); assume (r); end\n\
            `else\nalways @(posedge clk) begin assert (r); assume (q); end\n\
            `endif\nendmodule\n";
        let config = Request::default().resolve().expect("the default core");
        let status = |next: &str, part: &str| {
            let files = [("theorem.sv", text.replace("NEXT", next))];
            let run = Run::of(&files, Theorem::Grammar, &config, Duration::from_secs(600));
            let run = run.expect("its files");
            run.task(&Task::Prove(vec![part.to_string()])).ok()
        };
        for part in ["FIRST", "BEAT"] {
            assert_eq!(status("x, x", part), Some(Status::Fail), "{part}");
            assert_eq!(status("x, y", part), Some(Status::Fail), "{part}");
            assert_eq!(status("r, 1'b1", part), Some(Status::Pass), "{part}");
        }
    }
}
