//! `Block` of a struct: what is done to a block is done to all its parts.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Ident, Result};

pub fn block(block: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &block.data else {
        return Err(Error::new_spanned(block, "a block is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(block, "a block's parts have names"));
    };
    // What begins with an underscore is the state of its simulation.
    let parts: Vec<&Ident> = (fields.named.iter())
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
    let names: Vec<String> = parts.iter().map(|part| part.to_string()).collect();
    let name = &block.ident;
    let (parameters, arguments, bounds) = block.generics.split_for_impl();
    Ok(quote! {
        impl #parameters #name #arguments #bounds {
            fn each_part(&mut self, act: fn(&mut dyn ::rust_hdl::core::block::Block)) {
                crate::primitives::parts::each(&mut [#(&mut self.#parts),*], act);
            }
        }

        impl #parameters ::rust_hdl::core::block::Block for #name #arguments #bounds {
            fn connect_all(&mut self) {
                ::rust_hdl::core::logic::Logic::connect(self);
                self.each_part(crate::primitives::parts::connect);
            }

            fn update_all(&mut self) {
                ::rust_hdl::core::logic::Logic::update(self);
                self.each_part(crate::primitives::parts::update);
            }

            fn has_changed(&self) -> bool {
                crate::primitives::parts::any_changed(&[#(&self.#parts),*])
            }

            fn accept(&self, name: &str, probe: &mut dyn ::rust_hdl::core::probe::Probe) {
                probe.visit_start_scope(name, self);
                crate::primitives::parts::accept(&[#(#names),*], &[#(&self.#parts),*], probe);
                probe.visit_end_scope(name, self);
            }
        }
    })
}
