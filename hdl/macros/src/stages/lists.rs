//! Lists: lines that stand for each of several signals, parts or ports.

use super::body::{Body, Field};
use super::reader::{Reader, is_first_of};
use super::signals::was;
use super::syntax::{Line, List, What};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::{Expr, ExprIf, Ident, Result, Stmt};

impl Body {
    /// A line that stands for each of a list: what is made of it for one is put in a loop.
    pub fn lines(
        &mut self,
        line: &Line,
        list: &List,
        stage: Option<i32>,
        mut reader: Reader,
    ) -> Result<()> {
        let plain = |value: Option<&Expr>| Line {
            attributes: line.attributes.clone(),
            name: line.name.clone(),
            list: None,
            what: line.what.with(value),
        };
        let at = &list.index;
        let count = line.count(list, stage);
        let clock = self.clock.clone();
        let has_first = line
            .what
            .equations()
            .any(|value| matches!(value, Expr::If(ExprIf { cond, .. }) if is_first_of(cond, at)));
        let loops = match line.what.values() {
            Some(values) => values
                .enumerate()
                .map(|(index, value)| (quote!(#index..#index + 1), false, plain(Some(value))))
                .collect(),
            None if has_first => vec![
                (quote!(0..1), true, plain(None)),
                (quote!(1..#count), false, plain(None)),
            ],
            None => vec![(quote!(0..#count), false, plain(None))],
        };
        for (number, (range, is_first, plain)) in loops.into_iter().enumerate() {
            let mut one = Self {
                long: self.long.clone(),
                clock: clock.clone(),
                ..Self::default()
            };
            let mut again = reader.again();
            again.first = has_first.then(|| (at.clone(), is_first));
            one.line(&plain, stage, again)?;
            let mut statements = Vec::new();
            let (mut clocked, mut kept) = (one.clocked, Vec::new());
            for state in one.states {
                kept.push(quote!(self.#state[#at].d.next = self.#state[#at].q.val();));
                clocked.push(state);
            }
            statements.extend(clocked.iter().map(|field| -> Stmt {
                syn::parse_quote!(self.#field[#at].clock.next = self.#clock.val();)
            }));
            for kept in kept {
                statements.push(syn::parse2(kept)?);
            }
            let field = line.field(stage);
            let each = |statement: Stmt| {
                let statement = indexing(quote!(#statement), &field, at);
                syn::parse2(indexing(statement, &was(&field), at))
            };
            let nets: Vec<Stmt> = one.nets.into_iter().map(each).collect::<Result<_>>()?;
            if !nets.is_empty() {
                self.nets
                    .push(syn::parse_quote!(for #at in #range { #(#nets)* }));
            }
            for statement in one.statements {
                statements.push(each(statement)?);
            }
            if !statements.is_empty() {
                self.statements
                    .push(syn::parse_quote!(for #at in #range { #(#statements)* }));
            }
            if number == 0 {
                let of_list = |field: Field| {
                    let (kind, value) = listed(Some(list), field.kind, field.value);
                    Field {
                        kind,
                        value,
                        ..field
                    }
                };
                self.fields.extend(one.fields.into_iter().map(of_list));
                self.past.extend(one.past.into_iter().map(of_list));
            }
        }
        Ok(())
    }
}

impl Line {
    /// How many a list of these has. Of parts that is what the constructor has made.
    fn count(&self, list: &List, stage: Option<i32>) -> Expr {
        match self.what {
            What::Part { .. } => made(&self.field(stage)),
            _ => list.count.clone(),
        }
    }
}

/// How many parts a list has.
pub fn made(field: &Ident) -> Expr {
    syn::parse_quote!(self.#field.len())
}

impl What {
    /// The values of a list that are written one by one.
    fn values(&self) -> Option<impl Iterator<Item = &Expr>> {
        match self {
            What::Register {
                value: Expr::Array(all),
                ..
            }
            | What::Net {
                value: Expr::Array(all),
                ..
            } => Some(all.elems.iter()),
            _ => None,
        }
    }

    /// The same with another value, if there is one.
    fn with(&self, other: Option<&Expr>) -> Self {
        let mut what = self.clone();
        if let (Self::Register { value, .. } | Self::Net { value, .. }, Some(other)) =
            (&mut what, other)
        {
            *value = other.clone();
        }
        what
    }

    /// Its equations.
    fn equations(&self) -> impl Iterator<Item = &Expr> {
        let (own, ports) = match self {
            What::Register { value, .. } | What::Net { value, .. } => (Some(value), None),
            What::Part { ports, .. } => (None, Some(ports)),
        };
        let ports = ports.into_iter().flatten().map(|port| &port.value);
        own.into_iter().chain(ports)
    }
}

/// The kind and the value of a field, of which there may be a list.
pub fn listed(
    list: Option<&List>,
    kind: TokenStream,
    value: TokenStream,
) -> (TokenStream, TokenStream) {
    match list {
        Some(List { index, count }) => (
            quote!(Vec<#kind>),
            quote!(crate::primitives::several(#count, |#index| #value)),
        ),
        None => (kind, value),
    }
}

/// `[i]`, of a list.
pub fn one_of(list: &List) -> TokenStream {
    let index = &list.index;
    quote!([#index])
}

/// Statements for each of a list.
pub fn repeated(list: Option<&List>, statements: Vec<Stmt>) -> Vec<Stmt> {
    match list {
        Some(List { index, count }) => {
            vec![syn::parse_quote!(for #index in 0..#count { #(#statements)* })]
        }
        None => statements,
    }
}

/// Statements for one field, `self.x`, as those for one of a list of such, `self.x[i]`.
fn indexing(statement: TokenStream, field: &Ident, index: &Ident) -> TokenStream {
    let mut made = TokenStream::new();
    let mut tokens = statement.into_iter().peekable();
    let mut before: [Option<String>; 2] = [None, None];
    while let Some(token) = tokens.next() {
        let text = token.to_string();
        let is_own = matches!(&token, TokenTree::Ident(name) if name == field)
            && before == [Some("self".into()), Some(".".into())];
        let is_indexed = matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket);
        match token {
            TokenTree::Group(group) => {
                let inner = indexing(group.stream(), field, index);
                let mut inner = Group::new(group.delimiter(), inner);
                inner.set_span(group.span());
                made.extend([TokenTree::Group(inner)]);
            }
            token => made.extend([token]),
        }
        if is_own && !is_indexed {
            made.extend(quote!([#index]));
        }
        before = [before[1].take(), Some(text)];
    }
    made
}
