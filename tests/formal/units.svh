    // Lemmas of `units`: the bytes before, what they have for the bits 6 to 9 of the next byte's unit, and the unit that is kept in the slot.

    // What a byte has for these bits: of the second of four, what is left after one is taken from the bits 20 to 16 of the scalar value, but
    // for the upper two, which are bits of the byte before; else its own lowest bits.
    function automatic [3:0] for_next(input [8:0] before, input [7:0] x);
        for_next = before[8] && rfc3629::begins(3'd3, before[7:0], x, 8'h80)
            ? {x[5:4] == 2'b00 && !before[0], x[5:4] == 2'b00, x[5:4] - 2'b01} : x[3:0];
    endfunction

    (* hierconn *) wire [7:0] \UNITS.s9_one_before_carried ;
    (* hierconn *) wire [7:0] \UNITS.s9_two_before_carried ;
    (* hierconn *) wire \UNITS.s8_first_carried ;
    each(6..9) (* hierconn *) wire \UNITS.s9_b_%_carried ;
    wire [3:0] carried_for_next = {\UNITS.s9_b_9_carried , \UNITS.s9_b_8_carried , \UNITS.s9_b_7_carried , \UNITS.s9_b_6_carried };
`ifdef MANY
    (* hierconn *) wire [16*N-1:0] \UNITS.s10_slot_units.held ;
    wire [16*N-1:0] held_units = \UNITS.s10_slot_units.held ;
`else
    (* hierconn *) wire [16*N-1:0] \UNITS.s10_slot_units_held ;
    wire [16*N-1:0] held_units = \UNITS.s10_slot_units_held ;
`endif
    always @(posedge clk) if (started) begin
        if (past_7[8]) `WHOLE(\UNITS.s8_first_carried == past_7[0]);
        if (past_8[8]) `WHOLE(\UNITS.s9_one_before_carried == past_8[7:0]);
        if (past_8[17]) `WHOLE(\UNITS.s9_two_before_carried == past_8[16:9]);
        if (past_8[8]) `WHOLE(carried_for_next == for_next(past_8[17:9], past_8[7:0]));
    end
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_held_unit
            wire is_third_of_4 = window::unfinished({g_slot[i].x2, g_slot[i].x1, g_slot[i].x0}) == 3'd3;
            // The first unit does not depend on the fourth byte.
            wire [20:0] pair = rfc3629::scalar(3'd4, g_slot[i].x2[7:0], g_slot[i].x1[7:0], g_slot[i].x0[7:0], 8'h80);
            wire [20:0] value = slot_value[21*i+:21];
            wire [15:0] unit = is_third_of_4 ? rfc2781::first(pair)
                : rfc2781::pair(value) ? rfc2781::second(value) : rfc2781::first(value);
            // ASCII has bit 7 cleared when it leaves.
            wire is_ascii = !is_third_of_4 && value < 21'h80;
            for (genvar b = 0; b < 16; b = b + 1) begin : g_bit
                always @(posedge clk)
                    if (started && slot_valid && (slot_scalar[i] || is_third_of_4) && !(is_ascii && b == 7))
                        `LANE(i, held_units[N*b+i] == unit[b]);
            end
        end
    endgenerate

`ifndef SHALLOW
    // The bytes at stages 3 and 8, and their positions.
    `include "stages.svh"
    (* hierconn *) wire [48*N-1:0] \UNITS.delay_bytes_6.stages ;
    (* hierconn *) wire [8*N-1:0] \UNITS.s8_bytes ;
    (* hierconn *) wire [2*N-1:0] \UNITS.delay_third_of_4_8.stages ;
    each(6..9) (* hierconn *) wire [N-1:0] \UNITS.s8_for_% ;
    (* hierconn *) wire [N-1:0] \PIECES.s8_third_up ;
    (* hierconn *) wire [N-1:0] \PIECES.s8_fourth ;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_position
            wire [3:0] for_bits = {\UNITS.s8_for_9 [i], \UNITS.s8_for_8 [i], \UNITS.s8_for_7 [i], \UNITS.s8_for_6 [i]};
            always @(posedge clk) if (started && valids[8]) begin
                `LANE(i, \PIECES.s8_third_up [i] == (g_stage_8[i].consumed && g_stage_8[i].open_before >= 3'd2));
                `LANE(i, \PIECES.s8_fourth [i] == (g_stage_8[i].consumed && g_stage_8[i].open_before == 3'd3));
                `LANE(i, \UNITS.delay_third_of_4_8.stages [N+i] == (g_stage_8[i].open_now == 3'd3));
                if (g_stage_8[i].there) `LANE(i, for_bits == for_next(g_stage_8[i].before[8:0], g_stage_8[i].x));
            end
            for (genvar b = 0; b < 8; b = b + 1) begin : g_byte
                always @(posedge clk) if (started) begin
                    if (valids[3]) `LANE(i, \UNITS.delay_bytes_6.stages [16*N+N*b+i] == beat_3[9*i+b]);
                    if (valids[8]) `LANE(i, \UNITS.s8_bytes [N*b+i] == beat_8[9*i+b]);
                end
            end
        end
    endgenerate
`endif
