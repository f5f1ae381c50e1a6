//! What a block of `hdl` is written with.
//!
//! Rust-HDL's own attribute `hdl_gen` writes a block's Verilog as code that is compiled anew for every width the block is used with, and
//! its constructors are inlined into each other: half and a third of the time that the compiler took for `hdl`. [`logic`] and [`Blank`]
//! stand in their place. What they make is the same, byte for byte.

mod blank;
mod connections;
mod description;
mod parts;
mod subset;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as TokenStream2;
use quote::quote;
use syn::{Block, DeriveInput, ItemFn, Result, parse_macro_input};

/// On `fn update(&mut self)` of a `Logic`: adds `connect` and `hdl`, which say the same of the wires and of the Verilog.
///
/// The body is in Rust-HDL's subset: assignments to `.next`, `if`, loops over a range of constants, `dff_setup!`, and of expressions
/// signals' `val()`, integers, `true` and `false`, operators, `any`, `all`, `get_bit` and `get_bits`. Anything else is an
/// error at its place.
#[proc_macro_attribute]
pub fn logic(_: TokenStream, item: TokenStream) -> TokenStream {
    let update = parse_macro_input!(item as ItemFn);
    tokens(others(&update.block).map(|others| quote!(#update #others)))
}

/// `connect` and `hdl` of a block with this `update`.
fn others(update: &Block) -> Result<TokenStream2> {
    let connect = connections::connect(update)?;
    let hdl = description::hdl(update)?;
    Ok(quote!(#connect #hdl))
}

/// Derives `Default` of a struct, each field's by a call that is not inlined: a core has thousands of fields, and runs this once.
#[proc_macro_derive(Blank)]
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
