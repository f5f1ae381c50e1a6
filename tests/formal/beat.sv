// A beat of events as it is in the FIFO, a bit of each lane beside the same bit of the others, and as the pins show it.

module unpack #(
    parameter N = 1
) (
    // {flag, last, and of each lane length, kind, whether it has an event, and its scalar value}
    input wire [27*N+1:0] beat,
    output wire [32*N-1:0] data,
    output wire [4*N-1:0] keep,
    output wire last,
    output wire [5*N:0] user
);
    assign {user[5*N], last} = beat[27*N+1:27*N];
    generate
        for (genvar i = 0; i < N; i = i + 1) begin : g_lane
            for (genvar b = 0; b < 21; b = b + 1) begin : g_scalar
                assign data[32*i+b] = beat[N*b+i];
            end
            assign data[32*i+21+:11] = 11'h0;
            assign keep[4*i+:4] = {4{beat[21*N+i]}};
            for (genvar b = 0; b < 5; b = b + 1) begin : g_user
                assign user[5*i+b] = beat[N*(22+b)+i];
            end
        end
    endgenerate
endmodule
