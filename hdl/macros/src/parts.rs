//! `Block` of a struct: what is done to a block is done to all its parts; and the doc comments, for the Verilog.

use crate::described::{arguments, is_type};
use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Field, Fields, Ident, Lit, Meta, Result, Token, Type,
};

pub fn block(block: &DeriveInput) -> Result<TokenStream> {
    let fields = named_fields(block)?;
    // What begins with an underscore is the state of its simulation.
    let parts: Vec<&Ident> = (fields.iter())
        .filter_map(|field| field.ident.as_ref())
        .filter(|part| !part.to_string().starts_with('_'))
        .collect();
    for part in &parts {
        if ["config", "wire", "reg", "module", "edge", "disable"]
            .iter()
            .any(|word| part == word)
        {
            return Err(Error::new_spanned(part, "a keyword of Verilog"));
        }
    }
    let inputs = (fields.iter())
        .filter(|field| is_input(&field.ty))
        .filter_map(|field| field.ident.as_ref())
        .filter(|part| parts.contains(part));
    let names: Vec<String> = parts.iter().map(|part| part.to_string()).collect();
    let docs: Vec<String> = (fields.iter())
        .filter(|field| {
            field
                .ident
                .as_ref()
                .is_some_and(|name| parts.contains(&name))
        })
        .map(|field| doc(&field.attrs))
        .collect();
    let about = doc(&block.attrs);
    let name = &block.ident;
    let type_name = name.to_string();
    let widths: Vec<String> = (block.generics.const_params())
        .map(|parameter| parameter.ident.to_string())
        .collect();
    // To look whether a register has settled takes as long as to update it.
    let is_large = |field: &Field| {
        let is_run = field.ident.as_ref().is_some_and(|name| name == "_run");
        is_run
            || field
                .ident
                .as_ref()
                .is_some_and(|name| parts.contains(&name))
                && !is_signal(&field.ty)
    };
    let skip = fields.iter().any(is_large).then(|| {
        quote! {
            if crate::primitives::parts::skips_the_settled()
                && !self.has_changed()
                && !crate::primitives::parts::any_awaits(&[#(&self.#inputs),*])
            {
                return;
            }
        }
    });
    let (parameters, arguments, bounds) = block.generics.split_for_impl();
    Ok(quote! {
        impl #parameters #name #arguments #bounds {
            /// What its source says of it.
            const ABOUT: &'static crate::verilog::About = &crate::verilog::About {
                name: #type_name,
                doc: #about,
                parts: &[#((#names, #docs)),*],
                parameters: &[#(#widths),*],
            };

            fn parts(&self, act: &mut dyn FnMut(&[&dyn ::rust_hdl::block::Block])) {
                act(&[#(&self.#parts),*]);
            }

            fn each_part(&mut self, act: fn(&mut dyn ::rust_hdl::block::Block)) {
                crate::primitives::parts::each(&mut [#(&mut self.#parts),*], act);
            }
        }

        impl #parameters ::rust_hdl::block::Block for #name #arguments #bounds {
            fn connect_all(&mut self) {
                ::rust_hdl::logic::Logic::connect(self);
                self.each_part(crate::primitives::parts::connect);
            }

            fn update_all(&mut self) {
                #skip
                ::rust_hdl::logic::Logic::update(self);
                self.each_part(crate::primitives::parts::update);
            }

            fn has_changed(&self) -> bool {
                let mut changed = false;
                self.parts(&mut |parts| changed = crate::primitives::parts::any_changed(parts));
                changed
            }

            fn accept(&self, name: &str, probe: &mut dyn ::rust_hdl::probe::Probe) {
                probe.visit_start_scope(name, self);
                self.parts(&mut |parts| crate::primitives::parts::accept(Self::ABOUT, parts, probe));
                probe.visit_end_scope(name, self);
            }
        }
    })
}

/// The fields of a struct.
pub fn named_fields(block: &DeriveInput) -> Result<&Punctuated<Field, Token![,]>> {
    let Data::Struct(data) = &block.data else {
        return Err(Error::new_spanned(block, "a block is a struct"));
    };
    match &data.fields {
        Fields::Named(fields) => Ok(&fields.named),
        _ => Err(Error::new_spanned(block, "a block's parts have names")),
    }
}

/// Whether a field is a signal or a list of such.
fn is_signal(of: &Type) -> bool {
    arguments(of).is_some_and(|(name, first)| name == "Signal" || name == "Vec" && is_signal(first))
}

/// The same of an input.
fn is_input(of: &Type) -> bool {
    arguments(of).is_some_and(|(name, first)| match name == "Signal" {
        true => is_type(first, "In"),
        false => name == "Vec" && is_input(first),
    })
}

/// The doc comment among attributes, without the space before each line.
fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(named) = &attribute.meta else {
            return None;
        };
        match (&named.value, named.path.is_ident("doc")) {
            (Expr::Lit(text), true) => match &text.lit {
                Lit::Str(line) => Some(line.value().trim().to_string()),
                _ => None,
            },
            _ => None,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
