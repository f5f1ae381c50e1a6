// What of mqnic_app_block is around the template: two ports, tuser with a PTP time stamp, and the verdicts left open.
`default_nettype none

module mqnic_app_block #(
    parameter PORT_COUNT = 2,
    parameter AXIS_SYNC_DATA_WIDTH = 8*`LANES,
    parameter AXIS_SYNC_KEEP_WIDTH = AXIS_SYNC_DATA_WIDTH/8,
    parameter AXIS_SYNC_RX_USER_WIDTH = 97
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
);
    `TEMPLATE #(
        .PORT_COUNT(PORT_COUNT),
        .AXIS_SYNC_DATA_WIDTH(AXIS_SYNC_DATA_WIDTH),
        .AXIS_SYNC_KEEP_WIDTH(AXIS_SYNC_KEEP_WIDTH),
        .AXIS_SYNC_RX_USER_WIDTH(AXIS_SYNC_RX_USER_WIDTH)
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
        .verdict_tvalid(),
        .verdict_tdata()
    );
endmodule

`default_nettype wire
