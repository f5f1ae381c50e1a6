    // The registers' bus, as its contract has it: what the pins brought, the one access under way, and its answer. Every output
    // of the bus is what is said here, in every clock.
`define CLAIM(claim) if (started) assert (claim)

    // Each channel keeps what it took until that is answered, and takes no more meanwhile.
    reg aw_open = 1'b0, w_open = 1'b0, ar_open = 1'b0, aw_can = 1'b0, w_can = 1'b0, ar_can = 1'b0;
    reg b_shown = 1'b0, b_refused = 1'b0, r_shown = 1'b0, r_refused = 1'b0;
    reg [11:0] to_write, to_read, at;
    reg [31:0] written;
    reg [3:0] strobes;
    // Clocks since the access under way began, 0 without one: a write acts in its clock 2, an access is answered after its clock 18.
    localparam ACTS = 5'd2, ENDS = 5'd18;
    reg [4:0] age = 5'd0;
    reg is_write = 1'b0;
    wire write_begins = age == 5'd0 && aw_open && w_open && !b_shown;
    wire read_begins = age == 5'd0 && ar_open && !r_shown && !write_begins;
    wire b_taken = b_shown && b_ready, r_taken = r_shown && r_ready;
    always @(posedge clk) begin
        if (aw_can && aw_valid) to_write <= aw_address;
        if (w_can && w_valid) {strobes, written} <= {w_strobes, w_data};
        if (ar_can && ar_valid) to_read <= ar_address;
        aw_open <= (aw_open || aw_can && aw_valid) && !b_taken;
        w_open <= (w_open || w_can && w_valid) && !b_taken;
        ar_open <= (ar_open || ar_can && ar_valid) && !r_taken;
        aw_can <= b_taken || !(aw_open || aw_can && aw_valid);
        w_can <= b_taken || !(w_open || w_can && w_valid);
        ar_can <= r_taken || !(ar_open || ar_can && ar_valid);
        if (write_begins || read_begins) begin
            age <= 5'd1;
            is_write <= write_begins;
            at <= write_begins ? to_write : to_read;
        end else if (age == ENDS) age <= 5'd0;
        else if (age != 5'd0) age <= age + 5'd1;
        if (b_taken) b_shown <= 1'b0;
        if (r_taken) r_shown <= 1'b0;
        if (age == ENDS && is_write) {b_shown, b_refused} <= {1'b1, !writable(at)};
        if (age == ENDS && !is_write) {r_shown, r_refused} <= {1'b1, !readable(at)};
        if (rst) begin
            {aw_open, w_open, ar_open, aw_can, w_can, ar_can} <= 6'd0;
            {b_shown, b_refused, r_shown, r_refused} <= 4'd0;
            age <= 5'd0;
        end
    end
    always @(posedge clk) begin
        `CLAIM({aw_ready, w_ready, ar_ready} == {aw_can, w_can, ar_can});
        `CLAIM({b_valid, b_response} == {b_shown, b_refused, 1'b0});
        `CLAIM({r_valid, r_response} == {r_shown, r_refused, 1'b0});
    end

    // A write acts if the register can be written and the strobe of the byte is set; nothing else is ever changed by the bus.
    wire acts = age == ACTS && is_write;
    reg enable = 1'b1, snapshot = 1'b0, clear = 1'b0, soft_reset = 1'b0;
    always @(posedge clk) begin
        if (acts && at == CONTROL && strobes[0]) enable <= written[0];
        {soft_reset, clear, snapshot} <= acts && at == COMMAND && strobes[0] ? written[2:0] : 3'd0;
        if (rst) {enable, soft_reset, clear, snapshot} <= 4'b1000;
    end
    each(enable snapshot clear soft_reset) (* hierconn *) wire \CSR.% ;
    each(enable snapshot clear soft_reset) always @(posedge clk) `CLAIM(\CSR.% == %);

    // Lemma: where the access is in the core, and what is known of it there.
    each(aw w ar) (* hierconn *) wire \BUS.%_full ;
    (* hierconn *) wire \BUS.busy ;
    (* hierconn *) wire \BUS.is_write ;
    (* hierconn *) wire \CSR.refused ;
    each(control command) (* hierconn *) wire \CSR.at_% ;
    each(at aw_address ar_address) (* hierconn *) wire [11:0] \BUS.% ;
    (* hierconn *) wire [31:0] \BUS.w_data ;
    (* hierconn *) wire [3:0] \BUS.w_strobes ;
    (* hierconn *) wire [1:0] \BUS.opening_clocks ;
    (* hierconn *) wire [15:0] \BUS.rest_clocks ;
    wire [18:0] stages = {\BUS.rest_clocks , \BUS.opening_clocks , age == 5'd0};
    always @(posedge clk) begin
        `CLAIM(age <= ENDS && stages == 19'd1 << age);
        each(aw w ar) `CLAIM(\BUS.%_full == %_open && !(%_open && %_can));
        if (aw_open) `CLAIM(\BUS.aw_address == to_write);
        if (ar_open) `CLAIM(\BUS.ar_address == to_read);
        if (w_open) `CLAIM({\BUS.w_strobes , \BUS.w_data } == {strobes, written});
        `CLAIM(\BUS.busy == (age != 5'd0));
        if (age != 5'd0) begin
            `CLAIM(\BUS.is_write == is_write && \BUS.at == at);
            `CLAIM(is_write ? aw_open && w_open && !b_shown && at == to_write : ar_open && !r_shown && at == to_read);
        end
        if (age > 5'd1) begin
            `CLAIM(\CSR.refused == !(is_write ? writable(at) : readable(at)));
            `CLAIM(\CSR.at_control == (at == CONTROL) && \CSR.at_command == (at == COMMAND));
        end
    end
