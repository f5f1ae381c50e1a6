//! What a block of `hdl` is written with.
//!
//! Rust-HDL's own attribute `hdl_gen` writes a block's Verilog as code that is compiled anew for every width the block is used with, and
//! its constructors are inlined into each other: half and a third of the time that the compiler took for `hdl`. [`stages!`],
//! [`Described`](macro@Described), [`Block`](macro@Block) and [`Blank`](macro@Blank) stand in their place.

mod blank;
mod connections;
mod described;
mod description;
mod once;
mod parts;
mod stages;
mod subset;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as TokenStream2;
use quote::quote;
use syn::{Block, DeriveInput, ImplItemFn, Result, parse_macro_input};

/// A block of which each signal is stated at its stage:
///
/// ```text
/// pub block Sequence<const N: usize> {
///     beat valid, last;
///     in valid, last: Bit @ 3;
///     in lead, cont @ 3;
///     stage 4 "second bytes" {
///         second = cont & before(lead);
///     }
///     out second @ 4;
/// }
/// ```
///
/// - A signal without a type is a plane, `Bits<N>`. An equation in stage 4 reads what is at stage 3, and its register holds the value from
///   stage 4 on. What an earlier stage has is delayed on its way, and that needs no line. A name that is stated again stands for the new
///   value from that stage on.
/// - `before(x)` is `x` of the byte before, clear in a packet's first byte; `before_any(x)` does not look for a packet's end. `beat` names
///   what marks a beat and a packet's last one.
/// - `state x = ...` is a register that may look at itself, by `was(x)`, or keep what it has, by an `if` without an `else`. `was(f.z)` is
///   what a part of the same stage has.
/// - `let x = ...` names a value, without a register. `x.at(2)` is what another stage has: of the beat that is there in the same clock.
/// - `part f: Fifo<N>(arguments) = { x, fill: y };` is another block with a clock, `wires` one without; `f` is its output `y`, `f.z` another. What `y`
///   is stands after an arrow if it is no plane and is read later: `= { x } -> Bits<8>`. `..g(a, b)` among the ports connects outputs of
///   `g` to the ports of the same names. A `carry` is a part whose outputs are of the same stage as its inputs.
/// - `mark x: Bit = ...` marks beats: a reset clears it, at this stage and at all later ones that have it.
/// - `stage 4 takes CLOCKS { ... }` holds only parts, which take this number of clocks instead of one.
/// - `always { ... }` has what belongs to no beat: its registers and nets are read in any stage as they are, and the registers by each
///   other; `out x = ...` without a stage shows one.
/// - `for i in 0..COUNT { ... }` in a stage has lines that each stand for all of a list, `x[i]`; a value may begin
///   `if i == 0 { ... } else`. Ports of a list are `in x[i in 0..COUNT]` and `out y[i in 0..COUNT] = z[i]`. `x = [a, b, c]` is a list
///   of these. If a list may be empty, `part[i].port.or(a)` is what its one part has, and `a` without it.
/// - `clock clk` names the clock, which is `clock` otherwise.
/// - `given strip: bool` is for the constructor, and may be asked by an `if`; `given a, b: bool = rules` are two fields of `rules`; an input without a stage is read as it is, in any stage.
///
/// The macro makes a struct with the ports, registers and delays, its constructor `new(cuts, ...)`, and its logic. What is wrong is an
/// error at its place.
#[proc_macro]
pub fn stages(item: TokenStream) -> TokenStream {
    tokens(stages::stages(item.into()))
}

/// `connect` and `hdl` of a block with this `update`.
fn others(update: &Block) -> Result<TokenStream2> {
    let connect = connections::connect(update)?;
    let hdl = description::hdl(update)?;
    Ok(quote!(#connect #hdl))
}

/// Derives `Default` of a struct, each field's by a call that is not inlined: a core has thousands of fields, and runs this once. A list
/// with the attribute `#[many(COUNT)]` has that number of parts.
#[proc_macro_derive(Blank, attributes(many))]
pub fn blank(item: TokenStream) -> TokenStream {
    let block = parse_macro_input!(item as DeriveInput);
    tokens(blank::default(&block))
}

/// Derives Rust-HDL's `Block` of a struct of which each field is a block or a signal, but those whose names begin with an underscore.
/// Rust-HDL's own `LogicBlock` does the same, but each field is a call that is inlined, in four functions.
#[proc_macro_derive(Block)]
pub fn block(item: TokenStream) -> TokenStream {
    let block = parse_macro_input!(item as DeriveInput);
    tokens(parts::block(&block))
}

/// Derives `Logic` of a block whose method `body` describes it: in the simulation and in Verilog it does what that says. Its fields are
/// inputs, outputs, lists of these, `_run`, which simulates it, and other state with an underscore; without a `clock` it has no registers.
#[proc_macro_derive(Described)]
pub fn described(item: TokenStream) -> TokenStream {
    let block = parse_macro_input!(item as DeriveInput);
    tokens(described::logic(&block))
}

/// A method that is compiled once, and not for each of its block's types. It cannot name `self` or the type's parameters: what it needs of
/// them it is given, as in `#[once(N, words = self._words, is_late: bool = self._is_late)]`. What has no type there is a `usize`, and what
/// has no value is what has this name outside. A `const` block stays outside, and is checked for each type when it is compiled.
#[proc_macro_attribute]
pub fn once(given: TokenStream, function: TokenStream) -> TokenStream {
    let function = parse_macro_input!(function as ImplItemFn);
    tokens(once::once(given.into(), function))
}

fn tokens(made: Result<TokenStream2>) -> TokenStream {
    made.unwrap_or_else(|error| error.to_compile_error()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_block_is_refused() {
        let refusal = |block: &str| {
            let block: DeriveInput = syn::parse_str(block).expect("it is Rust");
            parts::block(&block).err().map(|error| error.to_string())
        };
        assert_eq!(refusal("struct A { a: B, _state: u8 }"), None);
        for (bad, said) in [
            ("enum A { B }", "is a struct"),
            ("struct A(B);", "have names"),
            ("struct A { wire: B }", "a keyword of Verilog"),
        ] {
            let refusal = refusal(bad).expect(bad);
            assert!(refusal.contains(said), "{bad}: {refusal}");
        }
    }

    fn refusal(update: &str) -> Option<String> {
        let update: Block = syn::parse_str(update).expect("it is Rust");
        others(&update).err().map(|error| error.to_string())
    }

    #[test]
    fn what_describes_hardware_is_taken() {
        for good in [
            "{ dff_setup!(self, clock, a, b); self.y.next = !self.a.q.val() & self.x[0].val(); }",
            "{ for i in 1..N { self.y[i].next = self.x[i - 1].val().get_bits::<3>(1); } }",
            "{ if self.x.val().any() { self.y.next = true; } else if self.z.val() { self.y.next = 1.into(); } }",
        ] {
            assert_eq!(refusal(good), None, "{good}");
        }
    }

    /// Of each of these the simulation and the Verilog would not be the same.
    #[test]
    fn what_does_not_describe_hardware_is_refused() {
        for (bad, said) in [
            ("{ for i in 0..=N { self.y[i].next = true; } }", "FROM..TO"),
            ("{ for i in 0.. { self.y[i].next = true; } }", "FROM..TO"),
            (
                "{ for i in list { self.y[i].next = true; } }",
                "over a range",
            ),
            ("{ println!(self, clock, a); }", "dff_setup!"),
            ("{ let a = self.x.val(); self.y.next = a; }", "statements"),
            ("{ self.y = self.x.val(); }", ".next"),
            ("{ self.y.next = self.x.next; }", ".val()"),
            ("{ self.y.next = self.x.val().count(); }", "no such method"),
            (
                "{ self.y.next = self.x.val() && true; }",
                "no such operator",
            ),
            ("{ self.y.next = -self.x.val(); }", "the one sign"),
            ("{ self.y.next = 1.5; }", "a literal is"),
            ("{ self.y.next |= self.x.val(); }", "does not describe"),
        ] {
            let refusal = refusal(bad).expect(bad);
            assert!(refusal.contains(said), "{bad}: {refusal}");
        }
    }
}
