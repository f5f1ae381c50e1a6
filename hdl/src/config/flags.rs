//! The values of options as a command line has them. Clap's own parsers do not say what is allowed.

use super::configuration::{
    COUNTER_WIDTHS, LANES, MAX_FLOWS, MAX_SIDE_WIDTH, MAX_VERDICT_WIDTH, list,
};
use super::depth::{ALLOWED, Depth};
use crate::layout::VERDICT_BITS;
use serde::de::{DeserializeOwned, IntoDeserializer, value::Error, value::StrDeserializer};

/// The value of an enum with this name.
pub fn by_name<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    let name: StrDeserializer<Error> = name.into_deserializer();
    T::deserialize(name).map_err(|error| error.to_string())
}

fn number(text: &str, allowed: impl FnOnce() -> String) -> Result<usize, String> {
    text.parse().map_err(|_| format!("choose {}", allowed()))
}

pub(super) fn lanes(text: &str) -> Result<usize, String> {
    number(text, || format!("one of {}", list(&LANES)))
}

pub(super) fn depth(text: &str) -> Result<Depth, String> {
    match text {
        "min" => Ok(Depth::Min),
        "max" => Ok(Depth::Max),
        "list" => Ok(Depth::List),
        _ => (text.parse().map(Depth::Clocks)).map_err(|_| ALLOWED.to_string()),
    }
}

pub(super) fn truth(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "choose true or false".to_string())
}

pub(super) fn verdict_width(text: &str) -> Result<usize, String> {
    number(text, || {
        format!("a multiple of 8 from {VERDICT_BITS} to {MAX_VERDICT_WIDTH}")
    })
}

pub(super) fn counter_width(text: &str) -> Result<usize, String> {
    number(text, || format!("one of {}", list(&COUNTER_WIDTHS)))
}

pub(super) fn flows(text: &str) -> Result<usize, String> {
    number(text, || format!("a whole number from 1 to {MAX_FLOWS}"))
}

pub(super) fn side_width(text: &str) -> Result<usize, String> {
    number(text, || {
        format!("a whole number from 0 to {MAX_SIDE_WIDTH}")
    })
}
