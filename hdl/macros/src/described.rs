//! `Logic` of a block, from its `Body`.

use crate::parts::named_fields;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Field, GenericArgument, Ident, PathArguments, Result, Type};

pub fn logic(block: &DeriveInput) -> Result<TokenStream> {
    let fields = named_fields(block)?;
    for field in fields {
        let is_state = (field.ident.as_ref()).is_some_and(|name| name.to_string().starts_with('_'));
        if !(is_state || is_clock(field) || is_pin(field, "In") || is_pin(field, "Out")) {
            let rule = "a described block has inputs, outputs, lists of these, and state with an underscore";
            return Err(Error::new_spanned(field, rule));
        }
    }
    let pins = |direction: &str| -> Vec<&Ident> {
        let of_direction = fields.iter().filter(|field| is_pin(field, direction));
        of_direction
            .filter_map(|field| field.ident.as_ref())
            .collect()
    };
    let (inputs, outputs) = (pins("In"), pins("Out"));
    let named = |pins: &[&Ident]| -> Vec<TokenStream> {
        let pairs = pins.iter().map(|pin| {
            let name = pin.to_string();
            quote!((#name, &this.#pin))
        });
        pairs.collect()
    };
    let (reads, writes) = (named(&inputs), named(&outputs));
    let passed = match fields.iter().any(is_clock) {
        true => quote!(self.clock.pos_edge()),
        false => quote!(false),
    };
    let name = &block.ident;
    let (parameters, arguments, bounds) = block.generics.split_for_impl();
    Ok(quote! {
        impl #parameters ::rust_hdl::logic::Logic for #name #arguments #bounds {
            fn update(&mut self) {
                let mut run = ::std::mem::take(&mut self._run);
                let this = &*self;
                let body = || this.body(crate::verilog::Body::new(Self::ABOUT));
                run.read(&body, &[#(#reads),*], &[#(#writes),*], #passed);
                run.write(&mut [#(&mut self.#outputs),*]);
                self._run = run;
            }

            fn connect(&mut self) {
                #(crate::verilog::Output::connect_all(&mut self.#outputs);)*
            }

            fn hdl(&self) -> ::rust_hdl::ast::Verilog {
                crate::verilog::answer(self.body(crate::verilog::Body::new(Self::ABOUT)))
            }
        }
    })
}

/// Whether a field is a signal of a direction, or a list of such, and no clock.
fn is_pin(field: &Field, direction: &str) -> bool {
    !is_clock(field)
        && arguments(&field.ty).is_some_and(|(_, first)| match arguments(first) {
            Some(_) => is_of(first, direction),
            None => is_of(&field.ty, direction),
        })
}

/// Whether a type is a signal of a direction.
fn is_of(signal: &Type, direction: &str) -> bool {
    arguments(signal).is_some_and(|(name, first)| name == "Signal" && is_type(first, direction))
}

fn is_clock(field: &Field) -> bool {
    field.ident.as_ref().is_some_and(|name| name == "clock")
}

pub fn is_type(of: &Type, name: &str) -> bool {
    matches!(of, Type::Path(path) if path.path.is_ident(name))
}

/// The name of a type with arguments, and the first of these.
pub fn arguments(of: &Type) -> Option<(&Ident, &Type)> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(all) = &last.arguments else {
        return None;
    };
    match all.args.first()? {
        GenericArgument::Type(first) => Some((&last.ident, first)),
        _ => None,
    }
}
