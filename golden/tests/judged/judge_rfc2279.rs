//! Judge: the table of RFC 2279 section 2, and RFC 3629, which is a part of it.
//!
//! Shows that the first and the last value of each row have the octets of the table, in both directions; that the first bytes of an unfinished
//! sequence are one ill-formed piece of one to five bytes; that what is below the first value of a row is overlong; that to 10FFFF both grammars are the
//! same; and that what is encoded is decoded to the same values.

use golden::encode::{Encoder, Fault, Pushed, encode_of};
use golden::{Encoding, Event, Grammar, Kind, events, events_of, verdict_of};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::inputs_rfc2279::{ENDS, every_edge_string, octets, seeded_mixes, value};

const RFC2279: Grammar = Grammar::Rfc2279;

fn decoded(packet: &[u8]) -> Vec<(usize, Event)> {
    events_of(RFC2279, packet).collect()
}

fn encoded(words: &[u32]) -> Vec<u8> {
    encode_of(RFC2279, Encoding::Utf32, false, words).0
}

fn ill_formed(kind: Kind, length: usize) -> Event {
    let length = length as u8;
    Event::IllFormed { kind, length }
}

#[test]
fn the_ends_of_each_row_have_the_octets_of_the_table() {
    for (value, bytes) in ENDS {
        let event = Event::Scalar(value);
        assert_eq!(decoded(bytes), [(bytes.len() - 1, event)], "{value:X}");
        assert_eq!(usize::from(event.length()), bytes.len(), "{value:X}");
        assert_eq!(encoded(&[value]), bytes, "{value:X}");
        // The generator of the other inputs has them right, too.
        assert_eq!(octets(value), bytes, "{value:X}");
    }
}

/// A surrogate is refused at its first byte, and so are FE and FF; the bytes after them are stray.
#[test]
fn surrogates_and_the_octets_fe_and_ff_are_refused() {
    let stray = |at| (at, ill_formed(Kind::StrayContinuation, 1));
    for packet in [b"\xED\xA0\x80", b"\xED\xBF\xBF"] {
        let surrogate = (0, ill_formed(Kind::Surrogate, 1));
        assert_eq!(decoded(packet), [surrogate, stray(1), stray(2)]);
    }
    for packet in [b"\xFE\x83", b"\xFF\xBF"] {
        let invalid = (0, ill_formed(Kind::InvalidByte, 1));
        assert_eq!(decoded(packet), [invalid, stray(1)]);
    }
}

/// The first bytes of a sequence are one piece if the packet ends after them, or if the next byte cannot continue them.
#[test]
fn a_part_of_a_sequence_is_one_piece_of_one_to_five_bytes() {
    let mut lengths = [0; 6];
    for (_, whole) in ENDS {
        for length in 1..whole.len() {
            let part = &whole[..length];
            let end = (length - 1, ill_formed(Kind::TruncatedAtEnd, length));
            assert_eq!(decoded(part), [end], "{part:02X?}");
            for next in [0x41, 0xC1, 0xC2, 0xFC, 0xFE] {
                let packet = [part, &[next]].concat();
                let cut = (length - 1, ill_formed(Kind::Truncated, length));
                assert_eq!(decoded(&packet)[0], cut, "{packet:02X?}");
            }
            lengths[length] += 1;
        }
    }
    // Sequences of two bytes have one part, of three two, and so on.
    assert_eq!(lengths[1..], [14, 12, 8, 4, 2]);
}

/// The greatest value of a row in the octets of the next one, and zero in each of them.
#[test]
fn what_is_longer_than_it_has_to_be_is_overlong() {
    let table: [&[u8]; 10] = [
        b"\xC0\x80",
        b"\xC1\xBF",
        b"\xE0\x80\x80",
        b"\xE0\x9F\xBF",
        b"\xF0\x80\x80\x80",
        b"\xF0\x8F\xBF\xBF",
        b"\xF8\x80\x80\x80\x80",
        b"\xF8\x87\xBF\xBF\xBF",
        b"\xFC\x80\x80\x80\x80\x80",
        b"\xFC\x83\xBF\xBF\xBF\xBF",
    ];
    for packet in table {
        let overlong = (0, ill_formed(Kind::Overlong, 1));
        let strays = (1..packet.len()).map(|at| (at, ill_formed(Kind::StrayContinuation, 1)));
        let expected: Vec<_> = std::iter::once(overlong).chain(strays).collect();
        assert_eq!(decoded(packet), expected, "{packet:02X?}");
    }
}

/// A packet is well-formed in RFC 3629 exactly if it is in RFC 2279 and has no value above 10FFFF, and then the values are the same.
#[test]
fn rfc_3629_is_the_part_of_rfc_2279_to_10ffff() {
    let (mut both, mut greater, mut neither) = (0, 0, 0);
    let mut check = |packet: &[u8]| {
        let values = |grammar| -> Option<Vec<u32>> {
            let values = events_of(grammar, packet).map(|(_, event)| match event {
                Event::Scalar(value) => Some(value),
                Event::IllFormed { .. } => None,
            });
            values.collect()
        };
        let all = values(RFC2279);
        match &all {
            None => neither += 1,
            Some(all) if all.iter().all(|&value| value <= 0x10_FFFF) => both += 1,
            Some(_) => greater += 1,
        }
        let fit = all.filter(|all| all.iter().all(|&value| value <= 0x10_FFFF));
        assert_eq!(values(Grammar::Rfc3629), fit, "{packet:02X?}");
    };
    every_edge_string(&mut check);
    seeded_mixes(100_000, &mut check);
    assert!(both > 1000 && greater > 1000 && neither > 1000);
}

/// `events` and the default grammar are RFC 3629's. The last line shows that the two grammars differ.
#[test]
fn rfc_3629_is_the_grammar_if_none_is_named() {
    seeded_mixes(10_000, |packet| {
        assert!(events(packet).eq(events_of(Grammar::default(), packet)));
    });
    assert_eq!(Grammar::default(), Grammar::Rfc3629);
    assert_ne!(events(b"\xFB").next(), events_of(RFC2279, b"\xFB").next());
}

#[test]
fn to_10ffff_words_become_the_bytes_of_std() {
    let mut encoder = Encoder::of(RFC2279, Encoding::Utf32, false);
    for word in 0..=0x10_FFFF {
        let Pushed { before, here } = encoder.push(word);
        assert_eq!(before, None);
        let piece = here.expect("every word is a piece");
        match char::from_u32(word) {
            Some(scalar) => {
                let mut buffer = [0; 4];
                let theirs = scalar.encode_utf8(&mut buffer).as_bytes();
                assert_eq!(piece.bytes(), theirs, "{word:X}");
                assert_eq!(piece.kind, Fault::None, "{word:X}");
            }
            None => {
                assert_eq!(piece.bytes(), b"\xEF\xBF\xBD", "{word:X}");
                assert_eq!(piece.kind, Fault::Surrogate, "{word:X}");
            }
        }
    }
}

/// Every end of a row, those beside it, and random values: what comes back is what was encoded.
#[test]
fn what_is_encoded_is_decoded_to_the_same_values() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(31);
    let beside = ENDS.into_iter().flat_map(|(end, _)| {
        let last = 0x7FFF_FFFF;
        [end.saturating_sub(1), end, end.saturating_add(1).min(last)]
    });
    let values: Vec<u32> = beside
        .filter(|value| !(0xD800..=0xDFFF).contains(value))
        .chain((0..1_000_000).map(|_| value(&mut random)))
        .collect();
    let (bytes, verdict) = encode_of(RFC2279, Encoding::Utf32, true, &values);
    assert!(verdict.well_formed);
    assert_eq!(verdict.bytes, bytes.len() as u64);
    let back = events_of(RFC2279, &bytes).map(|(_, event)| match event {
        Event::Scalar(value) => value,
        Event::IllFormed { .. } => panic!("{event:?}"),
    });
    assert!(back.eq(values.iter().copied()));
    let decoded = verdict_of(RFC2279, &bytes);
    assert_eq!(decoded.scalars, values.len() as u64);
    assert_eq!(decoded.bytes, verdict.bytes);
    let mut lengths = values.iter().map(|&value| Event::Scalar(value).length());
    assert!((1..=6).all(|length| lengths.clone().any(|it| it == length)));
    assert!(lengths.all(|length| length <= 6));
}

#[test]
fn words_of_32_bits_are_too_large() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(32);
    let words = (0..1000).map(|_| random.random_range(1 << 31..=u32::MAX));
    for word in words.chain([1 << 31, u32::MAX]) {
        for (omits, bytes) in [(false, &b"A\xEF\xBF\xBD"[..]), (true, b"A")] {
            let (ours, verdict) = encode_of(RFC2279, Encoding::Utf32, omits, &[0x41, word]);
            assert_eq!(ours, bytes, "{word:X}");
            assert_eq!(verdict.kind, Fault::TooLarge, "{word:X}");
            assert_eq!(verdict.valid_up_to, 1, "{word:X}");
        }
    }
}
