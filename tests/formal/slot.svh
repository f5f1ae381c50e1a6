    // The beat in the slot, as the machine of `ghost.sv` remembers it, and what the grammar says of each of its lanes.
    `include "claims.svh"
    wire accepted = valid && ready && (last || |keep);
    localparam BACK = `BACK, VALUE = `VALUE, LENGTH = `LENGTH, PAST = 9 * BACK;
    wire [PAST-1:0] past_3, past_4, past_5, past_6, past_7, past_8, past_9;
    wire [9:0] valids;
    wire [9:0] lives, rested;
    wire [9*N:0] beat_3, beat_8, beat_9;
    wire slot_valid, slot_last, slot_waits, slot_leaves;
    wire [N-1:0] slot_keep;
    wire [9*N+PAST+8:0] slot_bytes;
    // Which stages have registers: bit s for stage s. And how many of the stages from a first to a last one have them.
    localparam [34:0] CUTS = `CUTS;
    function automatic integer registers(input integer first, input integer last);
        registers = 0;
        for (int s = first; s <= last; s = s + 1) registers = registers + CUTS[s];
    endfunction
    ghost #(.N(N), .CUTS(CUTS[9:0])) ghost (
        .clk(clk), .rst(rst), .valid(accepted), .last(last), .data(data), .keep(keep),
        .past_3(past_3), .past_4(past_4), .past_5(past_5), .past_6(past_6), .past_7(past_7), .past_8(past_8), .past_9(past_9),
        .slot_valid(slot_valid), .slot_last(slot_last), .slot_keep(slot_keep), .slot_bytes(slot_bytes),
        .slot_waits(slot_waits), .slot_leaves(slot_leaves), .valids(valids), .lives(lives), .rested(rested),
        .beat_3(beat_3), .beat_8(beat_8), .beat_9(beat_9)
    );

    // Of each lane of the slot's beat: the piece that ends there, and whether it is the last byte of a signature.
    wire [N-1:0] slot_scalar, slot_ill_formed, slot_signature;
    wire [3*N-1:0] slot_kind;
    wire [LENGTH*N-1:0] slot_length;
    wire [VALUE*N-1:0] slot_value;
`ifdef OPENS
    // With open edges: the bytes that the packet's beginning has cut, those of the first three that are so, and where its end cuts a sequence.
    wire [N-1:0] slot_head, slot_cut;
    wire [3*N-1:0] slot_heads_of;
`endif
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_slot
            wire [PAST-1:0] before;
            for (genvar k = 1; k <= BACK; k = k + 1) begin : g_before
                assign before[9*k-9+:9] = slot_bytes[9*i+PAST-9*k+:9];
            end
            wire [8:0] x3 = before[26:18], x2 = before[17:9], x1 = before[8:0];
            wire [8:0] x0 = slot_bytes[9*i+PAST+:9], next = slot_bytes[9*i+PAST+9+:9];
            wire ends_ill_formed;
            piece_at piece_at (
                .before(before), .lane(x0), .next(next), .scalar(slot_scalar[i]), .ill_formed(ends_ill_formed),
                .kind(slot_kind[3*i+:3]), .length(slot_length[LENGTH*i+:LENGTH]), .value(slot_value[VALUE*i+:VALUE])
            );
`ifdef OPENS
            assign slot_cut[i] = ends_ill_formed && slot_kind[3*i+:3] == 3'd7;
            begins_at begins_at (.before(before), .lane(x0), .head(slot_head[i]), .heads(slot_heads_of[3*i+:3]));
            assign slot_ill_formed[i] = ends_ill_formed && !slot_head[i] && !slot_cut[i];
`else
            assign slot_ill_formed[i] = ends_ill_formed;
`endif
            assign slot_signature[i] = !x3[8] && {x2, x1, x0} == {9'h1EF, 9'h1BB, 9'h1BF};
        end
    endgenerate
