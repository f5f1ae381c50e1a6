//! Which signals there are, at which stages, and what is read where.

use super::syntax::{Block, List, What};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::{Error, Expr, Ident, Result, Type};

/// Where a signal's value is.
#[derive(Clone)]
pub enum Source {
    /// A port, a constant or a net: `self.x`.
    Signal,
    /// A register.
    Register { field: Ident, is_state: bool },
    /// An output of another block; a clocked one has a state.
    Part { field: Ident, has_clock: bool },
}

/// What a name stands for from a stage on, until it stands for something else.
#[derive(Clone)]
pub struct Signal {
    pub name: Ident,
    /// None: in every stage the same.
    pub stage: Option<i32>,
    pub source: Source,
    pub kind: Type,
    /// There is one for each of a list.
    pub list: Option<List>,
    /// It marks beats, so that a reset clears it wherever it is.
    pub is_mark: bool,
    /// Later stages that it is read at.
    pub later: BTreeSet<i32>,
    /// The stages that take another number of clocks than one.
    long: Rc<BTreeSet<i32>>,
}

impl Signal {
    /// The stage it comes from on its way to this one.
    pub fn from(&self, stage: i32) -> i32 {
        let before = self.later.range(..stage).next_back().copied();
        before.or(self.stage).unwrap_or(stage)
    }

    /// The field that holds it at a later stage: a register if that is the next one, else a delay.
    pub fn carried(&self, stage: i32) -> (Ident, bool) {
        let name = &self.name;
        match stage - self.from(stage) {
            1 if !self.long.contains(&stage) => (format_ident!("s{stage}_{name}"), true),
            _ => (format_ident!("delay_{name}_{stage}"), false),
        }
    }

    /// Its value at a stage, if that is not before its own; of a list that of one.
    pub fn value(&self, stage: i32, span: Span, index: Option<&Expr>) -> TokenStream {
        let index = index.map(|index| quote!([#index]));
        let own = self.stage.is_none_or(|own| own == stage);
        if !own {
            let (field, is_register) = self.carried(stage);
            let field = Ident::new(&field.to_string(), span);
            return match is_register {
                true => quote_spanned!(span=> self.#field #index.q.val()),
                false => quote_spanned!(span=> self.#field #index.y.val()),
            };
        }
        let here = |field: &Ident| Ident::new(&field.to_string(), span);
        match &self.source {
            Source::Signal => {
                let name = here(&self.name);
                quote_spanned!(span=> self.#name #index.val())
            }
            Source::Part { field, .. } => {
                let field = here(field);
                quote_spanned!(span=> self.#field #index.y.val())
            }
            Source::Register { field, .. } => {
                let field = here(field);
                quote_spanned!(span=> self.#field #index.q.val())
            }
        }
    }
}

/// What holds a state of the clock before: the state's own register, or one of its own if the state's stage has none.
pub fn was(state: &Ident) -> Ident {
    format_ident!("was_{state}")
}

/// The value of the byte before, kept from beat to beat.
pub struct Lag {
    pub field: Ident,
    /// Clear in a packet's first byte.
    pub clears: bool,
    pub clear: TokenStream,
    pub advance: TokenStream,
    pub x: TokenStream,
}

/// All signals of a block. What is read is noted, so that a second reading knows which delays there are.
pub struct Signals {
    pub all: Vec<Signal>,
    pub beat: Option<(Ident, Ident)>,
    pub constants: Vec<String>,
    long: Rc<BTreeSet<i32>>,
}

impl Signals {
    pub fn of(block: &Block) -> Result<Self> {
        let mut signals = Self {
            all: Vec::new(),
            beat: block.beat.clone(),
            constants: (block.generics.const_params())
                .map(|parameter| parameter.ident.to_string())
                .collect(),
            long: Rc::new(
                (block.stages.iter())
                    .filter(|stage| stage.clocks.is_some())
                    .filter_map(|stage| stage.number)
                    .collect(),
            ),
        };
        for given in block.givens.iter().filter(|given| given.is_signal()) {
            signals.add(&given.name, None, None, Source::Signal, &given.kind)?;
        }
        for input in &block.inputs {
            let list = input.list.as_ref();
            signals.add(&input.name, list, input.stage, Source::Signal, &input.kind)?;
        }
        for stage in &block.stages {
            let number = stage.number;
            // A net has the stage of what it is made from.
            let before = number.map(|number| number - 1);
            for line in &stage.lines {
                let (name, list) = (&line.name, line.list.as_ref());
                match &line.what {
                    What::Register {
                        is_state,
                        is_mark,
                        kind,
                        ..
                    } => {
                        if *is_mark && !block.inputs.iter().any(|it| it.name == "reset") {
                            return Err(Error::new(
                                name.span(),
                                "what clears a mark is `in reset: Bit`",
                            ));
                        }
                        let source = Source::Register {
                            field: line.field(number),
                            is_state: *is_state,
                        };
                        signals.add(name, list, number, source, kind)?;
                        if let Some(signal) = signals.all.last_mut() {
                            signal.is_mark = *is_mark;
                        }
                    }
                    What::Net { kind, .. } => {
                        signals.add(name, list, before, Source::Signal, kind)?;
                    }
                    What::Part {
                        has_clock,
                        is_carry,
                        output,
                        ..
                    } => {
                        let has_clock = *has_clock && !is_carry;
                        let stage = if has_clock { number } else { before };
                        let source = Source::Part {
                            field: line.field(number),
                            has_clock,
                        };
                        signals.add(name, list, stage, source, output)?;
                    }
                }
            }
        }
        Ok(signals)
    }

    fn add(
        &mut self,
        name: &Ident,
        list: Option<&List>,
        stage: Option<i32>,
        source: Source,
        kind: &Type,
    ) -> Result<()> {
        if self
            .all
            .iter()
            .any(|it| it.name == *name && it.stage == stage)
        {
            return Err(Error::new(
                name.span(),
                format!("`{name}` is there already"),
            ));
        }
        self.all.push(Signal {
            name: name.clone(),
            stage,
            source,
            kind: kind.clone(),
            list: list.cloned(),
            is_mark: false,
            later: BTreeSet::new(),
            long: self.long.clone(),
        });
        Ok(())
    }

    /// What a name stands for at a stage.
    pub fn find(&mut self, name: &Ident, stage: i32) -> Result<&mut Signal> {
        let named = self
            .all
            .iter()
            .enumerate()
            .filter(|(_, it)| it.name == *name);
        let stages: Vec<_> = named.map(|(index, it)| (it.stage, index)).collect();
        let reached = stages
            .iter()
            .filter(|(own, _)| own.is_none_or(|own| own <= stage));
        match (reached.max(), stages.iter().min()) {
            (Some((_, index)), _) => Ok(&mut self.all[*index]),
            (None, Some((Some(own), _))) => {
                let here = match stage {
                    NO_STAGE => "always".to_string(),
                    stage => format!("at stage {stage}"),
                };
                let error = format!("`{name}` is of stage {own}, and this is read {here}");
                Err(Error::new(name.span(), error))
            }
            _ => Err(Error::new(
                name.span(),
                format!("`{name}` is not known here"),
            )),
        }
    }

    pub fn read(&mut self, name: &Ident, stage: i32, index: Option<&Expr>) -> Result<TokenStream> {
        let signal = self.find(name, stage)?;
        if signal.list.is_some() != index.is_some() {
            let error = match index {
                None => format!("`{name}` is a list: {name}[0] is one of it"),
                Some(_) => format!("`{name}` is no list"),
            };
            return Err(Error::new(name.span(), error));
        }
        if signal.stage.is_some_and(|own| own < stage) {
            signal.later.insert(stage);
        }
        Ok(signal.value(stage, name.span(), index))
    }

    /// What a state or a part has before the clock that ends this stage.
    pub fn was(&self, name: &Ident, stage: i32, index: Option<&Expr>) -> Result<TokenStream> {
        let stage_or_none = (stage != NO_STAGE).then_some(stage);
        let own = self
            .all
            .iter()
            .find(|it| it.name == *name && it.stage == stage_or_none);
        let is_state = own.filter(|it| {
            matches!(
                it.source,
                Source::Register { is_state: true, .. }
                    | Source::Part {
                        has_clock: true,
                        ..
                    }
            )
        });
        let no_state = || Error::new(name.span(), format!("`{name}` is no state of this stage"));
        let state = is_state.ok_or_else(no_state)?;
        Ok(match &state.source {
            Source::Register { field, .. } if stage != NO_STAGE => {
                let (field, index) = (was(field), index.map(|index| quote!([#index])));
                quote_spanned!(name.span()=> self.#field #index.q.val())
            }
            _ => state.value(stage, name.span(), index),
        })
    }

    pub fn is_part(&self, name: &Ident) -> bool {
        (self.all.iter()).any(|it| it.name == *name && matches!(it.source, Source::Part { .. }))
    }

    pub fn is_list(&self, name: &Ident) -> bool {
        (self.all.iter()).any(|it| it.name == *name && it.list.is_some())
    }
}

/// What belongs to no beat is read before all stages.
pub const NO_STAGE: i32 = i32::MIN;
