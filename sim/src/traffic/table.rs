//! A core's table of flows: which of its entries each message of a capture has.
//!
//! A message takes an entry when it begins and leaves it when it ends. One that finds none free is refused whole: it is not
//! offered, and nothing else is lost by it.

/// What became of a capture's messages in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub flows: usize,
    /// The most messages that were open at a time.
    pub most_open: usize,
    /// What was refused of each flow of the capture.
    pub refused: Vec<Refused>,
}

/// Messages for which no entry was free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    pub messages: u64,
    pub bytes: u64,
}

impl Table {
    /// All that was refused.
    pub fn refused(&self) -> Refused {
        let mut all = Refused::default();
        for refused in &self.refused {
            all.messages += refused.messages;
            all.bytes += refused.bytes;
        }
        all
    }
}
