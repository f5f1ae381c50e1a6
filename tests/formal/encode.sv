// Theorem: of every accepted word `encode` takes to its network exactly the bytes that RFC 3629 requires: the one UTF8-char whose
// scalar value is the word (of UTF-16, by RFC 2781, the unit or the pair), those of U+FFFD or none for an ill-formed word, and no
// other byte; for all words, idles, stalls and resets, for ever.

// It is proven in two parts: lemmas that hold by themselves (LEMMAS), and what leans on them (REST).
`ifdef LEMMAS
`define CLAIM(claim) begin end
`else
`define CLAIM(claim) assert (claim)
`endif

module check (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [`WORD*`N-1:0] data,
    input wire [`WORD/8*`N-1:0] keep,
    input wire sink_ready,
    input wire verdict_ready
);
    localparam N = `N;
    localparam WORD = `WORD;
    // Clocks from the record of a beat (below) to what is written into the two delays, and to the network.
    localparam TO_SCALARS = `TO_SCALARS;
    localparam TO_MARKS = `TO_MARKS;
    localparam TO_NETWORK = `TO_NETWORK;

    wire ready;
    `include "contract.svh"
    `DUT dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(valid), .s_axis_tready(ready), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last),
        .m_axis_tready(sink_ready), .m_axis_verdict_tready(verdict_ready)
    );

    // The beat's words. A lane has one if all of its bits of tkeep are set. Of UTF-16 the high octet may come first.
    wire accepted = valid && ready;
    wire [N-1:0] has_word;
    wire [WORD*N-1:0] words;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_word
            assign has_word[i] = &keep[WORD/8*i+:WORD/8];
            wire [WORD-1:0] word = data[WORD*i+:WORD];
            assign words[WORD*i+:WORD] = `SWAPS ? {word[7:0], word[15:8]} : word;
        end
    endgenerate

    // RFC 3629, section 3: the numbers that have a UTF8-char. That no other has one, and that none has two, is proven below.
    function automatic is_scalar(input [31:0] word);
        is_scalar = word <= 32'h10FFFF && !(word >= 32'hD800 && word <= 32'hDFFF);
    endfunction

    // What becomes of a word: whether it is ill-formed, whether it has bytes, and of which scalar value.
    localparam FATE = 23;
    function automatic [FATE-1:0] encodes(input [20:0] value);
        encodes = {1'b0, 1'b1, value};
    endfunction
    localparam [FATE-1:0] NOTHING = 23'h0;
    localparam [FATE-1:0] REPLACED = {1'b1, !`OMITS, 21'hFFFD};

    // The record of a beat: whether it is one, and of each lane what becomes of its word. Of UTF-32 it is that of the beat at the pins; of
    // UTF-16 that of the beat which leaves the slot.
    wire recorded;
    wire [FATE*N-1:0] fates;
`ifdef UNITS
    `include "pairs.svh"
`else
    assign recorded = accepted;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_fate
            wire [31:0] word = words[32*i+:32];
            assign fates[FATE*i+:FATE] = !has_word[i] ? NOTHING : is_scalar(word) ? encodes(word[20:0]) : REPLACED;
        end
    endgenerate
`endif

    // The records of the beats before, the newest first; a reset drops all.
    reg [TO_NETWORK:0] were_recorded = 0;
    reg [FATE*N-1:0] were_fates [1:TO_NETWORK+1];
    always @(posedge clk) begin
        were_recorded <= rst ? 0 : {were_recorded[TO_NETWORK-1:0], recorded};
        were_fates[1] <= fates;
        for (int age = 1; age <= TO_NETWORK; age = age + 1) were_fates[age+1] <= were_fates[age];
    end

    generate
        for (genvar age = 1; age <= TO_NETWORK + 1; age = age + 1) begin : g_record
            for (genvar i = 0; i < N; i = i + 1) begin : g_lane
                wire [FATE-1:0] fate = were_fates[age][FATE*i+:FATE];
                always @(posedge clk) if (started && were_recorded[age-1])
                    `CLAIM(fate[22] ? fate == REPLACED : fate[21] ? is_scalar({11'h0, fate[20:0]}) : fate == NOTHING);
            end
        end
    endgenerate

    // The slots of each lane: the bytes that go into the network, and a clock before, which of them there are.
    (* hierconn *) wire \PIPELINE.network.arrival ;
    (* hierconn *) wire [4*N-1:0] \PIPELINE.network.present ;
    (* hierconn *) wire [32*N-1:0] \PIPELINE.network.planes ;
    reg arrived = 1'b0;
    reg [4*N-1:0] present = 0;
    always @(posedge clk) begin
        arrived <= \PIPELINE.network.arrival && !rst;
        present <= \PIPELINE.network.present ;
        if (started) `CLAIM(\PIPELINE.network.arrival == were_recorded[TO_NETWORK-1]);
    end
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_slots
            wire [7:0] slots [0:3];
            for (genvar j = 0; j < 4; j = j + 1) begin : g_slot
                for (genvar b = 0; b < 8; b = b + 1) begin : g_bit
                    assign slots[j][b] = \PIPELINE.network.planes [4*N*b+4*i+j];
                end
            end
            // There are as many bytes as the last slots that are present, without a gap.
            wire [3:0] there = present[4*i+:4];
            wire [2:0] length = there[0] ? 3'd4 : there[1] ? 3'd3 : there[2] ? 3'd2 : there[3] ? 3'd1 : 3'd0;
            wire [7:0] a = there[0] ? slots[0] : there[1] ? slots[1] : there[2] ? slots[2] : slots[3];
            wire [7:0] b = there[0] ? slots[1] : there[1] ? slots[2] : slots[3];
            wire [7:0] c = there[0] ? slots[2] : slots[3];
            wire [7:0] d = slots[3];
            wire [FATE-1:0] fate = were_fates[TO_NETWORK+1][FATE*i+:FATE];
            wire [20:0] decoded = rfc3629::scalar(length, a, b, c, d);
            always @(posedge clk) if (started && arrived) begin
                `CLAIM((there[2:0] & ~there[3:1]) == 3'h0);
                `CLAIM((length != 3'd0) == fate[21]);
                if (length != 3'd0) begin
                    `CLAIM(rfc3629::utf8_char(length, a, b, c, d));
                    `CLAIM(decoded == fate[20:0]);
                end
            end
            // Not vacuous: the least and the greatest of each length, in each lane.
            always @(posedge clk) if (started && arrived) begin
                cover (there == 4'b1000 && decoded == 21'h00);
                cover (there == 4'b1000 && decoded == 21'h7F);
                cover (there == 4'b1100 && decoded == 21'h80);
                cover (there == 4'b1100 && decoded == 21'h7FF);
                cover (there == 4'b1110 && decoded == 21'h800);
                cover (there == 4'b1110 && decoded == 21'hFFFF);
                cover (there == 4'b1111 && decoded == 21'h10000);
                cover (there == 4'b1111 && decoded == 21'h10FFFF);
                cover (fate[22] && (`OMITS ? there == 4'b0000 : there == 4'b1110));
            end
        end
    endgenerate
`ifndef UNITS
    always @(posedge clk) if (started && arrived) cover (&present);
`endif

    // Lemma: the mark of a beat on its way to the network.
    localparam TO_TOTAL = TO_NETWORK - 6;
    (* hierconn *) wire [TO_TOTAL-TO_SCALARS-1:0] \PIPELINE.valid_at_total_clocks ;
    (* hierconn *) wire \PIPELINE.begins.s1_valid ;
    (* hierconn *) wire [1:0] \PIPELINE.begins.delay_valid_3_clocks ;
    (* hierconn *) wire [2:0] \PIPELINE.begins.delay_valid_6_clocks ;
    wire [TO_NETWORK-1:TO_SCALARS] valids = {\PIPELINE.begins.delay_valid_6_clocks , \PIPELINE.begins.delay_valid_3_clocks ,
        \PIPELINE.begins.s1_valid , \PIPELINE.valid_at_total_clocks };
    always @(posedge clk) if (started) `CLAIM(were_recorded[TO_NETWORK-1:TO_SCALARS] == valids);

    // Lemma: a delay shows what came into it some clocks before, unless a reset has come since. It is proven by itself (LEMMAS), for any one
    // bit, and what else is proven leans on it.
    reg [TO_NETWORK:0] rested = 0;
    always @(posedge clk) rested <= rst ? 0 : {rested[TO_NETWORK-1:0], 1'b1};
    localparam SCALARS_CLOCKS = TO_NETWORK - TO_SCALARS;
    localparam MARKS_CLOCKS = TO_NETWORK - TO_MARKS;
    (* hierconn *) wire [21*N-1:0] \PIPELINE.scalars.x ;
    (* hierconn *) wire [5*N-1:0] \PIPELINE.late_marks.x ;
    (* hierconn *) wire [21*N-1:0] \PIPELINE.scalars.read ;
    (* hierconn *) wire [5*N-1:0] \PIPELINE.late_marks.read ;
`ifdef REST
    reg [21*N-1:0] were_scalars [1:SCALARS_CLOCKS];
    reg [5*N-1:0] were_marks [1:MARKS_CLOCKS];
    always @(posedge clk) begin
        were_scalars[1] <= \PIPELINE.scalars.x ;
        were_marks[1] <= \PIPELINE.late_marks.x ;
        for (int age = 1; age < SCALARS_CLOCKS; age = age + 1) were_scalars[age+1] <= were_scalars[age];
        for (int age = 1; age < MARKS_CLOCKS; age = age + 1) were_marks[age+1] <= were_marks[age];
        assume (!rested[SCALARS_CLOCKS-1] || \PIPELINE.scalars.read == were_scalars[SCALARS_CLOCKS]);
        assume (!rested[MARKS_CLOCKS-1] || \PIPELINE.late_marks.read == were_marks[MARKS_CLOCKS]);
        if (started) `CLAIM((were_recorded & ~rested) == 0 && (rested >> 1 & ~rested) == 0);
    end

    // What is on its way through the delays, as the records have it.
    function automatic [4:0] marks_of(input [FATE-1:0] fate);
        marks_of[0] = fate[22];
        marks_of[1] = fate[21];
        marks_of[2] = fate[21] && fate[20:0] >= 21'h80;
        marks_of[3] = fate[21] && fate[20:0] >= 21'h800;
        marks_of[4] = fate[21] && fate[20:0] >= 21'h10000;
    endfunction
    generate
        for (genvar age = 1; age <= SCALARS_CLOCKS; age = age + 1) begin : g_scalars
            for (genvar i = 0; i < N; i = i + 1) begin : g_lane
                wire [FATE-1:0] fate = were_fates[TO_SCALARS+age][FATE*i+:FATE];
                wire [20:0] value;
                for (genvar b = 0; b < 21; b = b + 1) begin : g_bit
                    assign value[b] = were_scalars[age][N*b+i];
                end
                always @(posedge clk)
                    if (started && were_recorded[TO_SCALARS+age-1] && fate[22:21] == 2'b01) `CLAIM(value == fate[20:0]);
            end
        end
        for (genvar age = 1; age <= MARKS_CLOCKS; age = age + 1) begin : g_marks
            for (genvar i = 0; i < N; i = i + 1) begin : g_lane
                wire [FATE-1:0] fate = were_fates[TO_MARKS+age][FATE*i+:FATE];
                wire [4:0] mark;
                for (genvar k = 0; k < 5; k = k + 1) begin : g_mark
                    assign mark[k] = were_marks[age][N*k+i];
                end
                always @(posedge clk)
                    if (started && were_recorded[TO_MARKS+age-1]) `CLAIM(mark == marks_of(fate));
            end
        end
    endgenerate
`endif
`ifdef LEMMAS
    // The word at an address is as old as the address is below that of the next one.
    each(scalars late_marks) (* hierconn *) wire [3:0] \PIPELINE.%.at ;
    each(scalars late_marks) (* hierconn *) wire [3:0] \PIPELINE.%.from ;
    (* anyconst *) reg [$clog2(21*N)-1:0] in_scalar;
    (* anyconst *) reg [$clog2(5*N)-1:0] in_mark;
    wire [15:0] scalars, marks;
    each(0..15) (* hierconn *) wire [21*N-1:0] \PIPELINE.scalars.words[%] ; assign scalars[%] = \PIPELINE.scalars.words[%] [in_scalar];
    each(0..15) (* hierconn *) wire [5*N-1:0] \PIPELINE.late_marks.words[%] ; assign marks[%] = \PIPELINE.late_marks.words[%] [in_mark];
    delay #(.CLOCKS(SCALARS_CLOCKS)) delay_scalars (
        .clk(clk), .rst(rst), .x(\PIPELINE.scalars.x [in_scalar]), .at(\PIPELINE.scalars.at ), .from(\PIPELINE.scalars.from ),
        .words(scalars), .y(\PIPELINE.scalars.read [in_scalar])
    );
    delay #(.CLOCKS(MARKS_CLOCKS)) delay_marks (
        .clk(clk), .rst(rst), .x(\PIPELINE.late_marks.x [in_mark]), .at(\PIPELINE.late_marks.at ), .from(\PIPELINE.late_marks.from ),
        .words(marks), .y(\PIPELINE.late_marks.read [in_mark])
    );

    // The specification: the scalar value of a UTF8-char is such a number, and no other UTF8-char has it.
    (* anyseq *) reg [2:0] n;
    (* anyseq *) reg [2:0] m;
    (* anyseq *) reg [31:0] x;
    (* anyseq *) reg [31:0] y;
    wire x_is_char = rfc3629::utf8_char(n, x[7:0], x[15:8], x[23:16], x[31:24]);
    wire y_is_char = rfc3629::utf8_char(m, y[7:0], y[15:8], y[23:16], y[31:24]);
    wire [20:0] of_x = rfc3629::scalar(n, x[7:0], x[15:8], x[23:16], x[31:24]);
    wire [20:0] of_y = rfc3629::scalar(m, y[7:0], y[15:8], y[23:16], y[31:24]);
    always @(*) begin
        if (x_is_char) assert (is_scalar({11'h0, of_x}));
        if (x_is_char && y_is_char && of_x == of_y) begin
            assert (n == m && x[7:0] == y[7:0]);
            if (n >= 3'd2) assert (x[15:8] == y[15:8]);
            if (n >= 3'd3) assert (x[23:16] == y[23:16]);
            if (n >= 3'd4) assert (x[31:24] == y[31:24]);
        end
    end
`endif
endmodule

// One bit of a delay through a memory.
module delay #(
    parameter CLOCKS = 2
) (
    input wire clk,
    input wire rst,
    input wire x,
    input wire [3:0] at,
    input wire [3:0] from,
    input wire [15:0] words,
    input wire y
);
    reg [CLOCKS:1] were, rested = 0;
    wire [3:0] next_from = at + 4'd1 - CLOCKS;
    always @(posedge clk) begin
        were <= {were[CLOCKS-1:1], x};
        rested <= rst ? 0 : {rested[CLOCKS-1:1], 1'b1};
        assert ((rested >> 1 & ~rested) == 0);
        if (rested[1]) assert (from == next_from);
        if (rested[CLOCKS]) assert (y == were[CLOCKS]);
    end
    generate
        for (genvar age = 1; age < CLOCKS; age = age + 1) begin : g_age
            wire [3:0] address = at - age;
            always @(posedge clk) if (rested[age]) assert (words[address] == were[age]);
        end
    endgenerate
endmodule
