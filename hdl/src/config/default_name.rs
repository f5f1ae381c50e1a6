//! The default name of a module.

use super::configuration::{Config, Core, Form, Mode, OnError, Replace, Signature};
use super::dropping::default_beats;
use crate::layout::COUNTER_BITS;

/// `utf8_`, the core, a word for every option that has not its default, and `_w` with the number of lanes: `utf8_decode_free_w8`.
///
/// Different configurations have different names. Only the last word is `w` with a number, so no name is another one followed by `_`, as
/// the names of a module's inner modules are.
pub fn default_name(config: &Config) -> String {
    let mut words = vec![format!("utf8_{}", config.core.name())];
    let mut add = |word: String, is_default: bool| {
        if !is_default {
            words.push(word);
        }
    };
    let (side, least) = (config.side, config.core.verdict_bits());
    match config.core {
        Core::Decode {
            signature,
            dense,
            to,
            grammar,
        } => {
            add(grammar.to_string(), grammar.is_default());
            add(to.to_string(), to.is_default());
            add("dense".to_string(), !dense);
            add(signature.to_string(), signature == Signature::default());
        }
        Core::Validate {
            mode,
            verdict_width,
            counter_width,
            flows,
            csr,
            grammar,
            signature,
            forbid,
            edges,
            verdict,
            window,
            frames,
            ports,
            drop_bytes,
            early_bad,
        } => {
            add(grammar.to_string(), grammar.is_default());
            add(mode.to_string(), mode == Mode::default());
            if let Some(bytes) = drop_bytes {
                let beats = default_beats(config.core, config.lanes);
                add(format!("max{bytes}"), bytes == beats * config.lanes);
            }
            add("early".to_string(), !early_bad);
            add(signature.to_string(), signature.is_default());
            add(format!("forbid{:02x}", forbid.bits()), forbid.is_empty());
            add(edges.to_string(), edges.is_default());
            add(verdict.to_string(), verdict.is_default());
            add("window".to_string(), !window);
            add("frames".to_string(), !frames);
            if let Some(ports) = ports {
                add(ports.word(), false);
            }
            if let Some(flows) = flows {
                add(format!("flows{flows}"), false);
            }
            add("csr".to_string(), !csr);
            let width = format!("verdict{verdict_width}");
            add(width, verdict_width == least);
            let width = format!("count{counter_width}");
            add(width, counter_width == COUNTER_BITS);
        }
        Core::Encode {
            from,
            on_error,
            grammar,
            verdict_width,
            counter_width,
        } => {
            add(grammar.to_string(), grammar.is_default());
            add(from.to_string(), from.is_default());
            add(on_error.to_string(), on_error == OnError::default());
            let width = format!("verdict{verdict_width}");
            add(width, verdict_width == least);
            let width = format!("count{counter_width}");
            add(width, counter_width == COUNTER_BITS);
        }
        Core::Sanitise {
            replace,
            signature,
            window,
            frames,
            ports,
            verdict_width,
            counter_width,
        } => {
            add(replace.to_string(), replace == Replace::default());
            add(signature.to_string(), signature == Signature::default());
            add("window".to_string(), !window);
            add("frames".to_string(), !frames);
            if let Some(ports) = ports {
                add(ports.word(), false);
            }
            let width = format!("verdict{verdict_width}");
            add(width, verdict_width == least);
            let width = format!("count{counter_width}");
            add(width, counter_width == COUNTER_BITS);
        }
    }
    add(config.form.to_string(), config.form == Form::default());
    if let Some(depth) = config.depth {
        add(format!("depth{depth}"), false);
    }
    let id = config.core.flows().map_or(0, id_width_of);
    add(format!("id{}", side.id), side.id == id);
    add(format!("dest{}", side.dest), side.dest == 0);
    add(format!("user{}", side.user), side.user == 0);
    add("beat_error".to_string(), !config.beat_error);
    format!("{}_w{}", words.join("_"), config.lanes)
}

/// Bits of `tid` that number this many flows.
pub fn id_width_of(flows: usize) -> usize {
    (flows.next_power_of_two().ilog2() as usize).max(1)
}
