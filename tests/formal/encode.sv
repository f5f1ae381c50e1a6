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
    // Bits of a value, the slots for a word's bytes, the most bytes, and the bits of a word's marks.
    localparam VALUE = `VALUE, SLOTS = `SLOTS_OF_WORD, MOST = `BACK + 1, MARKS = SLOTS == 4 ? 5 : 11;

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

    // RFC 3629, section 3, or RFC 2279, section 2: the numbers that have bytes. That no other has, and that none has two, is proven below.
    function automatic is_scalar(input [31:0] word);
        is_scalar = word <= (VALUE == 21 ? 32'h10FFFF : 32'h7FFFFFFF) && !(word >= 32'hD800 && word <= 32'hDFFF);
    endfunction

    // What becomes of a word: whether it is ill-formed, whether it has bytes, and of which scalar value.
    localparam FATE = VALUE + 2, ILL = VALUE + 1, HAS = VALUE;
    function automatic [FATE-1:0] encodes(input [VALUE-1:0] value);
        encodes = {1'b0, 1'b1, value};
    endfunction
    localparam [VALUE-1:0] REPLACEMENT = 16'hFFFD;
    localparam [FATE-1:0] NOTHING = 0;
    localparam [FATE-1:0] REPLACED = {1'b1, !`OMITS, REPLACEMENT};

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
            assign fates[FATE*i+:FATE] = !has_word[i] ? NOTHING : is_scalar(word) ? encodes(word[VALUE-1:0]) : REPLACED;
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
                    `CLAIM(fate[ILL] ? fate == REPLACED : fate[HAS] ? is_scalar({{32-VALUE{1'b0}}, fate[VALUE-1:0]}) : fate == NOTHING);
            end
        end
    endgenerate

    // The slots of each lane: the bytes that go into the network, and a clock before, which of them there are.
    (* hierconn *) wire \PIPELINE.network.arrival ;
    (* hierconn *) wire [SLOTS*N-1:0] \PIPELINE.network.present ;
    (* hierconn *) wire [8*SLOTS*N-1:0] \PIPELINE.network.planes ;
    // The slots of a word that has the most bytes.
    localparam [SLOTS-1:0] FULL = {SLOTS{1'b1}} << SLOTS - MOST;
    reg arrived = 1'b0;
    reg [SLOTS*N-1:0] present = 0;
    always @(posedge clk) begin
        arrived <= \PIPELINE.network.arrival && !rst;
        present <= \PIPELINE.network.present ;
        if (started) `CLAIM(\PIPELINE.network.arrival == were_recorded[TO_NETWORK-1]);
    end
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_slots
            wire [7:0] slots [0:SLOTS-1];
            for (genvar j = 0; j < SLOTS; j = j + 1) begin : g_slot
                for (genvar b = 0; b < 8; b = b + 1) begin : g_bit
                    assign slots[j][b] = \PIPELINE.network.planes [SLOTS*N*b+SLOTS*i+j];
                end
            end
            // There are as many bytes as the last slots that are present, without a gap; the first one is in the lowest of these.
            wire [SLOTS-1:0] there = present[SLOTS*i+:SLOTS];
            reg [2:0] length;
            reg [8*MOST-1:0] word_bytes;
            always @(*) begin
                length = 3'd0;
                for (int j = SLOTS - MOST; j < SLOTS; j = j + 1) length = length + there[j];
                word_bytes = 0;
                for (int k = 0; k < MOST; k = k + 1)
                    if (k < length) word_bytes[8*k+:8] = slots[SLOTS-length+k];
            end
            wire [FATE-1:0] fate = were_fates[TO_NETWORK+1][FATE*i+:FATE];
            wire is_char;
            wire [VALUE-1:0] decoded;
            utf8_of utf8_of (.n(length), .s(word_bytes), .is_char(is_char), .value(decoded));
            always @(posedge clk) if (started && arrived) begin
                `CLAIM((there[SLOTS-2:0] & ~there[SLOTS-1:1]) == 0 && (there & ~FULL) == 0);
                `CLAIM((length != 3'd0) == fate[HAS]);
                if (length != 3'd0) begin
                    `CLAIM(is_char);
                    `CLAIM(decoded == fate[VALUE-1:0]);
                end
            end
            // Not vacuous: the least and the greatest of each length, in each lane.
            always @(posedge clk) if (started && arrived) begin
                cover (length == 3'd1 && decoded == 'h00);
                cover (length == 3'd1 && decoded == 'h7F);
                cover (length == 3'd2 && decoded == 'h80);
                cover (length == 3'd2 && decoded == 'h7FF);
                cover (length == 3'd3 && decoded == 'h800);
                cover (length == 3'd3 && decoded == 'hFFFF);
                cover (length == 3'd4 && decoded == 'h10000);
`ifdef RFC2279
                cover (length == 3'd4 && decoded == 'h1FFFFF);
                cover (length == 3'd5 && decoded == 'h200000);
                cover (length == 3'd5 && decoded == 'h3FFFFFF);
                cover (length == 3'd6 && decoded == 'h4000000);
                cover (length == 3'd6 && decoded == 'h7FFFFFFF);
`else
                cover (length == 3'd4 && decoded == 'h10FFFF);
`endif
                cover (fate[ILL] && (`OMITS ? length == 3'd0 : length == 3'd3));
            end
        end
    endgenerate
`ifndef UNITS
    // A beat of words that all have the most bytes.
    always @(posedge clk) if (started && arrived) cover (present == {N{FULL}});
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
    (* hierconn *) wire [VALUE*N-1:0] \PIPELINE.scalars.x ;
    (* hierconn *) wire [MARKS*N-1:0] \PIPELINE.late_marks.x ;
    (* hierconn *) wire [VALUE*N-1:0] \PIPELINE.scalars.read ;
    (* hierconn *) wire [MARKS*N-1:0] \PIPELINE.late_marks.read ;
`ifdef REST
    reg [VALUE*N-1:0] were_scalars [1:SCALARS_CLOCKS];
    reg [MARKS*N-1:0] were_marks [1:MARKS_CLOCKS];
    always @(posedge clk) begin
        were_scalars[1] <= \PIPELINE.scalars.x ;
        were_marks[1] <= \PIPELINE.late_marks.x ;
        for (int age = 1; age < SCALARS_CLOCKS; age = age + 1) were_scalars[age+1] <= were_scalars[age];
        for (int age = 1; age < MARKS_CLOCKS; age = age + 1) were_marks[age+1] <= were_marks[age];
        assume (!rested[SCALARS_CLOCKS-1] || \PIPELINE.scalars.read == were_scalars[SCALARS_CLOCKS]);
        assume (!rested[MARKS_CLOCKS-1] || \PIPELINE.late_marks.read == were_marks[MARKS_CLOCKS]);
        if (started) `CLAIM((were_recorded & ~rested) == 0 && (rested >> 1 & ~rested) == 0);
    end

    // What is on its way through the delays, as the records have it: whether a word is ill-formed, and has one byte or more, two, and so on.
    function automatic [6:0] marks_of(input [FATE-1:0] fate);
        marks_of[0] = fate[ILL];
        marks_of[1] = fate[HAS];
        marks_of[2] = fate[HAS] && fate[VALUE-1:0] >= 'h80;
        marks_of[3] = fate[HAS] && fate[VALUE-1:0] >= 'h800;
        marks_of[4] = fate[HAS] && fate[VALUE-1:0] >= 'h10000;
        marks_of[5] = fate[HAS] && fate[VALUE-1:0] >= 'h200000;
        marks_of[6] = fate[HAS] && fate[VALUE-1:0] >= 'h4000000;
    endfunction
    generate
        for (genvar age = 1; age <= SCALARS_CLOCKS; age = age + 1) begin : g_scalars
            for (genvar i = 0; i < N; i = i + 1) begin : g_lane
                wire [FATE-1:0] fate = were_fates[TO_SCALARS+age][FATE*i+:FATE];
                wire [VALUE-1:0] value;
                for (genvar b = 0; b < VALUE; b = b + 1) begin : g_bit
                    assign value[b] = were_scalars[age][N*b+i];
                end
                always @(posedge clk)
                    if (started && were_recorded[TO_SCALARS+age-1] && fate[ILL:HAS] == 2'b01) `CLAIM(value == fate[VALUE-1:0]);
            end
        end
        for (genvar age = 1; age <= MARKS_CLOCKS; age = age + 1) begin : g_marks
            for (genvar i = 0; i < N; i = i + 1) begin : g_lane
                wire [FATE-1:0] fate = were_fates[TO_MARKS+age][FATE*i+:FATE];
                // With more than four bytes, the last two are above what is only of the verdict.
                wire [MOST:0] mark;
                for (genvar k = 0; k <= MOST; k = k + 1) begin : g_mark
                    assign mark[k] = were_marks[age][N*(k<5?k:k+4)+i];
                end
                always @(posedge clk)
                    if (started && were_recorded[TO_MARKS+age-1]) `CLAIM(mark == (marks_of(fate) & {MOST+1{1'b1}}));
            end
        end
    endgenerate
`endif
`ifdef LEMMAS
    // The word at an address is as old as the address is below that of the next one.
    each(scalars late_marks) (* hierconn *) wire [3:0] \PIPELINE.%.at ;
    each(scalars late_marks) (* hierconn *) wire [3:0] \PIPELINE.%.from ;
    (* anyconst *) reg [$clog2(VALUE*N)-1:0] in_scalar;
    (* anyconst *) reg [$clog2(MARKS*N)-1:0] in_mark;
    wire [15:0] scalars, marks;
    each(0..15) (* hierconn *) wire [VALUE*N-1:0] \PIPELINE.scalars.words[%] ; assign scalars[%] = \PIPELINE.scalars.words[%] [in_scalar];
    each(0..15) (* hierconn *) wire [MARKS*N-1:0] \PIPELINE.late_marks.words[%] ; assign marks[%] = \PIPELINE.late_marks.words[%] [in_mark];
    delay #(.CLOCKS(SCALARS_CLOCKS)) delay_scalars (
        .clk(clk), .rst(rst), .x(\PIPELINE.scalars.x [in_scalar]), .at(\PIPELINE.scalars.at ), .from(\PIPELINE.scalars.from ),
        .words(scalars), .y(\PIPELINE.scalars.read [in_scalar])
    );
    delay #(.CLOCKS(MARKS_CLOCKS)) delay_marks (
        .clk(clk), .rst(rst), .x(\PIPELINE.late_marks.x [in_mark]), .at(\PIPELINE.late_marks.at ), .from(\PIPELINE.late_marks.from ),
        .words(marks), .y(\PIPELINE.late_marks.read [in_mark])
    );

    // The specification: the value of a well-formed sequence is such a number, and no other sequence has it.
    (* anyseq *) reg [2:0] n;
    (* anyseq *) reg [2:0] m;
    (* anyseq *) reg [8*MOST-1:0] x;
    (* anyseq *) reg [8*MOST-1:0] y;
    wire x_is_char, y_is_char;
    wire [VALUE-1:0] of_x, of_y;
    utf8_of utf8_of_x (.n(n), .s(x), .is_char(x_is_char), .value(of_x));
    utf8_of utf8_of_y (.n(m), .s(y), .is_char(y_is_char), .value(of_y));
    always @(*) begin
        if (x_is_char) assert (is_scalar({{32-VALUE{1'b0}}, of_x}));
        if (x_is_char && y_is_char && of_x == of_y) begin
            assert (n == m);
            for (int k = 0; k < MOST; k = k + 1) if (n > k) assert (x[8*k+:8] == y[8*k+:8]);
        end
    end
`endif
endmodule

// What the grammar says of n bytes, the first one lowest.
module utf8_of (
    input wire [2:0] n,
    input wire [8*(`BACK+1)-1:0] s,
    output wire is_char,
    output wire [`VALUE-1:0] value
);
`ifdef RFC2279
    assign is_char = rfc2279::utf8_char(n, s);
    assign value = rfc2279::scalar(n, s);
`else
    assign is_char = rfc3629::utf8_char(n, s[7:0], s[15:8], s[23:16], s[31:24]);
    assign value = rfc3629::scalar(n, s[7:0], s[15:8], s[23:16], s[31:24]);
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
