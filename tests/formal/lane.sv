// What the specification says of a lane, as modules: Yosys reads a module once, but a function again at each of its calls.
//
// GRAMMAR is rfc3629 or rfc2279; a past has BACK bytes.

// Of a byte by itself.
module of_byte (
    input wire [7:0] x,
    // It begins a sequence, and one of more than two bytes, three, four, five.
    output wire leads,
    output wire longer_2,
    output wire longer_3,
    output wire longer_4,
    output wire longer_5,
    // A sequence that it begins can go on with 80, 90, A0, BF.
    output wire takes_80,
    output wire takes_90,
    output wire takes_a0,
    output wire takes_bf,
    // The kind that it is if nothing follows, and if 80 or BF does and is not taken.
    output wire [2:0] kind,
    output wire [2:0] kind_80,
    output wire [2:0] kind_bf
);
    assign leads = window::leads(x);
    assign longer_2 = window::longer(3'd2, x);
    assign longer_3 = window::longer(3'd3, x);
    assign longer_4 = window::longer(3'd4, x);
    assign longer_5 = window::longer(3'd5, x);
    assign takes_80 = window::accepts(x, 8'h80);
    assign takes_90 = window::accepts(x, 8'h90);
    assign takes_a0 = window::accepts(x, 8'hA0);
    assign takes_bf = window::accepts(x, 8'hBF);
    assign kind = `GRAMMAR::kind(3'd1, x, 1'b0, 8'h0);
    assign kind_80 = `GRAMMAR::kind(3'd1, x, 1'b1, 8'h80);
    assign kind_bf = `GRAMMAR::kind(3'd1, x, 1'b1, 8'hBF);
endmodule

// Of a lane and those before it: how long a sequence is unfinished before it and with it, and whether it goes on with that.
module of_lane (
    input wire [9*`BACK-1:0] before,
    input wire [8:0] lane,
    output wire [2:0] open_before,
    output wire [2:0] open_now,
    output wire consumed
);
    assign open_before = window::unfinished(before);
    assign open_now = lane[8] ? window::unfinished({before[9*`BACK-10:0], lane}) : 3'd0;
    assign consumed = lane[8] && window::continues(before, open_before, lane[7:0]);
endmodule

// Of a lane between those before it and the one after it: the piece that ends there.
module piece_at (
    input wire [9*`BACK-1:0] before,
    input wire [8:0] lane,
    input wire [8:0] next,
    output wire scalar,
    output wire ill_formed,
    output wire [2:0] kind,
    output wire [`LENGTH-1:0] length,
    output wire [`VALUE-1:0] value
);
    assign {scalar, ill_formed, kind, length, value} = lane[8] ? window::ends_at(before, lane[7:0], next) : 0;
endmodule

`ifdef OPENS
// A byte that the beginning of its packet has cut from its sequence: a continuation byte with only such before it, two at most; and which of the
// packet's bytes that is.
module begins_at (
    input wire [9*`BACK-1:0] before,
    input wire [8:0] lane,
    output wire head,
    output wire [2:0] heads
);
    wire [8:0] x3 = before[26:18], x2 = before[17:9], x1 = before[8:0];
    assign head = lane[8] && `GRAMMAR::tail(lane[7:0]) && !x3[8] && (!x2[8] || `GRAMMAR::tail(x2[7:0]))
        && (!x1[8] || `GRAMMAR::tail(x1[7:0]));
    assign heads = {head && x2[8], head && x1[8] && !x2[8], head && !x1[8]};
endmodule
`endif
