use super::*;
use crate::config::{CoreName, Request};
use crate::layout::ADDRESS_BITS;

#[test]
fn registers_and_fields_are_in_order_and_apart() {
    let mut free = 0;
    let request = Request {
        core: Some(CoreName::Validate),
        csr: Some(true),
        forbid: Some("nul,bidi".parse().expect("classes")),
        ..Default::default()
    };
    let all = registers(&request.resolve().expect("it exists"));
    assert_eq!(all.len(), MAP.len() + OF_CLASSES.len());
    for register in all {
        assert!(register.offset >= free, "{}", register.name);
        assert!(register.offset.is_multiple_of(4 * register.words()));
        free = register.offset + 4 * register.words();
        let mut bit = 0;
        for field in register.fields() {
            assert!(field.low >= bit, "{}.{}", register.name, field.name);
            bit = field.low + field.width;
        }
        assert!(bit <= 32, "{}", register.name);
    }
    assert!(free <= 1 << ADDRESS_BITS);
    let counters = MAP.iter().filter(|it| it.words() == 2).count();
    assert_eq!(counters, COUNTERS);
}

#[test]
fn what_is_read_fits_its_field() {
    let request = Request {
        core: Some(CoreName::Validate),
        lanes: Some(64),
        verdict_width: Some(1024),
        user_width: Some(64),
        csr: Some(true),
        ..Default::default()
    };
    let config = request.resolve().expect("it exists");
    for register in &MAP {
        for field in register.fields() {
            let value = u64::from((field.reset)(&config));
            assert!(
                value >> field.width == 0,
                "{}.{}",
                register.name,
                field.name
            );
        }
    }
    assert_eq!(MAP[2].reset(&config), 64 | 32 << 8);
    assert_eq!(MAP[3].reset(&config), 64 << 16 | 128 << 24);
}
