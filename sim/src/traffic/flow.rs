//! Flows: one direction between two ports, and the fragments of its bytes in order.

use crate::line;
use serde::Serialize;
use std::fmt;
use std::net::SocketAddr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    Udp,
    Tcp,
}

/// What frames of one flow have in common. The other direction is another flow.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct FlowKey {
    pub protocol: Protocol,
    pub source: SocketAddr,
    pub destination: SocketAddr,
    /// From the outermost tag on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vlans: Vec<u16>,
}

impl fmt::Display for FlowKey {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let protocol = match self.protocol {
            Protocol::Udp => "udp",
            Protocol::Tcp => "tcp",
        };
        write!(out, "{protocol} {} > {}", self.source, self.destination)?;
        if let Some((outer, inner)) = self.vlans.split_first() {
            write!(out, " vlan {outer}")?;
            inner.iter().try_for_each(|id| write!(out, ".{id}"))?;
        }
        Ok(())
    }
}

/// How a direction of a TCP connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    Fin,
    Rst,
    /// By a SYN of a new connection between the same ports.
    Syn,
    /// The capture ended first.
    Capture,
    /// Bytes are missing that never came; what is behind them is not used.
    Gap,
}

/// A flow, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flow {
    #[serde(flatten)]
    pub key: FlowKey,
    /// Of TCP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// Bytes that came again.
    pub repeated_bytes: u64,
    /// Bytes behind a gap or the end.
    pub lost_bytes: u64,
}

/// The bytes of Ethernet that a fragment takes: those up to its end and those behind it, with what every frame costs and with
/// the frames without a fragment that came before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wire {
    pub before: u64,
    pub after: u64,
}

impl Wire {
    /// Of a frame that takes `cost` bytes, `end` of them Ethernet's up to the fragment's end, after `idle` without a fragment.
    pub fn new(idle: u64, end: u64, cost: u64) -> Self {
        let end = line::PREAMBLE + end;
        Self {
            before: idle + end,
            after: cost - end,
        }
    }

    /// The same with so many bytes less before the end.
    pub fn cut(self, bytes: usize) -> Self {
        Self {
            before: self.before - bytes as u64,
            after: self.after + bytes as u64,
        }
    }
}

/// Bytes of a flow that follow those of its fragment before, whatever order their frames came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The index of its flow.
    pub flow: usize,
    /// The number of its frame in the capture, from 1, as other tools count.
    pub frame: u64,
    /// In nanoseconds since 1970, if the capture tells.
    pub time: Option<u64>,
    pub wire: Wire,
    pub payload: Vec<u8>,
    /// What the flow says goes on behind it. A datagram is whole; only the last fragment of a TCP flow is not followed, and has
    /// no byte if the end came by itself.
    pub more: bool,
}
