//! `runegate sim --csr`: what the registers say when all is done, as it was read over their bus.

use hdl::csr::map::{Content, Register, every, find};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The words that were read last, by their addresses.
#[derive(Default)]
pub struct Registers {
    words: BTreeMap<usize, u32>,
}

impl Registers {
    pub fn read(&mut self, address: u32, data: u32) {
        self.words.insert(address as usize, data);
    }

    /// What a register had, if it was read.
    fn value(&self, register: &Register) -> Option<u64> {
        let mut words = (0..register.words()).rev();
        words.try_fold(0, |value, word| {
            let word = self.words.get(&(register.offset + 4 * word))?;
            Some(value << 32 | u64::from(*word))
        })
    }

    /// Each that was read.
    fn values(&self) -> impl Iterator<Item = (&'static Register, u64)> {
        every().filter_map(|register| Some((register, self.value(register)?)))
    }

    /// None if there are no registers.
    pub fn json(&self) -> Option<Value> {
        let values = self
            .values()
            .map(|(register, value)| (register.name.to_string(), value.into()));
        let values: Map<String, Value> = values.collect();
        (!values.is_empty()).then_some(Value::Object(values))
    }

    /// The counters, for people; `begin_again` if there may have been clears and resets in mid-run.
    pub fn told(&self, begin_again: bool) -> String {
        let counters = self
            .values()
            .filter(|(register, _)| matches!(register.content, Content::Counter));
        let told: Vec<String> = counters
            .map(|(register, value)| format!("{} {value}", register.name))
            .collect();
        let lines: Vec<String> = told.chunks(4).map(|line| line.join(", ")).collect();
        if lines.is_empty() {
            return String::new();
        }
        let beat_error = find("status", "beat_error");
        let mut values = self.values();
        let is_set = values
            .any(|(register, value)| register.name == "status" && value >> beat_error.low & 1 == 1);
        let status = if is_set {
            "  status: beat_error, set by a refused beat\n"
        } else {
            ""
        };
        let since = if begin_again {
            " since the last clear or reset"
        } else {
            ""
        };
        format!(
            "  counters{since}, read over AXI4-Lite: {}\n{status}",
            lines.join(",\n    ")
        )
    }
}
