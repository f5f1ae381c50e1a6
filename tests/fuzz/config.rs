//! Requests for a core: each is a configuration, or an error that says what to do.

use crate::iterations;
use crate::requests::requests;
use hdl::config::{Config, Request};
use serde_json::Value;

/// The request that a configuration's options are, by their names in a configuration file.
fn request_of(config: &Config) -> Request {
    let options = config.options().into_iter().map(|(name, value)| {
        let plain = Value::String(value.clone());
        (name.to_string(), value.parse().unwrap_or(plain))
    });
    let request = serde_json::from_value(Value::Object(options.collect())).expect("a request");
    Request {
        module: Some(config.module.clone()),
        ..request
    }
}

#[test]
fn a_request_is_a_configuration_or_an_error_that_helps() {
    let check = bolero::check!().with_generator(requests());
    check
        .with_iterations(iterations(100_000))
        .cloned()
        .for_each(|request| match request.resolve() {
            Ok(config) => {
                assert_eq!(request_of(&config).resolve().as_ref(), Ok(&config));
                assert!(!config.describe().is_empty());
            }
            Err(error) => {
                let said = error.to_string();
                let helps = ["choose ", "leave it out", "leave one of them out", "; use "]
                    .iter()
                    .any(|remedy| said.contains(remedy));
                assert!(helps && said.len() < 1000, "{said}");
            }
        });
}
