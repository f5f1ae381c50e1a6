// What of p2p_250mhz is around the template: two interfaces. A mark of a bad packet and the verdicts are left open.
`default_nettype none

module p2p_250mhz #(
    parameter int NUM_INTF = 2
) (
    input  wire     [NUM_INTF-1:0] s_axis_adap_rx_250mhz_tvalid,
    input  wire [512*NUM_INTF-1:0] s_axis_adap_rx_250mhz_tdata,
    input  wire  [64*NUM_INTF-1:0] s_axis_adap_rx_250mhz_tkeep,
    input  wire     [NUM_INTF-1:0] s_axis_adap_rx_250mhz_tlast,
    input  wire  [16*NUM_INTF-1:0] s_axis_adap_rx_250mhz_tuser_size,
    input  wire  [16*NUM_INTF-1:0] s_axis_adap_rx_250mhz_tuser_src,
    input  wire  [16*NUM_INTF-1:0] s_axis_adap_rx_250mhz_tuser_dst,
    output wire     [NUM_INTF-1:0] s_axis_adap_rx_250mhz_tready,
    output wire     [NUM_INTF-1:0] m_axis_qdma_c2h_tvalid,
    output wire [512*NUM_INTF-1:0] m_axis_qdma_c2h_tdata,
    output wire  [64*NUM_INTF-1:0] m_axis_qdma_c2h_tkeep,
    output wire     [NUM_INTF-1:0] m_axis_qdma_c2h_tlast,
    output wire  [16*NUM_INTF-1:0] m_axis_qdma_c2h_tuser_size,
    output wire  [16*NUM_INTF-1:0] m_axis_qdma_c2h_tuser_src,
    output wire  [16*NUM_INTF-1:0] m_axis_qdma_c2h_tuser_dst,
    input  wire     [NUM_INTF-1:0] m_axis_qdma_c2h_tready,
    input  wire                    axis_aclk,
    input  wire                    axis_aresetn
);
    `TEMPLATE #(
        .NUM_INTF(NUM_INTF)
    ) core (
        .axis_aclk(axis_aclk),
        .axis_aresetn(axis_aresetn),
        .s_axis_adap_rx_250mhz_tvalid(s_axis_adap_rx_250mhz_tvalid),
        .s_axis_adap_rx_250mhz_tdata(s_axis_adap_rx_250mhz_tdata),
        .s_axis_adap_rx_250mhz_tkeep(s_axis_adap_rx_250mhz_tkeep),
        .s_axis_adap_rx_250mhz_tlast(s_axis_adap_rx_250mhz_tlast),
        .s_axis_adap_rx_250mhz_tuser_size(s_axis_adap_rx_250mhz_tuser_size),
        .s_axis_adap_rx_250mhz_tuser_src(s_axis_adap_rx_250mhz_tuser_src),
        .s_axis_adap_rx_250mhz_tuser_dst(s_axis_adap_rx_250mhz_tuser_dst),
        .s_axis_adap_rx_250mhz_tready(s_axis_adap_rx_250mhz_tready),
        .m_axis_qdma_c2h_tvalid(m_axis_qdma_c2h_tvalid),
        .m_axis_qdma_c2h_tdata(m_axis_qdma_c2h_tdata),
        .m_axis_qdma_c2h_tkeep(m_axis_qdma_c2h_tkeep),
        .m_axis_qdma_c2h_tlast(m_axis_qdma_c2h_tlast),
        .m_axis_qdma_c2h_tuser_size(m_axis_qdma_c2h_tuser_size),
        .m_axis_qdma_c2h_tuser_src(m_axis_qdma_c2h_tuser_src),
        .m_axis_qdma_c2h_tuser_dst(m_axis_qdma_c2h_tuser_dst),
        .m_axis_qdma_c2h_tready(m_axis_qdma_c2h_tready),
`ifdef HAS_BAD
        .m_axis_qdma_c2h_bad(),
`endif
        .verdict_tvalid(),
        .verdict_tdata()
    );
endmodule

`default_nettype wire
