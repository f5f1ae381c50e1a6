// The verdicts on bench.cpp's messages, each with its flow.
#include "Vcore.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

struct Outputs {
    int verdicts = 0, good = 0;

    void look(const Vcore &core) {
        if (core.m_axis_flow_tvalid && (core.m_axis_flow_tdata & 1)) printf("flow %u: ill-formed so far\n", core.m_axis_flow_tid);
        if (!core.m_axis_verdict_tvalid) return;
        uint32_t word[5];
        memcpy(word, &core.m_axis_verdict_tdata, sizeof word);
        printf("flow %u: %u bytes, well-formed up to %u, %u scalar values, %u ill-formed pieces\n", core.m_axis_verdict_tid, word[0],
               word[1], word[2], word[3]);
        const bool is_whole = word[0] == 4 && word[1] == 4 && word[2] == 3 && word[3] == 0 && (word[4] & 1);
        const bool is_broken = word[0] == 2 && word[1] == 0 && word[2] == 1 && word[3] == 1 && !(word[4] & 1);
        verdicts++;
        good += core.m_axis_verdict_tid == (is_broken && @FLOWS@ > 1) && (is_whole || is_broken);
    }

    bool are_expected() const { return verdicts == 2 && good == 2; }
};
