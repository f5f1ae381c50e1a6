//! Lines of Verilog and its comments.

use crate::config::Grammar;
use std::fmt::Write;

/// What a sentence of a doc comment begins with that is of RFC 2279 only.
const OTHER: &str = "RFC 2279: ";

/// Columns of a line.
pub const WIDTH: usize = 120;

/// The range in a declaration of `width` bits, with a space after it; nothing for one bit.
pub fn range(width: usize) -> String {
    match width {
        1 => String::new(),
        width => format!("[{}:0] ", width - 1),
    }
}

/// Writes a statement, on further lines what does not fit on one: these are indented further.
pub fn fill(text: &str, indent: &str, out: &mut String) {
    let further = format!("{indent}    ");
    for (index, line) in lines(text, &further).iter().enumerate() {
        let line = match index {
            0 => &line[4..],
            _ => line,
        };
        let _ = writeln!(out, "{line}");
    }
}

/// Lines of words, each with the indent. A no-break space becomes a space that no line ends at.
pub fn lines(text: &str, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                *line += word;
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    let lines = lines.iter().map(|line| line.replace('\u{a0}', " "));
    lines.collect()
}

/// Writes a comment, a paragraph from each line.
pub fn comment(doc: &str, indent: &str, out: &mut String) {
    for paragraph in doc.lines() {
        let mut line = format!("{indent}//");
        for word in paragraph.split_whitespace() {
            if line.len() + 1 + word.len() > WIDTH {
                let _ = writeln!(out, "{line}");
                line = format!("{indent}//");
            }
            line.push(' ');
            line += word;
        }
        let _ = writeln!(out, "{line}");
    }
}

/// A doc comment for the reader of the Verilog: a paragraph a line, without Markdown and without the sentences that are of a type's
/// parameters, unless nothing else is there. It has the sentences that are of the core's grammar: see [`of_grammar`].
pub fn plain_words(doc: &str, parameters: &[&str], grammar: Grammar) -> String {
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in doc.lines() {
        if line.is_empty() {
            paragraphs.push(String::new());
        } else if let Some(paragraph) = paragraphs.last_mut() {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            *paragraph += line;
        }
    }
    for paragraph in &mut paragraphs {
        *paragraph = of_grammar(paragraph, grammar);
    }
    let words = |text: &str| {
        let words = text.split(' ').map(plain_word);
        words.collect::<Vec<_>>().join(" ")
    };
    let of_hardware = |sentence: &&str| {
        let code = sentence.split('`').skip(1).step_by(2);
        let mut names = code.flat_map(|code| code.split(|letter: char| !letter.is_alphanumeric()));
        !names.any(|name| parameters.contains(&name))
    };
    let kept = |paragraph: &String| {
        let sentences = paragraph.split_inclusive(". ").filter(of_hardware);
        words(sentences.collect::<String>().trim_end())
    };
    let own: Vec<String> = (paragraphs.iter().map(kept))
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    if !own.is_empty() {
        return own.join("\n");
    }
    let all = paragraphs.iter().map(|paragraph| words(paragraph));
    all.collect::<Vec<_>>().join("\n")
}

/// A paragraph as a core of this grammar has it. A sentence that begins with [`OTHER`] takes the place of the one before it under RFC 2279, and
/// is left out otherwise. So the Verilog of RFC 3629 does not change with what is said of the other.
fn of_grammar(paragraph: &str, grammar: Grammar) -> String {
    let mut sentences = Vec::new();
    for sentence in paragraph.split_inclusive(". ") {
        match sentence.strip_prefix(OTHER) {
            None => sentences.push(sentence),
            Some(other) if grammar.is_2279() => {
                sentences.pop();
                sentences.push(other);
            }
            Some(_) => {}
        }
    }
    sentences.concat().trim_end().to_string()
}

/// The first sentence.
pub fn first_sentence(doc: &str) -> &str {
    let ends = [". ", ".\n"].iter().filter_map(|end| doc.find(end));
    let end = ends.min().unwrap_or(doc.len());
    doc[..end].trim_end_matches('.')
}

/// A word without marks of Markdown; of a path in Rust the last part.
fn plain_word(word: &str) -> String {
    let bare = word.replace(['`'], "");
    let Some((before, rest)) = bare.split_once('[') else {
        return bare;
    };
    match rest.split_once(']') {
        Some((link, after)) if link.contains("::") => {
            let name = link.rsplit("::").next().unwrap_or(link);
            format!("{before}{name}{after}")
        }
        Some((link, after)) if word.contains("[`") => format!("{before}{link}{after}"),
        _ => bare,
    }
}

/// The stage of which a doc comment gives the title, and the title: `Stage 5: second bytes.`
pub fn stage(doc: &str) -> Option<(usize, String)> {
    let (number, title) = doc.strip_prefix("Stage ")?.split_once(": ")?;
    let end = title.find(['.', ';', '\n']).unwrap_or(title.len());
    Some((number.parse().ok()?, title[..end].to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doc_comment_loses_its_markdown_and_what_is_of_types() {
        let doc = "Bits of [`crate::layout::VERDICT`], as `x` has\nthem. `N` is `2 * H`. And more.\n\nA second one.";
        let plain = "Bits of VERDICT, as x has them. And more.\nA second one.";
        let plain_words =
            |doc: &str, parameters: &[&str]| plain_words(doc, parameters, Grammar::Rfc3629);
        assert_eq!(plain_words(doc, &["N", "H"]), plain);
        assert_eq!(first_sentence(plain), "Bits of VERDICT, as x has them");
        assert_eq!(first_sentence("One.\nTwo. Three."), "One");
        assert_eq!(
            plain_words("`N` lanes.", &["N"]),
            "N lanes.",
            "there is nothing else"
        );
    }

    #[test]
    fn a_doc_comment_has_the_sentences_of_the_grammar() {
        for (doc, of_3629, of_2279) in [
            (
                "C2..F4. RFC 2279: C2..FD. Or\nnone.",
                "C2..F4. Or none.",
                "C2..FD. Or none.",
            ),
            ("One.\nRFC 2279: Two.", "One.", "Two."),
            ("A title.\n\nRFC 2279: Two.", "A title.", "A title.\nTwo."),
            (
                "`N` lanes. Of `N`. RFC 2279: Of `M`.",
                "N lanes. Of N.",
                "Of M.",
            ),
            ("RFC 2279: Two.", "", "Two."),
            (
                "As in RFC 2279. One.",
                "As in RFC 2279. One.",
                "As in RFC 2279. One.",
            ),
        ] {
            assert_eq!(plain_words(doc, &["N"], Grammar::Rfc3629), of_3629);
            assert_eq!(plain_words(doc, &["N"], Grammar::Rfc2279), of_2279);
        }
    }

    #[test]
    fn a_stage_has_its_title() {
        let stage = |doc| super::stage(doc);
        let title = Some((5, "second bytes".to_string()));
        assert_eq!(stage("Stage 5: second bytes. And more."), title);
        assert_eq!(stage("Of stage 5: second bytes."), None);
    }

    #[test]
    fn lines_are_filled_and_no_longer() {
        let mut out = String::new();
        fill(&["word"; 60].join(" "), "  ", &mut out);
        assert!(out.lines().all(|line| line.len() <= WIDTH), "{out}");
        assert_eq!(out.split_whitespace().count(), 60);
        assert!(
            out.starts_with("  word") && out.contains("\n      word"),
            "{out}"
        );
    }
}
