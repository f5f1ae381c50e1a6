    // Lemmas of the theorem `packing`.

    // A word's marks: ill-formed, and one byte or more, two, three, four. The word's logic is cut off. That a word with three bytes has
    // two, and so on, is what the theorem `encode` proves of these marks.
    (* hierconn *) wire [9*N-1:0] \PIPELINE.words_0_marks ;
    wire [5*N-1:0] marks = \PIPELINE.words_0_marks [5*N-1:0];
    function automatic is_length(input [5*N-1:0] marks);
        is_length = (marks >> 2 * N & ~(marks >> N)) == 0;
    endfunction
    always @(*) if (were[PINS-SUMS]) assume (is_length(marks));
    reg [5*N*(MOST+SUMS)-1:0] marks_were;
    always @(posedge clk) marks_were <= {marks_were, marks};

    // What is known of the beat at each stage: the bytes of its words up to each; the bytes in the open beat (from stage 0) and that beat's
    // number (from stage 3) before it; how many beats it completes, the bytes of the last of these if it ends its packet, and whether the
    // watched byte is one of its own.
    wire [MOST:0] at = were >> PINS, ends = ended >> PINS;
    wire [7:0] sums [0:MOST][0:N];
    wire [7:0] counts [0:MOST];
    wire [7:0] kepts [0:MOST];
    reg [FILL-1:0] fills [0:MOST];
    reg [7:0] numbers [3:MOST];
    wire [MOST:0] has_watched;
    generate
        for (genvar k = 0; k <= MOST; k = k + 1) begin : g_stage
            wire [5*N-1:0] marks = marks_were[5*N*(k+SUMS-1)+:5*N];
            assign sums[k][0] = 8'd0;
            for (genvar i = 0; i < N; i = i + 1) begin : g_word
                assign sums[k][i+1] = sums[k][i] + marks[N+i] + marks[2*N+i] + marks[3*N+i] + marks[4*N+i];
            end
            wire [7:0] total = sums[k][N] + fills[k];
            wire [FILL-1:0] rest = total & (N - 1);
            wire has_part = rest != 0 || total >> DOUBLINGS == 0;
            wire [FILL-1:0] next_fill = !at[k] ? fills[k] : ends[k] ? 0 : rest;
            assign counts[k] = !at[k] ? 8'd0 : (total >> DOUBLINGS) + (ends[k] && has_part);
            assign kepts[k] = has_part ? rest : N;
            if (k >= 3) begin
                wire [7+DOUBLINGS:0] from_first = (watched - numbers[k]) * N + lane - fills[k];
                assign has_watched[k] = at[k] && from_first < sums[k][N];
            end else assign has_watched[k] = 1'b0;
            always @(posedge clk) if (started) begin
                `OF_STAGES((fills[k] & N - 1) == fills[k]);
                if (k > 0) `OF_STAGES(fills[k-1] == next_fill);
                if (k > 3) `OF_STAGES(numbers[k-1] == ((numbers[k] + counts[k]) & 8'hff));
                `OF_STAGES(!at[k] || is_length(marks));
            end
        end
    endgenerate
    always @(posedge clk) begin
        fills[0] <= g_stage[0].next_fill;
        numbers[3] <= numbers[3] + counts[3];
        for (int k = 1; k <= MOST; k = k + 1) fills[k] <= fills[k-1];
        for (int k = 4; k <= MOST; k = k + 1) numbers[k] <= numbers[k-1];
        if (rst) begin
            for (int k = 0; k <= MOST; k = k + 1) fills[k] <= 0;
            for (int k = 3; k <= MOST; k = k + 1) numbers[k] <= 8'd0;
        end
        if (started) begin
            `OF_STAGES((rested >> 1 & ~rested) == 0 && (were & ~rested) == 0 && (ended & ~were) == 0);
            `OF_STAGES(open == numbers[7] && fill == fills[7]);
        end
    end

    // The marks and the sums wait in memories, as in the theorem `encode`; the marks then say which slots have a byte.
    localparam SUM = 3 + DOUBLINGS, LATE = SUMS + 6;
    each(sums_wait late_marks) (* hierconn *) wire [3:0] \PIPELINE.%.at ;
    each(sums_wait late_marks) (* hierconn *) wire [3:0] \PIPELINE.%.from ;
    (* hierconn *) wire [SUM*N-1:0] \PIPELINE.sums_wait.x ;
    (* hierconn *) wire [SUM*N-1:0] \PIPELINE.sums_wait.read ;
    (* hierconn *) wire [5*N-1:0] \PIPELINE.late_marks.read ;
    wire [SUM*N-1:0] sum_words [0:15];
    wire [5*N-1:0] mark_words [0:15];
    each(0..15) (* hierconn *) wire [SUM*N-1:0] \PIPELINE.sums_wait.words[%] ; assign sum_words[%] = \PIPELINE.sums_wait.words[%] ;
    each(0..15) (* hierconn *) wire [5*N-1:0] \PIPELINE.late_marks.words[%] ; assign mark_words[%] = \PIPELINE.late_marks.words[%] ;
    wire [3:0] sums_from = \PIPELINE.sums_wait.at + 4'd1 - 4'd5, marks_from = \PIPELINE.late_marks.at + 4'd1 - LATE;
    wire [SUM*N-1:0] sums_of [0:MOST];
    wire [M-1:0] slots_of_marks;
    generate
        for (genvar k = 0; k <= MOST; k = k + 1)
            for (genvar i = 0; i < N; i = i + 1) assign sums_of[k][SUM*i+:SUM] = sums[k][i+1];
        for (genvar age = 1; age < 5; age = age + 1) begin : g_sums_age
            wire [3:0] address = \PIPELINE.sums_wait.at - age;
            always @(posedge clk) if (started && at[age]) `OF_STAGES(sum_words[address] == sums_of[age]);
        end
        for (genvar age = 1; age < LATE; age = age + 1) begin : g_marks_age
            wire [3:0] address = \PIPELINE.late_marks.at - age;
            always @(posedge clk) if (started && rested[age-1]) `OF_STAGES(mark_words[address] == marks_were[5*N*(age-1)+:5*N]);
        end
        for (genvar i = 0; i < N; i = i + 1)
            for (genvar j = 0; j < SLOTS; j = j + 1) assign slots_of_marks[SLOTS*i+j] = g_stage[7].marks[N*(SLOTS-j)+i];
    endgenerate
    always @(posedge clk) if (started) begin
        if (rested[0]) `OF_STAGES(\PIPELINE.sums_wait.from == sums_from && \PIPELINE.late_marks.from == marks_from);
        if (at[0]) `OF_STAGES(\PIPELINE.sums_wait.x == sums_of[0]);
        if (at[5]) `OF_STAGES(\PIPELINE.sums_wait.read == sums_of[5]);
        if (rested[LATE-1]) `OF_STAGES(\PIPELINE.late_marks.read == g_stage[6].marks);
        if (rested[LATE]) `OF_STAGES(present == slots_of_marks);
    end

    // Where a beat's bytes begin, which beats it completes, and the place of each slot's byte.
    (* hierconn *) wire [PINS:0] \PIPELINE.valid_at_total_clocks ;
    (* hierconn *) wire [PINS:0] \PIPELINE.last_at_total.stages ;
    (* hierconn *) wire \PIPELINE.begins.s1_valid ;
    (* hierconn *) wire \PIPELINE.begins.s1_ends ;
    (* hierconn *) wire [1:0] \PIPELINE.begins.delay_valid_3_clocks ;
    (* hierconn *) wire [2:0] \PIPELINE.begins.delay_valid_6_clocks ;
    (* hierconn *) wire [2:0] \PIPELINE.begins.delay_ends_4_clocks ;
    (* hierconn *) wire [2:0] \PIPELINE.begins.s1_fills ;
    (* hierconn *) wire [2:0] \PIPELINE.begins.s2_fills ;
    (* hierconn *) wire \PIPELINE.begins.s2_closes ;
    (* hierconn *) wire [6:0] \PIPELINE.begins.s2_kept ;
    (* hierconn *) wire [2:0] \PIPELINE.begins.s3_count ;
    (* hierconn *) wire [6:0] \PIPELINE.begins.s4_quarter ;
    (* hierconn *) wire [6:0] \PIPELINE.begins.s4_first ;
    (* hierconn *) wire [2:0] \PIPELINE.begins.s4_count ;
    (* hierconn *) wire [13:0] \PIPELINE.begins.delay_kept_4.stages ;
    each(1..4) (* hierconn *) wire [6:0] \PIPELINE.begins.s5_less_% ;
    wire [SUM*N-1:0] places [1:SLOTS];
    each(1..4) (* hierconn *) wire [SUM*N-1:0] \PIPELINE.places.places_% ; assign places[%] = \PIPELINE.places.places_% ;
    wire [LEVELS:0] start_5 = (numbers[5] & 3) * N + fills[5], start_6 = (numbers[6] & 3) * N + fills[6];
    always @(posedge clk) if (started) begin
        `OF_STAGES(\PIPELINE.valid_at_total_clocks == were[PINS:0]);
        `OF_STAGES((\PIPELINE.last_at_total.stages & were[PINS:0]) == ended[PINS:0]);
        `OF_STAGES({\PIPELINE.begins.delay_valid_6_clocks , \PIPELINE.begins.delay_valid_3_clocks , \PIPELINE.begins.s1_valid } == at[6:1]);
        `OF_STAGES({\PIPELINE.begins.delay_ends_4_clocks , \PIPELINE.begins.s1_ends } == ends[4:1]);
        `OF_STAGES(\PIPELINE.begins.s1_fills == (at[1] ? g_stage[1].total >> DOUBLINGS : 0));
        `OF_STAGES(\PIPELINE.begins.s2_fills + \PIPELINE.begins.s2_closes == counts[2]);
        if (at[2]) `OF_STAGES(\PIPELINE.begins.s2_kept == kepts[2]);
        each(3..4) if (at[%]) `OF_STAGES(\PIPELINE.begins.delay_kept_4.stages [7*(%-3)+:7] == kepts[%]);
        `OF_STAGES(\PIPELINE.begins.s3_count == counts[3] && \PIPELINE.begins.s4_quarter == numbers[3][6:0]);
        if (rested[0]) `OF_STAGES(\PIPELINE.begins.s4_count == counts[4]);
        if (rested[1]) `OF_STAGES(\PIPELINE.begins.s4_first == numbers[4][6:0]);
        each(1..4) if (at[5]) `OF_STAGES(\PIPELINE.begins.s5_less_% [LEVELS:0] == ((start_5 - %) & (2 * M - 1)));
        for (int i = 0; i < N; i = i + 1) for (int j = 1; j <= SLOTS; j = j + 1)
            if (at[6]) `OF_STAGES(places[j][SUM*i+:SUM] == ((start_6 + sums[6][i+1] - j) & (2 * M - 1)));
    end
`ifdef WIDE
    (* hierconn *) wire [6:0] \PIPELINE.begins.s1_within ;
    (* hierconn *) wire [6:0] \PIPELINE.begins.s1_from ;
    (* hierconn *) wire [6:0] \PIPELINE.begins.s1_rest ;
    (* hierconn *) wire [20:0] \PIPELINE.begins.delay_from_4.stages ;
    always @(posedge clk) if (started) begin
        `OF_STAGES(\PIPELINE.begins.s1_within == fills[0]);
        if (at[1]) `OF_STAGES(\PIPELINE.begins.s1_from == fills[1] && \PIPELINE.begins.s1_rest == g_stage[1].rest);
        each(2..4) if (at[%]) `OF_STAGES(\PIPELINE.begins.delay_from_4.stages [7*(%-2)+:7] == fills[%]);
    end
`endif

    // What comes out of the network: the beat's bytes are neighbours in the ring's round, and in the next one if they reach into it.
    each(stays moves) (* hierconn *) wire [M-1:0] \PIPELINE.network.%_<LEVELS> ;
    (* hierconn *) wire [8*M-1:0] \PIPELINE.network.planes_<LEVELS> ;
    wire [M-1:0] now = \PIPELINE.network.stays_<LEVELS> , later = \PIPELINE.network.moves_<LEVELS> ;
    wire [LEVELS:0] start = ((numbers[WRITE] & 3) << DOUBLINGS) + fills[WRITE];
    wire [LEVELS-1:0] watched_place = (watched[1:0] << DOUBLINGS) + lane;
    generate
        for (genvar p = 0; p < M; p = p + 1) begin : g_place
            wire [LEVELS-1:0] after = p - start;
            wire is_there = at[WRITE] && after < sums[WRITE][N];
            wire [7:0] put_there;
            for (genvar b = 0; b < 8; b = b + 1) assign put_there[b] = \PIPELINE.network.planes_<LEVELS> [M*b+p];
            always @(posedge clk) if (started) begin
                `OF_STAGES(now[p] == (is_there && p >= start) && later[p] == (is_there && p < start));
                if (has_watched[WRITE] && watched_place == p) `OF_WAYS(put_there == byte_of_it);
            end
        end
    endgenerate

    // The ring. Beats have `gone` from it, and some of these have been `put` into the FIFO. How many beats of bytes are between the sink and
    // the ring, and in the ring before the beat of each stage, is counted, too: such numbers are easier to compare.
    (* hierconn *) wire \RING.leaves ;
    (* hierconn *) wire \RING.left ;
    reg [7:0] gone = 8'd0, n_gone = 8'd0;
    reg [7:0] inside [3:MOST];
    always @(posedge clk) begin
        gone <= gone + \RING.leaves ;
        n_gone <= n_gone + \RING.leaves - sends;
        inside[3] <= inside[3] + counts[3] - \RING.leaves ;
        for (int k = 4; k <= MOST; k = k + 1) inside[k] <= inside[k-1] - \RING.leaves ;
        if (rst) begin
            gone <= 8'd0;
            n_gone <= 8'd0;
            for (int k = 3; k <= MOST; k = k + 1) inside[k] <= 8'd0;
        end
    end
    wire [7:0] put = gone - \RING.left , n_put = n_gone - \RING.left ;
    // Of the beats that the sink has not taken, how many come before the watched one, and how many are complete.
    wire [7:0] n_open = n_gone + inside[7];
    reg [7:0] ahead;
    always @(posedge clk) ahead <= rst ? watched : ahead - sends;
    wire has_gone = ahead < n_gone;
    always @(posedge clk) if (started) begin
        `OF_COUNTS(gone == ((taken + n_gone) & 8'hff) && n_put <= 8'd32 && n_gone >= \RING.left );
        for (int k = 3; k <= MOST; k = k + 1) `OF_COUNTS(numbers[k] == ((gone + inside[k]) & 8'hff) && inside[k] <= 8'd128 - (fills[k] != 0));
        for (int k = 4; k <= MOST; k = k + 1) `OF_COUNTS(inside[k-1] == inside[k] + counts[k]);
        `OF_COUNTS(inside[MOST] >= \RING.leaves );
        if (complete || has_byte) `OF_RING(rested[PINS+7]);
        `OF_COUNTS(ahead == ((watched - taken) & 8'hff) && open == ((taken + n_open) & 8'hff));
        `OF_RING(complete == (ahead < n_open));
        if (!complete) `OF_RING(has_byte == (ahead == n_open && lane < fill));
        if (complete && !is_last) `OF_RING(has_byte);
        for (int k = 8; k <= MOST; k = k + 1) if (has_watched[k]) `OF_RING(has_byte && !has_gone);
    end

    // How many beats wait in it.
    (* hierconn *) wire \RING.any ;
    (* hierconn *) wire \RING.came ;
    each(waiting less) (* hierconn *) wire [7:0] \RING.% ;
    (* hierconn *) wire \RING.plenty ;
    each(0..2) (* hierconn *) wire [LEVELS+3:0] \RING.count_%_clocks ;
    (* hierconn *) wire [1:0] \RING.leaving_turn_0 ;
    always @(posedge clk) if (started) begin
        `OF_COUNTS(\RING.less == ((counts[MOST] - 1) & 8'hff) && \RING.came == (counts[MOST] != 0));
        `OF_COUNTS(\RING.waiting == inside[MOST]);
        `OF_COUNTS(\RING.any == (\RING.waiting != \RING.leaves ));
        `OF_COUNTS(\RING.plenty ? \RING.waiting > 2 : \RING.waiting < 16);
        for (int k = 4; k <= WRITE; k = k + 1)
            `OF_COUNTS({\RING.count_2_clocks [k-4], \RING.count_1_clocks [k-4], \RING.count_0_clocks [k-4]} == counts[k]);
        `OF_COUNTS(\RING.leaving_turn_0 == gone[1:0]);
    end

    // Each bank: where it is written and read. A part of a bank's tags is written if one of the beats that are completed belongs there:
    // `distance` is how far its next beat is from the first of these.
    (* hierconn *) wire \RING.apart ;
    (* hierconn *) wire [7*(LEVELS+1)-1:0] \RING.late_first.stages ;
    each(round round_after) (* hierconn *) wire [4:0] \RING.% ;
    each(this_round next_round round round_of_bytes_0) each(0..3) (* hierconn *) wire [4:0] \RING.bank_%%.% ;
    each(0..3) (* hierconn *) wire \RING.bank_%.left ;
    each(writes write_last) each(0..3) each(0..1) (* hierconn *) wire \RING.bank_%%.%_%%% ;
    each(0..3) each(0..1) (* hierconn *) wire [3:0] \RING.bank_%.write_address_%% ;
    wire [5:0] writes [0:7];
    each(0..3) each(0..1) assign writes[4*%%+%] = {\RING.bank_%.writes_%% , \RING.bank_%.write_last_%% , \RING.bank_%.write_address_%% };
    each(0..3) (* hierconn *) wire [DOUBLINGS:0] \RING.bank_%.kept_3 ;
    wire [2:0] first_7 = numbers[7][2:0];
    wire [2:0] distance [0:7];
    generate
        for (genvar i = 0; i < 8; i = i + 1) assign distance[i] = i - first_7;
    endgenerate
    wire [4:0] this_round = numbers[WRITE][6:2], next_round = numbers[WRITE][6:2] + 5'd1, round_after = numbers[WRITE-1][6:2] + 5'd1;
    always @(posedge clk) if (started) begin
        for (int k = 5; k < WRITE - 1; k = k + 1) if (at[k]) `OF_STAGES(\RING.late_first.stages [7*(k-5)+:7] == numbers[k][6:0]);
        if (at[WRITE-1]) `OF_STAGES(\RING.round == numbers[WRITE-1][6:2] && \RING.round_after == round_after);
        if (rested[0]) `OF_STAGES(!\RING.apart );
        each(0..3) if (at[WRITE]) `OF_STAGES(\RING.bank_%.this_round == this_round && \RING.bank_%.next_round == next_round);
        each(0..3) `OF_STAGES(\RING.bank_%.round == ((gone + 3 - %) >> 2 & 31) && \RING.bank_%.round_of_bytes_0 == ((put + 3 - %) >> 2 & 31));
        each(0..3) `OF_STAGES(\RING.bank_%.left == (\RING.left && put[1:0] == %));
        each(0..3) if (at[7]) `OF_STAGES(\RING.bank_%.kept_3 == kepts[7]);
        for (int i = 0; i < 8; i = i + 1) if (rested[6]) begin
            `OF_STAGES(writes[i][5] == (distance[i] < counts[7]));
            if (writes[i][5]) `OF_STAGES(writes[i][4] == (ends[7] && distance[i] + 1 == counts[7]));
            if (writes[i][5]) `OF_STAGES(writes[i][3:0] == ((numbers[7] + distance[i]) >> 3 & 15));
        end
    end

    // What its memories have of the watched beat, and what leaves them.
    each(0..3) (* hierconn *) wire [8*N-1:0] \RING.bank_%.oldest ;
    each(0..3) (* hierconn *) wire [N-1:0] \RING.bank_%.keep_next ;
    each(0..3) (* hierconn *) wire \RING.bank_%.last_next ;
    (* hierconn *) wire [BEAT-1:0] \RING.leaving_left ;
    wire [DOUBLINGS+1:0] tags [0:127];
    wire [7:0] bytes [0:128*N-1];
    each(0..3) each(0..1) each(0..15) (* hierconn *) wire [DOUBLINGS+1:0] \RING.bank_%.tags_%%[%%%] ;
    each(0..3) each(0..1) each(0..15) assign tags[8*%%%+4*%%+%] = \RING.bank_%.tags_%%[%%%] ;
    each(0..<LANES) each(0..3) each(0..31) (* hierconn *) wire [7:0] \RING.bank_%%.bytes_%[%%%] ;
    each(0..<LANES) each(0..3) each(0..31) assign bytes[(4*%%%+%%)*N+%] = \RING.bank_%%.bytes_%[%%%] ;
    wire [DOUBLINGS+1:0] tag = tags[watched[6:0]];
    wire has_lane = !tag[DOUBLINGS+1] || tag[DOUBLINGS:0] > lane;
    wire [7:0] in_memory = bytes[watched[6:0]*N+lane];
    wire [9:0] shows [0:3];
    each(0..3) assign shows[%] = {\RING.bank_%.last_next , \RING.bank_%.keep_next [lane], \RING.bank_%.oldest [8*lane+:8]};
    function automatic [9:0] in_lane(input [BEAT-1:0] beat);
        in_lane = {beat[BEAT-1], beat[8*N+lane], beat[8*lane+:8]};
    endfunction
    always @(posedge clk) if (started) begin
        if (complete && !has_gone) `OF_RING(tag[DOUBLINGS+1] == is_last && has_lane == has_byte);
        if (has_byte && !has_gone && !has_watched[WRITE:8]) `OF_RING(in_memory == byte_of_it);
        if (\RING.leaves && gone == watched) `OF_WAYS(shows[watched[1:0]] == expected);
        if (\RING.left && put == watched) `OF_WAYS(in_lane(\RING.leaving_left ) == expected);
    end

    // The FIFO has the beats that were put into it, as in the theorem `stream`.
    localparam WORDS = 32;
    (* hierconn *) wire \FIFO.entering ;
    (* hierconn *) wire \FIFO.entered ;
    (* hierconn *) wire [WORDS-1:0] \FIFO.filled ;
    each(writes_odd reads_odd to_even to_odd) (* hierconn *) wire \FIFO.slice_0.% ;
    (* hierconn *) wire [BEAT-1:0] \FIFO.slice_0.entering_beat ;
    each(write_address read_address) each(even odd) (* hierconn *) wire [3:0] \FIFO.slice_0.%%.% ;
    each(even odd) (* hierconn *) wire [BEAT-1:0] \FIFO.slice_0.%.oldest_beat ;
    each(even odd) wire [BEAT-1:0] % [0:WORDS/2-1];
    each(even odd) each(0..15) (* hierconn *) wire [BEAT-1:0] \FIFO.slice_0.%.beats_words[%%] ; assign %[%%] = \FIFO.slice_0.%.beats_words[%%] ;
    wire [7:0] written = put - \FIFO.entering , even_written = written + 8'd1, even_taken = taken + 8'd1;
    // These can leave. The word of the beat that is shown is as good as free.
    wire [7:0] ready_beats = n_put - \FIFO.entering - \FIFO.entered , in_fifo = n_put - out_valid;
    wire [BEAT-1:0] of_memory = watched[0] ? odd[watched[4:1]] : even[watched[4:1]];
    wire [BEAT-1:0] watched_word = \FIFO.entering && ahead + 8'd1 == n_put ? \FIFO.slice_0.entering_beat : of_memory;
    always @(posedge clk) if (started) begin
        `OF_PINS(\FIFO.slice_0.writes_odd == put[0] && \FIFO.slice_0.reads_odd == taken[0]);
        `OF_PINS(\FIFO.slice_0.to_even == (\FIFO.entering && put[0]) && \FIFO.slice_0.to_odd == (\FIFO.entering && !put[0]));
        `OF_PINS(\FIFO.slice_0.even.write_address == even_written[4:1] && \FIFO.slice_0.odd.write_address == written[4:1]);
        `OF_PINS(\FIFO.slice_0.even.read_address == even_taken[4:1] && \FIFO.slice_0.odd.read_address == taken[4:1]);
        `OF_PINS(in_fifo < WORDS && n_put >= {7'd0, \FIFO.entering } + \FIFO.entered );
        for (int i = 0; i < WORDS; i = i + 1) `OF_PINS(\FIFO.filled [i] == (ready_beats > i));
        if (ready_beats != 0)
            `OF_PINS(taken[0] ? \FIFO.slice_0.odd.oldest_beat == odd[taken[4:1]] : \FIFO.slice_0.even.oldest_beat == even[taken[4:1]]);
        if (ahead < n_put) `OF_PINS(in_lane(watched_word) == expected);
    end

    // The FIFO's credits: a word is promised to every beat between the ring and the FIFO.
    each(bit_0 bit_1 up down) each(0..2) (* hierconn *) wire \CREDITS.%_%% ;
    each(bit_0_3 bit_1_3 was_spent was_returned step_0 step_1) (* hierconn *) wire \CREDITS.% ;
    (* hierconn *) wire \dut.may_leave ;
    wire [7:0] digit_0 = {\CREDITS.bit_1_0 , \CREDITS.bit_0_0 };
    wire [7:0] digit_1 = {\CREDITS.bit_1_1 , \CREDITS.bit_0_1 } + \CREDITS.up_0 - \CREDITS.down_0 ;
    wire [7:0] digit_2 = {\CREDITS.bit_1_2 , \CREDITS.bit_0_2 } + \CREDITS.up_1 - \CREDITS.down_1 ;
    wire [7:0] digit_3 = {\CREDITS.bit_1_3 , \CREDITS.bit_0_3 } + \CREDITS.up_2 - \CREDITS.down_2 ;
    wire [7:0] credit = digit_0 + (digit_1 << 2) + (digit_2 << 4) + (digit_3 << 6);
    wire [7:0] step = {{6{\CREDITS.step_1 && \CREDITS.step_0 }}, \CREDITS.step_1 , \CREDITS.step_0 };
    wire [7:0] free = credit + 8'd8 + step + \CREDITS.was_returned - \CREDITS.was_spent ;
    wire [7:0] all_words = free + \RING.leaves + \RING.left + in_fifo;
    always @(posedge clk) if (started) begin
        `OF_COUNTS(all_words == WORDS && free > \dut.may_leave && free <= WORDS);
        // That there are too few credits takes a clock for each digit to be seen, and another; a beat may leave in each.
        each(0..2) if (\CREDITS.down_% ) `OF_COUNTS({\CREDITS.bit_1_% , \CREDITS.bit_0_% } == 3 && !\CREDITS.up_% );
        each(0..2) if (\CREDITS.up_% ) `OF_COUNTS({\CREDITS.bit_1_% , \CREDITS.bit_0_% } == 0);
        if (credit[7] && !\CREDITS.bit_1_3 )
            `OF_COUNTS(\CREDITS.down_0 && credit == 8'hff || \CREDITS.down_1 && credit >= 8'hfe || \CREDITS.down_2 && credit >= 8'hfd);
        if (credit[7] && \dut.may_leave ) `OF_COUNTS(credit >= 8'hfc);
        `OF_COUNTS(\CREDITS.was_spent == \RING.leaves );
    end

    // Room in the ring: four beats are promised to each beat of words until its bytes are counted, and 17 are kept back. What is not
    // promised, less the beat that is being filled, is enough for the four beats of words that may still be accepted.
    each(was_taken was_freed) (* hierconn *) wire \dut.room.% ;
    each(given_back step) (* hierconn *) wire [3:0] \dut.room.% ;
    (* hierconn *) wire [7:0] \dut.room.free ;
    reg [7:0] uncounted;
    always @(*) begin
        uncounted = 8'd0;
        for (int i = 0; i <= PINS + 3; i = i + 1) uncounted = uncounted + were[i];
    end
    wire [7:0] room_step = {{4{\dut.room.step [3]}}, \dut.room.step }, back = {{4{\dut.room.given_back [3]}}, \dut.room.given_back };
    wire [7:0] room = \dut.room.free + 8'd17 + room_step + back + \dut.room.was_freed - (\dut.room.was_taken << 2);
    wire [7:0] in_ring = inside[3] - \RING.leaves , spare = room - (fills[3] != 0);
    always @(posedge clk) if (started) begin
        `OF_COUNTS(\dut.room.was_freed == \RING.leaves && \dut.room.was_taken == were[0]);
        `OF_COUNTS(\dut.room.given_back == (at[4] ? (4 - counts[4]) & 15 : 0));
        `OF_COUNTS(room + (uncounted << 2) + in_ring == 8'd128);
        `OF_COUNTS(room <= 8'd128 && spare <= 8'd128 && in_ring <= 8'd128 && spare >= (ready << 2));
    end
