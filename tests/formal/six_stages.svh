    // Lemmas of `six_octets` at stages 3 and 8, lane by lane: those of stages.svh that are of RFC 2279.

    each(83 87 8x 9f ab) (* hierconn *) wire [N-1:0] \PIECES.six.s3_cont_% ;
    each(lead is_e0 is_ed is_f0 is_f8 is_fc) (* hierconn *) wire [N-1:0] \PIECES.six.s3_% ;
    each(lead_3up lead_4up lead_5up lead_6) (* hierconn *) wire [2*N-1:0] \PIECES.six.delay_%_4.stages ;
    (* hierconn *) wire [2*N-1:0] \PIECES.six.delay_cont_3.stages ;
    each(valid last) (* hierconn *) wire [1:0] \PIECES.six.delay_%_3.stages ;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_six_3
            wire there = g_stage_3[i].there;
            wire [7:0] x = g_stage_3[i].x;
            always @(posedge clk) if (started && valids[3]) begin
                `LANE(i, \PIECES.six.delay_cont_3.stages [N+i] == (there && rfc2279::tail(x)));
                `LANE(i, \PIECES.six.s3_cont_83 [i] == (there && x >= 8'h80 && x <= 8'h83));
                `LANE(i, \PIECES.six.s3_cont_87 [i] == (there && x >= 8'h80 && x <= 8'h87));
                `LANE(i, \PIECES.six.s3_cont_8x [i] == (there && x >= 8'h80 && x <= 8'h8F));
                `LANE(i, \PIECES.six.s3_cont_9f [i] == (there && x >= 8'h80 && x <= 8'h9F));
                `LANE(i, \PIECES.six.s3_cont_ab [i] == (there && x >= 8'hA0 && x <= 8'hBF));
                each(e0 ed f0 f8 fc) `LANE(i, \PIECES.six.s3_is_% [i] == (there && x == 8'h%));
                `LANE(i, \PIECES.six.s3_lead [i] == (there && g_stage_3[i].leads));
                `LANE(i, \PIECES.six.delay_lead_3up_4.stages [i] == (there && g_stage_3[i].longer_2));
                if (there && g_stage_3[i].leads) begin
                    `LANE(i, \PIECES.six.delay_lead_4up_4.stages [i] == g_stage_3[i].longer_3);
                    `LANE(i, \PIECES.six.delay_lead_5up_4.stages [i] == g_stage_3[i].longer_4);
                    `LANE(i, \PIECES.six.delay_lead_6_4.stages [i] == g_stage_3[i].longer_5);
                end
            end
        end
    endgenerate
    // What keeps copies of a register apart is a stage later than with RFC 3629.
    (* hierconn *) wire \PIECES.s4_apart_clocks ;
    always @(posedge clk) if (started) begin
        if (lives[4]) `WHOLE(\PIECES.s4_apart_clocks == 1'b0);
        each(valid last) if (lives[2]) `WHOLE(\PIECES.s3_% == \PIECES.six.delay_%_3.stages [1]);
    end

    // The number of each byte in its sequence.
    each(even low) (* hierconn *) wire [N-1:0] \PIECES.six.s8_% ;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_six_8
            wire consumed = g_stage_8[i].consumed;
            wire [2:0] before = g_stage_8[i].open_before;
            always @(posedge clk) if (started && valids[8]) begin
                `LANE(i, \PIECES.six.s8_even [i] == (consumed && (before == 3'd1 || before == 3'd3)));
                `LANE(i, \PIECES.six.s8_low [i] == (consumed && (before == 3'd1 || before == 3'd2)));
            end
        end
    endgenerate
