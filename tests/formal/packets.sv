// Theorem: of the packets that are pushed into the packet FIFO of `validate --mode drop`, those and only those are left out whole that have
// at most LONGEST beats and are marked as bad with their last one; all beats of the others come out once, in order and unchanged, as soon
// as the sink has taken those before them; no word is overwritten before it is read; a reset drops all that is in the FIFO, and nothing
// else; and the source is not stopped for ever: for all packets, idles, stalls and resets, for ever, and from any state before the first
// reset.
//
// How it is proven: by induction over the clocks (smtbmc, Yices). The specification below numbers the beats of the packets that are kept,
// modulo 2 * WORDS, and watches any one number: what was pushed as this one has to come out as this one. The lemmas say what each register
// of the FIFO is in terms of these numbers. A counterexample is one of the claims, without the lemmas (PROVE). What the FIFO reads from a
// word that is written in the same clock is anything (the x in its Verilog; setundef in the script).
//
// With STEADY another theorem is proven: if each beat is pushed exactly DELAY clocks after it has entered, and the sink is always
// ready, packets of at most LONGEST beats never stop the source. (A space after x ends a name that begins with a backslash.)

`define CLAIM(x) assert (x )

module check (
    input wire clk,
    input wire rst,
    input wire tvalid,
    input wire may_push,
    input wire [`WIDTH-1:0] beat,
    input wire [`SIDES-1:0] side,
    input wire sink_ready
);
    // Of the FIFO: the bits of an address and its words; the beats of a packet that can still be dropped; the bits of a beat, of which the
    // top one is tlast; side signals, of which the lowest one says with tlast that the packet is bad; the words that are kept free for
    // beats that enter before the source is stopped; the tokens of what reads them.
    localparam A = `ADDRESS_BITS, WORDS = `WORDS, LONGEST = `LONGEST, WIDTH = `WIDTH, SIDES = `SIDES, MARGIN = 5, TOKENS = 6;

    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @(*) if (!started) assume (rst);

    // What is around the FIFO. The source's beats are accepted while `ready`; each is pushed at some later clock, and none else is.
    reg ready;
    reg [A:0] pending = 0;
    wire room, push, takes, shows;
    wire [WIDTH-1:0] out_beat;
    wire [SIDES-1:0] out_side;
    wire spent = tvalid && ready;
    always @(posedge clk) begin
        ready <= !rst && room;
        pending <= rst ? 0 : pending + spent - push;
    end
`ifdef STEADY
    reg [`DELAY-1:0] on_the_way = 0;
    always @(posedge clk) on_the_way <= rst ? 0 : {on_the_way, spent};
    assign push = on_the_way[`DELAY-1];
    assign takes = 1'b1;
`else
    assign push = may_push;
    assign takes = sink_ready;
    always @(*) assume (rst || !push || pending != 0);
`endif

    `FIFO dut (
        .clock(clk), .reset(rst), .spent(spent), .push(push), .beat(beat), .side(side), .ready(takes),
        .shows(shows), .out_beat(out_beat), .out_side(out_side), .room(room)
    );

    // The specification. Beats of packets that are kept are numbered from zero, modulo 2 * WORDS. Of the packets that have ended `kept`
    // beats are kept; the open one has `length`, and it is too long to be dropped if these are more than LONGEST.
    reg [A:0] kept = 0, length = 0;
    reg too_long = 1'b0;
    wire last = beat[WIDTH-1], bad = side[0];
    wire becomes_long = too_long || length == LONGEST;
    wire dropped = push && last && bad && !becomes_long;
    always @(posedge clk) begin
        if (push) begin
            length <= last ? 0 : length + 1'b1;
            too_long <= !last && becomes_long;
            if (last && !dropped) kept <= kept + length + 1'b1;
        end
        if (rst) begin
            kept <= 0;
            length <= 0;
            too_long <= 1'b0;
        end
    end
    // Numbers: of the beat that is pushed next, if its packet is kept; of the first one that may not leave yet, now and some clocks ago; of
    // the next one that is read, and that is taken by the sink. Two that were read wait for it: `fetched`, and `shown` before it. A beat is
    // read four clocks after it may leave.
    wire [A:0] pushed = kept + length;
    wire [A:0] leaving = too_long ? pushed : kept;
    reg [A:0] leaving_1 = 0, leaving_2 = 0, leaving_3 = 0, leaving_4 = 0;
    reg [A:0] taken = 0, given = 0;
    reg fetched = 1'b0, shown = 1'b0;
    wire moves = !shown || takes;
    wire reads = (moves || !fetched) && taken != leaving_4;
    always @(posedge clk) begin
        leaving_1 <= rst ? 0 : leaving;
        leaving_2 <= rst ? 0 : leaving_1;
        leaving_3 <= rst ? 0 : leaving_2;
        leaving_4 <= rst ? 0 : leaving_3;
        taken <= rst ? 0 : taken + reads;
        given <= rst ? 0 : given + (shown && takes);
        fetched <= !rst && (reads || fetched && !moves);
        shown <= !rst && (moves ? fetched : shown);
    end

    // Any one number is watched: the beat that was pushed last as this one.
    (* anyconst *) reg [A:0] watched;
    reg [SIDES+WIDTH-1:0] expected;
    always @(posedge clk) if (push && pushed == watched) expected <= {side, beat};

    wire [A:0] held = pushed - taken;
    wire [A+1:0] promised = pending + held;
    reg [A+1:0] promised_1 = 0, promised_2 = 0, promised_3 = 0;
    always @(posedge clk) begin
        promised_1 <= rst ? 0 : promised;
        promised_2 <= rst ? 0 : promised_1;
        promised_3 <= rst ? 0 : promised_2;
    end
    reg full = 1'b0;
    always @(posedge clk) full <= !rst && (full || promised == WORDS);
    always @(posedge clk) if (started) begin
        // What comes out is the next beat of the packets that are kept, unchanged.
        if (shows) `CLAIM(given != leaving);
        if (shows && given == watched) `CLAIM({out_side, out_beat} == expected);
        // All of them do, each as soon as it is read and the sink has taken those before it.
        `CLAIM(shows == shown);
        // There is a word for each beat in the FIFO, and for each that is on its way to it.
        `CLAIM(promised <= WORDS);
        // The source is stopped three clocks after fewer than MARGIN words are free, and only then.
        `CLAIM(room == (promised_3 <= WORDS - MARGIN));
    end

    // The source is not stopped for ever: not if all that was accepted was pushed and the sink is ready for some clocks.
    localparam QUIET = WORDS + 12;
    reg [A+1:0] quiet = 0;
    always @(posedge clk) begin
        quiet <= rst || pending != 0 || !takes ? 0 : quiet == QUIET ? quiet : quiet + 1'b1;
        if (started && quiet == QUIET) `CLAIM(room);
    end

`ifdef STEADY
    // What is assumed of the packets; the claim.
    always @(*) assume (!push || last || length + 1 < LONGEST);
    reg was_reset = 1'b1;
    always @(posedge clk) begin
        was_reset <= rst;
        if (started) `CLAIM(room);
        if (started && !was_reset) `CLAIM(ready);
    end
`endif

    // Not vacuous. (The solver finds the way to a full FIFO if it is told: beats without a pause, and no sink until it is full.)
    reg has_dropped = 1'b0, led = 1'b1;
    wire leads = !rst && tvalid == !full && may_push == (pending != 0) && sink_ready == full;
    always @(posedge clk) begin
        has_dropped <= !rst && (has_dropped || dropped);
        led <= !started || led && leads && last && !bad;
        if (started) begin
            // The watched beat comes out behind others, and after a packet that was dropped.
            cover (shows && given == watched && watched == 2 && has_dropped);
`ifndef STEADY
            // A bad packet that is too long comes out.
            cover (shows && out_beat[WIDTH-1] && out_side[0]);
            // A packet leaves whose first beats are read before its last one has come.
            cover (too_long && given == pushed && push && last);
            // No word is free; and the FIFO goes on after it.
            cover (led && promised == WORDS);
            cover (led && full && held == 0 && ready);
`else
            cover (dropped && has_dropped && length + 1 == LONGEST);
`endif
        end
    end

`ifdef PROVE
    // Lemma: the packet that is open.
    (* hierconn *) wire [2:0] \dut.count_digit_0 ;
    (* hierconn *) wire [A-4:0] \dut.count_digit_1 ;
    (* hierconn *) wire \dut.count_carry_1 ;
    (* hierconn *) wire [2:0] \dut.size_digit_0 ;
    (* hierconn *) wire [A-4:0] \dut.size_digit_1 ;
    (* hierconn *) wire \dut.size_carry_1 ;
    (* hierconn *) wire \dut.size_carry_2 ;
    (* hierconn *) wire \dut.size_full_1 ;
    (* hierconn *) wire \dut.released ;
    wire [A-1:0] size = {\dut.size_digit_1 , \dut.size_digit_0 }, to_full = ~size, to_long = LONGEST - length;
    wire [A:0] waits = pushed - leaving;
    always @(posedge clk) if (started) begin
        assert ({\dut.count_digit_1 , \dut.count_digit_0 } == length[A-1:0]);
        assert (\dut.count_carry_1 == &\dut.count_digit_0 );
        assert (to_full == (too_long ? 0 : to_long));
        assert (\dut.size_carry_1 == &\dut.size_digit_0 && \dut.size_carry_2 == &size);
        assert (\dut.size_full_1 == &\dut.size_digit_1 || \dut.size_digit_0 == 0);
        assert (too_long || length <= LONGEST);
        assert (\dut.released == too_long);
        assert (waits <= LONGEST);
    end

    // Lemma: the beats that were pushed one clock and two clocks ago, and where they are to be. (What a reset leaves on its way there does
    // no harm, for no beat has entered yet.)
    reg at_1 = 1'b0, at_2 = 1'b0, was_rst = 1'b1, was_rst_2 = 1'b1;
    reg [A:0] number_1, number_2;
    reg [SIDES+WIDTH-1:0] beat_1, beat_2;
    always @(posedge clk) begin
        was_rst <= rst;
        was_rst_2 <= was_rst;
        at_1 <= !rst && push;
        at_2 <= !rst && at_1;
        number_1 <= pushed;
        number_2 <= number_1;
        beat_1 <= {side, beat};
        beat_2 <= beat_1;
    end
    (* hierconn *) wire \dut.push_1 ;
    (* hierconn *) wire \dut.stays_1 ;
    (* hierconn *) wire \dut.good_1 ;
    (* hierconn *) wire \dut.grows_1 ;
    (* hierconn *) wire \dut.one_1 ;
    (* hierconn *) wire \dut.dropped_1 ;
    (* hierconn *) wire [A-1:0] \dut.count_1 ;
    (* hierconn *) wire [A-1:0] \dut.length_1 ;
    (* hierconn *) wire [A-1:0] \dut.base ;
    (* hierconn *) wire [SIDES+WIDTH-1:0] \dut.beat_1 ;
    (* hierconn *) wire \dut.writes ;
    (* hierconn *) wire [A-1:0] \dut.write_address ;
    (* hierconn *) wire [SIDES+WIDTH-1:0] \dut.write_beat ;
    wire [A-1:0] place_1 = \dut.base + \dut.count_1 , next_base = \dut.base + (\dut.stays_1 ? \dut.length_1 : 0);
    wire [A-1:0] count_1_more = \dut.count_1 + 1'b1;
    wire [A:0] ahead_1 = number_1 - leaving_1, ahead_2 = number_2 - leaving_2, to_1 = number_1 - taken, to_2 = number_2 - taken;
    always @(posedge clk) if (started) begin
        assert (\dut.push_1 == at_1 || was_rst);
        assert (\dut.length_1 == count_1_more || was_rst);
        assert (next_base == kept[A-1:0]);
        if (at_1) assert (\dut.push_1 && place_1 == number_1[A-1:0] && \dut.beat_1 == beat_1);
        if (at_1) assert (ahead_1 <= LONGEST && to_1 < WORDS);
        assert (\dut.writes == at_2 || was_rst || was_rst_2);
        if (was_rst || was_rst_2) assert (pending == 0 && held == 0 && !(was_rst && ready));
        if (at_2) assert (\dut.writes && \dut.write_address == number_2[A-1:0] && \dut.write_beat == beat_2);
        if (at_2) assert (ahead_2 <= LONGEST && to_2 < WORDS);
    end

    // Lemma: what the readers have and what is on its way to them. `moved` is the number of the next beat that is given to them, and
    // `moved_1` that of the next one for which they have no token.
    (* hierconn *) wire [A:0] \dut.less_2 ;
    (* hierconn *) wire [A:0] \dut.stock ;
    (* hierconn *) wire [A:0] \dut.stock_before ;
    (* hierconn *) wire \dut.gives ;
    (* hierconn *) wire \dut.gave ;
    (* hierconn *) wire [TOKENS-1:0] \dut.tokens_free ;
    (* hierconn *) wire [TOKENS-1:0] \dut.tokens ;
    (* hierconn *) wire \dut.was_read ;
    (* hierconn *) wire \dut.reads ;
    (* hierconn *) wire \dut.kept ;
    (* hierconn *) wire [2:0] \dut.read_address_digit_0 ;
    (* hierconn *) wire [A-4:0] \dut.read_address_digit_1 ;
    (* hierconn *) wire \dut.read_address_carry_1 ;
    reg [A:0] moved = 0, moved_1 = 0;
    reg gave_1 = 1'b0;
    always @(posedge clk) begin
        moved <= rst ? 0 : moved + \dut.gives ;
        moved_1 <= rst ? 0 : moved;
        gave_1 <= !rst && \dut.gave ;
    end
    wire [A:0] added_1 = \dut.good_1 || \dut.grows_1 ? \dut.length_1 : \dut.one_1 ;
    wire [A:0] to_come_1 = leaving - leaving_1, to_come_2 = leaving_1 - leaving_2, to_come_3 = leaving_2 - leaving_3;
    wire [A:0] to_come_4 = leaving_3 - leaving_4, to_give = leaving_3 - moved, to_token = leaving_4 - moved_1, has = moved_1 - taken;
    wire [A:0] stock = \dut.stock - (WORDS - 1), added_2 = \dut.less_2 + 1'b1;
    wire [A:0] stock_before = \dut.stock - 1'b1;
    wire [A+3:0] all = has + to_token + to_come_4 + to_come_3 + to_come_2 + to_come_1 + waits;
    wire [A:0] free_tokens = TOKENS - has - \dut.was_read ;
    always @(posedge clk) if (started) begin
        assert (added_1 == to_come_1 && to_come_1 <= LONGEST + 1);
        assert (added_2 == to_come_2 && to_come_2 <= LONGEST + 1);
        assert (to_come_3 <= LONGEST + 1 && to_come_4 <= LONGEST + 1);
        assert (moved == moved_1 + \dut.gave );
        assert (to_give <= WORDS && to_token <= WORDS && has + \dut.was_read <= TOKENS);
        assert (all == held);
        assert (stock == to_give + to_come_3 + \dut.gave && stock <= WORDS);
        assert (\dut.stock_before == stock_before);
        assert (\dut.tokens == (1 << has) - 1);
        assert (\dut.tokens_free == (1 << free_tokens) - 1);
        // Tokens do not run out while there is a beat to read: either all was given in the clock before, or so many are out that some are left.
        assert (\dut.gave || to_give == 0 || has >= 3);
        assert (gave_1 ? has != 0 : to_token == 0 || has >= 2);
        assert (\dut.reads == reads);
        assert ({\dut.read_address_digit_1 , \dut.read_address_digit_0 } == taken[A-1:0]);
        assert (\dut.read_address_carry_1 == &\dut.read_address_digit_0 );
        assert (\dut.kept == !\dut.gave );
    end

    // Lemma: the watched beat, from the clock after its push until the sink takes it.
    (* hierconn *) wire \dut.fetched ;
    (* hierconn *) wire \dut.full ;
    (* hierconn *) wire [SIDES+WIDTH-1:0] \dut.read ;
    (* hierconn *) wire [SIDES+WIDTH-1:0] \dut.shown ;
    wire [SIDES+WIDTH-1:0] words [0:WORDS-1];
    each(0..<WORDS) (* hierconn *) wire [SIDES+WIDTH-1:0] \dut.words[%] ; assign words[%] = \dut.words[%] ;
    wire [A:0] leaves = given + fetched + shown, next_given = given + shown;
    wire [A:0] after_taken = watched - taken;
    reg was_reads = 1'b0;
    always @(posedge clk) was_reads <= !rst && reads;
    always @(posedge clk) if (started) begin
        assert (\dut.fetched == fetched && \dut.full == (fetched && shown));
        assert (\dut.was_read == was_reads);
        assert (leaves == taken);
        if (after_taken < held) begin
            if (at_1 && number_1 == watched) assert (beat_1 == expected);
            else if (at_2 && number_2 == watched) assert (beat_2 == expected);
            else assert (words[watched[A-1:0]] == expected);
        end
        if (fetched && watched == next_given) assert (\dut.read == expected);
        if (shown && watched == given) assert (\dut.shown == expected);
    end

    // Lemma: the words that are free, as the FIFO knows them, and then with what it gets to know in the next clocks.
    (* hierconn *) wire \dut.was_spent ;
    (* hierconn *) wire [1:0] \dut.step ;
    (* hierconn *) wire [A:0] \dut.freed_2 ;
    (* hierconn *) wire [A:0] \dut.change ;
    (* hierconn *) wire [A:0] \dut.free ;
    wire [A:0] step = {{A{\dut.step [1]}}, \dut.step [0]};
    wire [A:0] known = \dut.free - (WORDS - MARGIN);
    wire [A:0] known_1 = known + \dut.change ;
    wire [A:0] known_2 = known_1 + \dut.freed_2 + step;
    wire [A:0] freed_1 = \dut.dropped_1 ? \dut.length_1 : 0;
    wire [A:0] known_3 = known_2 + freed_1 + \dut.was_read - \dut.was_spent ;
    wire [A:0] change_more = \dut.change + 1'b1;
    always @(posedge clk) if (started) begin
        assert (known_3 + promised == WORDS);
        assert (known + promised_3 == WORDS && promised_3 <= WORDS);
        assert (known_1 + promised_2 == WORDS && promised_2 <= WORDS);
        assert (known_2 + promised_1 == WORDS && promised_1 <= WORDS);
        assert (freed_1 <= LONGEST && \dut.freed_2 <= LONGEST && change_more <= LONGEST + 2 && \dut.step != 2'b10);
        if (ready) assert (known >= MARGIN - 1);
    end

    // Lemma: what the readers have to read goes down while nothing comes.
    wire [A+1:0] to_leave = leaving - taken;
    always @(posedge clk) if (started) begin
        if (quiet > 4) assert (leaving == leaving_4);
        if (quiet > 3) assert (leaving == leaving_3);
        if (quiet > 2) assert (leaving == leaving_2);
        if (quiet > 1) assert (leaving == leaving_1);
        assert (to_leave == 0 || to_leave[A:0] + quiet <= WORDS + 5);
    end

`ifdef STEADY
    // Lemma: few beats are in the FIFO, and on their way to it.
    reg [A:0] on_the_way_beats;
    always @(*) begin
        on_the_way_beats = 0;
        for (int i = 0; i < `DELAY; i = i + 1) on_the_way_beats = on_the_way_beats + on_the_way[i];
    end
    localparam MOST = LONGEST + 4;
    always @(posedge clk) if (started) begin
        assert (pending == on_the_way_beats);
        assert (!too_long && length < LONGEST);
        assert (held <= MOST);
    end
`endif
`endif
endmodule
