// Theorem: at every clock the verdict of `validate` is what RFC 3629's grammar requires for the accepted bytes of the packet,
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
    // Bits of a counter, and of a number that has two more than it.
    localparam W = `COUNTER_WIDTH;
    localparam C = W + 2;
    localparam [C-1:0] MOST = {2'b00, {W{1'b1}}};
    // A counter takes its lower bits one a step, those above all at once: the last step is the carry out of these.
    localparam LOWER = `LOWER, UPPER = W - LOWER, STEPS = LOWER + 1, TOP = LOWER;
    localparam [31:0] UPPER_ONES = (33'd1 << UPPER) - 1;
`ifdef AXIS
    wire ready = sink_ready;
`else
    wire ready = 1'b1;
`endif
    `include "contract.svh"
    `include "slot.svh"
    `include "pieces.svh"
`ifndef SHALLOW
    `include "stages.svh"
`endif

    // The beat that leaves the slot: how many bytes, scalar values and ill-formed pieces end in it, and the first of those.
    reg [7:0] bytes_here, scalars_here, ill_formed_here;
    reg any;
    reg [2:0] first_kind;
    reg [LENGTH-1:0] first_length;
    reg [C-1:0] first_start;
    reg [7:0] first_top;
    always @(*) begin
        {bytes_here, scalars_here, ill_formed_here, any, first_kind, first_length, first_start, first_top} = 0;
        for (int i = N - 1; i >= 0; i = i - 1) if (slot_leaves) begin
            bytes_here = bytes_here + slot_keep[i];
            scalars_here = scalars_here + slot_scalar[i];
            ill_formed_here = ill_formed_here + slot_ill_formed[i];
            if (slot_ill_formed[i]) begin
                any = 1'b1;
                first_kind = slot_kind[3*i+:3];
                first_length = slot_length[LENGTH*i+:LENGTH];
                first_start = i + 1 - slot_length[LENGTH*i+:LENGTH];
                first_top = i;
            end
        end
    end
    // Its last bytes that are a sequence which the next beat goes on with.
    wire [PAST-1:0] slot_end;
    wire [2:0] tail_here = slot_last || slot_ill_formed[N-1] ? 3'd0 : window::unfinished(slot_end);

    // The packet so far, in numbers that have two bits more than a counter; `far` is whether its bytes need the higher one. Only
    // what comes after the first beat since a reset has a meaning.
    reg begins = 1'b1, begun = 1'b0, far, wrong, signature;
    reg [C-1:0] bytes, valid_up_to, scalars, ill_formed;
    reg [2:0] kind;
    reg [LENGTH-1:0] error_len;
    reg [2:0] tail;
    // Of each counter, bytes lowest: whether it is more than it can show, and which of its steps carried.
    reg [3:0] over;
    reg [4*STEPS-1:0] carry;
    reg [31:0] number;
    reg [3:0] one;
    reg [7:0] added, rest, added_carry;
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
    function automatic [STEPS-1:0] carries(input [W-1:0] sum, input [7:0] number, input one);
        reg c;
        c = one;
        carries = 0;
        for (int b = 0; b < LOWER; b = b + 1) begin
            c = sum[b] && number[b] || (sum[b] || number[b]) && c;
            carries[b] = c;
        end
        for (int b = LOWER; b < W; b = b + 1) c = sum[b] && c;
        carries[TOP] = c;
    endfunction
    function automatic [7:0] byte_carries(input [7:0] a, input [7:0] b);
        byte_carries[0] = a[0] && b[0];
        for (int i = 1; i < 8; i = i + 1) byte_carries[i] = a[i] && b[i] || (a[i] || b[i]) && byte_carries[i-1];
    endfunction
    // Trees count all lanes but the top one, which comes as the first step's carry.
    wire top_scalar = slot_leaves && slot_scalar[N-1], top_ill_formed = slot_leaves && slot_ill_formed[N-1];
    wire [31:0] numbers_here = {
        ill_formed_here - top_ill_formed, scalars_here - top_scalar, valid_up_to_here[7:0], bytes_here
    };
    wire [3:0] ones_here = {top_ill_formed, top_scalar, 2'b00};
    wire [4*STEPS-1:0] carries_here = {
        carries(old_ill_formed[W-1:0], numbers_here[31:24], ones_here[3]),
        carries(old_scalars[W-1:0], numbers_here[23:16], ones_here[2]),
        carries(old_valid_up_to[W-1:0], numbers_here[15:8], ones_here[1]),
        carries(old_bytes[W-1:0], numbers_here[7:0], ones_here[0])
    };
    // What valid_up_to takes is a sum itself: the bytes of the beat, or up to the first ill-formed piece but one, and what is left.
    wire [7:0] added_here = !slot_leaves || old_wrong ? 8'd0 : any ? first_top : bytes_here;
    wire [7:0] rest_here = valid_up_to_here[7:0] - added_here;
    always @(posedge clk) begin
        first <= starts;
        {carry, number, one, added, rest, added_carry} <= 0;
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
            number <= numbers_here;
            one <= ones_here;
            added <= added_here;
            rest <= rest_here;
            added_carry <= byte_carries(added_here, rest_here);
            signature <= goes_on && signature || |slot_signature;
            kind <= old_wrong ? kind : any ? first_kind : 3'd0;
            // A sequence that the packet's end cuts has none.
            error_len <= old_wrong ? error_len : any && first_kind != 3'd7 ? first_length : {LENGTH{1'b0}};
        end
        if (rst) begin
            begins <= 1'b1;
            begun <= 1'b0;
        end
    end

    // Stages 11 and later that have registers: those up to the last lower bit, those up to the carry into the upper bits, and all.
    localparam D0 = registers(11, 22 + LOWER), D1 = registers(11, 32), OUT = registers(11, 34) - 1;
    // The same k clocks later: element 0 is that of now.
    localparam LATER = OUT + 8;
    reg ended = 1'b0;
    reg [LATER:1] held_begins = {LATER{1'b1}}, held_begun = 0, held_ended = 0;
    reg [LATER:1] held_first, held_wrong, held_signature;
    reg [3*LATER-1:0] held_kind;
    reg [LENGTH*LATER-1:0] held_error_len, held_tail;
    reg [4*LATER-1:0] held_over;
    reg [4*STEPS*LATER-1:0] held_carry;
    reg [32*LATER-1:0] held_number;
    reg [4*LATER-1:0] held_one;
    reg [8*LATER-1:0] held_added, held_rest, held_added_carry;
    reg [32*LATER-1:0] held_bytes, held_valid_up_to, held_scalars, held_ill_formed;
    wire [LATER:0] later_begins = {held_begins, begins}, later_begun = {held_begun, begun}, later_ended = {held_ended, ended};
    wire [LATER:0] later_first = {held_first, first}, later_wrong = {held_wrong, wrong};
    wire [LATER:0] later_signature = {held_signature, signature};
    wire [3*LATER+2:0] later_kind = {held_kind, kind};
    wire [LENGTH*(LATER+1)-1:0] later_error_len = {held_error_len, error_len}, later_tail = {held_tail, tail[LENGTH-1:0]};
    wire [4*LATER+3:0] later_over = {held_over, over}, later_one = {held_one, one};
    wire [4*STEPS*(LATER+1)-1:0] later_carry = {held_carry, carry};
    wire [32*LATER+31:0] later_number = {held_number, number};
    wire [8*LATER+7:0] later_added = {held_added, added}, later_rest = {held_rest, rest};
    wire [8*LATER+7:0] later_added_carry = {held_added_carry, added_carry};
    each(bytes valid_up_to scalars ill_formed) wire [32*LATER+31:0] later_% = {held_%, 32'(%[W-1:0])};
`ifdef OPENS
    // What the edges of the packet so far have cut: which of its first bytes, and how many of its last.
    reg [2:0] heads;
    reg [1:0] cut, cut_here;
    always @(*) begin
        cut_here = 2'd0;
        for (int i = 0; i < N; i = i + 1) if (slot_leaves && slot_cut[i]) cut_here = slot_length[LENGTH*i+:LENGTH];
    end
    reg [3*LATER-1:0] held_heads;
    reg [2*LATER-1:0] held_cut;
    each(heads cut) wire [$bits(held_%)+$bits(%)-1:0] later_% = {held_%, %};
    always @(posedge clk) begin
        if (slot_leaves) begin
            heads <= (goes_on ? heads : 3'd0) | slot_heads;
            cut <= (goes_on ? cut : 2'd0) | cut_here;
        end
        each(heads cut) held_% <= later_%;
    end
    // As numbers, a byte of the beginning for each.
    function automatic [3:0] numbers(input [2:0] heads, input [1:0] cut);
        numbers = {cut, 2'(heads[0] + heads[1] + heads[2])};
    endfunction
`endif
    always @(posedge clk) begin
        ended <= slot_leaves && slot_last;
        each(begins begun ended first wrong signature kind error_len tail over carry number one added rest added_carry) held_% <= later_%;
        each(bytes valid_up_to scalars ill_formed) held_% <= later_%;
        if (rst) begin
            {ended, held_ended, held_begun} <= 0;
            held_begins <= {LATER{1'b1}};
        end
    end

    // Lemmas of the packet so far. Its last bytes are those before the beat in the slot, or before the one at stage 9.
    wire [PAST-1:0] slot_begin;
    generate
        for (genvar k = 1; k <= BACK; k = k + 1) begin : g_slot_past
            assign slot_begin[9*k-9+:9] = slot_bytes[PAST-9*k+:9];
            assign slot_end[9*k-9+:9] = slot_bytes[9*N+PAST-9*k+:9];
        end
    endgenerate
    wire [PAST-1:0] newest = slot_valid ? slot_begin : past_9;
    wire [2:0] newest_open = window::unfinished(newest);
    wire goes_on_here = slot_valid && slot_keep[0] && window::continues(newest, newest_open, slot_bytes[PAST+:8]);
    reg [2:0] newest_bytes;
    always @(*) begin
        newest_bytes = 3'd0;
        for (int k = 1; k <= BACK; k = k + 1) newest_bytes = newest_bytes + newest[9*k-1];
    end
    always @(posedge clk) if (started) begin
        `WHOLE(begins == !newest[8]);
        // The beat before waits for this one if it has to.
        if (!slot_valid) `WHOLE(newest_open == 3'd0);
        if (!begins) `WHOLE(begun);
        // No beat leaves before a reset has gone by.
        if (slot_valid || begun) `WHOLE(&lives);
        if (begun && !begins) begin
`ifdef OPENS
            // What the end cuts waits for a last beat without a byte.
            `WHOLE(tail == (goes_on_here || slot_valid && slot_last && !slot_keep[0] ? newest_open : 3'd0));
`else
            `WHOLE(tail == (goes_on_here ? newest_open : 3'd0));
`endif
            `WHOLE(far || bytes >= newest_bytes);
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
            if (!wrong) `WHOLE(kind == 3'd0 && error_len == 0);
        end
    end
`ifdef OPENS
    // What the packet's first bytes have been says what its beginning has cut.
    wire newest_1 = `GRAMMAR::tail(newest[7:0]), newest_2 = `GRAMMAR::tail(newest[16:9]);
    always @(posedge clk) if (started && begun) begin
        `WHOLE(heads == 3'b000 || heads == 3'b001 || heads == 3'b011 || heads == 3'b111);
        if (!begins && newest[8] && !newest[17]) `WHOLE(heads == {2'b00, newest_1});
        if (!begins && newest[17] && !newest[26]) `WHOLE(heads == {1'b0, newest_1 && newest_2, newest_2});
        // Only a packet's end cuts, or a beat before it.
        if (!begins) `WHOLE(cut == 2'd0 || slot_valid && slot_last && !slot_keep[0]);
    end
`endif
    generate
        for (genvar k = 1; k <= LATER; k = k + 1) begin : g_later
            always @(posedge clk) if (started) begin
                if (later_ended[k]) `WHOLE(later_begun[k]);
                if (later_begun[k] && !later_wrong[k]) `WHOLE(later_kind[3*k+:3] == 3'd0 && later_error_len[LENGTH*k+:LENGTH] == 0);
            end
        end
        for (genvar k = 0; k < LATER; k = k + 1) begin : g_over
            always @(posedge clk) if (started && later_begun[k]) begin
                `WHOLE(later_over[4*k+:4] == (later_over[4*k+4+:4] & {4{!later_first[k]}}
                    | {later_carry[(4*k+3)*STEPS+TOP], later_carry[(4*k+2)*STEPS+TOP], later_carry[(4*k+1)*STEPS+TOP],
                        later_carry[4*k*STEPS+TOP]}));
                if (!later_begun[k+1]) `WHOLE(later_first[k]);
            end
            always @(posedge clk) if (started && later_begun[k+1]) `WHOLE(later_begun[k]);
        end
    endgenerate

    // Bit by bit: what an adder gives is what its operands and the bit below say.
    function automatic adds(input [7:0] sum, input [7:0] a, input [7:0] b, input one, input [7:0] carry);
        adds = {carry, sum} == {a & b | (a | b) & {carry[6:0], one}, a ^ b ^ {carry[6:0], one}};
    endfunction
    function automatic follows(input [31:0] sum, input [31:0] before, input [7:0] number, input one, input [STEPS-1:0] carry);
        reg [LOWER-1:0] a, b, c;
        {a, b, c} = {before[LOWER-1:0], number[LOWER-1:0], {carry[LOWER-2:0], one}};
        follows = {carry[LOWER-1:0], sum[LOWER-1:0]} == {a & b | (a | b) & c, a ^ b ^ c} && number >> LOWER == 0
            && sum >> LOWER == ((before >> LOWER) + carry[LOWER-1] & UPPER_ONES)
            && carry[TOP] == (carry[LOWER-1] && before >> LOWER == UPPER_ONES);
    endfunction
    localparam bytes_is = 0, valid_up_to_is = 1, scalars_is = 2, ill_formed_is = 3;
    generate
        for (genvar k = 0; k < LATER; k = k + 1) begin : g_follows
            always @(posedge clk) if (started && later_begun[k]) begin
                each(bytes valid_up_to scalars ill_formed) `WHOLE(follows(later_%[32*k+:32], later_first[k] ? 0 : later_%[32*k+32+:32], later_number[32*k+8*%_is+:8], later_one[4*k+%_is], later_carry[(4*k+%_is)*STEPS+:STEPS]));
                `WHOLE(later_number[32*k+16+:8] < N && later_number[32*k+24+:8] < N);
                // Bytes that waited come with the next beat. A carry leaves less than a beat with these, so that the next one gives none.
                `WHOLE(later_number[32*k+0+:8] <= N && later_number[32*k+8+:8] + (later_wrong[k] ? 0 : later_tail[LENGTH*k+:LENGTH]) <= N + (later_first[k] ? 0 : later_tail[LENGTH*(k+1)+:LENGTH]));
                if (later_carry[(4*k+valid_up_to_is)*STEPS+LOWER-1]) `WHOLE(later_valid_up_to[32*k+:LOWER] + (later_wrong[k] ? 0 : later_tail[LENGTH*k+:LENGTH]) < N + BACK);
                each(bytes scalars ill_formed) if (later_carry[(4*k+%_is)*STEPS+LOWER-1]) `WHOLE(later_%[32*k+:LOWER] < N);
                `WHOLE(adds(later_number[32*k+8+:8], later_added[8*k+:8], later_rest[8*k+:8], 1'b0, later_added_carry[8*k+:8]));
            end
        end
    endgenerate

    // Lemmas of `verdict`: its registers are the packet so far, some clocks later.
    (* hierconn *) wire \STATE_20.begins ;
    (* hierconn *) wire \STATE_20.wrong ;
    (* hierconn *) wire \STATE_20.tail_before_0 ;
    (* hierconn *) wire \STATE_20.tail_before_1 ;
    (* hierconn *) wire [2:0] \STATE_21.kind ;
    (* hierconn *) wire [1:0] \STATE_21.error_len ;
`ifdef RFC2279
    // What has two bits has a third one.
    (* hierconn *) wire \STATE_20.tail_before_2 ;
    (* hierconn *) wire \STATE_21.error_is_long ;
    wire [LENGTH-1:0] tail_before = {\STATE_20.tail_before_2 , \STATE_20.tail_before_1 , \STATE_20.tail_before_0 };
    wire [LENGTH-1:0] captured_error_len = {\STATE_21.error_is_long , \STATE_21.error_len };
`else
    wire [LENGTH-1:0] tail_before = {\STATE_20.tail_before_1 , \STATE_20.tail_before_0 };
    wire [LENGTH-1:0] captured_error_len = \STATE_21.error_len ;
`endif
    (* hierconn *) wire \STATE_21.signature ;
    each(bytes valid_up_to scalars ill_formed) each(total carried firsts) (* hierconn *) wire [LOWER-1:0] \VERDICT.s34_%.%% ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire \VERDICT.s34_%.over ;
`ifdef CHAIN
    // Its chains, and the bits of each.
    localparam CHAINS = (UPPER + 7) / 8, SIZE = (UPPER + CHAINS - 1) / CHAINS;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [UPPER-1:0] \VERDICT.s34_%.upper ;
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [CHAINS-1:0] \VERDICT.s34_%.goes ;
`ifdef ABOVE
    each(bytes valid_up_to scalars ill_formed) (* hierconn *) wire [CHAINS-1:0] \VERDICT.s34_%.above ;
`endif
`else
    each(bytes valid_up_to scalars ill_formed) each(0..<DIGITS) (* hierconn *) wire [(UPPER - 4 * %% < 4 ? UPPER - 4 * %% : 4)-1:0] \VERDICT.s34_%.digit_%% ;
    each(bytes valid_up_to scalars ill_formed) each(0..<DIGITS) (* hierconn *) wire \VERDICT.s34_%.full_%% ;
    each(bytes valid_up_to scalars ill_formed) each(0..<ONES) (* hierconn *) wire [(UPPER - 4 * %% < 4 ? UPPER - 4 * %% : 4)-3:0] \VERDICT.s34_%.ones_%% ;
    each(bytes valid_up_to scalars ill_formed) each(2..<RUNS) (* hierconn *) wire \VERDICT.s34_%.full_1_to_%% ;
`endif
    // A state of stage 20 or 21 is in a register in any case, a clock after what comes into the stage.
    localparam V0 = registers(11, 19), V1 = registers(11, 20);
    always @(posedge clk) if (started) begin
        `WHOLE(\STATE_20.begins == later_begins[V0]);
        if (later_begun[V0]) begin
            `WHOLE(\STATE_20.wrong == later_wrong[V0]);
            if (!later_begins[V0]) `WHOLE(tail_before == later_tail[LENGTH*V0+:LENGTH]);
        end
        if (later_begun[V1]) begin
            `WHOLE(\STATE_21.kind == later_kind[3*V1+:3]);
            `WHOLE(captured_error_len == later_error_len[LENGTH*V1+:LENGTH]);
            `WHOLE(\STATE_21.signature == later_signature[V1]);
        end
    end

    // Lemmas of the mark that shows the fields, and of its copies: no reset clears these, so they are late by a clock after one.
    localparam ENDED = registers(20, 33) - 1;
    (* hierconn *) wire \VERDICT.s33_ended.shows ;
    each(fields of_bytes of_valid_up_to of_scalars of_ill_formed) (* hierconn *) wire \VERDICT.s33_ended.% ;
    reg was_reset = 1'b1, was_reset_before = 1'b1;
    always @(posedge clk) {was_reset_before, was_reset} <= {was_reset, rst};
    always @(posedge clk) if (started) begin
        `WHOLE(\VERDICT.s33_ended.shows == later_ended[V0+ENDED]);
        each(fields of_bytes of_valid_up_to of_scalars of_ill_formed) if (!was_reset) `WHOLE(\VERDICT.s33_ended.% == later_ended[V0+ENDED]);
    end
`ifdef MARKED
    (* hierconn *) wire [ENDED-1:0] \VERDICT.s33_ended.clocks ;
    always @(posedge clk) if (started)
        for (int k = 0; k < ENDED; k = k + 1) `WHOLE(\VERDICT.s33_ended.clocks [k] == later_ended[V0+k]);
`endif

`ifdef OPENS
    // Lemmas of what the edges have cut.
    (* hierconn *) wire [2:0] \VERDICT.s33_edge.s21_heads ;
    each(0..1) (* hierconn *) wire \VERDICT.s33_edge.s21_tail_% ;
    (* hierconn *) wire [4*LOWER+7:0] \VERDICT.s33_edge.delay_bytes_33.stages ;
    (* hierconn *) wire [LOWER+1:0] \VERDICT.s33_edge.delay_any_33.stages ;
    (* hierconn *) wire [3:0] \VERDICT.s33_edge.s22_bytes ;
    (* hierconn *) wire \VERDICT.s33_edge.s22_any ;
    always @(posedge clk) if (started) begin
        if (later_begun[V1]) begin
            `WHOLE(\VERDICT.s33_edge.s21_heads == later_heads[3*V1+:3]);
            each(0..1) `WHOLE(\VERDICT.s33_edge.s21_tail_% == later_cut[2*V1+%]);
        end
        if (later_begun[V1+1]) begin
            `WHOLE(\VERDICT.s33_edge.s22_bytes == numbers(later_heads[3*(V1+1)+:3], later_cut[2*(V1+1)+:2]));
            `WHOLE(\VERDICT.s33_edge.s22_any == |{later_heads[3*(V1+1)+:3], later_cut[2*(V1+1)+:2]});
        end
        for (int k = 0; k < LOWER + 2; k = k + 1) if (later_begun[V1+2+k]) begin
            `WHOLE(\VERDICT.s33_edge.delay_bytes_33.stages [4*k+:4] == numbers(later_heads[3*(V1+2+k)+:3], later_cut[2*(V1+2+k)+:2]));
            `WHOLE(\VERDICT.s33_edge.delay_any_33.stages [k] == |{later_heads[3*(V1+2+k)+:3], later_cut[2*(V1+2+k)+:2]});
        end
    end
`endif

`ifndef SHALLOW
    // Lemmas of what goes beside the counters.
    (* hierconn *) wire [3*LOWER+8:0] \VERDICT.delay_kind_33.stages ;
    (* hierconn *) wire [2*LOWER+5:0] \VERDICT.delay_error_len_33.stages ;
`ifdef RFC2279
    (* hierconn *) wire [LOWER+2:0] \VERDICT.delay_error_is_long_33.stages ;
`endif
    (* hierconn *) wire [LOWER+2:0] \VERDICT.delay_signature_33.stages ;
    (* hierconn *) wire [LOWER+3:0] \VERDICT.delay_wrong_33.stages ;
    always @(posedge clk) if (started) begin
        for (int k = 0; k < LOWER + 4; k = k + 1) if (later_begun[V1+k]) `WHOLE(\VERDICT.delay_wrong_33.stages [k] == later_wrong[V1+k]);
        for (int k = 0; k < LOWER + 3; k = k + 1) if (later_begun[V1+1+k]) begin
            `WHOLE(\VERDICT.delay_signature_33.stages [k] == later_signature[V1+1+k]);
            `WHOLE(\VERDICT.delay_kind_33.stages [3*k+:3] == later_kind[3*(V1+1+k)+:3]);
            `WHOLE(\VERDICT.delay_error_len_33.stages [2*k+:2] == later_error_len[LENGTH*(V1+1+k)+:2]);
`ifdef RFC2279
            `WHOLE(\VERDICT.delay_error_is_long_33.stages [k] == later_error_len[LENGTH*(V1+1+k)+2]);
`endif
        end
    end

    // Lemmas of the numbers that are counted, on the way to their steps.
    each(0..7) (* hierconn *) wire [2+%:0] \VERDICT.s22_bytes.bit_% ;
    each(1..7) (* hierconn *) wire [%-1:0] \VERDICT.s21_add_bits.bit_% ;
    each(1..7) (* hierconn *) wire [%-1:0] \VERDICT.s21_less_bits.bit_% ;
    (* hierconn *) wire [7:0] \VERDICT.s22_valid_up_to_total ;
    (* hierconn *) wire [7:0] \VERDICT.s22_valid_up_to_carried ;
    always @(posedge clk) if (started) begin
        each(0..7) for (int k = 0; k < 3 + %; k = k + 1) if (later_begun[V0+k]) `WHOLE(\VERDICT.s22_bytes.bit_% [k] == later_number[32*(V0+k)+%]);
        each(1..7) for (int k = 0; k < %; k = k + 1) if (later_begun[V1+1+k]) `WHOLE(\VERDICT.s21_add_bits.bit_% [k] == later_added[8*(V1+1+k)+%]);
        each(1..7) for (int k = 0; k < %; k = k + 1) if (later_begun[V1+1+k]) `WHOLE(\VERDICT.s21_less_bits.bit_% [k] == later_rest[8*(V1+1+k)+%]);
        for (int b = 0; b < 8; b = b + 1) if (later_begun[V1+1+b]) begin
            `WHOLE(\VERDICT.s22_valid_up_to_total [b] == later_number[32*(V1+1+b)+8+b]);
            `WHOLE(\VERDICT.s22_valid_up_to_carried [b] == later_added_carry[8*(V1+1+b)+b]);
        end
    end

    // Lemmas of the counters' bits on the way to the pins.
    each(bytes valid_up_to scalars ill_formed) each(0..<LOWER) (* hierconn *) wire [LOWER-%%:0] \VERDICT.s34_%.bit_%% ;
    each(bytes valid_up_to scalars ill_formed) each(0..<UPPER_1) (* hierconn *) wire [(UPPER < 4 ? UPPER : 4)-1:0] \VERDICT.s34_%.late_digit_%% ;
    always @(posedge clk) if (started) begin
        each(bytes valid_up_to scalars ill_formed) each(0..<LOWER) for (int k = 0; k < LOWER + 1 - %%; k = k + 1) if (later_begun[V1+3+%%+k]) `WHOLE(\VERDICT.s34_%.bit_%% [k] == later_%[32*(V1+3+%%+k)+%%]);
        each(bytes valid_up_to scalars ill_formed) each(0..<UPPER_1) if (later_begun[D1]) `WHOLE(\VERDICT.s34_%.late_digit_%% == digits(later_%[32*D1+:32], 0, 1));
    end
`endif

    // Lemmas of the counters: a step of the lower bits is the packet so far, a clock later than the step before, if there are registers
    // between the two.
    always @(posedge clk) if (started)
        for (int b = 0; b < LOWER; b = b + 1) if (later_begun[registers(11, 22 + b)]) begin
            each(bytes valid_up_to scalars ill_formed) `WHOLE(\VERDICT.s34_%.total [b] == later_%[32*registers(11, 22 + b)+b]);
            each(bytes valid_up_to scalars ill_formed) `WHOLE(\VERDICT.s34_%.carried [b] == later_carry[(4*registers(11, 22 + b)+%_is)*STEPS+b]);
            each(bytes valid_up_to scalars ill_formed) `WHOLE(\VERDICT.s34_%.firsts [b] == later_first[registers(11, 22 + b)]);
        end
    // The upper bits are it, too, all in a clock, but for the lowest digit, which is a clock ahead if there are registers in between; and so
    // are the carries into them. What is known of a digit is a clock older.
    function automatic [31:0] digits(input [31:0] sum, input integer first, input integer end_);
        digits = (sum >> (LOWER + 4 * first)) & (33'd1 << 4 * (end_ - first)) - 1;
    endfunction
    function automatic ones(input [31:0] sum, input integer first, input integer end_);
        ones = digits(sum, first, end_) == digits(UPPER_ONES << LOWER, first, end_);
    endfunction
    function automatic run(input [32*LATER+31:0] later, input integer end_);
        run = ones(later[32*(D1+end_)+:32], 1, 2);
        for (int d = 2; d <= end_; d = d + 1) run = run && ones(later[32*(D1+2+end_-d)+:32], d, d + 1);
    endfunction
`ifdef CARRIED
    each(bytes valid_up_to scalars ill_formed) each(starts into_over) (* hierconn *) wire \VERDICT.s34_%.%% ;
    each(bytes valid_up_to scalars ill_formed) each(1..<DIGITS) (* hierconn *) wire \VERDICT.s34_%.into_%% ;
    always @(posedge clk) if (started && later_begun[D0]) begin
        each(bytes valid_up_to scalars ill_formed) `WHOLE(\VERDICT.s34_%.starts == later_first[D0]);
        each(bytes valid_up_to scalars ill_formed) `WHOLE(\VERDICT.s34_%.into_over == later_carry[(4*D0+%_is)*STEPS+TOP]);
        each(bytes valid_up_to scalars ill_formed) each(1..<DIGITS) `WHOLE(\VERDICT.s34_%.into_%% == (later_carry[(4*D0+%_is)*STEPS+LOWER-1] && !later_first[D0] && ones(later_%[32*(D0+1)+:32], 0, %%)));
    end
`endif
    always @(posedge clk) if (started && later_begun[D1]) begin
        each(bytes valid_up_to scalars ill_formed) `WHOLE(\VERDICT.s34_%.over == later_over[4*D1+%_is]);
    end
`ifdef CHAIN
    // In chains they are it, too, but stay all ones once the counter is more than it can show. What is known of them is one or two clocks
    // older.
    function automatic [31:0] above(input [31:0] sum, input over);
        above = over ? UPPER_ONES : sum >> LOWER & UPPER_ONES;
    endfunction
    function automatic all(input [31:0] upper, input integer first, input integer end_);
        all = &(upper | (32'd1 << first) - 32'd1 | ~((33'd1 << end_) - 33'd1));
    endfunction
    function automatic goes(input [31:0] upper, input integer chain);
        goes = chain == 0 ? all(upper, 3, UPPER) : all(upper, 3, chain * SIZE) && !all(upper, chain * SIZE, UPPER);
    endfunction
    each(bytes valid_up_to scalars ill_formed) wire [31:0] chained_% [0:2];
    generate
        for (genvar k = 0; k < 3; k = k + 1) begin : g_chained
            each(bytes valid_up_to scalars ill_formed) assign chained_%[k] = above(later_%[32*(D1+k)+:32], later_over[4*(D1+k)+%_is]);
        end
        for (genvar c = 0; c < CHAINS; c = c + 1) begin : g_chain
`ifdef ABOVE
            always @(posedge clk) if (started) begin
                each(bytes valid_up_to scalars ill_formed) if (later_begun[D1+1]) `WHOLE(\VERDICT.s34_%.above [c] == goes(chained_%[1], c));
                each(bytes valid_up_to scalars ill_formed) if (later_begun[D1+2]) `WHOLE(\VERDICT.s34_%.goes [c] == (all(chained_%[1], 0, 3) && goes(chained_%[2], c)));
                each(bytes valid_up_to scalars ill_formed) if (later_begun[D1+1] && \VERDICT.s34_%.goes [c]) `WHOLE(all(chained_%[1], 0, 3));
            end
`else
            each(bytes valid_up_to scalars ill_formed) always @(posedge clk) if (started && later_begun[D1+1]) `WHOLE(\VERDICT.s34_%.goes [c] == all(chained_%[1], 0, UPPER));
`endif
        end
    endgenerate
    each(bytes valid_up_to scalars ill_formed) always @(posedge clk) if (started && later_begun[D1]) `WHOLE(\VERDICT.s34_%.upper == chained_%[0]);
`else
    always @(posedge clk) if (started) begin
        each(bytes valid_up_to scalars ill_formed) each(0..<UPPER_1) if (later_begun[D0]) `WHOLE(\VERDICT.s34_%.digit_%% == digits(later_%[32*D0+:32], 0, 1));
        if (later_begun[D1]) begin
            each(bytes valid_up_to scalars ill_formed) each(1..<DIGITS) `WHOLE(\VERDICT.s34_%.digit_%% == digits(later_%[32*D1+:32], %%, %%+1));
        end
        each(bytes valid_up_to scalars ill_formed) each(0..<DIGITS) if (later_begun[(%%==0?D0:D1)+1]) `WHOLE(\VERDICT.s34_%.full_%% == ones(later_%[32*((%%==0?D0:D1)+1)+:32], %%, %%+1));
        each(bytes valid_up_to scalars ill_formed) each(0..<ONES) for (int b = 2; b < (UPPER - 4 * %% < 4 ? UPPER - 4 * %% : 4); b = b + 1) if (later_begun[(%%==0?D0:D1)+1]) `WHOLE(\VERDICT.s34_%.ones_%% [b-2] == &(later_%[32*((%%==0?D0:D1)+1)+:32] >> LOWER + 4 * %% | ~0 << b));
        each(bytes valid_up_to scalars ill_formed) each(2..<RUNS) if (later_begun[D1+%%]) `WHOLE(\VERDICT.s34_%.full_1_to_%% == run(later_%, %%));
    end
`endif

    // What is due at the pins. Without a verdict they are zero. From a packet's last beat it takes as many clocks as the core is deep: here
    // as many as stages have registers.
    always @(posedge clk) `WHOLE(registers(0, 34) == `LATENCY);
    wire due = later_ended[OUT];
    wire [3:0] saturated = later_over[4*OUT+:4];
    wire [31:0] due_bytes = saturated[0] ? MOST : later_bytes[32*OUT+:W];
    wire [31:0] due_valid_up_to = saturated[1] ? MOST : later_valid_up_to[32*OUT+:W];
    wire [31:0] due_scalars = saturated[2] ? MOST : later_scalars[32*OUT+:W];
    wire [31:0] due_ill_formed = saturated[3] ? MOST : later_ill_formed[32*OUT+:W];
`ifdef OPENS
    // The edges of the packet make it no longer well-formed, but do not make it bad.
    wire [3:0] due_edges = numbers(later_heads[3*OUT+:3], later_cut[2*OUT+:2]);
    wire due_bad = later_wrong[OUT], due_well_formed = !later_wrong[OUT] && due_edges == 4'd0;
`else
    wire [3:0] due_edges = 4'd0;
    wire due_bad = 1'b0, due_well_formed = !later_wrong[OUT];
`endif
    wire [159:0] expected = {
        12'h0, saturated, due_edges, {4-LENGTH{1'b0}}, later_error_len[LENGTH*OUT+:LENGTH], 1'b0, later_kind[3*OUT+:3], due_bad, 1'b0,
        later_signature[OUT], due_well_formed, due_ill_formed, due_scalars, due_valid_up_to, due_bytes
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
    // In two clocks after a reset the fields may show what was dropped, without a verdict.
    wire lingers = was_reset || was_reset_before;
    always @(posedge clk) if (started) `WHOLE(out_valid == due);
    always @(posedge clk) if (started && !lingers) `WHOLE(out == (due ? expected : 160'h0));

    // Not vacuous: a verdict of each kind (RFC 2279 has none that is too large), one with each length of a piece, one with a signature, and one of two ill-formed pieces behind a well-formed one.
`ifdef OPENS
    localparam LAST_KIND = 6;
    generate
        for (genvar k = 1; k <= 3; k = k + 1) begin : g_edges
            always @(posedge clk) cover (started && out_valid && !out[131] && out[141:140] == k && out[143:142] == 4 - k);
        end
    endgenerate
`else
    localparam LAST_KIND = 7;
`endif
    generate
        for (genvar k = 0; k <= LAST_KIND; k = k + 1) if (k != 5 || VALUE == 21) begin : g_kind
            always @(posedge clk) cover (started && out_valid && out[134:132] == k);
        end
    endgenerate
    generate
        for (genvar k = 1; k <= BACK; k = k + 1) begin : g_error_len
            always @(posedge clk) cover (started && out_valid && out[138:136] == k);
        end
    endgenerate
    always @(posedge clk) begin
        cover (started && out_valid && out[129]);
        cover (started && out_valid && out[127:96] == 2 && out[63:32] == 1);
    end
endmodule
