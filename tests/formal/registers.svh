// What every theorem about the registers begins with: the core, any inputs with a reset in the first clock, and the map.

module check (
    input wire clk,
    input wire rst,
    input wire valid,
    input wire last,
    input wire [8*`N-1:0] data,
    input wire [`N-1:0] keep,
    input wire sink_ready,
    input wire aw_valid,
    input wire [11:0] aw_address,
    input wire w_valid,
    input wire [31:0] w_data,
    input wire [3:0] w_strobes,
    input wire b_ready,
    input wire ar_valid,
    input wire [11:0] ar_address,
    input wire [5:0] protections,
    input wire r_ready
);
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @(*) if (!started) assume (rst);

    wire aw_ready, w_ready, b_valid, ar_ready, r_valid;
    wire [1:0] b_response, r_response;
    wire [31:0] r_data;
    `DUT dut (
        .clk(clk), .rst(rst),
        .s_axis_tvalid(valid), .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tlast(last),
`ifdef AXIS
        .s_axis_tready(sink_ready),
`endif
        .s_axil_awaddr(aw_address), .s_axil_awprot(protections[2:0]), .s_axil_awvalid(aw_valid), .s_axil_awready(aw_ready),
        .s_axil_wdata(w_data), .s_axil_wstrb(w_strobes), .s_axil_wvalid(w_valid), .s_axil_wready(w_ready),
        .s_axil_bresp(b_response), .s_axil_bvalid(b_valid), .s_axil_bready(b_ready),
        .s_axil_araddr(ar_address), .s_axil_arprot(protections[5:3]), .s_axil_arvalid(ar_valid), .s_axil_arready(ar_ready),
        .s_axil_rdata(r_data), .s_axil_rresp(r_response), .s_axil_rvalid(r_valid), .s_axil_rready(r_ready)
    );

    // The map: which addresses have a register, and which of them can be written.
    localparam [11:0] CONTROL = 12'h010, COMMAND = 12'h014;
    function readable(input [11:0] address);
        readable = address[1:0] == 2'd0 && (address < 12'h01C || address >= 12'h020 && address < 12'h078);
    endfunction
    function writable(input [11:0] address);
        writable = address == CONTROL || address == COMMAND;
    endfunction

