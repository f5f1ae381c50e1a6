//! The Verilator engine: the core verilated, compiled into a shared object, and loaded.

use super::dut::{Dut, Engine, EngineError, TraceFormat, run_tool};
use super::shim::{PREFIX, shim};
use super::trace::TraceFile;
use crate::cache;
use crate::coverage::{Hits, verilated};
use crate::tools::{CXX, MAKE, VERILATOR};
use crate::undefined::Undefined;
use libloading::Library;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::{CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Part of every cache key: changes when the way of building does.
const RECIPE: &str = "12";

type Open = unsafe extern "C" fn(*const c_char) -> *mut c_void;
type TraceError = unsafe extern "C" fn() -> c_int;
type Finish = unsafe extern "C" fn(*mut c_void);
type Close = unsafe extern "C" fn(*mut c_void);
type Run = unsafe extern "C" fn(*mut c_void, *const u32, *mut u32, usize);
type Coverage = unsafe extern "C" fn(*mut c_void, *const c_char);
type RunBare = unsafe extern "C" fn(*mut c_void, *const u32, usize);

/// A verilated core.
pub struct Verilator {
    simulation: *mut c_void,
    finish: Finish,
    close: Close,
    run: Run,
    run_bare: RunBare,
    /// If it was built to count.
    coverage: Option<Coverage>,
    /// The core's module.
    module: String,
    trace_error: TraceError,
    /// The waveform, until it is complete.
    trace: Option<TraceFile>,
    /// Keeps the code of the functions above in memory.
    _library: Library,
}

// SAFETY: the simulation is on the heap, belongs to this value alone, and nothing in it is bound to the thread that made
// it: a verilated model may be evaluated by any thread, as long as it is by one at a time.
unsafe impl Send for Verilator {}

impl Verilator {
    /// Builds the core, or takes it from the cache.
    pub fn start(dut: &Dut) -> Result<Self, EngineError> {
        let tools = [VERILATOR.version()?, CXX.version()?];
        MAKE.version()?;
        let kind = Kind {
            trace: dut.trace.as_ref().map(|trace| trace.format),
            coverage: dut.coverage,
        };
        let shim = shim(dut.config);
        let key = |effort: Effort| kind.key(&tools, &[dut.verilog, &shim, &format!("{effort:?}")]);
        let mut effort = Effort::for_run(dut.bytes, dut.config.lanes);
        if !kind.is_plain() {
            effort = effort.min(Effort::Partial);
        }
        // A build with more optimisation is taken if the cache has one.
        for more in [Effort::Partial, Effort::Full] {
            if more > effort && cache::holds(&key(more))? {
                effort = more;
            }
        }
        let trace = dut.trace.as_ref().map(TraceFile::create).transpose()?;
        let at = trace
            .as_ref()
            .map(|trace| trace.at().as_os_str().as_bytes());
        let at = CString::new(at.unwrap_or_default()).map_err(|error| io(error.into()))?;
        let key = key(effort);
        let build = || {
            cache::file(&key, "core.so", |folder| {
                kind.library(folder, &tools, effort)?;
                kind.build(folder, dut, &shim, effort)
            })
        };
        // SAFETY: the library is what `build` compiled from the shim (its digest has been compared), so its functions
        // have these types; it has no initialisers of its own that touch this process.
        let load = |path: &Path| unsafe { Self::load(path, &at, dut) };
        let mut started = load(&build()?);
        if started.is_err() {
            // It is no library, whatever its digest says.
            cache::discard(&key)?;
            started = load(&build()?);
        }
        let mut started = started.map_err(|error| cache::CacheError::Broken {
            key,
            reason: error.to_string(),
        })?;
        started.trace = trace;
        started.check_trace()?;
        Ok(started)
    }

    /// Whether writing the waveform has failed.
    fn check_trace(&self) -> Result<(), EngineError> {
        let Some(trace) = &self.trace else {
            return Ok(());
        };
        // SAFETY: the function takes nothing, and only reads.
        match unsafe { (self.trace_error)() } {
            0 => Ok(()),
            error => Err(trace.failed(&std::io::Error::from_raw_os_error(error))),
        }
    }

    /// # Safety
    /// The library must export the shim's functions.
    unsafe fn load(path: &Path, trace: &CString, dut: &Dut) -> Result<Self, libloading::Error> {
        unsafe {
            let library = Library::new(path)?;
            let open = *library.get::<Open>(b"runegate_open\0")?;
            Ok(Self {
                finish: *library.get::<Finish>(b"runegate_finish\0")?,
                close: *library.get::<Close>(b"runegate_close\0")?,
                run: *library.get::<Run>(b"runegate_run\0")?,
                run_bare: *library.get::<RunBare>(b"runegate_run_bare\0")?,
                coverage: match dut.coverage {
                    true => Some(*library.get::<Coverage>(b"runegate_coverage\0")?),
                    false => None,
                },
                module: dut.config.module.clone(),
                trace_error: *library.get::<TraceError>(b"runegate_trace_error\0")?,
                trace: None,
                simulation: open(trace.as_ptr()),
                _library: library,
            })
        }
    }

    /// Runs clocks without looking at the outputs.
    pub fn run_bare(&mut self, clocks: usize, inputs: &[u32]) {
        // SAFETY: as for `run`; no outputs are written.
        unsafe { (self.run_bare)(self.simulation, inputs.as_ptr(), clocks) }
    }
}

impl Engine for Verilator {
    fn run(
        &mut self,
        clocks: usize,
        inputs: &[u32],
        outputs: &mut [u32],
    ) -> Result<Vec<Undefined>, EngineError> {
        // SAFETY: the simulation lives until `drop`; the frames' sizes come from the same table of pins as the shim's, and
        // the lockstep allocates `clocks` of them.
        unsafe {
            (self.run)(
                self.simulation,
                inputs.as_ptr(),
                outputs.as_mut_ptr(),
                clocks,
            )
        }
        self.check_trace()?;
        Ok(Vec::new())
    }

    fn coverage(&mut self) -> Result<Hits, EngineError> {
        let Some(coverage) = self.coverage else {
            return Ok(Hits::default());
        };
        let folder = tempfile::tempdir().map_err(io)?;
        let path = folder.path().join("coverage.dat");
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|error| io(error.into()))?;
        // SAFETY: the simulation lives until `drop`; the name ends with a zero.
        unsafe { coverage(self.simulation, name.as_ptr()) }
        let text = std::fs::read_to_string(&path).map_err(io)?;
        verilated::read(&text, &self.module).map_err(|line| EngineError::Output {
            tool: VERILATOR.name,
            line,
        })
    }

    fn finish(&mut self) -> Result<(), EngineError> {
        // SAFETY: the simulation lives until `drop`, and closing a closed waveform does nothing.
        unsafe { (self.finish)(self.simulation) }
        self.check_trace()?;
        self.trace.take().map_or(Ok(()), TraceFile::finish)
    }
}

impl Drop for Verilator {
    fn drop(&mut self) {
        // SAFETY: opened by this library, and closed only here.
        unsafe { (self.close)(self.simulation) }
    }
}

fn io(source: std::io::Error) -> EngineError {
    EngineError::Io {
        tool: VERILATOR.name,
        source,
    }
}

/// What a build has beside the core.
#[derive(Debug)]
struct Kind {
    trace: Option<TraceFormat>,
    coverage: bool,
}

/// How much the C++ compiler optimises a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Effort {
    /// Not at all: a wide core compiles in a third of the time of `Partial`, and then needs five times as long for each clock.
    Nothing,
    Partial,
    Full,
}

impl Effort {
    /// The option for Verilator's makefile if all files of a core are compiled as one. With full effort they are compiled one by one, and
    /// optimised at once when they are linked.
    fn optimisation(self) -> Option<&'static str> {
        match self {
            Self::Nothing => Some("OPT_FAST=-O0"),
            Self::Partial => Some("OPT_FAST=-O1"),
            Self::Full => None,
        }
    }

    /// Returns the effort with which compiling the core and simulating `bytes` bytes takes the least time together.
    fn for_run(bytes: Option<u64>, lanes: usize) -> Self {
        match bytes {
            Some(bytes) if bytes <= BRIEF * lanes as u64 => Self::Nothing,
            Some(bytes) if bytes <= SHORT => Self::Partial,
            _ => Self::Full,
        }
    }
}

/// The longest run, in bytes for each lane, that is not worth any optimisation.
const BRIEF: u64 = 64 << 10;

/// The longest run, in bytes, that is not worth full optimisation.
const SHORT: u64 = 16 << 20;

/// Verilator's own library, as far as a kind of build needs it.
const RUNTIME: &str = "runtime.o";

/// Its header, which every core's files read first, and the same compiled: to parse it takes as long as to compile a small core.
const HEADER: &str = "library.h";
const COMPILED: &str = "library.h.gch";

/// Makes them: the makefile that Verilator writes knows what the library consists of, and how a core is compiled.
const LIBRARY: &str = "\
include Vdut.mk
runtime.o: $(VK_GLOBAL_OBJS)
\t$(LINK) -r -nostdlib -o $@ $^
library.h.gch: verilated.h
\t$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_FAST) -x c++-header -o $@ $<
";

impl Kind {
    /// A waveform or counters: much code that is run once, and compiling it takes longer than running it.
    fn is_plain(&self) -> bool {
        self.trace.is_none() && !self.coverage
    }

    fn key(&self, tools: &[String; 2], parts: &[&str]) -> String {
        let [verilator, compiler] = tools;
        let kind = format!("{self:?}");
        cache::key(&[&[RECIPE, verilator, compiler, &kind], parts].concat())
    }

    /// Verilates `dut.v`, in a folder.
    fn verilate(&self, folder: &Path, module: &str) -> Command {
        let mut command = Command::new(VERILATOR.program());
        command
            .current_dir(folder)
            .args(["--cc", "-O3", "--no-timing", "-Wno-fatal"])
            .args(["--prefix", PREFIX, "--top-module", module, "--Mdir", "obj"])
            .args(["-CFLAGS", "-fPIC -fvisibility=hidden"])
            // The library's own libraries (zlib, for FST) come before it, and would be dropped.
            .args(["-LDFLAGS", "-Wl,--no-as-needed"])
            .args(match self.trace {
                None => &[][..],
                Some(TraceFormat::Vcd) => &["--trace"],
                Some(TraceFormat::Fst) => {
                    &["--trace-fst", "-LDFLAGS", "-Wl,--wrap=fclose,--wrap=mmap"]
                }
            })
            .args(match self.coverage {
                true => &["--coverage-line", "--coverage-toggle"][..],
                false => &[],
            })
            .arg("dut.v");
        command
    }

    /// Puts what a core needs of the library into a folder, compiled or from the cache: for a small core it would be two thirds of the
    /// work. The first core that a process builds does without the compiled header, which takes longer to compile than one core saves.
    fn library(
        &self,
        folder: &Path,
        tools: &[String; 2],
        effort: Effort,
    ) -> Result<(), EngineError> {
        let key = |optimise: &str| self.key(tools, &[LIBRARY, optimise]);
        let part = |file: &str, optimise: &str| {
            cache::file(&key(optimise), file, |folder| {
                self.compile_library(folder, file, optimise)
            })
        };
        std::fs::copy(part(RUNTIME, "OPT_GLOBAL=-O2")?, folder.join(RUNTIME)).map_err(io)?;
        let Some(optimise) = effort.optimisation() else {
            return Ok(());
        };
        std::fs::write(folder.join(HEADER), "#include \"verilated.h\"\n").map_err(io)?;
        // For each key: nothing if this process has built no core yet, None if it has built one, or the header. That is large: to compare
        // its digest for each core, and not once, would take half of what it saves.
        static HEADERS: Mutex<BTreeMap<String, Option<PathBuf>>> = Mutex::new(BTreeMap::new());
        let mut headers = HEADERS.lock().unwrap_or_else(PoisonError::into_inner);
        match headers.entry(key(optimise)) {
            Entry::Vacant(first) => {
                first.insert(None);
            }
            Entry::Occupied(mut header) => {
                let path = match header.get() {
                    Some(path) if path.exists() => path.clone(),
                    _ => std::path::absolute(part(COMPILED, optimise)?).map_err(io)?,
                };
                symlink(&path, folder.join(COMPILED)).map_err(io)?;
                header.insert(Some(path));
            }
        }
        Ok(())
    }

    /// Compiles a part of the library.
    fn compile_library(
        &self,
        folder: &Path,
        part: &str,
        optimise: &str,
    ) -> Result<PathBuf, EngineError> {
        let empty = "module empty(input wire clk); endmodule\n";
        std::fs::write(folder.join("dut.v"), empty).map_err(io)?;
        run_tool(VERILATOR.name, &mut self.verilate(folder, "empty"))?;
        let obj = folder.join("obj");
        std::fs::write(obj.join("library.mk"), LIBRARY).map_err(io)?;
        let mut make = Command::new(MAKE.program());
        make.current_dir(&obj)
            .args(["-f", "library.mk", optimise, part]);
        run_tool(MAKE.name, &mut make)?;
        Ok(obj.join(part))
    }

    /// Verilates and compiles in a folder with the library.
    fn build(
        &self,
        folder: &Path,
        dut: &Dut,
        shim: &str,
        effort: Effort,
    ) -> Result<PathBuf, EngineError> {
        std::fs::write(folder.join("dut.v"), dut.verilog).map_err(io)?;
        std::fs::write(folder.join("shim.cpp"), shim).map_err(io)?;
        let mut command = self.verilate(folder, &dut.config.module);
        command
            // One of the core's own files: compiled with these it need not read the headers, which of a small core takes longer
            // than all else.
            .env("VM_FAST", "shim")
            .args(["--exe", "--build", "-o", "core.so"])
            .arg(format!("../{RUNTIME}"))
            // Of an archive the linker takes what somebody asks for.
            .args(["-LDFLAGS", "-shared -Wl,-u,runegate_open"])
            .args(["-MAKEFLAGS", "VM_GLOBAL_FAST= VM_GLOBAL_SLOW="])
            .args(match effort.optimisation() {
                // Core and shim at once are a seventh faster than file by file; what is slow runs once.
                None => [
                    "-CFLAGS",
                    "-flto",
                    "-LDFLAGS",
                    "-flto -O3",
                    "-MAKEFLAGS",
                    "OPT_FAST=-O3 OPT_SLOW=-O0",
                ],
                // Of a wide core's many files each would read the core's own headers.
                Some(optimise) => [
                    "-CFLAGS",
                    "-include ../library.h",
                    "-MAKEFLAGS",
                    "VM_PARALLEL_BUILDS=0",
                    "-MAKEFLAGS",
                    optimise,
                ],
            });
        run_tool(VERILATOR.name, &mut command)?;
        Ok(folder.join("obj").join("core.so"))
    }
}
