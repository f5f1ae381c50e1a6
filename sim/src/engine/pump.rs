//! Takes what another program writes through a named pipe, and writes it to a file: that program does not look at the result of its
//! writes, and this one does.

use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// A pipe that is being read.
pub struct Pump {
    from: PathBuf,
    /// Holds the pipe open for writing, so that neither side waits for the other, and the reader's end comes when this goes.
    holder: Option<File>,
    reader: Option<JoinHandle<()>>,
    failed: Arc<Mutex<Option<io::Error>>>,
}

/// The name of the pipe in its folder. (vvp would append the suffix.)
const PIPE: &str = "waveform.vcd";

impl Pump {
    /// Makes a pipe in `folder`, and writes what comes out of it to the file `to`.
    pub fn start(folder: &Path, to: &Path) -> io::Result<Self> {
        let from = folder.join(PIPE);
        let file = File::create(to)?;
        make_pipe(&from)?;
        // For reading as well: on Linux that does not wait for a reader.
        let holder = OpenOptions::new().read(true).write(true).open(&from)?;
        let pipe = File::open(&from)?;
        let failed = Arc::new(Mutex::new(None));
        let error = Arc::clone(&failed);
        let reader = std::thread::Builder::new()
            .name("waveform".to_string())
            .spawn(move || copy(pipe, file, &error))?;
        Ok(Self {
            from,
            holder: Some(holder),
            reader: Some(reader),
            failed,
        })
    }

    /// The pipe, for the other program to write to.
    pub fn from(&self) -> &Path {
        &self.from
    }

    /// Why a write has failed.
    pub fn error(&self) -> Option<io::Error> {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.take()
    }

    /// Writes the rest. The other program has ended.
    pub fn finish(mut self) -> io::Result<()> {
        self.end()?;
        self.error().map_or(Ok(()), Err)
    }

    fn end(&mut self) -> io::Result<()> {
        self.holder = None;
        match self.reader.take().map(JoinHandle::join) {
            Some(Err(_)) => Err(io::Error::other("the thread that writes it has panicked")),
            _ => Ok(()),
        }
    }
}

impl Drop for Pump {
    fn drop(&mut self) {
        // Nobody wants the file any more.
        let _ = self.end();
    }
}

/// Makes a named pipe for this user alone.
fn make_pipe(path: &Path) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the name ends with a zero, and is only read.
    match unsafe { libc::mkfifo(path.as_ptr(), 0o600) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Copies to the end. After an error the rest is read and dropped, so that the other program does not wait for ever.
fn copy(mut pipe: File, mut file: File, failed: &Mutex<Option<io::Error>>) {
    let fails = |error| {
        let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.get_or_insert(error);
    };
    let mut buffer = vec![0; 64 << 10];
    let mut is_good = true;
    loop {
        let length = match pipe.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return fails(error),
        };
        if is_good && let Err(error) = file.write_all(&buffer[..length]) {
            fails(error);
            is_good = false;
        }
    }
}
