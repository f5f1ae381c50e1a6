    wire out_valid, out_last;
    wire [32*N-1:0] out_data;
    wire [4*N-1:0] out_keep;
    wire [5*N:0] out_user;
    `DUT dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(valid), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last),
        .m_axis_tvalid(out_valid), .m_axis_tdata(out_data), .m_axis_tkeep(out_keep), .m_axis_tlast(out_last),
        .m_axis_tuser(out_user)
    );
    wire [4*N-1:0] keeps;
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_keeps
            assign keeps[4*i+:4] = {4{expected[5*N+2+i]}};
        end
    endgenerate
    // In the clock after a reset, without a beat, the payload may show what was dropped.
    reg was_reset;
    always @(posedge clk) was_reset <= rst;
    always @(posedge clk) if (started) assert (out_valid == expected[WIDTH-1]);
    always @(posedge clk) if (started && !was_reset) begin
        assert (out_last == expected[5*N+1]);
        assert (out_user == expected[5*N:0]);
        assert (out_keep == keeps);
        assert (out_data == expected[WIDTH-2-:32*N]);
    end
