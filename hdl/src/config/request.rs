//! What a user asks for, and what that comes to: a configuration, or what cannot be.

use super::classes::Classes;
use super::configuration::{
    COUNTER_WIDTHS, Config, Core, CoreName, Encoding, Form, LANES, MAX_SIDE_WIDTH,
    MAX_VERDICT_WIDTH, Mode, OnError, Replace, SideWidths, Signature,
};
use super::default_name::{default_name, id_width_of};
use super::depth::{Depth, depths};
use super::dropping::with_drop_bytes;
use super::error::ConfigError;
#[cfg(feature = "clap")]
use super::flags;
use super::grammar::Grammar;
use super::judging::{Edges, Extent};
use super::lanes::check_lanes;
use super::names::refuse_module_name;
use super::port_table::PortTable;
use super::ports::ports;
use crate::layout::FLOW_BITS;
use crate::layout::{COUNTER_BITS, VERDICT_BITS};
use serde::Deserialize;

/// What somebody asks for; what is left out has its default.
///
/// These are also the options of a command line (the feature `clap`, whose help is the fields' comments) and the keys of a configuration
/// file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Request {
    /// The core: decode (one event per piece), validate (one verdict per packet), encode (words to UTF-8) or sanitise (bytes to
    /// well-formed UTF-8) [default: decode]
    #[cfg_attr(feature = "clap", arg(long, hide_possible_values = true, value_parser = flags::named::<CoreName>()))]
    pub core: Option<CoreName>,
    /// Bytes per beat: 1, 2, 4, 8, 16, 32, 64 or 128; 128 not with --dense, --flows and --csr; of encode also words, at most 16 as those of --replace fffd [default: 1]
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true, value_parser = flags::lanes))]
    pub lanes: Option<usize>,
    /// axis (AXI4-Stream, with tready) or free (a beat in every clock, no tready) [default: axis]
    #[cfg_attr(feature = "clap", arg(long, hide_possible_values = true, value_parser = flags::named::<Form>()))]
    pub form: Option<Form>,
    /// decode, validate, sanitise: handling of a signature (BOM, EF BB BF) at the beginning of a packet: keep, reject (the packet is bad), flag
    /// (decode only) or strip (decode, and sanitise but with --replace ascii) [default: keep]
    #[cfg_attr(feature = "clap", arg(long, hide_possible_values = true, value_parser = flags::named::<Signature>()))]
    pub signature: Option<Signature>,
    /// decode: what each scalar value is put out as: utf32 (itself), utf16le or utf16be (one or two 16-bit units) [default: utf32]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ENCODING", hide_possible_values = true, value_parser = flags::named::<Encoding>()))]
    pub to: Option<Encoding>,
    /// decode: pack the events into the low lanes, across beats [default: false]
    #[cfg_attr(feature = "clap", arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = flags::truth))]
    pub dense: Option<bool>,
    /// decode, validate, encode: which sequences are well-formed: rfc3629 (one to four bytes) or rfc2279 (its predecessor, up to six bytes
    /// and 7FFFFFFF; not with UTF-16 and --flows; of encode at most 8 lanes) [default: rfc3629]
    #[cfg_attr(feature = "clap", arg(long, hide_possible_values = true, value_parser = flags::named::<Grammar>()))]
    pub grammar: Option<Grammar>,
    /// encode: what the words are: utf32 (scalar values), utf16le or utf16be (16-bit units) [default: utf32]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ENCODING", hide_possible_values = true, value_parser = flags::named::<Encoding>()))]
    pub from: Option<Encoding>,
    /// encode: what an ill-formed word becomes: replace (U+FFFD) or omit (nothing) [default: replace]
    #[cfg_attr(feature = "clap", arg(long, hide_possible_values = true, value_parser = flags::named::<OnError>()))]
    pub on_error: Option<OnError>,
    /// sanitise: what an ill-formed piece becomes: fffd (EF BF BD, U+FFFD) or ascii (a question mark for each of its bytes) [default: fffd]
    #[cfg_attr(feature = "clap", arg(long, hide_possible_values = true, value_parser = flags::named::<Replace>()))]
    pub replace: Option<Replace>,
    /// validate: snoop (monitor a stream), pass (forward the packets, and set tuser[0] in the last beat of a bad one) or drop (forward
    /// only good packets) [default: snoop]
    #[cfg_attr(feature = "clap", arg(long, hide_possible_values = true, value_parser = flags::named::<Mode>()))]
    pub mode: Option<Mode>,
    /// With --mode drop: bytes of the longest packet that can be dropped, rounded up to what the memory has room for; a longer one passes,
    /// with the mark of pass if it is bad [default: 9216, or as many as 512 words have room for]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BYTES", allow_negative_numbers = true, value_parser = flags::drop_bytes))]
    pub drop_bytes: Option<usize>,
    /// With --mode pass: one bit more, the highest of m_axis_tuser, tells with each beat whether the packet has an ill-formed piece that ended
    /// in this beat or an earlier one [default: false]
    #[cfg_attr(feature = "clap", arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = flags::truth))]
    pub early_bad: Option<bool>,
    /// validate: scalar values that make a packet bad, by class, with commas: nul, control (other C0 but HT, LF, CR; DEL), c1,
    /// noncharacter, bidi (bidirectional controls), private (private use), supplementary (above FFFF), from-0300 (U+0300 and above)
    /// [default: none]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLASSES", value_parser = flags::classes))]
    pub forbid: Option<Classes>,
    /// validate: where a packet may begin and end: closed (between sequences) or open (within one, too: what is cut there is no error)
    /// [default: closed]
    #[cfg_attr(feature = "clap", arg(long, hide_possible_values = true, value_parser = flags::named::<Edges>()))]
    pub edges: Option<Edges>,
    /// validate: what a verdict tells: basic or full (also the scalar values of ASCII, the UTF-16 units of the lossy text, and how many
    /// bits the greatest scalar value needs) [default: basic]
    #[cfg_attr(feature = "clap", arg(long, hide_possible_values = true, value_parser = flags::named::<Extent>()))]
    pub verdict: Option<Extent>,
    /// validate, sanitise --replace ascii: judge only a window of each packet: s_axis_tuser has where it begins and ends [default: false]
    #[cfg_attr(feature = "clap", arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = flags::truth))]
    pub window: Option<bool>,
    /// validate, sanitise --replace ascii: the packets are whole Ethernet frames: judge, or repair, only the payload of UDP, which the core
    /// finds itself; of validate with --edges open that of TCP, too [default: false]
    #[cfg_attr(feature = "clap", arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = flags::truth))]
    pub frames: Option<bool>,
    /// With --frames: judge, or repair, only the payloads of these ports, with commas: udp:514 (source or destination), udp:dst:53,
    /// tcp:src:80-81 (with --edges open only); at most 16, or all by itself. With --csr as well the table can be written, and this is what it
    /// has after a reset; none by itself is an empty one [default: no table, all ports; with --mode drop --csr: none]
    #[cfg_attr(feature = "clap", arg(long, value_parser = flags::ports))]
    pub ports: Option<PortTable>,
    /// validate, encode, sanitise: width of m_axis_verdict_tdata in bits, a multiple of 8 [default: 160; with --forbid: 192; with
    /// --verdict full: 256]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = flags::verdict_width))]
    pub verdict_width: Option<usize>,
    /// validate, encode, sanitise: width of each counter in a verdict, in bits: 8, 16, 24 or 32; the counters saturate [default: 32]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = flags::counter_width))]
    pub counter_width: Option<usize>,
    /// validate: number of interleaved flows, selected by s_axis_tid, whose messages may span packets: 1 to 4096 [default: none;
    /// packets do not interleave]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_negative_numbers = true, value_parser = flags::flows))]
    pub flows: Option<usize>,
    /// validate: add registers on an AXI4-Lite bus: identification, control, 64-bit counters [default: false]
    #[cfg_attr(feature = "clap", arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = flags::truth))]
    pub csr: Option<bool>,
    /// Clocks from a byte to its event, or from a packet's last byte to its verdict, in the form free: min, max or a number. Fewer clocks
    /// need fewer flip-flops and reach a lower frequency [default: max]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLOCKS", allow_negative_numbers = true, value_parser = flags::depth))]
    pub depth: Option<Depth>,
    /// Add the pin beat_error: it reports an accepted beat whose tkeep has a hole, or is partial without tlast; of encode, one with a part of a word [default: false]
    #[cfg_attr(feature = "clap", arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = flags::truth))]
    pub beat_error: Option<bool>,
    /// Width of tid in bits, 0 to 64; 0 omits the pins [default: 0; with --flows: as many as the flow numbers need]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = flags::side_width))]
    pub id_width: Option<usize>,
    /// Width of tdest in bits, 0 to 64; 0 omits the pins [default: 0]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = flags::side_width))]
    pub dest_width: Option<usize>,
    /// Width of the sideband in tuser, in bits, 0 to 64 [default: 0]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = flags::side_width))]
    pub user_width: Option<usize>,
    /// The Verilog module's name [default: utf8_CORE_wLANES with a word for each option that differs from its default,
    /// as in utf8_decode_free_w8]
    #[cfg_attr(feature = "clap", arg(long))]
    pub module: Option<String>,
}

const UTF_16_ENDS: &str = "UTF-16 ends at 10FFFF";

impl Request {
    /// Checks it.
    pub fn resolve(self) -> Result<Config, ConfigError> {
        let lanes = self.lanes.unwrap_or(1);
        if !LANES.contains(&lanes) {
            return Err(ConfigError::Lanes(lanes));
        }
        let core = self.core.unwrap_or_default();
        self.refuse_for(core)?;
        let core = match core {
            CoreName::Decode => self.decode()?,
            CoreName::Validate => self.validator()?,
            CoreName::Encode => self.encode()?,
            CoreName::Sanitise => self.sanitise()?,
        };
        check_lanes(core, lanes)?;
        let core = with_drop_bytes(core, lanes, self.drop_bytes)?;
        let mut config = Config {
            core,
            lanes,
            form: self.form.unwrap_or_default(),
            side: self.side(core)?,
            depth: self.depth(core, lanes)?,
            beat_error: self.beat_error(core, lanes)?,
            module: String::new(),
        };
        config.module = self.module.unwrap_or_else(|| default_name(&config));
        let is_port = ports(&config).iter().any(|port| port.name == config.module);
        let reason = refuse_module_name(&config.module)
            .or(is_port.then_some("it is the name of one of the core's ports"));
        match reason {
            None => Ok(config),
            Some(reason) => Err(ConfigError::Module {
                name: config.module,
                reason,
            }),
        }
    }

    fn decode(&self) -> Result<Core, ConfigError> {
        let (to, grammar) = (
            self.to.unwrap_or_default(),
            self.grammar.unwrap_or_default(),
        );
        if to.is_utf16() && grammar.is_2279() {
            return Err(ConfigError::Grammar {
                option: "to utf16le or utf16be",
                reason: UTF_16_ENDS,
                instead: "--to utf32",
            });
        }
        Ok(Core::Decode {
            signature: self.signature.unwrap_or_default(),
            dense: self.dense.unwrap_or_default(),
            to,
            grammar,
        })
    }

    fn encode(&self) -> Result<Core, ConfigError> {
        if self.form == Some(Form::Free) {
            return Err(ConfigError::EncodeFree);
        }
        self.only_depth(CoreName::Encode)?;
        let (verdict_width, counter_width) = self.verdict_widths(VERDICT_BITS)?;
        let (from, grammar) = (
            self.from.unwrap_or_default(),
            self.grammar.unwrap_or_default(),
        );
        if from.is_utf16() && grammar.is_2279() {
            return Err(ConfigError::Grammar {
                option: "from utf16le or utf16be",
                reason: UTF_16_ENDS,
                instead: "--from utf32",
            });
        }
        Ok(Core::Encode {
            from,
            grammar,
            on_error: self.on_error.unwrap_or_default(),
            verdict_width,
            counter_width,
        })
    }

    fn sanitise(&self) -> Result<Core, ConfigError> {
        let replace = self.replace.unwrap_or_default();
        let signature = self.signature.unwrap_or_default();
        if self.form == Some(Form::Free) && replace == Replace::Fffd {
            return Err(ConfigError::FffdFree);
        }
        match signature {
            Signature::Flag => return Err(ConfigError::SanitiseFlag),
            Signature::Strip if replace == Replace::Ascii => return Err(ConfigError::AsciiStrip),
            _ => {}
        }
        let window = self.window.unwrap_or_default();
        let frames = self.frames.unwrap_or_default();
        for (option, asked) in [("window", window), ("frames", frames)] {
            if asked && replace == Replace::Fffd {
                return Err(ConfigError::FffdWindow(option));
            }
        }
        let ports = self.text_of_frames()?;
        self.only_depth(CoreName::Sanitise)?;
        let (verdict_width, counter_width) = self.verdict_widths(VERDICT_BITS)?;
        Ok(Core::Sanitise {
            replace,
            signature,
            window,
            frames,
            ports,
            verdict_width,
            counter_width,
        })
    }

    /// Refuses a depth of a core that has only one.
    fn only_depth(&self, core: CoreName) -> Result<(), ConfigError> {
        match self.depth.filter(|&depth| depth != Depth::Max) {
            Some(depth) => Err(ConfigError::OnlyDepth { depth, core }),
            None => Ok(()),
        }
    }

    /// Bits of a verdict's bus, which are at least those of the verdict, and of each counter.
    pub(super) fn verdict_widths(&self, least: usize) -> Result<(usize, usize), ConfigError> {
        let width = self.verdict_width.unwrap_or(least);
        let allowed = (least..=MAX_VERDICT_WIDTH).contains(&width);
        if !allowed || !width.is_multiple_of(8) {
            return Err(ConfigError::VerdictWidth { width, least });
        }
        let verdict_width = width;
        let counter_width = self.counter_width.unwrap_or(COUNTER_BITS);
        if !COUNTER_WIDTHS.contains(&counter_width) {
            return Err(ConfigError::CounterWidth(counter_width));
        }
        Ok((verdict_width, counter_width))
    }

    /// The depth, unless it is the greatest.
    fn depth(&self, core: Core, lanes: usize) -> Result<Option<usize>, ConfigError> {
        let (least, most) = depths(core, lanes).into_inner();
        match self.depth.unwrap_or_default() {
            Depth::Max => Ok(None),
            Depth::List => Err(ConfigError::DepthList),
            Depth::Min => Ok(Some(least)),
            Depth::Clocks(depth) if (least..=most).contains(&depth) => {
                Ok((depth < most).then_some(depth))
            }
            Depth::Clocks(depth) => Err(ConfigError::Depth { depth, least, most }),
        }
    }

    fn beat_error(&self, core: Core, lanes: usize) -> Result<bool, ConfigError> {
        match self.beat_error.unwrap_or_default() {
            true if core.flows().is_some() => Err(ConfigError::BeatErrorOfFlows),
            // One lane of words can have a part of one.
            true if lanes == 1 && !matches!(core, Core::Encode { .. }) => {
                Err(ConfigError::BeatErrorOfOneLane)
            }
            asked => Ok(asked),
        }
    }

    fn side(&self, core: Core) -> Result<SideWidths, ConfigError> {
        let width = |option, width: Option<usize>| {
            let width = width.unwrap_or_default();
            if width <= MAX_SIDE_WIDTH {
                Ok(width)
            } else {
                Err(ConfigError::SideWidth { option, width })
            }
        };
        // Of flows, tid is the number.
        let id = match core.flows() {
            None => width("id-width", self.id_width)?,
            Some(flows) => {
                let least = id_width_of(flows);
                let width = self.id_width.unwrap_or(least);
                if !(least..=FLOW_BITS).contains(&width) {
                    return Err(ConfigError::FlowId {
                        width,
                        flows,
                        least,
                    });
                }
                width
            }
        };
        Ok(SideWidths {
            id,
            dest: width("dest-width", self.dest_width)?,
            user: width("user-width", self.user_width)?,
        })
    }
}
