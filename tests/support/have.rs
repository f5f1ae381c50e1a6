//! Tests that need an external tool.

use sim::tools::{Tool, ToolError};
use std::io::Write;

/// Whether a tool can be used. With RUNEGATE_REQUIRE_TOOLS a missing one fails the test; else the test says that it skips.
pub fn have(tool: &Tool) -> bool {
    match tool.version() {
        Ok(_) => true,
        Err(ToolError::Missing { .. }) if std::env::var_os("RUNEGATE_REQUIRE_TOOLS").is_none() => {
            let _ = writeln!(std::io::stderr(), "SKIPPED: {} is not installed", tool.name);
            false
        }
        Err(error) => panic!("{error}"),
    }
}
