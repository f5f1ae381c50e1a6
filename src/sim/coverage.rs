//! `runegate sim --coverage`: what a run has reached of the core.

use super::merge::Conclusion;
use crate::exit::{Failure, Finding};
use crate::output::NewFile;
use crate::report;
use ::sim::coverage::{Hits, Report};
use clap::Args;
use hdl::config::Config;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What is counted, and what is asked of it.
#[derive(Args)]
pub struct CoverageOptions {
    /// Measure the coverage (points at the pins and, on Verilator, lines and bits of the Verilog), and write it to a new file if core
    /// and model agree
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["netlist", "report", "merge"])]
    pub coverage: Option<PathBuf>,
    /// Exit with 1 if the coverage is lower than this, 0 to 100
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, requires = "coverage", value_parser = goal)]
    pub coverage_goal: Option<f64>,
}

fn goal(text: &str) -> Result<f64, String> {
    let goal = text.parse().ok();
    let goal = goal.filter(|goal| (0.0..=100.0).contains(goal));
    goal.ok_or_else(|| "choose a number from 0 to 100".to_string())
}

impl CoverageOptions {
    pub fn file(&self) -> Option<NewFile<'_>> {
        let path = self.coverage.as_deref()?;
        let what = "coverage";
        Some(NewFile { path, what })
    }

    /// Writes the file, and adds what is in it to what the run says.
    pub fn conclude(
        &self,
        file: &NewFile,
        config: &Config,
        hits: &Hits,
        constants: &BTreeSet<String>,
        run: &mut Conclusion,
    ) -> Result<(), Failure> {
        let coverage = Report::new(config, hits, constants);
        let json = json!({"percent": coverage.percent(), "groups": coverage.groups});
        let mut document = json!(config);
        report::merge(&mut document, &json);
        file.write(&document)?;
        run.json["coverage"] = json;
        run.lines += &coverage.to_string();
        let goal = self.coverage_goal.unwrap_or(0.0);
        if !coverage.reaches(goal) {
            let percent = coverage.percent();
            run.lines += &format!("  the coverage is {percent} %, below the goal of {goal} %\n");
        }
        if !coverage.reaches(goal) || coverage.has_stale() {
            run.finding = Finding::CheckFailed;
        }
        Ok(())
    }
}
