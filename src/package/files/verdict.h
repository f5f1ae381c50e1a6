// The verdict on bench.cpp's bytes.
#include "Vcore.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

struct Outputs {
    int verdicts = 0, good = 0;

    void look(const Vcore &core) {
        if (!core.m_axis_verdict_tvalid) return;
        uint32_t word[5];
        memcpy(word, &core.m_axis_verdict_tdata, sizeof word);
        printf("%u bytes, well-formed up to %u, %u scalar values, %u ill-formed pieces\n", word[0], word[1], word[2], word[3]);
        verdicts++;
        good += word[0] == 9 && word[1] == 7 && word[2] == 4 && word[3] == 1 && !(word[4] & 1);
    }

    bool are_expected() const { return verdicts == 1 && good == 1; }
};
