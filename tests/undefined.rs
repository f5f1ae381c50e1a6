//! No X comes out. AXI leaves a payload undefined while its `valid` is low, a lane without `tkeep`, and every input during a reset, and
//! many simulation models show X there. The Icarus engine drives X wherever that is so; here every core gets it, with power-up values
//! taken out of its text, from the end of a reset of one clock on.

use crate::dut::{
    all_configs, built, bursts, decoder, dropping, framed, have, often, packets_for, try_run,
    validator, verilog,
};
use crate::frames::{TCP, UDP, ethernet, ipv4, ipv6, tcp, udp};
use hdl::config::{Config, CoreName, Form, Mode, Replace, Request, Signature};
use sim::engine::EngineKind;
use sim::lockstep::Outcome;
use sim::netlist::{Family, synthesise, with_cells};
use sim::stimulus::Pattern;
use sim::tools;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Idles, stalls, null beats, late ends and resets. A core of many flows takes no beat for as many clocks after each reset, so it has only
/// the first one.
fn pattern(config: &Config) -> Pattern {
    let is_soon_ready = config.core.flows().unwrap_or(1) <= 64;
    let has_bus = config.has_registers() && is_soon_ready;
    Pattern {
        seed: 41,
        idle: often(0.4),
        stall: match config.form {
            Form::Axis => bursts(0.3, 8.0),
            Form::Free => often(0.0),
        },
        late_last: 0.2,
        null_beats: 0.1,
        sparse: 0.0,
        reset: if is_soon_ready { 0.004 } else { 0.0 },
        accesses: if has_bus { 0.3 } else { 0.0 },
        texts: sim::texts::Texts::Random,
    }
}

/// A text without the values that its registers and memories have when the power comes on, in whatever form they are written: a
/// statement for a block that runs once, or a value of what is declared, in the list of ports or after it.
fn without_power_up(text: &str) -> String {
    let kept = without_values(&without_blocks(&without_comments(text)));
    let values = declarations(&without_comments(text)).matches('=').count();
    let blocks = text.lines().filter(|line| is_block(line)).count();
    assert!(values + blocks > 0, "there are power-up values");
    assert!(!kept.contains("initial"), "none of them is left");
    assert_eq!(declarations(&kept).matches('=').count(), 0, "none is left");
    kept
}

/// Comments are no text to look into.
fn without_comments(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        kept += &rest[..at];
        let ends = if rest[at..].starts_with("//") {
            rest[at..].find('\n')
        } else {
            rest[at..].find("*/").map(|end| end + 2)
        };
        rest = &rest[at + ends.expect("the comment ends")..];
    }
    kept + rest
}

fn is_block(line: &str) -> bool {
    line.trim_start().starts_with("initial")
}

fn without_blocks(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !is_block(line) {
            kept += &format!("{line}\n");
            continue;
        }
        let code = line.trim_start();
        let end = if code["initial".len()..].trim_start().starts_with("begin") {
            "end"
        } else {
            ";"
        };
        let mut rest = code;
        while !rest.trim_end().ends_with(end) {
            rest = lines.next().expect("the statement ends");
        }
    }
    kept
}

/// All that stands between the word `reg` and the end of what it declares: a semicolon, or that of the list of ports.
fn declarations(text: &str) -> String {
    let spaced = text.replace('\n', " ");
    let declared = spaced.split(" reg ").skip(1);
    declared
        .map(|rest| rest.split(';').next().unwrap_or_default())
        .collect()
}

/// Takes out what stands after `=` in declarations of registers, each up to the comma, the semicolon or the parenthesis that ends it.
fn without_values(text: &str) -> String {
    let mut kept = String::new();
    let (mut declares, mut in_value, mut depth) = (false, false, 0);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let size = match first {
            // An escaped name goes on to the next space.
            '\\' => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, left) = rest.split_at(size);
        rest = left;
        match token {
            "reg" => (declares, depth) = (true, 0),
            "input" | "output" | "wire" => declares = false,
            "(" | "[" | "{" => depth += 1,
            ")" if declares && depth == 0 => (declares, in_value) = (false, false),
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => in_value = false,
            ";" => (declares, in_value) = (false, false),
            "=" if declares && depth == 0 => {
                in_value = true;
                kept.truncate(kept.trim_end().len());
                // An escaped name needs the space after it.
                kept += " ";
            }
            _ => {}
        }
        if !in_value {
            kept += token;
        }
    }
    kept
}

/// What is undefined or wrong in a run of this Verilog on Icarus.
fn found(config: &Config, verilog: &str) -> Option<String> {
    found_with(config, verilog, &packets_for(config, 40, 60))
}

/// The same of these packets.
fn found_with(config: &Config, verilog: &str, input: &[Vec<u8>]) -> Option<String> {
    match try_run(config, EngineKind::Icarus, verilog, input, pattern(config)).1 {
        Outcome::Agreed(_) => None,
        Outcome::Differed(mismatch) => Some(format!("{}\n{mismatch}", config.describe())),
    }
}

/// Runs as many configurations at once as there are processors; all that is found.
fn all_found(configs: &[Config], text: impl Fn(&Config) -> String + Sync) -> Vec<String> {
    each_of_two(configs, |config| found(config, &text(config)))
}

fn each_of_two(configs: &[Config], look: impl Fn(&Config) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut all = Vec::new();
        while let Some(config) = configs.get(next.fetch_add(1, Ordering::Relaxed)) {
            all.extend(look(config));
        }
        all
    };
    std::thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(work));
        let each = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        each.flatten().collect()
    })
}

/// Without power-up values these cores do what the model does, and let no X out.
pub fn agree_without_x(configs: &[Config]) {
    if have(&tools::ICARUS) {
        let found = all_found(configs, |config| without_power_up(&verilog(config)));
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn no_core_lets_x_out() {
    agree_without_x(&all_configs());
}

/// In a frame of one beat that ends within a header, a wide core takes lanes without a byte for a part of the header.
#[test]
fn a_header_that_its_frame_cuts_lets_no_x_out() {
    if !have(&tools::ICARUS) {
        return;
    }
    let config = built(Request {
        core: Some(CoreName::Sanitise),
        replace: Some(Replace::Ascii),
        frames: Some(true),
        lanes: Some(64),
        form: Some(Form::Free),
        ..Request::default()
    });
    let frame = [ethernet(0, 0x0800), ipv4(0, UDP, &udp(b"\xFFtext", 0))].concat();
    let input: Vec<Vec<u8>> = (0..=frame.len()).map(|end| frame[..end].to_vec()).collect();
    let verilog = without_power_up(&verilog(&config));
    let pattern = Pattern {
        reset: 0.0,
        ..pattern(&config)
    };
    let outcome = try_run(&config, EngineKind::Icarus, &verilog, &input, pattern).1;
    if let Outcome::Differed(mismatch) = outcome {
        panic!("{mismatch}");
    }
}

/// Frames that end within each header of IP's payload, with lengths that say so, and with lengths that say that there is more.
fn cut_in_headers() -> Vec<Vec<u8>> {
    let (udp, tcp) = (udp(b"text", 0), tcp(0, b"text"));
    // An extension header as the payload: one that is cut is followed by nothing.
    let extension = [UDP, 0, 0, 0, 0, 0, 0, 0];
    let mut frames = Vec::new();
    for tags in 0..2 {
        for (protocol, payload, header) in [
            (UDP, &udp[..], 8),
            (TCP, &tcp, 20),
            (60, &extension, 8),
            (44, &extension, 8),
        ] {
            for end in 0..=header {
                let part = &payload[..end];
                frames.push([ethernet(tags, 0x0800), ipv4(0, protocol, part)].concat());
                for chain in [&[][..], &[(60, 0)], &[(0, 1), (44, 0)]] {
                    frames.push([ethernet(tags, 0x86DD), ipv6(chain, protocol, part)].concat());
                }
            }
            for ip in [
                ipv4(0, protocol, payload),
                ipv6(&[(44, 0)], protocol, payload),
            ] {
                let whole = [
                    ethernet(tags, if ip[0] < 0x60 { 0x0800 } else { 0x86DD }),
                    ip,
                ]
                .concat();
                frames.extend((14..whole.len()).map(|end| whole[..end].to_vec()));
            }
        }
    }
    frames
}

/// What would be the rest of a header that is cut is in lanes without a byte.
#[test]
fn no_header_is_read_beyond_the_end_of_its_frame() {
    if !have(&tools::ICARUS) {
        return;
    }
    let drops = Request {
        frames: Some(true),
        ..Request::default()
    };
    let mut configs = framed();
    configs.push(dropping(8, 64, drops));
    let packets = cut_in_headers();
    let found = each_of_two(&configs, |config| {
        found_with(config, &verilog(config), &packets)
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_netlist_lets_x_out() {
    if !have(&tools::ICARUS) || !have(&tools::YOSYS) {
        return;
    }
    // Yosys takes longest, and most of these netlists are those of `netlist`.
    let configs = [
        decoder(1, Form::Axis, Signature::Keep),
        decoder(1, Form::Free, Signature::Strip),
        decoder(8, Form::Axis, Signature::Flag),
        validator(1, Mode::Snoop, Form::Free),
        validator(8, Mode::Pass, Form::Axis),
    ];
    for family in Family::ALL {
        let found = all_found(&configs, |config| {
            let netlist = synthesise(family, &config.module, &verilog(config));
            let netlist = netlist.unwrap_or_else(|error| panic!("{error}"));
            let cells = with_cells(family, &config.module, &netlist);
            without_power_up(&cells.unwrap_or_else(|error| panic!("{error}")))
        });
        assert!(found.is_empty(), "{}: {}", family.name(), found.join("\n"));
    }
}

/// Every form in which power-up values are written.
#[test]
fn power_up_values_are_taken_out() {
    let text = "// reg x = 1; initial\nmodule a #(parameter W = 1) (\n    input wire c, // = 0\n    output reg [W-1:0] d = {W{1'b0}}, \
                output reg e = 0\n);\n    reg f = 0, g =\n        0, \\h.i[2]  = 1'h0;\n    reg [W*2-1:0] j = {W*2{1'b0}};\n    \
                reg [7:0] m [0:1];\n    initial begin\n        m[0] = 8'h0;\n    end\n    wire k = f == g;\n    \
                always @(posedge c) if (k <= d) f <= e;\nendmodule\n";
    let kept = "module a #(parameter W = 1) (input wire c, output reg [W-1:0] d, output reg e); reg f, g, \\h.i[2] ; \
                reg [W*2-1:0] j; reg [7:0] m [0:1]; wire k = f == g; always @(posedge c) if (k <= d) f <= e; endmodule";
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(bare(&without_power_up(text)), bare(kept));
}
