//! A block's Verilog, as Rust-HDL's tree of it.
//!
//! The tree is a constant, so that no code is compiled for it; what depends on the block's type, the bounds of loops and the widths of
//! slices, goes with it as numbers.

use crate::subset::{Flops, is_constant, is_next};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    BinOp, Block, Error, Expr, ExprIf, ExprMethodCall, GenericArgument, Lit, Pat, RangeLimits,
    Result, Stmt, UnOp,
};

pub fn hdl(body: &Block) -> Result<TokenStream> {
    let mut description = Description {
        numbers: Vec::new(),
    };
    let statements = description.block(body)?;
    let numbers = description.numbers;
    Ok(quote! {
        fn hdl(&self) -> ast::Verilog {
            const TREE: &[crate::primitives::tree::Statement] = {
                use crate::primitives::tree::*;
                #statements
            };
            crate::verilog::leave(Self::ABOUT, None);
            ast::Verilog::Combinatorial(crate::primitives::tree::block(TREE, &[#(#numbers),*]))
        }
    })
}

struct Description {
    /// What the tree's numbers are, in the order in which they are used.
    numbers: Vec<TokenStream>,
}

impl Description {
    /// Its place among the numbers.
    fn number(&mut self, value: impl ToTokens) -> usize {
        self.numbers.push(value.to_token_stream());
        self.numbers.len() - 1
    }

    fn block(&mut self, block: &Block) -> Result<TokenStream> {
        let statements: Vec<_> = (block.stmts.iter())
            .map(|statement| self.statement(statement))
            .collect::<Result<_>>()?;
        Ok(quote!(&[#(#statements),*]))
    }

    fn statement(&mut self, statement: &Stmt) -> Result<TokenStream> {
        match statement {
            Stmt::Expr(Expr::Assign(assignment), _) => {
                let target = name(&assignment.left);
                let value = self.value(&assignment.right)?;
                Ok(quote!(Statement::Set(#target, #value)))
            }
            Stmt::Expr(Expr::If(either), _) => self.choice(either),
            Stmt::Expr(Expr::ForLoop(each), _) => {
                let (Pat::Ident(index), Expr::Range(range)) = (&*each.pat, &*each.expr) else {
                    return Err(Error::new_spanned(&each.expr, "a loop is over a range"));
                };
                let index = index.ident.to_string();
                let (Some(from), RangeLimits::HalfOpen(_), Some(to)) =
                    (&range.start, &range.limits, &range.end)
                else {
                    return Err(Error::new_spanned(range, "a range is FROM..TO"));
                };
                let (from, to) = (self.number(from), self.number(to));
                let body = self.block(&each.body)?;
                Ok(quote!(Statement::Each(#index, [#from, #to], #body)))
            }
            Stmt::Macro(call) => {
                let Flops {
                    clock, flops, keep, ..
                } = Flops::of(&call.mac)?;
                let (clock, flops) = (name(&clock), flops.iter().map(name));
                match keep {
                    true => Ok(quote!(Statement::Flops(#clock, &[#(#flops),*]))),
                    false => Ok(quote!(Statement::Clocks(#clock, &[#(#flops),*]))),
                }
            }
            other => Err(Error::new_spanned(other, "this does not describe hardware")),
        }
    }

    fn choice(&mut self, either: &ExprIf) -> Result<TokenStream> {
        let test = self.value(&either.cond)?;
        let then = self.block(&either.then_branch)?;
        let otherwise = match &either.else_branch {
            None => quote!(Otherwise::Nothing),
            Some((_, otherwise)) => match &**otherwise {
                Expr::If(either) => {
                    let either = self.choice(either)?;
                    quote!(Otherwise::Choose(&#either))
                }
                Expr::Block(block) => {
                    let block = self.block(&block.block)?;
                    quote!(Otherwise::Block(#block))
                }
                other => return Err(Error::new_spanned(other, "else is a block or an if")),
            },
        };
        Ok(quote!(Statement::Choose(#test, #then, #otherwise)))
    }

    fn value(&mut self, value: &Expr) -> Result<TokenStream> {
        match value {
            Expr::Field(field) if is_next(&field.member) => {
                Err(Error::new_spanned(value, "read a signal by `.val()`"))
            }
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => {
                let name = name(value);
                Ok(quote!(Value::Signal(#name)))
            }
            Expr::Paren(inner) => {
                let inner = self.value(&inner.expr)?;
                Ok(quote!(Value::Paren(&#inner)))
            }
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(_) => Ok(quote!(Value::Int(#literal))),
                Lit::Bool(_) => Ok(quote!(Value::Bool(#literal))),
                other => Err(Error::new_spanned(
                    other,
                    "a literal is an integer, true or false",
                )),
            },
            Expr::Unary(unary) => {
                let UnOp::Not(_) = unary.op else {
                    return Err(Error::new_spanned(unary, "the one sign there is is `!`"));
                };
                let inner = self.value(&unary.expr)?;
                Ok(quote!(Value::Unary(Unary::Not, &#inner)))
            }
            Expr::Binary(binary) => {
                let operator = operator(&binary.op)?;
                let (left, right) = (self.value(&binary.left)?, self.value(&binary.right)?);
                Ok(quote!(Value::Binary(&#left, Operator::#operator, &#right)))
            }
            Expr::MethodCall(call) => self.method(call),
            other => Err(Error::new_spanned(other, "this is no value of hardware")),
        }
    }

    fn method(&mut self, call: &ExprMethodCall) -> Result<TokenStream> {
        let of = self.value(&call.receiver)?;
        let arguments: Vec<_> = (call.args.iter())
            .map(|argument| match is_number(argument) {
                true => {
                    let number = self.number(argument);
                    Ok(quote!(Value::Number(#number)))
                }
                false => self.value(argument),
            })
            .collect::<Result<_>>()?;
        let method = call.method.to_string();
        match (method.as_str(), arguments.as_slice()) {
            ("val" | "into", []) => Ok(of),
            ("any", []) => Ok(quote!(Value::Unary(Unary::Any, &#of))),
            ("all", []) => Ok(quote!(Value::Unary(Unary::All, &#of))),
            ("get_bit", [index]) => Ok(quote!(Value::Bit(&#of, &#index))),
            ("get_bits", [low]) => {
                let width = call.turbofish.as_ref().and_then(|types| types.args.first());
                let width = match width {
                    Some(GenericArgument::Const(width)) => self.number(width),
                    Some(GenericArgument::Type(width)) => self.number(width),
                    _ => {
                        return Err(Error::new_spanned(
                            call,
                            "get_bits::<WIDTH> states its width",
                        ));
                    }
                };
                Ok(quote!(Value::Slice(&#of, #width, &#low)))
            }
            _ => Err(Error::new_spanned(
                &call.method,
                "hardware has no such method",
            )),
        }
    }
}

/// Whether this is made of constants.
fn is_number(value: &Expr) -> bool {
    match value {
        Expr::Path(path) => {
            let last = path.path.segments.last();
            last.is_some_and(|last| is_constant(&last.ident))
        }
        Expr::Binary(binary) => {
            let is_literal = |value: &Expr| matches!(value, Expr::Lit(_));
            is_number(&binary.left) && (is_literal(&binary.right) || is_number(&binary.right))
        }
        _ => false,
    }
}

fn operator(operator: &BinOp) -> Result<TokenStream> {
    Ok(match operator {
        BinOp::Add(_) => quote!(Add),
        BinOp::Sub(_) => quote!(Sub),
        BinOp::BitAnd(_) => quote!(BitAnd),
        BinOp::BitOr(_) => quote!(BitOr),
        BinOp::BitXor(_) => quote!(BitXor),
        BinOp::Shl(_) => quote!(Shl),
        BinOp::Shr(_) => quote!(Shr),
        BinOp::Eq(_) => quote!(Eq),
        BinOp::Ne(_) => quote!(Ne),
        BinOp::Lt(_) => quote!(Lt),
        BinOp::Le(_) => quote!(Le),
        BinOp::Gt(_) => quote!(Gt),
        BinOp::Ge(_) => quote!(Ge),
        other => return Err(Error::new_spanned(other, "hardware has no such operator")),
    })
}

/// A signal's name in Rust-HDL's tree: the way to it from the block, joined by `$`.
fn name(signal: &Expr) -> String {
    let text = signal
        .to_token_stream()
        .to_string()
        .replace([' ', '\n'], "");
    text.replace("self.", "")
        .replace('.', "$")
        .replace("::", "$")
}
