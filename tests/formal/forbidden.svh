    // Lemmas of `forbidden`, and of `classes` in it. What a lane is after the bytes of the beat before is only claimed if those are of its
    // packet: no sequence ends after others.
    //
    // FORBIDDEN and CLASSES stand for the blocks' places in the core, and a line about each of FORBIDDEN is about each forbidden class.
    localparam nul_is = 0, control_is = 1, c1_is = 2, noncharacter_is = 3;
    localparam bidi_is = 4, private_is = 5, supplementary_is = 6, from_0300_is = 7;
    wire [7:0] last_3 = past_3[7:0];
    wire [15:0] last_4 = {past_4[16:9], past_4[7:0]};
    wire [23:0] last_5 = {past_5[25:18], past_5[16:9], past_5[7:0]};
    wire has_3 = started && past_3[8], has_4 = started && past_4[17], has_5 = started && past_5[26];
    // Of a packet's first bytes it is only claimed that they are not of another value than what is looked for.
    wire has_one_4 = started && past_4[8], has_one_5 = started && past_5[8], has_two_5 = started && past_5[17];
    // What the classes share.
`ifdef HAS_NONCHARACTER
`define HAS_ENDS_PLANE
`define HAS_EF
`endif
`ifdef HAS_PRIVATE
`define HAS_ENDS_PLANE
`define HAS_EF
`define HAS_CONT
`endif
`ifdef HAS_FROM_0300
`define HAS_CONT
`define HAS_CARRIED
`endif
`ifdef HAS_C1
`define HAS_CARRIED
`endif
`ifdef HAS_BIDI
`define HAS_CARRIED
`endif
`ifdef HAS_EF
`define HAS_CARRIED
`endif

`ifdef HAS_C1
    (* hierconn *) wire \CLASSES.s4_before_is_c2_carried ;
    always @(posedge clk) if (has_3) `WHOLE(\CLASSES.s4_before_is_c2_carried == (last_3 == 8'hC2));
`endif
`ifdef HAS_FROM_0300
    (* hierconn *) wire \CLASSES.s4_before_lead_cc_df_carried ;
    always @(posedge clk) if (has_3) `WHOLE(\CLASSES.s4_before_lead_cc_df_carried == (last_3 >= 8'hCC && last_3 <= 8'hDF));
`endif
`ifdef HAS_BIDI
    (* hierconn *) wire \CLASSES.s4_before_is_d8_carried ;
    (* hierconn *) wire \CLASSES.s4_before_is_e2_carried ;
    (* hierconn *) wire \CLASSES.s5_before_e2_80_carried ;
    (* hierconn *) wire \CLASSES.s5_before_e2_81_carried ;
    always @(posedge clk) begin
        if (has_3) `WHOLE(\CLASSES.s4_before_is_d8_carried == (last_3 == 8'hD8));
        if (has_3) `WHOLE(\CLASSES.s4_before_is_e2_carried == (last_3 == 8'hE2));
        if (has_4) `WHOLE(\CLASSES.s5_before_e2_80_carried == (last_4 == 16'hE280));
        if (has_one_4) `WHOLE(!\CLASSES.s5_before_e2_80_carried || last_4[7:0] == 8'h80);
        if (has_4) `WHOLE(\CLASSES.s5_before_e2_81_carried == (last_4 == 16'hE281));
        if (has_one_4) `WHOLE(!\CLASSES.s5_before_e2_81_carried || last_4[7:0] == 8'h81);
    end
`endif
`ifdef HAS_EF
    (* hierconn *) wire \CLASSES.s4_before_is_ef_carried ;
    always @(posedge clk) if (has_3) `WHOLE(\CLASSES.s4_before_is_ef_carried == (last_3 == 8'hEF));
`endif
`ifdef HAS_ENDS_PLANE
    (* hierconn *) wire \CLASSES.s4_before_hi_f_carried ;
    (* hierconn *) wire \CLASSES.s5_before_f_xf_carried ;
    (* hierconn *) wire \CLASSES.s6_before_f_xf_bf_carried ;
    function automatic cont_f(input [7:0] x);
        cont_f = x[7:6] == 2'b10 && x[3:0] == 4'hF;
    endfunction
    function automatic f_xf(input [15:0] x);
        f_xf = x[15:12] == 4'hF && cont_f(x[7:0]);
    endfunction
    always @(posedge clk) begin
        if (has_3) `WHOLE(\CLASSES.s4_before_hi_f_carried == (last_3 >= 8'hF0));
        if (has_4) `WHOLE(\CLASSES.s5_before_f_xf_carried == f_xf(last_4));
        if (has_one_4) `WHOLE(!\CLASSES.s5_before_f_xf_carried || cont_f(last_4[7:0]));
        if (has_5) `WHOLE(\CLASSES.s6_before_f_xf_bf_carried == (f_xf(last_5[23:8]) && last_5[7:0] == 8'hBF));
        if (has_one_5) `WHOLE(!\CLASSES.s6_before_f_xf_bf_carried || last_5[7:0] == 8'hBF);
        if (has_two_5) `WHOLE(!\CLASSES.s6_before_f_xf_bf_carried || cont_f(last_5[15:8]));
    end
`endif
`ifdef HAS_NONCHARACTER
    (* hierconn *) wire \CLASSES.s5_before_ef_b7_carried ;
    (* hierconn *) wire \CLASSES.s5_before_ef_bf_carried ;
    always @(posedge clk) begin
        if (has_4) `WHOLE(\CLASSES.s5_before_ef_b7_carried == (last_4 == 16'hEFB7));
        if (has_one_4) `WHOLE(!\CLASSES.s5_before_ef_b7_carried || last_4[7:0] == 8'hB7);
        if (has_4) `WHOLE(\CLASSES.s5_before_ef_bf_carried == (last_4 == 16'hEFBF));
        if (has_one_4) `WHOLE(!\CLASSES.s5_before_ef_bf_carried || last_4[7:0] == 8'hBF);
    end
`endif
`ifdef HAS_PRIVATE
    (* hierconn *) wire \CLASSES.s4_before_is_ee_carried ;
    (* hierconn *) wire \CLASSES.s4_before_is_f3_carried ;
    (* hierconn *) wire \CLASSES.s4_before_is_f4_carried ;
    (* hierconn *) wire \CLASSES.s5_before_private_of_3_carried ;
    (* hierconn *) wire \CLASSES.s5_before_private_f3_carried ;
    (* hierconn *) wire \CLASSES.s5_before_private_f4_carried ;
    (* hierconn *) wire \CLASSES.s6_before_private_third_of_4_carried ;
    function automatic private_of_4(input [15:0] x);
        private_of_4 = x >= 16'hF3B0 && x <= 16'hF3BF || x >= 16'hF480 && x <= 16'hF48F;
    endfunction
    always @(posedge clk) begin
        if (has_3) `WHOLE(\CLASSES.s4_before_is_ee_carried == (last_3 == 8'hEE));
        if (has_3) `WHOLE(\CLASSES.s4_before_is_f3_carried == (last_3 == 8'hF3));
        if (has_3) `WHOLE(\CLASSES.s4_before_is_f4_carried == (last_3 == 8'hF4));
        if (has_4) `WHOLE(\CLASSES.s5_before_private_of_3_carried == (last_4 >= 16'hEE80 && last_4 <= 16'hEEBF || last_4 >= 16'hEF80 && last_4 <= 16'hEFA3));
        if (has_4) `WHOLE(\CLASSES.s5_before_private_f3_carried == (last_4 >= 16'hF3B0 && last_4 <= 16'hF3BF));
        if (has_4) `WHOLE(\CLASSES.s5_before_private_f4_carried == (last_4 >= 16'hF480 && last_4 <= 16'hF48F));
        if (has_5) `WHOLE(\CLASSES.s6_before_private_third_of_4_carried == (private_of_4(last_5[23:8]) && last_5[7:6] == 2'b10));
        each(private_of_3 private_f3 private_f4) if (has_one_4) `WHOLE(!\CLASSES.s5_before_%_carried || last_4[7:6] == 2'b10);
        if (has_one_5) `WHOLE(!\CLASSES.s6_before_private_third_of_4_carried || last_5[7:6] == 2'b10);
        if (has_two_5) `WHOLE(!\CLASSES.s6_before_private_third_of_4_carried || last_5[15:14] == 2'b10);
    end
`endif

    // Lemmas of stages 3 and 8, lane by lane: what each byte is, and of which classes the scalar value is that ends there.
`ifdef HAS_CARRIED
    (* hierconn *) wire [1:0] \CLASSES.delay_valid_3.stages ;
    always @(posedge clk) if (started && lives[3]) `WHOLE(\CLASSES.delay_valid_3.stages [1] == valids[3]);
`endif
`ifdef HAS_NUL
    (* hierconn *) wire [6*N-1:0] \CLASSES.delay_is_nul_8.stages ;
`endif
`ifdef HAS_CONTROL
    (* hierconn *) wire [N-1:0] \CLASSES.s3_control ;
    (* hierconn *) wire [5*N-1:0] \CLASSES.delay_control_8.stages ;
`endif
`ifdef HAS_C1
    each(to_9f is_c2) (* hierconn *) wire [N-1:0] \CLASSES.s3_% ;
    (* hierconn *) wire [5*N-1:0] \CLASSES.delay_c1_9.stages ;
`endif
`ifdef HAS_CONT
    (* hierconn *) wire [2*N-1:0] \CLASSES.delay_cont_3.stages ;
`endif
`ifdef HAS_FROM_0300
    (* hierconn *) wire [N-1:0] \CLASSES.s3_lead_cc_df ;
    (* hierconn *) wire [4*N-1:0] \CLASSES.delay_second_up_8.stages ;
    (* hierconn *) wire [N-1:0] \PIECES.s8_third_up ;
`endif
`ifdef HAS_SUPPLEMENTARY
    (* hierconn *) wire [N-1:0] \PIECES.s8_fourth ;
`endif
`ifdef HAS_BIDI
    each(is_80 is_81 is_9c is_d8 is_e2) (* hierconn *) wire [N-1:0] \CLASSES.s3_% ;
    each(80 81) (* hierconn *) wire [2*N-1:0] \CLASSES.delay_mark_after_%_4.stages ;
    (* hierconn *) wire [4*N-1:0] \CLASSES.delay_bidi_9.stages ;
`endif
`ifdef HAS_EF
    (* hierconn *) wire [N-1:0] \CLASSES.s3_is_ef ;
`endif
`ifdef HAS_ENDS_PLANE
    (* hierconn *) wire [N-1:0] \CLASSES.s3_cont_f ;
    (* hierconn *) wire [2*N-1:0] \CLASSES.delay_hi_f_3.stages ;
    (* hierconn *) wire [N-1:0] \CLASSES.s3_is_bf ;
    (* hierconn *) wire [2*N-1:0] \CLASSES.delay_be_bf_4.stages ;
`endif
`ifdef HAS_NONCHARACTER
    (* hierconn *) wire [N-1:0] \CLASSES.s3_is_b7 ;
    (* hierconn *) wire [2*N-1:0] \CLASSES.delay_from_90_to_af_4.stages ;
    (* hierconn *) wire [2*N-1:0] \CLASSES.delay_noncharacter_9.stages ;
`endif
`ifdef HAS_PRIVATE
    each(to_a3 is_ee is_f3 is_f4) (* hierconn *) wire [N-1:0] \CLASSES.s3_% ;
    each(8 b) (* hierconn *) wire [2*N-1:0] \CLASSES.delay_hi_%_3.stages ;
    (* hierconn *) wire [2*N-1:0] \CLASSES.delay_private_9.stages ;
`endif
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_classes_3
            wire [7:0] x = g_stage_3[i].x;
            wire cont = x >= 8'h80 && x <= 8'hBF;
            always @(posedge clk) if (started && valids[3] && g_stage_3[i].there) begin
`ifdef HAS_NUL
                `LANE(i, \CLASSES.delay_is_nul_8.stages [i] == (x == 8'h00));
`endif
`ifdef HAS_CONTROL
                `LANE(i, \CLASSES.s3_control [i] == (x >= 8'h01 && x <= 8'h1F && x != 8'h09 && x != 8'h0A && x != 8'h0D || x == 8'h7F));
`endif
`ifdef HAS_C1
                `LANE(i, \CLASSES.s3_to_9f [i] == (x >= 8'h80 && x <= 8'h9F));
                `LANE(i, \CLASSES.s3_is_c2 [i] == (x == 8'hC2));
`endif
`ifdef HAS_CONT
                `LANE(i, \CLASSES.delay_cont_3.stages [N+i] == cont);
`endif
`ifdef HAS_FROM_0300
                `LANE(i, \CLASSES.s3_lead_cc_df [i] == (x >= 8'hCC && x <= 8'hDF));
`endif
`ifdef HAS_BIDI
                each(80 81 9c d8 e2) `LANE(i, \CLASSES.s3_is_% [i] == (x == 8'h%));
                `LANE(i, \CLASSES.delay_mark_after_80_4.stages [i] == (x == 8'h8E || x == 8'h8F || x >= 8'hAA && x <= 8'hAE));
                `LANE(i, \CLASSES.delay_mark_after_81_4.stages [i] == (x >= 8'hA6 && x <= 8'hA9));
`endif
`ifdef HAS_EF
                `LANE(i, \CLASSES.s3_is_ef [i] == (x == 8'hEF));
`endif
`ifdef HAS_ENDS_PLANE
                `LANE(i, \CLASSES.s3_cont_f [i] == (cont && x[3:0] == 4'hF));
                `LANE(i, \CLASSES.delay_hi_f_3.stages [N+i] == (x >= 8'hF0));
                `LANE(i, \CLASSES.s3_is_bf [i] == (x == 8'hBF));
                `LANE(i, \CLASSES.delay_be_bf_4.stages [i] == (x == 8'hBE || x == 8'hBF));
`endif
`ifdef HAS_NONCHARACTER
                `LANE(i, \CLASSES.s3_is_b7 [i] == (x == 8'hB7));
                `LANE(i, \CLASSES.delay_from_90_to_af_4.stages [i] == (x >= 8'h90 && x <= 8'hAF));
`endif
`ifdef HAS_PRIVATE
                each(ee f3 f4) `LANE(i, \CLASSES.s3_is_% [i] == (x == 8'h%));
                `LANE(i, \CLASSES.s3_to_a3 [i] == (x >= 8'h80 && x <= 8'hA3));
                each(8 b) `LANE(i, \CLASSES.delay_hi_%_3.stages [N+i] == (x[7:4] == 4'h%));
`endif
            end
        end
        for (genvar i = 0; i < N; i = i + 1) begin : g_classes_8
            wire scalar;
            wire [VALUE-1:0] value;
            wire [7:0] classes;
            piece_at piece_at (
                .before(g_stage_8[i].before), .lane({g_stage_8[i].there, g_stage_8[i].x}), .next(9'h0), .scalar(scalar), .value(value)
            );
            of_value of_value (.value(value), .classes(classes));
            always @(posedge clk) if (started && valids[8] && scalar) begin
`ifdef HAS_NUL
                `LANE(i, \CLASSES.delay_is_nul_8.stages [5*N+i] == classes[nul_is]);
`endif
`ifdef HAS_CONTROL
                `LANE(i, \CLASSES.delay_control_8.stages [4*N+i] == classes[control_is]);
`endif
`ifdef HAS_C1
                `LANE(i, \CLASSES.delay_c1_9.stages [3*N+i] == classes[c1_is]);
`endif
`ifdef HAS_NONCHARACTER
                `LANE(i, \CLASSES.delay_noncharacter_9.stages [i] == classes[noncharacter_is]);
`endif
`ifdef HAS_BIDI
                `LANE(i, \CLASSES.delay_bidi_9.stages [2*N+i] == classes[bidi_is]);
`endif
`ifdef HAS_PRIVATE
                `LANE(i, \CLASSES.delay_private_9.stages [i] == classes[private_is]);
`endif
`ifdef HAS_SUPPLEMENTARY
                `LANE(i, \PIECES.s8_fourth [i] == classes[supplementary_is]);
`endif
`ifdef HAS_FROM_0300
                `LANE(i, (\PIECES.s8_third_up [i] || \CLASSES.delay_second_up_8.stages [3*N+i]) == classes[from_0300_is]);
`endif
            end
        end
    endgenerate

    // The forbidden classes of each lane of the slot's beat.
    wire [8*N-1:0] slot_classes;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_classes
            wire [7:0] classes;
            of_value of_value (.value(slot_value[VALUE*i+:VALUE]), .classes(classes));
            assign slot_classes[8*i+:8] = slot_scalar[i] ? classes & `FORBIDS : 8'h0;
        end
    endgenerate
    // A beat has come into the slot: its lanes are at stage 12, too, which looks at stage 9.
    reg slot_fills = 1'b0;
    always @(posedge clk) slot_fills <= valids[9] && !rst;
    each(FORBIDDEN) (* hierconn *) wire [N-1:0] \FORBIDDEN.s12_% ;
    each(any ends) (* hierconn *) wire [N-1:0] \FORBIDDEN.s12_% ;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_stage_12
            always @(posedge clk) if (started && slot_fills) begin
                each(FORBIDDEN) `LANE(i, (\FORBIDDEN.s12_% [i] && \FORBIDDEN.s12_ends [i]) == slot_classes[8*i+%_is]);
                `LANE(i, (\FORBIDDEN.s12_any [i] && \FORBIDDEN.s12_ends [i]) == |slot_classes[8*i+:8]);
            end
        end
    endgenerate

    // Of the slot's beat: the forbidden classes that end in it, and where the first such scalar value ends.
    reg [7:0] met_here, met_lane_here;
    always @(*) begin
        {met_here, met_lane_here} = 16'h0;
        for (int i = N - 1; i >= 0; i = i - 1) begin
            met_here = met_here | slot_classes[8*i+:8];
            if (|slot_classes[8*i+:8]) met_lane_here = i;
        end
    end
    // The same k clocks later: element 0 is that of now. A reset does not clear the slot of what was found.
    localparam TO_FOUND = registers(12, 19);
    reg [TO_FOUND:0] found_slot = 0;
    reg [8*TO_FOUND+7:0] found_met, found_lane;
    always @(posedge clk) begin
        found_slot <= {found_slot, slot_valid};
        found_met <= {found_met, met_here};
        found_lane <= {found_lane, met_lane_here};
    end
    each(20 21) (* hierconn *) wire [7:0] \FORBIDDEN.s%_met ;
    each(20 21) (* hierconn *) wire \FORBIDDEN.s%_is_met ;
`ifdef WIDE
    each(20 21) (* hierconn *) wire [7:0] \FORBIDDEN.s%_lane ;
`endif
    localparam AT_20 = TO_FOUND - 1, AT_21 = TO_FOUND;
    always @(posedge clk) if (started) begin
        each(20 21) if (found_slot[AT_%]) `WHOLE(\FORBIDDEN.s%_met == found_met[8*AT_%+:8]);
        each(20 21) if (found_slot[AT_%]) `WHOLE(\FORBIDDEN.s%_is_met == |found_met[8*AT_%+:8]);
`ifdef WIDE
        each(20 21) if (found_slot[AT_%] && |found_met[8*AT_%+:8]) `WHOLE(\FORBIDDEN.s%_lane == found_lane[8*AT_%+:8]);
`endif
    end
