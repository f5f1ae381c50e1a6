// The classes of scalar values that a policy can forbid, as Unicode writes their ranges. Bit by bit as `--forbid` numbers them.

module of_value (
    input wire [20:0] value,
    output wire [7:0] classes
);
    function automatic within(input [20:0] first, input [20:0] last);
        within = value >= first && value <= last;
    endfunction
    // nul: U+0000.
    assign classes[0] = value == 21'h0000;
    // control: General_Category Cc up to U+007F, but neither NUL nor HT, LF and CR.
    assign classes[1] = within(21'h0001, 21'h0008) || within(21'h000B, 21'h000C) || within(21'h000E, 21'h001F) || value == 21'h007F;
    // c1: the rest of Cc.
    assign classes[2] = within(21'h0080, 21'h009F);
    // noncharacter: Noncharacter_Code_Point. The last two of each of the seventeen planes, and 32 others.
    wire [16:0] ends_plane;
    generate
        for (genvar p = 0; p <= 16; p = p + 1) begin : g_plane
            assign ends_plane[p] = within(p * 21'h10000 + 21'hFFFE, p * 21'h10000 + 21'hFFFF);
        end
    endgenerate
    assign classes[3] = within(21'hFDD0, 21'hFDEF) || |ends_plane;
    // bidi: Bidi_Control.
    assign classes[4] = value == 21'h061C || within(21'h200E, 21'h200F) || within(21'h202A, 21'h202E) || within(21'h2066, 21'h2069);
    // private: General_Category Co.
    assign classes[5] = within(21'hE000, 21'hF8FF) || within(21'hF0000, 21'hFFFFD) || within(21'h100000, 21'h10FFFD);
    // supplementary: planes 1 to 16.
    assign classes[6] = within(21'h10000, 21'h10FFFF);
    // from-0300.
    assign classes[7] = within(21'h0300, 21'h10FFFF);
endmodule
