// What of mqnic_app_block is around the template: two interfaces, tuser with a PTP time stamp, and the verdicts left open.
`default_nettype none

module mqnic_app_block #(
    parameter IF_COUNT = 2,
    parameter AXIS_IF_DATA_WIDTH = 8*`LANES,
    parameter AXIS_IF_KEEP_WIDTH = AXIS_IF_DATA_WIDTH/8,
    parameter AXIS_IF_RX_ID_WIDTH = 1,
    parameter AXIS_IF_RX_DEST_WIDTH = 8,
    parameter AXIS_IF_RX_USER_WIDTH = 97
) (
    input wire clk,
    input wire rst,
    input wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] s_axis_if_rx_tdata,
    input wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] s_axis_if_rx_tkeep,
    input wire [IF_COUNT-1:0] s_axis_if_rx_tvalid,
    output wire [IF_COUNT-1:0] s_axis_if_rx_tready,
    input wire [IF_COUNT-1:0] s_axis_if_rx_tlast,
    input wire [IF_COUNT*AXIS_IF_RX_ID_WIDTH-1:0] s_axis_if_rx_tid,
    input wire [IF_COUNT*AXIS_IF_RX_DEST_WIDTH-1:0] s_axis_if_rx_tdest,
    input wire [IF_COUNT*AXIS_IF_RX_USER_WIDTH-1:0] s_axis_if_rx_tuser,
    output wire [IF_COUNT*AXIS_IF_DATA_WIDTH-1:0] m_axis_if_rx_tdata,
    output wire [IF_COUNT*AXIS_IF_KEEP_WIDTH-1:0] m_axis_if_rx_tkeep,
    output wire [IF_COUNT-1:0] m_axis_if_rx_tvalid,
    input wire [IF_COUNT-1:0] m_axis_if_rx_tready,
    output wire [IF_COUNT-1:0] m_axis_if_rx_tlast,
    output wire [IF_COUNT*AXIS_IF_RX_ID_WIDTH-1:0] m_axis_if_rx_tid,
    output wire [IF_COUNT*AXIS_IF_RX_DEST_WIDTH-1:0] m_axis_if_rx_tdest,
    output wire [IF_COUNT*AXIS_IF_RX_USER_WIDTH-1:0] m_axis_if_rx_tuser
);
    `TEMPLATE #(
        .IF_COUNT(IF_COUNT),
        .AXIS_IF_DATA_WIDTH(AXIS_IF_DATA_WIDTH),
        .AXIS_IF_KEEP_WIDTH(AXIS_IF_KEEP_WIDTH),
        .AXIS_IF_RX_ID_WIDTH(AXIS_IF_RX_ID_WIDTH),
        .AXIS_IF_RX_DEST_WIDTH(AXIS_IF_RX_DEST_WIDTH),
        .AXIS_IF_RX_USER_WIDTH(AXIS_IF_RX_USER_WIDTH)
    ) core (
        .clk(clk),
        .rst(rst),
        .s_axis_if_rx_tdata(s_axis_if_rx_tdata),
        .s_axis_if_rx_tkeep(s_axis_if_rx_tkeep),
        .s_axis_if_rx_tvalid(s_axis_if_rx_tvalid),
        .s_axis_if_rx_tready(s_axis_if_rx_tready),
        .s_axis_if_rx_tlast(s_axis_if_rx_tlast),
        .s_axis_if_rx_tid(s_axis_if_rx_tid),
        .s_axis_if_rx_tdest(s_axis_if_rx_tdest),
        .s_axis_if_rx_tuser(s_axis_if_rx_tuser),
        .m_axis_if_rx_tdata(m_axis_if_rx_tdata),
        .m_axis_if_rx_tkeep(m_axis_if_rx_tkeep),
        .m_axis_if_rx_tvalid(m_axis_if_rx_tvalid),
        .m_axis_if_rx_tready(m_axis_if_rx_tready),
        .m_axis_if_rx_tlast(m_axis_if_rx_tlast),
        .m_axis_if_rx_tid(m_axis_if_rx_tid),
        .m_axis_if_rx_tdest(m_axis_if_rx_tdest),
        .m_axis_if_rx_tuser(m_axis_if_rx_tuser),
        .verdict_tvalid(),
        .verdict_tdata()
    );
endmodule

`default_nettype wire
