// Theorem: at every clock the verdict of `validate --forbid` has the forbidden classes of the packet's scalar values, as RFC 3629 decodes
// them and Unicode's ranges class them, and the number of bytes up to the end of the first one; and it is bad if there is one or the packet
// is ill-formed, for all bytes, idles, stalls and resets, for ever.

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
    // As in validate.sv, for the one counter that a policy adds.
    localparam W = `COUNTER_WIDTH;
    localparam C = W + 2;
    localparam [C-1:0] MOST = {2'b00, {W{1'b1}}};
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
    `include "stages.svh"
    `include "forbidden.svh"

    // The packet so far. Only what comes after the first beat since a reset has a meaning.
    reg begins = 1'b1, begun = 1'b0, first, wrong, is_met, over, one;
    reg [7:0] met, number;
    reg [C-1:0] forbidden_end;
    reg [STEPS-1:0] carry;
    reg [7:0] bytes_here;
    always @(*) begin
        bytes_here = 0;
        for (int i = 0; i < N; i = i + 1) bytes_here = bytes_here + slot_keep[i];
    end
    wire starts = slot_leaves && begins;
    wire goes_on = !starts;
    wire old_is_met = goes_on && is_met;
    // Bytes are counted up to the end of the first such scalar value: its lane and one.
    wire any_here = slot_leaves && |met_here;
    wire [7:0] number_here = !slot_leaves || old_is_met ? 8'd0 : any_here ? met_lane_here : bytes_here;
    wire one_here = any_here && !old_is_met;
    wire [C-1:0] old_forbidden_end = starts ? 0 : forbidden_end;
    wire [C-1:0] new_forbidden_end = old_forbidden_end + number_here + one_here;
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
    always @(posedge clk) begin
        first <= starts;
        {carry, number, one} <= 0;
        if (slot_leaves) begin
            begins <= slot_last;
            begun <= 1'b1;
            wrong <= goes_on && wrong || |slot_ill_formed;
            is_met <= old_is_met || any_here;
            met <= (goes_on ? met : 8'h0) | met_here;
            forbidden_end <= new_forbidden_end;
            over <= goes_on && over || new_forbidden_end > MOST;
            number <= number_here;
            one <= one_here;
            carry <= carries(old_forbidden_end[W-1:0], number_here, one_here);
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
    reg [LATER:1] held_first, held_wrong, held_is_met, held_over, held_one;
    reg [8*LATER-1:0] held_met, held_number;
    reg [STEPS*LATER-1:0] held_carry;
    reg [32*LATER-1:0] held_forbidden_end;
    each(begins begun ended first wrong is_met over one) wire [LATER:0] later_% = {held_%, %};
    each(met number) wire [8*LATER+7:0] later_% = {held_%, %};
    wire [STEPS*(LATER+1)-1:0] later_carry = {held_carry, carry};
    wire [32*LATER+31:0] later_forbidden_end = {held_forbidden_end, 32'(forbidden_end[W-1:0])};
    always @(posedge clk) begin
        ended <= slot_leaves && slot_last;
        each(begins begun ended first wrong is_met over one met number carry forbidden_end) held_% <= later_%;
        if (rst) begin
            {ended, held_ended, held_begun} <= 0;
            held_begins <= {LATER{1'b1}};
        end
    end

    // Lemmas of the packet so far.
    always @(posedge clk) if (started) begin
        // No beat leaves before a reset has gone by.
        if (slot_valid || begun) `WHOLE(&lives);
        if (!begins) `WHOLE(begun);
        if (ended) `WHOLE(begun && begins);
        if (begun) begin
            `WHOLE(is_met == |met);
            `WHOLE(over || forbidden_end <= MOST);
        end
    end
    // Bit by bit: what an adder gives is what its operands and the bit below say.
    function automatic follows(input [31:0] sum, input [31:0] before, input [7:0] number, input one, input [STEPS-1:0] carry);
        reg [LOWER-1:0] a, b, c;
        {a, b, c} = {before[LOWER-1:0], number[LOWER-1:0], {carry[LOWER-2:0], one}};
        follows = {carry[LOWER-1:0], sum[LOWER-1:0]} == {a & b | (a | b) & c, a ^ b ^ c} && number >> LOWER == 0
            && sum >> LOWER == ((before >> LOWER) + carry[LOWER-1] & UPPER_ONES)
            && carry[TOP] == (carry[LOWER-1] && before >> LOWER == UPPER_ONES);
    endfunction
    generate
        for (genvar k = 1; k <= LATER; k = k + 1) begin : g_later
            always @(posedge clk) if (started && later_ended[k]) `WHOLE(later_begun[k]);
        end
        for (genvar k = 0; k < LATER; k = k + 1) begin : g_follows
            always @(posedge clk) if (started && later_begun[k]) begin
                `WHOLE(later_over[k] == (later_over[k+1] && !later_first[k] || later_carry[k*STEPS+TOP]));
                if (!later_begun[k+1]) `WHOLE(later_first[k]);
                `WHOLE(follows(later_forbidden_end[32*k+:32], later_first[k] ? 0 : later_forbidden_end[32*k+32+:32], later_number[8*k+:8], later_one[k], later_carry[k*STEPS+:STEPS]));
                `WHOLE(later_number[8*k+:8] + later_one[k] <= N);
                // A carry leaves less than a beat, so that the next one gives none.
                if (later_carry[k*STEPS+LOWER-1]) `WHOLE(later_forbidden_end[32*k+:LOWER] < N);
            end
            always @(posedge clk) if (started && later_begun[k+1]) `WHOLE(later_begun[k]);
        end
    endgenerate

    // Lemmas of `verdict`: what it takes from `forbidden` is of the beat that leaves, and its registers are the packet so far, some clocks
    // later.
    localparam V0 = registers(11, 19), V1 = registers(11, 20);
    each(begins wrong is_met against) (* hierconn *) wire \STATE_20.% ;
    (* hierconn *) wire [7:0] \STATE_21.met ;
    always @(posedge clk) if (started) begin
        `WHOLE(\STATE_20.begins == later_begins[V0]);
        if (later_begun[V0]) begin
            `WHOLE(\STATE_20.wrong == later_wrong[V0]);
            each(is_met against) `WHOLE(\STATE_20.% == later_is_met[V0]);
        end
        if (later_begun[V1]) `WHOLE(\STATE_21.met == later_met[8*V1+:8]);
    end

    // Lemmas of the mark that shows the fields, and of its copies: no reset clears these, so they are late by a clock after one.
    localparam ENDED = registers(20, 33) - 1;
    (* hierconn *) wire \VERDICT.s33_ended.shows ;
    each(fields of_bytes) (* hierconn *) wire \VERDICT.s33_ended.% ;
    (* hierconn *) wire [ENDED-1:0] \VERDICT.s33_ended.clocks ;
    reg was_reset = 1'b1, was_reset_before = 1'b1;
    always @(posedge clk) {was_reset_before, was_reset} <= {was_reset, rst};
    always @(posedge clk) if (started) begin
        `WHOLE(\VERDICT.s33_ended.shows == later_ended[V0+ENDED]);
        each(fields of_bytes) if (!was_reset) `WHOLE(\VERDICT.s33_ended.% == later_ended[V0+ENDED]);
        for (int k = 0; k < ENDED; k = k + 1) `WHOLE(\VERDICT.s33_ended.clocks [k] == later_ended[V0+k]);
    end

    // Lemmas of what goes beside the counter, and of the number that is counted, on the way to its steps.
    each(wrong is_met against) (* hierconn *) wire [LOWER+3:0] \VERDICT.delay_%_33.stages ;
    (* hierconn *) wire [8*LOWER+23:0] \VERDICT.delay_met_33.stages ;
    each(0..7) (* hierconn *) wire [%:0] \VERDICT.s22_end.bit_% ;
    (* hierconn *) wire [1:0] \VERDICT.delay_with_one_22.stages ;
    always @(posedge clk) if (started) begin
        for (int k = 0; k < LOWER + 4; k = k + 1) if (later_begun[V1+k]) begin
            `WHOLE(\VERDICT.delay_wrong_33.stages [k] == later_wrong[V1+k]);
            each(is_met against) `WHOLE(\VERDICT.delay_%_33.stages [k] == later_is_met[V1+k]);
        end
        for (int k = 0; k < LOWER + 3; k = k + 1) if (later_begun[V1+1+k]) `WHOLE(\VERDICT.delay_met_33.stages [8*k+:8] == later_met[8*(V1+1+k)+:8]);
        each(0..7) for (int k = 0; k < 1 + %; k = k + 1) if (later_begun[V1+1+k]) `WHOLE(\VERDICT.s22_end.bit_% [k] == later_number[8*(V1+1+k)+%]);
        for (int k = 0; k < 2; k = k + 1) if (later_begun[V1+k]) `WHOLE(\VERDICT.delay_with_one_22.stages [k] == later_one[V1+k]);
    end

    // Lemmas of the counter: a step of the lower bits is the packet so far, a clock later than the step before, and so are the bits on the
    // way to the pins. The upper bits are it, too, all in a clock, but for the lowest digit, which is a clock ahead; and so are the carries
    // into them. What is known of a digit is a clock older.
    each(total carried firsts) (* hierconn *) wire [LOWER-1:0] \VERDICT.s34_forbidden_end.% ;
    each(over starts into_over) (* hierconn *) wire \VERDICT.s34_forbidden_end.% ;
    each(1..<DIGITS) (* hierconn *) wire \VERDICT.s34_forbidden_end.into_% ;
    each(0..<DIGITS) (* hierconn *) wire [(UPPER - 4 * % < 4 ? UPPER - 4 * % : 4)-1:0] \VERDICT.s34_forbidden_end.digit_% ;
    each(0..<DIGITS) (* hierconn *) wire \VERDICT.s34_forbidden_end.full_% ;
    each(0..<ONES) (* hierconn *) wire [(UPPER - 4 * % < 4 ? UPPER - 4 * % : 4)-3:0] \VERDICT.s34_forbidden_end.ones_% ;
    each(2..<RUNS) (* hierconn *) wire \VERDICT.s34_forbidden_end.full_1_to_% ;
    each(0..<LOWER) (* hierconn *) wire [LOWER-%:0] \VERDICT.s34_forbidden_end.bit_% ;
    each(0..<UPPER_1) (* hierconn *) wire [(UPPER < 4 ? UPPER : 4)-1:0] \VERDICT.s34_forbidden_end.late_digit_% ;
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
    always @(posedge clk) if (started) begin
        for (int b = 0; b < LOWER; b = b + 1) if (later_begun[registers(11, 22 + b)]) begin
            `WHOLE(\VERDICT.s34_forbidden_end.total [b] == later_forbidden_end[32*registers(11, 22 + b)+b]);
            `WHOLE(\VERDICT.s34_forbidden_end.carried [b] == later_carry[registers(11, 22 + b)*STEPS+b]);
            `WHOLE(\VERDICT.s34_forbidden_end.firsts [b] == later_first[registers(11, 22 + b)]);
        end
        each(0..<LOWER) for (int k = 0; k < LOWER + 1 - %; k = k + 1) if (later_begun[V1+3+%+k]) `WHOLE(\VERDICT.s34_forbidden_end.bit_% [k] == later_forbidden_end[32*(V1+3+%+k)+%]);
        if (later_begun[D0]) begin
            `WHOLE(\VERDICT.s34_forbidden_end.starts == later_first[D0]);
            `WHOLE(\VERDICT.s34_forbidden_end.into_over == later_carry[D0*STEPS+TOP]);
            each(1..<DIGITS) `WHOLE(\VERDICT.s34_forbidden_end.into_% == (later_carry[D0*STEPS+LOWER-1] && !later_first[D0] && ones(later_forbidden_end[32*(D0+1)+:32], 0, %)));
            each(0..<UPPER_1) `WHOLE(\VERDICT.s34_forbidden_end.digit_% == digits(later_forbidden_end[32*D0+:32], 0, 1));
        end
        if (later_begun[D1]) begin
            `WHOLE(\VERDICT.s34_forbidden_end.over == later_over[D1]);
            each(0..<UPPER_1) `WHOLE(\VERDICT.s34_forbidden_end.late_digit_% == digits(later_forbidden_end[32*D1+:32], 0, 1));
            each(1..<DIGITS) `WHOLE(\VERDICT.s34_forbidden_end.digit_% == digits(later_forbidden_end[32*D1+:32], %, %+1));
        end
        each(0..<DIGITS) if (later_begun[(%==0?D0:D1)+1]) `WHOLE(\VERDICT.s34_forbidden_end.full_% == ones(later_forbidden_end[32*((%==0?D0:D1)+1)+:32], %, %+1));
        each(0..<ONES) for (int b = 2; b < (UPPER - 4 * % < 4 ? UPPER - 4 * % : 4); b = b + 1) if (later_begun[(%==0?D0:D1)+1]) `WHOLE(\VERDICT.s34_forbidden_end.ones_% [b-2] == &(later_forbidden_end[32*((%==0?D0:D1)+1)+:32] >> LOWER + 4 * % | ~0 << b));
        each(2..<RUNS) if (later_begun[D1+%]) `WHOLE(\VERDICT.s34_forbidden_end.full_1_to_% == run(later_forbidden_end, %));
    end

    // What is due at the pins. Without a verdict they are zero.
    always @(posedge clk) `WHOLE(registers(0, 34) == `LATENCY);
    wire due = later_ended[OUT];
    wire shows_end = due && later_is_met[OUT];
    wire [31:0] due_end = later_over[OUT] ? MOST : later_forbidden_end[32*OUT+:W];

    wire out_valid;
    wire [191:0] out;
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
    always @(posedge clk) if (started && !lingers) begin
        `WHOLE(out[131] == (due && (later_wrong[OUT] || later_is_met[OUT])));
        `WHOLE(out[159:152] == (due ? later_met[8*OUT+:8] : 8'h0));
        `WHOLE(out[148] == (shows_end && later_over[OUT]));
        `WHOLE(out[191:160] == (shows_end ? due_end : 32'h0));
    end

    // Not vacuous: each forbidden class in a well-formed packet, the first one with bytes before and after it, and a packet without any.
    each(FORBIDDEN) always @(posedge clk) cover (started && out_valid && out[128] && out[131] && out[152+%_is]);
    always @(posedge clk) begin
        cover (started && out_valid && out[131] && out[191:160] == 32'd5 && out[31:0] == 32'd6);
        cover (started && out_valid && out[128] && !out[131] && out[31:0] == 32'd2);
    end
endmodule
