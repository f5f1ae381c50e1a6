// UTF-16 by RFC 2781, section 2.1: the units of a scalar value.

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

endpackage
