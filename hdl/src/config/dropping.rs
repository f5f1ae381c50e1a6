//! The packets that drop mode can drop: how many beats wait for their verdict at most.

use super::configuration::{Config, Core, CoreName, Mode};
use super::depth::depths;
use super::error::ConfigError;

/// By default packets of this number of bytes can be dropped, or longer ones if [`DEFAULT_WORDS`] have room for them: the longest Ethernet frame
/// that is in common use.
const DEFAULT_BYTES: usize = 9216;
/// Of a block RAM with 36 bits a word an ECP5 has no fewer.
const DEFAULT_WORDS: usize = 512;
/// The most words of the memory.
const MAX_WORDS: usize = 65_536;

/// Words that are for the beats on the way through the core, into the memory and out of it, so that a sink which is always ready never
/// makes the source wait. They are counted at the greatest depth: another depth drops the same packets.
fn spare(core: Core, lanes: usize) -> usize {
    depths(core, lanes).end() + 8
}

/// Words of the memory that has room for a packet of this number of beats.
fn words_for(core: Core, lanes: usize, beats: usize) -> usize {
    (beats + spare(core, lanes)).next_power_of_two()
}

/// Beats of the longest packet that can be dropped, by default.
pub(super) fn default_beats(core: Core, lanes: usize) -> usize {
    let words = words_for(core, lanes, DEFAULT_BYTES.div_ceil(lanes));
    words.max(DEFAULT_WORDS) - spare(core, lanes)
}

impl Mode {
    /// Whether the packets pass through the core.
    pub const fn passes(self) -> bool {
        matches!(self, Mode::Pass | Mode::Drop)
    }
}

impl Config {
    /// Whether a register says for which reasons packets that are not judged are dropped.
    pub fn closes(&self) -> bool {
        let drops = self.core.packet_memory(self.lanes).is_some();
        drops && self.has_registers() && self.core.policy().has_window
    }
}

impl Core {
    /// Words of the memory in which packets wait for their verdict, a power of two, and the beats of the longest one that can be dropped.
    /// `None` if no packet is dropped.
    pub fn packet_memory(&self, lanes: usize) -> Option<(usize, usize)> {
        let Core::Validate {
            drop_bytes: Some(bytes),
            ..
        } = *self
        else {
            return None;
        };
        let beats = bytes / lanes;
        Some((words_for(*self, lanes, beats), beats))
    }
}

/// The core with as many beats as the memory that it needs has room for. `asked` is what somebody asks for, in bytes.
pub(super) fn with_drop_bytes(
    core: Core,
    lanes: usize,
    asked: Option<usize>,
) -> Result<Core, ConfigError> {
    let mut core = core;
    let Core::Validate {
        mode: Mode::Drop, ..
    } = core
    else {
        return match (asked, core.name()) {
            (Some(bytes), CoreName::Validate) => Err(ConfigError::DropBytesWithoutDrop(bytes)),
            _ => Ok(core),
        };
    };
    let spare = spare(core, lanes);
    let most = (MAX_WORDS - spare) * lanes;
    let beats = match asked {
        None => default_beats(core, lanes),
        Some(bytes) if (1..=most).contains(&bytes) => {
            words_for(core, lanes, bytes.div_ceil(lanes)) - spare
        }
        Some(bytes) => return Err(ConfigError::DropBytes { bytes, most }),
    };
    if let Core::Validate { drop_bytes, .. } = &mut core {
        *drop_bytes = Some(beats * lanes);
    }
    Ok(core)
}
