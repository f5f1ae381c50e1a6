//! `sim --pcap`: captures, written here byte by byte, and what the cores say of the payloads in them.

mod bad;
mod blocks;
mod example;
mod files;
mod flows;
mod formats;
mod frames;
mod line;
mod streams;
mod traffic;
mod whole;

use crate::support::{Place, json};
use serde_json::Value;
use std::str::from_utf8;

/// What a core says of a capture.
struct Told(Value);

/// Runs a core on a capture.
fn told_by(core: &str, capture: &[u8]) -> Told {
    let place = Place::new();
    place.write("a.pcap", capture);
    Told(json(&place.run(&format!(
        "sim --engine embedded --json --core {core} --lanes 4 --pcap a.pcap"
    ))))
}

fn told(capture: &[u8]) -> Told {
    told_by("decode", capture)
}

impl Told {
    /// Checks that these are the packets, by what the standard library says of them.
    #[track_caller]
    fn has_packets<P: AsRef<[u8]>>(&self, expected: &[P]) -> &Self {
        let packets = self.0["packets"].as_array().expect("packets");
        let said: Vec<_> = packets
            .iter()
            .map(|packet| {
                let number = |field: &str| packet[field].as_u64();
                (
                    number("bytes"),
                    number("valid_up_to"),
                    number("error_len"),
                    number("scalars"),
                    packet["well_formed"] == true,
                )
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|packet| {
                let packet = packet.as_ref();
                let error = from_utf8(packet).err();
                let chunks = packet.utf8_chunks();
                let scalars: usize = chunks.map(|chunk| chunk.valid().chars().count()).sum();
                (
                    Some(packet.len() as u64),
                    Some(error.map_or(packet.len(), |error| error.valid_up_to()) as u64),
                    error.map(|error| error.error_len().unwrap_or(0) as u64),
                    Some(scalars as u64),
                    error.is_none(),
                )
            })
            .collect();
        assert_eq!(said, expected);
        self
    }

    /// Checks what became of the frames: each is counted once.
    #[track_caller]
    fn has_frames(&self, used: u64, skipped: &[(&str, u64)]) -> &Self {
        let capture = &self.0["capture"];
        let map: serde_json::Map<String, Value> = skipped
            .iter()
            .map(|(why, count)| (why.to_string(), (*count).into()))
            .collect();
        assert_eq!(capture["skipped"], Value::Object(map));
        assert_eq!(capture["used"], used);
        let all = used + skipped.iter().map(|(_, count)| count).sum::<u64>();
        assert_eq!(capture["frames"], all);
        self
    }

    /// Checks fields of a flow.
    #[track_caller]
    fn has_flow(&self, flow: usize, fields: Value) -> &Self {
        for (name, value) in fields.as_object().expect("fields") {
            assert_eq!(
                &self.0["flows"][flow][name], value,
                "{name} of {}",
                self.0["flows"]
            );
        }
        self
    }
}
