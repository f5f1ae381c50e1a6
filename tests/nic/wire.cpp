// The card between a host and its pins: what standard input asks for is driven into the PHY's pins, and what leaves them is printed.
//
//   send IDLE CARRIER HEX   drive these bytes after IDLE clocks without and CARRIER clocks with a carrier; they queue up
//   run CLOCKS              go on for so long, then print the frames that have left since, and a last line
//
// Bytes are as they are on the wire: a preamble, a frame, its check sequence. What they mean is the host's matter.
// A frame is printed as `frame GAP HEX`, with the clocks since the frame before it. The last line is `ran QUEUED`.

#include "Vcard.h"
#include "verilated.h"
#include <cstdint>
#include <deque>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

// Half periods of the two clocks, which no one has made equal, in ps: 48 MHz and 50 MHz.
const uint64_t SYSTEM = 10417, WIRE = 10000;

// What the PHY has on its pins in one clock: two bits, and whether they are valid.
struct Pins {
    uint8_t data;
    bool valid;
};

class Wire {
    Vcard card;
    uint64_t system = SYSTEM, wire = WIRE, clocks = 0, left = 0;
    std::deque<Pins> queue;
    std::vector<uint8_t> bits;

    void edge_of_wire() {
        const bool rises = !card.eth_clocks_ref_clk;
        if (rises) {
            sample();
        } else {
            // The pins change with the falling edge, so it does not matter which of two rising edges comes first.
            Pins now = {0, false};
            if (!queue.empty()) {
                now = queue.front();
                queue.pop_front();
            }
            card.eth_rx_data = now.data;
            card.eth_crs_dv = now.valid;
        }
        card.eth_clocks_ref_clk = rises;
        card.eval();
        clocks += rises;
    }

    void sample() {
        if (!card.eth_rst_n) {
            bits.clear();
        } else if (card.eth_tx_en) {
            bits.push_back(card.eth_tx_data);
        } else if (!bits.empty()) {
            print();
        }
    }

    void print() {
        const uint64_t first = clocks - bits.size();
        std::cout << "frame " << first - left << " ";
        left = clocks;
        const char *digits = "0123456789abcdef";
        // A part of a byte is no byte: an x says so.
        for (size_t at = 0; at < bits.size(); at += 4) {
            if (at + 4 > bits.size()) {
                std::cout << "x";
                break;
            }
            const int octet = bits[at] | bits[at + 1] << 2 | bits[at + 2] << 4 | bits[at + 3] << 6;
            std::cout << digits[octet >> 4] << digits[octet & 15];
        }
        std::cout << "\n";
        bits.clear();
    }

  public:
    void send(unsigned idle, unsigned carrier, const std::string &hex) {
        queue.insert(queue.end(), idle, {0, false});
        queue.insert(queue.end(), carrier, {0, true});
        for (size_t at = 0; at + 1 < hex.size(); at += 2) {
            const int octet = std::stoi(hex.substr(at, 2), nullptr, 16);
            for (int low = 0; low < 8; low += 2) {
                queue.push_back({uint8_t(octet >> low & 3), true});
            }
        }
    }

    void run(uint64_t count) {
        for (const uint64_t end = clocks + count; clocks < end;) {
            if (system < wire) {
                card.clk48 = !card.clk48;
                card.eval();
                system += SYSTEM;
            } else {
                edge_of_wire();
                wire += WIRE;
            }
        }
        std::cout << "ran " << queue.size() << std::endl;
    }
};

}

int main(int argc, char **argv) {
    Verilated::commandArgs(argc, argv);
    Wire wire;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command, hex;
        uint64_t first = 0, second = 0;
        words >> command >> first;
        if (command == "run") {
            wire.run(first);
        } else if (command == "send" && words >> second >> hex) {
            wire.send(first, second, hex);
        } else {
            std::cerr << "what is: " << line << std::endl;
            return 2;
        }
    }
}
