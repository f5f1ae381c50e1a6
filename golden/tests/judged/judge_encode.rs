//! Judges of the encoder: `std` of every code point, and `std` and encoding_rs of UTF-16.

use encoding_rs::UTF_16LE;
use golden::Encoding;
use golden::encode::{Encoder, Fault, Piece, Pushed, encode};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const UTF16: Encoding = Encoding::Utf16 { high_first: false };
const REPLACEMENT: &[u8] = b"\xEF\xBF\xBD";

/// Both sides of every edge between the units of each sort.
const EDGES: [u16; 14] = [
    0x0000, 0x0041, 0x007F, 0x0080, 0x07FF, 0x0800, 0xD7FF, // one unit
    0xD800, 0xDBFF, // high
    0xDC00, 0xDFFF, // low
    0xE000, 0xFFFD, 0xFFFF, // one unit
];

#[test]
fn every_code_point_has_the_bytes_of_std() {
    let (mut replaces, mut omits) = [false, true]
        .map(|omits| Encoder::new(Encoding::Utf32, omits))
        .into();
    let mut well_formed = 0;
    let mut check = |word: u32| {
        let [replaced, omitted] = [&mut replaces, &mut omits].map(|encoder| {
            let Pushed { before, here } = encoder.push(word);
            assert_eq!(before, None);
            assert!(!encoder.is_open());
            here.expect("every word is a piece")
        });
        let kind = match char::from_u32(word) {
            Some(scalar) => {
                let mut buffer = [0; 4];
                let theirs = scalar.encode_utf8(&mut buffer).as_bytes();
                assert_eq!(replaced.bytes(), theirs, "{word:X}");
                assert_eq!(omitted.bytes(), theirs, "{word:X}");
                well_formed += 1;
                Fault::None
            }
            None => {
                assert_eq!(replaced.bytes(), REPLACEMENT, "{word:X}");
                assert_eq!(omitted.bytes(), b"", "{word:X}");
                match word > u32::from(char::MAX) {
                    true => Fault::TooLarge,
                    false => Fault::Surrogate,
                }
            }
        };
        assert_eq!((replaced.kind, omitted.kind), (kind, kind), "{word:X}");
    };
    (0..=0x12_0000).for_each(&mut check);
    // Each bit above, and random words.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3629);
    for bit in 21..32 {
        for word in [0, 0x41, 0xD800, 0xFFFF, 0x1F_FFFF] {
            check(1 << bit | word);
        }
    }
    (0..100_000).for_each(|_| check(random.random_range(0x11_0000..=u32::MAX)));
    check(u32::MAX);
    assert_eq!(well_formed, 0x11_0000 - 0x800);
}

/// Every string of up to four of the edges, and random mixes with many surrogates.
fn unit_strings(mut check: impl FnMut(&[u16])) {
    check(&[]);
    let mut strings = vec![Vec::new()];
    for _ in 0..4 {
        let longer = |string: &Vec<u16>| EDGES.map(|edge| [&string[..], &[edge]].concat());
        strings = strings.iter().flat_map(longer).collect();
        strings.iter().for_each(|string| check(string));
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2781);
    for _ in 0..20_000 {
        let length = random.random_range(0..100);
        let unit = |random: &mut Xoshiro256PlusPlus| match random.random_range(0..4) {
            0 => random.random_range(0xD800..0xDC00),
            1 => random.random_range(0xDC00..0xE000),
            2 => *EDGES.choose(random).expect("there are edges"),
            _ => random.random(),
        };
        let units: Vec<u16> = (0..length).map(|_| unit(&mut random)).collect();
        check(&units);
    }
}

fn words(units: &[u16]) -> Vec<u32> {
    units.iter().map(|&unit| unit.into()).collect()
}

#[test]
fn units_become_the_text_of_std() {
    unit_strings(|units| {
        let (bytes, verdict) = encode(UTF16, false, &words(units));
        assert_eq!(
            bytes,
            String::from_utf16_lossy(units).as_bytes(),
            "{units:X?}"
        );
        assert_eq!(verdict.bytes, bytes.len() as u64, "{units:X?}");
        assert_eq!(verdict.words, units.len() as u64, "{units:X?}");

        let (bytes, omitted) = encode(UTF16, true, &words(units));
        let scalars = char::decode_utf16(units.iter().copied()).filter_map(Result::ok);
        assert_eq!(bytes, scalars.collect::<String>().as_bytes(), "{units:X?}");
        assert_eq!(omitted.bytes, bytes.len() as u64, "{units:X?}");

        // All else that is said of the packet, from the pieces of std.
        let (mut at, mut first, mut ill_formed) = (0, None, 0);
        for piece in char::decode_utf16(units.iter().copied()) {
            let length = piece.as_ref().map_or(1, |scalar| scalar.len_utf16());
            if let Err(error) = piece {
                ill_formed += 1;
                let kind = match error.unpaired_surrogate() {
                    0xDC00.. => Fault::UnpairedLow,
                    _ if at + 1 == units.len() => Fault::UnpairedHighAtEnd,
                    _ => Fault::UnpairedHigh,
                };
                first = first.or(Some((at, kind)));
            }
            at += length;
        }
        let (valid_up_to, kind) = first.unwrap_or((units.len(), Fault::None));
        for verdict in [verdict, omitted] {
            assert_eq!(verdict.well_formed, ill_formed == 0, "{units:X?}");
            assert_eq!(verdict.ill_formed, ill_formed, "{units:X?}");
            assert_eq!(verdict.valid_up_to, valid_up_to as u64, "{units:X?}");
            assert_eq!(verdict.kind, kind, "{units:X?}");
        }
    });
}

#[test]
fn units_become_the_text_of_encoding_rs() {
    unit_strings(|units| {
        let octets: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let (theirs, had_errors) = UTF_16LE.decode_without_bom_handling(&octets);
        let (bytes, verdict) = encode(UTF16, false, &words(units));
        assert_eq!(bytes, theirs.as_bytes(), "{units:X?}");
        assert_eq!(verdict.well_formed, !had_errors, "{units:X?}");
    });
}

/// A hole divides a packet: the text is that of the parts, as if each were a string.
#[test]
fn holes_divide_a_packet() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(16);
    let mut encoder = Encoder::new(UTF16, false);
    unit_strings(|units| {
        let (mut bytes, mut theirs) = (Vec::new(), String::new());
        let put = |bytes: &mut Vec<u8>, piece: Option<Piece>| {
            bytes.extend(piece.iter().flat_map(Piece::bytes));
        };
        let mut part = Vec::new();
        for &unit in units {
            if random.random_bool(0.3) {
                put(&mut bytes, encoder.hole());
                theirs += &String::from_utf16_lossy(&part);
                part.clear();
            }
            part.push(unit);
            let Pushed { before, here } = encoder.push(unit.into());
            put(&mut bytes, before);
            put(&mut bytes, here);
        }
        theirs += &String::from_utf16_lossy(&part);
        let (cut, verdict) = encoder.finish();
        put(&mut bytes, cut);
        assert_eq!(bytes, theirs.as_bytes(), "{units:X?}");
        assert_eq!(verdict.words, units.len() as u64, "{units:X?}");
    });
}
