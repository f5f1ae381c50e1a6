//! Files whose size must not change while they are read: else it is unknown what a run was about.

use std::fs::File;
use std::io::{self, Read};

/// Kind of the error of a file whose size has changed.
const CHANGED: io::ErrorKind = io::ErrorKind::ResourceBusy;

/// A file that reports a change of its size as an error.
pub struct Steady {
    file: File,
    /// Bytes that it had when it was opened. It is 0 for pipes and for files of the system's own, which have no size.
    opened: u64,
    read: u64,
}

impl Steady {
    pub fn new(file: File) -> io::Result<Self> {
        let opened = file.metadata()?.len();
        let read = 0;
        Ok(Self { file, opened, read })
    }
}

impl Read for Steady {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        self.read += length as u64;
        // Looked at where it should end, and not only where it does: it may grow as fast as it is read.
        let is_end = length == 0 && !buffer.is_empty();
        if is_end || self.read > self.opened {
            let Self { opened, read, .. } = *self;
            let now = self.file.metadata()?.len();
            if now != opened || opened > 0 && read != opened {
                let told = format!(
                    "its size changed during the run: {opened} bytes when it was opened, {read} read, {now} now"
                );
                return Err(io::Error::new(CHANGED, told));
            }
        }
        Ok(length)
    }
}

/// What to do about an error of reading an input.
pub fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        CHANGED => "copy it, and name the copy",
        _ => "name a file that can be read, or -",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_change_of_size_is_an_error() {
        for (written, opened) in [(5, 5), (5, 3), (0, 2)] {
            let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
            file.write_all(&vec![b'a'; opened]).expect("bytes");
            let mut steady = Steady::new(file.reopen().expect("a file")).expect("its size");
            file.as_file().set_len(written).expect("another size");
            let read = steady.read_to_end(&mut Vec::new());
            assert_eq!(read.is_ok(), written == opened as u64, "{written} {opened}");
        }
    }
}
