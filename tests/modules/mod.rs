//! The sources as they are written: which module of a crate imports which and the circles among them, and the strings in a text.
//!
//! A module is a file. It imports the file in which an item is written, through however many re-exports: a parent that only declares
//! and re-exports its children is in no circle with them. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module's path from the crate's root: the root's own is empty.
type Module = Vec<String>;

/// A crate's modules, each with the words of its text.
pub struct Crate {
    modules: BTreeMap<Module, Vec<String>>,
}

impl Crate {
    /// Of the crate whose root is this file.
    pub fn read(root: &str) -> Self {
        let mut modules = BTreeMap::new();
        let folder = Path::new(root).parent().expect("a folder");
        read(Path::new(root), folder, Vec::new(), &mut modules);
        assert!(modules.len() > 1, "{root} has modules");
        Self { modules }
    }

    /// Each circle, as a line of its modules: of files, and of what is on the top level, a file or a folder.
    pub fn circles(&self) -> Vec<String> {
        let mut files = Edges::new();
        let mut tops = Edges::new();
        for from in self.modules.keys() {
            files.entry(from.clone()).or_default();
            for to in self.imports(from) {
                if let (Some(from), Some(to)) = (from.first(), to.first())
                    && from != to
                {
                    let top = |name: &String| vec![name.clone()];
                    tops.entry(top(from)).or_default().insert(top(to));
                    tops.entry(top(to)).or_default();
                }
                files.entry(from.clone()).or_default().insert(to);
            }
        }
        let circles = [files, tops].into_iter().flat_map(|edges| circles(&edges));
        circles.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The other modules whose items a module names.
    fn imports(&self, module: &Module) -> BTreeSet<Module> {
        let paths = paths(&self.modules[module]);
        let named = paths.into_iter().filter(|(path, _)| path.len() > 1);
        let mut found: BTreeSet<Module> = named
            .filter_map(|(path, _)| self.place(module, &path, 0))
            .collect();
        found.remove(module);
        found
    }

    /// Where the item at a path is written; none if that is not in this crate.
    fn place(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        assert!(depth < 16, "a re-export of itself: {path:?}");
        let mut at = from.clone();
        let mut is_ours = false;
        for (index, part) in path.iter().enumerate() {
            match part.as_str() {
                "crate" => (at, is_ours) = (Vec::new(), true),
                "self" => is_ours = true,
                "super" => {
                    at.pop()?;
                    is_ours = true;
                }
                _ => {
                    at.push(part.clone());
                    if self.modules.contains_key(&at) {
                        is_ours = true;
                        continue;
                    }
                    at.pop();
                    if !is_ours {
                        return None;
                    }
                    let original = self.exported(&at, part, depth);
                    let Some(module) = original else {
                        return Some(at);
                    };
                    let rest = [std::slice::from_ref(part), &path[index + 1..]].concat();
                    return self.place(
                        &module,
                        &[&["self".to_string()], &rest[..]].concat(),
                        depth + 1,
                    );
                }
            }
        }
        Some(at)
    }

    /// The module from which a module re-exports a name.
    fn exported(&self, module: &Module, name: &String, depth: usize) -> Option<Module> {
        let paths = paths(&self.modules[module]).into_iter();
        let mut exports = paths.filter(|(path, is_export)| *is_export && path.last() == Some(name));
        let (path, _) = exports.next()?;
        let parent = self.place(module, &path[..path.len() - 1], depth + 1)?;
        (parent != *module).then_some(parent)
    }
}

/// What each module imports.
type Edges = BTreeMap<Module, BTreeSet<Module>>;

fn circles(edges: &Edges) -> BTreeSet<String> {
    let reached = edges.keys().map(|module| (module, reached(edges, module)));
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = reached.collect();
    let circle = |start: &Module| {
        let both = reached[start]
            .iter()
            .filter(|module| reached[**module].contains(start));
        let names: Vec<String> = both.map(|module| name(module)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    edges.keys().filter_map(circle).collect()
}

/// What is reached from a module by one step or more.
fn reached<'a>(edges: &'a Edges, start: &Module) -> BTreeSet<&'a Module> {
    let mut open: Vec<&Module> = edges[start].iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(module) = open.pop() {
        if seen.insert(module) {
            open.extend(&edges[module]);
        }
    }
    seen
}

fn name(module: &Module) -> String {
    match module.is_empty() {
        true => "the root".to_string(),
        false => module.join("::"),
    }
}

/// Reads a file and those of the modules that it declares, which are in this folder.
fn read(file: &Path, folder: &Path, module: Module, modules: &mut BTreeMap<Module, Vec<String>>) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    let words = without_tests(words(&text));
    for pair in words.windows(3) {
        if pair[0] == "mod" && pair[2] == ";" {
            let below = folder.join(&pair[1]);
            let files = [below.with_extension("rs"), below.join("mod.rs")];
            let file: Option<&PathBuf> = files.iter().find(|file| file.exists());
            let child = [&module[..], &pair[1..2]].concat();
            read(file.expect("a module's file"), &below, child, modules);
        }
    }
    modules.insert(module, words);
}

/// What a text is made of, without comments and characters.
enum Token {
    /// A name, or a sign by itself, but `::` is one.
    Word(String),
    /// A string without its quotes, as it is written.
    Literal(String),
}

fn words(text: &str) -> Vec<String> {
    let words = tokens(text).into_iter().filter_map(|token| match token {
        Token::Word(word) => Some(word),
        Token::Literal(_) => None,
    });
    words.collect()
}

/// The strings in a text.
pub fn literals(text: &str) -> Vec<String> {
    let literals = tokens(text).into_iter().filter_map(|token| match token {
        Token::Word(_) => None,
        Token::Literal(literal) => Some(literal),
    });
    literals.collect()
}

fn tokens(text: &str) -> Vec<Token> {
    let text: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    while at < text.len() {
        let rest = &text[at..];
        let starts = |with: &str| rest.iter().take(with.len()).copied().eq(with.chars());
        let quotes = [
            ("\"", "\""),
            ("b\"", "\""),
            ("r\"", "\""),
            ("br\"", "\""),
            ("r#\"", "\"#"),
            ("br#\"", "\"#"),
        ];
        if starts("//") {
            at += rest.iter().take_while(|&&c| c != '\n').count();
        } else if let Some((start, end)) = quotes.into_iter().find(|(start, _)| starts(start)) {
            at += start.len();
            let from = at;
            while !text[at..].iter().take(end.len()).copied().eq(end.chars()) {
                at += 1 + usize::from(text[at] == '\\' && !start.contains('r'));
            }
            tokens.push(Token::Literal(text[from..at].iter().collect()));
            at += end.len();
        } else if rest[0] == '\'' {
            // A character, or the name of a lifetime.
            at += match rest {
                ['\'', '\\', _, more @ ..] => 4 + more.iter().take_while(|&&c| c != '\'').count(),
                ['\'', _, '\'', ..] => 3,
                _ => 1,
            };
        } else if is_name(rest[0]) {
            let word: String = rest.iter().copied().take_while(|&c| is_name(c)).collect();
            at += word.chars().count();
            tokens.push(Token::Word(word));
        } else {
            let sign = if starts("::") {
                "::"
            } else {
                &rest[0].to_string()
            };
            if !rest[0].is_whitespace() {
                tokens.push(Token::Word(sign.to_string()));
            }
            at += sign.chars().count();
        }
    }
    tokens
}

/// Without items that are compiled for tests only.
fn without_tests(words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let test = ["#", "[", "cfg", "(", "test", ")", "]"];
        if !words[at..].iter().take(test.len()).eq(test) {
            kept.push(words[at].clone());
            at += 1;
            continue;
        }
        let mut depth = 0;
        loop {
            depth += match words[at].as_str() {
                "{" => 1,
                "}" => -1,
                _ => 0,
            };
            let is_end = depth == 0 && [";", "}"].contains(&words[at].as_str());
            at += 1;
            if is_end {
                break;
            }
        }
    }
    kept
}

/// Every path of a text, those of a tree of `use` one by one, and whether it is re-exported.
fn paths(words: &[String]) -> Vec<(Vec<String>, bool)> {
    // One that begins with the sign is of another crate.
    let is_path = |at: usize| {
        let is_sign = |at: Option<usize>| {
            at.and_then(|at| words.get(at))
                .is_some_and(|word| word == "::")
        };
        is_sign(Some(at + 1)) && !is_sign(Some(at)) && !is_sign(at.checked_sub(1))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if words[at] == "use" {
            let is_export = at > 0 && ["pub", ")"].contains(&words[at - 1].as_str());
            at += 1;
            tree(words, &mut at, &[], is_export, &mut found);
        } else if is_path(at) {
            let mut path = vec![words[at].clone()];
            while words.get(at + 1).is_some_and(|next| next == "::") {
                path.push(words[at + 2].clone());
                at += 2;
            }
            found.push((path, false));
        }
        at += 1;
    }
    found
}

/// One tree of `use`, up to what ends it.
fn tree(
    words: &[String],
    at: &mut usize,
    before: &[String],
    is_export: bool,
    found: &mut Vec<(Vec<String>, bool)>,
) {
    let mut path = before.to_vec();
    loop {
        match words[*at].as_str() {
            // The name of another crate comes after it.
            "::" if path.is_empty() => path.push(String::new()),
            "::" => {}
            "{" => {
                while words[*at] != "}" {
                    *at += 1;
                    tree(words, at, &path, is_export, found);
                }
                *at += 1;
                return;
            }
            "," | "}" | ";" => {
                if path.len() > before.len() {
                    found.push((path, is_export));
                }
                return;
            }
            "as" => *at += 1,
            word => path.push(word.to_string()),
        }
        *at += 1;
    }
}
