//! What a parser that nobody here wrote says of a frame: etherparse.
//!
//! [`class`] sorts frames by what a parser and a core say of them. If they contradict each other, one of them has a defect.

use etherparse::err::Layer;
use etherparse::err::ipv6_exts::HeaderError;
use etherparse::err::packet::SliceError;
use etherparse::{
    Ipv6ExtensionSlice, LaxLinkExtSlice, LaxNetSlice, LaxSlicedPacket, NetSlice, SlicedPacket,
    TransportSlice,
};
use golden::{Ends, Ports, Unjudged};
use std::ops::Range;

/// Both find the same text, or the same fault.
pub const SAME: [&str; 17] = [
    "TCP without a text",
    "UDP without a text",
    "a cut extension header",
    "a cut header of IP",
    "a cut header of TCP",
    "a cut third tag",
    "a fragment",
    "a text in TCP",
    "a text in UDP",
    "another protocol",
    "cut before IP",
    "not IP",
    "the data offset of TCP",
    "the length of IP",
    "the length of UDP",
    "the version of IPv6",
    "the version or header length of IPv4",
];

/// The parser reads what the core does not, or takes it for something else.
pub const OTHER: [&str; 11] = [
    "IPv6 of length 0",
    "MACsec",
    "UDP of length 0",
    "a cut ARP",
    "a cut ICMP or IGMP",
    "a cut fifth extension header",
    "a fifth extension header",
    "a fragment with an error",
    "a third tag",
    "an authentication header",
    "late hop-by-hop options",
];

/// What the parser says of a frame.
struct Foreign<'a> {
    packet: Result<SlicedPacket<'a>, SliceError>,
    /// Where it stopped for a length.
    stopped: Option<Layer>,
    opened: Opened,
}

/// What the parser opened. Its lax variant keeps what was in order before an error.
#[derive(Default)]
struct Opened {
    tags: usize,
    has_macsec: bool,
    has_authentication: bool,
    extensions: usize,
    is_fragment: bool,
    is_jumbogram: bool,
}

impl<'a> Foreign<'a> {
    fn of(frame: &'a [u8]) -> Self {
        let packet = SlicedPacket::from_ethernet(frame);
        let stopped = match &packet {
            Err(SliceError::Len(error)) => Some(error.layer),
            _ => None,
        };
        let lax = LaxSlicedPacket::from_ethernet(frame);
        Self {
            packet,
            stopped,
            opened: lax.map(Opened::of).unwrap_or_default(),
        }
    }

    /// The text that it finds, and the class of those that are in the same protocol.
    fn text(&self, frame: &[u8]) -> Option<(Range<usize>, &'static str)> {
        let (payload, class) = match self.packet.as_ref().ok()?.transport.as_ref()? {
            TransportSlice::Udp(udp) => (udp.payload(), "a text in UDP"),
            TransportSlice::Tcp(tcp) => (tcp.payload(), "a text in TCP"),
            _ => return None,
        };
        let first = payload.as_ptr().addr() - frame.as_ptr().addr();
        Some((first..first + payload.len(), class))
    }

    /// A header of TCP follows, whatever is wrong with it.
    fn is_tcp(&self) -> bool {
        match &self.packet {
            Ok(packet) => matches!(packet.transport, Some(TransportSlice::Tcp(_))),
            Err(SliceError::Tcp(_)) => true,
            Err(_) => self.stopped == Some(Layer::TcpHeader),
        }
    }

    /// The ends of a text.
    fn ends(&self) -> Option<Ends> {
        let (is_tcp, source, destination) = match self.packet.as_ref().ok()?.transport.as_ref()? {
            TransportSlice::Udp(udp) => (false, udp.source_port(), udp.destination_port()),
            TransportSlice::Tcp(tcp) => (true, tcp.source_port(), tcp.destination_port()),
            _ => return None,
        };
        Some(Ends {
            is_tcp,
            source,
            destination,
            at: 0,
        })
    }
}

impl Opened {
    fn of(packet: LaxSlicedPacket) -> Self {
        let stopped = packet.stop_err.map(|(_, layer)| layer);
        let links = packet.link_exts.iter();
        let is_tag = |it: &&LaxLinkExtSlice| matches!(it, LaxLinkExtSlice::Vlan(_));
        let tags = links.filter(is_tag).count();
        let mut opened = Self {
            tags,
            has_macsec: packet.link_exts.len() > tags
                || matches!(stopped, Some(Layer::MacsecHeader | Layer::MacsecPacket)),
            has_authentication: stopped == Some(Layer::IpAuthHeader),
            ..Self::default()
        };
        match &packet.net {
            Some(LaxNetSlice::Ipv4(ip)) => {
                opened.has_authentication |= ip.extensions().auth.is_some();
                opened.is_fragment = ip.is_payload_fragmented();
            }
            Some(LaxNetSlice::Ipv6(ip)) => {
                // Its iterator does not stop where an error did, so it is not asked for more than there is.
                let mut left = ip.extensions().slice().len();
                let mut extensions = ip.extensions().clone().into_iter();
                while left > 0 {
                    opened.extensions += 1;
                    left -= match extensions.next().expect("it is in the slice") {
                        Ipv6ExtensionSlice::Fragment(it) => it.slice().len(),
                        Ipv6ExtensionSlice::Authentication(it) => {
                            opened.has_authentication = true;
                            it.slice().len()
                        }
                        Ipv6ExtensionSlice::HopByHop(it)
                        | Ipv6ExtensionSlice::Routing(it)
                        | Ipv6ExtensionSlice::DestinationOptions(it) => it.slice().len(),
                    };
                }
                opened.is_fragment = ip.is_payload_fragmented();
                opened.is_jumbogram = ip.header().payload_length() == 0;
            }
            _ => (),
        }
        opened
    }
}

/// Which payloads a core judges.
#[derive(Clone, Copy)]
pub struct Judges {
    pub segments: bool,
    /// The ports, if not all.
    pub ports: Option<Ports>,
}

/// The text of a frame by the parser, if there is one.
pub fn text(frame: &[u8]) -> Option<Range<usize>> {
    Foreign::of(frame).text(frame).map(|(place, _)| place)
}

/// Compares a core's verdict on a frame with what the parser says of it. `outcome` is the number of bytes that the core has judged, or why it has
/// judged none. Returns one of [`SAME`], [`OTHER`], `a segment of TCP` and `another port`; none if the two contradict each other.
pub fn class(
    frame: &[u8],
    outcome: Result<usize, Unjudged>,
    judges: Judges,
) -> Option<&'static str> {
    let foreign = Foreign::of(frame);
    let text = foreign.text(frame);
    let has_port = || {
        let ports = judges.ports?;
        foreign.ends().map(|ends| ports.has(&ends))
    };
    match outcome {
        Ok(bytes) => text
            .filter(|(place, _)| place.len() == bytes && has_port() != Some(false))
            .map(|it| it.1),
        Err(Unjudged::NoPayload) => match text? {
            (place, "a text in TCP") => place.is_empty().then_some("TCP without a text"),
            (place, _) => place.is_empty().then_some("UDP without a text"),
        },
        Err(Unjudged::NotIp) => not_ip(&foreign),
        Err(Unjudged::TooDeep) => too_deep(&foreign),
        Err(Unjudged::Malformed) => malformed(&foreign),
        Err(Unjudged::IpFragment) => fragment(&foreign),
        Err(Unjudged::OtherProtocol) if foreign.is_tcp() && !judges.segments => {
            Some("a segment of TCP")
        }
        Err(Unjudged::OtherProtocol) => other_protocol(&foreign),
        Err(Unjudged::Port) => (has_port() == Some(false)).then_some("another port"),
        Err(Unjudged::NoWindow) => None,
    }
}

fn not_ip(
    Foreign {
        packet,
        stopped,
        opened,
    }: &Foreign,
) -> Option<&'static str> {
    match packet {
        // The parser opens MACsec, which may have IP in it.
        _ if opened.has_macsec => Some("MACsec"),
        Ok(packet) => {
            let is_ip = matches!(packet.net, Some(NetSlice::Ipv4(_) | NetSlice::Ipv6(_)));
            (!is_ip).then_some("not IP")
        }
        // The reader does not care for ARP's lengths.
        Err(_) => match stopped.as_ref()? {
            Layer::Arp => Some("a cut ARP"),
            Layer::Ethernet2Header | Layer::VlanHeader => Some("cut before IP"),
            _ => None,
        },
    }
}

/// The parser reads a third tag, and any number of extension headers. Whatever it finds after them, it has opened them.
fn too_deep(
    Foreign {
        stopped, opened, ..
    }: &Foreign,
) -> Option<&'static str> {
    match (opened.tags, opened.extensions) {
        (3, _) => Some("a third tag"),
        (2, _) if *stopped == Some(Layer::VlanHeader) => Some("a cut third tag"),
        (_, 5..) => Some("a fifth extension header"),
        (_, 4) => match stopped.as_ref()? {
            Layer::Ipv6ExtHeader | Layer::Ipv6FragHeader => Some("a cut fifth extension header"),
            _ => None,
        },
        _ => None,
    }
}

fn malformed(
    Foreign {
        packet,
        stopped,
        opened,
    }: &Foreign,
) -> Option<&'static str> {
    match packet {
        // Two lengths of 0 are "as much as there is" to the parser.
        _ if opened.is_jumbogram => Some("IPv6 of length 0"),
        Ok(packet) => match packet.transport.as_ref()? {
            TransportSlice::Udp(udp) => (udp.length() == 0).then_some("UDP of length 0"),
            _ => None,
        },
        Err(SliceError::Ipv4(_)) => Some("the version or header length of IPv4"),
        Err(SliceError::Ipv6(_)) => Some("the version of IPv6"),
        Err(SliceError::Tcp(_)) => Some("the data offset of TCP"),
        Err(_) => match stopped.as_ref()? {
            Layer::Ipv4Header | Layer::Ipv6Header => Some("a cut header of IP"),
            Layer::Ipv4Packet | Layer::Ipv6Packet => Some("the length of IP"),
            Layer::Ipv6ExtHeader | Layer::Ipv6FragHeader => Some("a cut extension header"),
            Layer::UdpHeader | Layer::UdpPayload => Some("the length of UDP"),
            Layer::TcpHeader => Some("a cut header of TCP"),
            _ => None,
        },
    }
}

fn fragment(Foreign { packet, opened, .. }: &Foreign) -> Option<&'static str> {
    match packet {
        Ok(packet) => packet.is_ip_payload_fragmented().then_some("a fragment"),
        // The parser reads on, and finds that what follows is wrong.
        Err(_) => opened.is_fragment.then_some("a fragment with an error"),
    }
}

fn other_protocol(
    Foreign {
        packet,
        stopped,
        opened,
    }: &Foreign,
) -> Option<&'static str> {
    match packet {
        // The parser opens authentication headers, which may have UDP or TCP after them.
        _ if opened.has_authentication => Some("an authentication header"),
        Ok(packet) => match packet.transport {
            Some(TransportSlice::Udp(_) | TransportSlice::Tcp(_)) => None,
            _ => Some("another protocol"),
        },
        Err(SliceError::Ipv6Exts(HeaderError::HopByHopNotAtStart)) => {
            Some("late hop-by-hop options")
        }
        Err(_) => match stopped.as_ref()? {
            Layer::Icmpv4 | Layer::Icmpv4Timestamp | Layer::Icmpv4TimestampReply => {
                Some("a cut ICMP or IGMP")
            }
            Layer::Icmpv6 | Layer::Igmp => Some("a cut ICMP or IGMP"),
            _ => None,
        },
    }
}
