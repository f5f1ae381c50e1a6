//! What the language of stages is written like.

use super::lines::{Connection, kind, lines, names, stage_of};
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, Generics, Ident, LitInt, LitStr, Result, Token, Type, Visibility,
    braced, parse_quote,
};

pub mod word {
    syn::custom_keyword!(block);
    syn::custom_keyword!(given);
    syn::custom_keyword!(clock);
    syn::custom_keyword!(beat);
    syn::custom_keyword!(out);
    syn::custom_keyword!(stage);
    syn::custom_keyword!(always);
    syn::custom_keyword!(takes);
    syn::custom_keyword!(mark);
    syn::custom_keyword!(state);
    syn::custom_keyword!(part);
    syn::custom_keyword!(wires);
    syn::custom_keyword!(carry);
}

/// Which of a list: `index` from 0 to before `count`.
#[derive(Clone)]
pub struct List {
    pub index: Ident,
    pub count: Expr,
}

/// A block of hardware.
pub struct Block {
    pub attributes: Vec<Attribute>,
    pub visibility: Visibility,
    pub name: Ident,
    pub generics: Generics,
    pub givens: Vec<Given>,
    /// The name of its clock.
    pub clock: Ident,
    /// What marks a beat, and the last one of a packet.
    pub beat: Option<(Ident, Ident)>,
    /// All ports, in their order.
    pub ports: Vec<Port>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    pub stages: Vec<Stage>,
}

/// What its constructor is given, or what it makes of that.
pub struct Given {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub kind: Type,
    pub value: Option<Expr>,
}

pub struct Port {
    pub attributes: Vec<Attribute>,
    pub is_output: bool,
    pub name: Ident,
    pub list: Option<List>,
    pub kind: Type,
}

pub struct Input {
    pub name: Ident,
    pub list: Option<List>,
    pub kind: Type,
    /// None: it belongs to no beat, and is read in any stage as it is.
    pub stage: Option<i32>,
}

pub struct Output {
    pub name: Ident,
    pub list: Option<List>,
    pub value: Expr,
    /// None: what it shows belongs to no beat.
    pub stage: Option<i32>,
}

pub struct Stage {
    /// None: what is in it belongs to no beat, and is read in any stage as it is.
    pub number: Option<i32>,
    pub title: Option<LitStr>,
    /// The clocks that it takes, if that is not one.
    pub clocks: Option<Expr>,
    pub lines: Vec<Line>,
}

pub struct Line {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    /// It stands for each of a list.
    pub list: Option<List>,
    pub what: What,
}

#[derive(Clone)]
pub enum What {
    /// A register; a state is one that may keep what it has, and a mark one that a reset clears, here and at all later stages.
    Register {
        is_state: bool,
        is_mark: bool,
        kind: Type,
        value: Expr,
    },
    /// A name for a value.
    Net { kind: Type, value: Expr },
    /// Another block; one with a clock, or of wires only.
    Part {
        has_clock: bool,
        /// Its outputs are of the same stage as its inputs, though it has a clock.
        is_carry: bool,
        kind: Type,
        arguments: Option<Vec<Expr>>,
        ports: Vec<Connection>,
        /// What its output `y` is.
        output: Type,
    },
}

impl Parse for Block {
    fn parse(input: ParseStream) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<word::block>()?;
        let mut block = Self {
            attributes,
            visibility,
            name: input.parse()?,
            generics: input.parse()?,
            givens: Vec::new(),
            clock: Ident::new("clock", Span::call_site()),
            beat: None,
            ports: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            stages: Vec::new(),
        };
        let body;
        braced!(body in input);
        while !body.is_empty() {
            block.item(&body)?;
        }
        Ok(block)
    }
}

impl Block {
    fn item(&mut self, input: ParseStream) -> Result<()> {
        let attributes = input.call(Attribute::parse_outer)?;
        let next = input.lookahead1();
        if next.peek(word::given) {
            input.parse::<word::given>()?;
            let names: Vec<Ident> = Punctuated::<_, Token![,]>::parse_separated_nonempty(input)?
                .into_iter()
                .collect();
            input.parse::<Token![:]>()?;
            let kind: Type = input.parse()?;
            let value: Option<Expr> = match input.parse::<Option<Token![=]>>()? {
                Some(_) => Some(input.parse()?),
                None => None,
            };
            let is_list = names.len() > 1;
            self.givens.extend(names.into_iter().map(|name| Given {
                attributes: attributes.clone(),
                kind: kind.clone(),
                value: match is_list {
                    true => value.as_ref().map(|value| parse_quote!(#value.#name)),
                    false => value.clone(),
                },
                name,
            }));
        } else if next.peek(word::clock) {
            input.parse::<word::clock>()?;
            self.clock = input.parse()?;
        } else if next.peek(word::beat) {
            input.parse::<word::beat>()?;
            let valid = input.parse()?;
            input.parse::<Token![,]>()?;
            self.beat = Some((valid, input.parse()?));
        } else if next.peek(Token![in]) {
            input.parse::<Token![in]>()?;
            self.inputs(attributes, input)?;
        } else if next.peek(word::out) {
            input.parse::<word::out>()?;
            self.outputs(attributes, input)?;
        } else if next.peek(word::stage) {
            input.parse::<word::stage>()?;
            return self.stage(input);
        } else if next.peek(word::always) {
            input.parse::<word::always>()?;
            let title = input.parse()?;
            self.stages.push(Stage {
                number: None,
                title,
                clocks: None,
                lines: lines(input)?,
            });
            return Ok(());
        } else {
            return Err(next.error());
        }
        input.parse::<Token![;]>().map(|_| ())
    }

    fn inputs(&mut self, attributes: Vec<Attribute>, input: ParseStream) -> Result<()> {
        let names = names(input)?;
        let kind = kind(input)?;
        let stage = stage_of(input)?;
        self.port(&attributes, false, &names, &kind);
        self.inputs
            .extend(names.into_iter().map(|(name, list)| Input {
                name,
                list,
                kind: kind.clone(),
                stage,
            }));
        Ok(())
    }

    fn outputs(&mut self, attributes: Vec<Attribute>, input: ParseStream) -> Result<()> {
        let names = names(input)?;
        let kind = kind(input)?;
        let value: Option<Expr> = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        let stage = stage_of(input)?;
        if let (Some(_), [_, (second, _), ..]) = (&value, names.as_slice()) {
            return Err(Error::new(second.span(), "one output has a value"));
        }
        self.port(&attributes, true, &names, &kind);
        self.outputs
            .extend(names.into_iter().map(|(name, list)| Output {
                value: value.clone().unwrap_or_else(|| syn::parse_quote!(#name)),
                name,
                list,
                stage,
            }));
        Ok(())
    }

    /// Names in a list share a comment, which stands at the first of them.
    fn port(
        &mut self,
        attributes: &[Attribute],
        is_output: bool,
        names: &[(Ident, Option<List>)],
        kind: &Type,
    ) {
        for (index, (name, list)) in names.iter().enumerate() {
            self.ports.push(Port {
                attributes: if index == 0 {
                    attributes.to_vec()
                } else {
                    Vec::new()
                },
                is_output,
                name: name.clone(),
                list: list.clone(),
                kind: kind.clone(),
            });
        }
    }

    fn stage(&mut self, input: ParseStream) -> Result<()> {
        let number: LitInt = input.parse()?;
        let title = input.parse()?;
        let clocks = match input.parse::<Option<word::takes>>()? {
            Some(_) => Some(input.call(Expr::parse_without_eager_brace)?),
            None => None,
        };
        let lines = lines(input)?;
        let value = number.base10_parse()?;
        let last = self.stages.iter().filter_map(|stage| stage.number).max();
        if last.is_some_and(|last| last >= value) {
            return Err(Error::new(number.span(), "stages stand in their order"));
        }
        self.stages.push(Stage {
            number: Some(value),
            title,
            clocks,
            lines,
        });
        Ok(())
    }
}
