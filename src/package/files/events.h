// The events of bench.cpp's bytes: one for each sequence, and U+FFFD for what is ill-formed.
#include "Vcore.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

struct Outputs {
    std::vector<uint32_t> events;

    void look(const Vcore &core) {
        if (!core.m_axis_tvalid) return;
        uint32_t words[@LANES@];
        uint64_t keep[@LANES@ / 16 + 1] = {};
        memcpy(words, &core.m_axis_tdata, sizeof words);
        memcpy(keep, &core.m_axis_tkeep, sizeof core.m_axis_tkeep);
        for (int lane = 0; lane < @LANES@; lane++) {
            if (!(keep[lane / 16] >> (4 * (lane % 16)) & 1)) continue;
            printf("U+%04X\n", words[lane]);
            events.push_back(words[lane]);
        }
    }

    bool are_expected() const { return events == std::vector<uint32_t>{0x68, 0xE9, 0xFFFD, 0x21}; }
};
