//! Sequences at every place of a beat: each vector behind every padding up to two beats, and cut into packets at every
//! point, for every number of lanes up to 64.

use crate::dut::vectors::{Vector, vectors};
use crate::dut::{configs, fastest, oracle, run, shallow};
use hdl::config::{Config, Form, LANES, MAX_LANES_OF_OPTIONS, Mode};
use sim::stimulus::Pattern;

/// All of them but the widest, which have fewer paddings in a test of their own.
fn lanes() -> impl DoubleEndedIterator<Item = usize> {
    let all = LANES.into_iter();
    all.filter(|&lanes| lanes <= MAX_LANES_OF_OPTIONS)
}

/// Runs packets on every kind of core with this number of lanes, and on those of the smallest depth; what comes out must be what the
/// oracle says.
fn check(lanes: usize, packets: &[Vec<u8>]) {
    let of_interest = |config: &Config| {
        config.form == Form::Axis || crate::dut::mode(config) == Some(Mode::Snoop)
    };
    let of_interest = configs().into_iter().filter(of_interest).chain(shallow());
    for config in of_interest.filter(|config| config.lanes == lanes) {
        let (output, _) = run(&config, fastest(), packets, Pattern::default());
        assert!(output == oracle(&config, packets), "{}", config.describe());
    }
}

#[test]
fn vectors_behind_every_padding() {
    let vectors: Vec<Vec<u8>> = vectors().iter().map(Vector::bytes).collect();
    for lanes in lanes() {
        let packets: Vec<Vec<u8>> = (0..=2 * lanes)
            .flat_map(|padding| {
                let padded = |vector: &Vec<u8>| [&vec![b'-'; padding], &vector[..]].concat();
                vectors.iter().map(padded).collect::<Vec<_>>()
            })
            .collect();
        check(lanes, &packets);
    }
}

#[test]
fn vectors_cut_into_packets_at_every_point() {
    let vectors: Vec<Vec<u8>> = vectors().iter().map(Vector::bytes).collect();
    // From the other end than above: what one of the two has built, the other need not wait for.
    for lanes in lanes().rev() {
        let packets: Vec<Vec<u8>> = vectors
            .iter()
            .flat_map(|vector| {
                let cut = |at: usize| [vector[..at].to_vec(), vector[at..].to_vec()];
                (0..=vector.len()).flat_map(cut).collect::<Vec<_>>()
            })
            .collect();
        check(lanes, &packets);
    }
}
