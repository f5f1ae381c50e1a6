//! The struct, its constructor and its logic.

use super::body::Body;
use super::lists::listed;
use super::signals::Signals;
use super::syntax::{Block, Given, Line, Port, What};
use crate::{others, subset};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Result, Type};

pub fn write(block: Block) -> Result<TokenStream> {
    let mut signals = Signals::of(&block)?;
    // Which delays there are is known when all has been read once.
    Body::of(&block, &mut signals)?;
    let Body {
        fields,
        statements,
        clocked,
        states,
        nets,
        ..
    } = Body::of(&block, &mut signals)?;
    let field_names: Vec<_> = fields.iter().map(|field| &field.name).collect();
    let field_kinds = fields.iter().map(|field| &field.kind);
    let field_docs = fields.iter().map(|field| &field.attributes);
    let field_values = fields.iter().map(|field| &field.value);
    let clock = &block.clock;
    let port_names: Vec<_> = block.ports.iter().map(|port| &port.name).collect();
    let port_docs = block.ports.iter().map(|port| &port.attributes);
    let (port_kinds, port_values): (Vec<_>, Vec<_>) =
        block.ports.iter().map(Port::kind_and_value).unzip();
    let logic: syn::Block = syn::parse2(quote!({
        clocks!(self, #clock, #(#clocked),*);
        dff_setup!(self, #clock, #(#states),*);
        #(#nets)*
        #(#statements)*
    }))?;
    let others = others(&logic)?;
    let update = subset::update(&logic)?;
    let Block {
        attributes,
        visibility,
        name,
        generics,
        givens,
        ..
    } = &block;
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let taken = givens.iter().filter(|given| given.value.is_none());
    let taken = taken.map(|given| {
        let (name, kind) = (&given.name, &given.kind);
        quote!(#name: #kind)
    });
    let made = givens.iter().filter_map(|given| {
        let (name, value) = (&given.name, given.value.as_ref()?);
        Some(quote!(let #name = #value;))
    });
    let constants: Vec<&Given> = givens.iter().filter(|given| given.is_signal()).collect();
    let constant_names: Vec<_> = constants.iter().map(|given| &given.name).collect();
    let constant_kinds = constants.iter().map(|given| &given.kind);
    let constant_docs: Vec<_> = constants.iter().map(|given| &given.attributes).collect();
    Ok(quote! {
        #(#attributes)*
        #[derive(hdl_macros::Block)]
        #visibility struct #name #generics {
            pub #clock: Signal<In, Clock>,
            #(#(#port_docs)* pub #port_names: #port_kinds,)*
            #(#(#constant_docs)* #constant_names: Constant<#constant_kinds>,)*
            #(#(#field_docs)* #field_names: #field_kinds,)*
        }

        impl #parameters #name #arguments #bounds {
            /// With registers at these stages.
            #[allow(unused_variables)]
            pub fn new(cuts: crate::primitives::Cuts, #(#taken),*) -> Self {
                #(#made)*
                Self {
                    #clock: crate::primitives::blank(),
                    #(#port_names: #port_values,)*
                    #(#field_names: #field_values,)*
                    #(#constant_names: Constant::new(#constant_names),)*
                }
            }
        }

        impl #parameters Logic for #name #arguments #bounds {
            fn update(&mut self) #update
            #others
        }
    })
}

impl Line {
    /// The block's field: the stage is in the names of what has a clock.
    pub fn field(&self, stage: Option<i32>) -> Ident {
        let name = &self.name;
        match (&self.what, stage) {
            (
                What::Register { .. }
                | What::Part {
                    has_clock: true, ..
                },
                Some(stage),
            ) => {
                format_ident!("s{stage}_{name}", span = name.span())
            }
            _ => name.clone(),
        }
    }
}

impl Given {
    /// What says yes or no, or is a number of hardware, is a constant that the logic can read; the rest is only for the constructor.
    pub fn is_signal(&self) -> bool {
        let Type::Path(path) = &self.kind else {
            return false;
        };
        let last = path.path.segments.last();
        last.is_some_and(|last| last.ident == "bool" || last.ident == "Bits")
    }
}

impl Port {
    /// The type of its field, and its value before anything is connected.
    fn kind_and_value(&self) -> (TokenStream, TokenStream) {
        let kind = &self.kind;
        let kind = match self.is_output {
            true => quote!(Signal<Out, #kind>),
            false => quote!(Signal<In, #kind>),
        };
        let blank = quote!(crate::primitives::blank());
        listed(self.list.as_ref(), kind, blank)
    }
}
