//! The Icarus engine: a second opinion on the emitted Verilog, from a simulator that knows X.
//!
//! A test bench reads one line of inputs a clock from its standard input and writes one line of outputs. What AXI leaves
//! undefined it drives as X (see [`crate::undefined`]).

use super::dut::{Dut, Engine, EngineError, TraceFormat, run_tool};
use super::pump::Pump;
use super::trace::TraceFile;
use crate::frame::Frame;
use crate::interrupt::{self, Folder, Group};
use crate::tools::ICARUS;
use crate::undefined::{self, Undefined};
use hdl::config::ports::{Port, ports};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What the bench says before its first clock.
const READY: &str = "runegate ready";

/// What the bench writes before a pin that it shows in binary, for it has a bit that is neither zero nor one.
const UNDEFINED: char = '?';

/// Clocks whose inputs fit in the pipe while nobody reads the outputs.
const AT_ONCE: usize = 16;

/// A running `vvp`.
pub struct Icarus {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    inputs: Frame,
    outputs: Frame,
    /// The waveform, until it is complete; VCD comes through a pump.
    trace: Option<(TraceFile, Option<Pump>)>,
    _group: Group,
    /// Holds the compiled design.
    _folder: Folder,
}

impl Icarus {
    pub fn start(dut: &Dut) -> Result<Self, EngineError> {
        ICARUS.version()?;
        let (inputs, outputs) = (Frame::inputs(dut.config), Frame::outputs(dut.config));
        let io = |source| EngineError::Io {
            tool: ICARUS.name,
            source,
        };
        let trace = dut.trace.as_ref().map(TraceFile::create).transpose()?;
        let folder = Folder::new("runegate-", &std::env::temp_dir()).map_err(io)?;
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("dut.v"), dut.verilog).map_err(io)?;
        // Where vvp is to write the waveform: VCD through a pump, which looks at each write, and FST to its file.
        let (dump, trace) = match trace {
            None => (None, None),
            Some(trace) if trace.format == TraceFormat::Vcd => {
                let pump = Pump::start(folder.path(), trace.at());
                let pump = pump.map_err(|error| trace.failed(&error))?;
                (Some(pump.from().to_path_buf()), Some((trace, Some(pump))))
            }
            Some(trace) => (Some(trace.at().to_path_buf()), Some((trace, None))),
        };
        let bench = bench(dut, dump.as_deref(), &inputs.pins, &outputs.pins);
        std::fs::write(path("bench.v"), bench).map_err(io)?;
        let mut compile = Command::new(ICARUS.program());
        compile
            .args(["-g2005", "-s", &bench_name(dut), "-o"])
            .args([path("bench.vvp"), path("bench.v"), path("dut.v")]);
        run_tool(ICARUS.name, &mut compile)?;
        let mut run = Command::new("vvp");
        run.arg("-n").arg(path("bench.vvp"));
        // The bench has the waveform's name only: a path may have what Verilog's strings have not.
        if let Some(folder) = dump.as_deref().and_then(Path::parent) {
            run.current_dir(folder);
        }
        if dut
            .trace
            .as_ref()
            .is_some_and(|trace| trace.format == TraceFormat::Fst)
        {
            run.arg("-fst");
        }
        run.stdin(Stdio::piped()).stdout(Stdio::piped());
        let (mut child, group) = interrupt::start(&mut run).map_err(|source| EngineError::Io {
            tool: "vvp of Icarus Verilog",
            source,
        })?;
        let output = child
            .stdout
            .take()
            .ok_or_else(|| io(std::io::ErrorKind::BrokenPipe.into()))?;
        let mut icarus = Self {
            input: child.stdin.take(),
            output: BufReader::new(output),
            child,
            inputs,
            outputs,
            trace,
            _group: group,
            _folder: folder,
        };
        // vvp may announce a dump file on its standard output first.
        while icarus.line()?.trim_end() != READY {}
        Ok(icarus)
    }

    fn io(source: std::io::Error) -> EngineError {
        EngineError::Io {
            tool: ICARUS.name,
            source,
        }
    }

    fn line(&mut self) -> Result<String, EngineError> {
        let mut line = String::new();
        let length = self.output.read_line(&mut line).map_err(Self::io)?;
        if length == 0 {
            self.ended()?;
            return Err(Self::io(std::io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(line)
    }

    /// Waits for vvp to end. It dies of a signal (SIGBUS) if an FST file does not fit on its disk.
    fn ended(&mut self) -> Result<(), EngineError> {
        let status = self.child.wait().map_err(Self::io)?;
        match &self.trace {
            Some((trace, _)) if !status.success() => {
                let ended = format!("vvp of Icarus Verilog ended with {status}");
                Err(trace.failed(&std::io::Error::other(ended)))
            }
            _ => Ok(()),
        }
    }

    fn send(&mut self, inputs: &[u32]) -> Result<(), EngineError> {
        let mut text = String::new();
        for frame in inputs.chunks_exact(self.inputs.words) {
            let mut word = 0;
            for port in &self.inputs.pins {
                for index in (word..word + port.words()).rev() {
                    let _ = write!(text, "{:08x}", frame[index]);
                }
                text.push(' ');
                word += port.words();
            }
            text.push('\n');
        }
        let input = self
            .input
            .as_mut()
            .ok_or_else(|| Self::io(std::io::ErrorKind::BrokenPipe.into()))?;
        input
            .write_all(text.as_bytes())
            .and_then(|()| input.flush())
            .map_err(Self::io)
    }

    fn receive(
        &mut self,
        outputs: &mut [u32],
        clock: usize,
        undefined: &mut Vec<Undefined>,
    ) -> Result<(), EngineError> {
        let line = self.line()?;
        let wrong = || EngineError::Output {
            tool: ICARUS.name,
            line: line.trim().to_string(),
        };
        let mut values = line.split_whitespace();
        let mut word = 0;
        for port in &self.outputs.pins {
            let shown = values.next().ok_or_else(wrong)?;
            let words = &mut outputs[word..word + port.words()];
            word += port.words();
            if let Some(bits) = shown.strip_prefix(UNDEFINED) {
                undefined.push(undefined_pin(clock, port, bits, words));
                continue;
            }
            for (word, digits) in words.iter_mut().zip(shown.as_bytes().rchunks(8)) {
                let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
                *word = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
            }
        }
        Ok(())
    }
}

impl Engine for Icarus {
    fn drives_x(&self) -> bool {
        true
    }

    fn run(
        &mut self,
        clocks: usize,
        inputs: &[u32],
        outputs: &mut [u32],
    ) -> Result<Vec<Undefined>, EngineError> {
        let (input_words, output_words) = (self.inputs.words, self.outputs.words);
        let inputs = inputs[..clocks * input_words].chunks(AT_ONCE * input_words);
        let outputs = outputs[..clocks * output_words].chunks_mut(AT_ONCE * output_words);
        let mut undefined = Vec::new();
        let mut clock = 0;
        for (inputs, outputs) in inputs.zip(outputs) {
            self.send(inputs)?;
            for frame in outputs.chunks_exact_mut(output_words) {
                self.receive(frame, clock, &mut undefined)?;
                clock += 1;
            }
        }
        if let Some((trace, Some(pump))) = &self.trace
            && let Some(error) = pump.error()
        {
            return Err(trace.failed(&error));
        }
        Ok(undefined)
    }

    fn finish(&mut self) -> Result<(), EngineError> {
        // The bench finishes, and closes its trace, when its input ends.
        self.input = None;
        self.ended()?;
        let Some((trace, pump)) = self.trace.take() else {
            return Ok(());
        };
        if let Some(pump) = pump {
            pump.finish().map_err(|error| trace.failed(&error))?;
        }
        trace.finish()
    }
}

impl Drop for Icarus {
    fn drop(&mut self) {
        // After `finish` there is nothing to end. Without it nobody wants what it would still write.
        self.input = None;
        if self.trace.is_some() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// A pin as it is shown in binary: its defined bits go to `words`.
fn undefined_pin(clock: usize, port: &Port, shown: &str, words: &mut [u32]) -> Undefined {
    let mut bits = vec![0; words.len()];
    words.fill(0);
    for (bit, digit) in shown.bytes().rev().enumerate() {
        let place = 1 << (bit % 32);
        match digit {
            b'0' => {}
            b'1' => words[bit / 32] |= place,
            _ => bits[bit / 32] |= place,
        }
    }
    let digits = shown.as_bytes().rchunks(4).rev().map(|digit| {
        let defined = |bit: &u8| b"01".contains(bit);
        match digit.iter().filter(|bit| defined(bit)).count() {
            0 => 'x',
            count if count < digit.len() => 'X',
            _ => {
                let value = digit
                    .iter()
                    .fold(0, |value, bit| 2 * value + u32::from(bit - b'0'));
                char::from_digit(value, 16).expect("four bits")
            }
        }
    });
    Undefined {
        clock,
        pin: port.name,
        bits,
        shown: digits.collect(),
    }
}

/// The test bench's module: no name of the core's, all of which begin with the core's own.
fn bench_name(dut: &Dut) -> String {
    format!("runegate_bench_of_{}", dut.config.module)
}

fn bench(dut: &Dut, dump: Option<&Path>, inputs: &[Port], outputs: &[Port]) -> String {
    let declare = |keyword: &str, port: &Port| {
        format!("    {keyword} [{}:0] {};\n", port.width - 1, port.name)
    };
    let names = |ports: &[Port]| {
        let names: Vec<&str> = ports.iter().map(|port| port.name).collect();
        names.join(", ")
    };
    let scan = vec!["%h"; inputs.len()].join(" ");
    let show = |port: &Port| {
        let name = port.name;
        format!(
            "if (^{name} === 1'bx) $write(\"{UNDEFINED}%b \", {name}); else $write(\"%h \", {name});\n"
        )
    };
    let connections: Vec<String> = ports(dut.config)
        .iter()
        .map(|port| format!(".{0}({0})", port.name))
        .collect();
    let dump = dump
        .and_then(Path::file_name)
        .map_or(String::new(), |name| {
            format!("        $dumpfile({name:?});\n        $dumpvars(0, dut);\n")
        });
    format!(
        "`timescale 1ns/1ns\n\
         module {bench};\n    reg clk;\n{inputs_declared}{outputs_declared}    integer got;\n    \
         {module} dut ({connections});\n\
         initial begin\n        clk = 0;\n{dump}\
         $display(\"{READY}\");\n\
         $fflush('h80000001);\n\
         got = $fscanf('h80000000, \"{scan}\", {scanned});\n\
         while (got == {count}) begin\n\
             {undefine}\
             #5 {shown}\
             $display(\"\");\n\
             $fflush('h80000001);\n\
             clk = 1;\n\
             #5 clk = 0;\n\
             got = $fscanf('h80000000, \"{scan}\", {scanned});\n\
         end\n\
         $finish(0);\n\
         end\nendmodule\n",
        inputs_declared = inputs.iter().map(|p| declare("reg", p)).collect::<String>(),
        outputs_declared = outputs
            .iter()
            .map(|p| declare("wire", p))
            .collect::<String>(),
        bench = bench_name(dut),
        module = dut.config.module,
        connections = connections.join(", "),
        undefine = undefined::undefine(dut.config),
        scanned = names(inputs),
        count = inputs.len(),
        shown = outputs.iter().map(show).collect::<String>(),
    )
}
