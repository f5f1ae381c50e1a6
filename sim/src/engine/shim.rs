//! The C++ that stands between a verilated core and this program: a loop over clocks, so that one call runs many.

use crate::frame::Frame;
use hdl::config::Config;
use hdl::ports::Port;
use std::fmt::Write;

/// Prefix of the verilated class.
pub const PREFIX: &str = "Vdut";

/// The text of the shim. It is compiled with the verilated core into one shared object.
pub fn shim(config: &Config) -> String {
    let (drive, input_words) = copies(&Frame::inputs(config), |port, word| match port.width {
        1..=32 => format!("dut->{} = in[{word}];", port.name),
        33..=64 => format!(
            "dut->{} = in[{word}] | static_cast<QData>(in[{}]) << 32;",
            port.name,
            word + 1
        ),
        _ => format!(
            "for (int i = 0; i < {}; ++i) dut->{}[i] = in[{word} + i];",
            port.words(),
            port.name
        ),
    });
    let (sample, output_words) = copies(&Frame::outputs(config), |port, word| match port.width {
        1..=32 => format!("out[{word}] = dut->{};", port.name),
        33..=64 => format!(
            "out[{word}] = static_cast<uint32_t>(dut->{name}); out[{next}] = static_cast<uint32_t>(dut->{name} >> 32);",
            name = port.name,
            next = word + 1
        ),
        _ => format!(
            "for (int i = 0; i < {}; ++i) out[{word} + i] = dut->{}[i];",
            port.words(),
            port.name
        ),
    });
    format!(
        r#"#include "{PREFIX}.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
typedef VerilatedFstC Trace;
#elif VM_TRACE
#include "verilated_vcd_c.h"
typedef VerilatedVcdC Trace;
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#include <cstddef>
#include <cstdint>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {{
struct Simulation {{
    VerilatedContext context;
    {PREFIX} *dut = nullptr;
#if VM_TRACE
    Trace trace;
#endif
    ~Simulation() {{
        if (!dut) return;
        dut->final();
#if VM_TRACE
        trace.close();
#endif
        delete dut;
    }}

    void dump() {{
#if VM_TRACE
        trace.dump(context.time());
        context.timeInc(1);
#endif
    }}

    void drive(const uint32_t *in) {{
{drive}    }}

    void sample(uint32_t *out) const {{
{sample}    }}

    // The inputs change while the clock is low; the outputs are sampled before it rises.
    template <bool RECORD> void run(const uint32_t *in, uint32_t *out, size_t clocks) {{
        for (size_t i = 0; i < clocks; ++i) {{
            drive(in + i * {input_words});
            dut->clk = 0;
            dut->eval();
            dump();
            if (RECORD) sample(out + i * {output_words});
            dut->clk = 1;
            dut->eval();
            dump();
        }}
    }}
}};
}} // namespace

EXPORT void *runegate_open(const char *trace_path) {{
    Simulation *simulation = new Simulation;
#if VM_TRACE
    simulation->context.traceEverOn(true);
#endif
    simulation->dut = new {PREFIX}(&simulation->context);
#if VM_TRACE
    simulation->dut->trace(&simulation->trace, 99);
    simulation->trace.open(trace_path);
#else
    (void)trace_path;
#endif
    return simulation;
}}

EXPORT void runegate_close(void *simulation) {{ delete static_cast<Simulation *>(simulation); }}

EXPORT void runegate_run(void *simulation, const uint32_t *in, uint32_t *out, size_t clocks) {{
    static_cast<Simulation *>(simulation)->run<true>(in, out, clocks);
}}

#if VM_COVERAGE
EXPORT void runegate_coverage(void *simulation, const char *path) {{
    static_cast<Simulation *>(simulation)->context.coveragep()->write(path);
}}
#endif

// The same loop without anyone looking: what the lockstep's speed is compared with.
EXPORT void runegate_run_bare(void *simulation, const uint32_t *in, size_t clocks) {{
    static_cast<Simulation *>(simulation)->run<false>(in, nullptr, clocks);
}}
"#
    )
}

/// One line per port, and the words that all of them take.
fn copies(frame: &Frame, copy: impl Fn(&Port, usize) -> String) -> (String, usize) {
    let mut text = String::new();
    let mut word = 0;
    for port in &frame.pins {
        let _ = writeln!(text, "        {}", copy(port, word));
        word += port.words();
    }
    (text, word)
}
