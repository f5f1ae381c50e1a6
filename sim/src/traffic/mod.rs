//! Captured traffic: the frames of a capture become fragments of flows, and these the packets that a core is given.
//!
//! A datagram of UDP is a packet. Of a TCP connection each direction is a flow, whose bytes in sequence are one packet, at the
//! place where the flow ended: a core takes one packet at a time. A core that has flows takes the fragments as they come; one that has windows
//! takes whole frames.

mod capture;
mod flow;
mod frame;
mod interleaved;
mod link;
mod packet;
mod packets;
mod reader;
mod skipped;
mod stream;
mod table;
mod whole;

pub use capture::{CaptureError, Cut};
pub use flow::{Ended, Flow, FlowKey, Fragment, Protocol, Wire};
pub use packet::{Packet, Whole};
pub use packets::Captured;
pub use reader::Traffic;
pub use skipped::{Frames, Skipped};
pub use table::{Refused, Table};
