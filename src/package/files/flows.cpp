// Sends two messages past the core, their beats in turn: h, é and an exclamation mark; and a byte that is never in UTF-8, and an
// exclamation mark.
#include "outputs.h"

struct Message {
    uint32_t flow;
    std::vector<uint8_t> bytes;
    size_t at;
};

int main() {
    const size_t lanes = @LANES@;
    // One flow for each message, if the core has two.
    Message messages[] = {{0, {0x68, 0xC3, 0xA9, 0x21}, 0}, {@FLOWS@ > 1, {0xFF, 0x21}, 0}};
    Vcore core;
    Outputs outputs;
    // The core's pins change after the rising edge; they are sampled before it.
    auto clock = [&] {
        core.eval();
        outputs.look(core);
        core.clk = 1, core.eval();
        core.clk = 0, core.eval();
    };
    // Each beat ends a packet; all beats of a message but its last one set `more`.
    auto send = [&](Message &message) {
        const size_t left = message.bytes.size() - message.at, count = left < lanes ? left : lanes;
        const uint64_t keep = (1ull << count) - 1;
        const uint8_t more = count < left;
        memcpy(&core.s_axis_tdata, &message.bytes[message.at], count);
        memcpy(&core.s_axis_tkeep, &keep, sizeof core.s_axis_tkeep);
        memset(&core.s_axis_tuser, 0, sizeof core.s_axis_tuser);
        memcpy(&core.s_axis_tuser, &more, 1);
        core.s_axis_tvalid = 1, core.s_axis_tlast = 1, core.s_axis_tid = message.flow;
        clock();
        core.s_axis_tvalid = 0;
        message.at += count;
    };

    core.rst = 1, clock(), clock();
    core.rst = 0;
    @SINKS@
    while (!core.flows_ready) clock();
    for (bool sent = true; sent;) {
        sent = false;
        for (Message &message : messages) {
            // With one flow, the second message follows the first.
            if (message.at == message.bytes.size() || (@FLOWS@ == 1 && sent)) continue;
            send(message), sent = true;
        }
    }
    for (int i = 0; i < 100; i++) clock();

    puts(outputs.are_expected() ? "as expected" : "NOT as expected");
    return !outputs.are_expected();
}
