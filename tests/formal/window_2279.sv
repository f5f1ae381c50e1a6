// What happens at a byte, from the five bytes before it in its packet and the one after it: `window` of RFC 2279.
//
// That five bytes are enough is what grammar_2279.sv proves.

package window;

    // A byte of a packet, or none.
    typedef struct packed {
        logic there;
        logic [7:0] value;
    } maybe_byte;

    // The last five bytes, each a maybe_byte, the newest lowest.
    typedef logic [44:0] past;

    // What ends at a byte: nothing, a value, or a maximal subpart of this kind and length. Fields without a meaning are zero.
    typedef struct packed {
        logic is_scalar;
        logic is_ill_formed;
        logic [2:0] kind;
        logic [2:0] length;
        logic [30:0] scalar;
    } piece;

    // Byte k of the past, 1 being the newest. A sequence has the oldest first (rfc2279.sv).
`define X(k) p[9*k-9+:8]

    // How many of the last bytes are an unfinished sequence. At most one of the five can be: leading bytes continue nothing.
    function automatic [2:0] unfinished(input past p);
        logic [5:1] there;
        there = {p[44], p[35], p[26], p[17], p[8]};
        unfinished = there[1] && rfc2279::begins(3'd1, `X(1)) ? 3'd1
            : &there[2:1] && rfc2279::begins(3'd2, {`X(1), `X(2)}) ? 3'd2
            : &there[3:1] && rfc2279::begins(3'd3, {`X(1), `X(2), `X(3)}) ? 3'd3
            : &there[4:1] && rfc2279::begins(3'd4, {`X(1), `X(2), `X(3), `X(4)}) ? 3'd4
            : &there[5:1] && rfc2279::begins(3'd5, {`X(1), `X(2), `X(3), `X(4), `X(5)}) ? 3'd5 : 3'd0;
    endfunction

    // An unfinished sequence of n bytes and x, or x alone.
    function automatic [47:0] sequence_with(input past p, input [2:0] n, input [7:0] x);
        sequence_with = n == 3'd1 ? {x, `X(1)} : n == 3'd2 ? {x, `X(1), `X(2)} : n == 3'd3 ? {x, `X(1), `X(2), `X(3)}
            : n == 3'd4 ? {x, `X(1), `X(2), `X(3), `X(4)} : n == 3'd5 ? {x, `X(1), `X(2), `X(3), `X(4), `X(5)} : x;
    endfunction

    // Whether x goes on with an unfinished sequence of n bytes.
    function automatic continues(input past p, input [2:0] n, input [7:0] x);
        continues = n != 3'd0 && n <= 3'd5 && rfc2279::can_be(n + 3'd1, sequence_with(p, n, x));
    endfunction

    // Whether a sequence of more bytes begins with this one.
    function automatic leads(input [7:0] x);
        leads = rfc2279::begins(3'd1, x);
    endfunction

    // Whether a sequence can begin with these two.
    function automatic accepts(input [7:0] lead, input [7:0] second);
        accepts = rfc2279::can_be(3'd2, {second, lead});
    endfunction

    // Whether a sequence of more than n bytes begins with this one. Each leading byte takes 9F or BF.
    function automatic longer(input [2:0] n, input [7:0] lead);
        longer = rfc2279::begins(n, {40'h808080809F, lead}) || rfc2279::begins(n, {40'h80808080BF, lead});
    endfunction

    // The past after one more byte.
    function automatic past after(input past p, input [7:0] x);
        after = {p[35:0], 1'b1, x};
    endfunction

    // The piece that ends at x.
    function automatic piece ends_at(input past p, input [7:0] x, input maybe_byte next);
        logic [2:0] n;
        logic [47:0] s;
        past now;
        piece found;
        found = '0;
        now = after(p, x);
        // The sequence that x belongs to has n bytes so far, s.
        n = unfinished(p);
        n = continues(p, n, x) ? n + 3'd1 : 3'd1;
        s = sequence_with(p, n - 3'd1, x);
        if (rfc2279::utf8_char(n, s)) begin
            found.is_scalar = 1'b1;
            found.scalar = rfc2279::scalar(n, s);
        end else if (!(next.there && continues(now, unfinished(now), next.value))) begin
            found.is_ill_formed = 1'b1;
            found.kind = rfc2279::kind(n, s[7:0], next.there, next.value);
            found.length = n;
        end
        ends_at = found;
    endfunction

endpackage
