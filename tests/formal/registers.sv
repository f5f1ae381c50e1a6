// Theorem: the registers' bus answers each write and each read once, within 38 clocks after all of it has been taken, holds the
// answer until it is taken, and refuses exactly the addresses at which no register is or, of a write, none that can be
// written; a refused read gives zero; for all masters, idles, stalls, streams and resets, for ever.

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

    // The map, once more: words from 0 to 18 and from 20 to 74, of which those at 10 and 14 can be written.
    function readable(input [11:0] address);
        readable = address[1:0] == 2'd0 && (address < 12'h01C || address >= 12'h020 && address < 12'h078);
    endfunction
    function writable(input [11:0] address);
        writable = address == 12'h010 || address == 12'h014;
    endfunction

    // What has been taken and not been answered.
    reg aw_open = 1'b0, w_open = 1'b0, ar_open = 1'b0;
    reg [11:0] written_address, read_address;
    wire write_open = aw_open && w_open;
    always @(posedge clk) begin
        aw_open <= !rst && (aw_open || aw_valid && aw_ready) && !(b_valid && b_ready);
        w_open <= !rst && (w_open || w_valid && w_ready) && !(b_valid && b_ready);
        ar_open <= !rst && (ar_open || ar_valid && ar_ready) && !(r_valid && r_ready);
        if (aw_valid && aw_ready) written_address <= aw_address;
        if (ar_valid && ar_ready) read_address <= ar_address;
    end
    always @(posedge clk) if (started) begin
        assert (!(aw_open && aw_ready) && !(w_open && w_ready) && !(ar_open && ar_ready));
        if (b_valid) assert (write_open && b_response == (writable(written_address) ? 2'd0 : 2'd2));
        if (r_valid) assert (ar_open && r_response == (readable(read_address) ? 2'd0 : 2'd2));
        if (r_valid && r_response != 2'd0) assert (r_data == 32'd0);
        if (r_valid && read_address == 12'd0) assert (r_data == "RUNE");
    end

    // An answer is held until it is taken.
    reg b_held = 1'b0, r_held = 1'b0;
    reg [1:0] b_held_response;
    reg [33:0] r_held_answer;
    always @(posedge clk) begin
        b_held <= b_valid && !b_ready && !rst;
        r_held <= r_valid && !r_ready && !rst;
        b_held_response <= b_response;
        r_held_answer <= {r_response, r_data};
        if (started && b_held) assert (b_valid && b_response == b_held_response);
        if (started && r_held) assert (r_valid && {r_response, r_data} == r_held_answer);
    end

    // Clocks that a write and a read wait, and whether what can be taken is: one clock after a reset at the latest.
    reg [5:0] write_waits = 6'd0, read_waits = 6'd0;
    reg rested = 1'b0;
    always @(posedge clk) begin
        write_waits <= rst || !write_open || b_valid ? 6'd0 : write_waits + 6'd1;
        read_waits <= rst || !ar_open || r_valid ? 6'd0 : read_waits + 6'd1;
        rested <= !rst;
        if (started) assert (write_waits <= 6'd37 && read_waits <= 6'd38);
        if (started && rested) assert (aw_ready == !aw_open && w_ready == !w_open && ar_ready == !ar_open);
    end

    // Lemma: where a transaction is, one at a time, and what is known of it there.
    (* hierconn *) wire \BUS.busy ;
    (* hierconn *) wire \BUS.is_write ;
    (* hierconn *) wire [11:0] \BUS.at ;
    (* hierconn *) wire [11:0] \BUS.aw_address ;
    (* hierconn *) wire [11:0] \BUS.ar_address ;
    (* hierconn *) wire \CSR.refused ;
    each(aw w ar) (* hierconn *) wire \BUS.%_full ;
    each(0..1) (* hierconn *) wire \BUS.opening.stage_% ;
    each(0..15) (* hierconn *) wire \BUS.rest.stage_% ; wire rest_% = \BUS.rest.stage_% ;
    wire [17:0] stages = {rest_15, rest_14, rest_13, rest_12, rest_11, rest_10, rest_9, rest_8, rest_7, rest_6, rest_5, rest_4,
        rest_3, rest_2, rest_1, rest_0, \BUS.opening.stage_1 , \BUS.opening.stage_0 };
    // Clocks since it began; none is under way at zero.
    reg [5:0] age;
    always @(*) begin
        age = 6'd0;
        for (int i = 0; i < 18; i = i + 1) if (stages[i]) age = i + 1;
    end
    wire [11:0] at = \BUS.at ;
    always @(posedge clk) if (started) begin
        assert ((stages & (stages - 18'd1)) == 18'd0 && \BUS.busy == (stages != 18'd0));
        each(aw w ar) assert (\BUS.%_full == %_open);
        if (aw_open) assert (\BUS.aw_address == written_address);
        if (ar_open) assert (\BUS.ar_address == read_address);
        if (\BUS.busy && \BUS.is_write ) assert (write_open && !b_valid && at == written_address);
        if (\BUS.busy && !\BUS.is_write ) assert (ar_open && !r_valid && at == read_address);
        if (age > 6'd1) assert (\CSR.refused == !(\BUS.is_write ? writable(at) : readable(at)));
        // A write waits for a read at the most, and a read for a write; whichever waited comes next.
        if (write_open && !b_valid) assert (write_waits <= (!\BUS.busy ? 6'd18 : \BUS.is_write ? 6'd18 + age : age - 6'd1));
        if (ar_open && !r_valid) begin
            assert (read_waits <= (!\BUS.busy ? 6'd19 : \BUS.is_write ? age : 6'd19 + age));
            if (!\BUS.busy && read_waits != 6'd0) assert (b_valid);
        end
    end

    // Not vacuous: both at once, a refusal of each, an answer that waits, and one behind the other without a pause.
    always @(posedge clk) if (started) begin
        cover (b_valid && r_valid);
        cover (b_valid && b_response == 2'd2 && b_held);
        cover (r_valid && r_response == 2'd2 && r_held);
        cover (read_waits == 6'd38);
        cover (write_waits == 6'd36);
    end
endmodule
