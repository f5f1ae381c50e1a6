//! Lines of a stage, and the small things that they are made of.

use super::syntax::{Line, List, What, word};
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, ExprRange, Ident, Lit, LitInt, Member, RangeLimits, Result, Token,
    Type, braced, bracketed, parenthesized,
};

impl Parse for Line {
    fn parse(input: ParseStream) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let (is_wires, is_carry) = (input.peek(word::wires), input.peek(word::carry));
        if (input.peek(word::part) || is_wires || is_carry) && input.peek2(Ident) {
            input.parse::<Ident>()?;
            let name = input.parse()?;
            input.parse::<Token![:]>()?;
            let kind = input.parse()?;
            let arguments = match input.peek(syn::token::Paren) {
                true => {
                    let list;
                    parenthesized!(list in input);
                    let list = Punctuated::<Expr, Token![,]>::parse_terminated(&list)?;
                    Some(list.into_iter().collect())
                }
                false => None,
            };
            input.parse::<Token![=]>()?;
            let ports;
            braced!(ports in input);
            let ports = Punctuated::<Connections, Token![,]>::parse_terminated(&ports)?;
            let output = match input.parse::<Option<Token![->]>>()? {
                Some(_) => input.parse()?,
                None => syn::parse_quote!(Bits<N>),
            };
            input.parse::<Token![;]>()?;
            return Ok(Self {
                attributes,
                name,
                list: None,
                what: What::Part {
                    has_clock: !is_wires,
                    is_carry,
                    kind,
                    arguments,
                    ports: ports.into_iter().flat_map(|ports| ports.0).collect(),
                    output,
                },
            });
        }
        let is_net = input.parse::<Option<Token![let]>>()?.is_some();
        let is_state = !is_net && input.peek(word::state) && input.peek2(Ident);
        let is_mark = !is_net && input.peek(word::mark) && input.peek2(Ident);
        if is_state || is_mark {
            input.parse::<Ident>()?;
        }
        let name = input.parse()?;
        let kind = kind(input)?;
        input.parse::<Token![=]>()?;
        let mut value = input.parse()?;
        input.parse::<Token![;]>()?;
        // Values in brackets are those of a list, one by one.
        let list = match &value {
            Expr::Array(values) => {
                let count = values.elems.len();
                Some(List {
                    index: Ident::new("i", Span::call_site()),
                    count: syn::parse_quote!(#count),
                })
            }
            _ => None,
        };
        if is_mark {
            value = syn::parse_quote!(if reset { false } else { #value });
        }
        let what = match is_net {
            true => What::Net { kind, value },
            false => What::Register {
                is_state,
                is_mark,
                kind,
                value,
            },
        };
        Ok(Self {
            attributes,
            name,
            list,
            what,
        })
    }
}

/// A connection: `port: value`, or the name of both; a port may be one of a list, `x[3]`, or stand for all of it,
/// `x[i in 0..COUNT]`.
#[derive(Clone)]
pub struct Connection {
    pub name: Expr,
    pub list: Option<List>,
    pub value: Expr,
}

/// One connection, or those of `..part(a, b)`: its outputs `a` and `b` at the ports of these names.
struct Connections(Vec<Connection>);

impl Parse for Connections {
    fn parse(input: ParseStream) -> Result<Self> {
        if input.parse::<Option<Token![..]>>()?.is_none() {
            return Ok(Self(vec![input.parse()?]));
        }
        let part: Ident = input.parse()?;
        let outputs;
        parenthesized!(outputs in input);
        let outputs = Punctuated::<Ident, Token![,]>::parse_terminated(&outputs)?;
        let port = |output| Connection {
            name: syn::parse_quote!(#output),
            list: None,
            value: syn::parse_quote!(#part.#output),
        };
        Ok(Self(outputs.iter().map(port).collect()))
    }
}

impl Parse for Connection {
    fn parse(input: ParseStream) -> Result<Self> {
        let ahead = input.fork();
        if ahead.parse::<Ident>().is_ok() && ahead.peek(syn::token::Bracket) {
            let inner;
            bracketed!(inner in ahead);
            if inner.peek(Ident) && inner.peek2(Token![in]) {
                let name: Ident = input.parse()?;
                let inner;
                bracketed!(inner in input);
                let list = list(&inner)?;
                input.parse::<Token![:]>()?;
                let index = &list.index;
                return Ok(Self {
                    name: syn::parse_quote!(#name[#index]),
                    list: Some(list),
                    value: input.parse()?,
                });
            }
        }
        let name: Expr = input.parse()?;
        match input.parse::<Option<Token![:]>>()? {
            Some(_) => Ok(Self {
                name,
                list: None,
                value: input.parse()?,
            }),
            None => Ok(Self {
                value: name.clone(),
                list: None,
                name,
            }),
        }
    }
}

/// Connections: names, each of them maybe of a list, `x[i in 0..COUNT]`.
pub fn names(input: ParseStream) -> Result<Vec<(Ident, Option<List>)>> {
    let mut names = Vec::new();
    loop {
        let name = input.parse()?;
        let list = match input.peek(syn::token::Bracket) {
            true => {
                let inner;
                bracketed!(inner in input);
                Some(list(&inner)?)
            }
            false => None,
        };
        names.push((name, list));
        if input.parse::<Option<Token![,]>>()?.is_none() {
            return Ok(names);
        }
    }
}

/// What is not said to be of another type is a plane: a bit for each lane.
pub fn kind(input: ParseStream) -> Result<Type> {
    match input.parse::<Option<Token![:]>>()? {
        Some(_) => input.parse(),
        None => Ok(syn::parse_quote!(Bits<N>)),
    }
}

pub fn lines(input: ParseStream) -> Result<Vec<Line>> {
    let body;
    braced!(body in input);
    let mut lines = Vec::new();
    while !body.is_empty() {
        if !body.peek(Token![for]) {
            lines.push(body.parse()?);
            continue;
        }
        body.parse::<Token![for]>()?;
        let list = list(&body)?;
        let each = self::lines(&body)?.into_iter();
        lines.extend(each.map(|line| Line {
            list: Some(list.clone()),
            ..line
        }));
    }
    Ok(lines)
}

/// `i in 0..COUNT`.
pub fn list(input: ParseStream) -> Result<List> {
    let index = input.parse()?;
    input.parse::<Token![in]>()?;
    let range = input.call(Expr::parse_without_eager_brace)?;
    match range {
        Expr::Range(ExprRange {
            start: Some(start),
            limits: RangeLimits::HalfOpen(_),
            end: Some(count),
            ..
        }) if matches!(&*start, Expr::Lit(zero) if matches!(&zero.lit, Lit::Int(zero) if zero.base10_digits() == "0")) => {
            Ok(List {
                index,
                count: *count,
            })
        }
        other => Err(Error::new_spanned(other, "a list is over 0..COUNT")),
    }
}

/// The stage, `@ 3`, if one is stated.
pub fn stage_of(input: ParseStream) -> Result<Option<i32>> {
    match input.parse::<Option<Token![@]>>()? {
        Some(_) => input.parse::<LitInt>()?.base10_parse().map(Some),
        None => Ok(None),
    }
}

/// The name, if this is nothing else.
pub fn name(value: &Expr) -> Option<&Ident> {
    match value {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// The name of a field.
pub fn field(member: &Member) -> Option<&Ident> {
    match member {
        Member::Named(name) => Some(name),
        Member::Unnamed(_) => None,
    }
}
