//! `runegate doctor`: which external tools are here.

use crate::exit::{Failure, Finding};
use crate::options::Talk;
use ::sim::tools::{self, Tool, ToolError};
use clap::Args;
use serde_json::{Value, json};

/// Lists the external tools: whether each was found, its version, its purpose, and how to install it
#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    talk: Talk,
}

impl Doctor {
    pub fn run(self) -> Result<Finding, Failure> {
        let found: Vec<Found> = tools::ALL.into_iter().map(Found::look_for).collect();
        self.talk.print(|out| {
            if self.talk.json {
                let tools: Vec<Value> = found.iter().map(Found::json).collect();
                return writeln!(out, "{}", json!({ "tools": tools }));
            }
            for Found { tool, state, said } in &found {
                writeln!(out, "{:<16} {state:<8} {said}", tool.name)?;
                writeln!(out, "{:<16} for: {}", "", tool.purpose)?;
                writeln!(out, "{:<16} get it: {}", "", tool.install)?;
            }
            writeln!(
                out,
                "The embedded engine needs none of these: runegate sim --engine embedded"
            )
        })?;
        Ok(Finding::Good)
    }
}

/// What is known of a tool.
struct Found {
    tool: &'static Tool,
    state: &'static str,
    /// Its version, or what is wrong with it.
    said: String,
}

impl Found {
    fn look_for(tool: &'static Tool) -> Self {
        let (state, said) = match tool.version() {
            Ok(version) => ("found", version),
            Err(ToolError::Missing { .. }) => ("missing", String::new()),
            Err(ToolError::TooOld { found, .. }) => ("too old", found),
            Err(error @ ToolError::Broken { .. }) => ("broken", error.to_string()),
        };
        Self { tool, state, said }
    }

    fn json(&self) -> Value {
        let tool = self.tool;
        json!({
            "name": tool.name,
            "program": tool.program(),
            "found": self.state != "missing",
            "usable": self.state == "found",
            "version": if self.said.is_empty() { None } else { Some(&self.said) },
            "oldest": tool.oldest,
            "purpose": tool.purpose,
            "install": tool.install,
        })
    }
}
