// UTF-8 by RFC 3629, section 4: the ABNF, and nothing else. Everything that these proofs call well-formed comes from
// utf8_char; what a prefix is follows from it.

package rfc3629;

    // UTF8-tail = %x80-BF
    function automatic tail(input [7:0] x);
        tail = x >= 8'h80 && x <= 8'hBF;
    endfunction

    // UTF8-char: whether the first n of these bytes are one.
    function automatic utf8_char(input [2:0] n, input [7:0] a, input [7:0] b, input [7:0] c, input [7:0] d);
        case (n)
            // UTF8-1 = %x00-7F
            3'd1: utf8_char = a <= 8'h7F;
            // UTF8-2 = %xC2-DF UTF8-tail
            3'd2: utf8_char = a >= 8'hC2 && a <= 8'hDF && tail(b);
            // UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) / %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
            3'd3: utf8_char = (a == 8'hE0 && b >= 8'hA0 && b <= 8'hBF && tail(c))
                           || (a >= 8'hE1 && a <= 8'hEC && tail(b) && tail(c))
                           || (a == 8'hED && b >= 8'h80 && b <= 8'h9F && tail(c))
                           || (a >= 8'hEE && a <= 8'hEF && tail(b) && tail(c));
            // UTF8-4 = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) / %xF4 %x80-8F 2( UTF8-tail )
            3'd4: utf8_char = (a == 8'hF0 && b >= 8'h90 && b <= 8'hBF && tail(c) && tail(d))
                           || (a >= 8'hF1 && a <= 8'hF3 && tail(b) && tail(c) && tail(d))
                           || (a == 8'hF4 && b >= 8'h80 && b <= 8'h8F && tail(c) && tail(d));
            default: utf8_char = 1'b0;
        endcase
    endfunction

    // Whether a longer UTF8-char begins with the first n of these bytes. The ABNF tells only three ranges of second bytes
    // apart, so one byte of each stands for all.
    function automatic begins(input [2:0] n, input [7:0] a, input [7:0] b, input [7:0] c);
        case (n)
            3'd1: begins = utf8_char(3'd2, a, 8'h80, 8'h00, 8'h00)
                        || utf8_char(3'd3, a, 8'h80, 8'h80, 8'h00) || utf8_char(3'd3, a, 8'hA0, 8'h80, 8'h00)
                        || utf8_char(3'd4, a, 8'h80, 8'h80, 8'h80) || utf8_char(3'd4, a, 8'h90, 8'h80, 8'h80);
            3'd2: begins = utf8_char(3'd3, a, b, 8'h80, 8'h00) || utf8_char(3'd4, a, b, 8'h80, 8'h80);
            3'd3: begins = utf8_char(3'd4, a, b, c, 8'h80);
            default: begins = 1'b0;
        endcase
    endfunction

    // The scalar value of a UTF8-char of n bytes (RFC 3629, section 3: the table of bits).
    function automatic [20:0] scalar(input [2:0] n, input [7:0] a, input [7:0] b, input [7:0] c, input [7:0] d);
        case (n)
            3'd1: scalar = {14'h0, a[6:0]};
            3'd2: scalar = {10'h0, a[4:0], b[5:0]};
            3'd3: scalar = {5'h0, a[3:0], b[5:0], c[5:0]};
            default: scalar = {a[2:0], b[5:0], c[5:0], d[5:0]};
        endcase
    endfunction

    // The kind of a maximal subpart of n bytes that begins with a; x is the byte after it, if there is one in the packet.
    function automatic [2:0] kind(input [2:0] n, input [7:0] a, input followed, input [7:0] x);
        if (n == 3'd1 && tail(a)) kind = 3'd1; // stray_continuation
        else if (n == 3'd1 && a >= 8'hF8) kind = 3'd2; // invalid_byte
        else if (n == 3'd1 && (a == 8'hC0 || a == 8'hC1)) kind = 3'd3; // overlong
        else if (n == 3'd1 && a >= 8'hF5) kind = 3'd5; // too_large
        else if (!followed) kind = 3'd7; // truncated_at_end
        else if (!tail(x)) kind = 3'd6; // truncated
        else if (a == 8'hE0 || a == 8'hF0) kind = 3'd3; // overlong
        else if (a == 8'hED) kind = 3'd4; // surrogate
        else kind = 3'd5; // too_large
    endfunction

endpackage
