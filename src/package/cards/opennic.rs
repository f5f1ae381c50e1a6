//! The core in the receive path of an OpenNIC user box.
//!
//! The names of the ports are those of `axi_stream_pipeline`, as `plugin/p2p/p2p_250mhz.sv` instantiates it.

use super::stream::{
    Stream, about, beat_error_port, indented, judged, on_stream, register_pin, register_ports,
    verdict_width,
};
use crate::package::text::is_watching;
use hdl::config::Config;
use hdl::emit::range;

/// The first of the two registers that bring OpenNIC's reset to the core's clock; no other register of a design has its name.
const FIRST_OF_RESET: &str = "runegate_aresetn_first";

/// What Vivado needs to know of OpenNIC's reset.
pub fn constraints(config: &Config) -> String {
    format!(
        "# {}_opennic_rx in an OpenNIC user box (Vivado): aresetn is in axil_aclk's domain, and two registers synchronise it to aclk. The\n\
         # path to the first register is a false path.\n\
         set_false_path -to [get_pins -hier -filter {{NAME =~ *{FIRST_OF_RESET}_reg/D}}]\n",
        config.module
    )
}

pub fn template(config: &Config) -> String {
    let name = &config.module;
    let pins = |prefix: &str, direction: &str, other: &str| {
        let pin = |way: &str, range: &str, signal: &str| {
            format!("    {way} wire {range}{prefix}_axis_{signal},\n")
        };
        [
            pin(direction, "", "tvalid"),
            pin(direction, "[511:0] ", "tdata"),
            pin(direction, "[63:0] ", "tkeep"),
            pin(direction, "", "tlast"),
            pin(direction, "[47:0] ", "tuser"),
            pin(other, "", "tready"),
        ]
        .concat()
    };
    let mut body = vec![
        format!("(* ASYNC_REG = \"TRUE\" *) reg {FIRST_OF_RESET} = 1'b0;"),
        "(* ASYNC_REG = \"TRUE\" *) reg running = 1'b0;".to_string(),
        "always @(posedge aclk) begin".to_string(),
        format!("    {FIRST_OF_RESET} <= aresetn;"),
        format!("    running <= {FIRST_OF_RESET};"),
        "end".to_string(),
    ];
    body.extend(on_stream(
        config,
        &Stream {
            from: &|signal| format!("s_axis_{signal}"),
            to: &|signal| format!("m_axis_{signal}"),
            clock: "aclk",
            reset: "~running",
            sideband: ["49", "{s_axis_tuser, 1'b0}", "{m_axis_tuser, bad}"],
            verdict: &|signal| format!("verdict_{signal}"),
            beat_error: "beat_error",
            registers: &|signal| format!("s_axil_{signal}"),
        },
    ));
    let register_ports = register_ports(config, "s_axil_", |signal| {
        range(register_pin(signal).width)
    });
    let about_registers = if config.has_registers() {
        "// The register bus is in aclk's domain, not in axil_aclk's: put a clock converter before it, and give it a window of 4 KiB.\n"
    } else {
        ""
    };
    let beat_error = beat_error_port(config, "");
    let bad = if is_watching(config) {
        ""
    } else if config.core.packet_memory(config.lanes).is_some() {
        "    // Set with the last beat of a bad packet that is too long to be dropped. The shell has no such mark: drop the packet, or count it.\n    \
         output wire bad,\n"
    } else {
        "    // Set with the last beat of an ill-formed packet. The shell has no such mark: drop the packet, or count it.\n    \
         output wire bad,\n"
    };
    format!(
        "{}// {name} in the receive path of an OpenNIC user box (250 MHz), from the adapter to the QDMA.\n\
         //\n\
         // It has the pins of axi_stream_pipeline, and replaces rx_ppl_inst in p2p_250mhz (NUM_QDMA = 1): tuser is {{dst, src, size}}.\n\
         // The core does not change a packet's length, so tuser_size stays correct. The shell's aresetn is in axil_aclk's domain: two\n\
         // registers synchronise it to aclk. constraints/opennic.xdc exempts the path to the first register from timing: read it with\n\
         // read_xdc -unmanaged, in the plugin's build_box_250mhz.tcl.\n\
         {}{about_registers}`default_nettype none\n\n\
         module {name}_opennic_rx (\n{}{}{bad}{register_ports}{beat_error}    \
         // One verdict per packet, in order, without backpressure.\n    \
         output wire verdict_tvalid,\n    output wire [{}:0] verdict_tdata,\n    input wire aclk,\n    input wire aresetn\n);\n\
         {}endmodule\n\n`default_nettype wire\n",
        judged(config, "//"),
        about(config, "bad is set"),
        pins("s", "input", "output"),
        pins("m", "output", "input"),
        verdict_width(config) - 1,
        indented(&body, 4),
    )
}
