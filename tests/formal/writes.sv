// Theorem: a write to the registers changes control.enable, or starts each command once, in the third clock after it has begun,
// if its address is that of the register and the strobe of the byte is set, and no other access changes anything; every output
// of the bus follows, in every clock, from the pins alone as its contract states, and read data is what the register held
// six clocks before the answer, or a counter's copy four clocks before it; for all masters, idles, stalls, streams, counts and
// resets, for ever.

// Here the module check begins.
`include "registers.svh"
`include "bus.svh"

    // The core drops what is in it a clock after rst or a soft reset.
    reg drops = 1'b0;
    always @(posedge clk) drops <= rst || soft_reset;
    (* hierconn *) wire \CSR.dropping ;
    always @(posedge clk) if (started) assert (\CSR.dropping == drops);

    // A packet is looked at if enable was set before it began; one that is dropped has ended. The core sees beats a clock late.
`ifdef AXIS
    wire taken = valid && sink_ready;
`else
    wire taken = valid;
`endif
    reg comes = 1'b0, ends = 1'b0, in_packet = 1'b0, looks = 1'b1;
    wire stays = !drops && (comes ? !ends : in_packet);
    always @(posedge clk) begin
        {comes, ends, in_packet} <= {taken, last, stays};
        if (rst) looks <= 1'b1;
        else if (!stays) looks <= enable;
    end
    (* hierconn *) wire \CSR.gate_0_looking ;
    (* hierconn *) wire \CSR.gate_0_in_packet ;
    each(taken last) (* hierconn *) wire \CSR.% ;
    always @(posedge clk) if (started) begin
        assert (\CSR.gate_0_looking == looks);
        assert ({\CSR.taken , \CSR.last } == {comes, ends});
        if (!drops) assert (\CSR.gate_0_in_packet == in_packet);
    end

    // A beat that breaks the contract sets the status until a clear, which goes before one of the same clock.
    (* hierconn *) wire \CSR.beat_error ;
    (* hierconn *) wire \CSR.beat_error_seen ;
    reg beat_error = 1'b0;
    always @(posedge clk) beat_error <= !rst && (\CSR.beat_error || beat_error && !clear);
    always @(posedge clk) if (started) assert (\CSR.beat_error_seen == beat_error);

    // What is at an address: of the counters what their copies hold, whatever that is in any clock.
    each(0..10) each(0..3) (* hierconn *) wire [15:0] \CSR.counter_%_segment_%%_shown ;
    wire [32*22-1:0] copies;
    each(0..10) each(0..3) assign copies[64*%+16*%%+:16] = \CSR.counter_%_segment_%%_shown ;
    function [31:0] content(input [11:0] address, input enabled, input error, input [32*22-1:0] copies);
        case (address)
            12'h000: content = "RUNE";
            12'h004: content = `VERSION;
            12'h008: content = `CONFIG;
            12'h00C: content = `WIDTHS;
            CONTROL: content = {31'd0, enabled};
            12'h018: content = {31'd0, error};
            default: content = readable(address) && address >= 12'h020 ? copies[32*((address - 12'h020) >> 2)+:32] : 32'd0;
        endcase
    endfunction
    reg [31:0] word, read = 32'd0;
    reg was_enabled, was_error;
    always @(posedge clk) begin
        if (age == ENDS - 5'd5) {was_enabled, was_error} <= {enable, beat_error};
        if (age == ENDS - 5'd3) word <= content(at, was_enabled, was_error, copies);
        if (age == ENDS && !is_write) read <= word;
        if (rst) read <= 32'd0;
    end
    always @(posedge clk) if (started) begin
        assert (r_data == read);
        if (r_valid && r_response != 2'd0) assert (r_data == 32'd0);
    end

    // Not vacuous: each command by itself, enable cleared and read so, a write that is refused, and one without its strobe; a
    // counter's upper word that is read.
    reg refused_write = 1'b0, meant_for_another = 1'b0;
    always @(posedge clk) begin
        if (acts && at == 12'h018 && strobes[0] && written[0]) refused_write <= 1'b1;
        if (acts && at == CONTROL && strobes == 4'b1110 && !written[0]) meant_for_another <= 1'b1;
    end
    always @(posedge clk) if (started) begin
        cover (snapshot && !clear && !soft_reset);
        cover (!snapshot && clear && !soft_reset && beat_error);
        cover (!snapshot && !clear && soft_reset);
        cover (!looks && comes && !in_packet);
        cover (refused_write && b_valid && b_response == 2'd2);
        cover (meant_for_another && b_valid && b_response == 2'd0);
        cover (r_valid && at == CONTROL && r_data == 32'd0);
        cover (r_valid && at == 12'h074 && r_data == 32'h80000001);
    end
endmodule
