//! The golden model: what the cores are judged by.
//!
//! Nothing in this crate comes from the hardware's description, and nothing in the hardware comes from here. The oracle
//! is compiled from a grammar that is written down as data: that of RFC 3629 where none is named, or the one of RFC 2279
//! with up to six bytes. Its tests hold it against every other decoder at hand before it judges any hardware.
//!
//! A packet splits in exactly one way into well-formed sequences and maximal subparts of ill-formed ones (Unicode 16,
//! chapter 3, Table 3-7 and "U+FFFD Substitution of Maximal Subparts"). Each piece has one [`Event`], on its last byte.
//!
//! ```
//! use golden::{Event, Kind, events, verdict};
//!
//! let packet = b"\xC3\xA9\xED\xA0";
//! let ill_formed = |kind| Event::IllFormed { kind, length: 1 };
//! assert!(events(packet).eq([
//!     (1, Event::Scalar(0xE9)),
//!     (2, ill_formed(Kind::Surrogate)),
//!     (3, ill_formed(Kind::StrayContinuation)),
//! ]));
//! assert_eq!(verdict(packet).valid_up_to, 2);
//! ```

pub mod classes;
pub mod cycle;
pub mod edges;
pub mod encode;
mod encoding;
pub mod frames;
pub mod further;
pub mod grammar;
pub mod kind;
pub mod oracle;
pub mod ports;
pub mod sanitise;
mod table;
pub mod utf16;
pub mod verdict;
pub mod window;

pub use edges::{Edges, verdict_within_edges};
pub use encoding::Encoding;
pub use further::Further;
pub use grammar::Grammar;
pub use kind::Kind;
pub use oracle::{Event, Events, Oracle, Pushed, events, events_of};
pub use ports::{Ends, Ports};
pub use sanitise::{Replace, sanitise};
pub use verdict::{SIGNATURE, Tally, Verdict, verdict, verdict_of};
pub use window::{Unjudged, Window};
