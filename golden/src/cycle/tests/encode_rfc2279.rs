//! The encoder under RFC 2279 at its pins: words of up to 31 bits, which become up to six bytes.

use super::*;
use crate::encode::encode_of;

const ENCODE: Core = Core::Encode {
    from: Encoding::Utf32,
    omits: false,
    verdict_width: 160,
    counter_width: 32,
};

/// The packets come out as the oracle says, whoever stalls, and the ring does not overflow with six bytes for each word.
#[test]
fn packets_come_out_whole_under_stalls() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    for (lanes, stalls) in [1, 2, 4, 8, 16]
        .into_iter()
        .flat_map(|lanes| [[0.0; 2], [0.5; 2], [0.97, 0.0]].map(|stalls| (lanes, stalls)))
    {
        let name = format!("{lanes} {stalls:?}");
        let packet = |random: &mut Xoshiro256PlusPlus| {
            let (beats, long) = (random.random_range(1..20), random.random_bool(0.5));
            let word = |_| match long {
                true => random.random_range(0x400_0000..=0x7FFF_FFFF),
                false => random.random::<u32>() >> random.random_range(0..32),
            };
            (0..beats * lanes).map(word).collect()
        };
        let packets: Vec<Vec<u32>> = (0..60).map(|_| packet(&mut random)).collect();
        let mut bench = Bench::under(Grammar::Rfc2279, None, ENCODE, lanes, Form::Axis);
        bench.set("s_axis_tkeep", &vec![u32::MAX; (4 * lanes).div_ceil(32)]);
        if lanes < 8 {
            bench.set("s_axis_tkeep", &[(1 << (4 * lanes)) - 1]);
        }
        let mut beats = packets.iter().flat_map(|packet| {
            let count = packet.len() / lanes;
            let ends = move |(at, words)| (words, at + 1 == count);
            packet.chunks(lanes).enumerate().map(ends)
        });
        let (mut offered, mut done) = (None, false);
        let mut output = Output::default();
        for _ in 0..1_000_000 {
            if done && bench.model.is_idle() {
                break;
            }
            if offered.is_none() && random.random_bool(0.9) {
                offered = beats.next();
                done = offered.is_none();
            }
            bench.set("s_axis_tvalid", &[u32::from(offered.is_some())]);
            if let Some((words, last)) = offered {
                bench.set("s_axis_tdata", words);
                bench.set("s_axis_tlast", &[u32::from(last)]);
            }
            let ready = stalls.map(|share| !random.random_bool(share));
            bench.sinks(ready);
            if bench.model.ready() {
                offered = None;
            }
            bench.step();
            output.take(&bench, ready);
        }
        assert!(done && bench.model.is_idle(), "{name}: stuck");
        let encode =
            |packet: &Vec<u32>| encode_of(Grammar::Rfc2279, Encoding::Utf32, false, packet);
        let (bytes, verdicts): (Vec<_>, Vec<_>) = packets.iter().map(encode).unzip();
        assert!(output.bytes == bytes.concat(), "{name}");
        assert_eq!(output.packets, packets.len(), "{name}");
        assert_eq!(output.verdicts.len(), packets.len(), "{name}");
        for (shown, verdict) in output.verdicts.iter().zip(verdicts) {
            let counts = [
                verdict.bytes,
                verdict.valid_up_to,
                verdict.words,
                verdict.ill_formed,
            ];
            assert_eq!(shown[..4], counts.map(|count| count as u32), "{name}");
            let flags = u32::from(verdict.well_formed) | u32::from(verdict.kind.code()) << 4;
            assert_eq!(shown[4], flags, "{name}");
        }
    }
}
