//! Cores in lockstep with the model, on any packets in any pattern.

use crate::dut::{bursts, decoder, dense, fastest, often, oracle, run, to_utf16, validator};
use crate::{biased, iterations};
use bolero::produce;
use hdl::config::{Config, Encoding, Form, Mode, Signature};
use sim::stimulus::{Pattern, Pauses};

fn cores() -> [Config; 6] {
    [
        decoder(1, Form::Axis, Signature::Strip),
        decoder(4, Form::Axis, Signature::Strip),
        dense(2, Form::Axis, Signature::Strip),
        to_utf16(Encoding::Utf16le, 2, Form::Axis, Signature::Flag, false),
        validator(2, Mode::Snoop, Form::Axis),
        validator(4, Mode::Pass, Form::Axis),
    ]
}

#[test]
fn a_core_does_what_the_model_does() {
    let cores = cores();
    let kind = fastest();
    let share = |amount: u8| f64::from(amount) / 300.0;
    // A pause of a mean length, or one clock after another by itself.
    let pauses = |amount: u8, burst: u8| -> Pauses {
        match burst {
            0..128 => often(share(amount)),
            _ => bursts(share(amount), f64::from(burst)),
        }
    };
    type Input = (u8, Vec<Vec<u8>>, u64, [u8; 7]);
    let check = bolero::check!().with_generator(produce::<Input>());
    check
        .with_iterations(iterations(60))
        .with_max_len(16 << 10)
        .for_each(|(core, packets, seed, amounts)| {
            let config = &cores[usize::from(*core) % cores.len()];
            let packets: Vec<Vec<u8>> = packets.iter().map(|packet| biased(packet)).collect();
            let [
                idle,
                idle_burst,
                stall,
                stall_burst,
                late_last,
                null_beats,
                reset,
            ] = *amounts;
            let pattern = Pattern {
                seed: *seed,
                idle: pauses(idle, idle_burst),
                stall: pauses(stall, stall_burst),
                late_last: share(late_last),
                sparse: 0.0,
                null_beats: share(null_beats),
                // Most runs have none, and then all comes out that went in.
                reset: f64::from(reset.saturating_sub(192)) / 1000.0,
                accesses: f64::from(reset.saturating_sub(192)) / 300.0,
                texts: sim::texts::Texts::Random,
            };
            let (output, _) = run(config, kind, &packets, pattern);
            if pattern.reset == 0.0 {
                assert_eq!(output, oracle(config, &packets), "{}", config.describe());
            }
        });
}
