//! A core as a small syntax tree: its modules, which the emission turns from what Rust-HDL has into what a person would write.

/// A net or port: its width in bits and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    pub name: String,
    pub width: usize,
}

/// A module's port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub output: bool,
    pub net: Net,
}

/// An instance of a module, with its connections (port, expression).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub module: String,
    pub name: String,
    pub connections: Vec<(String, String)>,
}

/// A statement of a combinational block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Assign {
        target: String,
        value: String,
    },
    If {
        test: String,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
}

/// A register: the DFF instances that were folded into their module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    pub net: Net,
    pub clock: String,
    pub initial: String,
}

/// A module as Rust-HDL describes it, and as [`super::rewrite`] leaves it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    pub name: String,
    pub ports: Vec<Port>,
    pub constants: Vec<(String, String)>,
    pub nets: Vec<Net>,
    pub registers: Vec<Register>,
    pub instances: Vec<Instance>,
    pub statements: Vec<Statement>,
    /// The body of a `Verilog::Custom` block.
    pub custom: Option<String>,
}
