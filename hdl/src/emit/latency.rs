//! The latency of a whole core.

use crate::backpressure::{FIFO_LATENCY, block_fifo, packet_fifo, shallow};
use crate::config::{Config, Core, Form, Mode, Replace};
use crate::{csr, decode, encode, flows, sanitise, schedule, validate};
use std::fmt;

/// Clocks from an accepted beat to what it gives, without stalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// From a beat to its own on `m_axis`; of events, if nothing of it waits for the next byte, and if `dense` then to the
    /// beat that it completes. Of a packet that may be dropped, from its last beat to its first one on `m_axis`.
    pub stream: Option<usize>,
    /// From a packet's last beat to its verdict.
    pub verdict: Option<usize>,
}

/// The latency of a core.
pub fn latency(config: &Config) -> Latency {
    let lanes = config.lanes;
    let fifo = match (config.form, config.has_shallow_fifo()) {
        (Form::Free, _) => 0,
        (Form::Axis, false) => FIFO_LATENCY,
        (Form::Axis, true) => shallow::LATENCY,
    };
    let staged = staged(config);
    let window = config.core.policy().clocks_to_pieces();
    let events = |dense| {
        config
            .depth
            .unwrap_or(decode::pipeline::latency(lanes, dense))
    };
    let verdict = config
        .depth
        .unwrap_or(window + validate::latency(lanes, config.core.grammar()));
    match config.core {
        Core::Decode { dense, .. } => Latency {
            stream: Some(events(dense) + fifo),
            verdict: None,
        },
        Core::Encode { from, .. } => Latency {
            stream: Some(encode::pipeline::latency(
                lanes,
                from.is_utf16(),
                encode::slots::of_word(config.core.grammar()),
            )),
            verdict: Some(encode::pipeline::verdict_latency(lanes, from.is_utf16()) + FIFO_LATENCY),
        },
        Core::Sanitise { replace, .. } => Latency {
            stream: Some(match replace {
                Replace::Ascii => window + sanitise::repair::LATENCY + fifo,
                Replace::Fffd => encode::pipeline::repaired_latency(lanes),
            }),
            verdict: Some(verdict + fifo),
        },
        Core::Validate {
            mode: Mode::Pass, ..
        } => Latency {
            stream: Some(schedule::to_judged(config) + 1 + fifo + staged),
            verdict: Some(verdict + fifo + staged),
        },
        Core::Validate {
            mode: Mode::Drop, ..
        } => Latency {
            stream: Some(schedule::to_judged(config) + 1 + packet_fifo::LATENCY + staged),
            verdict: Some(verdict + block_fifo::LATENCY + staged),
        },
        Core::Validate { flows: Some(_), .. } => Latency {
            stream: None,
            verdict: Some(config.depth.unwrap_or(flows::latency(lanes))),
        },
        // A core that snoops has no FIFO.
        Core::Validate {
            mode: Mode::Snoop, ..
        } => Latency {
            stream: None,
            verdict: Some(verdict + staged),
        },
    }
}

/// Clocks that a beat comes to the core later: with registers, one of a stream that nothing holds up.
fn staged(config: &Config) -> usize {
    let holds_up = match config.core {
        Core::Validate { flows, mode, .. } => {
            flows.is_some() || (config.form == Form::Axis && mode.passes())
        }
        _ => config.form == Form::Axis,
    };
    usize::from(config.has_registers() && !holds_up)
}

/// Clocks from a packet's last beat, or from any beat of a flow, until it is in all counters.
pub fn counted(config: &Config) -> usize {
    let most = match config.core.flows() {
        Some(_) => flows::to_counters(config.lanes),
        None => {
            let window = config.core.policy().clocks_to_pieces();
            window + csr::latency(config.lanes) + staged(config)
        }
    };
    most - schedule::merged(config)
}

impl Latency {
    /// Of what the core is for: what a stream becomes, or else the verdict.
    pub fn main(&self) -> Option<usize> {
        self.stream.or(self.verdict)
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match (self.stream, self.verdict) {
            (Some(stream), None) => write!(out, "{stream}"),
            (None, Some(verdict)) => write!(out, "{verdict}"),
            (Some(stream), Some(verdict)) => write!(out, "{stream}, of the verdict {verdict}"),
            (None, None) => Ok(()),
        }
    }
}
