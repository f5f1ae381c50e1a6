// Theorem: the registers' bus answers each write and each read once, after it has waited for at most 38 clocks, holds the
// answer until it is accepted, and refuses exactly the unmapped addresses and, for a write, the read-only ones; a refused read
// returns zero; for all masters, idles, stalls, streams and resets, for ever.

// Here the module check begins.
`include "registers.svh"

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
    (* hierconn *) wire [1:0] \BUS.opening_clocks ;
    (* hierconn *) wire [15:0] \BUS.rest_clocks ;
    wire [17:0] stages = {\BUS.rest_clocks , \BUS.opening_clocks };
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
