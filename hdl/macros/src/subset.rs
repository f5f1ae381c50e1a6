//! Parts of the subset that both readings of an `update` share.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Macro, Member, Result, Token};

/// The arguments of `dff_setup!`: the block, its clock, and the flip-flops that the clock drives and that keep their values.
pub struct Flops {
    pub this: Expr,
    pub clock: Expr,
    pub flops: Vec<Expr>,
}

impl Flops {
    /// Those of a call; no other macro describes hardware.
    pub fn of(call: &Macro) -> Result<Self> {
        if call.path.is_ident("dff_setup") {
            call.parse_body()
        } else {
            Err(Error::new_spanned(
                call,
                "the one macro there is is dff_setup!",
            ))
        }
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
            }),
            _ => Err(input.error("dff_setup! takes self, the clock, and flip-flops")),
        }
    }
}

/// Whether this is what a block assigns to of a signal.
pub fn is_next(member: &Member) -> bool {
    matches!(member, Member::Named(name) if name == "next")
}
