// Theorem: at every clock the verdict of `validate` is what RFC 3629's grammar says of the packet's bytes that were accepted,
// with counters that saturate at their width, for all bytes, idles, stalls and resets, for ever.

module check (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [8*`N-1:0] data,
    input wire [`N-1:0] keep,
    input wire sink_ready
);
    localparam N = `N;
    // Clocks of the trees that add and pick lanes.
    localparam TREE = 2 * $clog2(N);
    // Bits of a counter, and of a number that has two more than it.
    localparam W = `COUNTER_WIDTH;
    localparam C = W + 2;
    localparam [C-1:0] MOST = {2'b00, {W{1'b1}}};
    // The counter's highest segment of 4 bits; those above pass on what it carries.
    localparam TOP = W / 4 - 1;
`ifdef AXIS
    wire ready = sink_ready;
`else
    wire ready = 1'b1;
`endif
    `include "contract.svh"
    `include "pieces.svh"
    `include "stages.svh"

    // The beat that leaves the slot: how many bytes, scalar values and ill-formed pieces end in it, and the first of those.
    reg [7:0] bytes_here, scalars_here, ill_formed_here;
    reg any;
    reg [2:0] first_kind;
    reg [1:0] first_length;
    reg [C-1:0] first_start;
    always @(*) begin
        {bytes_here, scalars_here, ill_formed_here, any, first_kind, first_length, first_start} = 0;
        for (int i = N - 1; i >= 0; i = i - 1) if (slot_leaves) begin
            bytes_here = bytes_here + slot_keep[i];
            scalars_here = scalars_here + slot_scalar[i];
            ill_formed_here = ill_formed_here + slot_ill_formed[i];
            if (slot_ill_formed[i]) begin
                any = 1'b1;
                first_kind = slot_kind[3*i+:3];
                first_length = slot_length[2*i+:2];
                first_start = i + 1 - slot_length[2*i+:2];
            end
        end
    end
    // Its last bytes that are a sequence which the next beat goes on with.
    wire [2:0] tail_here = slot_last || slot_ill_formed[N-1] ? 3'd0
        : window::unfinished({slot_bytes[9*N+:9], slot_bytes[9*N+9+:9], slot_bytes[9*N+18+:9]});

    // The packet so far, in numbers that have two bits more than a counter; `far` is whether its bytes need the higher one. Only
    // what comes after the first beat since a reset has a meaning.
    reg begins = 1'b1, begun = 1'b0, far, wrong, signature;
    reg [C-1:0] bytes, valid_up_to, scalars, ill_formed;
    reg [2:0] kind;
    reg [1:0] error_len;
    reg [2:0] tail;
    // Of each counter, bytes lowest: whether it is more than it can show, and which of its segments carried.
    reg [3:0] over;
    reg [31:0] carry;
    reg first;
    wire starts = slot_leaves && begins;
    wire goes_on = !starts;
    wire [C-1:0] old_bytes = starts ? 0 : bytes, old_scalars = starts ? 0 : scalars;
    wire [C-1:0] old_ill_formed = starts ? 0 : ill_formed, old_valid_up_to = starts ? 0 : valid_up_to;
    wire old_far = goes_on && far, old_wrong = goes_on && wrong;
    wire [3:0] old_over = starts ? 4'd0 : over;
    wire [C-1:0] new_bytes = old_bytes + bytes_here, new_scalars = old_scalars + scalars_here;
    wire [C-1:0] new_ill_formed = old_ill_formed + ill_formed_here;
    wire new_far = old_far || new_bytes[C-1];
    wire [C-1:0] start = old_bytes + first_start, safe = new_bytes - tail_here;
    wire [C-1:0] new_valid_up_to = old_wrong ? old_valid_up_to : any ? start : safe;
    wire [C-1:0] valid_up_to_here = new_valid_up_to - old_valid_up_to;
    wire valid_up_to_over = old_wrong ? old_over[1] : any ? old_far || start > MOST : new_far || safe > MOST;
    function automatic [7:0] carries(input [W-1:0] sum, input [7:0] number);
        carries = 8'd0;
        for (int s = 0; s <= TOP; s = s + 1)
            carries[s] = (sum & ((40'h10 << 4 * s) - 1)) + (number & ((40'h10 << 4 * s) - 1)) >= 40'h10 << 4 * s;
    endfunction
    wire [31:0] carries_here = {
        carries(old_ill_formed[W-1:0], ill_formed_here), carries(old_scalars[W-1:0], scalars_here),
        carries(old_valid_up_to[W-1:0], valid_up_to_here[7:0]), carries(old_bytes[W-1:0], bytes_here)
    };
    always @(posedge clk) begin
        first <= starts;
        carry <= 32'd0;
        if (slot_leaves) begin
            begins <= slot_last;
            begun <= 1'b1;
            {bytes, scalars, ill_formed, valid_up_to} <= {new_bytes, new_scalars, new_ill_formed, new_valid_up_to};
            far <= new_far;
            wrong <= old_wrong || any;
            tail <= tail_here;
            over <= {old_over[3] || new_ill_formed > MOST, old_over[2] || new_scalars > MOST, valid_up_to_over,
                old_over[0] || new_bytes > MOST};
            carry <= carries_here;
            signature <= goes_on && signature || |slot_signature;
            kind <= old_wrong ? kind : any ? first_kind : 3'd0;
            // A sequence that the packet's end cuts has none.
            error_len <= old_wrong ? error_len : any && first_kind != 3'd7 ? first_length : 2'd0;
        end
        if (rst) begin
            begins <= 1'b1;
            begun <= 1'b0;
        end
    end

    // The same k clocks later: bits 0 ... are those of one clock later.
    localparam LATER = 15 + TREE;
    reg [LATER-1:0] later_begins = {LATER{1'b1}}, later_begun = 0, later_ended = 0;
    reg [LATER-1:0] later_first, later_wrong, later_signature;
    reg [3*LATER-1:0] later_kind;
    reg [2*LATER-1:0] later_error_len, later_tail;
    reg [4*LATER-1:0] later_over;
    reg [32*LATER-1:0] later_carry;
    reg [W*LATER-1:0] later_bytes, later_valid_up_to, later_scalars, later_ill_formed;
    reg ended = 1'b0;
    always @(posedge clk) begin
        later_begins <= {later_begins, begins};
        later_begun <= {later_begun, begun};
        ended <= slot_leaves && slot_last;
        later_ended <= {later_ended, ended};
        later_first <= {later_first, first};
        later_wrong <= {later_wrong, wrong};
        later_signature <= {later_signature, signature};
        later_kind <= {later_kind, kind};
        later_error_len <= {later_error_len, error_len};
        later_tail <= {later_tail, tail[1:0]};
        later_over <= {later_over, over};
        later_carry <= {later_carry, carry};
        later_bytes <= {later_bytes, bytes[W-1:0]};
        later_valid_up_to <= {later_valid_up_to, valid_up_to[W-1:0]};
        later_scalars <= {later_scalars, scalars[W-1:0]};
        later_ill_formed <= {later_ill_formed, ill_formed[W-1:0]};
        if (rst) begin
            {ended, later_ended, later_begun} <= 0;
            later_begins <= {LATER{1'b1}};
        end
    end

    // Lemmas of the packet so far. Its last bytes are those before the beat in the slot, or before the one at stage 9.
    wire [26:0] newest = slot_valid ? {slot_bytes[8:0], slot_bytes[17:9], slot_bytes[26:18]} : past_9;
    wire goes_on_here = slot_valid && slot_keep[0]
        && window::continues(newest, window::unfinished(newest), slot_bytes[34:27]);
    always @(posedge clk) if (started) begin
        `WHOLE(begins == !newest[8]);
        // The beat before waits for this one if it has to.
        if (!slot_valid) `WHOLE(window::unfinished(newest) == 3'd0);
        if (!begins) `WHOLE(begun);
        if (begun && !begins) begin
            `WHOLE(tail == (goes_on_here ? window::unfinished(newest) : 3'd0));
            `WHOLE(far || bytes >= 2'd1 + newest[17] + newest[26]);
        end
        if (ended) `WHOLE(begun && begins);
        if (begun) begin
            if (far) `WHOLE(over[1:0] == 2'b11 || wrong && over[0]);
            `WHOLE(far || !bytes[C-1]);
            `WHOLE(far || over[0] == (bytes > MOST));
            if (begins) `WHOLE(tail == 3'd0);
            if (!wrong) `WHOLE(valid_up_to == bytes - tail);
            if (!wrong) `WHOLE(over[1] == (far || valid_up_to > MOST));
            `WHOLE(over[1] || valid_up_to <= MOST);
            `WHOLE(over[2] || scalars <= MOST);
            `WHOLE(over[3] || ill_formed <= MOST);
            if (!wrong) `WHOLE(kind == 3'd0 && error_len == 2'd0);
        end
        `WHOLE(over == (later_over[3:0] & {4{!first}} | {carry[24+TOP], carry[16+TOP], carry[8+TOP], carry[TOP]}) || !begun);
        if (begun && !later_begun[0]) `WHOLE(first);
    end
    generate
        for (genvar k = 0; k < LATER; k = k + 1) begin : g_later
            always @(posedge clk) if (started) begin
                if (later_ended[k]) `WHOLE(later_begun[k]);
                if (later_begun[k] && !later_wrong[k]) `WHOLE(later_kind[3*k+:3] == 3'd0 && later_error_len[2*k+:2] == 2'd0);
            end
        end
        for (genvar k = 0; k + 1 < LATER; k = k + 1) begin : g_over
            always @(posedge clk) if (started && later_begun[k]) begin
                `WHOLE(later_over[4*k+:4] == (later_over[4*k+4+:4] & {4{!later_first[k]}}
                    | {later_carry[32*k+24+TOP], later_carry[32*k+16+TOP], later_carry[32*k+8+TOP], later_carry[32*k+TOP]}));
                if (!later_begun[k+1]) `WHOLE(later_first[k]);
            end
        end
    endgenerate

    // Lemmas of `verdict`: its registers are the packet so far, some clocks later.
    (* hierconn *) wire \VERDICT.begins ;
    (* hierconn *) wire \VERDICT.wrong ;
    (* hierconn *) wire \VERDICT.tail_before_0 ;
    (* hierconn *) wire \VERDICT.tail_before_1 ;
    (* hierconn *) wire [2:0] \VERDICT.v1_kind ;
    (* hierconn *) wire [1:0] \VERDICT.v1_error_len ;
    (* hierconn *) wire \VERDICT.v1_signature ;
    (* hierconn *) wire \VERDICT.v1_wrong ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.segment_0.total ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.segment_1.total ;
`ifdef SEGMENTS_2
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.segment_2.total ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.segment_3.total ;
`endif
`ifdef SEGMENTS_3
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.segment_4.total ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.segment_5.total ;
`endif
`ifdef SEGMENTS_4
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.segment_6.total ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.segment_7.total ;
`endif
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_0.carried ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_1.carried ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_2.carried ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_3.carried ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_4.carried ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_5.carried ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_6.carried ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_7.carried ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_0.first_next ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_1.first_next ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_2.first_next ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_3.first_next ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_4.first_next ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_5.first_next ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_6.first_next ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.segment_7.first_next ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.late_0.stage_3 ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.late_1.stage_3 ;
`ifdef SEGMENTS_2
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.late_2.stage_3 ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.late_3.stage_3 ;
`endif
`ifdef SEGMENTS_3
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [3:0] \VERDICT.%.late_4.stage_3 ;
`endif
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.%.over ;
    (* hierconn *) wire \VERDICT.done.stage_3 ;
    (* hierconn *) wire \VERDICT.done.stage_7 ;
    (* hierconn *) wire [2:0] \VERDICT.late_v1_kind.stage_2 ;
    (* hierconn *) wire [2:0] \VERDICT.late_v1_kind.stage_6 ;
    (* hierconn *) wire [1:0] \VERDICT.late_v1_error_len.stage_2 ;
    (* hierconn *) wire [1:0] \VERDICT.late_v1_error_len.stage_6 ;
    (* hierconn *) wire \VERDICT.late_v1_signature.stage_2 ;
    (* hierconn *) wire \VERDICT.late_v1_signature.stage_6 ;
    (* hierconn *) wire \VERDICT.late_v1_wrong.stage_2 ;
    (* hierconn *) wire \VERDICT.late_v1_wrong.stage_6 ;
    localparam bytes_is = 0, valid_up_to_is = 1, scalars_is = 2, ill_formed_is = 3;
    localparam V0 = 1 + TREE, V1 = 2 + TREE, SUM = 4 + TREE, LATE_V1 = 5 + TREE, LATE_V2 = 9 + TREE;
    always @(posedge clk) if (started) begin
        `WHOLE(\VERDICT.begins == later_begins[1]);
        if (later_begun[V0]) begin
            `WHOLE(\VERDICT.wrong == later_wrong[V0]);
            if (!later_begins[V0]) `WHOLE({\VERDICT.tail_before_1 , \VERDICT.tail_before_0 } == later_tail[2*V0+:2]);
        end
        if (later_begun[V1]) begin
            `WHOLE(\VERDICT.v1_kind == later_kind[3*V1+:3]);
            `WHOLE(\VERDICT.v1_error_len == later_error_len[2*V1+:2]);
            `WHOLE(\VERDICT.v1_signature == later_signature[V1]);
            `WHOLE(\VERDICT.v1_wrong == later_wrong[V1]);
        end
        `WHOLE(\VERDICT.done.stage_3 == later_ended[SUM]);
        `WHOLE(\VERDICT.done.stage_7 == later_ended[SUM+4]);
        if (later_begun[LATE_V1]) begin
            `WHOLE(\VERDICT.late_v1_kind.stage_2 == later_kind[3*LATE_V1+:3]);
            `WHOLE(\VERDICT.late_v1_error_len.stage_2 == later_error_len[2*LATE_V1+:2]);
            `WHOLE(\VERDICT.late_v1_signature.stage_2 == later_signature[LATE_V1]);
            `WHOLE(\VERDICT.late_v1_wrong.stage_2 == later_wrong[LATE_V1]);
        end
        if (later_begun[LATE_V2]) begin
            `WHOLE(\VERDICT.late_v1_kind.stage_6 == later_kind[3*LATE_V2+:3]);
            `WHOLE(\VERDICT.late_v1_error_len.stage_6 == later_error_len[2*LATE_V2+:2]);
            `WHOLE(\VERDICT.late_v1_signature.stage_6 == later_signature[LATE_V2]);
            `WHOLE(\VERDICT.late_v1_wrong.stage_6 == later_wrong[LATE_V2]);
        end
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+0]) `WHOLE(\VERDICT.%.segment_0.total == later_%[W*SUM+0*W+0+:4]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+1]) `WHOLE(\VERDICT.%.segment_1.total == later_%[W*SUM+1*W+4+:4]);
`ifdef SEGMENTS_2
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+2]) `WHOLE(\VERDICT.%.segment_2.total == later_%[W*SUM+2*W+8+:4]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+3]) `WHOLE(\VERDICT.%.segment_3.total == later_%[W*SUM+3*W+12+:4]);
`endif
`ifdef SEGMENTS_3
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+4]) `WHOLE(\VERDICT.%.segment_4.total == later_%[W*SUM+4*W+16+:4]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+5]) `WHOLE(\VERDICT.%.segment_5.total == later_%[W*SUM+5*W+20+:4]);
`endif
`ifdef SEGMENTS_4
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+6]) `WHOLE(\VERDICT.%.segment_6.total == later_%[W*SUM+6*W+24+:4]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+7]) `WHOLE(\VERDICT.%.segment_7.total == later_%[W*SUM+7*W+28+:4]);
`endif
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+0]) `WHOLE(\VERDICT.%.segment_0.carried == later_carry[32*SUM+0+8*%_is+(TOP < 0 ? TOP : 0)]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+1]) `WHOLE(\VERDICT.%.segment_1.carried == later_carry[32*SUM+32+8*%_is+(TOP < 1 ? TOP : 1)]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+2]) `WHOLE(\VERDICT.%.segment_2.carried == later_carry[32*SUM+64+8*%_is+(TOP < 2 ? TOP : 2)]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+3]) `WHOLE(\VERDICT.%.segment_3.carried == later_carry[32*SUM+96+8*%_is+(TOP < 3 ? TOP : 3)]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+4]) `WHOLE(\VERDICT.%.segment_4.carried == later_carry[32*SUM+128+8*%_is+(TOP < 4 ? TOP : 4)]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+5]) `WHOLE(\VERDICT.%.segment_5.carried == later_carry[32*SUM+160+8*%_is+(TOP < 5 ? TOP : 5)]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+6]) `WHOLE(\VERDICT.%.segment_6.carried == later_carry[32*SUM+192+8*%_is+(TOP < 6 ? TOP : 6)]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+7]) `WHOLE(\VERDICT.%.segment_7.carried == later_carry[32*SUM+224+8*%_is+(TOP < 7 ? TOP : 7)]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+0]) `WHOLE(\VERDICT.%.segment_0.first_next == later_first[SUM+0]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+1]) `WHOLE(\VERDICT.%.segment_1.first_next == later_first[SUM+1]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+2]) `WHOLE(\VERDICT.%.segment_2.first_next == later_first[SUM+2]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+3]) `WHOLE(\VERDICT.%.segment_3.first_next == later_first[SUM+3]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+4]) `WHOLE(\VERDICT.%.segment_4.first_next == later_first[SUM+4]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+5]) `WHOLE(\VERDICT.%.segment_5.first_next == later_first[SUM+5]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+6]) `WHOLE(\VERDICT.%.segment_6.first_next == later_first[SUM+6]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+7]) `WHOLE(\VERDICT.%.segment_7.first_next == later_first[SUM+7]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+4]) `WHOLE(\VERDICT.%.late_0.stage_3 == later_%[W*(SUM+4)+0+:4]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+5]) `WHOLE(\VERDICT.%.late_1.stage_3 == later_%[W*(SUM+5)+4+:4]);
`ifdef SEGMENTS_2
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+6]) `WHOLE(\VERDICT.%.late_2.stage_3 == later_%[W*(SUM+6)+8+:4]);
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+7]) `WHOLE(\VERDICT.%.late_3.stage_3 == later_%[W*(SUM+7)+12+:4]);
`endif
`ifdef SEGMENTS_3
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+8]) `WHOLE(\VERDICT.%.late_4.stage_3 == later_%[W*(SUM+8)+16+:4]);
`endif
        each(bytes valid_up_to scalars ill_formed) if (later_begun[SUM+8]) `WHOLE(\VERDICT.%.over == later_over[4*SUM+32+%_is]);
    end

    // What is due at the pins. Without a verdict they are zero.
    localparam OUT = 13 + TREE;
    wire due = later_ended[OUT];
    wire [3:0] saturated = later_over[4*OUT+:4];
    wire [31:0] due_bytes = saturated[0] ? MOST : later_bytes[W*OUT+:W];
    wire [31:0] due_valid_up_to = saturated[1] ? MOST : later_valid_up_to[W*OUT+:W];
    wire [31:0] due_scalars = saturated[2] ? MOST : later_scalars[W*OUT+:W];
    wire [31:0] due_ill_formed = saturated[3] ? MOST : later_ill_formed[W*OUT+:W];
    wire [159:0] expected = {
        12'h0, saturated, 6'h0, later_error_len[2*OUT+:2], 1'b0, later_kind[3*OUT+:3], 2'h0, later_signature[OUT],
        !later_wrong[OUT], due_ill_formed, due_scalars, due_valid_up_to, due_bytes
    };

    wire out_valid;
    wire [159:0] out;
    `DUT dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(valid), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last),
`ifdef AXIS
        .s_axis_tready(sink_ready),
`endif
        .m_axis_verdict_tvalid(out_valid), .m_axis_verdict_tdata(out)
    );
    // In the clock after a reset, without a verdict, the fields may show what was dropped.
    reg was_reset;
    always @(posedge clk) was_reset <= rst;
    always @(posedge clk) if (started) `WHOLE(out_valid == due);
    always @(posedge clk) if (started && !was_reset) `WHOLE(out == (due ? expected : 160'h0));

    // Not vacuous: a verdict of each kind, one with a signature, and one of two ill-formed pieces behind a well-formed one.
    generate
        for (genvar k = 0; k <= 7; k = k + 1) begin : g_kind
            always @(posedge clk) cover (started && out_valid && out[134:132] == k);
        end
    endgenerate
    always @(posedge clk) begin
        cover (started && out_valid && out[129]);
        cover (started && out_valid && out[127:96] == 2 && out[63:32] == 1);
    end
endmodule
