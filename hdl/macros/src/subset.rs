//! Parts of the subset that both readings of an `update` share.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Block, Error, Expr, Ident, Macro, Member, Result, Stmt, Token};

/// The arguments of `dff_setup!`: the block, its clock, and the flip-flops that the clock drives and that keep their values. Those of
/// `clocks!`: what the clock drives, and no more.
pub struct Flops {
    pub this: Expr,
    pub clock: Expr,
    pub flops: Vec<Expr>,
    pub keep: bool,
}

impl Flops {
    /// Those of a call; no other macro describes hardware.
    pub fn of(call: &Macro) -> Result<Self> {
        let keep = call.path.is_ident("dff_setup");
        if !keep && !call.path.is_ident("clocks") {
            let error = "the only macros here are dff_setup! and clocks!";
            return Err(Error::new_spanned(call, error));
        }
        Ok(Self {
            keep,
            ..call.parse_body()?
        })
    }
}

impl Parse for Flops {
    fn parse(input: ParseStream) -> Result<Self> {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
        let mut arguments = arguments.into_iter();
        match (arguments.next(), arguments.next()) {
            (Some(this), Some(clock)) => Ok(Self {
                this,
                clock,
                flops: arguments.collect(),
                keep: true,
            }),
            _ => Err(input.error("dff_setup! takes self, the clock, and flip-flops")),
        }
    }
}

/// Whether this is what a block assigns to of a signal.
pub fn is_next(member: &Member) -> bool {
    matches!(member, Member::Named(name) if name == "next")
}

/// Whether a name is a constant's: those are in capitals.
pub fn is_constant(name: &Ident) -> bool {
    let name = name.to_string();
    name.len() > 1 && !name.contains(|letter: char| letter.is_lowercase())
}

/// The block as Rust: of what a clock drives, all clocks are set by one call, which is compiled once.
pub fn update(block: &Block) -> Result<TokenStream> {
    let statements: Vec<TokenStream> = (block.stmts.iter())
        .map(|statement| match statement {
            Stmt::Macro(call) => {
                let Flops {
                    this,
                    clock,
                    flops,
                    keep,
                } = Flops::of(&call.mac)?;
                let kept = flops.iter().filter(|_| keep);
                Ok(quote! {
                    let clock = #this.#clock.val();
                    crate::primitives::parts::set_clocks(&mut [#(&mut #this.#flops.clock),*], clock);
                    #(#this.#kept.d.next = #this.#kept.q.val();)*
                })
            }
            other => Ok(quote!(#other)),
        })
        .collect::<Result<_>>()?;
    Ok(quote!({ #(#statements)* }))
}
