//! The ports of UDP and TCP whose payloads are judged.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// Entries of a table.
pub const PORT_ENTRIES: usize = 16;
/// Up to this number of entries are in a module's default name. Of more it has the number and a digest.
const NAMED: usize = 4;

/// Ports of a protocol, at a packet's source, its destination or either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortEntry {
    pub is_tcp: bool,
    pub of_source: bool,
    pub of_destination: bool,
    /// The first and the last one.
    pub low: u16,
    pub high: u16,
}

/// A table of ports. One without entries judges all ports, unless it says none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PortTable {
    entries: [Option<PortEntry>; PORT_ENTRIES],
    /// No port is judged until the table is written.
    is_none: bool,
}

impl PortTable {
    pub const NONE: Self = Self {
        entries: [None; PORT_ENTRIES],
        is_none: true,
    };

    /// Those that are used, which are the first ones.
    pub fn entries(&self) -> impl Iterator<Item = PortEntry> {
        self.entries.into_iter().flatten()
    }

    pub fn entry(&self, index: usize) -> Option<PortEntry> {
        self.entries[index]
    }

    /// It has no entry, and all ports are judged.
    pub fn has_all(&self) -> bool {
        self.entries().next().is_none() && !self.is_none
    }

    /// It has no entry, and no port is judged.
    pub fn has_none(&self) -> bool {
        self.is_none
    }

    pub fn has_tcp(&self) -> bool {
        self.entries().any(|entry| entry.is_tcp)
    }

    /// As a part of a module's name.
    pub fn word(&self) -> String {
        match self.entries().count() {
            0 if self.is_none => "noports".to_string(),
            0 => "ports".to_string(),
            1..=NAMED => (self.to_string().replace(',', "_").replace('-', "to")).replace(':', ""),
            more => {
                let digest = Sha256::digest(self.to_string());
                let digest = digest[..4].iter().map(|byte| format!("{byte:02x}"));
                format!("ports{more}_{}", digest.collect::<String>())
            }
        }
    }
}

impl fmt::Display for PortEntry {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(if self.is_tcp { "tcp:" } else { "udp:" })?;
        out.write_str(match (self.of_source, self.of_destination) {
            (true, false) => "src:",
            (false, true) => "dst:",
            _ => "",
        })?;
        write!(out, "{}", self.low)?;
        match self.low == self.high {
            true => Ok(()),
            false => write!(out, "-{}", self.high),
        }
    }
}

impl FromStr for PortEntry {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "{text:?} is no entry of ports; write udp or tcp, then src or dst for one side only, then a port (0 to 65535) or a range \
                 of them, as in udp:514, tcp:80-81 or udp:dst:53"
            )
        };
        let (protocol, rest) = text.split_once(':').ok_or_else(wrong)?;
        let is_tcp = match protocol {
            "udp" => false,
            "tcp" => true,
            _ => return Err(wrong()),
        };
        let (of_source, of_destination, ports) = match rest.split_once(':') {
            None => (true, true, rest),
            Some(("src", ports)) => (true, false, ports),
            Some(("dst", ports)) => (false, true, ports),
            Some(_) => return Err(wrong()),
        };
        // A sign would be taken, too.
        let port = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse::<u16>().map_err(|_| wrong()),
            false => Err(wrong()),
        };
        let (low, high) = ports.split_once('-').unwrap_or((ports, ports));
        let (low, high) = (port(low)?, port(high)?);
        if low > high {
            return Err(format!(
                "{text:?} ends before it begins; write the lower port first, {high}-{low}"
            ));
        }
        Ok(Self {
            is_tcp,
            of_source,
            of_destination,
            low,
            high,
        })
    }
}

impl FromStr for PortTable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut table = Self::default();
        match text {
            "all" => return Ok(table),
            "none" => return Ok(Self::NONE),
            _ => {}
        }
        let words: Vec<&str> = text.split(',').collect();
        if words.len() > PORT_ENTRIES {
            return Err(format!(
                "there are {} entries, but a table has {PORT_ENTRIES}; join neighbouring ports to ranges, or leave some out",
                words.len()
            ));
        }
        for (index, word) in words.into_iter().enumerate() {
            let entry = word.parse()?;
            if table.entries().any(|other| other == entry) {
                return Err(format!(
                    "{word:?} is in the table twice; leave one of them out"
                ));
            }
            table.entries[index] = Some(entry);
        }
        Ok(table)
    }
}

impl TryFrom<String> for PortTable {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<PortTable> for String {
    fn from(table: PortTable) -> Self {
        table.to_string()
    }
}

impl fmt::Display for PortTable {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let entries: Vec<String> = self.entries().map(|entry| entry.to_string()).collect();
        match entries.is_empty() {
            true if self.is_none => out.write_str("none"),
            true => out.write_str("all"),
            false => out.write_str(&entries.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_they_are_written() {
        let full: Vec<String> = (0..PORT_ENTRIES).map(|it| format!("udp:{it}")).collect();
        let full = full.join(",");
        for text in [
            "all",
            "none",
            "udp:514",
            "tcp:80-81",
            "udp:514,tcp:src:0-65535,udp:dst:53",
            &full,
        ] {
            let table: PortTable = text.parse().expect(text);
            assert_eq!(table.to_string(), text);
            assert_eq!(table.has_all(), text == "all");
            assert_eq!(table.has_none(), text == "none");
        }
        let table: PortTable = "udp:dst:514,tcp:80-81".parse().expect("a table");
        assert_eq!(table.word(), "udpdst514_tcp80to81");
        assert!(table.has_tcp());
    }

    #[test]
    fn what_is_no_table_is_refused_with_what_is_one() {
        for wrong in [
            "",
            "514",
            "udp",
            "udp:",
            "udp:65536",
            "udp:-1",
            "udp:+1",
            "UDP:1",
            "sctp:1",
            "udp:1,",
            "udp:1-",
            "udp:any:1",
            "udp:src:dst:1",
            "udp: 1",
            "all,udp:1",
            "udp:1,none",
        ] {
            let error = wrong.parse::<PortTable>().expect_err(wrong);
            assert!(error.contains("udp:514"), "{error}");
        }
        let error = "udp:81-80".parse::<PortTable>().expect_err("a range");
        assert!(error.contains("80-81"), "{error}");
        let error = "udp:1,tcp:1,udp:1-1".parse::<PortTable>();
        assert!(error.expect_err("it is there").contains("twice"));
        let many = ["udp:0"; PORT_ENTRIES + 1].join(",");
        let error = many.parse::<PortTable>().expect_err("17 entries");
        assert!(error.contains("17") && error.contains("16"), "{error}");
    }
}
