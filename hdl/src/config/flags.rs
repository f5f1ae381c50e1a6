//! The values of options as a command line has them. Clap's own parsers do not say what is allowed.

use super::classes::Classes;
use super::configuration::{COUNTER_WIDTHS, LANES, MAX_FLOWS, MAX_SIDE_WIDTH, MAX_VERDICT_WIDTH};
use super::depth::{ALLOWED, Depth};
use super::error::list;
use super::port_table::PortTable;
use crate::layout::VERDICT_BITS;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::de::{value::Error, value::StrDeserializer};
use serde::forward_to_deserialize_any;
use std::ffi::OsStr;
use std::marker::PhantomData;

/// The value of an enum with this name.
pub fn by_name<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    let name: StrDeserializer<Error> = name.into_deserializer();
    T::deserialize(name).map_err(|error| error.to_string())
}

/// A value of an enum, by one of its names, which a shell can complete.
#[derive(Clone)]
pub struct ByName<T>(PhantomData<T>);

/// The parser of an option with such a value.
pub fn named<T: DeserializeOwned + Clone + Send + Sync + 'static>() -> ByName<T> {
    ByName(PhantomData)
}

impl<T: DeserializeOwned + Clone + Send + Sync + 'static> TypedValueParser for ByName<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let names = PossibleValuesParser::new(names::<T>());
        let name = names.parse_ref(command, argument, value)?;
        Ok(by_name(&name).expect("one of its names"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names::<T>().iter().map(PossibleValue::new)))
    }
}

/// The names of an enum's values: those that it asks a reader for.
fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names = None;
    let refused = T::deserialize(Asked(&mut names));
    assert!(refused.is_err(), "nothing was read");
    names.expect("it is an enum")
}

/// A reader that has nothing, and keeps the names that it is asked for.
struct Asked<'a>(&'a mut Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = Some(names);
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(de::Error::custom("there is nothing"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
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

pub(super) fn classes(text: &str) -> Result<Classes, String> {
    text.parse()
}

pub(super) fn ports(text: &str) -> Result<PortTable, String> {
    text.parse()
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

pub(super) fn drop_bytes(text: &str) -> Result<usize, String> {
    number(text, || "a whole number of bytes, 1 or more".to_string())
}

pub(super) fn flows(text: &str) -> Result<usize, String> {
    number(text, || format!("a whole number from 1 to {MAX_FLOWS}"))
}

pub(super) fn side_width(text: &str) -> Result<usize, String> {
    number(text, || {
        format!("a whole number from 0 to {MAX_SIDE_WIDTH}")
    })
}
