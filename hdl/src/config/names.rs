//! Which names Verilog takes.

/// The reserved words of IEEE 1800-2017 (Annex B), which contain those of Verilog-2005.
const KEYWORDS: &str = "
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
    binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
    constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
    else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
    endpackage endprimitive endprogram endproperty endspecify endsequence endtable endtask enum event eventually expect
    export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global
    highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input
    inside instance int integer interconnect interface intersect join join_any join_none large let liblist library local
    localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
    noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
    property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
    randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
    s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small
    soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on
    sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand
    trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void
    wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor";

/// Whether a word is reserved in Verilog or SystemVerilog.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.split_whitespace().any(|keyword| keyword == word)
}

/// Why a name cannot be a module's, or `None` if it can.
pub fn refuse_module_name(name: &str) -> Option<&'static str> {
    let mut bytes = name.bytes();
    let starts_well = bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    if !starts_well || !bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        Some("it is not a simple identifier")
    } else if is_keyword(name) {
        Some("it is a reserved word of Verilog or SystemVerilog")
    } else if ["mailbox", "process", "semaphore"].contains(&name) {
        Some("SystemVerilog has a class of that name, which some tools take it for")
    } else if name.len() > 128 {
        Some("it is longer than 128 characters")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_verilog_does_not_take_are_refused() {
        for good in ["a", "_", "utf8_decode_w1", "Module9"] {
            assert_eq!(refuse_module_name(good), None, "{good}");
        }
        for bad in [
            "", "9a", "a-b", "a b", "a$b", "\\a ", "é", "module", "logic", "within", "a\n",
            "process",
        ] {
            assert!(refuse_module_name(bad).is_some(), "{bad:?}");
        }
        assert!(refuse_module_name(&"a".repeat(129)).is_some());
    }
}
