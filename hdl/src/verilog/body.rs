//! What a block is made of: nets, registers, memories and statements.

use super::about::About;
use super::expression::{Expression, bits, name};

/// A net, port or constant: its name and its width in bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Net {
    pub name: String,
    pub width: usize,
}

/// A register, on the block's one clock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    pub net: Net,
    /// Zero at power-up; else nothing is stated.
    pub starts: bool,
}

/// Words that are written at the block's clock, and are never reset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    pub net: Net,
    pub words: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// The target is a name, bits of one, or a word of a memory.
    Assign {
        target: Expression,
        value: Expression,
    },
    If {
        test: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
}

pub fn set(target: impl Into<String>, value: Expression) -> Statement {
    Statement::Assign {
        target: name(target),
        value,
    }
}

pub fn set_bits(
    target: impl Into<String>,
    low: usize,
    width: usize,
    value: Expression,
) -> Statement {
    Statement::Assign {
        target: bits(target, low, width),
        value,
    }
}

/// Writes a word of a memory.
pub fn write(memory: impl Into<String>, address: Expression, value: Expression) -> Statement {
    Statement::Assign {
        target: Expression::At(memory.into(), Box::new(address)),
        value,
    }
}

pub fn when(test: Expression, then: Vec<Statement>) -> Statement {
    Statement::If {
        test,
        then,
        otherwise: Vec::new(),
    }
}

/// Blocks that are one module with parameters, however many widths of them there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Library {
    /// `q` is `d`, a clock later.
    FlipFlop,
    /// `q` is `d`.
    Wire,
    /// `y` is `x`, some clocks later.
    Delay { width: usize, clocks: usize },
}

/// A block's description. Its clock is the port `clock`.
#[derive(Clone, Debug)]
pub struct Body {
    pub about: &'static About,
    pub wires: Vec<Net>,
    pub registers: Vec<Register>,
    /// Comments on registers and memories, by name.
    pub docs: Vec<(String, &'static str)>,
    pub memories: Vec<Memory>,
    /// What is assigned at all times, in the order of its writing.
    pub assigned: Vec<Statement>,
    /// What happens at the clock.
    pub clocked: Vec<Statement>,
    pub library: Option<Library>,
}

impl Body {
    pub fn new(about: &'static About) -> Self {
        Self {
            about,
            wires: Vec::new(),
            registers: Vec::new(),
            docs: Vec::new(),
            memories: Vec::new(),
            assigned: Vec::new(),
            clocked: Vec::new(),
            library: None,
        }
    }

    /// `y` is `x`, `clocks` later, of `width` bits.
    pub fn delay(mut self, width: usize, clocks: usize) -> Self {
        match clocks {
            0 => self.assign("y", name("x")),
            _ => {
                self.library = Some(Library::Delay { width, clocks });
                self
            }
        }
    }

    /// A register that is zero at power-up. Without a comment it shares that of the one before it.
    pub fn register(self, name: impl Into<String>, width: usize, doc: &'static str) -> Self {
        self.add_register(net(name, width), true, doc)
    }

    /// A register whose value at power-up is of no matter.
    pub fn any_register(self, name: impl Into<String>, width: usize, doc: &'static str) -> Self {
        self.add_register(net(name, width), false, doc)
    }

    /// A register that is `value` a clock later, and zero at power-up.
    pub fn later(
        self,
        name: impl Into<String>,
        width: usize,
        doc: &'static str,
        value: Expression,
    ) -> Self {
        let name = name.into();
        self.register(&name, width, doc).at_clock(set(name, value))
    }

    /// A register that is `value` a clock later, or `after_reset` if the input `reset` is set; zero at power-up.
    pub fn with_reset(
        self,
        name: impl Into<String>,
        width: usize,
        doc: &'static str,
        value: Expression,
        after_reset: Expression,
    ) -> Self {
        let register = name.into();
        self.register(&register, width, doc).at_clock(or_reset(
            "reset",
            register,
            value,
            after_reset,
        ))
    }

    /// The same of a register that a reset sets to what is not zero, and whose value at power-up is of no matter: a flip-flop has one value for
    /// both, and with two different ones `reset` would take an input of each LUT before it.
    pub fn settled(
        self,
        name: impl Into<String>,
        width: usize,
        doc: &'static str,
        value: Expression,
        after_reset: Expression,
    ) -> Self {
        let register = name.into();
        self.any_register(&register, width, doc).at_clock(or_reset(
            "reset",
            register,
            value,
            after_reset,
        ))
    }

    /// The register of a stage, or a wire in its place.
    pub fn staged(
        self,
        is_register: bool,
        name: impl Into<String>,
        width: usize,
        doc: &'static str,
        value: Expression,
    ) -> Self {
        match is_register {
            true => self.later(name, width, doc, value),
            false => self.wire(name, width, value),
        }
    }

    fn add_register(mut self, net: Net, starts: bool, doc: &'static str) -> Self {
        self.docs.push((net.name.clone(), doc));
        self.registers.push(Register { net, starts });
        self
    }

    pub fn memory(
        mut self,
        name: impl Into<String>,
        width: usize,
        words: usize,
        doc: &'static str,
    ) -> Self {
        let net = net(name, width);
        self.docs.push((net.name.clone(), doc));
        self.memories.push(Memory { net, words });
        self
    }

    /// A net of the block's own, and what it is.
    pub fn wire(mut self, name: impl Into<String>, width: usize, value: Expression) -> Self {
        let net = net(name, width);
        self.assigned.push(set(net.name.clone(), value));
        self.wires.push(net);
        self
    }

    /// What an output is.
    pub fn assign(mut self, output: impl Into<String>, value: Expression) -> Self {
        self.assigned.push(set(output, value));
        self
    }

    pub fn at_clock(mut self, statement: Statement) -> Self {
        self.clocked.push(statement);
        self
    }
}

/// A register becomes `value`, or `after_reset` if the net `reset` is set.
pub fn or_reset(
    reset: &str,
    register: String,
    value: Expression,
    after_reset: Expression,
) -> Statement {
    Statement::If {
        test: name(reset),
        then: vec![set(&register, after_reset)],
        otherwise: vec![set(register, value)],
    }
}

fn net(name: impl Into<String>, width: usize) -> Net {
    Net {
        name: name.into(),
        width,
    }
}
