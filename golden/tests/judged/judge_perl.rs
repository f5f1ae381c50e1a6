//! Judge of RFC 2279: Perl, whose own strings are in UTF-8 of one to thirteen bytes.
//!
//! `utf8::decode` refuses overlong forms, as RFC 2279 does, but Perl has more values: surrogates, and those above 31 bits, whose sequences
//! begin with FE and FF. Apart from these two, Perl has the same values and bytes as the oracle. Perl also shows whether an ill-formed
//! piece could have been continued, and to which values: its length and its kind follow from that.

use golden::encode::{Encoder, Fault};
use golden::{Encoding, Event, Grammar, Kind, events_of};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use crate::inputs_rfc2279::{ENDS, octets, seeded_mixes, value};

/// Turns a line of hexadecimal bytes into their values, or into a hyphen if they are refused.
const DECODE: &str = r#"my $s = pack("H*", $_);
    print utf8::decode($s) ? join(" ", map { sprintf("%X", $_) } unpack("W*", $s)) : "-";"#;
/// Turns a line with a hexadecimal number into its bytes.
const ENCODE: &str = r#"my $s = chr(hex($_)); utf8::encode($s); print unpack("H*", $s);"#;

/// What Perl puts out for each line. Without Perl the result is `None` and the test says that it skips; with RUNEGATE_REQUIRE_TOOLS it fails.
fn perl(program: &str, input: String) -> Option<Vec<String>> {
    let mut command = Command::new("perl");
    // Bytes are bytes (-C0), and each line is asked for itself (-n) and answered by one (-l), whatever the environment says.
    command
        .args(["-C0", "-lne", program])
        .env_remove("PERL5OPT")
        .env_remove("PERL_UNICODE");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error)
            if error.kind() == ErrorKind::NotFound
                && std::env::var_os("RUNEGATE_REQUIRE_TOOLS").is_none() =>
        {
            let _ = writeln!(std::io::stderr(), "SKIPPED: perl is not installed");
            return None;
        }
        Err(error) => panic!("perl: {error}"),
    };
    let mut stdin = child.stdin.take().expect("it is piped");
    let lines = input.lines().count();
    // Perl answers before it has read everything, so both pipes are served at once.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("perl ends");
    writer.join().expect("the writer").expect("perl reads");
    assert!(output.status.success(), "perl: {}", output.status);
    let text = String::from_utf8(output.stdout).expect("hexadecimal digits");
    let answers: Vec<String> = text.lines().map(str::to_string).collect();
    assert_eq!(answers.len(), lines, "an answer for each line");
    Some(answers)
}

/// The values of each packet, if Perl takes it for a string.
fn perl_decodes(packets: &[Vec<u8>]) -> Option<Vec<Option<Vec<u64>>>> {
    let line = |packet: &Vec<u8>| {
        let digits = packet.iter().map(|byte| format!("{byte:02X}"));
        digits.collect::<String>() + "\n"
    };
    let answers = perl(DECODE, packets.iter().map(line).collect())?;
    let number = |digits: &str| u64::from_str_radix(digits, 16).expect("a number");
    let values = |answer: &String| match answer.as_str() {
        "-" => None,
        values => Some(values.split_whitespace().map(number).collect()),
    };
    Some(answers.iter().map(values).collect())
}

fn is_surrogate(value: u64) -> bool {
    (0xD800..=0xDFFF).contains(&value)
}

fn is_above_31_bits(value: u64) -> bool {
    value > 0x7FFF_FFFF
}

/// Values that Perl has and RFC 2279 has not.
fn is_perls(value: u64) -> bool {
    is_surrogate(value) || is_above_31_bits(value)
}

/// The ends of the rows and their neighbours, surrogates, values above 31 bits, and mixes.
fn packets(mixes: usize) -> Vec<Vec<u8>> {
    let mut packets = vec![Vec::new()];
    for (end, _) in ENDS {
        let first = end.saturating_sub(2);
        packets.extend((first..=(end + 2).min(0x7FFF_FFFF)).map(octets));
    }
    packets.extend((0xD7F0..0xE010).step_by(5).map(octets));
    packets.push(octets(0xDFFF));
    // 31 bits and one more, and all that seven bytes can have.
    packets.push(b"\xFE\x82\x80\x80\x80\x80\x80".to_vec());
    packets.push(b"\xFE\xBF\xBF\xBF\xBF\xBF\xBF".to_vec());
    seeded_mixes(mixes, |packet| packets.push(packet.to_vec()));
    packets
}

#[test]
fn packets_have_the_values_of_perl() {
    let packets = packets(100_000);
    let Some(theirs) = perl_decodes(&packets) else {
        return;
    };
    let (mut taken, mut refused, mut surrogates, mut above) = (0, 0, 0, 0);
    for (packet, theirs) in packets.iter().zip(theirs) {
        let ours = events_of(Grammar::Rfc2279, packet).map(|(_, event)| match event {
            Event::Scalar(value) => Some(u64::from(value)),
            Event::IllFormed { .. } => None,
        });
        let ours: Option<Vec<u64>> = ours.collect();
        match &theirs {
            None => refused += 1,
            Some(values) if values.iter().copied().any(is_surrogate) => surrogates += 1,
            Some(values) if values.iter().copied().any(is_above_31_bits) => above += 1,
            Some(_) => taken += 1,
        }
        let expected = theirs.filter(|values| !values.iter().copied().any(is_perls));
        assert_eq!(ours, expected, "{packet:02X?}");
    }
    // Each sort of answer has been seen, with both differences among them.
    assert!(taken > 10_000 && refused > 10_000, "{taken} {refused}");
    assert!(surrogates > 100 && above >= 2, "{surrogates} {above}");
}

/// A piece with the byte after it.
type Cut = (Vec<u8>, Option<u8>);

/// A beginning, filled with the least tails and with the greatest ones up to the length that its first byte asks for.
fn filled(beginning: &[u8]) -> [Vec<u8>; 2] {
    let whole = match beginning[0].leading_ones() {
        0 | 1 => 1,
        8 => 13,
        ones => ones as usize,
    };
    [0x80, 0xBF].map(|tail| {
        let mut bytes = beginning.to_vec();
        bytes.resize(whole.max(bytes.len()), tail);
        bytes
    })
}

/// A piece is a maximal subpart if Perl takes it with some tails added, and takes it with no tails once the next byte is added. The kind
/// follows from what Perl takes.
#[test]
fn pieces_are_those_that_perl_could_have_continued() {
    let mut pieces: BTreeMap<Cut, Kind> = BTreeMap::new();
    for packet in packets(20_000) {
        for (last, event) in events_of(Grammar::Rfc2279, &packet) {
            if let Event::IllFormed { kind, length } = event {
                let piece = &packet[last + 1 - usize::from(length)..=last];
                let cut = (piece.to_vec(), packet.get(last + 1).copied());
                pieces.insert(cut, kind);
            }
        }
    }
    let with_next = |(piece, next): &Cut| [&piece[..], next.as_slice()].concat();
    let asked = pieces
        .keys()
        .flat_map(|cut| [filled(&cut.0), filled(&with_next(cut))]);
    let asked: Vec<_> = asked.flatten().collect();
    let Some(answers) = perl_decodes(&asked) else {
        return;
    };
    let mut seen = [0; Kind::ALL.len()];
    for ((cut, &kind), answers) in pieces.iter().zip(answers.chunks(4)) {
        let (piece, next) = cut;
        // A string that Perl takes is one sequence, whose value is its only one.
        let values = |answers: &[Option<Vec<u64>>]| -> Vec<u64> {
            let only = |values: &Vec<u64>| {
                assert_eq!(values.len(), 1, "{cut:02X?}: {values:X?}");
                values[0]
            };
            answers.iter().flatten().map(only).collect()
        };
        let (alone, both) = (values(&answers[..2]), values(&answers[2..]));
        let begins = |values: &[u64]| values.iter().any(|&value| !is_perls(value));
        assert!(begins(&alone) || piece.len() == 1, "{cut:02X?}");
        let goes_on = next.is_some() && begins(&alone) && begins(&both);
        assert!(!goes_on, "{cut:02X?}");
        let is_tail = next.is_some_and(|byte| byte.leading_ones() == 1);
        let known = if is_tail { both } else { alone };
        let expected = match piece[0].leading_ones() {
            1 => Kind::StrayContinuation,
            7.. => Kind::InvalidByte,
            _ if begins(&known) && next.is_none() => Kind::TruncatedAtEnd,
            _ if begins(&known) => Kind::Truncated,
            _ if known.is_empty() => Kind::Overlong,
            _ => Kind::Surrogate,
        };
        assert_eq!(kind, expected, "{cut:02X?}");
        if kind == Kind::InvalidByte {
            assert!(known.iter().copied().all(is_above_31_bits), "{cut:02X?}");
        }
        seen[usize::from(kind.code())] += 1;
    }
    let [none, rest @ ..] = seen;
    assert_eq!((none, seen[usize::from(Kind::TooLarge.code())]), (0, 0));
    let kinds = rest.iter().filter(|&&count| count > 0).count();
    assert_eq!(kinds, 6, "{seen:?}");
}

#[test]
fn words_become_the_bytes_of_perl() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let ends = ENDS
        .into_iter()
        .flat_map(|(end, _)| [end, end.wrapping_sub(1), end + 1]);
    let any: Vec<u32> = (0..1000).map(|_| random.random()).collect();
    let words: Vec<u32> = ends
        .chain([0xD800, 0xDFFF, 1 << 31, u32::MAX])
        .chain((0..50_000).map(|_| value(&mut random)))
        .chain(any)
        .collect();
    let lines = words.iter().map(|word| format!("{word:X}\n"));
    let Some(answers) = perl(ENCODE, lines.collect()) else {
        return;
    };
    let mut encoder = Encoder::of(Grammar::Rfc2279, Encoding::Utf32, false);
    let mut faults = [0; 2];
    for (&word, theirs) in words.iter().zip(answers) {
        let piece = encoder.push(word).here.expect("every word is a piece");
        let ours: String = piece
            .bytes()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let (kind, expected) = match u64::from(word) {
            value if is_surrogate(value) => (Fault::Surrogate, "efbfbd"),
            value if is_above_31_bits(value) => (Fault::TooLarge, "efbfbd"),
            _ => (Fault::None, theirs.as_str()),
        };
        assert_eq!((piece.kind, ours.as_str()), (kind, expected), "{word:X}");
        // Where they differ Perl has the surrogate in three bytes, or 32 bits in seven.
        faults[0] += usize::from(theirs != ours && theirs.len() == 6);
        faults[1] += usize::from(theirs != ours && theirs.len() == 14);
    }
    assert!(faults[0] >= 3 && faults[1] > 100, "{faults:?}");
}
