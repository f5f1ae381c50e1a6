    // Lemmas of `sanitise`: how the beats in the slots follow each other, and what the core has of each.

    // A beat and the next one that came. In one packet the bytes around them are the same, as far as they are known of both.
    function automatic is_same(input [8:0] a, input [8:0] b);
        is_same = a[8] == b[8] && (!a[8] || a[7:0] == b[7:0]);
    endfunction
    function automatic go_together(input [RECORD-1:0] beat, input [RECORD-1:0] next);
        go_together = beat[RECORD-2] ? !next[8] && !next[17] && !next[26] : beat[RECORD-1] == next[RECORD-1];
        for (int j = 0; j < 6; j = j + 1)
            go_together = go_together && (beat[RECORD-2] || is_same(beat[9*(N+j)+:9], next[9*j+:9]));
    endfunction
    always @(posedge clk) if (started) begin
        // With nothing in the first slot, nothing is unfinished.
        `WHOLE(here[1] || window::unfinished(past_9) == 3'd0);
`ifdef SECOND
        if (here[2] && here[1]) `WHOLE(go_together(known[2], known[1]));
        if (here[2] && waits[2]) `WHOLE(here[1] && waits[1]);
        if (here[2]) `WHOLE(known[2][RECORD-1] || !known[2][RECORD-2]);
`endif
`ifdef THIRD
        if (here[3] && here[2]) `WHOLE(go_together(known[3], known[2]));
        if (here[3] && !here[2] && here[1]) `WHOLE(go_together(known[3], known[1]));
        if (here[3] && waits[3]) `WHOLE(here[2] && waits[2]);
        if (here[3]) `WHOLE(known[3][RECORD-1] || !known[3][RECORD-2]);
`endif
    end

    // The parts that the bytes play, and the bytes.
    (* hierconn *) wire [N-1:0] \PIECES.s8_third_up ;
    (* hierconn *) wire [N-1:0] \PIECES.s8_fourth ;
    (* hierconn *) wire [72*N-1:0] \REPAIR.delay_bytes_9.stages ;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_position
            always @(posedge clk) if (started && valids[8]) begin
                `LANE(i, \PIECES.s8_third_up [i] == (g_stage_8[i].consumed && g_stage_8[i].open_before >= 3'd2));
                `LANE(i, \PIECES.s8_fourth [i] == (g_stage_8[i].consumed && g_stage_8[i].open_before == 3'd3));
            end
            for (genvar b = 0; b < 8; b = b + 1) begin : g_byte
                always @(posedge clk) if (started) begin
                    if (valids[3]) `LANE(i, \REPAIR.delay_bytes_9.stages [16*N+N*b+i] == beat_3[9*i+b]);
                    if (valids[8]) `LANE(i, \REPAIR.delay_bytes_9.stages [56*N+N*b+i] == beat_8[9*i+b]);
                end
            end
        end
    endgenerate

    // The slots, as the core has them.
`ifdef SECOND
    each(live slot_waits slot_last) (* hierconn *) wire \REPAIR.s10_% ;
    each(live waits last) (* hierconn *) wire \REPAIR.s11_second_% ;
    always @(posedge clk) if (started) begin
        `WHOLE(\REPAIR.s10_live == here[1]);
        if (here[1]) `WHOLE({\REPAIR.s10_slot_waits , \REPAIR.s10_slot_last } == {waits[1], slot_last});
        `WHOLE(\REPAIR.s11_second_live == here[2]);
        if (here[2]) `WHOLE({\REPAIR.s11_second_waits , \REPAIR.s11_second_last } == {waits[2], known[2][RECORD-2]});
    end
`endif
`ifdef THIRD
    each(live waits last) (* hierconn *) wire \REPAIR.s12_third_% ;
    always @(posedge clk) if (started) begin
        `WHOLE(\REPAIR.s12_third_live == here[3]);
        if (here[3]) `WHOLE({\REPAIR.s12_third_waits , \REPAIR.s12_third_last } == {waits[3], known[3][RECORD-2]});
    end
`endif

    // Of each slot: its lanes with a byte, but for what is known of a signature that is left out; those of a well-formed sequence that is
    // known; and those that no known byte continues.
    wire [N-1:0] in_stays [1:SLOTS], in_good [1:SLOTS], in_ends [1:SLOTS];
    wire [8*N-1:0] in_bytes [1:SLOTS];
`ifdef MANY
    (* hierconn *) wire [8*N-1:0] \REPAIR.s10_slot_bytes.held ; assign in_bytes[1] = \REPAIR.s10_slot_bytes.held ;
    (* hierconn *) wire [N-1:0] \REPAIR.s10_slot_good.held ; assign in_good[1] = \REPAIR.s10_slot_good.held ;
`ifdef STAYS
    (* hierconn *) wire [N-1:0] \REPAIR.s10_slot_stays.held ; assign in_stays[1] = \REPAIR.s10_slot_stays.held ;
`endif
`ifdef REPLACED
    (* hierconn *) wire [N-1:0] \REPAIR.s10_slot_ends.held ; assign in_ends[1] = \REPAIR.s10_slot_ends.held ;
`endif
`else
    (* hierconn *) wire [8*N-1:0] \REPAIR.s10_slot_bytes_held ; assign in_bytes[1] = \REPAIR.s10_slot_bytes_held ;
    (* hierconn *) wire [N-1:0] \REPAIR.s10_slot_good_held ; assign in_good[1] = \REPAIR.s10_slot_good_held ;
`ifdef STAYS
    (* hierconn *) wire [N-1:0] \REPAIR.s10_slot_stays_held ; assign in_stays[1] = \REPAIR.s10_slot_stays_held ;
`endif
`ifdef REPLACED
    (* hierconn *) wire [N-1:0] \REPAIR.s10_slot_ends_held ; assign in_ends[1] = \REPAIR.s10_slot_ends_held ;
`endif
`endif
`ifdef SECOND
    (* hierconn *) wire [8*N-1:0] \REPAIR.s11_second_bytes ; assign in_bytes[2] = \REPAIR.s11_second_bytes ;
    each(good stays) (* hierconn *) wire [N-1:0] \REPAIR.s11_second_% ; assign in_%[2] = \REPAIR.s11_second_% ;
`ifdef REPLACED
    (* hierconn *) wire [N-1:0] \REPAIR.s11_second_ends ; assign in_ends[2] = \REPAIR.s11_second_ends ;
`endif
`endif
`ifdef THIRD
    (* hierconn *) wire [8*N-1:0] \REPAIR.s12_third_bytes ; assign in_bytes[3] = \REPAIR.s12_third_bytes ;
    each(good stays) (* hierconn *) wire [N-1:0] \REPAIR.s12_third_% ; assign in_%[3] = \REPAIR.s12_third_% ;
`ifdef REPLACED
    (* hierconn *) wire [N-1:0] \REPAIR.s12_third_ends ; assign in_ends[3] = \REPAIR.s12_third_ends ;
`endif
`endif
    generate
        for (genvar s = 1; s <= SLOTS; s = s + 1) begin : g_known
            for (genvar i = 0; i < N; i = i + 1) begin : g_lane
                wire [62:0] window = known[s][9*i+:63];
                wire good, ends, signature;
                fate_of fate_of (
                    .p3(window[8:0]), .p2(window[17:9]), .p1(window[26:18]), .x(window[35:27]), .n1(window[44:36]),
                    .n2(window[53:45]), .n3(window[62:54]), .good(good), .ends(ends), .signature(signature)
                );
                wire [7:0] byte_here;
                for (genvar b = 0; b < 8; b = b + 1) begin : g_bit
                    assign byte_here[b] = in_bytes[s][N*b+i];
                end
                always @(posedge clk) if (started && here[s]) begin
`ifdef STAYS
                    `LANE(i, in_stays[s][i] == (window[35] && !(`STRIPS && signature)));
`endif
                    if (window[35]) begin
                        `LANE(i, byte_here == window[34:27]);
                        `LANE(i, in_good[s][i] == good);
`ifdef REPLACED
                        `LANE(i, in_ends[s][i] == ends);
`endif
                    end
                end
            end
        end
    endgenerate
