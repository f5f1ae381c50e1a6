// What comes of bench.cpp's bytes: a word for each sequence (of UTF-16, two for U+1F600), and FFFD for what is ill-formed.
#include "Vcore.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

struct Outputs {
    // Octets of a lane's word, and whether the highest comes first.
    static constexpr int octets = @OCTETS@;
    static constexpr bool high_first = @HIGH_FIRST@;
    std::vector<uint32_t> words;

    void look(const Vcore &core) {
        if (!core.m_axis_tvalid) return;
        uint8_t data[@LANES@ * octets];
        uint64_t keep[@LANES@ / 16 + 1] = {};
        memcpy(data, &core.m_axis_tdata, sizeof data);
        memcpy(keep, &core.m_axis_tkeep, sizeof core.m_axis_tkeep);
        for (int at = 0; at < @LANES@ * octets; at += octets) {
            if (!(keep[at / 64] >> (at % 64) & 1)) continue;
            uint32_t word = 0;
            for (int i = 0; i < octets; i++) word |= uint32_t(data[at + i]) << 8 * (high_first ? octets - 1 - i : i);
            printf("%04X\n", word);
            words.push_back(word);
        }
    }

    bool are_expected() const {
        if (octets == 2) return words == std::vector<uint32_t>{0x68, 0xE9, 0xD83D, 0xDE00, 0xFFFD, 0x21};
        return words == std::vector<uint32_t>{0x68, 0xE9, 0x1F600, 0xFFFD, 0x21};
    }
};
