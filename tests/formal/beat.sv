// A beat of events as it is in the FIFO, a bit of each lane beside the same bit of the others, and as the pins show it.

module unpack #(
    parameter N = 1,
    // Bits of a lane's word, and of its part of tdata and of tuser; whether the high octet of 16 bits is in the low byte.
    parameter WORD = 21,
    parameter DATA = 32,
    parameter USER = 5,
    parameter SWAPS = 0
) (
    // {flag, last, and of each lane length, kind, whether it has an event, and its word}
    input wire [(WORD+1+USER)*N+1:0] beat,
    output wire [DATA*N-1:0] data,
    output wire [DATA/8*N-1:0] keep,
    output wire last,
    output wire [USER*N:0] user
);
    assign {user[USER*N], last} = beat[(WORD+1+USER)*N+1:(WORD+1+USER)*N];
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_lane
            for (genvar b = 0; b < DATA; b = b + 1) begin : g_word
                assign data[DATA*i+b] = b < WORD && beat[N*(SWAPS ? b ^ 8 : b < WORD ? b : 0)+i];
            end
            assign keep[DATA/8*i+:DATA/8] = {DATA/8{beat[WORD*N+i]}};
            for (genvar b = 0; b < USER; b = b + 1) begin : g_user
                assign user[USER*i+b] = beat[N*(WORD+1+b)+i];
            end
        end
    endgenerate
endmodule
