//! Capture files: pcap and pcapng, of either byte order, with time in microseconds, nanoseconds, or what pcapng says.

use super::link::Link;
use super::skipped::Skipped;
use pcap_parser::nom;
use pcap_parser::pcapng::{self, Block, InterfaceDescriptionBlock, OptionCode};
use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{
    EPB_MAGIC, IDB_MAGIC, LegacyPcapBlock, PcapError, PcapHeader, SHB_MAGIC, SPB_MAGIC,
};

const NANOSECONDS: u64 = 1_000_000_000;
/// Bytes that tell what a file is.
const MAGIC: usize = 4;
/// The block type of pcapng's older packet block, which nothing writes any more.
const OBSOLETE_PACKET_BLOCK: u32 = 2;
/// The block types of frames.
const PACKET_BLOCKS: [u32; 3] = [OBSOLETE_PACKET_BLOCK, SPB_MAGIC, EPB_MAGIC];
/// Bytes of a block's type and of its length, before its content; behind it is the length once more.
const BLOCK_HEADER: usize = 8;
const BLOCK_END: usize = 4;

/// A capture that cannot be used at all. One that is damaged further on can: up to there.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CaptureError {
    #[error(
        "it begins with {found}, but a capture begins with A1B2C3D4 or A1B23C4D in either byte order (pcap), or with 0A0D0D0A \
         (pcapng)"
    )]
    NoCapture { found: String },
    #[error("its header is cut or damaged")]
    Header,
    #[error("its link type is {0}, but those that are known are {known}", known = Link::known())]
    LinkType(i32),
}

/// Where a capture stops making sense: what came before is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The first byte of the record that is not whole, from the beginning of the file.
    pub at: usize,
    /// Bytes of the file from there on.
    pub bytes: usize,
}

/// The longest frame that is believed: what tools capture at the most. A line would take long for one of 4 GiB.
const LONGEST_FRAME: usize = 1 << 18;

/// A frame as it was captured.
pub struct Record<'a> {
    /// When, in nanoseconds since 1970; `None` if the capture does not tell.
    pub time: Option<u64>,
    /// What was captured of it, or why that cannot be told.
    pub captured: Result<Captured<'a>, Skipped>,
}

/// The bytes of a frame.
pub struct Captured<'a> {
    pub link: Link,
    pub bytes: &'a [u8],
    /// How long the frame was, which may be more than was captured.
    pub length: usize,
}

impl<'a> Captured<'a> {
    /// Of a frame that is said to have been so long, if that can be believed.
    fn of(link: Link, bytes: &'a [u8], stated: u32) -> Result<Self, Skipped> {
        let length = bytes.len().max(stated as usize);
        if length > LONGEST_FRAME {
            return Err(Skipped::Unreadable);
        }
        Ok(Self {
            link,
            bytes,
            length,
        })
    }
}

/// Gives every frame of a capture to `frame`, in order; returns where the file is damaged, if it is.
pub fn read<'a>(
    file: &'a [u8],
    frame: &mut dyn FnMut(Record<'a>),
) -> Result<Option<Cut>, CaptureError> {
    match pcap_parser::parse_pcap_header(file) {
        Ok((_, header)) => legacy(file, &header, frame),
        Err(nom::Err::Error(PcapError::HeaderNotRecognized)) => next_generation(file, frame),
        Err(_) if file.len() < MAGIC => Err(no_capture(file)),
        Err(_) => Err(CaptureError::Header),
    }
}

fn no_capture(file: &[u8]) -> CaptureError {
    let magic = file.iter().take(MAGIC);
    let found = match file {
        [] => "nothing".to_string(),
        _ => magic.map(|byte| format!("{byte:02X}")).collect(),
    };
    CaptureError::NoCapture { found }
}

/// A file of the first format: one header, and records.
fn legacy<'a>(
    file: &'a [u8],
    header: &PcapHeader,
    frame: &mut dyn FnMut(Record<'a>),
) -> Result<Option<Cut>, CaptureError> {
    // The upper half says how long the frames' check sequences are, if they were captured.
    let number = header.network.0 & 0xFFFF;
    let link = Link::of(number).ok_or(CaptureError::LinkType(number))?;
    let parse = match (header.is_modified_format(), header.is_bigendian()) {
        (true, _) => pcap_parser::parse_pcap_frame_modified,
        (_, true) => pcap_parser::parse_pcap_frame_be,
        _ => pcap_parser::parse_pcap_frame,
    };
    let unit = if header.is_nanosecond_precision() {
        1
    } else {
        1000
    };
    let mut rest = &file[header.size()..];
    while !rest.is_empty() {
        let Ok((after, block)) = parse(rest) else {
            return Ok(Some(cut(file, rest)));
        };
        let LegacyPcapBlock {
            ts_sec,
            ts_usec,
            origlen,
            data,
            ..
        } = block;
        frame(Record {
            time: Some(u64::from(ts_sec) * NANOSECONDS + u64::from(ts_usec) * unit),
            captured: Captured::of(link, data, origlen),
        });
        rest = after;
    }
    Ok(None)
}

fn cut(file: &[u8], rest: &[u8]) -> Cut {
    Cut {
        at: file.len() - rest.len(),
        bytes: rest.len(),
    }
}

/// What an interface says of its frames.
struct Interface {
    link: Option<Link>,
    /// Units of time in a second.
    resolution: u128,
    /// Seconds to be added.
    offset: i64,
    /// The most bytes of a frame that are captured; 0 is no limit.
    snap_length: u32,
}

impl Interface {
    /// The parser's own reading of times knows neither resolutions of powers of two nor offsets of the other byte order.
    fn of(block: &InterfaceDescriptionBlock, big_endian: bool) -> Self {
        let option = |code| block.options.iter().find(|option| option.code == code);
        let resolution = option(OptionCode::IfTsresol).and_then(|option| option.value.first());
        let exponent = |byte: u8| u32::from(byte & 0x7F);
        let resolution = match resolution {
            None => Some(1_000_000),
            Some(&byte) if byte & 0x80 == 0 => 10_u128.checked_pow(exponent(byte)),
            Some(&byte) => 2_u128.checked_pow(exponent(byte)),
        };
        let offset = option(OptionCode::IfTsoffset).and_then(|option| option.value.first_chunk());
        let offset = match (offset, big_endian) {
            (None, _) => 0,
            (Some(bytes), true) => i64::from_be_bytes(*bytes),
            (Some(bytes), false) => i64::from_le_bytes(*bytes),
        };
        Self {
            link: Link::of(block.linktype.0),
            // A unit that is too small to count is never reached.
            resolution: resolution.unwrap_or(u128::MAX),
            offset,
            snap_length: block.snaplen,
        }
    }

    /// A time in nanoseconds since 1970, if there is such a time.
    fn time(&self, high: u32, low: u32) -> Option<u64> {
        let ticks = u128::from(u64::from(high) << 32 | u64::from(low));
        let (whole, part) = (ticks / self.resolution, ticks % self.resolution);
        let seconds = u64::try_from(whole).ok()?.checked_add_signed(self.offset)?;
        let part = part * u128::from(NANOSECONDS) / self.resolution;
        seconds.checked_mul(NANOSECONDS)?.checked_add(part as u64)
    }
}

/// A file of pcapng.
fn next_generation<'a>(
    file: &'a [u8],
    frame: &mut dyn FnMut(Record<'a>),
) -> Result<Option<Cut>, CaptureError> {
    if !file.starts_with(&SHB_MAGIC.to_le_bytes()) {
        return Err(no_capture(file));
    }
    if pcapng::parse_sectionheaderblock(file).is_err() {
        return Err(CaptureError::Header);
    }
    let mut blocks = Blocks::default();
    let mut rest = file;
    while let Some(block) = blocks.first(rest) {
        blocks.read(block, frame);
        rest = &rest[block.len()..];
    }
    match blocks.unknown_link {
        Some(number) if !blocks.has_known_link => Err(CaptureError::LinkType(number)),
        _ => Ok((!rest.is_empty()).then(|| cut(file, rest))),
    }
}

/// What is known of a file of pcapng at one of its blocks: sections of them, in which interfaces are described before frames name
/// them. One that cannot be understood leaves the others as they are, for each says twice how long it is.
#[derive(Default)]
struct Blocks {
    big_endian: bool,
    /// Of the section; `None` is one that cannot be understood.
    interfaces: Vec<Option<Interface>>,
    /// Of the file: whether any interface has a link type that is known, and one that is not.
    has_known_link: bool,
    unknown_link: Option<i32>,
}

impl Blocks {
    fn number(&self, bytes: &[u8]) -> Option<u32> {
        let bytes = *bytes.first_chunk()?;
        Some(match self.big_endian {
            true => u32::from_be_bytes(bytes),
            false => u32::from_le_bytes(bytes),
        })
    }

    /// The block that is first, if there is one that ends where it says.
    fn first<'a>(&mut self, rest: &'a [u8]) -> Option<&'a [u8]> {
        if rest.starts_with(&SHB_MAGIC.to_le_bytes()) {
            // The order of a section's bytes is that of the number that it begins with.
            let (_, section) = pcapng::parse_sectionheaderblock(rest).ok()?;
            self.big_endian = section.big_endian();
        }
        let length = self.number(rest.get(BLOCK_HEADER / 2..)?)? as usize;
        let block = rest.get(..length)?;
        let end = length.checked_sub(BLOCK_END)?;
        let is_whole = end >= BLOCK_HEADER && length.is_multiple_of(BLOCK_END);
        (is_whole && self.number(&block[end..])? as usize == length).then_some(block)
    }

    /// Gives the block's frame to `frame`, if it has one.
    fn read<'a>(&mut self, block: &'a [u8], frame: &mut dyn FnMut(Record<'a>)) {
        let parsed = match self.big_endian {
            true => pcapng::parse_block_be(block),
            false => pcapng::parse_block_le(block),
        };
        let kind = self.number(block);
        match parsed {
            Ok((_, Block::SectionHeader(_))) => self.interfaces.clear(),
            Ok((_, Block::InterfaceDescription(block))) => {
                let interface = Interface::of(&block, self.big_endian);
                match interface.link {
                    Some(_) => self.has_known_link = true,
                    None => self.unknown_link = self.unknown_link.or(Some(block.linktype.0)),
                }
                self.interfaces.push(Some(interface));
            }
            Ok((_, Block::EnhancedPacket(block))) => {
                let interface = self.interface(block.if_id);
                let bytes = block.data.get(..block.caplen as usize);
                frame(Record {
                    time: interface.and_then(|one| one.time(block.ts_high, block.ts_low)),
                    captured: captured(interface, bytes, block.origlen),
                });
            }
            Ok((_, Block::SimplePacket(block))) => {
                // All of these are of the first interface, and have no time.
                let interface = self.interface(0);
                let limit = match interface.map(|one| one.snap_length) {
                    None | Some(0) => usize::MAX,
                    Some(limit) => limit as usize,
                };
                let bytes = block.data;
                let bytes = &bytes[..bytes.len().min(block.orig_len() as usize).min(limit)];
                frame(Record {
                    time: None,
                    captured: captured(interface, Some(bytes), block.orig_len()),
                });
            }
            _ if kind.is_some_and(|kind| PACKET_BLOCKS.contains(&kind)) => frame(Record {
                time: None,
                captured: Err(Skipped::Unreadable),
            }),
            Err(_) if kind == Some(IDB_MAGIC) => self.interfaces.push(None),
            _ => {}
        }
    }

    fn interface(&self, number: u32) -> Option<&Interface> {
        self.interfaces.get(number as usize)?.as_ref()
    }
}

/// A frame of an interface, if there are these.
fn captured<'a>(
    interface: Option<&Interface>,
    bytes: Option<&'a [u8]>,
    stated: u32,
) -> Result<Captured<'a>, Skipped> {
    let (interface, bytes) = interface.zip(bytes).ok_or(Skipped::Unreadable)?;
    let link = interface.link.ok_or(Skipped::UnknownLink)?;
    Captured::of(link, bytes, stated)
}
