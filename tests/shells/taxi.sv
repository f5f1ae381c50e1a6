// What of taxi the template sees: the parameters, signals and modports that it uses, by their names.
`default_nettype none
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */

interface taxi_axis_if #(
    parameter DATA_W = 8,
    parameter KEEP_W = (DATA_W + 7) / 8,
    parameter logic KEEP_EN = KEEP_W > 1,
    parameter logic STRB_EN = 1'b0,
    parameter logic LAST_EN = 1'b1,
    parameter logic ID_EN = 1'b0,
    parameter ID_W = 8,
    parameter logic DEST_EN = 1'b0,
    parameter DEST_W = 8,
    parameter logic USER_EN = 1'b0,
    parameter USER_W = 1
) ();
    logic tvalid, tready, tlast;
    logic [DATA_W-1:0] tdata;
    logic [KEEP_W-1:0] tkeep, tstrb;
    logic [ID_W-1:0] tid;
    logic [DEST_W-1:0] tdest;
    logic [USER_W-1:0] tuser;

    modport src (output tvalid, tdata, tkeep, tstrb, tlast, tid, tdest, tuser, input tready);
    modport snk (input tvalid, tdata, tkeep, tstrb, tlast, tid, tdest, tuser, output tready);
    modport mon (input tvalid, tdata, tkeep, tstrb, tlast, tid, tdest, tuser, tready);
endinterface

interface taxi_axil_if #(
    parameter DATA_W = 32,
    parameter ADDR_W = 32,
    parameter STRB_W = DATA_W / 8,
    parameter BUSER_W = 1,
    parameter RUSER_W = 1
) ();
    logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
    logic [ADDR_W-1:0] awaddr, araddr;
    logic [2:0] awprot, arprot;
    logic [DATA_W-1:0] wdata, rdata;
    logic [STRB_W-1:0] wstrb;
    logic [1:0] bresp, rresp;
    logic [BUSER_W-1:0] buser;
    logic [RUSER_W-1:0] ruser;

    modport wr_slv (
        input awaddr, awprot, awvalid, wdata, wstrb, wvalid, bready,
        output awready, wready, bresp, buser, bvalid
    );
    modport rd_slv (
        input araddr, arprot, arvalid, rready,
        output arready, rdata, rresp, ruser, rvalid
    );
endinterface

/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNUSEDPARAM */
`default_nettype wire
