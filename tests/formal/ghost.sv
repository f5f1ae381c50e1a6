// What a core was given, as each of its stages knows it. Formal only: plain registers beside the pipeline, which hold bytes.
//
// Stage 0 is the core's input register. A beat is at stage s + 1 a clock after it was at stage s, or in the same clock if stage s + 1 has
// no registers (CUTS says which stages have them); a reset drops every beat. In the slot, after stage 9, a beat waits for the next one if
// its top lane is in an unfinished sequence. In the core what was before a reset goes on until it is in the slot, so about a stage nothing
// is said until the reset has come by.

`include "claims.svh"

module ghost #(
    parameter N = 1,
    // Bits of a window::past.
    parameter PAST = 9 * `BACK,
    // Bit s: stage s has registers. Bit 0 is set.
    parameter [9:0] CUTS = ~10'h0
) (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [8*N-1:0] data,
    input wire [N-1:0] keep,

    // The packet's bytes before the beats at stages 3 to 9: each a window::past.
    output wire [PAST-1:0] past_3,
    output wire [PAST-1:0] past_4,
    output wire [PAST-1:0] past_5,
    output wire [PAST-1:0] past_6,
    output wire [PAST-1:0] past_7,
    output wire [PAST-1:0] past_8,
    output wire [PAST-1:0] past_9,

    // The beat in the slot.
    output reg slot_valid,
    output reg slot_last,
    output wire [N-1:0] slot_keep,
    // Its bytes between the BACK ones before it and the one after it: N + BACK + 1 times a window::maybe_byte, the oldest lowest. The
    // one after it is the next beat's first, once that is there.
    output wire [9*N+PAST+8:0] slot_bytes,
    output wire slot_waits,
    output wire slot_leaves,

    // The beats at stages 3, 8 and 9: whether it is the last, and N times a window::maybe_byte.
    output wire [9*N:0] beat_3,
    output wire [9*N:0] beat_8,
    output wire [9*N:0] beat_9,

    // Where beats are between stage 0 and the slot; and which of these the reset has passed.
    output wire [9:0] valids,
    output wire [9:0] lives,
    // Bit k: no reset came in the last k + 1 clocks.
    output reg [9:0] rested
);
    localparam STAGES = 10;
    localparam BEAT = 9 * N + 1;

    // What each stage has, and what its registers hold; those of a stage without registers are not used.
    // A beat is {last, and keep and data of each lane}.
    wire [STAGES-1:0] valid_at, live_at;
    wire [BEAT*STAGES-1:0] beat_at;
    wire [PAST*STAGES-1:0] past_at;
    reg [STAGES-1:0] valid_held, live_held;
    reg [BEAT*STAGES-1:0] beat_held;
    reg [PAST*STAGES-1:0] past_held;
    assign {valid_at[0], live_at[0]} = {valid_held[0], live_held[0]};
    assign {beat_at[0+:BEAT], past_at[PAST-1:0]} = {beat_held[0+:BEAT], past_held[PAST-1:0]};
    generate
        for (genvar s = 1; s < STAGES; s = s + 1) begin : g_stage
            assign valid_at[s] = CUTS[s] ? valid_held[s] : valid_at[s-1];
            assign live_at[s] = CUTS[s] ? live_held[s] : live_at[s-1];
            assign beat_at[BEAT*s+:BEAT] = CUTS[s] ? beat_held[BEAT*s+:BEAT] : beat_at[BEAT*(s-1)+:BEAT];
            assign past_at[PAST*s+:PAST] = CUTS[s] ? past_held[PAST*s+:PAST] : past_at[PAST*(s-1)+:PAST];
        end
    endgenerate

    // The past after a beat that is not its packet's last, and therefore full.
    function automatic [PAST-1:0] past_after(input [PAST-1:0] before, input [BEAT-1:0] beat);
        past_after = before;
        for (int i = 0; i < N; i = i + 1) past_after = {past_after[PAST-10:0], beat[9*i+:9]};
    endfunction

    wire [BEAT-1:0] entering, at_0, at_9;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_enter
            assign entering[9*i+:9] = {keep[i], data[8*i+:8]};
        end
    endgenerate
    assign entering[9*N] = last;
    assign at_0 = beat_at[0+:BEAT];
    assign at_9 = beat_at[BEAT*9+:BEAT];

    reg [9*N-1:0] slot_lanes;
    reg [PAST-1:0] slot_past;
    initial begin
        valid_held = 0;
        live_held = 0;
        past_held = 0;
        rested = 0;
        slot_valid = 0;
    end
    always @(posedge clk) begin
        valid_held <= {valid_at[STAGES-2:0], valid};
        live_held <= {live_at[STAGES-2:0], 1'b1};
        beat_held <= {beat_at[BEAT*(STAGES-1)-1:0], entering};
        past_held <= {past_at[PAST*(STAGES-1)-1:0], past_at[PAST-1:0]};
        if (valid_at[0]) past_held[PAST-1:0] <= at_0[9*N] ? {PAST{1'b0}} : past_after(past_at[PAST-1:0], at_0);
        rested <= {rested[8:0], 1'b1};
        slot_valid <= valid_at[9] || slot_valid && slot_waits;
        if (valid_at[9]) begin
            slot_last <= at_9[9*N];
            slot_lanes <= at_9[9*N-1:0];
            slot_past <= past_at[PAST*9+:PAST];
        end
        if (rst) begin
            valid_held <= 0;
            live_held <= 0;
            past_held <= 0;
            rested <= 0;
            slot_valid <= 0;
        end
    end

    assign past_3 = past_at[PAST*3+:PAST];
    assign past_4 = past_at[PAST*4+:PAST];
    assign past_5 = past_at[PAST*5+:PAST];
    assign past_6 = past_at[PAST*6+:PAST];
    assign past_7 = past_at[PAST*7+:PAST];
    assign past_8 = past_at[PAST*8+:PAST];
    assign past_9 = past_at[PAST*9+:PAST];
    assign beat_3 = beat_at[BEAT*3+:BEAT];
    assign beat_8 = beat_at[BEAT*8+:BEAT];
    assign beat_9 = at_9;
    assign valids = valid_at;
    assign lives = live_at;

    wire [PAST-1:0] after_slot = past_after(slot_past, {slot_last, slot_lanes});
    wire [8:0] after_last = slot_last || !valid_at[9] ? 9'h0 : at_9[8:0];
    assign slot_bytes[9*N+PAST+8:PAST] = {after_last, slot_lanes};
    generate
        for (genvar k = 1; k <= `BACK; k = k + 1) begin : g_past
            assign slot_bytes[PAST-9*k+:9] = slot_past[9*k-9+:9];
        end
    endgenerate
    assign slot_waits = !slot_last && window::unfinished(after_slot) != 3'd0;
    assign slot_leaves = slot_valid && (valid_at[9] || !slot_waits);
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_keep
            assign slot_keep[i] = slot_lanes[9*i+8];
        end
    endgenerate

    // Each stage's past is that of the next one with registers, and the beat there.
    generate
        for (genvar s = 1; s < STAGES; s = s + 1) if (CUTS[s]) begin : g_agree
            wire [BEAT-1:0] beat = beat_at[BEAT*s+:BEAT];
            always @(posedge clk)
                `WHOLE(past_at[PAST*(s-1)+:PAST] == (!valid_at[s] ? past_at[PAST*s+:PAST]
                    : beat[9*N] ? {PAST{1'b0}} : past_after(past_at[PAST*s+:PAST], beat)));
        end
    endgenerate
    always @(posedge clk) if (slot_valid) `WHOLE(past_at[PAST*9+:PAST] == (slot_last ? {PAST{1'b0}} : after_slot));

    // Beats are as the contract has them, and bytes are remembered without gaps.
    generate
        for (genvar s = 0; s < STAGES; s = s + 1) begin : g_contract
            wire [N-1:0] there;
            for (genvar i = 0; i < N; i = i + 1) begin : g_there
                assign there[i] = beat_at[BEAT*s+9*i+8];
            end
            always @(posedge clk) begin
                `WHOLE(past_at[PAST*s+8] || past_at[PAST*s+:PAST] == 0);
                `WHOLE(live_at[s] || past_at[PAST*s+:PAST] == 0);
                // Beats before this one were full: only before the first lane of one there may be none.
                for (int k = 1; k < `BACK; k = k + 1) begin
                    `WHOLE(past_at[PAST*s+9*k-1] || !past_at[PAST*s+9*k+8]);
                    if (k % N != 0) `WHOLE(past_at[PAST*s+9*k+8] == past_at[PAST*s+9*k-1]);
                end
            end
            always @(posedge clk) if (valid_at[s]) begin
                `WHOLE((there >> 1 & ~there) == 0);
                if (!beat_at[BEAT*s+9*N]) `WHOLE(&there);
            end
        end
    endgenerate
    // A reset passes a stage with registers in a clock, and the others at once.
    function automatic integer registers(input integer stage);
        registers = 0;
        for (int s = 0; s <= stage; s = s + 1) registers = registers + CUTS[s];
    endfunction
    generate
        for (genvar s = 0; s < STAGES; s = s + 1) begin : g_rested
            always @(posedge clk) `WHOLE(live_at[s] == rested[registers(s)-1]);
        end
    endgenerate
    always @(posedge clk) begin
        `WHOLE((rested >> 1 & ~rested) == 0);
        `WHOLE((live_at >> 1 & ~live_at) == 0);
        `WHOLE((valid_at & ~live_at) == 0);
        if (slot_valid) `WHOLE(slot_past[8] || slot_past == 0);
        for (int k = 1; k < `BACK; k = k + 1) if (slot_valid) begin
            `WHOLE(slot_past[9*k-1] || !slot_past[9*k+8]);
            if (k % N != 0) `WHOLE(slot_past[9*k+8] == slot_past[9*k-1]);
        end
        if (slot_valid) `WHOLE((slot_keep >> 1 & ~slot_keep) == 0);
        if (slot_valid && !slot_last) `WHOLE(&slot_keep);
    end
endmodule
