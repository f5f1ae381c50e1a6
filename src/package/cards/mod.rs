//! The core in the shells of network cards.
//!
//! Only a validator has templates here: the shells' streams carry bytes, but a decoder gives events and an encoder takes words. A core in a
//! shell's path without backpressure has none, because the shells stall their streams, nor has a core with flows, because no shell's stream
//! carries flow numbers.

mod corundum;
mod opennic;
mod stream;

pub use stream::{DROPS_ALL_TEXT, DROPS_FRAMES, JUDGED, drops_all_text, drops_frames, judged};

use super::shell::{OPENNIC_USER, Shell};
use super::text::{File, file, is_watching};
use crate::report::describe_count;
use hdl::config::{Config, Core, Form};
use stream::room;

/// The templates that there are for a core, and what else their shells need: of shells whose streams it has room for.
pub fn templates(config: &Config) -> Vec<(Shell, Vec<File>)> {
    if !matches!(config.core, Core::Validate { flows: None, .. }) {
        return Vec::new();
    }
    let left_out = left_out(config);
    let has = |name: &str| !left_out.iter().any(|(other, _)| *other == name);
    let mut templates = Vec::new();
    if has("Corundum") {
        let template = file("templates/corundum.v", corundum::template(config));
        templates.push((Shell::Corundum, vec![template]));
    }
    if has("OpenNIC") {
        let template = file("templates/opennic.v", opennic::template(config));
        let constraints = file("constraints/opennic.xdc", opennic::constraints(config));
        templates.push((Shell::Opennic, vec![template, constraints]));
    }
    templates
}

/// Why there is no template, of those that a validator could have: each shell's name, and what it would take.
pub fn left_out(config: &Config) -> Vec<(&'static str, String)> {
    if !matches!(config.core, Core::Validate { flows: None, .. }) {
        return Vec::new();
    }
    let needs = |bits: usize| {
        if config.core.policy().takes_windows() {
            Some("it knows no windows: leave --window out".to_string())
        } else if is_watching(config) {
            None
        } else if config.form == Form::Free {
            Some("its streams have a tready: choose --form axis".to_string())
        } else if config.core.tells_early() {
            Some("its streams have no place for one bit more: leave --early-bad out".to_string())
        } else if config.side.user == 0 || room(config) < bits {
            // Without a tuser at its input it could not pass the mark of a frame that is bad already.
            Some(format!(
                "{} or more of sideband go through the core, at least one of them in tuser, but it has room for {} in tuser, tid \
                 and tdest together: widen these with --user-width, --id-width and --dest-width",
                describe_count(bits as u64, "bit"),
                room(config)
            ))
        } else {
            None
        }
    };
    let width =
        (config.lanes != 64).then(|| "its stream has 64 lanes: choose --lanes 64".to_string());
    [
        ("Corundum", needs(1)),
        ("OpenNIC", width.or_else(|| needs(OPENNIC_USER + 1))),
    ]
    .into_iter()
    .filter_map(|(shell, why)| Some((shell, why?)))
    .collect()
}
