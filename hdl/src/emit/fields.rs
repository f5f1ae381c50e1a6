//! What the fields of a core's outputs are called, and its kinds.

use crate::config::{Config, Core, Encoding};
use crate::layout::{Field, KINDS, VERDICT};

/// The fields of a core's verdict. An encoder counts words where a validator counts scalar values, and gives no signature and no length of
/// an ill-formed piece.
pub fn verdict(config: &Config) -> Vec<Field> {
    let encodes = matches!(config.core, Core::Encode { .. });
    let fields = VERDICT.into_iter();
    let policy = config.core.policy();
    let fields = fields.filter(|field| match field.name {
        "bad" => policy.tells_bad(),
        name if name.starts_with("forbidden") => !policy.forbid.is_empty(),
        "ascii" | "ascii_saturated" | "utf16_units" | "utf16_units_saturated" | "width_class" => {
            policy.is_full
        }
        "head_bytes" | "tail_bytes" => policy.has_open_edges,
        "unjudged" | "reason" => policy.has_window,
        _ => true,
    });
    let fields =
        fields.filter(|field| !encodes || !["signature", "error_len"].contains(&field.name));
    let fields = fields.map(|field| Field {
        name: match field.name {
            "scalars" if encodes => "words",
            "scalars_saturated" if encodes => "words_saturated",
            name => name,
        },
        width: match field.name {
            "error_len" => config.core.grammar().length_bits(),
            _ => field.width,
        },
        ..field
    });
    fields.collect()
}

/// The kinds of ill-formed pieces that a core gives, by code.
pub fn kinds(config: &Config) -> [Option<&'static str>; 8] {
    match config.core {
        Core::Encode {
            from: Encoding::Utf32,
            ..
        } => {
            let mut kinds = [None; 8];
            kinds[0] = Some("none");
            kinds[4] = Some("surrogate");
            kinds[5] = Some("too_large");
            kinds
        }
        Core::Encode { .. } => {
            let mut kinds = [None; 8];
            kinds[0] = Some("none");
            kinds[1] = Some("unpaired_low");
            kinds[6] = Some("unpaired_high");
            kinds[7] = Some("unpaired_high_at_end");
            kinds
        }
        _ => {
            let mut kinds = KINDS.map(Some);
            // Its values go on to where no sequence does.
            if config.core.grammar().is_2279() {
                kinds[5] = None;
            }
            kinds
        }
    }
}
