//! `Default` of a block.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Result};

pub fn default(block: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &block.data else {
        return Err(Error::new_spanned(block, "a block is a struct"));
    };
    let fields = data.fields.iter().map(|field| &field.ident);
    let name = &block.ident;
    let (parameters, arguments, bounds) = block.generics.split_for_impl();
    Ok(quote! {
        impl #parameters Default for #name #arguments #bounds {
            fn default() -> Self {
                Self { #(#fields: crate::primitives::blank()),* }
            }
        }
    })
}
