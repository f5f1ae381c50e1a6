//! The core on the receive streams of Corundum's application block.
//!
//! The names of the ports are those of `fpga/app/template/rtl/mqnic_app_block.v`.

use super::stream::{
    Stream, about, beat_error_port, indented, judged, on_stream, register_pin, register_ports,
    room, verdict_width,
};
use crate::package::shell::CORUNDUM_USER;
use crate::package::text::is_watching;
use hdl::config::Config;
use hdl::layout::ADDRESS_BITS;

pub fn template(config: &Config) -> String {
    let name = &config.module;
    let bits = 8 * config.lanes;
    let widths = |signal: &str| match signal {
        "tdata" => "AXIS_SYNC_DATA_WIDTH",
        "tkeep" => "AXIS_SYNC_KEEP_WIDTH",
        "tuser" => "AXIS_SYNC_RX_USER_WIDTH",
        _ => "",
    };
    let part = |prefix: &str, signal: &str| match widths(signal) {
        "" => format!("{prefix}_axis_sync_rx_{signal}[i]"),
        width => format!("{prefix}_axis_sync_rx_{signal}[i*{width} +: {width}]"),
    };
    let pins = |prefix: &str, direction: &str, other: &str| {
        ["tdata", "tkeep", "tvalid", "tready", "tlast", "tuser"]
            .into_iter()
            .map(|signal| {
                let way = if signal == "tready" { other } else { direction };
                let range = match widths(signal) {
                    "" => "PORT_COUNT-1:0".to_string(),
                    width => format!("PORT_COUNT*{width}-1:0"),
                };
                format!("    {way} wire [{range}] {prefix}_axis_sync_rx_{signal},\n")
            })
            .collect::<String>()
    };
    let verdict = verdict_width(config);
    let wide = |signal: &str| match signal {
        "awaddr" | "araddr" => "AXIL_APP_CTRL_ADDR_WIDTH".to_string(),
        _ => register_pin(signal).width.to_string(),
    };
    let mut body = Vec::new();
    if config.has_registers() {
        // Above the registers' window nothing is: not a multiple of 4, such an address is refused.
        for signal in ["awaddr", "araddr"] {
            let width = wide(signal);
            body.push(format!(
                "wire [{width}-1:0] {signal} = s_axil_app_ctrl_{signal}[i*{width} +: {width}];"
            ));
        }
    }
    body.extend(on_stream(
        config,
        &Stream {
            from: &|signal| part("s", signal),
            to: &|signal| part("m", signal),
            clock: "clk",
            reset: "rst",
            sideband: [
                "AXIS_SYNC_RX_USER_WIDTH",
                &part("s", "tuser"),
                &part("m", "tuser"),
            ],
            verdict: &|signal| match signal {
                "tdata" => format!("verdict_tdata[i*{verdict} +: {verdict}]"),
                _ => format!("verdict_{signal}[i]"),
            },
            beat_error: "beat_error[i]",
            registers: &|signal| match (signal, wide(signal).as_str()) {
                ("awaddr" | "araddr", _) => format!(
                    "{{{signal}[{}:1], {signal}[0] | (|({signal} >> {ADDRESS_BITS}))}}",
                    ADDRESS_BITS - 1
                ),
                (_, "1") => format!("s_axil_app_ctrl_{signal}[i]"),
                (_, width) => format!("s_axil_app_ctrl_{signal}[i*{width} +: {width}]"),
            },
        },
    ));
    let register_ports = register_ports(config, "s_axil_app_ctrl_", |signal| match wide(signal) {
        width if width == "1" => "[PORT_COUNT-1:0] ".to_string(),
        width => format!("[PORT_COUNT*{width}-1:0] "),
    });
    let (register_parameter, about_registers) = if config.has_registers() {
        (
            ",\n    parameter AXIL_APP_CTRL_ADDR_WIDTH = 16",
            "// Each port has its own register bus: with one port, connect it to s_axil_app_ctrl; with more, connect them as slaves of an\n\
             // AXI4-Lite interconnect.\n",
        )
    } else {
        ("", "")
    };
    let beat_error = beat_error_port(config, "[PORT_COUNT-1:0] ");
    let user = if is_watching(config) {
        CORUNDUM_USER
    } else {
        CORUNDUM_USER.min(room(config))
    };
    format!(
        "{}// {name} on the receive streams of Corundum's application block: axis_sync_rx, one stream per port.\n\
         //\n\
         // Its parameters and ports have the names and shapes of those of mqnic_app_block: instantiate it there instead of the\n\
         // assignments of m_axis_sync_rx_*, with APP_AXIS_SYNC_ENABLE. Remove this assignment as well, or the signal has two drivers\n\
         // (MULTIDRIVEN in Verilator): assign s_axis_sync_rx_tready = m_axis_sync_rx_tready;\n\
         // The receive FIFO that follows drops the frames that tuser[0] marks.\n\
         {}{about_registers}`default_nettype none\n\n\
         module {name}_corundum_rx #(\n    parameter PORT_COUNT = 1,\n    parameter AXIS_SYNC_DATA_WIDTH = {bits},\n    \
         parameter AXIS_SYNC_KEEP_WIDTH = AXIS_SYNC_DATA_WIDTH/8,\n    parameter AXIS_SYNC_RX_USER_WIDTH = {user}{register_parameter}\n) (\n    \
         input wire clk,\n    input wire rst,\n{}{}{register_ports}{beat_error}    \
         // One verdict per packet, in order, without backpressure.\n    \
         output wire [PORT_COUNT-1:0] verdict_tvalid,\n    output wire [PORT_COUNT*{verdict}-1:0] verdict_tdata\n);\n    \
         genvar i;\n    generate\n        if (AXIS_SYNC_DATA_WIDTH != {bits}) begin : other_width\n            \
         {name}_has_{bits}_bits_of_tdata is_no_module ();\n        end\n        \
         for (i = 0; i < PORT_COUNT; i = i + 1) begin : each_port\n{}        end\n    endgenerate\nendmodule\n\n\
         `default_nettype wire\n",
        judged(config, "//"),
        about(config, "tuser[0], Corundum's mark of a bad frame, is set"),
        pins("s", "input", "output"),
        pins("m", "output", "input"),
        indented(&body, 12),
    )
}
