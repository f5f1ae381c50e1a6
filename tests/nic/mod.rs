//! A network card of LiteX's parts with the block of a package between its MAC and what takes the headers off, simulated at its PHY's
//! pins: frames by scapy, texts judged by CPython, and the block's registers read over the network.

use crate::support::{Place, everything, have_litex, have_verilator, make, output, package, with};
use std::path::Path;
use std::process::Output;

/// The block as `make nic` emits it.
fn block() -> Place {
    let options = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/nic/block.toml");
    package(&format!("--for litex --config {options}"), "block")
}

/// Builds the card with the package's block, and sends this number of frames through it in each of two phases.
fn simulate(place: &Place, frames: usize) -> Output {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nic");
    output(
        make(&place.folder("card"))
            .arg("-f")
            .arg(tests.join("Makefile"))
            .arg(format!("PACKAGE={}", place.path("package").display()))
            .arg(format!("FRAMES={frames}")),
    )
}

fn have_all() -> bool {
    have_litex() && have_verilator()
}

#[test]
fn good_frames_are_echoed_and_bad_ones_never() {
    if !have_all() {
        return;
    }
    let run = simulate(&block(), 500);
    let said = String::from_utf8_lossy(&run.stdout);
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}\n{errors}");
    assert!(said.contains("came back, none that should not"), "{said}");
}

/// What is broken in the package, and what the bench says of it. A card takes twenty seconds to build: a quick run has the first.
#[test]
fn a_wrong_connection_of_the_block_is_seen() {
    if !have_all() {
        return;
    }
    let place = block();
    let faults = [
        // The MAC's mark of a wrong checksum.
        (
            "templates/block_litex.py",
            "i_s_axis_tuser=self.sink.user",
            "i_s_axis_tuser=0",
            "to UDP, bad",
        ),
        // The bytes of a frame's last beat.
        (
            "templates/block_litex.py",
            "i_s_axis_tkeep=self.sink.keep",
            "i_s_axis_tkeep=0xFF",
            "to ping",
        ),
        // A bad text's packet has no mark, so it is not dropped.
        (
            "rtl/block.v",
            "wire marked_y = marked_mark ? 1'b1 : sides_y;",
            "wire marked_y = sides_y;",
            "nothing is waited for: Ether / IP / UDP",
        ),
    ];
    let count = if everything() { faults.len() } else { 1 };
    for (file, good, bad, seen) in faults.into_iter().take(count) {
        let run = with(&place, file, good, bad, |place| simulate(place, 10));
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success(), "{bad}");
        assert!(errors.contains(seen), "{bad}:\n{errors}");
    }
}
