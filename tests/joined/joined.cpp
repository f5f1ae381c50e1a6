// Sends a file through joined.v as one packet, and writes what comes out: joined IN OUT. The sink stalls in a quarter of the clocks.
#include "Vjoined.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

int main(int, char **arguments) {
    FILE *in = fopen(arguments[1], "rb"), *out = fopen(arguments[2], "wb");
    if (!in || !out) return 2;
    Vjoined core;
    std::minstd_rand random;
    uint8_t beat[8], next[8];
    size_t count = 0, ahead = fread(next, 1, sizeof next, in);
    bool offered = false, sent = false, ended = false;
    core.rst = 1;
    for (uint64_t clock = 0, idle = 0; !ended; clock++) {
        if (clock == 2) core.rst = 0;
        if (!offered && !sent && clock >= 2) {
            memcpy(beat, next, sizeof beat);
            count = ahead, ahead = fread(next, 1, sizeof next, in);
            offered = true;
        }
        core.s_axis_tvalid = offered;
        memcpy(&core.s_axis_tdata, beat, sizeof beat);
        core.s_axis_tkeep = (1u << count) - 1;
        core.s_axis_tlast = ahead == 0;
        core.m_axis_tready = random() % 4 != 0;
        core.clk = 0, core.eval();
        if (offered && core.s_axis_tready) offered = false, sent = ahead == 0, idle = 0;
        if (core.m_axis_tvalid && core.m_axis_tready) {
            uint8_t bytes[8];
            memcpy(bytes, &core.m_axis_tdata, sizeof bytes);
            for (size_t lane = 0; lane < sizeof bytes; lane++) {
                if (core.m_axis_tkeep >> lane & 1) fputc(bytes[lane], out);
            }
            ended = core.m_axis_tlast, idle = 0;
        }
        core.clk = 1, core.eval();
        if (++idle > 10000) return 1;
    }
    return fclose(out) != 0;
}
