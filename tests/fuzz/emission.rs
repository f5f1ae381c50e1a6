//! Emission, by a configuration's own arguments.

use crate::iterations;
use crate::requests::requests;
use crate::support::{Place, done};

#[test]
fn a_configuration_is_emitted_by_its_own_arguments() {
    let check = bolero::check!().with_generator(requests());
    check
        .with_iterations(iterations(30))
        .cloned()
        .for_each(|request| {
            // What there is of a wide core is there of a narrow one, and takes long.
            let Ok(config) = request.resolve() else {
                return;
            };
            if config.lanes > 2 {
                return;
            }
            let place = Place::new();
            done(&place.run(&format!("emit {}", config.arguments())));
            let path = place.path(&format!("{}.json", config.module));
            let text = std::fs::read_to_string(path).expect("it is emitted");
            let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
            assert_eq!(json["config"], serde_json::json!(config));
        });
}
