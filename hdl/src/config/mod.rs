//! What a core is: its configuration, and the names and defaults of its parts.

pub mod bus;
mod classes;
mod configuration;
mod default_name;
mod depth;
mod dropping;
mod error;
#[cfg(feature = "clap")]
pub mod flags;
mod grammar;
mod judging;
mod lanes;
pub mod names;
mod passed_ports;
mod policy;
mod port;
mod port_table;
pub mod ports;
mod refused;
mod request;
mod validator;
mod word_ports;
mod written;

pub use classes::Classes;
pub use configuration::*;
pub use depth::{Depth, depths};
pub use error::{ConfigError, list};
pub use grammar::Grammar;
pub use judging::{Edges, Extent};
pub use policy::{FRAME_CLOCKS, Policy};
pub use port_table::{PORT_ENTRIES, PortEntry, PortTable};
pub use request::Request;
