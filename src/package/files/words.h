// The words that bench.cpp sends, the bytes that they become, and the verdict.
#include "Vcore.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

// Octets of a word, and whether the highest comes first.
static constexpr size_t octets = @OCTETS@;
static constexpr bool high_first = @HIGH_FIRST@;
// An ill-formed word becomes nothing, instead of U+FFFD.
static constexpr bool omits = @OMITS@;

// Ill-formed are, of UTF-32, a surrogate and a word that is above all values; of UTF-16, units without their other half: a low one, a
// high one before another unit, and a high one at the end.
inline std::vector<uint32_t> stimulus() {
    if (octets == 2) return {0x68, 0xE9, 0x20AC, 0xD83D, 0xDE00, 0xDE00, 0x21, 0xD83D, 0x21, 0xD83D};
    return {0x68, 0xE9, 0x20AC, 0x1F600, 0xD800, 0x21, 0x80000000, 0x21};
}

struct Outputs {
    std::vector<uint8_t> bytes;
    int verdicts = 0, good = 0;

    void look(const Vcore &core) {
        if (core.m_axis_tvalid) look_at_bytes(core);
        if (core.m_axis_verdict_tvalid) look_at_verdict(core);
    }

    void look_at_bytes(const Vcore &core) {
        uint8_t data[@LANES@];
        uint64_t keep = 0;
        memcpy(data, &core.m_axis_tdata, sizeof data);
        memcpy(&keep, &core.m_axis_tkeep, sizeof core.m_axis_tkeep);
        for (size_t lane = 0; lane < sizeof data; lane++) {
            if (keep >> lane & 1) bytes.push_back(data[lane]);
        }
        if (!core.m_axis_tlast) return;
        for (uint8_t byte : bytes) printf("%02X ", byte);
        printf("\n%.*s\n", int(bytes.size()), (const char *)bytes.data());
    }

    void look_at_verdict(const Vcore &core) {
        uint32_t word[5];
        memcpy(word, &core.m_axis_verdict_tdata, sizeof word);
        const uint32_t well_formed = word[4] & 1, kind = word[4] >> 4 & 7;
        printf("%u bytes of %u words, well-formed up to word %u, %u ill-formed; well_formed %u, kind %u\n", word[0], word[2], word[1],
               word[3], well_formed, kind);
        const size_t words = stimulus().size(), ill_formed = octets == 2 ? 3 : 2;
        const uint32_t first = octets == 2 ? 5 : 4, first_kind = octets == 2 ? 1 : 4;
        verdicts++;
        good += word[0] == expected().size() && word[1] == first && word[2] == words && word[3] == ill_formed && !well_formed &&
                kind == first_kind;
    }

    static std::vector<uint8_t> expected() {
        const std::vector<uint8_t> well = {0x68, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80};
        const std::vector<uint8_t> replacement = {0xEF, 0xBF, 0xBD};
        std::vector<uint8_t> all = well;
        for (size_t i = 0; i < 3; i++) {
            // Two exclamation marks, each after an ill-formed word; of UTF-16, one more such word at the end.
            if (!omits && (i < 2 || octets == 2)) all.insert(all.end(), replacement.begin(), replacement.end());
            if (i < 2) all.push_back(0x21);
        }
        return all;
    }

    bool are_expected() const { return bytes == expected() && verdicts == 1 && good == 1; }
};
