//! The way of a signal to later stages: the registers and delays that need no line.

use super::body::{Body, Field, doc};
use super::lists::{listed, one_of, repeated};
use super::signals::{Signal, Signals};
use quote::quote;
use syn::{Expr, Result, Stmt};

impl Body {
    /// Signals of earlier stages that are read at this one.
    pub fn carry(&mut self, signals: &Signals, stage: i32) -> Result<()> {
        let carried = signals.all.iter().filter(|it| it.later.contains(&stage));
        let (near, far): (Vec<&Signal>, Vec<&Signal>) =
            carried.partition(|signal| signal.carried(stage).1);
        for (index, signal) in near.into_iter().chain(far).enumerate() {
            let from = signal.from(stage);
            let (field, is_register) = signal.carried(stage);
            let list = signal.list.as_ref();
            let at = list.map(one_of);
            let one: Option<Expr> = list.map(|list| {
                let index = &list.index;
                syn::parse_quote!(#index)
            });
            let (kind, x) = (
                &signal.kind,
                signal.value(from, signal.name.span(), one.as_ref()),
            );
            let long = self
                .long
                .iter()
                .filter(|(long, _)| (from + 1..=stage).contains(long));
            let more =
                long.map(|(long, clocks)| quote!(- cuts.between(#long - 1, #long) + (#clocks)));
            let clocks = quote!(cuts.between(#from, #stage) #(#more)*);
            let (kind, value, port) = match (is_register, signal.is_mark) {
                (true, _) => (
                    quote!(crate::primitives::DFF<#kind>),
                    quote!(crate::primitives::DFF::staged(cuts.has(#stage))),
                    quote!(d),
                ),
                (false, false) => (
                    quote!(crate::primitives::delay::DelayLine<#kind>),
                    quote!(crate::primitives::delay::DelayLine::new(#clocks)),
                    quote!(x),
                ),
                (false, true) => (
                    quote!(crate::primitives::delay::ValidDelayLine),
                    quote!(crate::primitives::delay::ValidDelayLine::new(#clocks)),
                    quote!(x),
                ),
            };
            let mut statements: Vec<Stmt> = match (is_register, signal.is_mark) {
                (true, true) => vec![syn::parse_quote! {
                    if self.reset.val() { self.#field #at.d.next = false; } else { self.#field #at.d.next = #x; }
                }],
                (false, true) => vec![
                    syn::parse_quote!(self.#field #at.reset.next = self.reset.val();),
                    syn::parse_quote!(self.#field #at.x.next = #x;),
                ],
                (_, false) => vec![syn::parse_quote!(self.#field #at.#port.next = #x;)],
            };
            let clock = &self.clock;
            match list {
                Some(_) => statements
                    .push(syn::parse_quote!(self.#field #at.clock.next = self.#clock.val();)),
                None => self.clocked.push(field.clone()),
            }
            self.statements.extend(repeated(list, statements));
            let (kind, value) = listed(list, kind, value);
            self.fields.push(Field {
                attributes: doc(index == 0, " As at an earlier stage."),
                name: field,
                kind,
                value,
                is_register: false,
            });
        }
        Ok(())
    }
}
