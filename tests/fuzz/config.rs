//! Requests for a core: each is a configuration, or an error that says what to do.

use crate::iterations;
use crate::requests::requests;
use hdl::config::{Config, Depth, Request};

/// The request that a configuration's options are.
fn request_of(config: &Config) -> Request {
    let mut request = Request {
        module: Some(config.module.clone()),
        ..Default::default()
    };
    for (name, value) in config.options() {
        let width = || Some(value.parse().expect("a number"));
        let named = serde_json::Value::String(value.clone());
        match name {
            "core" => request.core = serde_json::from_value(named).expect("a core"),
            "lanes" => request.lanes = width(),
            "form" => request.form = serde_json::from_value(named).expect("a form"),
            "signature" => request.signature = serde_json::from_value(named).expect("a policy"),
            "to" => request.to = serde_json::from_value(named).expect("an encoding"),
            "from" => request.from = serde_json::from_value(named).expect("an encoding"),
            "on-error" => request.on_error = serde_json::from_value(named).expect("a policy"),
            "dense" => request.dense = value.parse().ok(),
            "mode" => request.mode = serde_json::from_value(named).expect("a mode"),
            "verdict-width" => request.verdict_width = width(),
            "counter-width" => request.counter_width = width(),
            "flows" => request.flows = width(),
            "csr" => request.csr = value.parse().ok(),
            "depth" => request.depth = width().map(Depth::Clocks),
            "beat-error" => request.beat_error = value.parse().ok(),
            "id-width" => request.id_width = width(),
            "dest-width" => request.dest_width = width(),
            "user-width" => request.user_width = width(),
            other => panic!("an option without a place: {other}"),
        }
    }
    request
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
                let helps = ["choose ", "leave it out", "; use "]
                    .iter()
                    .any(|remedy| said.contains(remedy));
                assert!(helps && said.len() < 1000, "{said}");
            }
        });
}
