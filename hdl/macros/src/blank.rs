//! `Default` of a block.

use crate::parts::named_fields;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Expr, Field, Result};

pub fn default(block: &DeriveInput) -> Result<TokenStream> {
    let fields = named_fields(block)?;
    let values = fields.iter().map(value).collect::<Result<Vec<_>>>()?;
    let names = fields.iter().map(|field| &field.ident);
    let name = &block.ident;
    let (parameters, arguments, bounds) = block.generics.split_for_impl();
    Ok(quote! {
        impl #parameters Default for #name #arguments #bounds {
            fn default() -> Self {
                Self { #(#names: #values),* }
            }
        }
    })
}

/// What a field is; of a list as many as its attribute says.
fn value(field: &Field) -> Result<TokenStream> {
    let many = field.attrs.iter().find(|it| it.path().is_ident("many"));
    Ok(match many {
        Some(many) => {
            let count: Expr = many.parse_args()?;
            quote!(crate::primitives::blanks(#count))
        }
        None => quote!(crate::primitives::blank()),
    })
}
