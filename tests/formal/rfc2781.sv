// UTF-16 by RFC 2781, section 2: the units of a scalar value, and the scalar value of two units.

package rfc2781;

    // Whether it has two.
    function automatic pair(input [20:0] scalar);
        pair = scalar >= 21'h10000;
    endfunction

    // U' = U - 0x10000; the first unit is 110110 and its upper ten bits.
    function automatic [15:0] first(input [20:0] scalar);
        logic [20:0] rest;
        rest = scalar - 21'h10000;
        first = pair(scalar) ? {6'b110110, rest[19:10]} : scalar[15:0];
    endfunction

    // The second is 110111 and its lower ten bits.
    function automatic [15:0] second(input [20:0] scalar);
        second = {6'b110111, scalar[9:0]};
    endfunction

    // Section 2.2: U' is the lower ten bits of each unit, and U is U' + 0x10000.
    function automatic [20:0] scalar(input [15:0] first, input [15:0] second);
        scalar = {1'b0, first[9:0], second[9:0]} + 21'h10000;
    endfunction

endpackage
