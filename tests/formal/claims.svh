// A claim is about one lane, or about the beat. A theorem about many lanes is proven in parts: one for each few lanes from
// `FIRST up to `END, and one (`BEAT) for what is of no lane. A part proves its own claims, and leans on those of its
// neighbours in the clocks before: what is assumed here takes effect a clock later (the delay is in the script). So all the claims
// of a clock follow from those of earlier ones, and together the parts are an induction over all of them.
`ifdef BEAT
`define IS_OWN(i) 1'b0
`define IS_NEAR(i) 1'b1
`define IS_BEAT 1'b1
`elsif FIRST
`define IS_OWN(i) ((i) >= `FIRST && (i) < `END)
`define IS_NEAR(i) (((i) + `BACK >= `FIRST && (i) <= `END || (i) == 0) && !`IS_OWN(i))
`define IS_BEAT 1'b0
`endif

`ifdef IS_BEAT
`define LANE(i, claim) begin assert (!`IS_OWN(i) || (claim)); assume (!`IS_NEAR(i) || (claim)); end
`define WHOLE(claim) begin assert (!`IS_BEAT || (claim)); assume (`IS_BEAT || (claim)); end
`else
`define LANE(i, claim) assert (claim)
`define WHOLE(claim) assert (claim)
`endif
