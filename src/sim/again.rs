//! What is told of a mismatch, and the command that shows it again.

use super::Sim;
use crate::names::quoted;
use crate::stimulus::Resolved;
use ::sim::campaign::{Campaign, Plan};
use ::sim::engine::EngineKind;
use ::sim::mismatch::Mismatch;
use ::sim::texts::Texts;
use hdl::emit::files::temporary_in;
use serde_json::{Value, json};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// A mismatch for people, and for the JSON document.
pub struct Told {
    pub text: String,
    pub json: Value,
}

impl Sim {
    /// Everything that helps with a mismatch: both sides, a waveform, and how to see it again.
    pub fn tell(
        &self,
        mismatch: &Mismatch,
        resolved: &Resolved,
        kind: EngineKind,
        plan: Option<&Plan>,
    ) -> Told {
        let mut command = format!("runegate sim {}", self.arguments(resolved, kind, plan));
        let mut name = format!("{}_mismatch", resolved.config.module);
        if let Some(Plan { shard, .. }) = plan
            && shard.of > 1
        {
            command += &format!(" --shard {}/{}", shard.number, shard.of);
            // Shards that run side by side do not share a file.
            name += &format!("_{}", shard.number);
        }
        let path = PathBuf::from(name + ".vcd");
        let waveform = write_waveform(mismatch, &path);
        let mut inputs = self.files.iter().chain(&self.traffic.pcap);
        let stdin = inputs.clone().count() == 0 || inputs.any(|input| input.as_os_str() == "-");
        let given = if stdin && plan.is_none() {
            ", with the same standard input"
        } else {
            ""
        };
        let waveform_line = match &waveform {
            Ok(()) => format!("  waveform of the clocks around it: {}", path.display()),
            Err(error) => format!("  its waveform could not be written to {path:?}: {error}"),
        };
        let differences: Vec<Value> = mismatch
            .differences
            .iter()
            .map(|difference| {
                json!({"pin": difference.pin, "model": difference.model, "dut": difference.dut})
            })
            .collect();
        Told {
            text: format!("{mismatch}{waveform_line}\n  again{given}: {command}"),
            json: json!({
                "cycle": mismatch.cycle,
                "byte": mismatch.byte,
                "packet": mismatch.packet,
                "offset": mismatch.offset,
                "pins": differences,
                "waveform": waveform.is_ok().then_some(path),
                "command": command,
            }),
        }
    }

    /// The arguments that run the same clocks again, but for the shard.
    pub fn arguments(&self, resolved: &Resolved, kind: EngineKind, plan: Option<&Plan>) -> String {
        let pattern = &resolved.pattern;
        let mut words = vec![format!(
            "--engine {} {} --seed {}",
            kind.name(),
            resolved.config.arguments(),
            pattern.seed
        )];
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("--{name} {value}")));
        };
        // What a random campaign has by itself must be written even if it has none of it.
        let is_random = plan.is_some_and(|plan| plan.campaign == Campaign::Random);
        let number = |value: f64| (value > 0.0 || is_random).then(|| value.to_string());
        option("idle", number(pattern.idle.share));
        option("idle-burst", pattern.idle.burst.map(|b| b.to_string()));
        option("stall", number(pattern.stall.share));
        option("stall-burst", pattern.stall.burst.map(|b| b.to_string()));
        option("late-last", number(pattern.late_last));
        option("null-beats", number(pattern.null_beats));
        option("resets", number(pattern.reset));
        option("accesses", number(pattern.accesses));
        let has_texts =
            resolved.config.core.policy().takes_windows() && pattern.texts != Texts::OfSource;
        option("text", has_texts.then(|| pattern.texts.to_string()));
        option("split", self.run.split.clone());
        option(
            "stimulus",
            plan.map(|plan| plan.campaign.name().to_string()),
        );
        option("count", plan.map(|plan| plan.count.to_string()));
        option("verilog", self.verilog.as_deref().map(quoted));
        option(
            "netlist",
            self.netlist.map(|family| family.name().to_string()),
        );
        option("pcap", self.traffic.pcap.as_deref().map(quoted));
        for (name, value) in self.traffic.arguments(self.clock.clock) {
            option(name, value);
        }
        words.extend(self.files.iter().map(|file| quoted(file)));
        words.join(" ")
    }
}

/// Writes it whole, or not at all.
fn write_waveform(mismatch: &Mismatch, path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(temporary_in(Path::new("."))?);
    mismatch.write_vcd(&mut file)?;
    let file = file.into_inner().map_err(|error| error.into_error())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
