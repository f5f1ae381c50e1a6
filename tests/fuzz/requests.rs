//! Any request for a core.

use bolero::generator::*;
use bolero::produce;
use hdl::config::{
    COUNTER_WIDTHS, CoreName, Depth, Edges, Encoding, Extent, Form, Grammar, LANES, MAX_SIDE_WIDTH,
    Mode, OnError, Replace, Request, Signature,
};

/// A number that is often one of these, and else anything.
fn number(among: &'static [usize]) -> impl ValueGenerator<Output = Option<usize>> {
    let pick = produce::<(u8, u8, usize)>();
    pick.map_gen(move |(how, which, any)| match how % 8 {
        0..3 => None,
        3..7 => Some(among[usize::from(which) % among.len()]),
        _ => Some(any),
    })
}

fn one_of<T: Copy + 'static>(among: &'static [T]) -> impl ValueGenerator<Output = Option<T>> {
    produce::<u8>().map_gen(move |which| among.get(usize::from(which) % (among.len() + 1)).copied())
}

const NAMES: [&str; 8] = [
    "core",
    "_x1",
    "module",
    "1st",
    "",
    "a b",
    "m_axis_tdata",
    "\u{e9}",
];
const CORES: [CoreName; 4] = [
    CoreName::Decode,
    CoreName::Validate,
    CoreName::Encode,
    CoreName::Sanitise,
];
const PORTS: [&str; 5] = [
    "none",
    "udp:514",
    "all",
    "udp:src:0-65535,udp:dst:53",
    "udp:1,udp:2,tcp:80-81,udp:4,udp:5",
];
const CLASSES: [&str; 4] = [
    "nul",
    "bidi,noncharacter",
    "control,private,c1",
    "supplementary,from-0300",
];
const WIDTHS: [usize; 5] = [0, 1, 33, MAX_SIDE_WIDTH, MAX_SIDE_WIDTH + 1];

pub fn requests() -> impl ValueGenerator<Output = Request> {
    let core = (
        one_of(&CORES),
        number(&LANES),
        one_of(&[Form::Axis, Form::Free]),
        one_of(&[
            Signature::Keep,
            Signature::Flag,
            Signature::Strip,
            Signature::Reject,
        ]),
        produce::<Option<bool>>(),
        one_of(&[Encoding::Utf32, Encoding::Utf16le, Encoding::Utf16be]),
        one_of(&[Mode::Snoop, Mode::Pass, Mode::Drop]),
        produce::<Option<bool>>(),
    );
    let widths = (
        number(&[160, 168, 1024, 1032, 161]),
        number(&COUNTER_WIDTHS),
        number(&[1, 2, 1024, 4096, 4097]),
        number(&WIDTHS),
        number(&WIDTHS),
        number(&WIDTHS),
    );
    let name = produce::<(u8, String)>().map_gen(|(which, any)| match which % 16 {
        0..7 => None,
        7..15 => Some(NAMES[usize::from(which / 16) % NAMES.len()].to_string()),
        _ => Some(any),
    });
    // What is not for the core is left out of most requests, or few of them could be resolved.
    (core, widths, name, produce::<u8>()).map_gen(|(core, widths, module, any)| {
        let (core, lanes, form, signature, dense, to, mode, csr) = core;
        let (verdict_width, counter_width, flows, id_width, dest_width, user_width) = widths;
        let is = |wanted| core.unwrap_or_default() == wanted || any % 8 == 0;
        let [decoder, validator, encoder, sanitiser] = CORES.map(is);
        let judges = validator || encoder || sanitiser;
        Request {
            core,
            lanes,
            form,
            signature: signature
                .filter(|&asked| decoder || sanitiser || validator && asked == Signature::Reject),
            forbid: (validator && any % 3 == 1).then(|| {
                CLASSES[usize::from(any / 16) % CLASSES.len()]
                    .parse()
                    .expect("classes")
            }),
            edges: (validator && any % 7 == 1).then_some(Edges::Open),
            verdict: (validator && any % 7 < 2).then_some(Extent::Full),
            window: ((validator || sanitiser) && any % 11 < 2).then_some(any % 11 == 1),
            frames: (validator && any % 13 < 3).then_some(any % 13 > 0),
            ports: (validator && any % 13 == 1 && any % 2 == 1).then(|| {
                PORTS[usize::from(any / 32) % PORTS.len()]
                    .parse()
                    .expect("ports")
            }),
            dense: dense.filter(|_| decoder),
            to: to.filter(|_| decoder),
            from: to.filter(|_| encoder),
            on_error: (encoder && any % 2 == 0).then_some(OnError::Omit),
            replace: (sanitiser && any % 4 < 3).then_some(Replace::Ascii),
            grammar: (any % 5 == 0 && !sanitiser).then_some(Grammar::Rfc2279),
            mode: mode.filter(|_| validator),
            drop_bytes: (validator && (mode == Some(Mode::Drop) || any % 16 == 3))
                .then_some(usize::from(any) * 37)
                .filter(|_| any % 4 > 0),
            early_bad: (validator && (mode == Some(Mode::Pass) || any % 16 == 5))
                .then_some(any % 3 > 0)
                .filter(|_| any % 4 > 1),
            verdict_width: verdict_width.filter(|_| judges),
            counter_width: counter_width.filter(|_| judges),
            flows: flows.filter(|_| validator && any % 2 == 0),
            csr: csr.filter(|_| validator),
            depth: match any % 4 {
                0 => Some(Depth::Min),
                1 => Some(Depth::Clocks(usize::from(any / 4))),
                _ => None,
            },
            beat_error: (any % 3 == 0).then_some(any % 5 != 0),
            id_width,
            dest_width,
            user_width,
            module,
        }
    })
}
