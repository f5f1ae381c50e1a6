//! What an interrupted run must not leave: tools that it has started, and folders and files that are not complete.
//!
//! SIGINT, SIGTERM and SIGHUP end a process before any destructor runs. [`clean_up_on_signals`] ends the tools and removes the
//! folders and files first; then the process dies of the signal, as its caller expects.

use libc::{SIGHUP, SIGINT, SIGKILL, SIGTERM, c_int, pid_t};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What there is to end and to remove.
struct Open {
    /// Process groups: a tool and all that it has started.
    groups: Vec<pid_t>,
    /// Folders and files.
    paths: Vec<PathBuf>,
}

static OPEN: Mutex<Open> = Mutex::new(Open {
    groups: Vec::new(),
    paths: Vec::new(),
});

fn open() -> MutexGuard<'static, Open> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long tools have to end by themselves, and to remove their own temporary files, before they are killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Cleans up when the process is interrupted. Signals that it was started to ignore (by `nohup`) stay ignored.
pub fn clean_up_on_signals() -> io::Result<()> {
    let ignored = ignored();
    let wanted = [SIGHUP, SIGINT, SIGTERM];
    let wanted = wanted
        .into_iter()
        .filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(wanted)?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            // Held to the end: nothing is begun, completed or reported meanwhile.
            let mut open = open();
            end(&open.groups);
            open.paths.iter().for_each(|path| remove(path));
            open.paths.clear();
            die(signal);
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_string());
    thread.spawn(wait).map(drop)
}

/// The signals that are ignored, from bit 0 for signal 1; none where the system does not say.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or_default()
}

/// Dies of a signal.
fn die(signal: c_int) {
    if emulate_default_handler(signal).is_err() {
        std::process::exit(128 + signal);
    }
}

/// Ends process groups, and waits until nothing of them is left.
fn end(groups: &[pid_t]) {
    let send = |signal| {
        for group in groups {
            // One that has ended by itself is none to signal.
            let _ = sent(*group, signal);
        }
    };
    send(SIGTERM);
    let asked = Instant::now();
    let mut killed = false;
    while groups.iter().any(|group| lives(*group)) {
        if asked.elapsed() > 2 * PATIENCE {
            return;
        }
        if asked.elapsed() > PATIENCE && !killed {
            send(SIGKILL);
            killed = true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal, or none if it is 0, to a group; false if nothing is in it.
fn sent(group: pid_t, signal: c_int) -> bool {
    // SAFETY: it takes numbers only. A group is that of a child of this process.
    unsafe { libc::killpg(group, signal) == 0 }
}

fn lives(group: pid_t) -> bool {
    // A child that has ended is in its group until it has been waited for.
    // SAFETY: a null pointer asks for no status.
    unsafe { libc::waitpid(-group, std::ptr::null_mut(), libc::WNOHANG) };
    sent(group, 0)
}

/// Removes a folder or a file. If that fails, nobody is left to report it to.
fn remove(path: &Path) {
    // Another thread may be writing to the folder still.
    for _ in 0..20 {
        let _ = match path.is_dir() {
            true => std::fs::remove_dir_all(path),
            false => std::fs::remove_file(path),
        };
        if !path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A folder or file that an interrupted run does not leave.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes one, and remembers its path. No signal comes between.
    pub fn make<T: AsRef<Path>>(make: impl FnOnce() -> io::Result<T>) -> io::Result<(T, Self)> {
        let mut open = open();
        let made = make()?;
        let path = std::path::absolute(made.as_ref())?;
        open.paths.push(path.clone());
        Ok((made, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut open = open();
        if let Some(at) = open.paths.iter().position(|path| *path == self.0) {
            open.paths.swap_remove(at);
        }
    }
}

/// A temporary folder that is gone when it is dropped, and when the process is interrupted.
#[derive(Debug)]
pub struct Folder {
    // Dropped first: the folder is gone before it is forgotten.
    folder: TempDir,
    _unfinished: Unfinished,
}

impl Folder {
    /// A new one in `place`, whose name begins with `prefix`; only this user may enter it.
    pub fn new(prefix: &str, place: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        // Without this it would be as open as the umask allows.
        builder.permissions(Permissions::from_mode(0o700));
        let make = || builder.prefix(prefix).tempdir_in(place);
        let (folder, unfinished) = Unfinished::make(make).map_err(|error| {
            // The name of a temporary folder helps nobody.
            let text = error.to_string();
            let reason = text.split(" at path ").next().unwrap_or(&text);
            io::Error::new(error.kind(), reason)
        })?;
        Ok(Self {
            folder,
            _unfinished: unfinished,
        })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Moves it to a place where nothing is.
    pub fn rename(self, place: &Path) -> io::Result<()> {
        std::fs::rename(self.folder.path(), place)?;
        // It has moved: nothing is left to clean up.
        drop(self.folder.keep());
        Ok(())
    }
}

/// A tool and all that it has started: ended when the process is interrupted.
#[derive(Debug)]
pub struct Group(pid_t);

impl Drop for Group {
    fn drop(&mut self) {
        open().groups.retain(|group| *group != self.0);
    }
}

/// Whether the command line of each started tool is written to standard error.
static SHOWS_CALLS: AtomicBool = AtomicBool::new(false);

/// From now on writes the command line of each started tool to standard error.
pub fn show_calls() {
    SHOWS_CALLS.store(true, Ordering::Relaxed);
}

/// Starts a tool in a process group of its own. Keep the group as long as the tool runs.
pub fn start(command: &mut Command) -> io::Result<(Child, Group)> {
    if SHOWS_CALLS.load(Ordering::Relaxed) {
        // If that fails, there is nowhere to report it.
        let _ = writeln!(io::stderr(), "{command:?}");
    }
    // With the lock, so that no signal comes between.
    let mut open = open();
    let child = command.process_group(0).spawn()?;
    let group = child.id() as pid_t;
    open.groups.push(group);
    Ok((child, Group(group)))
}

/// Runs a tool to its end, without an input, like [`Command::output`].
pub fn output(command: &mut Command) -> io::Result<Output> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (child, _group) = start(command)?;
    child.wait_with_output()
}
