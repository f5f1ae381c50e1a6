//! Running the tool from a test as a user does, and what every refusal has in common.
#![allow(dead_code)] // each test binary uses a part

mod have;

pub use have::have;

use serde_json::Value;
use sim::tools;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub const RUNEGATE: &str = env!("CARGO_BIN_EXE_runegate");
/// Builds that tests may share, those of `make test` among them; its entries are named by their content.
pub const SHARED_CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/../runegate-cache");
pub const MANY_SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/many_scripts.txt");
pub const BROKEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/broken.bin");

/// Whether to run more than the quick set: `RUNEGATE_TESTS=all`, which `make evidence` sets.
pub fn everything() -> bool {
    std::env::var("RUNEGATE_TESTS").is_ok_and(|words| words == "all")
}

/// A folder to work in: all that a test writes, and all that the tool may leave behind.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a file in a temporary folder");
        path
    }

    pub fn folder(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(&path).expect("a folder in a temporary folder");
        path
    }

    /// Everything here, hidden or not, by its path from here.
    pub fn files(&self) -> Vec<String> {
        fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let name = path.strip_prefix(root).expect("a path in the folder");
                found.push(name.to_string_lossy().into_owned());
                if path.is_dir() {
                    walk(&path, root, found);
                }
            }
        }
        let mut found = Vec::new();
        walk(self.0.path(), self.0.path(), &mut found);
        found.sort();
        found
    }

    /// The tool, to be run here.
    pub fn runegate<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(RUNEGATE);
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env("RUNEGATE_CACHE", SHARED_CACHE)
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null());
        command
    }

    /// Runs the tool here, with its arguments separated by blanks.
    pub fn run(&self, arguments: &str) -> Output {
        output(&mut self.runegate(arguments.split_whitespace()))
    }

    /// An executable script. Another process writes it: a file that is open for writing in this one, or in a child that
    /// a test in another thread has just forked, cannot be executed.
    pub fn script(&self, folder: &str, name: &str, text: &str) -> PathBuf {
        let folder = self.folder(folder);
        let written = Command::new("sh")
            .args(["-c", r#"printf '%s' "$1" > "$0" && chmod 755 "$0""#])
            .args([
                folder.join(name).as_os_str(),
                OsStr::new(&format!("#!/bin/sh\n{text}\n")),
            ])
            .status();
        assert!(written.expect("a shell").success());
        folder
    }
}

/// Packages a core in the folder `package` of a new place; the arguments are those of `emit`.
pub fn package(arguments: &str, module: &str) -> Place {
    let place = Place::new();
    done(&place.run(&format!(
        "emit {arguments} --module {module} --package package --quiet"
    )));
    place
}

/// A package's description in JSON.
pub fn signature(place: &Place, module: &str) -> Value {
    let path = place.path(&format!("package/rtl/{module}.json"));
    let text = std::fs::read_to_string(path).expect("a description");
    serde_json::from_str(&text).expect("JSON")
}

/// `make -C FOLDER`, as a user calls it: not as a part of the make that runs the tests.
pub fn make(folder: &Path) -> Command {
    let mut command = Command::new("make");
    command.arg("-C").arg(folder);
    for own in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"] {
        command.env_remove(own);
    }
    command
}

pub fn output(command: &mut Command) -> Output {
    command.output().expect("the tool runs")
}

/// Runs a command with this on its standard input.
pub fn piped(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A tool that refuses its input closes the pipe.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the tool ends")
    })
}

/// PATH with a folder before all others.
pub fn path_after(folder: &Path) -> String {
    let path = std::env::var("PATH").expect("PATH is text");
    format!("{}:{path}", folder.display())
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("the tool writes text")
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("the tool writes text")
}

/// Checks that a request was carried out, and returns what it put out.
#[track_caller]
pub fn done(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    stdout(output)
}

/// Checks that a request was carried out and that its only result is a JSON document.
#[track_caller]
pub fn json(output: &Output) -> Value {
    serde_json::from_str(done(output)).expect("standard output is one JSON document")
}

/// Checks that a request was refused: exit code 2, no result, and one message in which all of `parts` stand.
#[track_caller]
pub fn refused(output: &Output, parts: &[&str]) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(stdout(output), "", "a refusal has no result");
    assert!(said.starts_with("error: "), "{said}");
    let messages = said.lines().filter(|line| line.starts_with("error: "));
    assert_eq!(messages.count(), 1, "one message: {said}");
    for part in parts {
        assert!(said.contains(part), "no {part:?} in: {said}");
    }
}

/// Checks that `runegate ARGUMENTS` is refused, and leaves what was there.
#[track_caller]
pub fn refuses(place: &Place, arguments: &str, parts: &[&str]) {
    let before = place.files();
    refused(&place.run(arguments), parts);
    assert_eq!(place.files(), before, "{arguments}");
}

/// Emits a core, and breaks the line that shows the scalar value: this one is shown as the next. It is in `broken core.v`.
pub fn broken_core(place: &Place, scalar: char) {
    done(&place.run("emit --json"));
    let text = std::fs::read_to_string(place.path("utf8_decode_w1.v")).expect("Verilog");
    let start = "assign m_axis_tdata = ";
    let line = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix(start));
    let value = line.expect("a line to break").trim_end_matches(';');
    let scalar = u32::from(scalar);
    let broken = format!(
        "({value} == 32'h{scalar:X}) ? 32'h{:X} : {value}",
        scalar + 1
    );
    let text = text.replace(&format!("{start}{value};"), &format!("{start}{broken};"));
    place.write("broken core.v", text);
}

/// Whether Python has LiteX, as [`have`] for a tool.
pub fn have_litex() -> bool {
    let import = output(Command::new("python3").args(["-c", "import litex, migen"]));
    if import.status.success() {
        return true;
    }
    let said = stderr(&import);
    let is_required = std::env::var_os("RUNEGATE_REQUIRE_TOOLS").is_some();
    assert!(!is_required, "python3 cannot import LiteX: {said}");
    let _ = writeln!(std::io::stderr(), "SKIPPED: LiteX is not installed");
    false
}

/// Whether Verilator and what it needs can be used.
pub fn have_verilator() -> bool {
    have(&tools::VERILATOR) && have(&tools::CXX) && have(&tools::MAKE)
}

/// The engines that run Verilog and can be used.
pub fn verilog_engines() -> Vec<&'static str> {
    let mut engines = Vec::new();
    if have_verilator() {
        engines.push("verilator");
    }
    if have(&tools::ICARUS) {
        engines.push("icarus");
    }
    engines
}

/// All engines that can be used.
pub fn engines() -> Vec<&'static str> {
    [vec!["embedded"], verilog_engines()].concat()
}

/// Whether root runs the tests.
pub fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// The same command run by someone to whom the modes of files matter, as they do not to root. The tool is copied to the
/// place, which everyone may enter, since nobody may enter root's own folders.
pub fn as_nobody(place: &Place, command: &Command) -> Command {
    let mut nobody = if is_root() {
        let opened = Command::new("sh")
            .args([
                "-c",
                r#"chmod 755 "$1" && cp "$2" "$1/runegate" && chmod 755 "$1/runegate""#,
                "sh",
            ])
            .args([place.0.path().as_os_str(), OsStr::new(RUNEGATE)])
            .status();
        assert!(opened.expect("a shell").success());
        let mut nobody = Command::new("setpriv");
        nobody
            .args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"])
            .arg(place.path("runegate"));
        nobody
    } else {
        Command::new(RUNEGATE)
    };
    // So are the project's own files.
    for argument in command.get_args() {
        let path = Path::new(argument);
        match path.starts_with(env!("CARGO_MANIFEST_DIR")) && path.is_file() {
            true => {
                let name = path.file_name().expect("a file's name");
                let copy = place.0.path().join(name);
                std::fs::copy(path, &copy).expect("a copy");
                set_mode(&copy, 0o644);
                nobody.arg(copy)
            }
            false => nobody.arg(argument),
        };
    }
    nobody.current_dir(place.0.path()).stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => nobody.env(name, value),
            None => nobody.env_remove(name),
        };
    }
    nobody
}

/// Changes who may do what with a file or folder.
pub fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("a mode");
}

/// What comes of a package while something that is once in a file of it is something else.
pub fn with<T>(place: &Place, file: &str, good: &str, bad: &str, found: impl Fn(&Place) -> T) -> T {
    let path = place.path(&format!("package/{file}"));
    let text = std::fs::read_to_string(&path).expect("emitted");
    assert_eq!(text.matches(good).count(), 1, "{good}");
    std::fs::write(&path, text.replace(good, bad)).expect("written");
    let found = found(place);
    std::fs::write(&path, text).expect("written");
    found
}
