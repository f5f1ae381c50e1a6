//! The C++ that stands between a verilated core and this program: a loop over clocks, so that one call runs many.

use crate::frame::Frame;
use hdl::config::Config;
use hdl::config::ports::Port;
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
#elif VM_TRACE
#include "verilated_vcd_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {{
// The first error of writing the waveform: a number of the system's, or 0.
int trace_error = 0;

void trace_failed(int error) {{
    if (!trace_error) trace_error = error ? error : EIO;
}}

#if VM_TRACE && !VM_TRACE_FST
// Verilator ends the program at a write that fails, and waits for ever for a lock that it holds meanwhile. So that it does not
// see one, what cannot be written is dropped.
struct TraceFile : VerilatedVcdFile {{
    ssize_t write(const char *bytes, ssize_t length) override {{
        if (trace_error) return length;
        const ssize_t written = VerilatedVcdFile::write(bytes, length);
        if (written > 0 || errno == EAGAIN || errno == EINTR) return written;
        trace_failed(errno);
        return length;
    }}
}};
#endif

struct Simulation {{
    VerilatedContext context;
    {PREFIX} *dut = nullptr;
#if VM_TRACE_FST
    VerilatedFstC trace;
#elif VM_TRACE
    TraceFile trace_file;
    VerilatedVcdC trace{{&trace_file}};
#endif
    bool finished = false;
    ~Simulation() {{
        finish();
        delete dut;
    }}

    void finish() {{
        if (finished || !dut) return;
        finished = true;
        dut->final();
#if VM_TRACE
        trace.close();
#endif
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
    trace_error = 0;
    Simulation *simulation = new Simulation;
#if VM_TRACE
    simulation->context.traceEverOn(true);
#endif
    simulation->dut = new {PREFIX}(&simulation->context);
#if VM_TRACE
    simulation->dut->trace(&simulation->trace, 99);
    errno = 0;
    simulation->trace.open(trace_path);
    if (!simulation->trace.isOpen()) trace_failed(errno);
#else
    (void)trace_path;
#endif
    return simulation;
}}

EXPORT int runegate_trace_error() {{ return trace_error; }}

EXPORT void runegate_finish(void *simulation) {{ static_cast<Simulation *>(simulation)->finish(); }}

EXPORT void runegate_close(void *simulation) {{ delete static_cast<Simulation *>(simulation); }}

EXPORT void runegate_run(void *simulation, const uint32_t *in, uint32_t *out, size_t clocks) {{
    static_cast<Simulation *>(simulation)->run<true>(in, out, clocks);
}}

#if VM_TRACE_FST
// These take the place of the functions in the library that writes FST, which does not look at what its writes return.
extern "C" int __real_fclose(FILE *file);
extern "C" int __wrap_fclose(FILE *file) {{
    if (ferror(file)) trace_failed(ENOSPC);
    errno = 0;
    const int result = __real_fclose(file);
    if (result) trace_failed(errno);
    return result;
}}

// It maps what it has written. Memory beyond a file's end, or in a hole for which the disk has no room, would end the program.
extern "C" void *__real_mmap(void *place, size_t length, int protection, int flags, int file, off_t offset);
extern "C" void *__wrap_mmap(void *place, size_t length, int protection, int flags, int file, off_t offset) {{
    const int error = file < 0 ? 0 : posix_fallocate(file, offset, length);
    if (!error) return __real_mmap(place, length, protection, flags, file, offset);
    trace_failed(error);
    return __real_mmap(place, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}}
#endif

#if VM_COVERAGE
EXPORT void runegate_coverage(void *simulation, const char *path) {{
    VerilatedCovContext *const coverage = static_cast<Simulation *>(simulation)->context.coveragep();
    coverage->forcePerInstance(true);
    coverage->write(path);
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
