// Theorem: at every clock every output of `decode`'s pipeline is what RFC 3629's grammar (and of UTF-16, RFC 2781) requires for the
// accepted bytes, for all bytes, idles, stalls and resets, for ever. In the form `free` its outputs are the pins.

module check (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [8*`N-1:0] data,
    input wire [`N-1:0] keep,
    input wire sink_ready
);
    localparam N = `N;
    wire ready;
    `include "contract.svh"
    `include "slot.svh"
    `include "pieces.svh"

    // Bits of an event's word, and of its part of tdata and of tuser.
    localparam WORD = `UTF16 ? 16 : VALUE, DATA = `UTF16 ? 16 : 32, USER = LENGTH + 3;

`ifdef UNITS
    `include "units.svh"
`else
    // Lemmas of `scalar`: the bytes before, and the scalar value that is kept in the slot.
    (* hierconn *) wire [7:0] \SCALAR.s9_one_before_carried ;
    (* hierconn *) wire [7:0] \SCALAR.s9_two_before_carried ;
    (* hierconn *) wire [7:0] \SCALAR.s9_three_before_carried ;
`ifdef RFC2279
    each(four five) (* hierconn *) wire [7:0] \SCALAR.s9_%_before_carried ;
    // The number of each byte in its sequence, in the slot.
`ifdef MANY
    each(third_up fourth_up fifth_up sixth) (* hierconn *) wire [N-1:0] \PIECES.six.s10_slot_%.held ; wire [N-1:0] held_% = \PIECES.six.s10_slot_%.held ;
`else
    each(third_up fourth_up fifth_up sixth) (* hierconn *) wire [N-1:0] \PIECES.six.s10_slot_%_held ; wire [N-1:0] held_% = \PIECES.six.s10_slot_%_held ;
`endif
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_number
            wire [2:0] before = g_lemma[i].consumed ? g_lemma[i].open_before : 3'd0;
            always @(posedge clk) if (started && slot_valid) begin
                `LANE(i, held_third_up[i] == (before >= 3'd2));
                `LANE(i, held_fourth_up[i] == (before >= 3'd3));
                `LANE(i, held_fifth_up[i] == (before >= 3'd4));
                `LANE(i, held_sixth[i] == (before == 3'd5));
            end
        end
    endgenerate
    always @(posedge clk) if (started) begin
        if (past_8[35]) `WHOLE(\SCALAR.s9_four_before_carried == past_8[34:27]);
        if (past_8[44]) `WHOLE(\SCALAR.s9_five_before_carried == past_8[43:36]);
    end
`endif
`ifdef MANY
    (* hierconn *) wire [VALUE*N-1:0] \SCALAR.s10_slot_scalars.held ;
    wire [VALUE*N-1:0] held_scalars = \SCALAR.s10_slot_scalars.held ;
`else
    (* hierconn *) wire [VALUE*N-1:0] \SCALAR.s10_slot_scalars_held ;
    wire [VALUE*N-1:0] held_scalars = \SCALAR.s10_slot_scalars_held ;
`endif
    always @(posedge clk) if (started) begin
        if (past_8[8]) `WHOLE(\SCALAR.s9_one_before_carried == past_8[7:0]);
        if (past_8[17]) `WHOLE(\SCALAR.s9_two_before_carried == past_8[16:9]);
        if (past_8[26]) `WHOLE(\SCALAR.s9_three_before_carried == past_8[25:18]);
    end
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_scalar
            for (genvar b = 0; b < VALUE; b = b + 1) begin : g_bit
                if (VALUE == 21 || b < 12) begin : g_value
                    always @(posedge clk)
                        if (started && slot_valid && slot_scalar[i])
                            `LANE(i, held_scalars[N*b+i] == slot_value[VALUE*i+b]);
                end else begin : g_raw
                    // With more than 21, the bits of the second byte before and of those before it are cleared when the value leaves.
                    localparam FROM = 2 + (b - 12) / 6, BIT = (b - 12) % 6;
                    always @(posedge clk)
                        if (started && slot_valid && slot_keep[i] && g_slot[i].before[9*FROM-1])
                            `LANE(i, held_scalars[N*b+i] == g_slot[i].before[9*FROM-9+BIT]);
                end
            end
        end
    endgenerate

`ifndef SHALLOW
    // The bytes at stages 3 and 8, and their positions.
    `include "stages.svh"
    (* hierconn *) wire [64*N-1:0] \SCALAR.delay_bytes_8.stages ;
`ifdef RFC2279
    (* hierconn *) wire [N-1:0] \PIECES.six.s8_third_up ;
    each(fourth_up fifth_up sixth) (* hierconn *) wire [2*N-1:0] \PIECES.six.delay_%_9.stages ;
    wire [N-1:0] third_up = \PIECES.six.s8_third_up ;
    each(fourth_up fifth_up sixth) wire [N-1:0] % = \PIECES.six.delay_%_9.stages [N-1:0];
`else
    (* hierconn *) wire [N-1:0] \PIECES.s8_third_up ;
    (* hierconn *) wire [N-1:0] \PIECES.s8_fourth ;
    wire [N-1:0] third_up = \PIECES.s8_third_up , fourth_up = \PIECES.s8_fourth ;
`endif
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_position
            always @(posedge clk) if (started && valids[8]) begin
                `LANE(i, third_up[i] == (g_stage_8[i].consumed && g_stage_8[i].open_before >= 3'd2));
                `LANE(i, fourth_up[i] == (g_stage_8[i].consumed && g_stage_8[i].open_before >= 3'd3));
`ifdef RFC2279
                `LANE(i, fifth_up[i] == (g_stage_8[i].consumed && g_stage_8[i].open_before >= 3'd4));
                `LANE(i, sixth[i] == (g_stage_8[i].consumed && g_stage_8[i].open_before == 3'd5));
`endif
            end
            for (genvar b = 0; b < 8; b = b + 1) begin : g_byte
                always @(posedge clk) if (started) begin
                    if (valids[3]) `LANE(i, \SCALAR.delay_bytes_8.stages [16*N+N*b+i] == beat_3[9*i+b]);
                    if (valids[8]) `LANE(i, \SCALAR.delay_bytes_8.stages [56*N+N*b+i] == beat_8[9*i+b]);
                end
            end
        end
    endgenerate
`endif
`endif

    // In UTF-16 a lane has the first of two units if its byte is the third of four, and the next one the fourth.
    wire [N-1:0] slot_first;
    wire [DATA*N-1:0] slot_word;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_unit
            wire [26:0] now = {g_slot[i].x2, g_slot[i].x1, g_slot[i].x0};
            wire [VALUE-1:0] value = slot_value[VALUE*i+:VALUE];
            if (`UTF16) begin : g_16
                assign slot_first[i] = window::unfinished(now) == 3'd3 && g_slot[i].next[8]
                    && window::continues(now, 3'd3, g_slot[i].next[7:0]);
                wire [20:0] pair = rfc3629::scalar(3'd4, now[25:18], now[16:9], now[7:0], g_slot[i].next[7:0]);
                assign slot_word[16*i+:16] = slot_first[i] ? rfc2781::first(pair)
                    : rfc2781::pair(value) ? rfc2781::second(value) : rfc2781::first(value);
            end else begin : g_32
                assign slot_first[i] = 1'b0;
                assign slot_word[32*i+:32] = {{32-VALUE{1'b0}}, value};
            end
        end
    endgenerate

    // The beat that is to be sent: of the one that leaves the slot, what has an event.
    wire [N-1:0] sent;
    wire [DATA*N-1:0] words;
    wire [USER*N-1:0] users;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_word
            wire stripped = `STRIP && slot_signature[i];
            assign sent[i] = slot_scalar[i] && !stripped || slot_first[i] || slot_ill_formed[i];
            wire [DATA-1:0] word = !sent[i] ? 0 : slot_scalar[i] || slot_first[i] ? slot_word[DATA*i+:DATA] : 16'hFFFD;
            assign words[DATA*i+:DATA] = `SWAPS ? {word[7:0], word[15:8]} : word;
            assign users[USER*i+:USER] = {slot_length[LENGTH*i+:LENGTH], slot_kind[3*i+:3]};
        end
    endgenerate
    wire sends = slot_leaves && (slot_last || |sent);
    // A stripped signature's flag is on the packet's first beat that is sent.
    reg pending = 1'b0;
    wire flagged = slot_leaves && ((`STRIP || `FLAG) && |slot_signature || `STRIP && pending);
    always @(posedge clk)
        if (rst) pending <= 1'b0;
        else if (slot_leaves) pending <= `STRIP && flagged && !sends;

`ifdef PENDING
    (* hierconn *) wire \EVENTS.s13_pending ;
    reg pending_held_11 = 1'b0, pending_held_12 = 1'b0;
    wire pending_11 = CUTS[11] ? pending_held_11 : pending;
    wire pending_12 = CUTS[12] ? pending_held_12 : pending_11;
    always @(posedge clk) begin
        pending_held_11 <= pending && !rst;
        pending_held_12 <= pending_11 && !rst;
        if (started) `WHOLE(\EVENTS.s13_pending == pending_12);
        // A full beat of more lanes than a signature has and than can wait always has an event, so that no flag waits for one.
        if (started && N > 3 + BACK) `WHOLE(!pending);
    end
`endif

    // It is on the pins after stages 11, 12 and 13. Without a beat every output is zero.
    localparam WIDTH = 1 + DATA*N + N + 1 + 1 + USER*N;
    reg [WIDTH-1:0] held_11, held_12, expected;
    wire [WIDTH-1:0] leaving = {sends, {WIDTH-1{slot_leaves}} & {words, sent, slot_last, sends && flagged, users}};
    wire [WIDTH-1:0] expected_11 = CUTS[11] ? held_11 : leaving;
    wire [WIDTH-1:0] expected_12 = CUTS[12] ? held_12 : expected_11;
    initial {held_11, held_12, expected} = 0;
    always @(posedge clk)
        if (rst) {held_11, held_12, expected} <= 0;
        else {held_11, held_12, expected} <= {leaving, expected_11, expected_12};
    // A beat that does not wait takes as many clocks as the core is deep: here as many as stages have registers.
    always @(posedge clk) `WHOLE(registers(0, 13) == `LATENCY);

    wire out_valid, out_last;
    wire [DATA*N-1:0] out_data;
    wire [DATA/8*N-1:0] out_keep;
    wire [USER*N:0] out_user;
`ifdef AXIS
    // What the pipeline puts out to the FIFO, as the pins show it; the theorem `stream` is about the way from there to the pins.
    (* hierconn *) wire \FIFO.push ;
    (* hierconn *) wire [(WORD+1+USER)*N+1:0] \FIFO.beat ;
    assign out_valid = \FIFO.push ;
    unpack #(.N(N), .WORD(WORD), .DATA(DATA), .USER(USER), .SWAPS(`SWAPS)) in_pins (
        .beat(\FIFO.beat ), .data(out_data), .keep(out_keep), .last(out_last), .user(out_user)
    );
    `DUT dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(valid), .s_axis_tready(ready), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last),
        .m_axis_tready(sink_ready)
    );
`else
    assign ready = 1'b1;
    `DUT dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(valid), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last),
        .m_axis_tvalid(out_valid), .m_axis_tdata(out_data), .m_axis_tkeep(out_keep), .m_axis_tlast(out_last),
        .m_axis_tuser(out_user)
    );
`endif
`ifdef SHALLOW
    // A reset clears everything at once.
    wire was_reset = 1'b0, lingers = 1'b0;
`else
    // In the clock after a reset, without a beat, the payload may show what was dropped; of many lanes, the lanes in six clocks, and if
    // they are far in eight.
    wire was_reset = !lives[0];
`ifdef SPREAD
    wire lingers = !lives[N > 16 ? 7 : 5];
`else
    wire lingers = was_reset;
`endif
`endif
    always @(posedge clk) if (started) `WHOLE(out_valid == expected[WIDTH-1]);
    always @(posedge clk) if (started && !was_reset) begin
        `WHOLE(out_last == expected[USER*N+1]);
        `WHOLE(out_user[USER*N] == expected[USER*N]);
    end
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_out
            always @(posedge clk) if (started && !lingers) begin
                `LANE(i, out_user[USER*i+:USER] == expected[USER*i+:USER]);
                `LANE(i, out_keep[DATA/8*i+:DATA/8] == {DATA/8{expected[USER*N+2+i]}});
                `LANE(i, out_data[DATA*i+:DATA] == expected[(USER+1)*N+2+DATA*i+:DATA]);
            end
        end
    endgenerate

    // Not vacuous: the highest scalar value (in UTF-16 its two units), every kind (RFC 2279 has none that is too large), and a signature's
    // flag come out.
    generate
        for (genvar k = 1; k <= 7; k = k + 1) if (k != 5 || VALUE == 21) begin : g_kind
            always @(posedge clk) cover (started && out_valid && out_user[2:0] == k);
        end
    endgenerate
`ifdef UNITS
    wire [15:0] unit = `SWAPS ? {out_data[7:0], out_data[15:8]} : out_data[15:0];
    always @(posedge clk) cover (started && out_valid && unit == 16'hDBFF);
    always @(posedge clk) cover (started && out_valid && unit == 16'hDFFF);
`else
    always @(posedge clk) cover (started && out_valid && out_data[31:0] == (VALUE == 21 ? 32'h10FFFF : 32'h7FFFFFFF));
`endif
`ifdef SIGNATURE
    always @(posedge clk) cover (started && out_valid && out_user[USER*N]);
`endif
endmodule
