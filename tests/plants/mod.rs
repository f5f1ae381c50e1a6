//! Bugs that are planted in emitted Verilog: where they go is found by the shape of the text around it, whatever its names are.
#![allow(dead_code)] // each test binary uses a part

pub mod shape;
pub mod tokens;

use serde::Deserialize;
use shape::Shape;
use std::collections::BTreeMap;
use tokens::Text;

/// The cores with their plants: `plants.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plants {
    pub core: BTreeMap<String, Core>,
    pub plant: Vec<Plant>,
}

/// A configuration, and how much of a random campaign finds each of its plants.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    pub flags: String,
    pub count: String,
}

/// A bug.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plant {
    pub core: String,
    /// What is wrong, in words.
    pub bug: String,
    /// What to look for if the text has changed.
    pub place: String,
    /// Pieces of one module's text, in any order: `$x` is any name, the same one everywhere; what is in « » is broken.
    pub shape: Vec<String>,
    /// What stands in its place, for each « » in order.
    pub instead: Vec<String>,
    /// Such places, in one module or in several.
    #[serde(default = "one")]
    pub places: usize,
    /// Only counters that are about to carry show it, as in `tests/carries.rs`: no short random run gets there.
    #[serde(default)]
    pub carries: bool,
}

fn one() -> usize {
    1
}

impl Plants {
    pub fn read() -> Self {
        let plants: Self = toml::from_str(include_str!("plants.toml")).expect("the plants");
        for plant in &plants.plant {
            let core = &plant.core;
            assert!(
                plants.core.contains_key(core),
                "{core:?} of {:?}",
                plant.bug
            );
        }
        plants
    }

    /// Those of a core.
    pub fn of(&self, core: &str) -> Vec<&Plant> {
        let all = self.plant.iter();
        all.filter(|plant| plant.core == core).collect()
    }
}

/// A part of the text, by its tokens, and what replaces it.
pub struct Edit {
    pub first: usize,
    pub end: usize,
    pub instead: String,
}

impl Plant {
    /// Where it goes, if there are as many such places as there must be; else what is wrong.
    pub fn edits(&self, text: &Text) -> Result<Vec<Edit>, String> {
        let edits = edits(text, &self.shape, &self.instead, self.places);
        edits.map_err(|why| {
            format!(
                "{:?} cannot be planted: {why}; look for {}",
                self.bug, self.place
            )
        })
    }
}

/// Where a shape is, and what stands in place of its parts.
pub fn edits(
    text: &Text,
    shape: &[String],
    instead: &[String],
    places: usize,
) -> Result<Vec<Edit>, String> {
    let shape = Shape::new(shape);
    let found = shape.find(text);
    let named = || {
        let names = found.iter().map(|place| text.module_at(place.parts[0].0));
        names.collect::<Vec<_>>().join(", ")
    };
    if found.len() != places {
        return Err(format!(
            "there are {} such places [{}], and not {places}",
            found.len(),
            named()
        ));
    }
    let mut edits = Vec::new();
    for place in &found {
        if place.parts.len() != instead.len() {
            return Err(format!(
                "{} parts, but {} to stand in their places",
                place.parts.len(),
                instead.len()
            ));
        }
        for (&(first, end), instead) in place.parts.iter().zip(instead) {
            let instead = place.named(instead);
            if Text::new(&instead).same(text, first, end) {
                return Err(format!("{instead:?} stands there already"));
            }
            edits.push(Edit {
                first,
                end,
                instead,
            });
        }
    }
    Ok(edits)
}

/// The text with all of the plants in it. A run has the one whose number, from 1 on, is in the file `choice` when it starts; 0 is none.
pub fn planted(text: &Text, plants: &[&Plant], choice: &str) -> String {
    let top = text.top();
    let mut all = Vec::new();
    for (plant, number) in plants.iter().zip(1..) {
        let edits = plant.edits(text);
        for Edit {
            first,
            end,
            instead,
        } in edits.unwrap_or_else(|why| panic!("{why}"))
        {
            let whole = text.text(first, end);
            let instead = format!("(({top}.planted == {number}) ? ({instead}) : ({whole}))");
            all.push(Edit {
                first,
                end,
                instead,
            });
        }
    }
    let chosen = format!(
        "reg [31:0] planted_choice [0:0];\n    initial $readmemh(\"{choice}\", planted_choice);\n    wire [31:0] planted = planted_choice[0];\n"
    );
    let body = text.body_of_top();
    all.push(Edit {
        first: body,
        end: body,
        instead: chosen,
    });
    text.edited(all)
}
