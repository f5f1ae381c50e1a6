// Theorem: no byte outside the window of its packet influences a verdict of `validate --window`, nor any other: two cores whose beats differ
// in nothing but bytes in lanes that are not judged give the same verdicts at the same clocks, for all bytes, windows, idles and resets,
// for ever.

// Registers and memories begin with the same in both; what an undriven name of a lemma is, is assumed of the first clock only.
`define SAME(claim) begin assert (!started || (claim )); assume (started || (claim )); end

// Which lanes are judged is the theorem `positions`. Here the block that says so is cut from both cores: whatever it puts out, in any clock,
// this holds, if it puts out the same in both but for those bytes.
module check (
    input wire clk,
    input wire rst,
    input wire sink_ready
);
    localparam N = `N;
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @(*) if (!started) assume (rst);

    wire [1:0] valid;
    wire [319:0] verdict;
    each(0 1) `DUT dut_% (.clk(clk), .rst(rst), .m_axis_verdict_tvalid(valid[%]), .m_axis_verdict_tdata(verdict[160*%+:160]));

    each(out_valid out_last) each(0 1) (* hierconn *) wire \dut_%%.core_windowed_% ;
    each(0 1) (* hierconn *) wire [N-1:0] \dut_%.core_windowed_out_keep ;
    each(0 1) (* hierconn *) wire [8*N-1:0] \dut_%.core_windowed_out_data ;
    each(0 1) (* hierconn *) wire [3:0] \dut_%.core_windowed_reason ;
    reg [8*N-1:0] judged;
    always @(*) begin
        for (int i = 0; i < N; i = i + 1) judged[8*i+:8] = {8{\dut_0.core_windowed_out_keep [i]}};
        each(out_valid out_last out_keep reason) assume (\dut_0.core_windowed_% == \dut_1.core_windowed_% );
        assume (((\dut_0.core_windowed_out_data ^ \dut_1.core_windowed_out_data ) & judged) == 0);
    end

    always @(posedge clk) if (started) begin
        assert (valid[0] == valid[1]);
        assert (verdict[159:0] == verdict[319:160]);
    end

    // Lemmas: what each block keeps from beat to beat is the same in both. Bits:
    each(s4_before_takes_8x s4_before_takes_9x s4_before_takes_ab s4_before_is_bb s4_before_is_ef s4_before_present) each(0 1) (* hierconn *) wire \dut_%%.core_pieces.%_carried ;
    each(s5_before_lead_3up s5_before_b4 s5_before_after_ef s5_before_after_1 s6_before_expects_third s6_before_second_of_4 s6_before_after_2 s7_before_expects_fourth) each(0 1) (* hierconn *) wire \dut_%%.core_pieces.%_carried ;
    each(s10_slot_live s10_slot_last s10_slot_waits) each(0 1) (* hierconn *) wire \dut_%%.core_pieces.% ;
    each(0 1) (* hierconn *) wire [9:0] \dut_%.core_pieces.s9_rested_clocks ;
    each(0 1) (* hierconn *) wire [7:0] \dut_%.core_pieces.s7_rested_clocks ;
    each(s20_begins s20_wrong s20_tail_before_0 s20_tail_before_1 s21_signature) each(0 1) (* hierconn *) wire \dut_%%.core_verdict.% ;
    each(0 1) (* hierconn *) wire [2:0] \dut_%.core_verdict.s21_kind ;
    each(0 1) (* hierconn *) wire [1:0] \dut_%.core_verdict.s21_error_len ;
    each(s20_signature) each(0 1) (* hierconn *) wire \dut_%%.core_beginning.% ;
    each(s20_count s20_bytes) each(0 1) (* hierconn *) wire [7:0] \dut_%%.core_beginning.% ;
    each(s10_slot_every_live s10_slot_every_waits_held s10_slot_present_held s10_slot_consumed_held s10_slot_open_held s10_slot_own_0_held s10_slot_own_1_held s10_slot_own_2_held s10_slot_second_held s10_slot_scalar_held s10_slot_alone_held) each(0 1) (* hierconn *) wire [N-1:0] \dut_%%.core_pieces.% ;
    always @(posedge clk) begin
        each(s4_before_takes_8x s4_before_takes_9x s4_before_takes_ab s4_before_is_bb s4_before_is_ef s4_before_present) `SAME(\dut_0.core_pieces.%_carried == \dut_1.core_pieces.%_carried );
        each(s5_before_lead_3up s5_before_after_ef s5_before_after_1 s6_before_expects_third s6_before_second_of_4 s6_before_after_2 s7_before_expects_fourth) `SAME(\dut_0.core_pieces.%_carried == \dut_1.core_pieces.%_carried );
        `SAME(!\dut_0.core_pieces.s5_before_lead_3up_carried || \dut_0.core_pieces.s5_before_b4_carried == \dut_1.core_pieces.s5_before_b4_carried );
        each(s7_rested_clocks s9_rested_clocks s10_slot_live s10_slot_last s10_slot_waits) `SAME(\dut_0.core_pieces.% == \dut_1.core_pieces.% );
        each(s10_slot_every_live s10_slot_every_waits_held s10_slot_present_held s10_slot_consumed_held s10_slot_open_held s10_slot_own_0_held s10_slot_own_1_held s10_slot_own_2_held s10_slot_second_held) `SAME(\dut_0.core_pieces.% == \dut_1.core_pieces.% );
        // Only an unfinished sequence waits, and so a byte.
        `SAME(!\dut_0.core_pieces.s10_slot_waits || \dut_0.core_pieces.s10_slot_present_held [N-1]);
        // What a lane without a judged byte has here means nothing.
        each(s10_slot_scalar_held s10_slot_alone_held) `SAME(((\dut_0.core_pieces.% ^ \dut_1.core_pieces.% ) & \dut_0.core_pieces.s10_slot_present_held ) == 0);
        each(s20_count s20_bytes s20_signature) `SAME(\dut_0.core_beginning.% == \dut_1.core_beginning.% );
        each(s20_begins s20_wrong s20_tail_before_0 s20_tail_before_1 s21_signature s21_kind s21_error_len) `SAME(\dut_0.core_verdict.% == \dut_1.core_verdict.% );
    end
`ifdef WIDE
    // With one lane there is none below the window's first.
    each(core_windowed_first core_beginning.s20_first) each(0 1) (* hierconn *) wire [7:0] \dut_%%.% ;
    always @(*) assume (\dut_0.core_windowed_first == \dut_1.core_windowed_first );
    each(0 1) (* hierconn *) wire [N-1:0] \dut_%.core_pieces.s10_slot_cont_held ;
    always @(posedge clk) begin
        each(core_pieces.s10_slot_cont_held core_beginning.s20_first) `SAME(\dut_0.% == \dut_1.% );
    end
`endif

    // Why a packet is not judged, on its way to the verdict.
    each(at_0 from_0) each(0 1) (* hierconn *) wire [2:0] \dut_%%.core_reason_due.%_digit_0 ;
    each(at_0 from_0) each(0 1) (* hierconn *) wire [1:0] \dut_%%.core_reason_due.%_digit_1 ;
    each(at_0 from_0) each(0 1) (* hierconn *) wire \dut_%%.core_reason_due.%_carry_1 ;
    each(0 1) (* hierconn *) wire [3:0] \dut_%.core_reason_due.read ;
    each(0..31) each(0 1) (* hierconn *) wire [3:0] \dut_%%.core_reason_due.words_0[%] ;
    always @(posedge clk) begin
        each(at_0 from_0) `SAME(\dut_0.core_reason_due.%_digit_0 == \dut_1.core_reason_due.%_digit_0 );
        each(at_0 from_0) `SAME(\dut_0.core_reason_due.%_digit_1 == \dut_1.core_reason_due.%_digit_1 );
        each(at_0 from_0) `SAME(\dut_0.core_reason_due.%_carry_1 == \dut_1.core_reason_due.%_carry_1 );
        `SAME(\dut_0.core_reason_due.read == \dut_1.core_reason_due.read );
        each(0..31) `SAME(\dut_0.core_reason_due.words_0[%] == \dut_1.core_reason_due.words_0[%] );
    end

    // The counters.
    localparam LOWER = `LOWER, WIDTH = `COUNTER_WIDTH;
    each(bytes valid_up_to scalars ill_formed) each(0 1) (* hierconn *) wire [LOWER-1:0] \dut_%%.core_verdict.s34_%.total ;
    each(bytes valid_up_to scalars ill_formed) each(0 1) (* hierconn *) wire \dut_%%.core_verdict.s34_%.over ;
    each(bytes valid_up_to scalars ill_formed) each(0..<DIGITS) each(0 1) (* hierconn *) wire [(WIDTH-LOWER-4*%% > 4 ? 4 : WIDTH-LOWER-4*%%)-1:0] \dut_%%%.core_verdict.s34_%.digit_%% ;
    always @(posedge clk) begin
        each(bytes valid_up_to scalars ill_formed) `SAME(\dut_0.core_verdict.s34_%.total == \dut_1.core_verdict.s34_%.total );
        each(bytes valid_up_to scalars ill_formed) `SAME(\dut_0.core_verdict.s34_%.over == \dut_1.core_verdict.s34_%.over );
        each(bytes valid_up_to scalars ill_formed) each(0..<DIGITS) `SAME(\dut_0.core_verdict.s34_%.digit_%% == \dut_1.core_verdict.s34_%.digit_%% );
    end

    // Not vacuous: two packets that differ, and a verdict of each sort.
    always @(posedge clk) begin
        cover (started && valid[0] && verdict[128] && \dut_0.core_windowed_out_data != \dut_1.core_windowed_out_data );
        cover (started && valid[0] && !verdict[128] && verdict[134:132] == 3'd7);
        cover (started && valid[0] && verdict[130]);
    end
endmodule
