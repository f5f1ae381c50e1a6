// Theorem: the AXI4-Stream form of `decode` sends every beat of its pipeline once, in order and unchanged, holds it until it is
// accepted, and never stops: it offers a beat in every clock in which one waits; with a ready sink the source waits for 14 clocks
// at most, and not at all once the sink has been ready for 16 clocks in a row; for all bytes, stalls, idles and resets, for ever.

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
    localparam WORDS = 32;
    localparam MARGIN = 8'd8;
    // Bits of an event's word, and of its part of tdata, tkeep and tuser.
    localparam WORD = `UTF16 ? 16 : `VALUE, DATA = `UTF16 ? 16 : 32, KEEP = DATA / 8, USER = `LENGTH + 3;
    localparam BEAT = (WORD + 1 + USER) * N + 2;
    localparam WIDTH = DATA*N + KEEP*N + 1 + USER*N + 1;

    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @(*) if (!started) assume (rst);

    wire ready, out_valid, out_last;
    wire [DATA*N-1:0] out_data;
    wire [KEEP*N-1:0] out_keep;
    wire [USER*N:0] out_user;
    wire [WIDTH-1:0] out = {out_data, out_keep, out_last, out_user};
    `DUT dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(valid), .s_axis_tready(ready), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last),
        .m_axis_tvalid(out_valid), .m_axis_tready(sink_ready), .m_axis_tdata(out_data), .m_axis_tkeep(out_keep),
        .m_axis_tlast(out_last), .m_axis_tuser(out_user)
    );

    // What the pipeline puts out to the FIFO, as the pins show it.
    (* hierconn *) wire \FIFO.push ;
    (* hierconn *) wire [BEAT-1:0] \FIFO.beat ;
    wire pushes = \FIFO.push ;
    wire [WIDTH-1:0] pushed;
    unpack #(.N(N), .WORD(WORD), .DATA(DATA), .USER(USER), .SWAPS(`SWAPS)) in_pins (
        .beat(\FIFO.beat ), .data(pushed[WIDTH-1-:DATA*N]), .keep(pushed[USER*N+2+:KEEP*N]), .last(pushed[USER*N+1]),
        .user(pushed[USER*N:0])
    );

    // Beats are numbered as the pipeline puts them out and as the sink takes them, modulo 64. Any one of them is watched.
    wire sends = out_valid && sink_ready;
    reg [5:0] put_out = 6'd0, taken = 6'd0;
    (* anyconst *) reg [5:0] watched;
    reg live = 1'b0;
    reg [WIDTH-1:0] expected;
    wire [5:0] waiting = put_out - taken;
    always @(posedge clk) begin
        put_out <= rst ? 6'd0 : put_out + pushes;
        taken <= rst ? 6'd0 : taken + sends;
        if (sends && taken == watched) live <= 1'b0;
        if (pushes && put_out == watched) begin
            live <= 1'b1;
            expected <= pushed;
        end
        if (rst) live <= 1'b0;
    end
    always @(posedge clk) if (started) begin
        assert (waiting <= WORDS);
        if (out_valid) assert (waiting != 6'd0);
        if (out_valid && taken == watched) assert (live && out == expected);
    end

    // The protocol: what is offered is held until it is taken.
    reg held = 1'b0;
    reg [WIDTH-1:0] held_out;
    always @(posedge clk) begin
        held <= out_valid && !sink_ready && !rst;
        held_out <= out;
        if (started && held) assert (out_valid && out == held_out);
    end

    // It never stops. Clocks that count are those in which the sink is ready: while the source waits, and in a row.
    reg [4:0] source_waits = 5'd0, ready_sink = 5'd0;
    reg [5:0] waited = 6'd0;
    reg more_waits = 1'b0;
    always @(posedge clk) begin
        source_waits <= rst || ready ? 5'd0 : source_waits + sink_ready;
        ready_sink <= rst || !sink_ready ? 5'd0 : ready_sink == 5'd16 ? ready_sink : ready_sink + 5'd1;
        waited <= rst ? 6'd0 : waiting - sends;
        more_waits <= !rst && waited > sends;
        if (started) assert (source_waits <= 5'd14);
        if (started && ready_sink == 5'd16) assert (ready);
        if (started && more_waits) assert (out_valid);
    end

    // Lemma: the FIFO has the beats that wait: the newest is on its way to its bank, the one before it has just come there.
    // 20 memories of four bits have an address of their own.
    localparam SLICES = (BEAT + 79) / 80, PART = (BEAT + SLICES - 1) / SLICES;
    (* hierconn *) wire \FIFO.entering ;
    (* hierconn *) wire \FIFO.entered ;
    (* hierconn *) wire [WORDS-1:0] \FIFO.filled ;
    each(0..<SLICES) each(writes_odd reads_odd to_even to_odd) (* hierconn *) wire \FIFO.slice_%.%% ;
    each(0..<SLICES) each(even odd) (* hierconn *) wire [3:0] \FIFO.slice_%.%%.write_address ;
    each(0..<SLICES) each(even odd) (* hierconn *) wire [3:0] \FIFO.slice_%.%%.read_address ;
    each(0..<SLICES) each(even odd) each(0..15) (* hierconn *) wire [PART-1:0] \FIFO.slice_%.%%.beats_words[%%%] ;
    each(0..<SLICES) each(even odd) (* hierconn *) wire [PART-1:0] \FIFO.slice_%.%%.oldest_beat ;
    each(0..<SLICES) (* hierconn *) wire [PART-1:0] \FIFO.slice_%.entering_beat ;
    wire [PART*SLICES-1:0] entering_beat, even_oldest, odd_oldest;
    each(0..<SLICES) assign entering_beat[PART*%+:PART] = \FIFO.slice_%.entering_beat ;
    each(0..<SLICES) each(even odd) assign %%_oldest[PART*%+:PART] = \FIFO.slice_%.%%.oldest_beat ;
    wire [PART*SLICES-1:0] even [0:WORDS/2-1];
    wire [PART*SLICES-1:0] odd [0:WORDS/2-1];
    each(0..<SLICES) each(even odd) each(0..15) assign %%[%%%][PART*%+:PART] = \FIFO.slice_%.%%.beats_words[%%%] ;
    wire [5:0] written = put_out - \FIFO.entering ;
    wire [5:0] ahead = watched - taken;
    wire [BEAT-1:0] watched_beat = \FIFO.entering && watched == written ? entering_beat : watched[0] ? odd[watched[4:1]] : even[watched[4:1]];
    wire [WIDTH-1:0] watched_out;
    unpack #(.N(N), .WORD(WORD), .DATA(DATA), .USER(USER), .SWAPS(`SWAPS)) watched_pins (
        .beat(watched_beat), .data(watched_out[WIDTH-1-:DATA*N]), .keep(watched_out[USER*N+2+:KEEP*N]), .last(watched_out[USER*N+1]),
        .user(watched_out[USER*N:0])
    );
    wire [5:0] even_written = written + 6'd1, even_taken = taken + 6'd1;
    // These can leave.
    wire [5:0] ready_beats = waiting - \FIFO.entering - \FIFO.entered ;
    // The word of the beat that is shown is as good as free.
    wire [5:0] in_fifo = waiting - out_valid;
    always @(posedge clk) if (started) begin
        each(0..<SLICES) assert (\FIFO.slice_%.writes_odd == put_out[0]);
        each(0..<SLICES) assert (\FIFO.slice_%.to_even == (\FIFO.entering && put_out[0]));
        each(0..<SLICES) assert (\FIFO.slice_%.to_odd == (\FIFO.entering && !put_out[0]));
        each(0..<SLICES) assert (\FIFO.slice_%.even.write_address == even_written[4:1]);
        each(0..<SLICES) assert (\FIFO.slice_%.odd.write_address == written[4:1]);
        each(0..<SLICES) assert (\FIFO.slice_%.reads_odd == taken[0]);
        each(0..<SLICES) assert (\FIFO.slice_%.even.read_address == even_taken[4:1]);
        each(0..<SLICES) assert (\FIFO.slice_%.odd.read_address == taken[4:1]);
        assert (waiting >= {5'd0, \FIFO.entering } + \FIFO.entered );
        for (int i = 0; i < WORDS; i = i + 1) assert (\FIFO.filled [i] == (ready_beats > i));
        if (ready_beats != 6'd0)
            assert (taken[0] ? odd_oldest == odd[taken[4:1]] : even_oldest == even[taken[4:1]]);
        assert (in_fifo < WORDS);
        assert (live == (ahead < waiting));
        if (live) assert (watched_out == expected);
    end

    // Lemma: a word is promised to every beat between the source and the FIFO, but for those that a reset drops on the way.
    (* hierconn *) wire \PIECES.s0_valid ;
    (* hierconn *) wire \PIECES.s1_valid ;
    (* hierconn *) wire \PIECES.s2_valid ;
    (* hierconn *) wire \PIECES.s3_valid ;
    (* hierconn *) wire \PIECES.s4_valid ;
    (* hierconn *) wire \PIECES.s5_valid ;
    (* hierconn *) wire \PIECES.s6_valid ;
    (* hierconn *) wire \PIECES.s7_valid ;
    (* hierconn *) wire \PIECES.s8_valid ;
    (* hierconn *) wire \PIECES.s9_valid ;
    (* hierconn *) wire \PIECES.s10_slot_live ;
    (* hierconn *) wire \PIECES.s11_valid ;
    (* hierconn *) wire \PIECES.s12_valid ;
    (* hierconn *) wire \EVENTS.s13_valid ;
    (* hierconn *) wire \EVENTS.s13_retired ;
    each(bit_0 bit_1 up down) (* hierconn *) wire \CREDITS.%_0 ;
    each(bit_0 bit_1 up down) (* hierconn *) wire \CREDITS.%_1 ;
    each(bit_0 bit_1 up down) (* hierconn *) wire \CREDITS.%_2 ;
    each(bit_0 bit_1) (* hierconn *) wire \CREDITS.%_3 ;
    (* hierconn *) wire \CREDITS.was_spent ;
    (* hierconn *) wire \CREDITS.was_retired ;
    (* hierconn *) wire \CREDITS.was_returned ;
    (* hierconn *) wire \CREDITS.step_0 ;
    (* hierconn *) wire \CREDITS.step_1 ;
    (* hierconn *) wire [9:0] \PIECES.s9_rested_clocks ;
    wire [9:0] lives = \PIECES.s9_rested_clocks ;
    wire [9:0] stages = {\PIECES.s9_valid , \PIECES.s8_valid , \PIECES.s7_valid ,
        \PIECES.s6_valid , \PIECES.s5_valid , \PIECES.s4_valid , \PIECES.s3_valid ,
        \PIECES.s2_valid , \PIECES.s1_valid , \PIECES.s0_valid };
    wire [4:0] behind = {\PIECES.s10_slot_live , \PIECES.s11_valid , \PIECES.s12_valid ,
        \EVENTS.s13_valid , \EVENTS.s13_retired };
    reg [6:0] promised;
    always @(*) begin
        promised = 7'd0;
        for (int i = 0; i < 10; i = i + 1) promised = promised + (stages[i] && lives[i]);
        for (int i = 0; i < 5; i = i + 1) promised = promised + behind[i];
    end
    // Each digit, and what is on the way to it; modulo 256.
    wire [7:0] digit_0 = {\CREDITS.bit_1_0 , \CREDITS.bit_0_0 };
    wire [7:0] digit_1 = {\CREDITS.bit_1_1 , \CREDITS.bit_0_1 } + \CREDITS.up_0 - \CREDITS.down_0 ;
    wire [7:0] digit_2 = {\CREDITS.bit_1_2 , \CREDITS.bit_0_2 } + \CREDITS.up_1 - \CREDITS.down_1 ;
    wire [7:0] digit_3 = {\CREDITS.bit_1_3 , \CREDITS.bit_0_3 } + \CREDITS.up_2 - \CREDITS.down_2 ;
    wire [7:0] room = digit_0 + (digit_1 << 2) + (digit_2 << 4) + (digit_3 << 6);
    wire [7:0] step = {{6{\CREDITS.step_1 && \CREDITS.step_0 }}, \CREDITS.step_1 , \CREDITS.step_0 };
    wire [7:0] free = room + MARGIN + step + \CREDITS.was_retired + \CREDITS.was_returned - \CREDITS.was_spent ;
    wire [7:0] all_words = free + promised + in_fifo;
    always @(posedge clk) if (started) begin
        assert (all_words == WORDS);
        assert (free > ready && free <= WORDS);
        assert ((lives >> 1 & ~lives) == 0);
        assert (!(\EVENTS.s13_valid && \EVENTS.s13_retired ));
    end

    // Lemma: a word becomes free at each clock that counts, if there are none to spare.
    always @(posedge clk) if (started) assert (free > source_waits || free > 8'd8);

    // Not vacuous: the FIFO is full (the solver finds the way to it if it is told: letters without a pause), the source waits for a
    // sink that is ready, the last beat of a packet is held, and the watched one is taken behind others.
    reg letters = 1'b1;
    always @(posedge clk) if (started) begin
        letters <= letters && !rst && valid && &keep && !last && data == {N{8'h61}} && !sink_ready;
        cover (letters && waiting == WORDS);
        cover (source_waits == 5'd2);
        cover (out_valid && out_last && held);
        cover (sends && taken == watched && watched == 6'd3);
    end
endmodule
