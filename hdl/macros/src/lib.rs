//! What a block of `hdl` is written with.
//!
//! Rust-HDL's own attribute `hdl_gen` writes a block's Verilog as code that is compiled anew for every width the block is used with, and
//! its constructors are inlined into each other: half and a third of the time that the compiler took for `hdl`. [`logic`] and [`Blank`]
//! stand in their place. What they make is the same, byte for byte.

mod blank;
mod connections;
mod description;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, ItemFn, parse_macro_input};

/// On `fn update(&mut self)` of a `Logic`: adds `connect` and `hdl`, which say the same of the wires and of the Verilog.
///
/// The body is in Rust-HDL's subset: assignments to `.next`, `if`, loops over a range of constants, `dff_setup!`, and of expressions
/// signals' `val()`, integers, `true` and `false`, operators, `any`, `all`, `get_bit`, `get_bits` and `replace_bit`. Anything else is an
/// error at its place.
#[proc_macro_attribute]
pub fn logic(_: TokenStream, item: TokenStream) -> TokenStream {
    let update = parse_macro_input!(item as ItemFn);
    let others = connections::connect(&update.block)
        .and_then(|connect| Ok((connect, description::hdl(&update.block)?)));
    match others {
        Ok((connect, hdl)) => quote!(#update #connect #hdl).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

/// Derives `Default` of a struct, each field's by a call that is not inlined: a core has thousands of fields, and runs this once.
#[proc_macro_derive(Blank)]
pub fn blank(item: TokenStream) -> TokenStream {
    let block = parse_macro_input!(item as DeriveInput);
    match blank::default(&block) {
        Ok(default) => default.into(),
        Err(error) => error.to_compile_error().into(),
    }
}
