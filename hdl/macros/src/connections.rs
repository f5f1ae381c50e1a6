//! Which wires a block drives: all that it assigns to.

use crate::subset::{Flops, is_next};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Block, Error, Expr, ExprIf, Result, Stmt};

pub fn connect(body: &Block) -> Result<TokenStream> {
    let body = block(body)?;
    Ok(quote! {
        #[allow(unused_variables)]
        fn connect(&mut self) { #body }
    })
}

fn block(block: &Block) -> Result<TokenStream> {
    block.stmts.iter().map(statement).collect()
}

fn statement(statement: &Stmt) -> Result<TokenStream> {
    match statement {
        Stmt::Expr(expression, _) => driven(expression),
        Stmt::Macro(call) => {
            let Flops {
                this, flops, keep, ..
            } = Flops::of(&call.mac)?;
            let kept = flops.iter().filter(|_| keep);
            Ok(quote! {
                crate::primitives::parts::connect_clocks(&mut [#(&mut #this.#flops.clock),*]);
                #(#this.#kept.d.connect();)*
            })
        }
        _ => Err(Error::new_spanned(
            statement,
            "only statements describe hardware",
        )),
    }
}

fn driven(expression: &Expr) -> Result<TokenStream> {
    match expression {
        Expr::Assign(assignment) => match &*assignment.left {
            Expr::Field(field) if is_next(&field.member) => {
                let signal = &field.base;
                Ok(quote!(#signal.connect();))
            }
            other => Err(Error::new_spanned(
                other,
                "assign to the `.next` of a signal",
            )),
        },
        Expr::If(either) => branches(either),
        Expr::ForLoop(each) => {
            let (index, range, body) = (&each.pat, &each.expr, block(&each.body)?);
            Ok(quote!(for #index in #range { #body }))
        }
        Expr::Block(inner) => block(&inner.block),
        other => Err(Error::new_spanned(other, "this does not describe hardware")),
    }
}

fn branches(either: &ExprIf) -> Result<TokenStream> {
    let then = block(&either.then_branch)?;
    let otherwise = match &either.else_branch {
        Some((_, otherwise)) => driven(otherwise)?,
        None => TokenStream::new(),
    };
    Ok(quote!(#then #otherwise))
}
