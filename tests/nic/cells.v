// The three cells of an ECP5 that the card's Verilog names, as Lattice describes them: flip-flops with an asynchronous set. Those of the
// pins have an enable, too.

module FD1S3BX (input CK, input PD, input D, output reg Q);
    initial Q = 1'b1;
    always @(posedge CK, posedge PD) Q <= PD | D;
endmodule

module IFS1P3BX (input SCLK, input PD, input SP, input D, output reg Q);
    initial Q = 1'b1;
    always @(posedge SCLK, posedge PD) if (PD | SP) Q <= PD | D;
endmodule

module OFS1P3BX (input SCLK, input PD, input SP, input D, output Q);
    IFS1P3BX cell_ (.SCLK(SCLK), .PD(PD), .SP(SP), .D(D), .Q(Q));
endmodule
