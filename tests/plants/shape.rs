//! Shapes of Verilog: pieces of text in which names stand for any names.

use super::tokens::{Text, is_name};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Pieces of one module.
pub struct Shape(Vec<Vec<Part>>);

enum Part {
    /// This token.
    Token(String),
    /// A name, the same wherever it has this label.
    Name(String),
    /// The begin and the end of a part that is replaced.
    Opens,
    Closes,
}

type Names = BTreeMap<String, String>;

/// Where a shape is.
pub struct Place {
    names: Names,
    /// The parts that are replaced: tokens from the first to before the second.
    pub parts: Vec<(usize, usize)>,
}

impl Place {
    /// A text with the names of this place.
    pub fn named(&self, text: &str) -> String {
        let mut named = text.to_string();
        // No label begins another one once the longer ones are gone.
        let mut labels: Vec<&String> = self.names.keys().collect();
        labels.sort_by_key(|label| std::cmp::Reverse(label.len()));
        for label in labels {
            named = named.replace(&format!("${label}"), &self.names[label]);
        }
        assert!(!named.contains('$'), "no name for a label of {text:?}");
        named
    }
}

impl Shape {
    pub fn new(pieces: &[String]) -> Self {
        Self(pieces.iter().map(|piece| parts(piece)).collect())
    }

    /// All places in a text that have it.
    pub fn find(&self, text: &Text) -> Vec<Place> {
        let mut found = Vec::new();
        for module in text.modules() {
            let mut seen = BTreeSet::new();
            self.find_in(
                text,
                &module,
                0,
                &Names::new(),
                &mut Vec::new(),
                &mut |place| {
                    if seen.insert(place.parts.clone()) {
                        found.push(place);
                    }
                },
            );
        }
        found
    }

    /// Finds the pieces from `piece` on, with what the ones before have found.
    fn find_in(
        &self,
        text: &Text,
        module: &Range<usize>,
        piece: usize,
        names: &Names,
        parts: &mut Vec<(usize, usize)>,
        take: &mut dyn FnMut(Place),
    ) {
        let Some(wanted) = self.0.get(piece) else {
            let (names, parts) = (names.clone(), parts.clone());
            take(Place { names, parts });
            return;
        };
        for start in module.clone() {
            let (mut names, before) = (names.clone(), parts.len());
            if matches(wanted, text, start..module.end, &mut names, parts) {
                self.find_in(text, module, piece + 1, &names, parts, take);
            }
            parts.truncate(before);
        }
    }
}

fn parts(piece: &str) -> Vec<Part> {
    let tokens = Text::new(piece);
    let (mut parts, mut label) = (Vec::new(), false);
    for at in 0..tokens.len() {
        let token = tokens.token(at);
        match token {
            "$" => label = true,
            "«" => parts.push(Part::Opens),
            "»" => parts.push(Part::Closes),
            _ if label => {
                parts.push(Part::Name(token.to_string()));
                label = false;
            }
            _ => parts.push(Part::Token(token.to_string())),
        }
    }
    parts
}

/// Whether a piece begins at the first of the tokens.
fn matches(
    piece: &[Part],
    text: &Text,
    tokens: Range<usize>,
    names: &mut Names,
    parts: &mut Vec<(usize, usize)>,
) -> bool {
    let mut at = tokens.start;
    let mut opened = at;
    for part in piece {
        match part {
            Part::Opens => opened = at,
            Part::Closes => parts.push((opened, at)),
            _ if at == tokens.end => return false,
            Part::Token(token) if token == text.token(at) => at += 1,
            Part::Name(label) if is_name(text.token(at)) => {
                let name = text.token(at);
                let bound = names
                    .entry(label.clone())
                    .or_insert_with(|| name.to_string());
                if bound != name {
                    return false;
                }
                at += 1;
            }
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pieces: &[&str]) -> Vec<Vec<(usize, usize)>> {
        let text = Text::new(
            "module a (input wire x); assign y = x & z; assign z = ~y; endmodule module b (); assign y = x & w; endmodule",
        );
        let pieces: Vec<String> = pieces.iter().map(|piece| piece.to_string()).collect();
        let places = Shape::new(&pieces).find(&text);
        places.into_iter().map(|place| place.parts).collect()
    }

    #[test]
    fn a_shape_is_found_whatever_the_names() {
        assert_eq!(found(&["assign $p = $q & «$r»;"]).len(), 2);
        assert_eq!(
            found(&["assign $p = $q & «$r»;", "assign $r = ~$p;"]),
            [[(13, 14)]]
        );
        assert_eq!(
            found(&["assign $r = ~«$p»;", "assign $p = x & $r;"]),
            [[(19, 20)]]
        );
        assert!(found(&["assign $p = $q & «$r»;", "assign $r = ~$q;"]).is_empty());
        assert!(found(&["assign $p = $p & «$r»;"]).is_empty());
        // A keyword is no name.
        assert!(found(&["$p $q = «$r» & $s;"]).is_empty());
    }
}
