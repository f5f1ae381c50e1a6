//! Capture files: pcap and pcapng, of either byte order, with time in microseconds, nanoseconds, or what pcapng says.

use super::link::Link;
use pcap_parser::nom;
use pcap_parser::pcapng::{self, Block, InterfaceDescriptionBlock, OptionCode};
use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{LegacyPcapBlock, Linktype, PcapError, PcapHeader, SHB_MAGIC};

const NANOSECONDS: u64 = 1_000_000_000;
/// Bytes that tell what a file is.
const MAGIC: usize = 4;
/// The block type of pcapng's older packet block, which nothing writes any more.
const OBSOLETE_PACKET_BLOCK: u32 = 2;

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
    /// What was captured of it; `None` if the record cannot be understood.
    pub captured: Option<Captured<'a>>,
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
    fn of(link: Link, bytes: &'a [u8], stated: u32) -> Option<Self> {
        let length = bytes.len().max(stated as usize);
        (length <= LONGEST_FRAME).then_some(Self {
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

fn link(Linktype(number): Linktype) -> Result<Link, CaptureError> {
    Link::of(number).ok_or(CaptureError::LinkType(number))
}

/// A file of the first format: one header, and records.
fn legacy<'a>(
    file: &'a [u8],
    header: &PcapHeader,
    frame: &mut dyn FnMut(Record<'a>),
) -> Result<Option<Cut>, CaptureError> {
    // The upper half says how long the frames' check sequences are, if they were captured.
    let link = link(Linktype(header.network.0 & 0xFFFF))?;
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
    link: Link,
    /// Units of time in a second.
    resolution: u128,
    /// Seconds to be added.
    offset: i64,
    /// The most bytes of a frame that are captured; 0 is no limit.
    snap_length: u32,
}

impl Interface {
    /// The parser's own reading of times knows neither resolutions of powers of two nor offsets of the other byte order.
    fn of(block: &InterfaceDescriptionBlock, big_endian: bool) -> Result<Self, CaptureError> {
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
        Ok(Self {
            link: link(block.linktype)?,
            // A unit that is too small to count is never reached.
            resolution: resolution.unwrap_or(u128::MAX),
            offset,
            snap_length: block.snaplen,
        })
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

/// A file of pcapng: sections of blocks, in which interfaces are described before frames name them.
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
    let mut interfaces: Vec<Interface> = Vec::new();
    let mut big_endian = false;
    let mut rest = file;
    while !rest.is_empty() {
        let parsed = match big_endian {
            true => pcapng::parse_block_be(rest),
            false => pcapng::parse_block_le(rest),
        };
        let Ok((after, block)) = parsed else {
            return Ok(Some(cut(file, rest)));
        };
        rest = after;
        match block {
            Block::SectionHeader(section) => {
                big_endian = section.big_endian();
                interfaces.clear();
            }
            Block::InterfaceDescription(block) => {
                interfaces.push(Interface::of(&block, big_endian)?);
            }
            Block::EnhancedPacket(block) => {
                let interface = interfaces.get(block.if_id as usize);
                let bytes = block.data.get(..block.caplen as usize);
                frame(Record {
                    time: interface.and_then(|one| one.time(block.ts_high, block.ts_low)),
                    captured: interface.zip(bytes).and_then(|(interface, bytes)| {
                        Captured::of(interface.link, bytes, block.origlen)
                    }),
                });
            }
            Block::SimplePacket(block) => {
                // All of these are of the first interface, and have no time.
                let captured = interfaces.first().and_then(|interface| {
                    let limit = match interface.snap_length {
                        0 => usize::MAX,
                        limit => limit as usize,
                    };
                    let bytes = block.data;
                    let bytes = &bytes[..bytes.len().min(block.orig_len() as usize).min(limit)];
                    Captured::of(interface.link, bytes, block.orig_len())
                });
                frame(Record {
                    time: None,
                    captured,
                });
            }
            Block::Unknown(block)
                if number(block.block_type, big_endian) == OBSOLETE_PACKET_BLOCK =>
            {
                frame(Record {
                    time: None,
                    captured: None,
                });
            }
            _ => {}
        }
    }
    Ok(None)
}

/// A block's type, which the parser always reads as little-endian.
fn number(read: u32, big_endian: bool) -> u32 {
    if big_endian { read.swap_bytes() } else { read }
}
