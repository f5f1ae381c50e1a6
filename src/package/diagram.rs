//! A timing diagram: the first clocks of the core in a simulation, as an SVG.
//!
//! Rust-HDL's own simulator runs it, so that nothing need be installed.

use crate::exit::Failure;
use crate::package::frame;
use golden::Window;
use hdl::config::ports::{Port, ports};
use hdl::config::{Config, Core, Encoding};
use sim::engine::{self, Dut, EngineKind};
use sim::frame::Frame;
use sim::lockstep;
use sim::packets::{InFragments, InMemory, Packets, Piece};
use sim::stimulus::{Pattern, Stimulus};
use sim::texts::Texts;
use sim::undefined::Meaning;
use std::fmt::Write;

/// Pixels of a clock, of a row, and of the names.
const CLOCK: usize = 34;
const ROW: usize = 26;
const NAMES: usize = 190;
/// Height of a wave in its row.
const HIGH: usize = 16;

/// Clocks that are shown after the last beat's.
const AFTER: usize = 4;

/// Clocks that are shown before flows are ready, of which there may be thousands.
const BEFORE: usize = 15;
/// Clocks from one number to the next.
const NUMBERED: usize = 5;

/// A pin's value in every clock that is shown.
struct Wave {
    name: &'static str,
    width: usize,
    values: Vec<String>,
}

/// Two packets: of text, and of text with a byte that is never in UTF-8, or with a word that is ill-formed.
fn packets(config: &Config) -> Vec<Vec<u8>> {
    if let Core::Encode { from, .. } = config.core {
        let text = "é€A".repeat(config.lanes.div_ceil(3));
        let octets = |text: &str| octets(text, from);
        let surrogate = match from {
            Encoding::Utf32 => vec![0x00, 0xD8, 0, 0],
            Encoding::Utf16le => vec![0x00, 0xDC],
            Encoding::Utf16be => vec![0xDC, 0x00],
        };
        return vec![
            octets(&text),
            [octets(&text), surrogate, octets("A")].concat(),
        ];
    }
    let text = "é€A".repeat(config.lanes.div_ceil(6));
    let texts = vec![
        text.clone().into_bytes(),
        [text.as_bytes(), b"\xFFA"].concat(),
    ];
    match config.core.policy().has_frames {
        true => texts.iter().map(|text| frame::around(text)).collect(),
        false => texts,
    }
}

/// A text's words, octet by octet.
fn octets(text: &str, encoding: Encoding) -> Vec<u8> {
    let units = || text.encode_utf16();
    match encoding {
        Encoding::Utf32 => text
            .chars()
            .flat_map(|char| u32::from(char).to_le_bytes())
            .collect(),
        Encoding::Utf16le => units().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16be => units().flat_map(u16::to_be_bytes).collect(),
    }
}

/// Two messages, a beat of one and a beat of the other, if there are two flows: the first one's fragments end within a sequence where
/// they can, the second one begins with a byte that is never in UTF-8.
fn fragments(config: &Config, flows: usize) -> InFragments {
    let lanes = config.lanes;
    let text = "é€A".repeat(lanes.div_ceil(6)).into_bytes();
    let messages = [text.clone(), [b"\xFF", &text[..]].concat()];
    let mut cut = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let mut at = 0;
        while at < message.len() {
            let rest = &message[at..];
            let is_within = |count: &usize| std::str::from_utf8(&rest[..*count]).is_err();
            let within = (1..=lanes.min(rest.len())).rev().find(is_within);
            let count = match within {
                Some(count) if rest.len() > lanes => count,
                _ => rest.len().min(lanes),
            };
            let piece = Piece {
                bytes: rest[..count].to_vec(),
                begins: at == 0,
                ends: count == rest.len(),
                flow: index.min(flows - 1) as u64,
                ..Piece::default()
            };
            cut.push((if flows > 1 { at } else { 0 }, piece));
            at += count;
        }
    }
    cut.sort_by_key(|&(at, _)| at);
    InFragments::new(cut.into_iter().map(|(_, piece)| piece).collect())
}

/// The diagram of a core.
pub fn svg(config: &Config) -> Result<String, Failure> {
    Ok(draw(config, &simulate(config)?))
}

/// What the diagram is of.
pub fn about(config: &Config) -> &'static str {
    match config.core.flows() {
        None => "two packets, the second of them ill-formed",
        Some(1) => "two messages in fragments, the second of them ill-formed",
        Some(_) => {
            "two flows whose fragments interleave; a sequence spans two fragments, and the second flow's message is ill-formed"
        }
    }
}

/// The clocks that are shown.
struct Shown {
    start: usize,
    waves: Vec<Wave>,
}

/// Whether a pin has a wave: not those of a bus that rests.
fn has_wave(pin: &Port) -> bool {
    !pin.name.starts_with("s_axil_")
}

/// The pins in each clock until everything has come out.
fn simulate(config: &Config) -> Result<Shown, Failure> {
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
    let source: Box<dyn Packets> = match config.core.flows() {
        None => Box::new(InMemory::new(&packets)),
        Some(flows) => Box::new(fragments(config, flows)),
    };
    let whole = Window {
        first: 0,
        end: u16::MAX,
    };
    let pattern = Pattern {
        texts: Texts::At(whole),
        ..Pattern::default()
    };
    let mut stimulus = Stimulus::new(source, config, pattern);
    // It knows tready before the clock, as the source does.
    let mut model = lockstep::model(config);
    let meaning = Meaning::of(config, false);
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
        let mut pins = frame.clone();
        // A stream that is watched is not held up: its source waits until the flows are ready.
        if config.core.flows().is_some() && (frame[0] != 0 || !model.ready()) {
            pins[1] = 0;
        }
        model.step(&pins, &mut predicted);
        let mut undefined = engine.run(1, &pins, &mut shown)?;
        meaning.forgive(&predicted, &mut shown, &mut undefined);
        if shown != predicted {
            return Err(Failure::new(
                "the simulation of the timing diagram and the model differ; this is a defect of Runegate, please report it",
            ));
        }
        let values = [(&inputs, &pins), (&outputs, &shown)];
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
            // What has more bytes than words takes longer to come out.
            Some(AFTER) if !model.is_idle() => Some(AFTER),
            Some(clocks) => Some(clocks - 1),
        };
    }
    // As in every other table of the ports.
    let order = ports(config);
    waves.sort_by_key(|wave| order.iter().position(|port| port.name == wave.name));
    let ready = waves.iter().find(|wave| wave.name == "flows_ready");
    let last_not = ready.and_then(|wave| wave.values.iter().rposition(|value| value == "0"));
    let start = last_not.unwrap_or_default().saturating_sub(BEFORE);
    let start = start.next_multiple_of(NUMBERED);
    for wave in &mut waves {
        wave.values.drain(..start);
    }
    Ok(Shown { start, waves })
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

fn draw(config: &Config, Shown { start, waves }: &Shown) -> String {
    let clocks = waves[0].values.len();
    let (width, height) = (NAMES + clocks * CLOCK + 10, (waves.len() + 2) * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"11\">\n\
         <title>{}, simulated: {}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <g stroke=\"black\" fill=\"none\">\n",
        config.module,
        about(config)
    );
    let mut texts = String::new();
    let mut label = |x: usize, y: usize, text: &str| {
        let _ = writeln!(texts, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
    };
    for clock in (0..clocks).step_by(NUMBERED) {
        label(NAMES + clock * CLOCK + 2, 12, &(start + clock).to_string());
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
