//! What the lines of all stages become: fields, and the statements that connect them.

use super::assign::assign;
use super::lines::{self, Connection};
use super::lists::{one_of, repeated};
use super::reader::Reader;
use super::signals::{Lag, NO_STAGE, Signals, was};
use super::syntax::{Block, Line, What};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::BTreeSet;
use syn::{Attribute, Error, Expr, Ident, Result, Stmt};

/// A part of the block: a register, a net, a delay or another block.
pub struct Field {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub kind: TokenStream,
    pub value: TokenStream,
    pub is_register: bool,
}

/// A comment on the first of several fields; the others share it.
pub fn doc(is_first: bool, doc: &str) -> Vec<Attribute> {
    let doc = is_first.then(|| syn::parse_quote!(#[doc = #doc]));
    doc.into_iter().collect()
}

#[derive(Default)]
pub struct Body {
    pub fields: Vec<Field>,
    /// What states were in the clock before, where their stages have no registers; they stand after the other fields.
    pub past: Vec<Field>,
    /// The nets have their values before anything reads them: Rust-HDL wants that.
    pub nets: Vec<Stmt>,
    pub statements: Vec<Stmt>,
    /// What has a clock.
    pub clocked: Vec<Ident>,
    /// Registers that keep what they have unless something is assigned.
    pub states: Vec<Ident>,
    /// The stages that take another number of clocks than one, and the number.
    pub long: Vec<(i32, Expr)>,
    pub clock: Option<Ident>,
}

impl Body {
    pub fn of(block: &Block, signals: &mut Signals) -> Result<Self> {
        let mut body = Self {
            long: (block.stages.iter())
                .filter_map(|stage| Some((stage.number?, stage.clocks.clone()?)))
                .collect(),
            clock: Some(block.clock.clone()),
            ..Self::default()
        };
        let mut lags = Vec::new();
        for stage in &block.stages {
            let first = body.fields.len();
            let first_lag = lags.len();
            for line in &stage.lines {
                let reader = Reader {
                    signals: &mut *signals,
                    stage: stage.number.map_or(NO_STAGE, |number| number - 1),
                    own: stage.number.unwrap_or(NO_STAGE),
                    lags: &mut lags,
                    first: None,
                };
                body.line(line, stage.number, reader)?;
            }
            if let Some(title) = &stage.title {
                let (title, prefix) = match stage.number {
                    Some(number) => (
                        format!(" Stage {number}: {}.", title.value()),
                        format!("s{number}_"),
                    ),
                    None => (format!(" In all clocks: {}.", title.value()), String::new()),
                };
                body.entitle(&title, &prefix, first);
            }
            for (index, lag) in lags[first_lag..].iter().enumerate() {
                body.lag(&lag.field, index == 0);
            }
            if let Some(number) = stage.number {
                body.carry(signals, number)?;
            }
        }
        let mut outputs = Vec::new();
        for output in &block.outputs {
            let reader = Reader {
                signals: &mut *signals,
                stage: output.stage.unwrap_or(NO_STAGE),
                own: output.stage.unwrap_or(NO_STAGE),
                lags: &mut lags,
                first: None,
            };
            let name = &output.name;
            let index = output.list.as_ref().map(one_of);
            let mut statements = Vec::new();
            let target = quote!(self.#name #index.next);
            assign(target, &output.value, None, reader, &mut statements)?;
            outputs.extend(repeated(output.list.as_ref(), statements));
        }
        // Nothing else is at the stages that only outputs are read at.
        let stated: Vec<i32> = block
            .stages
            .iter()
            .filter_map(|stage| stage.number)
            .collect();
        let later: BTreeSet<i32> = (signals.all.iter())
            .flat_map(|signal| signal.later.iter().copied())
            .filter(|stage| !stated.contains(stage))
            .collect();
        for stage in later {
            body.carry(signals, stage)?;
        }
        body.statements.extend(outputs);
        body.fields.append(&mut body.past);
        Ok(body)
    }

    pub fn line(&mut self, line: &Line, stage: Option<i32>, mut reader: Reader) -> Result<()> {
        if let Some(list) = &line.list {
            return self.lines(line, list, stage, reader);
        }
        let (attributes, name) = (line.attributes.clone(), line.name.clone());
        let before = reader.lags.len();
        match &line.what {
            What::Register {
                is_state,
                kind,
                value,
                ..
            } => {
                if let Some((long, _)) = self.long.iter().find(|(long, _)| Some(*long) == stage) {
                    let error = format!("stage {long} takes several clocks, and a register one");
                    return Err(Error::new(name.span(), error));
                }
                let field = line.field(stage);
                let mut statements = Vec::new();
                let target = quote_spanned!(name.span()=> self.#field.d.next);
                let keeps = (!is_state).then_some(&name);
                let was = stage.filter(|_| *is_state).map(|_| was(&field));
                if let Some(was) = &was {
                    self.statements.extend([
                        syn::parse_quote!(self.#was.d.next = self.#field.q.val();),
                        syn::parse_quote!(self.#field.d.next = self.#was.q.val();),
                    ]);
                }
                let lags = reader.lags.len();
                assign(target, value, keeps, reader.again(), &mut statements)?;
                self.lags(&reader.lags[lags..]);
                self.statements.extend(statements);
                let value = match stage {
                    Some(stage) => quote!(crate::primitives::DFF::staged(cuts.has(#stage))),
                    None => quote!(crate::primitives::blank()),
                };
                match (is_state, stage) {
                    (true, None) => self.states.push(field.clone()),
                    _ => self.clocked.push(field.clone()),
                }
                if let Some(was) = was {
                    self.clocked.push(was.clone());
                    let is_first = self.past.is_empty();
                    self.past.push(Field {
                        attributes: doc(is_first, " What it was in the clock before."),
                        name: was,
                        kind: quote!(crate::primitives::DFF<#kind>),
                        value: quote!(crate::primitives::DFF::staged(!cuts.has(#stage))),
                        is_register: false,
                    });
                }
                self.fields.push(Field {
                    attributes,
                    name: field,
                    kind: quote!(crate::primitives::DFF<#kind>),
                    value,
                    is_register: true,
                });
            }
            What::Net { kind, value } => {
                let mut statements = Vec::new();
                let target = quote_spanned!(name.span()=> self.#name.next);
                assign(target, value, Some(&name), reader.again(), &mut statements)?;
                self.lags(&reader.lags[before..]);
                self.nets.extend(statements);
                self.fields.push(Field {
                    attributes,
                    name,
                    kind: quote!(Signal<Local, #kind>),
                    value: quote!(crate::primitives::blank()),
                    is_register: false,
                });
            }
            What::Part {
                has_clock,
                kind,
                arguments,
                ports,
                ..
            } => {
                let field = line.field(stage);
                let mut statements = Vec::new();
                for Connection {
                    name: port,
                    list,
                    value,
                } in ports
                {
                    let target = match port {
                        Expr::Index(index) => {
                            let (list, index) = (&index.expr, &index.index);
                            quote!(self.#field.#list[#index].next)
                        }
                        port => {
                            let port = lines::name(port)
                                .ok_or_else(|| Error::new_spanned(port, "a port has a name"))?;
                            quote!(self.#field.#port.next)
                        }
                    };
                    let mut assigned = Vec::new();
                    assign(target, value, None, reader.again(), &mut assigned)?;
                    statements.extend(repeated(list.as_ref(), assigned));
                }
                self.lags(&reader.lags[before..]);
                self.statements.extend(statements);
                if *has_clock {
                    self.clocked.push(field.clone());
                }
                let value = match arguments {
                    Some(arguments) => quote!(<#kind>::new(#(#arguments),*)),
                    None => quote!(crate::primitives::blank()),
                };
                self.fields.push(Field {
                    attributes,
                    name: field,
                    kind: quote!(#kind),
                    value,
                    is_register: false,
                });
            }
        }
        Ok(())
    }

    /// The bytes before that a line reads, which stand before it.
    fn lags(&mut self, lags: &[Lag]) {
        for Lag {
            field,
            clear,
            advance,
            x,
            ..
        } in lags
        {
            self.statements.extend([
                syn::parse_quote!(self.#field.advance.next = #advance;),
                syn::parse_quote!(self.#field.clear.next = #clear;),
                syn::parse_quote!(self.#field.x.next = #x;),
            ]);
        }
    }

    fn lag(&mut self, field: &Ident, is_first: bool) {
        let before = " The top lane of the beat before, which is before lane 0.";
        self.clocked.push(field.clone());
        self.fields.push(Field {
            attributes: doc(is_first, before),
            name: field.clone(),
            kind: quote!(crate::primitives::delay::PlaneLag<N>),
            value: quote!(crate::primitives::blank()),
            is_register: false,
        });
    }

    /// Puts the title of a stage before the comment on its first register, or on whatever is there if it has none.
    fn entitle(&mut self, title: &str, prefix: &str, first: usize) {
        let fields = &mut self.fields[first..];
        let is_register = |field: &Field| {
            let name = field.name.to_string();
            name.starts_with(prefix) && field.is_register
        };
        let place = fields.iter().position(is_register).unwrap_or(0);
        if let Some(field) = fields.get_mut(place) {
            field.attributes.splice(
                0..0,
                [
                    syn::parse_quote!(#[doc = #title]),
                    syn::parse_quote!(#[doc = ""]),
                ],
            );
        }
    }
}
