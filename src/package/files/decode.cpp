// Sends five bytes through the core, and compares its events: h, é, a byte that is never in UTF-8, and an exclamation mark.
#include "Vcore.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
    const int lanes = @LANES@;
    const std::vector<uint8_t> bytes = {0x68, 0xC3, 0xA9, 0xFF, 0x21};
    const std::vector<uint32_t> expected = {0x68, 0xE9, 0xFFFD, 0x21};
    std::vector<uint32_t> events;

    Vcore core;
    // The core's pins change after the rising edge; they are looked at before it.
    auto clock = [&] {
        core.eval();
        if (core.m_axis_tvalid) {
            uint32_t words[lanes];
            uint64_t keep[lanes / 16 + 1] = {};
            memcpy(words, &core.m_axis_tdata, sizeof words);
            memcpy(keep, &core.m_axis_tkeep, sizeof core.m_axis_tkeep);
            for (int lane = 0; lane < lanes; lane++)
                if (keep[lane / 16] >> (4 * (lane % 16)) & 1) events.push_back(words[lane]);
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

    for (uint32_t event : events) printf("U+%04X\n", event);
    puts(events == expected ? "as expected" : "NOT as expected");
    return events != expected;
}
