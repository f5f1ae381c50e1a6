// Theorem: a machine that reads a packet byte by byte, knows nothing but the ABNF and takes the longest prefix that a
// well-formed sequence can have, splits every packet as window::ends_at does, which sees three bytes back and one ahead.

module check (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [7:0] x
);
    // The machine: the bytes of the sequence that is unfinished, n of them, a first.
    reg [2:0] n = 3'd0;
    reg [7:0] a, b, c;
    wire [2:0] longer = n + 3'd1;
    wire [7:0] next_a = n == 3'd0 ? x : a, next_b = n == 3'd1 ? x : b, next_c = n == 3'd2 ? x : c;
    wire complete = rfc3629::utf8_char(longer, next_a, next_b, next_c, x);
    wire goes_on = rfc3629::begins(longer, next_a, next_b, next_c);
    // If x can be no part of it, it ends before x, and x begins anew.
    wire anew = !complete && !goes_on;
    wire complete_anew = rfc3629::utf8_char(3'd1, x, 8'h0, 8'h0, 8'h0);
    wire goes_on_anew = rfc3629::begins(3'd1, x, 8'h0, 8'h0);
    wire is_scalar = complete || anew && complete_anew;
    wire is_open = goes_on || anew && goes_on_anew;
    wire [2:0] length = anew ? 3'd1 : longer;
    wire [20:0] value = rfc3629::scalar(length, anew ? x : next_a, next_b, next_c, x);
    always @(posedge clk)
        if (rst || valid && (last || !is_open)) n <= 3'd0;
        else if (valid) begin
            n <= length;
            a <= anew ? x : next_a;
            b <= next_b;
            c <= next_c;
        end

    // {is_scalar, is_ill_formed, kind, length, value} of x, but for a sequence that is unfinished, and of the byte before x, if
    // x ends its sequence.
    wire [27:0] own = is_scalar ? {2'b10, 5'h0, value}
        : is_open ? 28'h0 : {2'b01, rfc3629::kind(3'd1, x, 1'b0, 8'h0), 2'd1, 21'h0};
    wire [27:0] cut = {2'b01, rfc3629::kind(n, a, 1'b1, x), n[1:0], 21'h0};
    wire [27:0] cut_at_end = {2'b01, rfc3629::kind(length, anew ? x : next_a, 1'b0, 8'h0), length[1:0], 21'h0};

    // The byte before x in the packet, what the machine said of it, and the window's past.
    reg [8:0] y = 9'h0;
    reg [27:0] said_of_y;
    reg [26:0] past = 27'h0;
    wire [26:0] past_of_x = y[8] ? {past[17:0], y} : 27'h0;
    always @(posedge clk)
        if (rst || valid && last) y <= 9'h0;
        else if (valid) begin
            y <= {1'b1, x};
            said_of_y <= own;
            past <= past_of_x;
        end

    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @(*) if (!started) assume (rst);
    always @(posedge clk) if (started && !rst) begin
        if (valid && y[8])
            assert (window::ends_at(past, y[7:0], {1'b1, x}) == (n != 3'd0 && anew ? cut : said_of_y));
        if (valid && last)
            assert (window::ends_at(past_of_x, x, 9'h0) == (is_open ? cut_at_end : own));
    end

    // Lemmas: the machine's bytes are the packet's last, and nothing was said of a byte that is unfinished.
    always @(posedge clk) if (started) begin
        assert (n <= 3'd3);
        assert (n == window::unfinished(past_of_x));
        if (n == 3'd1) assert (a == past_of_x[7:0]);
        if (n == 3'd2) assert ({a, b} == {past_of_x[16:9], past_of_x[7:0]});
        if (n == 3'd3) assert ({a, b, c} == {past_of_x[25:18], past_of_x[16:9], past_of_x[7:0]});
        if (n != 3'd0) assert (y[8] && said_of_y == 28'h0);
        assert (past[8] || past == 27'h0);
        assert (past[17] || !past[26]);
        if (y[8] && n == 3'd0) assert (said_of_y == window::ends_at(past, y[7:0], 9'h0));
        if (y[8] && n != 3'd0) assert (window::unfinished(past_of_x) != 3'd0);
    end

    // Not vacuous: each kind and each length of a sequence is reached.
    generate
        for (genvar k = 3; k <= 6; k = k + 1) begin : g_kind
            always @(posedge clk) cover (started && !rst && valid && n != 3'd0 && anew && cut[25:23] == k);
        end
    endgenerate
    always @(posedge clk) if (started && !rst && valid) begin
        cover (is_scalar && value == 21'h10FFFF);
        cover (is_scalar && value == 21'hFFFD);
        cover (last && is_open && cut_at_end[22:21] == 2'd3);
        cover (own[25:23] == 3'd1);
        cover (own[25:23] == 3'd2);
    end
endmodule
