// Theorem: `encode` packs what it takes to its network (the theorem `encode` says which bytes these are): each byte leaves once, in its
// place. A packet's bytes leave in order, N in each beat; only the packet's last beat has tlast and may have fewer, and it is empty only if
// the packet's last words have no byte for it and complete no beat. A beat is held until it is accepted; for all words, idles, stalls and
// resets, for ever.

// It is proven in five parts. A part proves its own claims and lemmas, and assumes those of the others for earlier clocks only (claims.svh
// says why that is an induction). A counterexample is one of the claims, without the lemmas. (A space after x ends a name that begins with
// a backslash.)
`ifdef STAGES
`define OF_STAGES(x) assert (x )
`elsif PART
`define OF_STAGES(x) assume (x )
`else
`define OF_STAGES(x) begin end
`endif
`ifdef COUNTS
`define OF_COUNTS(x) assert (x )
`elsif PART
`define OF_COUNTS(x) assume (x )
`else
`define OF_COUNTS(x) begin end
`endif
`ifdef RING
`define OF_RING(x) assert (x )
`elsif PART
`define OF_RING(x) assume (x )
`else
`define OF_RING(x) begin end
`endif
`ifdef WAYS
`define OF_WAYS(x) assert (x )
`elsif PART
`define OF_WAYS(x) assume (x )
`else
`define OF_WAYS(x) begin end
`endif
`ifdef PINS
`define OF_PINS(x) assert (x )
`elsif PART
`define OF_PINS(x) assume (x )
`else
`define OF_PINS(x) begin end
`endif
`ifdef PART
`define CLAIM(x) `OF_PINS(x)
`else
`define CLAIM(x) assert (x )
`endif

module check (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [`WORD*`N-1:0] data,
    input wire [`WORD/8*`N-1:0] keep,
    input wire sink_ready,
    input wire verdict_ready
);
    // A word has four slots for its bytes, the network M for all words. It has a level for each doubling of the slots.
    localparam N = `N, SLOTS = 4, M = SLOTS * N, DOUBLINGS = $clog2(N), LEVELS = 2 + DOUBLINGS;
    // Bits of a byte's place in its beat (always zero with one lane), and of a beat: bytes, tkeep and tlast.
    localparam FILL = N > 1 ? DOUBLINGS : 1, BEAT = 9 * N + 1;
    // Stages are clocks from the sums of the words' lengths, which are SUMS clocks after the words' marks, and these PINS + 1 - SUMS clocks
    // after the pins. The bytes enter the network at stage 7, and the ring's memories at stage WRITE; there is nothing to say after MOST.
    localparam PINS = `TO_NETWORK - 7, SUMS = 1 + DOUBLINGS, WRITE = 7 + LEVELS, MOST = WRITE + 1, AGES = PINS + MOST;

    wire ready, out_valid, out_last;
    wire [8*N-1:0] out_data;
    wire [N-1:0] out_keep;
    `include "contract.svh"
    `DUT dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(valid), .s_axis_tready(ready), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last),
        .m_axis_tvalid(out_valid), .m_axis_tready(sink_ready), .m_axis_tdata(out_data), .m_axis_tkeep(out_keep), .m_axis_tlast(out_last),
        .m_axis_verdict_tready(verdict_ready)
    );

    // The accepted beats of words, the newest first, and which of them end a packet; the clocks since a reset. A reset drops all.
    reg [AGES:0] were = 0, ended = 0, rested = 0;
    always @(posedge clk) begin
        were <= rst ? 0 : {were[AGES-1:0], valid && ready};
        ended <= rst ? 0 : {ended[AGES-1:0], valid && ready && last};
        rested <= rst ? 0 : {rested[AGES-1:0], 1'b1};
    end

    // What the theorem `encode` is about, of the beat that was accepted PINS + 8 clocks ago: the bytes, and a clock earlier the slots that
    // have one.
    (* hierconn *) wire [M-1:0] \PIPELINE.network.present ;
    (* hierconn *) wire [8*M-1:0] \PIPELINE.network.planes ;
    reg [M-1:0] present = 0;
    always @(posedge clk) present <= \PIPELINE.network.present ;
    wire [8*M-1:0] slots;
    generate
        for (genvar i = 0; i < M; i = i + 1)
            for (genvar b = 0; b < 8; b = b + 1) assign slots[8*i+b] = \PIPELINE.network.planes [M*b+i];
    endgenerate
    wire arrives = were[PINS+7], ends_packet = ended[PINS+7];

    // The specification: which beat is open, and how many bytes it has. Beats are numbered as they are filled and as the sink takes them,
    // modulo 256. Any lane of any one of them is watched.
    (* anyconst *) reg [7:0] watched;
    (* anyconst *) reg [FILL-1:0] any_lane;
    wire [FILL-1:0] lane = any_lane & (N - 1);
    reg [7:0] open = 0, taken = 0;
    reg [FILL-1:0] fill = 0;
    // Of the watched beat: whether all of its bytes are there, whether it has a byte in the lane, which, and whether it is a packet's last.
    reg complete = 1'b0, has_byte = 1'b0, is_last = 1'b0;
    reg [7:0] byte_of_it;

    reg [7:0] place, whole, new_byte;
    reg hit;
    always @(*) begin
        place = fill;
        hit = 1'b0;
        new_byte = 8'd0;
        for (int i = 0; i < M; i = i + 1) if (arrives && present[i]) begin
            if (open + (place >> DOUBLINGS) == watched && (place & (N - 1)) == lane) begin
                hit = 1'b1;
                new_byte = slots[8*i+:8];
            end
            place = place + 8'd1;
        end
        whole = place >> DOUBLINGS;
    end
    wire [FILL-1:0] rest = place & (N - 1);
    wire has_part = rest != 0 || whole == 8'd0;
    wire [7:0] completes = !arrives ? 8'd0 : whole + (ends_packet && has_part);
    wire [7:0] to_watched = watched - open;
    wire sends = out_valid && sink_ready;
    always @(posedge clk) begin
        if (arrives) fill <= ends_packet ? 0 : rest;
        open <= open + completes;
        taken <= taken + sends;
        if (sends && taken == watched) begin
            complete <= 1'b0;
            has_byte <= 1'b0;
        end
        if (hit) begin
            has_byte <= 1'b1;
            byte_of_it <= new_byte;
        end
        if (to_watched < completes) begin
            complete <= 1'b1;
            is_last <= ends_packet && to_watched + 8'd1 == completes;
        end
        if (rst) begin
            fill <= 0;
            open <= 8'd0;
            taken <= 8'd0;
            complete <= 1'b0;
            has_byte <= 1'b0;
        end
    end

    // The claim: what the sink is offered is the next beat, whole and unchanged; and it is held until it is taken.
    wire [9:0] expected = {is_last, has_byte, has_byte ? byte_of_it : 8'd0};
    reg held = 1'b0;
    reg [BEAT-1:0] held_out;
    wire [BEAT-1:0] out = {out_last, out_keep, out_data};
    always @(posedge clk) begin
        held <= out_valid && !sink_ready && !rst;
        held_out <= out;
        if (started && out_valid) begin
            `CLAIM(taken != open);
            if (taken == watched) begin
                `CLAIM(complete && {out_last, out_keep[lane], out_data[8*lane+:8]} == expected);
                `CLAIM(out_last || out_keep[lane]);
            end
        end
        if (started && held) `CLAIM(out_valid && out == held_out);
    end

    // Not vacuous: the watched byte is taken after others and was held; a packet's last beat is empty, or full, or has fewer bytes than
    // lanes.
    always @(posedge clk) if (started) begin
        cover (sends && taken == watched && watched == 8'd6 && has_byte && held);
        cover (sends && out_last && out_keep == 0 && taken == 8'd1);
        cover (sends && out_last && &out_keep && taken == 8'd1);
`ifdef WIDE
        cover (sends && out_last && out_keep == 1);
`endif
    end

    `include "packing.svh"
endmodule
