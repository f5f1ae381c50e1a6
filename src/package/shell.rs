//! `--for SHELL`: what a shell's template asks of the core, set where nobody has said it, and refused where it is contradicted.

use crate::exit::Failure;
use hdl::config::{CoreName, Edges, Form, MAX_SIDE_WIDTH, Mode, Request, Signature, list};
use serde::Deserialize;

/// OpenNIC's tuser_size, tuser_src and tuser_dst.
pub const OPENNIC_USER: usize = 48;
/// Corundum's default: a mark of a bad frame, and a PTP time stamp.
pub const CORUNDUM_USER: usize = 97;

/// What a core can be put into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shell {
    Corundum,
    Opennic,
    Litex,
    Taxi,
}

impl Shell {
    /// As it is written after `--for`.
    pub const fn name(self) -> &'static str {
        match self {
            Shell::Corundum => "corundum",
            Shell::Opennic => "opennic",
            Shell::Litex => "litex",
            Shell::Taxi => "taxi",
        }
    }

    /// Bytes in a beat of its streams, the usual one first; LiteX and taxi have them of any width.
    const fn lanes(self) -> &'static [usize] {
        match self {
            // 512 bits for 100 Gbit/s, 64 for 10, and twice that for 25: `AXIS_ETH_SYNC_DATA_WIDTH` of its boards.
            Shell::Corundum => &[64, 8, 16],
            Shell::Opennic => &[64],
            Shell::Litex | Shell::Taxi => &[],
        }
    }

    /// Bits that pass with the bytes; of LiteX only the user knows, and of taxi it is the mark of a bad frame at least.
    const fn carried(self) -> usize {
        match self {
            Shell::Corundum => CORUNDUM_USER,
            // Its tuser, and the mark of an ill-formed packet.
            Shell::Opennic => OPENNIC_USER + 1,
            Shell::Litex => 0,
            Shell::Taxi => 1,
        }
    }

    /// The request with all that the shell's template asks for.
    pub fn complete(self, mut request: Request) -> Result<Request, Failure> {
        let shell = self.name();
        let refuse = |option: &str, value: &str, why: &str| {
            Err(Failure::new(format!(
                "--{option} {value} contradicts --for {shell}: {why}; leave one of them out"
            )))
        };
        let judged = "its template is for a validator (of other cores, --package without --for has those that there are)";
        match request.core {
            None | Some(CoreName::Validate) => request.core = Some(CoreName::Validate),
            Some(core) => return refuse("core", &core.to_string(), judged),
        }
        if let Some(dense) = request.dense {
            return refuse("dense", &dense.to_string(), judged);
        }
        let kept = [Signature::Keep, Signature::Reject];
        if let Some(signature) = request.signature.filter(|it| !kept.contains(it)) {
            return refuse("signature", &signature.to_string(), judged);
        }
        if self.lanes().is_empty() {
            if request.mode.is_some_and(Mode::passes) {
                request.user_width.get_or_insert(self.carried());
            }
            return Ok(request);
        }
        if let Some(flows) = request.flows {
            let why = "its streams do not carry flow numbers";
            return refuse("flows", &flows.to_string(), why);
        }
        if request.window == Some(true) {
            let why = "its streams do not say where a packet's text is";
            return refuse("window", "true", why);
        }
        if request.early_bad == Some(true) {
            let why = "its streams have no place for one bit more";
            return refuse("early-bad", "true", why);
        }
        // Its streams are of whole frames. Of a segment's text the edges are cut.
        if request.frames.is_none() && !request.grammar.unwrap_or_default().is_2279() {
            request.frames = Some(true);
            // A segment that is dropped is sent again, and dropped again: only whoever names ports of TCP wants that.
            let of_tcp = request.ports.is_some_and(|ports| ports.has_tcp());
            if request.mode != Some(Mode::Drop) || of_tcp {
                request.edges.get_or_insert(Edges::Open);
            }
        }
        let allowed = self.lanes();
        let lanes = *request.lanes.get_or_insert(allowed[0]);
        if !allowed.contains(&lanes) {
            let why = format!(
                "its streams have one of these numbers of lanes: {}",
                list(allowed)
            );
            return refuse("lanes", &lanes.to_string(), &why);
        }
        match request.mode.unwrap_or_default() {
            Mode::Snoop => self.leaves_widths_out(&request)?,
            Mode::Pass if request.form == Some(Form::Free) => {
                return refuse("form", "free", "with --mode pass its streams have a tready");
            }
            Mode::Pass | Mode::Drop => self.widen(&mut request)?,
        }
        Ok(request)
    }

    /// What is only watched carries nothing.
    fn leaves_widths_out(self, request: &Request) -> Result<(), Failure> {
        for (option, width) in [
            ("id-width", request.id_width),
            ("dest-width", request.dest_width),
            ("user-width", request.user_width),
        ] {
            if let Some(width @ 1..) = width {
                return Err(Failure::new(format!(
                    "--{option} {width} contradicts --for {} with --mode snoop: a core that only monitors the stream does not carry \
                     its sidebands; leave --{option} out",
                    self.name()
                )));
            }
        }
        Ok(())
    }

    /// Spreads what passes with the bytes over tuser, tid and tdest, for none of them has room for all of it. A width that is
    /// given stays.
    fn widen(self, request: &mut Request) -> Result<(), Failure> {
        let carried = self.carried();
        let mut widths = [request.user_width, request.id_width, request.dest_width];
        let given =
            (widths.iter().flatten()).fold(0, |sum: usize, width| sum.saturating_add(*width));
        let mut missing = carried.saturating_sub(given);
        for width in widths.iter_mut().filter(|width| width.is_none()) {
            let part = missing.min(MAX_SIDE_WIDTH);
            *width = Some(part);
            missing -= part;
        }
        [request.user_width, request.id_width, request.dest_width] = widths;
        if missing == 0 && request.user_width != Some(0) {
            return Ok(());
        }
        let [user, id, dest] = widths.map(Option::unwrap_or_default);
        Err(Failure::new(format!(
            "--user-width {user}, --id-width {id} and --dest-width {dest} contradict --for {} with --mode pass: the sidebands have \
             {carried} bits, at least one of them in tuser; leave these widths out to have them set",
            self.name()
        )))
    }
}
