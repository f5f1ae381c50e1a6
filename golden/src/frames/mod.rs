//! Where the text of an Ethernet frame is: the payload of UDP or TCP in IPv4 or IPv6.
//!
//! The headers are read from the outside to the inside, each by the document that defines it. Every length that a header states is held
//! against the bytes that are there. No checksum is looked at: frames captured at their sender often have none yet.

use crate::{Ends, Unjudged};
use std::ops::Range;

/// The EtherTypes of tags: the C-tag and the S-tag of IEEE 802.1Q, and an S-tag from before it was in the standard.
const TAGS: [u16; 3] = [0x8100, 0x88A8, 0x9100];
const MOST_TAGS: usize = 2;

/// The EtherTypes of RFC 894 and RFC 2464, section 3.
const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86DD;

/// The numbers of protocols, in IPv4 and IPv6 (RFC 768, RFC 9293).
const UDP: u8 = 17;
const TCP: u8 = 6;

/// The numbers of IPv6's extension headers, RFC 8200 sections 4.3 to 4.6.
const HOP_BY_HOP: u8 = 0;
const ROUTING: u8 = 43;
const FRAGMENT: u8 = 44;
const DESTINATION: u8 = 60;
const MOST_EXTENSIONS: usize = 4;

/// The positions of the text in a frame, which begins with its destination address, or why no text of it is judged.
///
/// The text is never empty. TCP's segments are judged only where a text may begin and end anywhere: `takes_segments`.
pub fn read(frame: &[u8], takes_segments: bool) -> Result<Range<usize>, Unjudged> {
    read_some(frame, takes_segments, |_| true)
}

/// The same, but only packets for which `judges` returns true have a text. It is called only if all headers are in order.
pub fn read_some(
    frame: &[u8],
    takes_segments: bool,
    judges: impl FnOnce(&Ends) -> bool,
) -> Result<Range<usize>, Unjudged> {
    let mut rest = Rest::of(frame);
    let text = text(&mut rest, takes_segments, judges);
    match rest.is_short {
        true => Err(Unjudged::Malformed),
        false => text,
    }
}

/// The positions of the text as far as the headers say it, in a frame of which only a part may have come: empty if there is none so far. A
/// frame that will end too early is not yet known to do so.
pub fn read_so_far(
    frame: &[u8],
    takes_segments: bool,
    judges: impl FnOnce(&Ends) -> bool,
) -> Range<usize> {
    text(&mut Rest::of(frame), takes_segments, judges).unwrap_or_default()
}

/// The positions of the text by the headers, of the bytes that are there.
fn text(
    rest: &mut Rest,
    takes_segments: bool,
    judges: impl FnOnce(&Ends) -> bool,
) -> Result<Range<usize>, Unjudged> {
    let protocol = match ethernet(rest)? {
        IPV4 => ipv4(rest)?,
        IPV6 => ipv6(rest)?,
        _ => return Err(Unjudged::NotIp),
    };
    let ends = match protocol {
        UDP => udp(rest)?,
        TCP if takes_segments => tcp(rest)?,
        _ => return Err(Unjudged::OtherProtocol),
    };
    match rest.bytes.len() {
        _ if !judges(&ends) => Err(Unjudged::Port),
        0 => Err(Unjudged::NoPayload),
        length => Ok(rest.at..rest.at + length),
    }
}

/// IEEE 802.3, clause 3.2, and IEEE 802.1Q, clause 9: two addresses, tags, and the EtherType of what follows.
fn ethernet(rest: &mut Rest) -> Result<u16, Unjudged> {
    // Whatever is missing here, the type of what follows is not known.
    let not_ip = |_| Unjudged::NotIp;
    rest.skip(12).map_err(not_ip)?;
    let mut tags = 0;
    loop {
        let ether_type = u16::from_be_bytes(*rest.header().map_err(not_ip)?);
        rest.skip(2)?;
        if !TAGS.contains(&ether_type) {
            return Ok(ether_type);
        }
        if tags == MOST_TAGS {
            return Err(Unjudged::TooDeep);
        }
        tags += 1;
        // The priority and the VLAN.
        rest.skip(2).map_err(not_ip)?;
    }
}

/// RFC 791, section 3.1. Afterwards `rest` is the payload; returns its protocol.
fn ipv4(rest: &mut Rest) -> Result<u8, Unjudged> {
    let header: &[u8; 20] = rest.header()?;
    let version = header[0] >> 4;
    let header_length = 4 * usize::from(header[0] & 0xF);
    if version != 4 || header_length < header.len() {
        return Err(Unjudged::Malformed);
    }
    // Ethernet pads short frames. Only the total length says where the datagram ends.
    rest.datagram(u16::from_be_bytes([header[2], header[3]]));
    rest.skip(header_length)?;
    let flags_and_offset = u16::from_be_bytes([header[6], header[7]]);
    let more_fragments = flags_and_offset & 0x2000 != 0;
    let offset = flags_and_offset & 0x1FFF;
    match more_fragments || offset != 0 {
        true => Err(Unjudged::IpFragment),
        false => Ok(header[9]),
    }
}

/// RFC 8200, section 3. Afterwards `rest` is what follows the extension headers; returns its protocol.
fn ipv6(rest: &mut Rest) -> Result<u8, Unjudged> {
    let header: &[u8; 40] = rest.header()?;
    let version = header[0] >> 4;
    let payload_length = u16::from_be_bytes([header[4], header[5]]);
    // A length of 0 is that of a jumbogram (RFC 2675), whose own is in an option.
    if version != 6 || payload_length == 0 {
        return Err(Unjudged::Malformed);
    }
    rest.skip(header.len())?;
    rest.datagram(payload_length);
    extensions(rest, header[6])
}

/// RFC 8200, section 4: the headers between IPv6's own and the protocol's, each of which has the number of the next.
fn extensions(rest: &mut Rest, first: u8) -> Result<u8, Unjudged> {
    let mut next = first;
    let mut read = 0;
    loop {
        match next {
            // Section 4.1: only directly after IPv6's own header. Elsewhere its number is one that is not recognised.
            HOP_BY_HOP if read == 0 => (),
            ROUTING | FRAGMENT | DESTINATION => (),
            protocol => return Ok(protocol),
        }
        if read == MOST_EXTENSIONS {
            return Err(Unjudged::TooDeep);
        }
        read += 1;
        next = match next {
            FRAGMENT => fragment(rest)?,
            _ => options(rest)?,
        };
    }
}

/// RFC 8200, sections 4.3, 4.4 and 4.6, which begin alike: the number of the next header, and the length in units of eight bytes without the
/// first eight.
fn options(rest: &mut Rest) -> Result<u8, Unjudged> {
    let header: &[u8; 8] = rest.header()?;
    rest.skip(8 * (usize::from(header[1]) + 1))?;
    Ok(header[0])
}

/// RFC 8200, section 4.5. The length is fixed; a datagram with this header may still be whole (RFC 6946).
fn fragment(rest: &mut Rest) -> Result<u8, Unjudged> {
    let header: &[u8; 8] = rest.header()?;
    rest.skip(header.len())?;
    let offset_and_flag = u16::from_be_bytes([header[2], header[3]]);
    let offset = offset_and_flag >> 3;
    let more_fragments = offset_and_flag & 1 != 0;
    match more_fragments || offset != 0 {
        true => Err(Unjudged::IpFragment),
        false => Ok(header[0]),
    }
}

/// RFC 768: the length is that of the header and the text. Afterwards `rest` is the text.
fn udp(rest: &mut Rest) -> Result<Ends, Unjudged> {
    let header: &[u8; 8] = rest.header()?;
    let ends = rest.ends(header, false);
    rest.keep(u16::from_be_bytes([header[4], header[5]]))?;
    rest.skip(header.len())?;
    Ok(ends)
}

/// RFC 9293, section 3.1: the data offset is in units of four bytes. Afterwards `rest` is the text, up to the
/// end of the datagram.
fn tcp(rest: &mut Rest) -> Result<Ends, Unjudged> {
    let header: &[u8; 20] = rest.header()?;
    let ends = rest.ends(header, true);
    let data_offset = 4 * usize::from(header[12] >> 4);
    if data_offset < header.len() {
        return Err(Unjudged::Malformed);
    }
    rest.skip(data_offset)?;
    Ok(ends)
}

/// The part of a frame that is still to be read. A length that exceeds it is malformed.
struct Rest<'a> {
    bytes: &'a [u8],
    /// The position of its first byte in the frame.
    at: usize,
    /// How many bytes IP says that follow those that are there.
    missing: usize,
    /// The frame ends before IP's payload does.
    is_short: bool,
}

impl<'a> Rest<'a> {
    fn of(frame: &'a [u8]) -> Self {
        Self {
            bytes: frame,
            at: 0,
            missing: 0,
            is_short: false,
        }
    }

    /// The first bytes, which stay in the rest.
    fn header<const N: usize>(&self) -> Result<&'a [u8; N], Unjudged> {
        self.bytes.first_chunk().ok_or(Unjudged::Malformed)
    }

    /// Both protocols' headers begin with the source's port and the destination's.
    fn ends(&self, header: &[u8], is_tcp: bool) -> Ends {
        let port = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
        Ends {
            is_tcp,
            source: port(0),
            destination: port(2),
            at: self.at,
        }
    }

    /// Removes bytes from the front.
    fn skip(&mut self, count: usize) -> Result<(), Unjudged> {
        let there = count.min(self.bytes.len());
        let missing = self.missing.checked_sub(count - there);
        self.missing = missing.ok_or(Unjudged::Malformed)?;
        self.bytes = &self.bytes[there..];
        self.at += count;
        Ok(())
    }

    /// Removes what follows a number of bytes.
    fn keep(&mut self, count: u16) -> Result<(), Unjudged> {
        if usize::from(count) > self.bytes.len() + self.missing {
            return Err(Unjudged::Malformed);
        }
        self.datagram(count);
        Ok(())
    }

    /// Removes what follows a number of bytes, some of which may not be there.
    fn datagram(&mut self, count: u16) {
        let there = self.bytes.len().min(count.into());
        self.bytes = &self.bytes[..there];
        self.missing = usize::from(count) - there;
        self.is_short |= self.missing > 0;
    }
}

#[cfg(test)]
mod tests;
