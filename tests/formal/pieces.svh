    // Lemmas of `pieces`. What carries from beat to beat is what the grammar says of the packet's last bytes, and so is
    // what is kept of the beat in the slot. Where the grammar says nothing (no such byte), nothing is claimed.
    //
    // PIECES stands for the block's place in the core. A name that is not there is an undriven wire, about which nothing holds.

`ifdef RFC2279
    `include "six_octets.svh"
`else
    (* hierconn *) wire \PIECES.s4_before_takes_8x_carried ;
    (* hierconn *) wire \PIECES.s4_before_takes_9x_carried ;
    (* hierconn *) wire \PIECES.s4_before_takes_ab_carried ;
    (* hierconn *) wire \PIECES.s5_before_lead_3up_carried ;
    (* hierconn *) wire \PIECES.s5_before_b4_carried ;
    (* hierconn *) wire \PIECES.s6_before_expects_third_carried ;
    (* hierconn *) wire \PIECES.s6_before_second_of_4_carried ;
    (* hierconn *) wire \PIECES.s7_before_expects_fourth_carried ;
    always @(posedge clk) if (started) begin
        if (lives[3]) `WHOLE(\PIECES.s4_before_takes_8x_carried == (past_3[8] && window::accepts(past_3[7:0], 8'h80)));
        if (lives[3]) `WHOLE(\PIECES.s4_before_takes_9x_carried == (past_3[8] && window::accepts(past_3[7:0], 8'h90)));
        if (lives[3]) `WHOLE(\PIECES.s4_before_takes_ab_carried == (past_3[8] && window::accepts(past_3[7:0], 8'hA0)));
        if (past_4[8]) `WHOLE(\PIECES.s5_before_lead_3up_carried == window::longer(3'd2, past_4[7:0]));
        if (past_4[8] && window::longer(3'd2, past_4[7:0]))
            `WHOLE(\PIECES.s5_before_b4_carried == window::longer(3'd3, past_4[7:0]));
        if (lives[5]) `WHOLE(\PIECES.s6_before_expects_third_carried
            == (past_5[17] && rfc3629::begins(3'd2, past_5[16:9], past_5[7:0], 8'h0)));
        if (lives[5]) `WHOLE(\PIECES.s6_before_second_of_4_carried
            == (past_5[17] && rfc3629::begins(3'd3, past_5[16:9], past_5[7:0], 8'h80)));
        if (lives[6]) `WHOLE(\PIECES.s7_before_expects_fourth_carried
            == (past_6[26] && rfc3629::begins(3'd3, past_6[25:18], past_6[16:9], past_6[7:0])));
    end
`endif

    // What is kept of the beat in the slot. Of many lanes, each such register is in a block of its own.
`ifdef MANY
    each(present scalar open alone own_0 own_1 own_2 second consumed cont) (* hierconn *) wire [N-1:0] \PIECES.s10_slot_%.held ; wire [N-1:0] held_% = \PIECES.s10_slot_%.held ;
`else
    each(present scalar open alone own_0 own_1 own_2 second consumed) (* hierconn *) wire [N-1:0] \PIECES.s10_slot_%_held ; wire [N-1:0] held_% = \PIECES.s10_slot_%_held ;
`ifdef WIDE
    (* hierconn *) wire [N-1:0] \PIECES.s10_slot_cont_held ; wire [N-1:0] held_cont = \PIECES.s10_slot_cont_held ;
`endif
`endif

`ifdef RFC2279
`ifdef MANY
    (* hierconn *) wire [N-1:0] \PIECES.six.s10_slot_low.held ;
    wire [N-1:0] held_low = \PIECES.six.s10_slot_low.held ;
`else
    (* hierconn *) wire [N-1:0] \PIECES.six.s10_slot_low_held ;
    wire [N-1:0] held_low = \PIECES.six.s10_slot_low_held ;
`endif
`endif

    (* hierconn *) wire \PIECES.s10_slot_live ;
    localparam TO_9 = registers(0, 9);
    (* hierconn *) wire [TO_9-1:0] \PIECES.s9_rested_clocks ;
    always @(posedge clk) if (started) `WHOLE(\PIECES.s9_rested_clocks == rested[TO_9-1:0]);
`ifdef SPREAD
    // What is beside every lane: the same, but for the clocks in which a reset gets there.
    (* hierconn *) wire [N-1:0] \PIECES.s10_slot_every_live ;
`ifdef MANY
    (* hierconn *) wire [N-1:0] \PIECES.s10_slot_every_waits.held ;
    wire [N-1:0] held_every_waits = \PIECES.s10_slot_every_waits.held ;
`else
    (* hierconn *) wire [N-1:0] \PIECES.s10_slot_every_waits_held ;
    wire [N-1:0] held_every_waits = \PIECES.s10_slot_every_waits_held ;
`endif
    always @(posedge clk) if (started && slot_valid) `WHOLE(held_every_waits == {N{slot_waits}});
`ifdef FAR
    localparam FROM = 5, TO_FROM = registers(0, FROM);
    (* hierconn *) wire [TO_FROM-1:0] \PIECES.s5_rested_clocks ;
    wire [TO_FROM-1:0] rested_clocks = \PIECES.s5_rested_clocks ;
`else
    localparam FROM = 7, TO_FROM = registers(0, FROM);
    (* hierconn *) wire [TO_FROM-1:0] \PIECES.s7_rested_clocks ;
    wire [TO_FROM-1:0] rested_clocks = \PIECES.s7_rested_clocks ;
`endif
    always @(posedge clk) if (started) begin
        `WHOLE(rested_clocks == rested[TO_FROM-1:0]);
        if (rested[registers(FROM + 1, 9)]) `WHOLE(\PIECES.s10_slot_every_live == {N{slot_valid}});
    end
`ifndef SHALLOW
    localparam GROUPS = N > 4 ? N / 4 : 1;
`ifdef FAR
    each(1..4) (* hierconn *) wire [GROUPS-1:0] \PIECES.s9_every_rested.after_% ;
    always @(posedge clk) if (started) begin
        if (lives[0]) `WHOLE(\PIECES.s9_every_rested.after_1 == {GROUPS{lives[6]}});
        if (lives[1]) `WHOLE(\PIECES.s9_every_rested.after_2 == {GROUPS{lives[7]}});
        if (lives[2]) `WHOLE(\PIECES.s9_every_rested.after_3 == {GROUPS{lives[8]}});
        if (lives[3]) `WHOLE(\PIECES.s9_every_rested.after_4 == {GROUPS{lives[9]}});
    end
    // On so long a way, what fills the slot has to be known in between, too.
    (* hierconn *) wire [GROUPS-1:0] \PIECES.s9_fill.after_1 ;
    (* hierconn *) wire [GROUPS-1:0] \PIECES.s9_fill.after_4 ;
    (* hierconn *) wire \PIECES.s6_valid ;
    (* hierconn *) wire \PIECES.s9_valid ;
    (* hierconn *) wire \PIECES.s4_last_only ;
    always @(posedge clk) if (started) begin
        if (lives[4]) `WHOLE(\PIECES.s4_last_only == 1'b0);
        if (lives[5]) `WHOLE(\PIECES.s9_fill.after_1 == {GROUPS{\PIECES.s6_valid }});
        if (lives[8]) `WHOLE(\PIECES.s9_fill.after_4 == {GROUPS{\PIECES.s9_valid }});
    end
`else
    (* hierconn *) wire \PIECES.s9_every_rested_ahead ;
    (* hierconn *) wire [GROUPS-1:0] \PIECES.s9_every_rested_of_group ;
    always @(posedge clk) if (started) begin
        if (lives[0]) `WHOLE(\PIECES.s9_every_rested_ahead == lives[8]);
        if (lives[1]) `WHOLE(\PIECES.s9_every_rested_of_group == {GROUPS{lives[9]}});
    end
`endif
`endif
`endif
    (* hierconn *) wire \PIECES.s10_slot_last ;
    (* hierconn *) wire \PIECES.s10_slot_waits ;
    always @(posedge clk) if (started) begin
        `WHOLE(\PIECES.s10_slot_live == slot_valid);
        if (slot_valid) begin
            `WHOLE(\PIECES.s10_slot_last == slot_last);
            `WHOLE(\PIECES.s10_slot_waits == slot_waits);
        end
    end
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_lemma
            wire [PAST-1:0] before = g_slot[i].before;
            wire there = slot_keep[i];
            wire [7:0] x = g_slot[i].x0[7:0];
            wire [2:0] open_before, open_now, kind, kind_80, kind_bf;
            wire consumed, takes_80, takes_bf;
            of_lane of_lane (
                .before(before), .lane(g_slot[i].x0), .open_before(open_before), .open_now(open_now), .consumed(consumed)
            );
            of_byte of_byte (
                .x(x), .takes_80(takes_80), .takes_bf(takes_bf), .kind(kind), .kind_80(kind_80), .kind_bf(kind_bf)
            );
            wire alone = there && !consumed && open_now == 3'd0 && x > 8'h7F;
            wire complete = there && open_now == 3'd0 && !alone;
            wire [2:0] own = {held_own_2[i], held_own_1[i], held_own_0[i]};
            always @(posedge clk) if (started && slot_valid) begin
                `LANE(i, held_present[i] == slot_keep[i]);
                `LANE(i, held_open[i] == (open_now != 3'd0));
`ifdef OPENS
                if (there) `LANE(i, held_alone[i] == (alone && !slot_head[i]));
`else
                if (there) `LANE(i, held_alone[i] == alone);
`endif
                if (there) `LANE(i, held_scalar[i] == ((complete || `UTF16 && open_now == 3'd3) && !(`STRIP && slot_signature[i])));
                `LANE(i, held_consumed[i] == consumed);
                // The number of a byte in an unfinished sequence, as the slot has it: whether it is even, and in RFC 2279 whether it is two or three.
                if (open_now != 3'd0) `LANE(i, held_second[i] == (open_now == 3'd2 || open_now == 3'd4));
                if (alone) `LANE(i, held_second[i] == 1'b0);
`ifdef RFC2279
                if (open_now != 3'd0) `LANE(i, held_low[i] == (open_now == 3'd2 || open_now == 3'd3));
                if (alone) `LANE(i, held_low[i] == 1'b0);
`endif
                // The kind that a byte causes by itself, or by a continuation byte that it does not take.
                if (alone) `LANE(i, own == kind);
                if (open_now == 3'd1 && !takes_80) `LANE(i, own == kind_80);
                if (open_now == 3'd1 && !takes_bf) `LANE(i, own == kind_bf);
            end
        end
    endgenerate

`ifdef WIDE
    // More than one lane: a lane looks up to the next.
    generate
        for (genvar i = 1; i < N; i = i + 1) begin : g_ahead
            always @(posedge clk) if (started && slot_valid)
                `LANE(i, held_cont[i] == (slot_keep[i] && `GRAMMAR::tail(g_lemma[i].x)));
        end
    endgenerate
`endif

`ifdef SIGNATURE
    // EF BB BF is a signature if no byte is before it.
    (* hierconn *) wire \PIECES.s4_before_is_bb_carried ;
    (* hierconn *) wire \PIECES.s4_before_is_ef_carried ;
    (* hierconn *) wire \PIECES.s4_before_present_carried ;
    (* hierconn *) wire \PIECES.s5_before_after_ef_carried ;
    (* hierconn *) wire \PIECES.s5_before_after_1_carried ;
    (* hierconn *) wire \PIECES.s6_before_after_2_carried ;
    (* hierconn *) wire \PIECES.s10_slot_signature ;
    always @(posedge clk) if (started) begin
        if (lives[3]) `WHOLE(\PIECES.s4_before_is_bb_carried == (past_3[8:0] == 9'h1BB));
        if (lives[3]) `WHOLE(\PIECES.s4_before_is_ef_carried == (past_3[8:0] == 9'h1EF));
        if (lives[3]) `WHOLE(\PIECES.s4_before_present_carried == past_3[8]);
        if (past_4[8]) `WHOLE(\PIECES.s5_before_after_ef_carried == (past_4[17:9] == 9'h1EF));
        if (past_4[8]) `WHOLE(\PIECES.s5_before_after_1_carried == past_4[17]);
        if (past_5[17]) `WHOLE(\PIECES.s6_before_after_2_carried == past_5[26]);
        if (slot_valid) `WHOLE(\PIECES.s10_slot_signature == |slot_signature);
    end
`endif

`ifdef OPENS
    // What comes before a packet's first bytes, and the slot's own.
    (* hierconn *) wire \PIECES.edges.s5_before_present_carried ;
    (* hierconn *) wire \PIECES.edges.s6_before_first_carried ;
    (* hierconn *) wire \PIECES.edges.s7_before_second_carried ;
    (* hierconn *) wire [2:0] \PIECES.edges.s10_heads ;
    reg [2:0] slot_heads;
    always @(*) begin
        slot_heads = 3'd0;
        for (int i = 0; i < N; i = i + 1) slot_heads = slot_heads | slot_heads_of[3*i+:3];
    end
    always @(posedge clk) if (started) begin
        if (lives[4]) `WHOLE(\PIECES.edges.s5_before_present_carried == past_4[8]);
        if (lives[5]) `WHOLE(\PIECES.edges.s6_before_first_carried == (past_5[8] && !past_5[17] && `GRAMMAR::tail(past_5[7:0])));
        if (lives[6]) `WHOLE(\PIECES.edges.s7_before_second_carried
            == (past_6[8] && past_6[17] && !past_6[26] && `GRAMMAR::tail(past_6[7:0]) && `GRAMMAR::tail(past_6[16:9])));
        if (slot_valid) `WHOLE(\PIECES.edges.s10_heads == slot_heads);
    end
`endif
