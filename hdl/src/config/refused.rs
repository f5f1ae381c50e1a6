//! Which options are for which core.

use super::configuration::CoreName;
use super::error::ConfigError;
use super::request::Request;

impl Request {
    /// Refuses what is not for a core.
    pub(super) fn refuse_for(&self, core: CoreName) -> Result<(), ConfigError> {
        let number = |width: Option<usize>| width.map(|width| width.to_string());
        let truth = |asked: Option<bool>| asked.map(|asked| asked.to_string());
        // Of each option, why it is not for decode, validate, encode and sanitise; empty if it is.
        let no_verdict = "it puts out events, and no verdict";
        let interleaves = "its packets do not interleave";
        let is_utf8 = "its input is UTF-8";
        let all: [(&str, Option<String>, [&str; 4]); 20] = [
            (
                "mode",
                self.mode.map(|mode| mode.to_string()),
                [
                    "its events take the place of the packet",
                    "",
                    "its bytes take the place of the packet",
                    "its bytes take the place of the packet",
                ],
            ),
            (
                "drop-bytes",
                number(self.drop_bytes),
                [
                    "it drops no packet",
                    "",
                    "it drops no packet",
                    "it repairs what is bad",
                ],
            ),
            (
                "early-bad",
                truth(self.early_bad.filter(|asked| *asked)),
                [
                    "each ill-formed piece is an event of its own",
                    "",
                    "what it puts out is well-formed",
                    "what it puts out is well-formed",
                ],
            ),
            (
                "verdict-width",
                number(self.verdict_width),
                [no_verdict, "", "", ""],
            ),
            (
                "counter-width",
                number(self.counter_width),
                [no_verdict, "", "", ""],
            ),
            (
                "flows",
                number(self.flows),
                [no_verdict, "", interleaves, interleaves],
            ),
            (
                "csr",
                truth(self.csr),
                [
                    "its registers count verdicts, and it has none",
                    "",
                    "it has no registers",
                    "it has no registers",
                ],
            ),
            (
                "to",
                self.to.map(|to| to.to_string()),
                [
                    "",
                    "it puts out no events that could have another encoding",
                    "it puts out UTF-8",
                    "it puts out UTF-8",
                ],
            ),
            (
                "dense",
                truth(self.dense),
                [
                    "",
                    "it puts out no events that could be packed",
                    "its bytes are always packed",
                    "its bytes are packed if --replace asks for it",
                ],
            ),
            (
                "signature",
                self.signature.map(|signature| signature.to_string()),
                [
                    "",
                    "",
                    "a signature is encoded like any other scalar value",
                    "",
                ],
            ),
            (
                "forbid",
                self.forbid.map(|classes| classes.to_string()),
                [
                    "it has no verdict that could tell of them",
                    "",
                    "its verdict is of words",
                    "its verdict is of what it repairs",
                ],
            ),
            (
                "edges",
                (self.edges)
                    .filter(|asked| !asked.is_default())
                    .map(|asked| asked.to_string()),
                [
                    "an event's lane shows where the piece is that is cut",
                    "",
                    "it puts whole words together",
                    "it repairs what is cut",
                ],
            ),
            (
                "verdict",
                (self.verdict)
                    .filter(|asked| !asked.is_default())
                    .map(|asked| asked.to_string()),
                [
                    "it has no verdict",
                    "",
                    "its verdict has five words, which count those it encodes",
                    "its verdict has five words",
                ],
            ),
            (
                "window",
                truth(self.window.filter(|asked| *asked)),
                [
                    "its events take the place of the packet",
                    "",
                    "its packets are words, all of which it encodes",
                    "",
                ],
            ),
            (
                "frames",
                truth(self.frames.filter(|asked| *asked)),
                [
                    "its events take the place of the packet",
                    "",
                    "its packets are words, all of which it encodes",
                    "",
                ],
            ),
            (
                "ports",
                self.ports.map(|ports| ports.to_string()),
                ["it reads no headers", "", "it reads no headers", ""],
            ),
            (
                "grammar",
                (self.grammar)
                    .filter(|asked| !asked.is_default())
                    .map(|asked| asked.to_string()),
                ["", "", "", "its output is UTF-8 as RFC 3629 has it"],
            ),
            (
                "from",
                self.from.map(|from| from.to_string()),
                [is_utf8, is_utf8, "", is_utf8],
            ),
            (
                "on-error",
                self.on_error.map(|asked| asked.to_string()),
                [
                    "each ill-formed piece is an event with U+FFFD",
                    "it changes no byte of a packet",
                    "",
                    "--replace says what an ill-formed piece becomes",
                ],
            ),
            (
                "replace",
                self.replace.map(|asked| asked.to_string()),
                [
                    "each ill-formed piece is an event with U+FFFD",
                    "it changes no byte of a packet",
                    "--on-error says what an ill-formed word becomes",
                    "",
                ],
            ),
        ];
        for (option, value, reasons) in all {
            let reason = reasons[core as usize];
            if let Some(value) = value
                && !reason.is_empty()
            {
                let cores = [
                    CoreName::Decode,
                    CoreName::Validate,
                    CoreName::Encode,
                    CoreName::Sanitise,
                ];
                let other = cores
                    .into_iter()
                    .find(|&core| reasons[core as usize].is_empty());
                return Err(ConfigError::NotForCore {
                    option,
                    value,
                    core,
                    reason,
                    other: other.expect("each option is for a core"),
                });
            }
        }
        Ok(())
    }
}
