// Theorem: `sanitise` puts out each accepted beat once, in order, with its tkeep and tlast, as soon as the bytes that have come decide
// on its last sequence; in it each byte of a sequence that RFC 3629's grammar calls well-formed stays as it is, and each other byte is 3F;
// or, before the bytes are packed, the last byte of each ill-formed piece is marked for U+FFFD and the others are dropped, and a
// signature, too, if it is to be left out; for all bytes, idles, stalls and resets, for ever.

// A byte between the three before it and the three after it, as far as these are there and of its packet.
module fate_of (
    input wire [8:0] p3,
    input wire [8:0] p2,
    input wire [8:0] p1,
    input wire [8:0] x,
    input wire [8:0] n1,
    input wire [8:0] n2,
    input wire [8:0] n3,
    // It is of a well-formed sequence: of which byte of it is no matter, for no sequence is part of another.
    output wire good,
    // No byte after it continues its piece.
    output wire ends,
    // An ill-formed piece ends with it.
    output wire ill_formed,
    // It is of a signature: of EF BB BF that no byte is before.
    output wire signature
);
    function automatic is_char(input [2:0] n, input [8:0] a, input [8:0] b, input [8:0] c, input [8:0] d);
        is_char = a[8] && (b[8] || n < 3'd2) && (c[8] || n < 3'd3) && (d[8] || n < 3'd4)
            && rfc3629::utf8_char(n, a[7:0], b[7:0], c[7:0], d[7:0]);
    endfunction
    assign good = is_char(3'd1, x, 9'h0, 9'h0, 9'h0)
        || is_char(3'd2, p1, x, 9'h0, 9'h0) || is_char(3'd2, x, n1, 9'h0, 9'h0)
        || is_char(3'd3, p2, p1, x, 9'h0) || is_char(3'd3, p1, x, n1, 9'h0) || is_char(3'd3, x, n1, n2, 9'h0)
        || is_char(3'd4, p3, p2, p1, x) || is_char(3'd4, p2, p1, x, n1) || is_char(3'd4, p1, x, n1, n2)
        || is_char(3'd4, x, n1, n2, n3);
    wire [26:0] now = {p2, p1, x};
    assign ends = !(n1[8] && window::continues(now, window::unfinished(now), n1[7:0]));
    wire [27:0] piece = window::ends_at({p3, p2, p1}, x[7:0], n1);
    assign ill_formed = x[8] && piece[26];
    function automatic signs(input [8:0] before, input [8:0] a, input [8:0] b, input [8:0] c);
        signs = !before[8] && {a, b, c} == {9'h1EF, 9'h1BB, 9'h1BF};
    endfunction
    assign signature = signs(p1, x, n1, n2) || signs(p2, p1, x, n1) || signs(p3, p2, p1, x);
endmodule

module check (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [8*`N-1:0] data,
    input wire [`N-1:0] keep,
    input wire sink_ready,
    input wire verdict_ready
);
    localparam N = `N;
    wire ready;
    `include "contract.svh"
    `include "slot.svh"
    `include "pieces.svh"
    `include "stages.svh"

    // The slots, the first of them the one of slot.svh: as many as beats have three bytes, for these decide on the last byte of a beat.
    // What is known of a beat in a slot: its packet has ended; it is the last; and its bytes, between the three before it and the first
    // three after it, as far as these have come: N + 6 times a window::maybe_byte, the oldest lowest. `extended` is the same with what
    // comes in this clock.
    localparam SLOTS = `SLOTS;
    localparam AROUND = 9 * (N + 6);
    localparam RECORD = AROUND + 2;
    wire [SLOTS:0] here, waits, moves;
    wire [RECORD-1:0] known [1:SLOTS], extended [1:SLOTS];

    // The bytes after a beat, once those of the next one have come.
    function automatic [26:0] followed(input [26:0] after, input [9*N-1:0] lanes);
        followed = after;
        for (int i = 0; i < N && i < 3; i = i + 1) if (lanes[9*i+8]) begin
            if (!followed[8]) followed[8:0] = lanes[9*i+:9];
            else if (!followed[17]) followed[17:9] = lanes[9*i+:9];
            else if (!followed[26]) followed[26:18] = lanes[9*i+:9];
        end
    endfunction
    function automatic [RECORD-1:0] after_next(input [RECORD-1:0] before, input valid, input [9*N:0] next);
        after_next = before;
        if (valid && !before[RECORD-1]) begin
            after_next[RECORD-1] = next[9*N];
            after_next[AROUND-1-:27] = followed(before[AROUND-1-:27], next[9*N-1:0]);
        end
    endfunction
    // A sequence is unfinished that has a byte of the beat.
    function automatic is_undecided(input [RECORD-1:0] beat);
        logic [26:0] after, top;
        after = beat[AROUND-1-:27];
        top = {beat[9*N+:9], beat[9*N+9+:9], beat[9*N+18+:9]};
        is_undecided = !beat[RECORD-1] && (!after[8] ? window::unfinished(top) != 3'd0
            : !after[17] ? window::unfinished({top[17:0], after[8:0]}) > 3'd1
            : !after[26] && window::unfinished({top[8:0], after[8:0], after[17:9]}) > 3'd2);
    endfunction

    // A beat that waits moves on only with the next arrival.
    assign {here[0], waits[0], moves[0]} = 3'b000;
    assign here[1] = slot_valid;
    always @(posedge clk) if (slot_valid) `WHOLE(waits[1] == slot_waits);
    assign known[1] = {slot_last, slot_last, 27'h0, slot_bytes[9*N+26:0]};
    generate
        for (genvar s = 1; s <= SLOTS; s = s + 1) begin : g_slots
            assign waits[s] = is_undecided(known[s]);
            assign moves[s] = here[s] && (valids[9] || !waits[s]);
            assign extended[s] = after_next(known[s], valids[9], beat_9);
            if (s > 1) begin : g_further
                reg here_held = 1'b0;
                reg [RECORD-1:0] held;
                always @(posedge clk) begin
                    here_held <= !rst && (moves[s-1] || here[s] && !moves[s]);
                    if (moves[s-1]) held <= extended[s-1];
                end
                assign here[s] = here_held;
                assign known[s] = held;
                // No beat moves on to one that stays, which would be lost.
                always @(posedge clk) `WHOLE(!(moves[s-1] && here[s] && !moves[s]));
            end
        end
    endgenerate

    // What leaves the last slot is decided, and what becomes of its bytes.
    wire leaves = moves[SLOTS];
    wire [RECORD-1:0] leaving = extended[SLOTS];
    wire [N-1:0] there, good, ends, ill_formed, signature;
    wire [8*N-1:0] bytes;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_fate
            fate_of fate_of (
                .p3(leaving[9*i+:9]), .p2(leaving[9*i+9+:9]), .p1(leaving[9*i+18+:9]), .x(leaving[9*i+27+:9]),
                .n1(leaving[9*i+36+:9]), .n2(leaving[9*i+45+:9]), .n3(leaving[9*i+54+:9]),
                .good(good[i]), .ends(ends[i]), .ill_formed(ill_formed[i]), .signature(signature[i])
            );
            assign there[i] = leaving[9*i+35];
            assign bytes[8*i+:8] = leaving[9*i+27+:8];
            // The specification: what is not of a well-formed sequence is of a piece that ends, once.
            always @(posedge clk) if (started && leaves && there[i]) `LANE(i, ill_formed[i] == (ends[i] && !good[i]));
        end
    endgenerate
    always @(posedge clk) if (started && leaves) `WHOLE(!is_undecided(leaving));

    // A beat is put out 14 clocks after it was accepted if it waits in no slot: what leaves the last slot takes a clock for each of three
    // slots that there is not, and one for the output. Of each lane: whether it has a byte, or for U+FFFD one byte or three, and which.
    localparam LANE = `FFFD ? 10 : 9;
    localparam OUT = LANE * N + 2;
    localparam CLOCKS = 4 - SLOTS;
    reg [OUT*CLOCKS-1:0] to_come = 0;
    wire [OUT-1:0] departing;
    assign departing[OUT-1:LANE*N] = {leaves, leaves && leaving[RECORD-2]};
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_depart
            wire stays = leaves && there[i] && !(`STRIPS && signature[i]);
            if (`FFFD) begin : g_fffd
                assign departing[LANE*i+:LANE] = {stays && ill_formed[i], stays && (good[i] || ill_formed[i]), bytes[8*i+:8]};
            end else begin : g_ascii
                assign departing[LANE*i+:LANE] = {stays, !stays ? 8'h00 : good[i] ? bytes[8*i+:8] : 8'h3F};
            end
        end
    endgenerate
    always @(posedge clk) to_come <= rst ? 0 : {to_come, departing};
    wire [OUT-1:0] expected = to_come[OUT*CLOCKS-1-:OUT];
    always @(posedge clk) `WHOLE(registers(0, 13) == `LATENCY);

    wire out_valid, out_last;
    wire [N-1:0] out_one, out_three;
    wire [8*N-1:0] out_data;
    `DUT dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(valid), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last),
`ifdef AXIS
        .s_axis_tready(ready), .m_axis_tready(sink_ready), .m_axis_verdict_tready(verdict_ready)
    );
`else
        .m_axis_tvalid(out_valid), .m_axis_tdata(out_data), .m_axis_tkeep(out_one), .m_axis_tlast(out_last)
    );
    assign ready = 1'b1;
`endif
`ifdef REPLACED
    // What is packed: the bytes as they came, which lanes have one, and which of these have U+FFFD in its place.
    each(valid last) (* hierconn *) wire \REPAIR.s13_% ; assign out_% = \REPAIR.s13_% ;
    each(one three) (* hierconn *) wire [N-1:0] \REPAIR.s13_% ; assign out_% = \REPAIR.s13_% ;
    (* hierconn *) wire [8*N-1:0] \REPAIR.s13_bytes ;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_byte_out
            for (genvar b = 0; b < 8; b = b + 1) begin : g_bit
                assign out_data[8*i+b] = \REPAIR.s13_bytes [N*b+i];
            end
        end
    endgenerate
`else
    assign out_three = 0;
`ifdef AXIS
    // What goes to the FIFO.
    (* hierconn *) wire \FIFO.push ;
    (* hierconn *) wire [9*N:0] \FIFO.beat ;
    assign out_valid = \FIFO.push ;
    assign {out_last, out_one, out_data} = \FIFO.beat ;
`endif
`endif
    // Without a beat all is zero but the bytes that are to be packed. In the clock after a reset what was dropped may show; of four lanes
    // or more, the lanes in six clocks, and if they are far in eight.
    wire was_reset = !lives[0];
    wire lingers = !lives[N > 16 ? 7 : N >= 4 ? 5 : 0];
    always @(posedge clk) if (started) begin
        `WHOLE(out_valid == expected[OUT-1]);
        if (!was_reset) `WHOLE(out_last == expected[OUT-2]);
    end
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_out
            wire [LANE-1:0] lane = expected[LANE*i+:LANE];
            always @(posedge clk) if (started && !lingers) begin
                `LANE(i, out_one[i] == lane[8]);
                `LANE(i, out_three[i] == (`FFFD && lane[LANE-1]));
                if (!`FFFD || lane[8]) `LANE(i, out_data[8*i+:8] == lane[7:0]);
            end
        end
    endgenerate

    `include "repair.svh"

    // Not vacuous: the highest scalar value, whose first byte waits for the last over three idle clocks; ill-formed pieces of three, two
    // and one bytes; a signature. And at the outputs a packet's last byte, and what stands for an ill-formed piece.
    reg [1:0] idles = 2'd0;
    always @(posedge clk) idles <= valids[9] || rst ? 2'd0 : idles == 2'd3 ? idles : idles + 2'd1;
    wire [9*(N+6)-1:0] around = leaving[AROUND-1:0];
    always @(posedge clk) if (started && leaves) begin
        cover (valids[9] && idles == 2'd3 && around[9*(N+2)+:36] == {9'h1BF, 9'h1BF, 9'h18F, 9'h1F4});
        cover (around[9*N+:27] == {9'h180, 9'h180, 9'h1F1} && ill_formed[N-1]);
        cover (around[9*(N+1)+:18] == {9'h180, 9'h1F1} && ill_formed[N-1]);
        cover (around[9*(N+2)+:9] == 9'h1F1 && ill_formed[N-1] && around[9*(N+3)+:9] == 9'h141);
        cover (|signature && !leaving[RECORD-2]);
    end
    always @(posedge clk) if (started && out_valid) begin
        cover (out_one == 1 && out_last);
        cover (`FFFD ? out_three[N-1] && !out_last : out_one[N-1] && out_data[8*N-1-:8] == 8'h3F && !out_last);
    end
endmodule
