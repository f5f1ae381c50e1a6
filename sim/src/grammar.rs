//! The grammar of a core's bytes in the model's own terms.

use hdl::config::{Config, Grammar};

/// That of a core.
pub fn grammar(config: &Config) -> golden::Grammar {
    grammar_of(config.core.grammar())
}

pub const fn grammar_of(grammar: Grammar) -> golden::Grammar {
    match grammar {
        Grammar::Rfc3629 => golden::Grammar::Rfc3629,
        Grammar::Rfc2279 => golden::Grammar::Rfc2279,
    }
}
