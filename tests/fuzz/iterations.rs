//! How much is fuzzed.

/// How many inputs a target takes, of which a fast test takes this many.
pub fn iterations(few: usize) -> usize {
    match std::env::var("RUNEGATE_FUZZ") {
        Err(_) => few,
        Ok(times) => match times.parse::<usize>() {
            Ok(times @ 1..) => few.saturating_mul(times),
            _ => panic!("RUNEGATE_FUZZ is {times:?}; set it to a whole number from 1 on"),
        },
    }
}
