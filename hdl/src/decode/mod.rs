//! The `decode` core: UTF-8 bytes in, one event per piece out.
//!
//! One description for every width: a beat's signals are planes (a bit per lane), so the width is a type parameter and
//! nothing is written per lane. Read the parts in stream order: [`classify`], [`sequence`] (with [`signature`]),
//! [`scalar`], [`events`]; [`pipeline`] joins them, [`free`] and [`axis`] are its two forms.

pub mod axis;
pub mod beat;
pub mod classify;
pub mod events;
pub mod free;
pub mod pipeline;
pub mod scalar;
pub mod sequence;
pub mod signature;
