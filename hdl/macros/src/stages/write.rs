//! The struct, its constructor and its logic.

use super::body::Body;
use super::lists::listed;
use super::signals::Signals;
use super::syntax::{Block, Given, Line, List, What};
use crate::{others, subset};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Ident, Result, Type};

pub fn write(block: Block) -> Result<TokenStream> {
    let mut signals = Signals::of(&block)?;
    // Which delays there are is known when all has been read once.
    Body::of(&block, &mut signals)?;
    let body = Body::of(&block, &mut signals)?;
    let Body {
        fields,
        statements,
        clocked,
        states,
        nets,
        ..
    } = body;
    let (names, kinds, values, docs): (Vec<_>, Vec<_>, Vec<_>, Vec<_>) = fields
        .into_iter()
        .map(|field| (field.name, field.kind, field.value, field.attributes))
        .fold(
            Default::default(),
            |mut all: (Vec<_>, Vec<_>, Vec<_>, Vec<_>), (a, b, c, d)| {
                all.0.push(a);
                all.1.push(b);
                all.2.push(c);
                all.3.push(d);
                all
            },
        );
    let clock = &block.clock;
    let ports = Ports::of(&block);
    let Ports {
        port_names,
        port_kinds,
        port_docs,
        port_values,
    } = ports;
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
            #(#(#docs)* #names: #kinds,)*
        }

        impl #parameters #name #arguments #bounds {
            /// With registers at these stages.
            #[allow(unused_variables)]
            pub fn new(cuts: crate::primitives::Cuts, #(#taken),*) -> Self {
                #(#made)*
                Self {
                    #clock: crate::primitives::blank(),
                    #(#port_names: #port_values,)*
                    #(#names: #values,)*
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

/// The ports, in their order.
struct Ports {
    port_names: Vec<Ident>,
    port_kinds: Vec<TokenStream>,
    port_docs: Vec<Vec<Attribute>>,
    port_values: Vec<TokenStream>,
}

impl Ports {
    fn of(block: &Block) -> Self {
        let mut ports = Self {
            port_names: Vec::new(),
            port_kinds: Vec::new(),
            port_docs: Vec::new(),
            port_values: Vec::new(),
        };
        for &(is_output, number) in &block.order {
            if is_output {
                let output = &block.outputs[number];
                let kind = &output.kind;
                let kind = quote!(Signal<Out, #kind>);
                ports.add(&output.name, output.list.as_ref(), kind, &output.attributes);
            } else {
                let input = &block.inputs[number];
                let kind = &input.kind;
                let kind = quote!(Signal<In, #kind>);
                ports.add(&input.name, input.list.as_ref(), kind, &input.attributes);
            }
        }
        ports
    }

    fn add(&mut self, name: &Ident, list: Option<&List>, kind: TokenStream, docs: &[Attribute]) {
        self.port_names.push(name.clone());
        let (kind, value) = listed(list, kind, quote!(crate::primitives::blank()));
        self.port_kinds.push(kind);
        self.port_values.push(value);
        self.port_docs.push(docs.to_vec());
    }
}
