    // Lemmas of stages 3 and 8, lane by lane: the class of each byte, and its part in its sequence. They follow from the inputs
    // by themselves; stated here, they keep the proofs short.

    (* hierconn *) wire [6*N-1:0] \PIECES.delay_high_8.stages ;
    (* hierconn *) wire [3*N-1:0] \PIECES.delay_cont_5.stages ;
`ifndef RFC2279
    (* hierconn *) wire [N-1:0] \PIECES.s3_cont_8x ;
    (* hierconn *) wire [N-1:0] \PIECES.s3_cont_9x ;
    (* hierconn *) wire [N-1:0] \PIECES.s3_cont_ab ;
    (* hierconn *) wire [N-1:0] \PIECES.s3_takes_8x ;
    (* hierconn *) wire [N-1:0] \PIECES.s3_takes_9x ;
    (* hierconn *) wire [N-1:0] \PIECES.s3_takes_ab ;
    (* hierconn *) wire [N-1:0] \PIECES.s3_lead ;
    (* hierconn *) wire [2*N-1:0] \PIECES.delay_lead_3up_4.stages ;
    (* hierconn *) wire [3*N-1:0] \PIECES.delay_b4_4.stages ;
`endif
    (* hierconn *) wire [N-1:0] \PIECES.s3_never ;
    (* hierconn *) wire [7*N-1:0] \PIECES.delay_own_0_9.stages ;
    (* hierconn *) wire [7*N-1:0] \PIECES.delay_own_1_9.stages ;
    (* hierconn *) wire [7*N-1:0] \PIECES.delay_own_2_9.stages ;
    (* hierconn *) wire [3*N-1:0] \PIECES.delay_present_3.stages ;
    (* hierconn *) wire \PIECES.s3_valid ;
    (* hierconn *) wire \PIECES.s3_last ;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_stage_3
            wire there = beat_3[9*i+8];
            wire [7:0] x = beat_3[9*i+:8];
            wire leads, longer_2, longer_3, longer_4, longer_5, takes_80, takes_90, takes_a0, takes_bf;
            wire [2:0] kind, kind_80, kind_bf;
            of_byte of_byte (
                .x(x), .leads(leads), .longer_2(longer_2), .longer_3(longer_3), .longer_4(longer_4), .longer_5(longer_5),
                .takes_80(takes_80), .takes_90(takes_90), .takes_a0(takes_a0), .takes_bf(takes_bf),
                .kind(kind), .kind_80(kind_80), .kind_bf(kind_bf)
            );
            wire [2:0] own = {\PIECES.delay_own_2_9.stages [i], \PIECES.delay_own_1_9.stages [i],
                \PIECES.delay_own_0_9.stages [i]};
            always @(posedge clk) if (started && valids[3]) begin
                `LANE(i, \PIECES.delay_present_3.stages [2*N+i] == there);
                if (there) `LANE(i, \PIECES.delay_high_8.stages [i] == (x > 8'h7F));
                `LANE(i, \PIECES.delay_cont_5.stages [i] == (there && `GRAMMAR::tail(x)));
`ifndef RFC2279
                `LANE(i, \PIECES.s3_cont_8x [i] == (there && x >= 8'h80 && x <= 8'h8F));
                `LANE(i, \PIECES.s3_cont_9x [i] == (there && x >= 8'h90 && x <= 8'h9F));
                `LANE(i, \PIECES.s3_cont_ab [i] == (there && x >= 8'hA0 && x <= 8'hBF));
                `LANE(i, \PIECES.s3_takes_8x [i] == (there && takes_80));
                `LANE(i, \PIECES.s3_takes_9x [i] == (there && takes_90));
                `LANE(i, \PIECES.s3_takes_ab [i] == (there && takes_a0));
                `LANE(i, \PIECES.s3_lead [i] == (there && leads));
                `LANE(i, \PIECES.delay_lead_3up_4.stages [i] == (there && longer_2));
                if (there && longer_2) `LANE(i, \PIECES.delay_b4_4.stages [N+i] == longer_3);
`endif
                if (there) `LANE(i, \PIECES.s3_never [i] == (x > 8'h7F && !`GRAMMAR::tail(x) && !leads));
                if (there && x > 8'h7F && !leads) `LANE(i, own == kind);
                if (there && leads && !takes_80) `LANE(i, own == kind_80);
                if (there && leads && !takes_bf) `LANE(i, own == kind_bf);
            end
        end
    endgenerate

    (* hierconn *) wire [2*N-1:0] \PIECES.delay_cont_8.stages ;
    (* hierconn *) wire [N-1:0] \PIECES.s8_consumed ;
    (* hierconn *) wire [N-1:0] \PIECES.s8_open ;
`ifndef RFC2279
    (* hierconn *) wire [2*N-1:0] \PIECES.delay_second_9.stages ;
`endif
    (* hierconn *) wire [5*N-1:0] \PIECES.delay_never_8.stages ;
    (* hierconn *) wire [6*N-1:0] \PIECES.delay_present_9.stages ;
    (* hierconn *) wire \PIECES.s8_valid ;
    (* hierconn *) wire \PIECES.s8_last ;
    wire [9*N+PAST-1:0] bytes_8;
    assign bytes_8[9*N+PAST-1:PAST] = beat_8[9*N-1:0];
    generate
        for (genvar k = 1; k <= BACK; k = k + 1) begin : g_past_8
            assign bytes_8[PAST-9*k+:9] = past_8[9*k-9+:9];
        end
    endgenerate
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_stage_8
            wire [PAST-1:0] before;
            for (genvar k = 1; k <= BACK; k = k + 1) begin : g_before
                assign before[9*k-9+:9] = bytes_8[9*i+PAST-9*k+:9];
            end
            wire there = bytes_8[9*i+PAST+8];
            wire [7:0] x = bytes_8[9*i+PAST+:8];
            wire [2:0] open_before, open_now, kind, kind_80, kind_bf;
            wire consumed, takes_80, takes_bf;
            of_lane of_lane (
                .before(before), .lane({there, x}), .open_before(open_before), .open_now(open_now), .consumed(consumed)
            );
            of_byte of_byte (
                .x(x), .takes_80(takes_80), .takes_bf(takes_bf), .kind(kind), .kind_80(kind_80), .kind_bf(kind_bf)
            );
            wire never = there && x > 8'h7F && !`GRAMMAR::tail(x) && open_now == 3'd0;
            wire [2:0] own = {\PIECES.delay_own_2_9.stages [5*N+i], \PIECES.delay_own_1_9.stages [5*N+i],
                \PIECES.delay_own_0_9.stages [5*N+i]};
            always @(posedge clk) if (started && valids[8]) begin
                `LANE(i, \PIECES.delay_present_9.stages [4*N+i] == there);
                `LANE(i, \PIECES.delay_cont_8.stages [N+i] == (there && `GRAMMAR::tail(x)));
                `LANE(i, \PIECES.s8_consumed [i] == consumed);
                if (there) `LANE(i, \PIECES.delay_high_8.stages [5*N+i] == (x > 8'h7F));
                `LANE(i, \PIECES.s8_open [i] == (open_now != 3'd0));
`ifndef RFC2279
                `LANE(i, \PIECES.delay_second_9.stages [i] == (consumed && open_before == 3'd1));
`endif
                if (there) `LANE(i, \PIECES.delay_never_8.stages [4*N+i] == never);
                if (never || there && `GRAMMAR::tail(x)) `LANE(i, own == kind);
                if (open_now == 3'd1 && !takes_80) `LANE(i, own == kind_80);
                if (open_now == 3'd1 && !takes_bf) `LANE(i, own == kind_bf);
            end
        end
    endgenerate
    always @(posedge clk) if (started) begin
        if (lives[3]) `WHOLE(\PIECES.s3_valid == valids[3]);
        if (lives[8]) `WHOLE(\PIECES.s8_valid == valids[8]);
        // The reset itself, as a packet's last beat.
        if (lives[2] && !lives[3]) `WHOLE(\PIECES.s3_valid && \PIECES.s3_last == 1'b1);
        if (lives[7] && !lives[8]) `WHOLE(\PIECES.s8_valid && \PIECES.s8_last == 1'b1);
        if (lives[3]) `WHOLE(\PIECES.s3_last == (valids[3] && beat_3[9*N]));
        if (lives[8]) `WHOLE(\PIECES.s8_last == (valids[8] && beat_8[9*N]));
    end

`ifdef RFC2279
    `include "six_stages.svh"
`endif

`ifdef SIGNATURE
    (* hierconn *) wire [N-1:0] \PIECES.s3_is_ef ;
    (* hierconn *) wire [N-1:0] \PIECES.s3_is_bb ;
    (* hierconn *) wire [N-1:0] \PIECES.s3_is_bf ;
    (* hierconn *) wire [2*N-1:0] \PIECES.delay_signature_8.stages ;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_signature_3
            always @(posedge clk) if (started && valids[3]) begin
                if (g_stage_3[i].there) `LANE(i, \PIECES.s3_is_ef [i] == (g_stage_3[i].x == 8'hEF));
                if (g_stage_3[i].there) `LANE(i, \PIECES.s3_is_bb [i] == (g_stage_3[i].x == 8'hBB));
                `LANE(i, \PIECES.s3_is_bf [i] == (g_stage_3[i].there && g_stage_3[i].x == 8'hBF));
            end
        end
        for (genvar i = 0; i < N; i = i + 1) begin : g_signature_8
            always @(posedge clk) if (started && valids[8])
                `LANE(i, \PIECES.delay_signature_8.stages [N+i]
                    == ({g_stage_8[i].before[17:0], g_stage_8[i].there, g_stage_8[i].x} == {9'h1EF, 9'h1BB, 9'h1BF}
                        && !g_stage_8[i].before[26]));
        end
    endgenerate
`endif

    // What ends a packet is a beat: what fills all lanes leans on it.
    (* hierconn *) wire \PIECES.s0_valid ;
    (* hierconn *) wire \PIECES.s0_last ;
    each(1..2) (* hierconn *) wire \PIECES.s%_valid ;
    each(1..2) (* hierconn *) wire \PIECES.s%_last ;
    (* hierconn *) wire \PIECES.s3_last_only ;
    always @(posedge clk) if (started) begin
        if (lives[0]) `WHOLE(!\PIECES.s0_last || \PIECES.s0_valid == 1'b1);
        each(1..2) if (lives[%]) `WHOLE(!\PIECES.s%_last || \PIECES.s%_valid == 1'b1);
        if (lives[3]) `WHOLE(\PIECES.s3_last_only == 1'b0);
    end

`ifdef OPENS
    (* hierconn *) wire [N-1:0] \PIECES.edges.s8_head ;
    (* hierconn *) wire [2:0] \PIECES.edges.s8_heads ;
    (* hierconn *) wire [2*N-1:0] \PIECES.edges.delay_cont_8.stages ;
    (* hierconn *) wire [3*N-1:0] \PIECES.edges.delay_cont_4.stages ;
    (* hierconn *) wire [4*N-1:0] \PIECES.edges.delay_present_4.stages ;
    each(valid last) (* hierconn *) wire [2:0] \PIECES.edges.delay_%_4.stages ;
    wire [N-1:0] head_8;
    wire [3*N-1:0] heads_of_8;
    reg [2:0] heads_8;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_edges_8
            begins_at begins_at (
                .before(g_stage_8[i].before), .lane({g_stage_8[i].there, g_stage_8[i].x}), .head(head_8[i]), .heads(heads_of_8[3*i+:3])
            );
            always @(posedge clk) if (started && valids[8]) begin
                `LANE(i, \PIECES.edges.s8_head [i] == head_8[i]);
                `LANE(i, \PIECES.edges.delay_cont_8.stages [N+i] == (g_stage_8[i].there && `GRAMMAR::tail(g_stage_8[i].x)));
            end
            always @(posedge clk) if (started && valids[3]) begin
                `LANE(i, \PIECES.edges.delay_cont_4.stages [N+i] == (g_stage_3[i].there && `GRAMMAR::tail(g_stage_3[i].x)));
                `LANE(i, \PIECES.edges.delay_present_4.stages [2*N+i] == g_stage_3[i].there);
            end
        end
    endgenerate
    always @(*) begin
        heads_8 = 3'd0;
        for (int i = 0; i < N; i = i + 1) heads_8 = heads_8 | heads_of_8[3*i+:3];
    end
    always @(posedge clk) if (started) begin
        if (valids[8]) `WHOLE(\PIECES.edges.s8_heads == heads_8);
        each(valid last) if (lives[3]) `WHOLE((\PIECES.edges.delay_%_4.stages [1]) == (\PIECES.s3_% ));
    end
`endif
