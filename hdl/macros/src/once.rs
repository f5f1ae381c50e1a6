//! A function that is compiled once, and not anew for every width its block is used with.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, FnArg, Ident, ImplItemFn, Pat, Result, Stmt, Token, Type, parse_quote};

/// What the function is given: a name, a type, and what it is.
struct Given {
    name: Ident,
    kind: Type,
    value: Expr,
}

impl Parse for Given {
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

pub fn once(given: TokenStream, function: ImplItemFn) -> Result<TokenStream> {
    let list = Punctuated::<Given, Token![,]>::parse_terminated;
    let given = syn::parse::Parser::parse2(list, given)?;
    let names = given.iter().map(|it| &it.name);
    let kinds = given.iter().map(|it| &it.kind);
    let values = given.iter().map(|it| &it.value);
    let ImplItemFn {
        attrs,
        vis,
        sig,
        block,
        ..
    } = function;
    // What is checked when it is compiled is checked for each type.
    let is_check = |statement: &Stmt| matches!(statement, Stmt::Expr(Expr::Const(_), _));
    let (checks, statements): (Vec<Stmt>, Vec<Stmt>) = block.stmts.into_iter().partition(is_check);
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
            #(#checks)*
            #[allow(non_snake_case, clippy::too_many_arguments)]
            fn once(#(#typed,)* #(#names: #kinds),*) #result { #(#statements)* }
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
                const { assert!(N > 0) }
                body.of(N, words)
            }
        );
        let numbers = quote!(N, words: u8 = self._words);
        let made = once(numbers, function).expect("right").to_string();
        let made = made.replace([' ', '\n'], "");
        for part in [
            "fnbody(&self,body:Body)->Body{const{assert!(N>0)}",
            "fnonce(mutbody:Body,N:usize,words:u8)->Body{body.of(N,words)}",
            "once(body,N,self._words)}",
        ] {
            assert!(made.contains(part), "{part} in {made}");
        }
    }
}
