//! The inputs of a run: files and standard input, and which packet came from which.

use crate::exit::Failure;
use crate::judged::Judged;
use crate::options::Talk;
use crate::origins::{Origin, Origins};
use crate::steady::{Steady, remedy};
use ::sim::packets::{Chain, Packets, Piece, Reader, Split};
use hdl::config::flags::by_name;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How inputs become packets, as it is written.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SplitName {
    #[default]
    Whole,
    Lines,
    Ladder,
    Random,
}

impl SplitName {
    /// The one that is written; an input is whole if none is.
    pub fn parse(name: Option<&str>) -> Result<Self, Failure> {
        let name = name.unwrap_or("whole");
        by_name(name).map_err(|_| {
            Failure::new(format!(
                "--split is {name:?}, but an input is split in packets by whole, lines, ladder or random; choose one of those"
            ))
        })
    }

    /// The split for a core of so many lanes.
    pub fn of(self, lanes: usize, seed: u64) -> Split {
        match self {
            Self::Whole => Split::Whole,
            Self::Lines => Split::Lines,
            Self::Ladder => Split::Ladder { lanes },
            Self::Random => Split::Random { lanes, seed },
        }
    }
}

/// The name of standard input among inputs.
const STDIN: &str = "-";

/// Inputs that have been opened: what is missing is known before anything runs.
pub struct Inputs {
    names: Vec<PathBuf>,
    readers: Vec<Box<dyn Read>>,
    split: Split,
    /// Bytes of a word of the core.
    word: usize,
    /// Their length in bytes, if all of it is known.
    pub total: Option<u64>,
    ended: Rc<RefCell<Vec<u64>>>,
}

/// Tells which input a packet came from.
struct InputOrigins {
    names: Vec<PathBuf>,
    ended: Rc<RefCell<Vec<u64>>>,
    input: usize,
    first: u64,
    /// Where the next packet begins in the input, and bytes between two packets.
    start: u64,
    between: u64,
}

impl Inputs {
    /// Opens all inputs. `lanes` is the core's, and `word` is the bytes of a lane. If `paths` is empty, standard input is read, unless it
    /// is a terminal.
    pub fn open(
        paths: &[PathBuf],
        split: Option<&str>,
        lanes: usize,
        word: usize,
        seed: u64,
    ) -> Result<Self, Failure> {
        let split = SplitName::parse(split)?.of(lanes, seed);
        let stdin_only = [PathBuf::from(STDIN)];
        let paths = if paths.is_empty() {
            if io::stdin().is_terminal() {
                return Err(Failure::new(
                    "no input: name files, or - for standard input",
                ));
            }
            &stdin_only[..]
        } else {
            paths
        };
        if paths
            .iter()
            .filter(|path| path.as_os_str() == STDIN)
            .count()
            > 1
        {
            return Err(Failure::new(
                "- is named more than once, but standard input can be read only once; name it once",
            ));
        }
        let mut readers: Vec<Box<dyn Read>> = Vec::new();
        let mut total = Some(0);
        for path in paths {
            let (reader, length) = open(path)?;
            readers.push(reader);
            total = total.zip(length).map(|(total, length)| total + length);
        }
        Ok(Self {
            names: paths.to_vec(),
            readers,
            split,
            word,
            total,
            ended: Rc::new(RefCell::new(vec![0; paths.len()])),
        })
    }

    /// The packets of all inputs, and where they come from.
    pub fn packets(self) -> (Box<dyn Packets>, Box<dyn Origins>) {
        let ended = self.ended.clone();
        let (split, word) = (self.split, self.word);
        let readers = self.readers.into_iter().zip(self.names.clone());
        let inputs = readers.enumerate().map(|(input, (reader, name))| {
            Box::new(Counted {
                packets: Reader::new(reader, split),
                word,
                within: 0,
                name,
                input,
                ended: ended.clone(),
            }) as Box<dyn Packets>
        });
        let origins = InputOrigins {
            names: self.names,
            ended: self.ended.clone(),
            input: 0,
            first: 0,
            start: 0,
            between: u64::from(matches!(split, Split::Lines)),
        };
        (Box::new(Chain::new(inputs)), Box::new(origins))
    }
}

fn open(path: &Path) -> Result<(Box<dyn Read>, Option<u64>), Failure> {
    if path.as_os_str() == STDIN {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let fail = |what: String, remedy: &str| {
        Failure::new(format!("cannot read the input {path:?}: {what}; {remedy}"))
    };
    let file = File::open(path)
        .map_err(|error| fail(error.to_string(), "name a file that can be read, or -"))?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(fail(
            "it is a directory".to_string(),
            "name the files in it, one by one",
        ));
    }
    let length = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(Steady::new(file)?), length))
}

/// Counts the packets of one input as they end.
struct Counted<R> {
    packets: Reader<R>,
    /// Bytes of a word, and of the packet's last one so far, if it is not whole.
    word: usize,
    within: usize,
    name: PathBuf,
    input: usize,
    ended: Rc<RefCell<Vec<u64>>>,
}

impl<R: Read> Packets for Counted<R> {
    fn next(&mut self, piece: &mut Piece) -> io::Result<bool> {
        let more = self.packets.next(piece).map_err(|error| {
            let name = &self.name;
            let remedy = remedy(&error);
            io::Error::new(error.kind(), format!("{name:?}: {error}; {remedy}"))
        })?;
        self.within = (self.within + piece.bytes.len()) % self.word;
        if more && piece.ends && self.within > 0 {
            let Self {
                name, within, word, ..
            } = self;
            let missing = *word - *within;
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "{name:?}: its last word has {within} bytes of {word}; add the {missing} that are missing, or cut these off"
                ),
            ));
        }
        if more && piece.ends {
            self.ended.borrow_mut()[self.input] += 1;
        }
        Ok(more)
    }
}

impl Origins for InputOrigins {
    fn of(&mut self, packet: u64, verdict: &Judged, _: Option<u8>) -> Origin<'_> {
        let ended = self.ended.borrow();
        while self.input + 1 < self.names.len() && packet >= self.first + ended[self.input] {
            self.first += ended[self.input];
            self.input += 1;
            self.start = 0;
        }
        let name = &self.names[self.input];
        let start = (name.as_os_str() != STDIN).then_some(self.start);
        self.start += verdict.input_bytes() + self.between;
        Origin::input(name, start)
    }
}

/// A bar on a terminal, nothing on a pipe.
pub fn progress_bar(talk: Talk, total: Option<u64>) -> ProgressBar {
    if talk.quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:40} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {bytes} {bytes_per_sec}",
        ),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Refuses an output that is also something that the run reads, or another of its outputs.
pub fn refuse_overlap(inputs: &[&Path], outputs: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    // The place of a file that need not exist yet.
    let place = |path: &Path| {
        std::fs::canonicalize(path).or_else(|_| {
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            let folder = std::fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
            Ok::<_, io::Error>(folder.join(path.file_name().unwrap_or_default()))
        })
    };
    let mut taken: Vec<(PathBuf, String)> = inputs
        .iter()
        .filter(|path| path.is_file())
        .filter_map(|path| Some((place(path).ok()?, "is read by this run".to_string())))
        .collect();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        let Ok(own) = place(path) else { continue };
        if let Some((_, why)) = taken.iter().find(|(other, _)| *other == own) {
            return Err(Failure::new(format!(
                "--{option} {path:?} would overwrite a file that {why}; name another file"
            )));
        }
        taken.push((own, format!("--{option} names too")));
    }
    Ok(())
}
