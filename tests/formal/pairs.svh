    // The units of UTF-16, as the core's stages know them, up to the slot; formal only.
    //
    // The two units of a pair are in adjacent lanes, or in the top lane and in lane 0 of the packet's next beat; a lane without a unit
    // separates them. A beat without any unit that does not end its packet is none. A beat whose top lane has the first unit of what may be
    // a pair waits for the next beat.

    // A lane: whether it has a unit, and which.
    function automatic is_first(input [16:0] lane);
        is_first = lane[16] && lane[15:0] >= 16'hD800 && lane[15:0] <= 16'hDBFF;
    endfunction
    function automatic is_second(input [16:0] lane);
        is_second = lane[16] && lane[15:0] >= 16'hDC00 && lane[15:0] <= 16'hDFFF;
    endfunction

    // A beat at stage 0 is at the next stage in each clock, and after stage 3 in the slot. A reset drops all. Of each stage, the top lane of the
    // packet's beat before the one that is there.
    localparam BEAT = 17 * N + 1;
    wire [BEAT-1:0] entering;
    assign entering[BEAT-1] = last;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_enter
            assign entering[17*i+:17] = {has_word[i], words[16*i+:16]};
        end
    endgenerate
    function automatic [16:0] past_after(input [BEAT-1:0] beat);
        past_after = beat[BEAT-1] ? 17'h0 : beat[BEAT-2-:17];
    endfunction
    reg [3:0] stage_valid = 0;
    reg [BEAT-1:0] stage [0:3];
    reg [16:0] past [0:3];
    reg slot_valid = 1'b0;
    reg [BEAT-1:0] slot;
    reg [16:0] slot_past;
    wire slot_last = slot[BEAT-1];
    wire slot_waits = !slot_last && is_first(slot[BEAT-2-:17]);
    initial for (int s = 0; s < 4; s = s + 1) past[s] = 17'h0;
    always @(posedge clk) begin
        stage_valid <= {stage_valid[2:0], accepted && (last || |has_word)};
        stage[0] <= entering;
        if (stage_valid[0]) past[0] <= past_after(stage[0]);
        for (int s = 1; s < 4; s = s + 1) begin
            stage[s] <= stage[s-1];
            past[s] <= past[s-1];
        end
        slot_valid <= stage_valid[3] || slot_valid && slot_waits;
        if (stage_valid[3]) begin
            slot <= stage[3];
            slot_past <= past[3];
        end
        if (rst) begin
            stage_valid <= 4'h0;
            slot_valid <= 1'b0;
            for (int s = 0; s < 4; s = s + 1) past[s] <= 17'h0;
        end
    end

    // The beat that leaves, and what becomes of its units: RFC 2781, section 2.2. The first of two units has no bytes, the second those of
    // both.
    assign recorded = slot_valid && (stage_valid[3] || !slot_waits);
    wire [16:0] after_slot = slot_last || !stage_valid[3] ? 17'h0 : stage[3][16:0];
    wire [17*(N+2)-1:0] around = {after_slot, slot[BEAT-2:0], slot_past};
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_fate
            wire [16:0] before = around[17*i+:17], unit = around[17*i+17+:17], next = around[17*i+34+:17];
            wire pair = is_first(before) && is_second(unit);
            assign fates[FATE*i+:FATE] = !unit[16] || is_first(unit) && is_second(next) ? NOTHING
                : pair ? encodes(rfc2781::scalar(before[15:0], unit[15:0]))
                : is_first(unit) || is_second(unit) ? REPLACED : encodes({5'h0, unit[15:0]});
        end
    endgenerate

`ifdef LEMMAS
    // The specification: that is the one scalar value which has these two units.
    (* anyseq *) reg [20:0] scalar;
    (* anyseq *) reg [31:0] units;
    always @(*) begin
        if (rfc2781::pair(scalar) && is_scalar({11'h0, scalar})) begin
            assert (is_first({1'b1, rfc2781::first(scalar)}) && is_second({1'b1, rfc2781::second(scalar)}));
            assert (rfc2781::scalar(rfc2781::first(scalar), rfc2781::second(scalar)) == scalar);
        end
        if (is_first({1'b1, units[31:16]}) && is_second({1'b1, units[15:0]})) begin
            assert (is_scalar({11'h0, rfc2781::scalar(units[31:16], units[15:0])}));
            assert (rfc2781::first(rfc2781::scalar(units[31:16], units[15:0])) == units[31:16]);
            assert (rfc2781::second(rfc2781::scalar(units[31:16], units[15:0])) == units[15:0]);
        end
    end
`endif

    // Lemma: what comes before the beat of a stage is the top lane of the beat at the next one, or what comes before that.
    always @(posedge clk) if (started) begin
        for (int s = 0; s < 3; s = s + 1)
            `CLAIM(past[s] == (stage_valid[s+1] ? past_after(stage[s+1]) : past[s+1]));
        `CLAIM(slot_valid || !is_first(past[3]));
        if (slot_valid) `CLAIM(past[3] == past_after(slot));
    end

    // Lemma: the top lane of the beat before, for the beat at stage 2, and the slot, as the core has them. Of a first unit it keeps the upper
    // bits of the scalar value.
    function automatic [10:0] upper(input [15:0] unit);
        upper = {{1'b0, unit[9:6]} + 5'd1, unit[5:0]};
    endfunction
    (* hierconn *) wire \PAIRS.s3_valid ;
    (* hierconn *) wire \PAIRS.s3_carried ;
    (* hierconn *) wire [10:0] \PAIRS.s3_upper_before_carried ;
    each(live last waits) (* hierconn *) wire \PAIRS.s4_slot_% ;
`ifdef MANY
    each(present high pair alone_low from_80 from_800) (* hierconn *) wire [N-1:0] \PAIRS.s4_slot_%.held ;
    (* hierconn *) wire [21*N-1:0] \PAIRS.s4_slot_scalars.held ;
    each(present high pair alone_low from_80 from_800 scalars) wire [21*N-1:0] held_% = \PAIRS.s4_slot_%.held ;
`else
    each(present high pair alone_low from_80 from_800) (* hierconn *) wire [N-1:0] \PAIRS.s4_slot_%_held ;
    (* hierconn *) wire [21*N-1:0] \PAIRS.s4_slot_scalars_held ;
    each(present high pair alone_low from_80 from_800 scalars) wire [21*N-1:0] held_% = \PAIRS.s4_slot_%_held ;
`endif
    always @(posedge clk) if (started) begin
        `CLAIM(\PAIRS.s3_valid == stage_valid[3]);
        `CLAIM(\PAIRS.s3_carried == is_first(past[2]));
        if (is_first(past[2])) `CLAIM(\PAIRS.s3_upper_before_carried == upper(past[2][15:0]));
        `CLAIM(\PAIRS.s4_slot_live == slot_valid);
        if (slot_valid) begin
            `CLAIM(\PAIRS.s4_slot_last == slot_last);
            `CLAIM(\PAIRS.s4_slot_waits == slot_waits);
        end
    end
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_held
            wire [16:0] before = g_fate[i].before, unit = g_fate[i].unit;
            wire [20:0] value = g_fate[i].pair ? rfc2781::scalar(before[15:0], unit[15:0]) : {5'h0, unit[15:0]};
            wire [20:0] held;
            for (genvar b = 0; b < 21; b = b + 1) begin : g_bit
                assign held[b] = held_scalars[N*b+i];
            end
            always @(posedge clk) if (started && slot_valid) begin
                `CLAIM(held_present[i] == unit[16]);
                `CLAIM(held_high[i] == is_first(unit));
                `CLAIM(held_pair[i] == g_fate[i].pair);
                `CLAIM(held_alone_low[i] == (is_second(unit) && !is_first(before)));
                if (unit[16]) `CLAIM(held_from_80[i] == (unit[15:0] >= 16'h80));
                if (unit[16]) `CLAIM(held_from_800[i] == (unit[15:0] >= 16'h800));
                if (unit[16]) `CLAIM(held == value);
            end
        end
    endgenerate

    // Not vacuous: a pair over two beats, with an idle between them, and a first unit at the end of its packet.
    reg [1:0] idles = 2'd0;
    always @(posedge clk) begin
        idles <= !slot_valid || stage_valid[3] || rst ? 2'd0 : idles == 2'd3 ? idles : idles + 2'd1;
        if (started && recorded && stage_valid[3]) cover (slot_waits && is_second(after_slot) && idles == 2'd3);
        if (started && recorded) cover (slot_last && is_first(slot[BEAT-2-:17]));
    end
