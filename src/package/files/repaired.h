// What becomes of bench.cpp's bytes, and the verdict on them.
#include "Vcore.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

struct Outputs {
    std::vector<uint8_t> bytes;
    int verdicts = 0, good = 0;

    void look(const Vcore &core) {
        if (core.m_axis_tvalid) look_at_bytes(core);
        if (core.m_axis_verdict_tvalid) look_at_verdict(core);
    }

    void look_at_bytes(const Vcore &core) {
        uint8_t data[@LANES@];
        memcpy(data, &core.m_axis_tdata, sizeof data);
        uint8_t keep[(sizeof data + 7) / 8];
        memcpy(keep, &core.m_axis_tkeep, sizeof keep);
        for (size_t lane = 0; lane < sizeof data; lane++) {
            if (keep[lane / 8] >> lane % 8 & 1) bytes.push_back(data[lane]);
        }
        if (core.m_axis_tlast) printf("%.*s\n", int(bytes.size()), (const char *)bytes.data());
    }

    void look_at_verdict(const Vcore &core) {
        uint32_t word[5];
        memcpy(word, &core.m_axis_verdict_tdata, sizeof word);
        printf("%u bytes, well-formed up to %u, %u scalar values, %u ill-formed pieces\n", word[0], word[1], word[2], word[3]);
        verdicts++;
        good += word[0] == 9 && word[1] == 7 && word[2] == 4 && word[3] == 1 && !(word[4] & 1);
    }

    // The byte FF has become this.
    bool are_expected() const {
        std::vector<uint8_t> all = {@HEADERS@0x68, 0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80};
        for (uint8_t byte : std::vector<uint8_t>{@REPLACEMENT@}) all.push_back(byte);
        all.push_back(0x21);
        return bytes == all && verdicts == 1 && good == 1;
    }
};
