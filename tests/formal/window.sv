// What happens at a byte, from the three bytes before it in its packet and the one after it.
//
// That three bytes are enough is what grammar.sv proves.

package window;

    // A byte of a packet, or none.
    typedef struct packed {
        logic there;
        logic [7:0] value;
    } maybe_byte;

    // The last three bytes; x1 is the newest.
    typedef struct packed {
        maybe_byte x3;
        maybe_byte x2;
        maybe_byte x1;
    } past;

    // What ends at a byte: nothing, a scalar value, or a maximal subpart of this kind and length. Fields without a meaning
    // are zero.
    typedef struct packed {
        logic is_scalar;
        logic is_ill_formed;
        logic [2:0] kind;
        logic [1:0] length;
        logic [20:0] scalar;
    } piece;

    // How many of the last bytes are an unfinished sequence. At most one of the three can be: leading bytes continue nothing.
    function automatic [2:0] unfinished(input past p);
        unfinished = 3'd0;
        if (p.x1.there && rfc3629::begins(3'd1, p.x1.value, 8'h0, 8'h0)) unfinished = 3'd1;
        if (p.x1.there && p.x2.there && rfc3629::begins(3'd2, p.x2.value, p.x1.value, 8'h0)) unfinished = 3'd2;
        if (p.x1.there && p.x2.there && p.x3.there && rfc3629::begins(3'd3, p.x3.value, p.x2.value, p.x1.value))
            unfinished = 3'd3;
    endfunction

    // Whether x goes on with an unfinished sequence of n bytes.
    function automatic continues(input past p, input [2:0] n, input [7:0] x);
        case (n)
            3'd1: continues = rfc3629::utf8_char(3'd2, p.x1.value, x, 8'h0, 8'h0)
                           || rfc3629::begins(3'd2, p.x1.value, x, 8'h0);
            3'd2: continues = rfc3629::utf8_char(3'd3, p.x2.value, p.x1.value, x, 8'h0)
                           || rfc3629::begins(3'd3, p.x2.value, p.x1.value, x);
            3'd3: continues = rfc3629::utf8_char(3'd4, p.x3.value, p.x2.value, p.x1.value, x);
            default: continues = 1'b0;
        endcase
    endfunction

    // Whether a sequence of more bytes begins with this one.
    function automatic leads(input [7:0] x);
        leads = rfc3629::begins(3'd1, x, 8'h0, 8'h0);
    endfunction

    // Whether a sequence can begin with these two.
    function automatic accepts(input [7:0] lead, input [7:0] second);
        accepts = rfc3629::utf8_char(3'd2, lead, second, 8'h0, 8'h0) || rfc3629::begins(3'd2, lead, second, 8'h0);
    endfunction

    // Whether a sequence of more than n bytes begins with this one.
    function automatic longer(input [2:0] n, input [7:0] lead);
        longer = rfc3629::begins(n, lead, 8'h80, 8'h80) || rfc3629::begins(n, lead, 8'h90, 8'h80)
            || rfc3629::begins(n, lead, 8'hA0, 8'h80);
    endfunction

    // The past after one more byte.
    function automatic past after(input past p, input [7:0] x);
        after = {p.x2, p.x1, 1'b1, x};
    endfunction

    // The piece that ends at x.
    function automatic piece ends_at(input past p, input [7:0] x, input maybe_byte next);
        logic [2:0] n;
        logic [7:0] a, b, c;
        past now;
        piece found;
        found = '0;
        now = after(p, x);
        // The sequence that x belongs to has n bytes so far: a is the first, b and c the ones between, if any, x the last.
        n = unfinished(p);
        n = continues(p, n, x) ? n + 3'd1 : 3'd1;
        a = n == 3'd1 ? x : n == 3'd2 ? p.x1.value : n == 3'd3 ? p.x2.value : p.x3.value;
        b = n == 3'd2 ? x : n == 3'd3 ? p.x1.value : p.x2.value;
        c = n == 3'd3 ? x : p.x1.value;
        if (rfc3629::utf8_char(n, a, b, c, x)) begin
            found.is_scalar = 1'b1;
            found.scalar = rfc3629::scalar(n, a, b, c, x);
        end else if (!(next.there && continues(now, unfinished(now), next.value))) begin
            found.is_ill_formed = 1'b1;
            found.kind = rfc3629::kind(n, a, next.there, next.value);
            found.length = n[1:0];
        end
        ends_at = found;
    endfunction

endpackage
