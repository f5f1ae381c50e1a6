//! The comments of a block's source.

/// What a block's source says of it: its type's name and doc comment, and those of its parts and signals.
#[derive(Clone, Copy, Debug)]
pub struct About {
    pub name: &'static str,
    pub doc: &'static str,
    pub parts: &'static [(&'static str, &'static str)],
    /// Its type's numbers, which mean nothing in Verilog.
    pub parameters: &'static [&'static str],
}
