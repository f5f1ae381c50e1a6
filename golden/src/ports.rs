//! The ports of UDP and TCP whose payloads are judged.

/// Protocol and ports of a packet, from its transport header (RFC 768; RFC 9293, section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The header is TCP's, else UDP's.
    pub is_tcp: bool,
    pub source: u16,
    pub destination: u16,
    /// The position of the header in the frame. It begins with the two ports.
    pub at: usize,
}

/// An entry of the table: packets of a protocol that is set, if the port of a side that is set is in the range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub udp: bool,
    pub tcp: bool,
    pub source: bool,
    pub destination: bool,
    pub low: u16,
    pub high: u16,
}

impl Entry {
    fn has(&self, ends: &Ends) -> bool {
        let is_of_protocol = if ends.is_tcp { self.tcp } else { self.udp };
        let ports = self.low..=self.high;
        let has_source = self.source && ports.contains(&ends.source);
        let has_destination = self.destination && ports.contains(&ends.destination);
        is_of_protocol && (has_source || has_destination)
    }
}

/// Entries of a table.
pub const ENTRIES: usize = 16;

/// A table of ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// All ports are judged, whatever the entries say.
    pub all: bool,
    pub entries: [Entry; ENTRIES],
}

impl Ports {
    /// Whether a packet is judged.
    pub fn has(&self, ends: &Ends) -> bool {
        self.all || self.entries.iter().any(|entry| entry.has(ends))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_its_protocol_its_end_and_its_range() {
        let entry = Entry {
            udp: true,
            source: true,
            low: 80,
            high: 81,
            ..Entry::default()
        };
        let mut table = Ports::default();
        table.entries[15] = entry;
        let has = |is_tcp, source, destination| {
            let ends = Ends {
                is_tcp,
                source,
                destination,
                at: 34,
            };
            table.has(&ends)
        };
        assert_eq!(
            [79, 80, 81, 82].map(|port| has(false, port, 9)),
            [false, true, true, false]
        );
        assert!(!has(true, 80, 80) && !has(false, 9, 80));
        let ends = Ends {
            is_tcp: true,
            source: 1,
            destination: 2,
            at: 34,
        };
        let all = Ports {
            all: true,
            ..Ports::default()
        };
        assert!(!Ports::default().has(&ends) && all.has(&ends));
    }
}
