    // Lemmas of `pieces`. What carries from beat to beat is what the grammar says of the packet's last three bytes, and so is
    // what is kept of the beat in the slot. Where the grammar says nothing (no such byte), nothing is claimed.
    //
    // PIECES stands for the block's place in the core. A name that is not there is an undriven wire, about which nothing holds.

    (* hierconn *) wire \PIECES.sequences.lag_takes_8x.carried ;
    (* hierconn *) wire \PIECES.sequences.lag_takes_9x.carried ;
    (* hierconn *) wire \PIECES.sequences.lag_takes_ab.carried ;
    (* hierconn *) wire \PIECES.sequences.lag_lead_3up.carried ;
    (* hierconn *) wire \PIECES.sequences.lag_upper_half.carried ;
    (* hierconn *) wire \PIECES.sequences.lag_expects_third.carried ;
    (* hierconn *) wire \PIECES.sequences.lag_third_of_4.carried ;
    (* hierconn *) wire \PIECES.sequences.lag_expects_fourth.carried ;
    always @(posedge clk) if (started) begin
        if (lives[3]) `WHOLE(\PIECES.sequences.lag_takes_8x.carried == (past_3[8] && window::accepts(past_3[7:0], 8'h80)));
        if (lives[3]) `WHOLE(\PIECES.sequences.lag_takes_9x.carried == (past_3[8] && window::accepts(past_3[7:0], 8'h90)));
        if (lives[3]) `WHOLE(\PIECES.sequences.lag_takes_ab.carried == (past_3[8] && window::accepts(past_3[7:0], 8'hA0)));
        if (past_4[8]) `WHOLE(\PIECES.sequences.lag_lead_3up.carried == window::longer(3'd2, past_4[7:0]));
        if (past_4[8] && window::longer(3'd2, past_4[7:0]))
            `WHOLE(\PIECES.sequences.lag_upper_half.carried == window::longer(3'd3, past_4[7:0]));
        if (lives[5]) `WHOLE(\PIECES.sequences.lag_expects_third.carried
            == (past_5[17] && rfc3629::begins(3'd2, past_5[16:9], past_5[7:0], 8'h0)));
        if (lives[5]) `WHOLE(\PIECES.sequences.lag_third_of_4.carried
            == (past_5[17] && rfc3629::begins(3'd3, past_5[16:9], past_5[7:0], 8'h80)));
        if (lives[6]) `WHOLE(\PIECES.sequences.lag_expects_fourth.carried
            == (past_6[26] && rfc3629::begins(3'd3, past_6[25:18], past_6[16:9], past_6[7:0])));
    end

    (* hierconn *) wire \PIECES.lookahead.slot_live ;
    each(0..9) (* hierconn *) wire \PIECES.lookahead.rested.stage_% ; always @(posedge clk) if (started) `WHOLE(\PIECES.lookahead.rested.stage_% == lives[%]);
`ifdef SPREAD
    // What is beside every lane: the same, but for the clocks in which a reset gets there.
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_every_live ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_every_waits.held ;
    always @(posedge clk) if (started && slot_valid) `WHOLE(\PIECES.lookahead.slot_every_waits.held == {N{slot_waits}});
`ifdef FAR
    localparam GROUPS = N / 4;
    each(0..5) (* hierconn *) wire \PIECES.lookahead.rested_6.stage_% ;
    each(1..4) (* hierconn *) wire [GROUPS-1:0] \PIECES.lookahead.every_rested.far.after_% ;
    always @(posedge clk) if (started) begin
        each(0..5) `WHOLE(\PIECES.lookahead.rested_6.stage_% == lives[%]);
        if (lives[0]) `WHOLE(\PIECES.lookahead.every_rested.far.after_1 == {GROUPS{lives[6]}});
        if (lives[1]) `WHOLE(\PIECES.lookahead.every_rested.far.after_2 == {GROUPS{lives[7]}});
        if (lives[2]) `WHOLE(\PIECES.lookahead.every_rested.far.after_3 == {GROUPS{lives[8]}});
        if (lives[3]) `WHOLE(\PIECES.lookahead.every_rested.far.after_4 == {GROUPS{lives[9]}});
        if (lives[4]) `WHOLE(\PIECES.lookahead.slot_every_live == {N{slot_valid}});
    end
    // On so long a way, what fills the slot has to be known in between, too.
    (* hierconn *) wire [GROUPS-1:0] \PIECES.lookahead.s9_fill.far.after_1 ;
    (* hierconn *) wire [GROUPS-1:0] \PIECES.lookahead.s9_fill.far.after_4 ;
    (* hierconn *) wire \PIECES.sequences.s6_valid ;
    (* hierconn *) wire \PIECES.lookahead.s9_valid ;
    (* hierconn *) wire \PIECES.lookahead.s4_last_only ;
    always @(posedge clk) if (started) begin
        if (lives[4]) `WHOLE(\PIECES.lookahead.s4_last_only == 1'b0);
        if (lives[5]) `WHOLE(\PIECES.lookahead.s9_fill.far.after_1 == {GROUPS{\PIECES.sequences.s6_valid }});
        if (lives[8]) `WHOLE(\PIECES.lookahead.s9_fill.far.after_4 == {GROUPS{\PIECES.lookahead.s9_valid }});
    end
`else
    localparam GROUPS = N > 4 ? N / 4 : 1;
    each(0..7) (* hierconn *) wire \PIECES.lookahead.rested_8.stage_% ;
    (* hierconn *) wire \PIECES.lookahead.every_rested.regions.of_group ;
    (* hierconn *) wire [GROUPS-1:0] \PIECES.lookahead.every_rested.groups.of_group ;
    always @(posedge clk) if (started) begin
        each(0..7) `WHOLE(\PIECES.lookahead.rested_8.stage_% == lives[%]);
        if (lives[0]) `WHOLE(\PIECES.lookahead.every_rested.regions.of_group == lives[8]);
        if (lives[1]) `WHOLE(\PIECES.lookahead.every_rested.groups.of_group == {GROUPS{lives[9]}});
        if (lives[2]) `WHOLE(\PIECES.lookahead.slot_every_live == {N{slot_valid}});
    end
`endif
`endif
    (* hierconn *) wire \PIECES.lookahead.slot_last ;
    (* hierconn *) wire \PIECES.lookahead.slot_waits ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_present.held ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_scalar.held ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_open.held ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_alone.held ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_own_0.held ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_own_1.held ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_own_2.held ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_second.held ;
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_consumed.held ;
    always @(posedge clk) if (started) begin
        `WHOLE(\PIECES.lookahead.slot_live == slot_valid);
        if (slot_valid) begin
            `WHOLE(\PIECES.lookahead.slot_last == slot_last);
            `WHOLE(\PIECES.lookahead.slot_waits == slot_waits);
        end
    end
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_lemma
            wire [26:0] before = {g_slot[i].x3, g_slot[i].x2, g_slot[i].x1};
            wire there = slot_keep[i];
            wire [7:0] x = g_slot[i].x0[7:0];
            wire [2:0] open_now, kind, kind_80, kind_bf;
            wire consumed, takes_80, takes_bf;
            of_lane of_lane (.before(before), .lane(g_slot[i].x0), .open_now(open_now), .consumed(consumed));
            of_byte of_byte (
                .x(x), .takes_80(takes_80), .takes_bf(takes_bf), .kind(kind), .kind_80(kind_80), .kind_bf(kind_bf)
            );
            wire alone = there && !consumed && open_now == 3'd0 && x > 8'h7F;
            wire complete = there && open_now == 3'd0 && !alone;
            wire [2:0] own = {\PIECES.lookahead.slot_own_2.held [i], \PIECES.lookahead.slot_own_1.held [i], \PIECES.lookahead.slot_own_0.held [i]};
            always @(posedge clk) if (started && slot_valid) begin
                `LANE(i, \PIECES.lookahead.slot_present.held [i] == slot_keep[i]);
                `LANE(i, \PIECES.lookahead.slot_open.held [i] == (open_now != 3'd0));
                if (there) `LANE(i, \PIECES.lookahead.slot_alone.held [i] == alone);
                if (there) `LANE(i, \PIECES.lookahead.slot_scalar.held [i] == (complete && !(`STRIP && slot_signature[i])));
                `LANE(i, \PIECES.lookahead.slot_consumed.held [i] == consumed);
                if (open_now != 3'd0) `LANE(i, \PIECES.lookahead.slot_second.held [i] == (open_now == 3'd2));
                if (alone) `LANE(i, \PIECES.lookahead.slot_second.held [i] == 1'b0);
                // The kind that a byte causes by itself, or by a continuation byte that it does not take.
                if (alone) `LANE(i, own == kind);
                if (open_now == 3'd1 && !takes_80) `LANE(i, own == kind_80);
                if (open_now == 3'd1 && !takes_bf) `LANE(i, own == kind_bf);
            end
        end
    endgenerate

`ifdef WIDE
    // More than one lane: a lane looks up to the next.
    (* hierconn *) wire [N-1:0] \PIECES.lookahead.slot_cont.held ;
    generate
        for (genvar i = 1; i < N; i = i + 1) begin : g_ahead
            always @(posedge clk) if (started && slot_valid)
                `LANE(i, \PIECES.lookahead.slot_cont.held [i] == (slot_keep[i] && rfc3629::tail(g_lemma[i].x)));
        end
    endgenerate
`endif

`ifdef SIGNATURE
    // EF BB BF is a signature if no byte is before it.
    (* hierconn *) wire \PIECES.sequences.find_signature.lag_bb.carried ;
    (* hierconn *) wire \PIECES.sequences.find_signature.lag_ef.carried ;
    (* hierconn *) wire \PIECES.sequences.find_signature.lag_present.carried ;
    (* hierconn *) wire \PIECES.sequences.find_signature.lag_ef_2.carried ;
    (* hierconn *) wire \PIECES.sequences.find_signature.lag_present_2.carried ;
    (* hierconn *) wire \PIECES.sequences.find_signature.lag_present_3.carried ;
    (* hierconn *) wire \PIECES.lookahead.slot_signature ;
    always @(posedge clk) if (started) begin
        if (lives[3]) `WHOLE(\PIECES.sequences.find_signature.lag_bb.carried == (past_3[8:0] == 9'h1BB));
        if (lives[3]) `WHOLE(\PIECES.sequences.find_signature.lag_ef.carried == (past_3[8:0] == 9'h1EF));
        if (lives[3]) `WHOLE(\PIECES.sequences.find_signature.lag_present.carried == past_3[8]);
        if (past_4[8]) `WHOLE(\PIECES.sequences.find_signature.lag_ef_2.carried == (past_4[17:9] == 9'h1EF));
        if (past_4[8]) `WHOLE(\PIECES.sequences.find_signature.lag_present_2.carried == past_4[17]);
        if (past_5[17]) `WHOLE(\PIECES.sequences.find_signature.lag_present_3.carried == past_5[26]);
        if (slot_valid) `WHOLE(\PIECES.lookahead.slot_signature == |slot_signature);
    end
`endif
