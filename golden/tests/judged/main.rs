//! The oracle is judged here, before it judges anything.
//!
//! One module for each judge. Most judges see the same inputs ([`inputs`]): every string of up to three bytes, every
//! string of four and five boundary bytes, and seeded mixes of valid and broken text. A failure prints the packet. Under
//! RFC 2279 there are fewer judges, with inputs of its own ([`inputs_rfc2279`]).

mod inputs;
mod inputs_rfc2279;
mod pieces;

mod judge_bstr;
mod judge_contract;
mod judge_encode;
mod judge_encoding_rs;
mod judge_perl;
mod judge_rfc2279;
mod judge_sanitise;
mod judge_simdutf;
mod judge_simdutf8;
mod judge_std;
mod judge_utf16;
mod judge_value;
mod scalars;
