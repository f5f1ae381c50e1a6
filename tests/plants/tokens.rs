//! Verilog as tokens, as far as emitted text needs it.

use super::Edit;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Words that are no names.
const KEYWORDS: [&str; 19] = [
    "module",
    "endmodule",
    "input",
    "output",
    "wire",
    "reg",
    "assign",
    "always",
    "posedge",
    "initial",
    "begin",
    "end",
    "if",
    "else",
    "case",
    "endcase",
    "default",
    "localparam",
    "parameter",
];

/// A text and its tokens: comments are none.
pub struct Text {
    text: String,
    tokens: Vec<Range<usize>>,
}

pub fn is_name(token: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    token.starts_with(begins) && !KEYWORDS.contains(&token)
}

impl Text {
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &text[at..];
            let length = |is: &dyn Fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
            let word = |c: char| c.is_ascii_alphanumeric() || "_'".contains(c);
            let size = match rest.chars().next().expect("there is one") {
                c if c.is_whitespace() => {
                    at += c.len_utf8();
                    continue;
                }
                _ if rest.starts_with("//") => {
                    at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                _ if rest.starts_with("/*") => {
                    at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                    continue;
                }
                '`' => 1 + rest[1..].find(|c| !word(c)).unwrap_or(rest.len() - 1),
                '\'' => length(&word),
                c if word(c) => length(&word),
                _ if ["<=", ">=", "==", "!="]
                    .iter()
                    .any(|two| rest.starts_with(two)) =>
                {
                    2
                }
                c => c.len_utf8(),
            };
            tokens.push(at..at + size);
            at += size;
        }
        Self {
            text: text.to_string(),
            tokens,
        }
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    pub fn token(&self, at: usize) -> &str {
        &self.text[self.tokens[at].clone()]
    }

    /// The text from a token to before another.
    pub fn text(&self, first: usize, end: usize) -> &str {
        &self.text[self.tokens[first].start..self.tokens[end - 1].end]
    }

    /// Whether all of it is a part of another text.
    pub fn same(&self, other: &Self, first: usize, end: usize) -> bool {
        self.len() == end - first
            && (0..self.len()).all(|at| self.token(at) == other.token(first + at))
    }

    /// The modules, each from its first token to after its last one.
    pub fn modules(&self) -> Vec<Range<usize>> {
        let at = |word: &'static str| (0..self.len()).filter(move |&at| self.token(at) == word);
        at("module")
            .zip(at("endmodule"))
            .map(|(first, last)| first..last + 1)
            .collect()
    }

    /// The name of the module with a token.
    pub fn module_at(&self, at: usize) -> &str {
        let module = self
            .modules()
            .into_iter()
            .find(|module| module.contains(&at));
        self.token(module.expect("a token of a module").start + 1)
    }

    /// The first module's name.
    pub fn top(&self) -> &str {
        self.token(self.modules()[0].start + 1)
    }

    /// The first token after the ports of the first module.
    pub fn body_of_top(&self) -> usize {
        let top = self.modules()[0].clone();
        let ends = top.clone().find(|&at| self.token(at) == ";");
        ends.expect("the ports end") + 1
    }

    /// The text with parts of it replaced: no two of them overlap. An empty part is a place to insert.
    pub fn edited(&self, mut edits: Vec<Edit>) -> String {
        edits.sort_by_key(|edit| edit.first);
        let (mut edited, mut at) = (String::new(), 0);
        for Edit {
            first,
            end,
            instead,
        } in edits
        {
            let start = self.tokens[first].start;
            assert!(at <= start, "two plants are at the same place: {instead}");
            edited += &self.text[at..start];
            edited += &instead;
            at = if first == end {
                start
            } else {
                self.tokens[end - 1].end
            };
        }
        edited + &self.text[at..]
    }

    /// The same with other names for everything but the first module and its ports: what an internal signal is called is nobody's
    /// business.
    pub fn renamed(&self) -> Self {
        let ports = self.modules()[0].start..self.body_of_top();
        let kept: BTreeSet<&str> = ports.map(|at| self.token(at)).collect();
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        let mut edits = Vec::new();
        for at in 0..self.len() {
            let name = self.token(at);
            if is_name(name) && !kept.contains(name) {
                let next = format!("other_{}", names.len());
                let instead = names.entry(name).or_insert(next).clone();
                edits.push(Edit {
                    first: at,
                    end: at + 1,
                    instead,
                });
            }
        }
        Self::new(&self.edited(edits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_tokens() {
        let text = Text::new(
            "`default_nettype none\nassign x_1 = ~|y[3:0] <= 16'hfF + 'h1; // no\n/* x */ end",
        );
        let tokens: Vec<&str> = (0..text.len()).map(|at| text.token(at)).collect();
        let expected = "`default_nettype none assign x_1 = ~ | y [ 3 : 0 ] <= 16'hfF + 'h1 ; end";
        assert_eq!(tokens, expected.split(' ').collect::<Vec<_>>());
    }
}
