// Sends a text of nine bytes through the core, or past a core that only monitors the stream: h, é, U+1F600, a byte that is never in UTF-8,
// and an exclamation mark.
#include "outputs.h"
#include <cstring>

int main() {
    const size_t lanes = @LANES@;
    const std::vector<uint8_t> bytes = {@HEADERS@0x68, 0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80, 0xFF, 0x21};
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
    for (size_t at = 0; at < bytes.size(); at += lanes) {
        const size_t count = bytes.size() - at < lanes ? bytes.size() - at : lanes;
        const uint64_t keep = (1ull << count) - 1;
        memcpy(&core.s_axis_tdata, &bytes[at], count);
        memcpy(&core.s_axis_tkeep, &keep, sizeof core.s_axis_tkeep);
        core.s_axis_tvalid = 1, core.s_axis_tlast = at + count == bytes.size();
        for (bool taken = false; !taken; clock()) core.eval(), taken = @TAKEN@;
    }
    core.s_axis_tvalid = 0;
    for (int i = 0; i < 100; i++) clock();

    puts(outputs.are_expected() ? "as expected" : "NOT as expected");
    return !outputs.are_expected();
}
