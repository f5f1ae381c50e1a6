//! What is in a frame: the payload of UDP or TCP, and whose it is.

use super::capture::Captured;
use super::flow::{FlowKey, Protocol};
use super::link::ETHERNET_HEADER;
use super::skipped::Skipped;
use etherparse::err::packet::SliceError;
use etherparse::{NetSlice, SlicedPacket, TransportSlice};
use std::net::{IpAddr, SocketAddr};

/// A payload, and whose it is.
pub struct Datagram<'a> {
    pub key: FlowKey,
    pub payload: &'a [u8],
    /// Bytes of the Ethernet frame before the payload.
    pub offset: usize,
    /// What TCP says of it.
    pub tcp: Option<Control>,
}

/// TCP's control of its stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct Control {
    pub sequence: u32,
    pub syn: bool,
    pub fin: bool,
    pub rst: bool,
}

impl Captured<'_> {
    /// Bytes of the frame on Ethernet, without its check sequence: frames of other links have its header in place of theirs.
    pub fn ethernet_length(&self) -> usize {
        ETHERNET_HEADER + self.length.saturating_sub(self.link.header())
    }
}

/// Looks into a frame. Every length that it states is checked; its checksums are not, for a capture at the sender, whose network
/// card would compute them, has none.
pub fn open<'a>(frame: &Captured<'a>) -> Result<Datagram<'a>, Skipped> {
    let fails = || match frame.bytes.len() < frame.length {
        true => Skipped::CutShort,
        false => Skipped::Malformed,
    };
    let (protocol, rest) = frame.link.open(frame.bytes).ok_or_else(fails)?;
    let sliced = SlicedPacket::from_ether_type(protocol, rest).map_err(|error| match error {
        SliceError::Len(_) => fails(),
        _ => Skipped::Malformed,
    })?;
    let (source, destination) = match &sliced.net {
        Some(NetSlice::Ipv4(ip)) => (
            IpAddr::from(ip.header().source_addr()),
            IpAddr::from(ip.header().destination_addr()),
        ),
        Some(NetSlice::Ipv6(ip)) => (
            IpAddr::from(ip.header().source_addr()),
            IpAddr::from(ip.header().destination_addr()),
        ),
        Some(NetSlice::Arp(_)) | None => return Err(Skipped::NotIp),
    };
    if sliced.is_ip_payload_fragmented() {
        return Err(Skipped::IpFragment);
    }
    let (protocol, ports, payload, tcp) = match &sliced.transport {
        Some(TransportSlice::Udp(udp)) => {
            // The parser takes this for "as much as there is", which no datagram says of itself.
            if udp.length() == 0 {
                return Err(Skipped::Malformed);
            }
            let ports = (udp.source_port(), udp.destination_port());
            (Protocol::Udp, ports, udp.payload(), None)
        }
        Some(TransportSlice::Tcp(tcp)) => {
            let control = Control {
                sequence: tcp.sequence_number(),
                syn: tcp.syn(),
                fin: tcp.fin(),
                rst: tcp.rst(),
            };
            let ports = (tcp.source_port(), tcp.destination_port());
            (Protocol::Tcp, ports, tcp.payload(), Some(control))
        }
        _ => return Err(Skipped::OtherProtocol),
    };
    let offset = payload.as_ptr().addr() - rest.as_ptr().addr();
    Ok(Datagram {
        key: FlowKey {
            protocol,
            source: SocketAddr::new(source, ports.0),
            destination: SocketAddr::new(destination, ports.1),
            vlans: sliced.vlan_ids().iter().map(|id| id.value()).collect(),
        },
        payload,
        offset: ETHERNET_HEADER + offset,
        tcp,
    })
}
