//! Reads `tests/vectors`.

use golden::{Event, Kind};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    vector: Vec<Vector>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    pub name: String,
    pub source: String,
    bytes: String,
    events: Vec<String>,
}

impl Vector {
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes
            .split_whitespace()
            .map(|byte| {
                u8::from_str_radix(byte, 16).unwrap_or_else(|_| panic!("{}: {byte}", self.name))
            })
            .collect()
    }

    /// `OFFSET:U+HEX` or `OFFSET:KIND/LENGTH`.
    pub fn events(&self) -> Vec<(u64, Event)> {
        let parse = |text: &String| {
            let (offset, event) = text.split_once(':')?;
            let event = match event.strip_prefix("U+") {
                Some(scalar) => Event::Scalar(u32::from_str_radix(scalar, 16).ok()?),
                None => {
                    let (name, length) = event.split_once('/')?;
                    Event::IllFormed {
                        kind: Kind::ALL.into_iter().find(|kind| kind.name() == name)?,
                        length: length.parse().ok()?,
                    }
                }
            };
            Some((offset.parse().ok()?, event))
        };
        let events = self.events.iter().map(|text| {
            parse(text).unwrap_or_else(|| panic!("{}: {text:?} is no event", self.name))
        });
        events.collect()
    }
}

pub fn vectors() -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut vectors = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the vectors are there") {
        let path = entry.expect("a folder's entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let text = std::fs::read_to_string(&path).expect("a file that can be read");
            let file: File =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            vectors.extend(file.vector);
        }
    }
    vectors
}
