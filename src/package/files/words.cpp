// Sends words through the core: h, é, €, U+1F600, ill-formed words, and an exclamation mark between them.
#include "outputs.h"
#include <cstring>

int main() {
    const size_t lanes = @LANES@;
    Vcore core;
    Outputs outputs;
    // The core's pins change after the rising edge; they are sampled before it.
    auto clock = [&] {
        core.eval();
        outputs.look(core);
        core.clk = 1, core.eval();
        core.clk = 0, core.eval();
    };

    core.rst = 1, clock(), clock();
    core.rst = 0;
    @SINKS@
    const std::vector<uint32_t> words = stimulus();
    for (size_t at = 0; at < words.size(); at += lanes) {
        const size_t count = words.size() - at < lanes ? words.size() - at : lanes;
        // Each lane has a word of this number of octets, and as many bits of tkeep.
        uint8_t data[lanes * octets] = {};
        uint64_t keep = 0;
        for (size_t lane = 0; lane < count; lane++) {
            for (size_t i = 0; i < octets; i++) {
                data[lane * octets + i] = words[at + lane] >> 8 * (high_first ? octets - 1 - i : i);
                keep |= 1ull << (lane * octets + i);
            }
        }
        memcpy(&core.s_axis_tdata, data, sizeof data);
        memcpy(&core.s_axis_tkeep, &keep, sizeof core.s_axis_tkeep);
        core.s_axis_tvalid = 1, core.s_axis_tlast = at + count == words.size();
        for (bool taken = false; !taken; clock()) core.eval(), taken = @TAKEN@;
    }
    core.s_axis_tvalid = 0;
    for (int i = 0; i < 200; i++) clock();

    puts(outputs.are_expected() ? "as expected" : "NOT as expected");
    return !outputs.are_expected();
}
