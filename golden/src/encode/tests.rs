//! The encoder on single packets.

use super::*;

const UTF16: Encoding = Encoding::Utf16 { high_first: false };

/// The examples of RFC 3629 section 7.
#[test]
fn the_examples_of_the_standard() {
    let examples: [(&[u32], &[u8]); 4] = [
        (
            &[0x41, 0x2262, 0x391, 0x2E],
            b"\x41\xE2\x89\xA2\xCE\x91\x2E",
        ),
        (
            &[0xD55C, 0xAD6D, 0xC5B4],
            b"\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4",
        ),
        (
            &[0x65E5, 0x672C, 0x8A9E],
            b"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E",
        ),
        (&[0xFEFF, 0x233B4], b"\xEF\xBB\xBF\xF0\xA3\x8E\xB4"),
    ];
    for (words, bytes) in examples {
        assert_eq!(encode(Encoding::Utf32, false, words).0, bytes);
    }
}

#[test]
fn only_the_first_fault_is_described_and_all_are_counted() {
    let words = [0x41, 0x11_0000, 0xDC00, 0x1_F600, u32::MAX];
    let expected = Verdict {
        well_formed: false,
        valid_up_to: 1,
        kind: Fault::TooLarge,
        words: 5,
        bytes: 1 + 3 + 3 + 4 + 3,
        ill_formed: 3,
    };
    assert_eq!(encode(Encoding::Utf32, false, &words).1, expected);
    let (bytes, verdict) = encode(Encoding::Utf32, true, &words);
    assert_eq!(bytes, b"A\xF0\x9F\x98\x80");
    let expected = Verdict {
        bytes: 5,
        ..expected
    };
    assert_eq!(verdict, expected);
}

/// Units, `None` for a hole, the bytes, the first fault, and the words before it.
type Case = (&'static [Option<u32>], &'static [u8], Fault, u64);

#[test]
fn units_pair_only_if_nothing_is_between_them() {
    const HIGH: Option<u32> = Some(0xD83D);
    const LOW: Option<u32> = Some(0xDE00);
    const LETTER: Option<u32> = Some(0x41);
    let cases: [Case; 9] = [
        (&[HIGH, LOW], b"\xF0\x9F\x98\x80", Fault::None, 2),
        (&[HIGH, None, LOW], b"RR", Fault::UnpairedHigh, 0),
        (&[None, LETTER, None, LOW], b"AR", Fault::UnpairedLow, 1),
        (&[LETTER, HIGH, LETTER], b"ARA", Fault::UnpairedHigh, 1),
        (
            &[HIGH, HIGH, LOW],
            b"R\xF0\x9F\x98\x80",
            Fault::UnpairedHigh,
            0,
        ),
        (&[LETTER, HIGH], b"AR", Fault::UnpairedHighAtEnd, 1),
        (&[LETTER, HIGH, None], b"AR", Fault::UnpairedHigh, 1),
        (
            &[HIGH, LOW, LOW],
            b"\xF0\x9F\x98\x80R",
            Fault::UnpairedLow,
            2,
        ),
        (&[], b"", Fault::None, 0),
    ];
    for (positions, shown, kind, valid_up_to) in cases {
        let mut encoder = Encoder::new(UTF16, false);
        let mut bytes = Vec::new();
        let mut put = |piece: Option<Piece>| {
            let Some(piece) = piece else { return };
            match piece.kind {
                Fault::None => bytes.extend_from_slice(piece.bytes()),
                _ => {
                    assert_eq!(piece.bytes(), b"\xEF\xBF\xBD");
                    bytes.push(b'R');
                }
            }
        };
        for &position in positions {
            let Some(word) = position else {
                put(encoder.hole());
                continue;
            };
            let Pushed { before, here } = encoder.push(word);
            put(before);
            put(here);
            assert_eq!(here.is_none(), encoder.is_open());
        }
        let (cut, verdict) = encoder.finish();
        put(cut);
        assert_eq!(bytes, shown, "{positions:X?}");
        assert_eq!(verdict.kind, kind, "{positions:X?}");
        assert_eq!(verdict.valid_up_to, valid_up_to, "{positions:X?}");
        let words = positions.iter().flatten().count();
        assert_eq!(verdict.words, words as u64, "{positions:X?}");
        assert_eq!(encoder.finish(), (None, Verdict::EMPTY));
    }
}

#[test]
fn a_reset_begins_a_packet() {
    let mut encoder = Encoder::new(UTF16, false);
    encoder.push(0xDC00);
    encoder.push(0xD800);
    encoder.reset();
    let kind = encoder.push(0xDC00).here.map(|piece| piece.kind);
    assert_eq!(kind, Some(Fault::UnpairedLow));
    assert_eq!(encoder.finish().1.words, 1);
}

#[test]
fn codes_round_trip() {
    for fault in Fault::ALL {
        assert_eq!(Fault::from_code(fault.code()), Some(fault));
    }
    assert_eq!(Fault::from_code(2), None);
}

#[test]
fn serializes_with_its_field_names_in_order() {
    let (_, verdict) = encode(UTF16, false, &[0x41, 0xD800]);
    let json = serde_json::to_string(&verdict).expect("a verdict serializes");
    assert_eq!(
        json,
        concat!(
            r#"{"well_formed":false,"valid_up_to":1,"kind":"unpaired_high_at_end","#,
            r#""words":2,"bytes":4,"ill_formed":1}"#,
        )
    );
}
