// The part of p2p_250mhz that surrounds the template: one interface of its loop, and the reset, which is in axil_aclk's domain. tuser is
// {dst, src, size}. Bit 0 of the output's tuser is the template's `bad`, which the shell does not have. The verdicts are left open.
`default_nettype none

module p2p_250mhz (
    input wire s_axis_adap_rx_250mhz_tvalid,
    input wire [511:0] s_axis_adap_rx_250mhz_tdata,
    input wire [63:0] s_axis_adap_rx_250mhz_tkeep,
    input wire s_axis_adap_rx_250mhz_tlast,
    input wire [47:0] s_axis_adap_rx_250mhz_tuser,
    output wire s_axis_adap_rx_250mhz_tready,
    output wire m_axis_qdma_c2h_tvalid,
    output wire [511:0] m_axis_qdma_c2h_tdata,
    output wire [63:0] m_axis_qdma_c2h_tkeep,
    output wire m_axis_qdma_c2h_tlast,
    output wire [48:0] m_axis_qdma_c2h_tuser,
    input wire m_axis_qdma_c2h_tready,
    input wire mod_rstn,
    input wire axil_aclk,
    input wire axis_aclk
`ifdef HAS_REGISTERS
    ,
    input wire [11:0] s_axil_awaddr,
    input wire [2:0] s_axil_awprot,
    input wire s_axil_awvalid,
    output wire s_axil_awready,
    input wire [31:0] s_axil_wdata,
    input wire [3:0] s_axil_wstrb,
    input wire s_axil_wvalid,
    output wire s_axil_wready,
    output wire [1:0] s_axil_bresp,
    output wire s_axil_bvalid,
    input wire s_axil_bready,
    input wire [11:0] s_axil_araddr,
    input wire [2:0] s_axil_arprot,
    input wire s_axil_arvalid,
    output wire s_axil_arready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0] s_axil_rresp,
    output wire s_axil_rvalid,
    input wire s_axil_rready
`endif
);
    reg axil_aresetn = 1'b0;
    always @(posedge axil_aclk) axil_aresetn <= mod_rstn;
`ifndef HAS_BAD
    assign m_axis_qdma_c2h_tuser[0] = 1'b0;
`endif
    `TEMPLATE rx_ppl_inst (
        .s_axis_tvalid(s_axis_adap_rx_250mhz_tvalid),
        .s_axis_tdata(s_axis_adap_rx_250mhz_tdata),
        .s_axis_tkeep(s_axis_adap_rx_250mhz_tkeep),
        .s_axis_tlast(s_axis_adap_rx_250mhz_tlast),
        .s_axis_tuser(s_axis_adap_rx_250mhz_tuser),
        .s_axis_tready(s_axis_adap_rx_250mhz_tready),
        .m_axis_tvalid(m_axis_qdma_c2h_tvalid),
        .m_axis_tdata(m_axis_qdma_c2h_tdata),
        .m_axis_tkeep(m_axis_qdma_c2h_tkeep),
        .m_axis_tlast(m_axis_qdma_c2h_tlast),
        .m_axis_tuser(m_axis_qdma_c2h_tuser[48:1]),
        .m_axis_tready(m_axis_qdma_c2h_tready),
`ifdef HAS_BAD
        .bad(m_axis_qdma_c2h_tuser[0]),
`endif
`ifdef HAS_REGISTERS
        .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready),
`endif
`ifdef HAS_BEAT_ERROR
        .beat_error(),
`endif
        .verdict_tvalid(),
        .verdict_tdata(),
        .aclk(axis_aclk),
        .aresetn(axil_aresetn)
    );
endmodule

`default_nettype wire
