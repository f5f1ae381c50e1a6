// What of mqnic_app_block is around the template: two ports, tuser with a PTP time stamp, and the verdicts left open.
`default_nettype none

module mqnic_app_block #(
    parameter PORT_COUNT = 2,
    parameter AXIS_SYNC_DATA_WIDTH = 8*`LANES,
    parameter AXIS_SYNC_KEEP_WIDTH = AXIS_SYNC_DATA_WIDTH/8,
    parameter AXIS_SYNC_RX_USER_WIDTH = 97
`ifdef HAS_REGISTERS
    , parameter AXIL_APP_CTRL_ADDR_WIDTH = 24
`endif
) (
    input wire clk,
    input wire rst,
    input wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] s_axis_sync_rx_tdata,
    input wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] s_axis_sync_rx_tkeep,
    input wire [PORT_COUNT-1:0] s_axis_sync_rx_tvalid,
    output wire [PORT_COUNT-1:0] s_axis_sync_rx_tready,
    input wire [PORT_COUNT-1:0] s_axis_sync_rx_tlast,
    input wire [PORT_COUNT*AXIS_SYNC_RX_USER_WIDTH-1:0] s_axis_sync_rx_tuser,
    output wire [PORT_COUNT*AXIS_SYNC_DATA_WIDTH-1:0] m_axis_sync_rx_tdata,
    output wire [PORT_COUNT*AXIS_SYNC_KEEP_WIDTH-1:0] m_axis_sync_rx_tkeep,
    output wire [PORT_COUNT-1:0] m_axis_sync_rx_tvalid,
    input wire [PORT_COUNT-1:0] m_axis_sync_rx_tready,
    output wire [PORT_COUNT-1:0] m_axis_sync_rx_tlast,
    output wire [PORT_COUNT*AXIS_SYNC_RX_USER_WIDTH-1:0] m_axis_sync_rx_tuser
`ifdef HAS_REGISTERS
    ,
    input wire [PORT_COUNT*AXIL_APP_CTRL_ADDR_WIDTH-1:0] s_axil_app_ctrl_awaddr,
    input wire [PORT_COUNT*3-1:0] s_axil_app_ctrl_awprot,
    input wire [PORT_COUNT-1:0] s_axil_app_ctrl_awvalid,
    output wire [PORT_COUNT-1:0] s_axil_app_ctrl_awready,
    input wire [PORT_COUNT*32-1:0] s_axil_app_ctrl_wdata,
    input wire [PORT_COUNT*4-1:0] s_axil_app_ctrl_wstrb,
    input wire [PORT_COUNT-1:0] s_axil_app_ctrl_wvalid,
    output wire [PORT_COUNT-1:0] s_axil_app_ctrl_wready,
    output wire [PORT_COUNT*2-1:0] s_axil_app_ctrl_bresp,
    output wire [PORT_COUNT-1:0] s_axil_app_ctrl_bvalid,
    input wire [PORT_COUNT-1:0] s_axil_app_ctrl_bready,
    input wire [PORT_COUNT*AXIL_APP_CTRL_ADDR_WIDTH-1:0] s_axil_app_ctrl_araddr,
    input wire [PORT_COUNT*3-1:0] s_axil_app_ctrl_arprot,
    input wire [PORT_COUNT-1:0] s_axil_app_ctrl_arvalid,
    output wire [PORT_COUNT-1:0] s_axil_app_ctrl_arready,
    output wire [PORT_COUNT*32-1:0] s_axil_app_ctrl_rdata,
    output wire [PORT_COUNT*2-1:0] s_axil_app_ctrl_rresp,
    output wire [PORT_COUNT-1:0] s_axil_app_ctrl_rvalid,
    input wire [PORT_COUNT-1:0] s_axil_app_ctrl_rready
`endif
);
    `TEMPLATE #(
        .PORT_COUNT(PORT_COUNT),
        .AXIS_SYNC_DATA_WIDTH(AXIS_SYNC_DATA_WIDTH),
        .AXIS_SYNC_KEEP_WIDTH(AXIS_SYNC_KEEP_WIDTH),
        .AXIS_SYNC_RX_USER_WIDTH(AXIS_SYNC_RX_USER_WIDTH)
`ifdef HAS_REGISTERS
        , .AXIL_APP_CTRL_ADDR_WIDTH(AXIL_APP_CTRL_ADDR_WIDTH)
`endif
    ) core (
        .clk(clk),
        .rst(rst),
        .s_axis_sync_rx_tdata(s_axis_sync_rx_tdata),
        .s_axis_sync_rx_tkeep(s_axis_sync_rx_tkeep),
        .s_axis_sync_rx_tvalid(s_axis_sync_rx_tvalid),
        .s_axis_sync_rx_tready(s_axis_sync_rx_tready),
        .s_axis_sync_rx_tlast(s_axis_sync_rx_tlast),
        .s_axis_sync_rx_tuser(s_axis_sync_rx_tuser),
        .m_axis_sync_rx_tdata(m_axis_sync_rx_tdata),
        .m_axis_sync_rx_tkeep(m_axis_sync_rx_tkeep),
        .m_axis_sync_rx_tvalid(m_axis_sync_rx_tvalid),
        .m_axis_sync_rx_tready(m_axis_sync_rx_tready),
        .m_axis_sync_rx_tlast(m_axis_sync_rx_tlast),
        .m_axis_sync_rx_tuser(m_axis_sync_rx_tuser),
`ifdef HAS_REGISTERS
        .s_axil_app_ctrl_awaddr(s_axil_app_ctrl_awaddr),
        .s_axil_app_ctrl_awprot(s_axil_app_ctrl_awprot),
        .s_axil_app_ctrl_awvalid(s_axil_app_ctrl_awvalid),
        .s_axil_app_ctrl_awready(s_axil_app_ctrl_awready),
        .s_axil_app_ctrl_wdata(s_axil_app_ctrl_wdata),
        .s_axil_app_ctrl_wstrb(s_axil_app_ctrl_wstrb),
        .s_axil_app_ctrl_wvalid(s_axil_app_ctrl_wvalid),
        .s_axil_app_ctrl_wready(s_axil_app_ctrl_wready),
        .s_axil_app_ctrl_bresp(s_axil_app_ctrl_bresp),
        .s_axil_app_ctrl_bvalid(s_axil_app_ctrl_bvalid),
        .s_axil_app_ctrl_bready(s_axil_app_ctrl_bready),
        .s_axil_app_ctrl_araddr(s_axil_app_ctrl_araddr),
        .s_axil_app_ctrl_arprot(s_axil_app_ctrl_arprot),
        .s_axil_app_ctrl_arvalid(s_axil_app_ctrl_arvalid),
        .s_axil_app_ctrl_arready(s_axil_app_ctrl_arready),
        .s_axil_app_ctrl_rdata(s_axil_app_ctrl_rdata),
        .s_axil_app_ctrl_rresp(s_axil_app_ctrl_rresp),
        .s_axil_app_ctrl_rvalid(s_axil_app_ctrl_rvalid),
        .s_axil_app_ctrl_rready(s_axil_app_ctrl_rready),
`endif
`ifdef HAS_BEAT_ERROR
        .beat_error(),
`endif
        .verdict_tvalid(),
        .verdict_tdata()
    );
endmodule

`default_nettype wire
