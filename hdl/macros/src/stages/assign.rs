//! Assignments, of which a value may be a choice.

use super::lists::repeated;
use super::reader::Reader;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprIf, Ident, Result, Stmt};

impl Reader<'_> {
    pub fn again(&mut self) -> Reader<'_> {
        Reader {
            signals: self.signals,
            stage: self.stage,
            own: self.own,
            lags: self.lags,
            first: self.first.clone(),
        }
    }
}

/// Assigns a value, which may be a choice, to a target. What `always` names has a value in each clock.
pub fn assign(
    target: TokenStream,
    value: &Expr,
    always: Option<&Ident>,
    mut reader: Reader,
    statements: &mut Vec<Stmt>,
) -> Result<()> {
    // What may not be there stands after what is there instead.
    if let Expr::MethodCall(call) = value
        && call.method == "or"
        && let Some(instead) = call.args.first()
    {
        let instead = choice(&target, instead, always, &mut reader)?;
        let (list, value) = reader.of_list(&call.receiver)?;
        statements.push(syn::parse2(instead)?);
        statements.extend(repeated(
            Some(&list),
            vec![syn::parse_quote!(#target = #value;)],
        ));
        return Ok(());
    }
    let statement = choice(&target, value, always, &mut reader)?;
    statements.push(syn::parse2(statement)?);
    Ok(())
}

fn choice(
    target: &TokenStream,
    value: &Expr,
    always: Option<&Ident>,
    reader: &mut Reader,
) -> Result<TokenStream> {
    match value {
        Expr::If(ExprIf {
            cond,
            then_branch,
            else_branch,
            ..
        }) => {
            if let Some(is_first) = reader.is_first(cond) {
                return match (is_first, else_branch.as_ref().map(|(_, other)| &**other)) {
                    (true, _) => branch(
                        target,
                        &then_branch.stmts,
                        then_branch.span(),
                        always,
                        reader,
                    ),
                    (false, Some(Expr::Block(other))) => {
                        branch(target, &other.block.stmts, other.span(), always, reader)
                    }
                    (false, Some(other)) => choice(target, other, always, reader),
                    (false, None) => Err(Error::new_spanned(cond, "say what the others are")),
                };
            }
            let test = reader.value(cond)?;
            let then = branch(
                target,
                &then_branch.stmts,
                then_branch.span(),
                always,
                reader,
            )?;
            let otherwise = match (else_branch, always) {
                (Some((_, otherwise)), _) => {
                    let otherwise = match &**otherwise {
                        Expr::Block(block) => {
                            branch(target, &block.block.stmts, block.span(), always, reader)?
                        }
                        other => choice(target, other, always, reader)?,
                    };
                    quote!(else { #otherwise })
                }
                (None, None) => TokenStream::new(),
                (None, Some(name)) => {
                    return Err(Error::new_spanned(
                        value,
                        format!(
                            "`{name}` has a value in each clock: say what else, or that it is a state"
                        ),
                    ));
                }
            };
            Ok(quote!(if #test { #then } #otherwise))
        }
        value => {
            let span = value.span();
            let value = reader.value(value)?;
            Ok(quote_spanned!(span=> #target = #value;))
        }
    }
}

fn branch(
    target: &TokenStream,
    statements: &[Stmt],
    span: proc_macro2::Span,
    always: Option<&Ident>,
    reader: &mut Reader,
) -> Result<TokenStream> {
    match statements {
        [Stmt::Expr(value, None)] => choice(target, value, always, reader),
        _ => Err(Error::new(span, "a branch is one value")),
    }
}
