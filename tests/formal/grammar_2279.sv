// Theorem: a machine that reads a packet byte by byte, knows nothing but the table of RFC 2279 and takes the longest prefix that a
// well-formed sequence can have, splits every packet as window::ends_at does, which sees five bytes back and one ahead; the table's
// rows of bytes are its patterns of bits with its ranges of values, without surrogates; and those of its characters that are 10FFFF
// or less are exactly the UTF8-char of RFC 3629's ABNF, with the same values.

module check (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [7:0] x
);
    // Bytes with another one in the place of byte n.
    function automatic [47:0] with_byte(input [47:0] s, input [2:0] n, input [7:0] x);
        with_byte = s;
        for (int k = 0; k < 6; k = k + 1) if (n == k) with_byte[8*k+:8] = x;
    endfunction

    // The machine: the bytes of the sequence that is unfinished, n of them.
    reg [2:0] n = 3'd0;
    reg [47:0] s;
    wire [2:0] longer = n + 3'd1;
    wire [47:0] next_s = with_byte(s, n, x);
    wire complete = rfc2279::utf8_char(longer, next_s);
    wire goes_on = rfc2279::begins(longer, next_s);
    // If x can be no part of it, it ends before x, and x begins anew.
    wire anew = !complete && !goes_on;
    wire [47:0] only_x = {40'h0, x};
    wire is_scalar = complete || anew && rfc2279::utf8_char(3'd1, only_x);
    wire is_open = goes_on || anew && rfc2279::begins(3'd1, only_x);
    wire [2:0] length = anew ? 3'd1 : longer;
    wire [47:0] sequence_s = anew ? only_x : next_s;
    wire [30:0] value = rfc2279::scalar(length, sequence_s);
    always @(posedge clk)
        if (rst || valid && (last || !is_open)) n <= 3'd0;
        else if (valid) begin
            n <= length;
            s <= sequence_s;
        end

    // {is_scalar, is_ill_formed, kind, length, value} of x, but for a sequence that is unfinished, and of the byte before x, if
    // x ends its sequence.
    wire [38:0] own = is_scalar ? {2'b10, 6'h0, value}
        : is_open ? 39'h0 : {2'b01, rfc2279::kind(3'd1, x, 1'b0, 8'h0), 3'd1, 31'h0};
    wire [38:0] cut = {2'b01, rfc2279::kind(n, s[7:0], 1'b1, x), n, 31'h0};
    wire [38:0] cut_at_end = {2'b01, rfc2279::kind(length, sequence_s[7:0], 1'b0, 8'h0), length, 31'h0};

    // The byte before x in the packet, what the machine said of it, and the window's past.
    reg [8:0] y = 9'h0;
    reg [38:0] said_of_y;
    reg [44:0] past = 45'h0;
    wire [44:0] past_of_x = y[8] ? {past[35:0], y} : 45'h0;
    always @(posedge clk)
        if (rst || valid && last) y <= 9'h0;
        else if (valid) begin
            y <= {1'b1, x};
            said_of_y <= own;
            past <= past_of_x;
        end

    // What the window sees: where a byte comes after the one before x, where none does after x, and where none does after the one before.
    wire [38:0] before_x, at_end, before_none;
    wire [2:0] open_past;
    piece_at seen_before_x (
        .before(past), .lane(y), .next({1'b1, x}), .scalar(before_x[38]), .ill_formed(before_x[37]), .kind(before_x[36:34]),
        .length(before_x[33:31]), .value(before_x[30:0])
    );
    piece_at seen_at_end (
        .before(past_of_x), .lane({1'b1, x}), .next(9'h0), .scalar(at_end[38]), .ill_formed(at_end[37]), .kind(at_end[36:34]),
        .length(at_end[33:31]), .value(at_end[30:0])
    );
    piece_at seen_before_none (
        .before(past), .lane(y), .next(9'h0), .scalar(before_none[38]), .ill_formed(before_none[37]), .kind(before_none[36:34]),
        .length(before_none[33:31]), .value(before_none[30:0])
    );
    of_lane of_lane (.before(past_of_x), .lane({1'b1, x}), .open_before(open_past));

    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @(*) if (!started) assume (rst);
    always @(posedge clk) if (started && !rst) begin
        if (valid && y[8])
            assert (before_x == (n != 3'd0 && anew ? cut : said_of_y));
        if (valid && last)
            assert (at_end == (is_open ? cut_at_end : own));
        // Only the second byte of a sequence that would be overlong or a surrogate is a continuation byte that is not taken.
        if (valid && n != 3'd0 && anew && rfc2279::tail(x))
            assert (n == 3'd1 && (s[7:0] == 8'hE0 || s[7:0] == 8'hED || s[7:0] == 8'hF0 || s[7:0] == 8'hF8 || s[7:0] == 8'hFC));
    end

    // Lemmas: the machine's bytes are the packet's last, and nothing was said of a byte that is unfinished.
    always @(posedge clk) if (started) begin
        assert (n <= 3'd5);
        assert (n == open_past);
        for (int m = 1; m <= 5; m = m + 1)
            if (n == m) for (int k = 0; k < m; k = k + 1) assert (s[8*k+:8] == past_of_x[9*(m-1-k)+:8]);
        if (n != 3'd0) assert (y[8] && said_of_y == 39'h0);
        assert (past[8] || past == 45'h0);
        for (int k = 1; k < 5; k = k + 1) assert (past[9*k-1] || !past[9*k+8]);
        if (y[8] && n == 3'd0) assert (said_of_y == before_none);
        if (y[8] && n != 3'd0) assert (open_past != 3'd0);
    end

    // The table as it is printed: the pattern of a row of m octets, and its range of values.
    (* anyseq *) reg [2:0] m;
    (* anyseq *) reg [47:0] t;
    reg pattern;
    always @(*) begin
        case (m)
            3'd1: pattern = t[7] == 1'b0;
            3'd2: pattern = t[7:5] == 3'b110;
            3'd3: pattern = t[7:4] == 4'b1110;
            3'd4: pattern = t[7:3] == 5'b11110;
            3'd5: pattern = t[7:2] == 6'b111110;
            3'd6: pattern = t[7:1] == 7'b1111110;
            default: pattern = 1'b0;
        endcase
        for (int k = 1; k < 6; k = k + 1) if (m > k) pattern = pattern && t[8*k+6+:2] == 2'b10;
    end
    wire [30:0] of_t = rfc2279::scalar(m, t);
    reg in_range;
    always @(*)
        case (m)
            3'd1: in_range = of_t <= 31'h7F;
            3'd2: in_range = of_t >= 31'h80 && of_t <= 31'h7FF;
            3'd3: in_range = of_t >= 31'h800 && of_t <= 31'hFFFF && !(of_t >= 31'hD800 && of_t <= 31'hDFFF);
            3'd4: in_range = of_t >= 31'h10000 && of_t <= 31'h1FFFFF;
            3'd5: in_range = of_t >= 31'h200000 && of_t <= 31'h3FFFFFF;
            default: in_range = of_t >= 31'h4000000;
        endcase
    wire is_char = rfc2279::utf8_char(m, t);
    always @(*) assert (is_char == (pattern && in_range));

    // A prefix is one of a character: each shorter part of a character begins it, and what begins one goes on, with 9F or BF, until it is one.
    (* anyseq *) reg [2:0] part;
    wire part_begins = rfc2279::begins(part, t);
    wire [2:0] one_more = part + 3'd1;
    wire [47:0] with_9f = with_byte(t, part, 8'h9F), with_bf = with_byte(t, part, 8'hBF);
    always @(*) begin
        if (is_char && part >= 3'd1 && part < m) assert (part_begins);
        if (part_begins)
            assert (part <= 3'd5 && (rfc2279::can_be(one_more, with_9f) || rfc2279::can_be(one_more, with_bf)));
    end

    // RFC 3629 is what it leaves of this table.
    wire is_3629_char = rfc3629::utf8_char(m, t[7:0], t[15:8], t[23:16], t[31:24]);
    always @(*) begin
        assert (is_3629_char == (is_char && of_t <= 31'h10FFFF));
        if (is_3629_char) assert (of_t == {10'h0, rfc3629::scalar(m, t[7:0], t[15:8], t[23:16], t[31:24])});
    end

    // Not vacuous: each kind and each length of a sequence is reached.
    generate
        for (genvar k = 3; k <= 6; k = k + 1) if (k != 5) begin : g_kind
            always @(posedge clk) cover (started && !rst && valid && n != 3'd0 && anew && cut[36:34] == k);
        end
    endgenerate
    always @(posedge clk) if (started && !rst && valid) begin
        cover (is_scalar && value == 31'h7FFFFFFF);
        cover (is_scalar && value == 31'h3FFFFFF);
        cover (is_scalar && value == 31'h10FFFF);
        cover (is_scalar && value == 31'hFFFD);
        cover (last && is_open && cut_at_end[33:31] == 3'd5);
        cover (own[36:34] == 3'd1);
        cover (own[36:34] == 3'd2);
    end
    always @(posedge clk) cover (is_char && is_3629_char && of_t == 31'h10FFFF);
    always @(posedge clk) cover (is_char && !is_3629_char && of_t == 31'h110000);
endmodule
