// UTF-8 by RFC 2279, section 2: the table, and nothing else. Everything that the proofs about --grammar rfc2279 call well-formed comes
// from its rows. grammar_2279.sv proves that these are the RFC's patterns of bits and ranges of values, without the surrogates.
//
// Byte k of a sequence s, the first being 0, is s[8*k+:8]; those beyond its end do not matter.

package rfc2279;

    // 10xxxxxx
    function automatic tail(input [7:0] x);
        tail = x >= 8'h80 && x <= 8'hBF;
    endfunction

    // Bit m: the first n bytes of s are those of a row of m octets, which is not shorter; a row has a range for each byte. "The rows of the
    // table are mutually exclusive", so each begins at its least value; and D800 to DFFF, halves of UTF-16, are not encoded.
`define IN(k, low, high) (n <= k || s[8*k+:8] >= 8'h``low && s[8*k+:8] <= 8'h``high)
    function automatic [6:1] rows(input [2:0] n, input [47:0] s);
        rows = {
            // 0400 0000-7FFF FFFF   1111110x 10xxxxxx ... 10xxxxxx
            (`IN(0, FC, FC) && `IN(1, 84, BF) || `IN(0, FD, FD) && `IN(1, 80, BF))
                && `IN(2, 80, BF) && `IN(3, 80, BF) && `IN(4, 80, BF) && `IN(5, 80, BF),
            // 0020 0000-03FF FFFF   111110xx 10xxxxxx 10xxxxxx 10xxxxxx 10xxxxxx
            (`IN(0, F8, F8) && `IN(1, 88, BF) || `IN(0, F9, FB) && `IN(1, 80, BF))
                && `IN(2, 80, BF) && `IN(3, 80, BF) && `IN(4, 80, BF) && n <= 3'd5,
            // 0001 0000-001F FFFF   11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
            (`IN(0, F0, F0) && `IN(1, 90, BF) || `IN(0, F1, F7) && `IN(1, 80, BF))
                && `IN(2, 80, BF) && `IN(3, 80, BF) && n <= 3'd4,
            // 0000 0800-0000 FFFF   1110xxxx 10xxxxxx 10xxxxxx
            (`IN(0, E0, E0) && `IN(1, A0, BF) || `IN(0, E1, EC) && `IN(1, 80, BF) || `IN(0, ED, ED) && `IN(1, 80, 9F)
                || `IN(0, EE, EF) && `IN(1, 80, BF)) && `IN(2, 80, BF) && n <= 3'd3,
            // 0000 0080-0000 07FF   110xxxxx 10xxxxxx
            `IN(0, C2, DF) && `IN(1, 80, BF) && n <= 3'd2,
            // 0000 0000-0000 007F   0xxxxxxx
            `IN(0, 00, 7F) && n <= 3'd1
        };
    endfunction

    // Whether the first n bytes of s are a character, whether a longer one begins with them, and whether either is so.
    function automatic utf8_char(input [2:0] n, input [47:0] s);
        utf8_char = ({1'b0, rows(n, s), 1'b0} >> n) & 8'h1;
    endfunction
    function automatic begins(input [2:0] n, input [47:0] s);
        begins = n != 3'd0 && ({1'b0, rows(n, s), 1'b0} >> n >> 1) != 8'h0;
    endfunction
    function automatic can_be(input [2:0] n, input [47:0] s);
        can_be = n != 3'd0 && rows(n, s) != 6'h0;
    endfunction

    // The value of a character of n bytes: the bits x of its row.
    function automatic [30:0] scalar(input [2:0] n, input [47:0] s);
        case (n)
            3'd1: scalar = {24'h0, s[6:0]};
            3'd2: scalar = {20'h0, s[4:0], s[13:8]};
            3'd3: scalar = {15'h0, s[3:0], s[13:8], s[21:16]};
            3'd4: scalar = {10'h0, s[2:0], s[13:8], s[21:16], s[29:24]};
            3'd5: scalar = {5'h0, s[1:0], s[13:8], s[21:16], s[29:24], s[37:32]};
            default: scalar = {s[0], s[13:8], s[21:16], s[29:24], s[37:32], s[45:40]};
        endcase
    endfunction

    // The kind of a maximal subpart of n bytes that begins with a; x is the byte after it, if there is one in the packet. None is too large.
    function automatic [2:0] kind(input [2:0] n, input [7:0] a, input followed, input [7:0] x);
        if (n == 3'd1 && tail(a)) kind = 3'd1; // stray_continuation
        else if (n == 3'd1 && a >= 8'hFE) kind = 3'd2; // invalid_byte
        else if (n == 3'd1 && (a == 8'hC0 || a == 8'hC1)) kind = 3'd3; // overlong
        else if (!followed) kind = 3'd7; // truncated_at_end
        else if (!tail(x)) kind = 3'd6; // truncated
        else if (a == 8'hED) kind = 3'd4; // surrogate
        else kind = 3'd3; // overlong: E0, F0, F8, FC
    endfunction

endpackage
