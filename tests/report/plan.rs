//! What is measured: each core on each FPGA.

use hdl::config::LANES;
use serde_json::Value;
use sim::tools::{NEXTPNR_ECP5, NEXTPNR_ICE40, Tool};

/// A core, as the tool is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// One of [`CORES`], which [`Core::title`] has as it is asked for.
    pub name: &'static str,
    pub lanes: usize,
    pub form: &'static str,
    /// `None`: the greatest.
    pub depth: Option<usize>,
}

/// An FPGA, as the tool is asked for it.
#[derive(Clone, Copy)]
pub struct Chip {
    pub name: &'static str,
    pub title: &'static str,
    pub arguments: &'static str,
    /// What tells its clock; none if there is only an area.
    pub router: Option<&'static Tool>,
}

pub const CORES: [&str; 18] = [
    "decode",
    "dense",
    "utf16",
    "dense-utf16",
    "validate",
    "pass",
    "flows",
    "encode",
    "sanitise",
    "ascii",
    "rfc2279",
    "encode-rfc2279",
    "forbid",
    "forbid-all",
    "window",
    "frames",
    "drop",
    "drop-frames",
];
pub const ECP5_6: Chip = Chip {
    name: "ecp5-6",
    title: "ECP5 -6",
    arguments: "--target ecp5 --speed 6",
    router: Some(&NEXTPNR_ECP5),
};
pub const ECP5_8: Chip = Chip {
    name: "ecp5-8",
    title: "ECP5 -8",
    arguments: "--target ecp5 --speed 8",
    router: Some(&NEXTPNR_ECP5),
};
pub const HX8K: Chip = Chip {
    name: "hx8k",
    title: "HX8K",
    arguments: "--target ice40",
    router: Some(&NEXTPNR_ICE40),
};
pub const XILINX_7: Chip = Chip {
    name: "xilinx7",
    title: "Xilinx 7",
    arguments: "--target xilinx7",
    router: None,
};
/// A part with block RAMs whose registers are used.
pub const ECP5_6_RAM: Chip = Chip {
    name: "ecp5-6-ram",
    title: "ECP5 -6, `--ram-registers`",
    arguments: "--target ecp5 --speed 6 --ram-registers",
    router: Some(&NEXTPNR_ECP5),
};
pub const ECP5_8_RAM: Chip = Chip {
    name: "ecp5-8-ram",
    title: "ECP5 -8, `--ram-registers`",
    arguments: "--target ecp5 --speed 8 --ram-registers",
    router: Some(&NEXTPNR_ECP5),
};
/// A core that has block RAMs, which is measured with their registers and without.
pub const FLOWS: Core = Core {
    name: "flows",
    lanes: 64,
    form: "free",
    depth: None,
};
/// Others, which are measured with their registers; the last one on the faster part.
pub const DROPS: [Core; 3] = [
    dropping("drop", 8),
    dropping("drop", 64),
    dropping("drop-frames", 64),
];

const fn dropping(name: &'static str, lanes: usize) -> Core {
    Core {
        name,
        lanes,
        form: "axis",
        depth: None,
    }
}

/// UTF-16, in the lanes of its bytes.
pub const UTF16: Core = Core {
    name: "utf16",
    lanes: 64,
    form: "free",
    depth: None,
};
/// The older grammar, which is compared with the other one.
pub const RFC2279: Core = Core {
    name: "rfc2279",
    lanes: 8,
    form: "free",
    depth: None,
};
const WITH_AND_WITHOUT_RAMS: [Chip; 2] = [ECP5_6, ECP5_6_RAM];
pub const CHIPS: [Chip; 4] = [ECP5_6, ECP5_8, HX8K, XILINX_7];

/// The widest core that is measured, on the chip that it is for: 400 Gbit/s at 391 MHz.
pub const WIDEST: Core = Core {
    name: "validate",
    lanes: 128,
    form: "free",
    depth: None,
};

/// Of every row, and of the rows that are asked for most: see [`Core::is_wanted`]; and of those of a depth.
const SEEDS: usize = 3;
const SEEDS_OF_WANTED: usize = 8;
/// Lanes of the cores that are asked for most.
const WANTED_LANES: [usize; 3] = [1, 8, 64];

/// How it is synthesised and placed, as the tool is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Tuned,
    Default,
}

/// One measurement.
#[derive(Clone, Copy)]
pub struct Row {
    pub core: Core,
    pub chip: Chip,
    /// Of a chip without a clock there is one flow, which is [`Flow::Default`].
    pub flow: Flow,
}

impl Flow {
    pub const ALL: [Self; 2] = [Self::Tuned, Self::Default];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tuned => "tuned",
            Self::Default => "default",
        }
    }
}

impl Chip {
    pub fn has_clock(self) -> bool {
        self.router.is_some()
    }

    /// The row of a core on it. Of a chip without a clock it is the same for both flows.
    pub fn row(self, core: Core, flow: Flow) -> Row {
        let flow = if self.has_clock() {
            flow
        } else {
            Flow::Default
        };
        Row {
            core,
            chip: self,
            flow,
        }
    }
}

impl Core {
    pub fn free(name: &'static str, lanes: usize) -> Self {
        Self {
            name,
            lanes,
            form: "free",
            depth: None,
        }
    }

    pub fn axis(name: &'static str, lanes: usize) -> Self {
        let form = "axis";
        Self {
            form,
            ..Self::free(name, lanes)
        }
    }

    pub fn with_depth(self, depth: usize) -> Self {
        Self {
            depth: Some(depth),
            ..self
        }
    }

    /// The core and what makes it so, as on the command line.
    pub fn title(self) -> &'static str {
        match self.name {
            "dense" => "decode --dense",
            "utf16" => "decode --to utf16le",
            "dense-utf16" => "decode --dense --to utf16le",
            "pass" => "validate --mode pass",
            "flows" => "validate --flows 1024",
            "ascii" => "sanitise --replace ascii",
            "rfc2279" => "decode --grammar rfc2279",
            "encode-rfc2279" => "encode --grammar rfc2279",
            "forbid" => "validate --forbid nul,control,supplementary",
            "forbid-all" => {
                "validate --forbid nul,control,c1,noncharacter,bidi,private,supplementary,from-0300"
            }
            "window" => "validate --window",
            "frames" => "validate --frames",
            "drop" => "validate --mode drop",
            "drop-frames" => "validate --mode drop --frames",
            name => name,
        }
    }

    pub fn arguments(self) -> String {
        let Self { lanes, form, .. } = self;
        let depth = self.depth.map(|depth| format!(" --depth {depth}"));
        let depth = depth.unwrap_or_default();
        format!(
            "--core {} --lanes {lanes} --form {form}{depth}",
            self.title()
        )
    }

    /// The same for a program: what a file asks for.
    pub fn request(self) -> Value {
        let switches = ["--dense ", "--window ", "--frames "];
        let words = switches.iter().fold(self.arguments(), |words, switch| {
            words.replace(switch, &format!("{switch}true "))
        });
        let words: Vec<&str> = words.split_whitespace().collect();
        let pairs = words.chunks(2).map(|pair| {
            let value = serde_json::from_str(pair[1]);
            let value = value.unwrap_or_else(|_| Value::from(pair[1]));
            (pair[0].trim_start_matches("--").to_string(), value)
        });
        pairs.collect()
    }
}

impl Core {
    /// `decode` and `validate` as they are by default, of 1, 8 and 64 lanes.
    fn is_wanted(self) -> bool {
        let is_plain = ["decode", "validate"].contains(&self.name) && self.depth.is_none();
        let is_default = self.form == "free" || self.lanes == 1;
        is_plain && is_default && WANTED_LANES.contains(&self.lanes)
    }
}

impl Core {
    /// Others of which a clock is aimed at with as many seeds.
    pub fn is_aimed_at(self) -> bool {
        let others = [UTF16, WIDEST, RFC2279].contains(&self) || DROPS.contains(&self);
        others || depths().contains(&self)
    }
}

impl Row {
    pub fn arguments(self) -> String {
        let seeds = match self.core.is_wanted() || self.core.is_aimed_at() {
            true => SEEDS_OF_WANTED,
            false => SEEDS,
        };
        match self.chip.has_clock() {
            true => format!("{} --seeds {seeds}", self.key()),
            false => self.key(),
        }
    }

    /// What it is of, whatever the number of seeds.
    fn key(self) -> String {
        let (core, chip) = (self.core.arguments(), self.chip.arguments);
        match self.chip.has_clock() {
            true => format!("{core} {chip} --flow {}", self.flow.name()),
            false => format!("{core} {chip}"),
        }
    }

    pub fn command(self) -> String {
        format!("runegate synth {}", self.arguments())
    }

    /// Whether a command has measured this row. Commands of before there were flows have none, and were tuned.
    pub fn is_of(self, command: &str) -> bool {
        let own = command.strip_prefix("runegate synth ").unwrap_or(command);
        let own = own.split_once(" --seeds ").map_or(own, |(own, _)| own);
        let key = self.key();
        own == key || self.flow == Flow::Tuned && key.strip_suffix(" --flow tuned") == Some(own)
    }

    /// The words that choose it.
    fn words(self) -> [String; 6] {
        let Core { name, form, .. } = self.core;
        let lanes = format!("lanes-{}", self.core.lanes);
        let depth = match self.core.depth {
            Some(_) => "depths",
            None => "max",
        };
        let own = [name, self.chip.name, &lanes, form, self.flow.name(), depth];
        own.map(str::to_string)
    }

    /// The most wanted rows first, and of these the parts in this order; then the others as in the tables.
    fn turn(self) -> usize {
        let place = CHIPS.iter().position(|chip| chip.name == self.chip.name);
        match place {
            Some(place) if self.core.is_wanted() => place,
            _ => CHIPS.len(),
        }
    }
}

/// Cores whose wide beats wait in a FIFO of LUTs.
fn is_fifo_wide(core: Core) -> bool {
    core.form == "axis" && ["decode", "pass"].contains(&core.name) && core.lanes == 8
}

/// The narrow ones first, for they are soon done.
pub fn cores() -> Vec<Core> {
    let mut cores = Vec::new();
    for lanes in LANES.into_iter().filter(|&lanes| lanes <= WANTED_LANES[2]) {
        for name in ["decode", "validate"] {
            cores.push(Core::free(name, lanes));
            if lanes == 1 || is_fifo_wide(Core::axis(name, lanes)) {
                cores.push(Core::axis(name, lanes));
            }
        }
    }
    cores.push(Core::free("dense", 16));
    cores.push(UTF16);
    cores.push(Core::free("dense-utf16", 16));
    cores.extend([1, 8].map(|lanes| Core::axis("encode", lanes)));
    cores.push(Core::axis("sanitise", 8));
    cores.push(Core::free("ascii", 64));
    cores.push(RFC2279);
    cores.push(Core::axis("encode-rfc2279", 8));
    cores.extend(["forbid", "forbid-all", "window"].map(|name| Core::free(name, 64)));
    cores.extend([8, 64].map(|lanes| Core::free("frames", lanes)));
    cores.push(Core::axis("pass", 8));
    cores.push(WIDEST);
    cores
}

/// The cores with block RAMs, and what each is measured on.
pub fn with_rams() -> Vec<(Core, Chip)> {
    let flows = WITH_AND_WITHOUT_RAMS.map(|chip| (FLOWS, chip));
    let drops = DROPS.into_iter().zip([ECP5_6_RAM, ECP5_6_RAM, ECP5_8_RAM]);
    flows.into_iter().chain(drops).collect()
}

/// The depths that are measured, on ECP5 -6 with the tools' defaults; of `validate` in the form `axis`, which is the default one, and
/// there with the greatest depth, too.
pub fn depths() -> Vec<Core> {
    let of = |core: Core, depths: &[usize]| -> Vec<Core> {
        depths.iter().map(|&depth| core.with_depth(depth)).collect()
    };
    let [wide, widest] = [8, 64].map(|lanes| Core::axis("validate", lanes));
    [
        of(Core::free("decode", 1), &[3, 4, 6, 8, 10]),
        of(Core::axis("decode", 1), &[4, 6, 8]),
        of(Core::free("decode", 64), &[8]),
        of(Core::axis("validate", 1), &[6, 7, 9, 11, 14]),
        of(wide, &[10, 15, 20]),
        vec![wide],
        of(widest, &[13, 15, 16, 20]),
        vec![widest],
        of(Core::free("pass", 64), &[22]),
    ]
    .concat()
}

/// The depths that are measured with the tuned flow, too, for something is aimed at there; and on which chips.
fn aimed() -> Vec<Row> {
    let rows = [
        (Core::free("decode", 1), 4, ECP5_6),
        (Core::free("decode", 1), 4, HX8K),
        (Core::free("decode", 1), 6, ECP5_6),
        (Core::free("decode", 64), 8, ECP5_6),
        (Core::axis("validate", 1), 7, ECP5_6),
        (Core::axis("validate", 8), 10, ECP5_6),
        (Core::axis("validate", 64), 15, ECP5_6),
        (Core::axis("validate", 64), 15, ECP5_8),
        (Core::axis("validate", 64), 20, ECP5_8),
        (Core::free("pass", 64), 22, ECP5_6),
    ];
    let flows = |(core, depth, chip): (Core, usize, Chip)| {
        Flow::ALL.map(|flow| chip.row(core.with_depth(depth), flow))
    };
    rows.into_iter().flat_map(flows).collect()
}

/// Everything with the tuned flow, and with the tools' defaults what takes the time for it: all on ECP5 -6, and on the others what is
/// wanted most. UTF-16 is measured on ECP5 -6 only, for the rest of it is as with UTF-32; and so are what encodes, what
/// repairs, the older grammar, policies, windows, frames and wide FIFOs.
pub fn rows() -> Vec<Row> {
    let is_planned = |row: &Row| match row.core.name {
        _ if row.core == WIDEST => row.chip.name == ECP5_8.name,
        _ if is_fifo_wide(row.core) => row.chip.name == ECP5_6.name,
        "utf16" | "dense-utf16" | "encode" | "sanitise" | "ascii" | "rfc2279"
        | "encode-rfc2279" | "forbid" | "forbid-all" | "window" | "frames" => {
            row.chip.name == ECP5_6.name
        }
        _ => {
            row.flow == Flow::Tuned
                || !row.chip.has_clock()
                || row.chip.arguments.starts_with(ECP5_6.arguments)
                || row.core.is_wanted()
        }
    };
    let flows = |core: Core, chip: Chip| {
        let own = match chip.has_clock() {
            true => &Flow::ALL[..],
            false => &[Flow::Default],
        };
        own.iter().map(move |&flow| chip.row(core, flow))
    };
    let plain = (cores().into_iter())
        .flat_map(|core| CHIPS.into_iter().flat_map(move |chip| flows(core, chip)));
    let with_rams = with_rams().into_iter();
    let with_rams = with_rams.flat_map(|(core, chip)| flows(core, chip));
    let of_depths = depths().into_iter();
    let of_depths = of_depths.map(|core| ECP5_6.row(core, Flow::Default));
    let all = plain.chain(with_rams).chain(of_depths).filter(is_planned);
    let mut rows: Vec<Row> = all.collect();
    for row in aimed() {
        if !rows.iter().any(|other| other.key() == row.key()) {
            rows.push(row);
        }
    }
    rows
}

/// The rows that RUNEGATE_RESULTS chooses: those that have each of its words, in the order in which they are measured.
pub fn chosen(words: &str) -> Result<Vec<Row>, String> {
    if words == "none" {
        return Ok(Vec::new());
    }
    let words: Vec<&str> = words.split_whitespace().collect();
    let lanes = LANES.map(|lanes| format!("lanes-{lanes}"));
    let mut known: Vec<&str> = vec!["all"];
    known.extend(CORES);
    known.extend(CHIPS.map(|chip| chip.name));
    known.extend([ECP5_6_RAM, ECP5_8_RAM].map(|chip| chip.name));
    known.extend(lanes.iter().map(String::as_str));
    known.extend(["free", "axis", "depths", "max"]);
    known.extend(Flow::ALL.map(Flow::name));
    let chosen = rows().into_iter().filter(|row| {
        let own = row.words();
        let has = |word: &&str| *word == "all" || own.iter().any(|own| own == word);
        words.iter().all(has)
    });
    let mut chosen: Vec<Row> = chosen.collect();
    chosen.sort_by_key(|row| row.turn());
    if chosen.is_empty() || words.is_empty() || words.iter().any(|word| !known.contains(word)) {
        return Err(format!(
            "RUNEGATE_RESULTS={:?} chooses no row; it is one or more of these words, and the rows that have them all are \
             measured: {}; or none, which only writes the texts anew",
            words.join(" "),
            known.join(", ")
        ));
    }
    Ok(chosen)
}
