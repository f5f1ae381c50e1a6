//! `runegate doctor`: which external tools are here.

use crate::options::Talk;
use crate::{Failure, Finding};
use ::sim::tools::{self, ToolError};
use clap::Args;
use serde_json::json;

/// Tells of each external tool whether it was found, its version, what it is for, and how to install it
#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    talk: Talk,
}

impl Doctor {
    pub fn run(self) -> Result<Finding, Failure> {
        let mut found = Vec::new();
        for tool in tools::ALL {
            let version = tool.version();
            let (state, detail) = match &version {
                Ok(version) => ("found", version.clone()),
                Err(ToolError::Missing { .. }) => ("missing", String::new()),
                Err(ToolError::TooOld { found, .. }) => ("too old", found.clone()),
                Err(error @ ToolError::Broken { .. }) => ("broken", error.to_string()),
            };
            if self.talk.json {
                found.push(json!({
                    "name": tool.name,
                    "program": tool.program,
                    "found": state != "missing",
                    "usable": version.is_ok(),
                    "version": if detail.is_empty() { None } else { Some(detail) },
                    "oldest": format!("{}.{:03}", tool.oldest.0, tool.oldest.1),
                    "purpose": tool.purpose,
                    "install": tool.install,
                }));
                continue;
            }
            println!("{:<16} {state:<8} {detail}", tool.name);
            println!("{:<16} for: {}", "", tool.purpose);
            if version.is_err() {
                println!("{:<16} get it: {}", "", tool.install);
            }
        }
        if self.talk.json {
            println!("{}", json!({ "tools": found }));
        } else {
            println!("The embedded engine needs none of these: runegate sim --engine embedded");
        }
        Ok(Finding::Good)
    }
}
