//! Standard output and standard error, either of which may be gone.

use crate::Failure;
use std::io::{self, BufWriter, ErrorKind, Write};

/// Writes the result to standard output. A reader that has gone away wants no more of it, which is no error.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::new(format!(
            "cannot write the result to standard output: {error}; make room, or send it to another place"
        ))),
    }
}

/// Writes a line that is not the result to standard error. If nobody can read it, nobody can be told.
pub fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
