// Sends five bytes past the core, and compares its verdict: h, é, a byte that is never in UTF-8, and an exclamation mark.
#include "Vcore.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
    const int lanes = @LANES@;
    const std::vector<uint8_t> bytes = {0x68, 0xC3, 0xA9, 0xFF, 0x21};
    int verdicts = 0, good = 0;

    Vcore core;
    // The core's pins change after the rising edge; they are looked at before it.
    auto clock = [&] {
        core.eval();
        if (core.m_axis_verdict_tvalid) {
            uint32_t word[5];
            memcpy(word, &core.m_axis_verdict_tdata, sizeof word);
            printf("%u bytes, well-formed up to %u, %u scalar values, %u ill-formed pieces\n", word[0], word[1], word[2], word[3]);
            verdicts++;
            good += word[0] == 5 && word[1] == 3 && word[2] == 3 && word[3] == 1 && !(word[4] & 1);
        }
        core.clk = 1, core.eval();
        core.clk = 0, core.eval();
    };

    core.rst = 1, clock(), clock();
    core.rst = 0;
    @SINKS@
    for (size_t at = 0; at < bytes.size(); at += lanes) {
        const size_t count = bytes.size() - at < size_t(lanes) ? bytes.size() - at : lanes;
        const uint64_t keep = count == 64 ? ~0ull : (1ull << count) - 1;
        memcpy(&core.s_axis_tdata, &bytes[at], count);
        memcpy(&core.s_axis_tkeep, &keep, sizeof core.s_axis_tkeep);
        core.s_axis_tvalid = 1, core.s_axis_tlast = at + count == bytes.size();
        for (bool taken = false; !taken; clock()) core.eval(), taken = @TAKEN@;
    }
    core.s_axis_tvalid = 0;
    for (int i = 0; i < 100; i++) clock();

    puts(verdicts == 1 && good == 1 ? "as expected" : "NOT as expected");
    return verdicts != 1 || good != 1;
}
