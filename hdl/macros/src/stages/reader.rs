//! Reads expressions.

use super::lines;
use super::lists::made;
use super::signals::{Lag, Signals, Source};
use super::syntax::List;
use crate::subset::is_constant;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{BinOp, Error, Expr, ExprCall, Ident, Lit, Result};

/// Reads expressions of one stage.
pub struct Reader<'a> {
    pub signals: &'a mut Signals,
    /// The stage that values are read at.
    pub stage: i32,
    /// The stage of the registers that they go to.
    pub own: i32,
    pub lags: &'a mut Vec<Lag>,
    /// In a list of which the first one is another: the index, and whether it is the first.
    pub first: Option<(Ident, bool)>,
}

impl Reader<'_> {
    pub fn value(&mut self, value: &Expr) -> Result<TokenStream> {
        if let Some(name) = lines::name(value) {
            if self.signals.constants.iter().any(|it| name == it) || is_constant(name) {
                return Ok(name.to_token_stream());
            }
            return self.signals.read(name, self.stage, None);
        }
        match value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => Ok(quote!(#number.into())),
                Lit::Bool(_) => Ok(literal.to_token_stream()),
                other => Err(Error::new_spanned(other, "no value of hardware")),
            },
            Expr::Paren(inner) => {
                let inner = self.value(&inner.expr)?;
                Ok(quote!((#inner)))
            }
            Expr::Unary(unary) => {
                let (operator, inner) = (&unary.op, self.value(&unary.expr)?);
                Ok(quote!(#operator #inner))
            }
            Expr::Binary(binary) => {
                let operator = &binary.op;
                let left = self.value(&binary.left)?;
                // Beside a number of hardware, a plain one is of the same width.
                let right = match &*binary.right {
                    Expr::Lit(number) => number.to_token_stream(),
                    right => self.value(right)?,
                };
                Ok(quote!(#left #operator #right))
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) if call.method == "at" => {
                let (of, index) = indexed(&call.receiver);
                let (Some(name), [Expr::Lit(stage)]) =
                    (lines::name(of), Vec::from_iter(&call.args).as_slice())
                else {
                    return Err(Error::new_spanned(call, "a signal at a stage is x.at(3)"));
                };
                let Lit::Int(stage) = &stage.lit else {
                    return Err(Error::new_spanned(stage, "a stage is a number"));
                };
                self.signals.read(name, stage.base10_parse()?, index)
            }
            Expr::MethodCall(call) => {
                let of = self.value(&call.receiver)?;
                let (method, width, arguments) = (&call.method, &call.turbofish, &call.args);
                Ok(quote!(#of.#method #width(#arguments)))
            }
            // A part's list of outputs, or an output that is not named `y`.
            Expr::Index(index)
                if lines::name(&index.expr).is_some_and(|name| self.signals.is_list(name)) =>
            {
                let (of, index) = indexed(value);
                let name = lines::name(of).ok_or_else(|| Error::new_spanned(of, "no name"))?;
                self.signals.read(name, self.stage, index)
            }
            Expr::Index(index) => {
                let output = self.output(&index.expr, self.stage)?;
                let index = &index.index;
                Ok(quote!(#output[#index].val()))
            }
            Expr::Field(_) => {
                let output = self.output(value, self.stage)?;
                Ok(quote!(#output.val()))
            }
            other => Err(Error::new_spanned(other, "this is no value of hardware")),
        }
    }

    /// An output of a part, at a stage.
    fn output(&mut self, value: &Expr, stage: i32) -> Result<TokenStream> {
        let (of, port) = match value {
            Expr::Field(field) => (&*field.base, lines::field(&field.member)),
            _ => (value, None),
        };
        let (of, index) = indexed(of);
        let name = lines::name(of);
        match name.filter(|name| self.signals.is_part(name)) {
            Some(name) => {
                // What is not named `y` is not delayed.
                let signal = self.signals.find(name, stage)?;
                let is_late = signal.stage.is_some_and(|own| own < stage);
                let Source::Part { field, .. } = signal.source.clone() else {
                    return Err(Error::new_spanned(value, "this is no part's output"));
                };
                if is_late {
                    let error = format!("this is read at stage {stage}: name it before");
                    return Err(Error::new_spanned(value, error));
                }
                let port = port.map_or_else(|| format_ident!("y"), Ident::clone);
                let index = index.map(|index| quote!([#index]));
                Ok(quote!(self.#field #index.#port))
            }
            None => Err(Error::new_spanned(value, "this is no part's output")),
        }
    }

    /// In a list, whether a test is of its first one, and whether it is: what is in the branches is decided here.
    pub fn is_first(&self, test: &Expr) -> Option<bool> {
        let (index, is_first) = self.first.as_ref()?;
        is_first_of(test, index).then_some(*is_first)
    }

    /// `part[i].port`: the list that this is one of, and its value.
    pub fn of_list(&mut self, value: &Expr) -> Result<(List, TokenStream)> {
        let no_list = || Error::new_spanned(value, "what may not be there is `part[i].port`");
        let Expr::Field(field) = value else {
            return Err(no_list());
        };
        let name = lines::name(indexed(&field.base).0).ok_or_else(no_list)?;
        let signal = self.signals.find(name, self.stage)?;
        let mut list = signal.list.clone().ok_or_else(no_list)?;
        if let Source::Part { field, .. } = &signal.source {
            list.count = made(field);
        }
        Ok((list, self.value(value)?))
    }

    fn call(&mut self, call: &ExprCall) -> Result<TokenStream> {
        let function = lines::name(&call.func).map(ToString::to_string);
        match (function.as_deref(), Vec::from_iter(&call.args).as_slice()) {
            (Some("before"), [of]) => self.before(call, of, true),
            (Some("before_any"), [of]) => self.before(call, of, false),
            (Some("was"), [of @ Expr::Field(_)]) => {
                let output = self.output(of, self.own)?;
                Ok(quote!(#output.val()))
            }
            (Some("was"), [of]) => match (lines::name(indexed(of).0), indexed(of).1) {
                (Some(name), index) => self.signals.was(name, self.own, index),
                (None, _) => Err(Error::new_spanned(of, "only a state was something")),
            },
            _ => Err(Error::new_spanned(&call.func, "there is no such function")),
        }
    }

    /// A plane as it was a byte earlier; `clears`: of the same packet, else clear.
    fn before(&mut self, call: &ExprCall, of: &Expr, clears: bool) -> Result<TokenStream> {
        let mut depth = 1;
        let mut base = of;
        while let Expr::Call(inner) = base
            && lines::name(&inner.func) == lines::name(&call.func)
            && let Some(of) = inner.args.first()
        {
            (depth, base) = (depth + 1, of);
        }
        let name = lines::name(base)
            .ok_or_else(|| Error::new_spanned(base, "name the plane whose byte before is meant"))?;
        let own = self.own;
        let field = match depth {
            1 => format_ident!("s{own}_before_{name}"),
            _ => format_ident!("s{own}_before_{name}_{depth}"),
        };
        let x = self.value(of)?;
        let read = quote!(self.#field.y.val());
        if let Some(lag) = self.lags.iter().find(|lag| lag.field == field) {
            let both = "a stage reads this byte before by `before` or by `before_any`, not by both";
            return match lag.clears == clears {
                true => Ok(read),
                false => Err(Error::new_spanned(call, both)),
            };
        }
        let Some((valid, last)) = self.signals.beat.clone() else {
            return Err(Error::new_spanned(
                call,
                "the block has no `beat VALID, LAST;`",
            ));
        };
        let advance = self.signals.read(&valid, self.stage, None)?;
        let clear = match clears {
            true => self.signals.read(&last, self.stage, None)?,
            false => quote!(false),
        };
        self.lags.push(Lag {
            field,
            clears,
            clear,
            advance,
            x,
        });
        Ok(read)
    }
}

/// Whether a test is whether an index is that of a list's first one.
pub fn is_first_of(test: &Expr, index: &Ident) -> bool {
    let Expr::Binary(test) = test else {
        return false;
    };
    let is_zero = |value: &Expr| match value {
        Expr::Lit(literal) => {
            matches!(&literal.lit, Lit::Int(number) if number.base10_digits() == "0")
        }
        _ => false,
    };
    matches!(test.op, BinOp::Eq(_))
        && lines::name(&test.left) == Some(index)
        && is_zero(&test.right)
}

/// What is indexed, and the index: one of a list is `x[3]`.
fn indexed(value: &Expr) -> (&Expr, Option<&Expr>) {
    match value {
        Expr::Index(one) => (&one.expr, Some(&one.index)),
        other => (other, None),
    }
}
