//! A timing diagram: the first clocks of the core in a simulation, as an SVG.
//!
//! Rust-HDL's own simulator runs it, so that nothing need be installed.

use crate::Failure;
use hdl::config::Config;
use hdl::ports::{Port, ports};
use sim::engine::{self, Dut, EngineKind};
use sim::frame::Frame;
use sim::lockstep;
use sim::packets::InMemory;
use sim::stimulus::{Pattern, Stimulus};
use std::fmt::Write;

/// Pixels of a clock, of a row, and of the names.
const CLOCK: usize = 34;
const ROW: usize = 26;
const NAMES: usize = 190;
/// Height of a wave in its row.
const HIGH: usize = 16;

/// Clocks that are shown after the last beat's.
const AFTER: usize = 4;

/// A pin's value in every clock.
struct Wave {
    name: &'static str,
    width: usize,
    values: Vec<String>,
}

/// Two packets: of text, and of text with a byte that is never in UTF-8.
fn packets(config: &Config) -> Vec<Vec<u8>> {
    let text = "é€A".repeat(config.lanes.div_ceil(6));
    vec![
        text.clone().into_bytes(),
        [text.as_bytes(), b"\xFFA"].concat(),
    ]
}

/// The diagram of a core.
pub fn svg(config: &Config) -> Result<String, Failure> {
    Ok(draw(config, &simulate(config)?))
}

/// Whether a pin has a wave: not those of a bus that rests.
fn has_wave(pin: &Port) -> bool {
    !pin.name.starts_with("s_axil_")
}

/// The pins in each clock until everything has come out.
fn simulate(config: &Config) -> Result<Vec<Wave>, Failure> {
    let dut = Dut {
        config,
        verilog: "",
        trace: None,
        coverage: false,
        bytes: None,
    };
    let mut engine = engine::start(EngineKind::Embedded, &dut)?;
    let (inputs, outputs) = (Frame::inputs(config), Frame::outputs(config));
    let packets = packets(config);
    let mut stimulus = Stimulus::new(
        Box::new(InMemory::new(&packets)),
        config,
        Pattern::default(),
    );
    // It knows tready before the clock, as the source does.
    let mut model = lockstep::model(config);
    let mut predicted = vec![0; outputs.words];
    let latency = hdl::emit::latency(config);
    let last = latency.stream.max(latency.verdict).unwrap_or_default();

    let mut waves: Vec<Wave> = (inputs.pins.iter().chain(&outputs.pins))
        .filter(|pin| has_wave(pin))
        .map(|pin| Wave {
            name: pin.name,
            width: pin.width,
            values: Vec::new(),
        })
        .collect();
    let mut frame = vec![0; inputs.words];
    let mut shown = vec![0; outputs.words];
    let mut left = None;
    while left != Some(0) {
        let previous = frame.clone();
        stimulus.next(model.ready(), &previous, &mut frame)?;
        model.step(&frame, &mut predicted);
        engine.run(1, &frame, &mut shown)?;
        if shown != predicted {
            return Err(Failure::new(
                "the simulation of the timing diagram and the model differ; this is a defect of Runegate, please report it",
            ));
        }
        let values = [(&inputs, &frame), (&outputs, &shown)];
        let values = values.into_iter().flat_map(|(frame, words)| {
            let pins = frame.pins.iter().filter(|pin| has_wave(pin));
            pins.map(|pin| hex(pin, words, frame))
        });
        for (wave, value) in waves.iter_mut().zip(values) {
            wave.values.push(value);
        }
        left = match left {
            None if stimulus.is_done() => Some(last + AFTER),
            None => None,
            Some(clocks) => Some(clocks - 1),
        };
    }
    // As in every other table of the ports.
    let order = ports(config);
    waves.sort_by_key(|wave| order.iter().position(|port| port.name == wave.name));
    Ok(waves)
}

/// A pin's value in hexadecimal digits.
fn hex(pin: &Port, words: &[u32], frame: &Frame) -> String {
    let at = frame.at(pin.name);
    let digits: String = (words[at..at + pin.words()].iter().rev())
        .map(|word| format!("{word:08x}"))
        .collect();
    let from = digits.len() - pin.width.div_ceil(4);
    digits[from..].to_uppercase()
}

fn draw(config: &Config, waves: &[Wave]) -> String {
    let clocks = waves[0].values.len();
    let (width, height) = (NAMES + clocks * CLOCK + 10, (waves.len() + 2) * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"11\">\n\
         <title>{}, simulated: two packets, the second one ill-formed</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <g stroke=\"black\" fill=\"none\">\n",
        config.module
    );
    let mut texts = String::new();
    let mut label = |x: usize, y: usize, text: &str| {
        let _ = writeln!(texts, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
    };
    for clock in (0..clocks).step_by(5) {
        label(NAMES + clock * CLOCK + 2, 12, &clock.to_string());
    }
    label(4, ROW + HIGH - 3, "clk");
    let half = CLOCK / 2;
    let edges = format!("v-{HIGH}h{half}v{HIGH}h{}", CLOCK - half).repeat(clocks);
    let _ = writeln!(svg, "<path d=\"M{NAMES} {}{edges}\"/>", ROW + HIGH);
    for (row, wave) in waves.iter().enumerate() {
        let top = (row + 2) * ROW;
        label(4, top + HIGH - 3, wave.name);
        let payload = is_shown(wave, waves);
        let mut from = 0;
        while from < clocks {
            let is_same = |clock: &usize| {
                wave.values[*clock] == wave.values[from] && payload[*clock] == payload[from]
            };
            let length = (from..clocks).take_while(is_same).count();
            let (x, run) = (NAMES + from * CLOCK, length * CLOCK);
            let value = &wave.values[from];
            let _ = match (wave.width, payload[from]) {
                (1, true) => {
                    let y = if value == "0" { top + HIGH } else { top };
                    writeln!(
                        svg,
                        "<path d=\"M{x} {top}m0 {HIGH}V{y}h{run}V{}\"/>",
                        top + HIGH
                    )
                }
                (_, false) => {
                    let y = top + HIGH / 2;
                    writeln!(svg, "<path d=\"M{x} {y}h{run}\" stroke=\"#bbb\"/>")
                }
                _ => {
                    let most = (run - 4) / 7;
                    let text = if value.len() > most {
                        let kept = &value[value.len() - most.saturating_sub(1).min(value.len())..];
                        format!("\u{2026}{kept}")
                    } else {
                        value.clone()
                    };
                    label(x + 3, top + HIGH - 4, &text);
                    writeln!(
                        svg,
                        "<rect x=\"{x}\" y=\"{top}\" width=\"{run}\" height=\"{HIGH}\" fill=\"#eef\"/>"
                    )
                }
            };
            from += length;
        }
    }
    svg + "</g>\n" + &texts + "</svg>\n"
}

/// The clocks in which a pin means something: a stream's payload, with its `tvalid`.
fn is_shown(wave: &Wave, waves: &[Wave]) -> Vec<bool> {
    let is_handshake = wave.name.ends_with("tvalid") || wave.name.ends_with("tready");
    let valid = wave.name.rsplit_once("_t").and_then(|(stream, _)| {
        waves
            .iter()
            .find(|wave| wave.name == format!("{stream}_tvalid"))
    });
    match valid {
        Some(valid) if !is_handshake => valid.values.iter().map(|value| value == "1").collect(),
        _ => vec![true; wave.values.len()],
    }
}
