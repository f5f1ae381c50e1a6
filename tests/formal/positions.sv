// Theorem: four clocks after a beat of `validate --window` the lanes that are judged are those with a byte whose position in the packet,
// counted to 65,535 and no further, is neither before the window's first byte nor at its end or beyond it, if the packet has a window; and
// its bytes, its end, the lane of the window's first byte and the reason for a packet without a window are with it, for all windows, bytes,
// idles and resets, for ever.

// What comes after is cut from the core; it is what the theorem `outside` is about.
module check (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [8*`N-1:0] data,
    input wire [`N-1:0] keep,
    input wire [32:0] user,
    input wire sink_ready
);
    localparam N = `N;
`ifdef AXIS
    wire ready = sink_ready;
`else
    wire ready = 1'b1;
`endif
    `include "contract.svh"
    `DUT dut (
        .clk(clk), .rst(rst),
`ifdef AXIS
        .s_axis_tready(sink_ready),
`endif
        .s_axis_tvalid(valid), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last), .s_axis_tuser(user)
    );

    // The packet so far: its window came with its first beat, and its next byte has this position.
    reg begins = 1'b1;
    reg [32:0] window;
    reg [16:0] position;
    wire accepted = valid && ready && (last || |keep);
    wire [32:0] window_now = begins ? user : window;
    wire [16:0] position_now = begins ? 17'd0 : position;
    wire has = window_now[0];
    wire [15:0] first = window_now[16:1], end_of = window_now[32:17];
    function automatic [16:0] saturated(input [16:0] position);
        saturated = position > 17'd65535 ? 17'd65535 : position;
    endfunction
    reg [N-1:0] judged;
    reg [7:0] lane;
    always @(*) begin
        lane = 8'd0;
        for (int i = 0; i < N; i = i + 1) begin
            judged[i] = keep[i] && has && saturated(position_now + i) >= first && saturated(position_now + i) < end_of;
            if (has && position_now + i == first) lane = i;
        end
    end
    // The same one to four clocks later.
    localparam BEAT = 10 * N + 10;
    reg [3:0] valids = 0;
    reg [4*BEAT-1:0] beats;
    always @(posedge clk) begin
        valids <= {valids[2:0], accepted};
        beats <= {beats[3*BEAT-1:0], keep, last, !has, lane, judged, data};
        if (accepted) begin
            begins <= last;
            window <= window_now;
            position <= saturated(position_now + N);
        end
        if (rst) begin
            valids <= 0;
            begins <= 1'b1;
        end
    end

    (* hierconn *) wire \dut.core_windowed_out_valid ;
    (* hierconn *) wire \dut.core_windowed_out_last ;
    (* hierconn *) wire [N-1:0] \dut.core_windowed_out_keep ;
    (* hierconn *) wire [8*N-1:0] \dut.core_windowed_out_data ;
    (* hierconn *) wire [3:0] \dut.core_windowed_reason ;
    wire [BEAT-1:0] beat = beats[4*BEAT-1:3*BEAT];
    always @(posedge clk) if (started) begin
        assert (\dut.core_windowed_out_valid == valids[3]);
        if (valids[3]) begin
            assert (\dut.core_windowed_out_last == beat[9*N+9]);
            assert (\dut.core_windowed_out_keep == beat[9*N-1:8*N]);
            assert (\dut.core_windowed_out_data == beat[8*N-1:0]);
            assert (\dut.core_windowed_reason == {3'd0, beat[9*N+8]});
        end
    end
`ifdef WIDE
    (* hierconn *) wire [7:0] \dut.core_windowed_first ;
    always @(posedge clk) if (started && valids[3]) assert (\dut.core_windowed_first == beat[9*N+:8]);
`endif

    // Lemmas: what is kept from beat to beat. A packet's beats are counted up here, to one
    // beyond all positions, and in the core down to the first byte's and the end's.
    localparam DIGITS = 16 - $clog2(N);
    (* hierconn *) wire \dut.core_windowed.s0_begins ;
    each(s1_valid s1_loaded s1_has) (* hierconn *) wire \dut.core_windowed.s3_cut.% ;
    each(first end) (* hierconn *) wire [DIGITS:0] \dut.core_windowed.s3_cut.s1_to_%_beats ;
    // Of each four bits of these, whether none is set.
    localparam FOURS = (DIGITS + 4) / 4;
    each(first end) (* hierconn *) wire [FOURS-1:0] \dut.core_windowed.s3_cut.s1_to_%_none ;
    function automatic [FOURS-1:0] none_of(input [DIGITS:0] beats);
        for (int i = 0; i < FOURS; i = i + 1) none_of[i] = ((beats >> 4 * i) & 15) == 0;
    endfunction
`ifdef WIDE
    (* hierconn *) wire [15:0] \dut.core_windowed.s3_cut.s1_from ;
    each(from to) (* hierconn *) wire [15:0] \dut.core_windowed.s3_cut.s1_%_group ;
    each(from to) (* hierconn *) wire [7:0] \dut.core_windowed.s3_cut.s1_%_lanes ;
    // Whether each lane of a group is below that of a position.
    function automatic [7:0] lanes_below(input [15:0] place);
        for (int i = 0; i < 8; i = i + 1) lanes_below[i] = place % N % 8 > i;
    endfunction
    function automatic [15:0] group_of(input [15:0] place);
        group_of = 16'd1 << place % N / 8;
    endfunction
    wire [15:0] from = window[16:1], to = window[32:17];
`endif
    reg [DIGITS:0] number;
    always @(posedge clk) if (accepted) number <= begins ? 0 : number + !number[DIGITS];
    wire [17:0] after_beat = (number + 18'd1) * N;
    wire [DIGITS:0] number_of_first = window[16:17-DIGITS], number_of_end = window[32:33-DIGITS];
    always @(posedge clk) if (started) begin
        assert (\dut.core_windowed.s3_cut.s1_valid == valids[0]);
        // What keeps the copies of a register apart.
        assert (!\dut.core_windowed.s3_cut.s1_loaded || \dut.core_windowed.s3_cut.s1_valid );
        assert (\dut.core_windowed.s0_begins == begins);
        if (!begins) begin
            assert (\dut.core_windowed.s3_cut.s1_has == window[0]);
`ifdef WIDE
            assert (\dut.core_windowed.s3_cut.s1_from == from);
            each(from to) assert (\dut.core_windowed.s3_cut.s1_%_group == group_of(%));
            each(from to) assert (\dut.core_windowed.s3_cut.s1_%_lanes == lanes_below(%));
`endif
            assert (position == (number[DIGITS] || after_beat > 18'd65535 ? 17'd65535 : after_beat[16:0]));
            assert (!number[DIGITS] || number[DIGITS-1:0] == 0);
            each(first end) assert (\dut.core_windowed.s3_cut.s1_to_%_beats == (number > number_of_% ? {DIGITS+1{1'b1}} : number_of_% - number));
            each(first end) assert (\dut.core_windowed.s3_cut.s1_to_%_none == none_of(\dut.core_windowed.s3_cut.s1_to_%_beats ));
        end
    end

    // Not vacuous: a window within a beat, one that goes on, and a packet without one.
    always @(posedge clk) begin
        cover (started && valids[3] && beat[9*N-1:8*N] == 0 && !beat[9*N+8] && !beat[9*N+9]);
        cover (started && valids[3] && beat[9*N-1] && !beat[9*N+9]);
        cover (started && valids[3] && beat[9*N+8]);
    end
endmodule
