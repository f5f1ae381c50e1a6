//! What a package says and has if its core is of RFC 2279.

use super::{of_core, package, read};

const OF_DECODE: usize = 14;

/// CPython does not know RFC 2279: a bench that it judges would fail, and nothing of the package may speak of one.
#[test]
fn there_is_no_bench_that_cpython_judges() {
    for (index, has_it) in [(0, true), (OF_DECODE, false)] {
        let files = of_core(index).files();
        let is_of_it = |file: &&String| file.starts_with("package/cocotb");
        assert_eq!(
            files.iter().any(|file| is_of_it(&file)),
            has_it,
            "{files:?}"
        );
        let core = read(of_core(index), "core.core");
        for word in ["cocotb", "  sim:", "scripts:"] {
            assert_eq!(core.contains(word), has_it, "{word} in {core}");
        }
        assert!(!core.contains("@SIM@"), "{core}");
    }
}

#[test]
fn the_data_sheet_is_of_the_grammar() {
    let decode = read(of_core(OF_DECODE), "README.md");
    assert!(decode.contains("A UTF-8 decoder (RFC 2279)"), "{decode}");
    assert!(
        decode.contains("length of an ill-formed piece in bits 5:3"),
        "{decode}"
    );
    let encode = read(&package("--core encode --grammar rfc2279"), "README.md");
    for words in [
        "A UTF-8 encoder (RFC 2279)",
        "A word becomes up to six bytes",
        "Each word above 7FFFFFFF",
    ] {
        assert!(encode.contains(words), "{words}: {encode}");
    }
    for sheet in [decode, encode] {
        assert!(
            !sheet.contains("RFC 3629") && !sheet.contains("10FFFF"),
            "{sheet}"
        );
    }
}
