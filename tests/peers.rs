//! The numbers of the decoders of others in docs/src/results.md and in the chart of depths are those that were measured.
//!
//! `RUNEGATE_PEERS=FOLDER make test-peers` measures them: the folder has a clone of each repository as OWNER/NAME. Without it they are
//! only compared with what `constraints/peers.json` says, and `make test-results` does that for the texts.

use crate::report::peers::{self, FILE, Measured, Peer, Peers};
use crate::report::{Results, chart};
use crate::support::{Place, done, json, output};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn the_peers_are_told_as_they_were_measured() {
    if let Some(folder) = std::env::var_os("RUNEGATE_PEERS") {
        measure(&PathBuf::from(folder)).save();
        Results::load().save();
    }
    let planned = peers::rows().into_iter();
    let planned = planned.map(|(peer, chip, flow)| {
        let Peer { name, commit, .. } = peer;
        [
            name.to_string(),
            commit.to_string(),
            peer.command(chip, flow),
        ]
    });
    let measured = Peers::load().rows.into_iter();
    let measured = measured.map(|row| [row.peer, row.commit, row.command]);
    assert!(
        measured.eq(planned),
        "{FILE} has not the rows of tests/report/peers.rs: `RUNEGATE_PEERS=FOLDER make test-peers` measures them, where FOLDER \
         has a clone of each repository as OWNER/NAME"
    );
}

/// Measures all, from the commits that are stated.
fn measure(clones: &Path) -> Peers {
    let measured = peers::rows().into_iter().map(|(peer, chip, flow)| {
        let source = done(&output(
            Command::new("git")
                .arg("-C")
                .arg(clones.join(peer.name))
                .args(["show", &format!("{}:{}", peer.commit, peer.file)]),
        ))
        .to_string();
        let place = Place::new();
        let folder = Path::new(peer.file).parent().expect("a folder");
        place.folder(&folder.to_string_lossy());
        place.write(peer.file, source);
        let arguments = peer.arguments(chip, flow);
        let mut document = json(&place.run(&format!("{arguments} --json --quiet")));
        let version = |tool: &str| document[tool].as_str().map(str::to_string);
        Measured {
            peer: peer.name.to_string(),
            commit: peer.commit.to_string(),
            command: peer.command(chip, flow),
            yosys: version("yosys").expect("its version"),
            nextpnr: version("nextpnr"),
            result: document["results"][0].take(),
        }
    });
    Peers {
        rows: measured.collect(),
    }
}

#[test]
fn a_number_of_a_peer_that_is_changed_is_seen() {
    let there = Peers::load();
    for row in 0..there.rows.len() {
        let is_placed = there.rows[row].result["fmax_mhz"].is_object();
        let clocks = ["/fmax_mhz/worst", "/fmax_mhz/median", "/fmax_mhz/best"];
        let clocks = clocks.iter().filter(|_| is_placed);
        for number in clocks.chain(&["/luts", "/ffs"]) {
            let mut changed = there.clone();
            let value = changed.rows[row].result.pointer_mut(number);
            let value = value.expect("a number");
            *value = Value::from(value.as_f64().expect("a number") as u64 + 11);
            let command = &there.rows[row].command;
            assert!(changed.text() != there.text(), "{number} of {command}");
            let is_drawn = ["/fmax_mhz/worst", "/ffs"].contains(number)
                && command.contains("--target ecp5 --speed 6 --flow default");
            let chart = |peers| chart::of_depths(&Results::default(), peers);
            assert_eq!(
                chart(&changed) != chart(&there),
                is_drawn,
                "{number} of {command}"
            );
        }
    }
}
