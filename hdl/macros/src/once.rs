//! A function that is compiled once, and not anew for every width its block is used with.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, FnArg, Ident, ImplItemFn, Pat, Result, Token, Type, parse_quote};

/// A number that the function is given: its name, and what it is.
struct Number {
    name: Ident,
    kind: Type,
    value: Expr,
}

impl Parse for Number {
    fn parse(input: ParseStream) -> Result<Self> {
        let name: Ident = input.parse()?;
        let kind = match input.parse::<Option<Token![:]>>()? {
            Some(_) => input.parse()?,
            None => parse_quote!(usize),
        };
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) => input.parse()?,
            None => parse_quote!(#name),
        };
        Ok(Self { name, kind, value })
    }
}

pub fn once(numbers: TokenStream, function: ImplItemFn) -> Result<TokenStream> {
    let list = Punctuated::<Number, Token![,]>::parse_terminated;
    let numbers = syn::parse::Parser::parse2(list, numbers)?;
    let (names, kinds, values): (Vec<_>, Vec<_>, Vec<_>) = numbers
        .iter()
        .map(|Number { name, kind, value }| (name, kind, value))
        .collect();
    let ImplItemFn {
        attrs,
        vis,
        sig,
        block,
        ..
    } = function;
    let result = &sig.output;
    let mut outer = sig.clone();
    let mut taken = Vec::new();
    for argument in &mut outer.inputs {
        if let FnArg::Typed(argument) = argument {
            let Pat::Ident(pattern) = &mut *argument.pat else {
                return Err(Error::new_spanned(&argument.pat, "an argument has a name"));
            };
            pattern.mutability = None;
            taken.push(pattern.ident.clone());
        }
    }
    let typed = sig.inputs.iter();
    let typed = typed.filter(|argument| matches!(argument, FnArg::Typed(_)));
    Ok(quote! {
        #(#attrs)*
        #vis #outer {
            #[allow(non_snake_case, clippy::too_many_arguments)]
            fn once(#(#typed,)* #(#names: #kinds),*) #result #block
            once(#(#taken,)* #(#values),*)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_it_needs_it_is_given() {
        let function = parse_quote!(
            fn body(&self, mut body: Body) -> Body {
                body.of(N, words)
            }
        );
        let numbers = quote!(N, words: u8 = self._words);
        let made = once(numbers, function).expect("right").to_string();
        let made = made.replace([' ', '\n'], "");
        for part in [
            "fnbody(&self,body:Body)->Body{",
            "fnonce(mutbody:Body,N:usize,words:u8)->Body{body.of(N,words)}",
            "once(body,N,self._words)}",
        ] {
            assert!(made.contains(part), "{part} in {made}");
        }
    }
}
