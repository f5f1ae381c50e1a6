//! Reads what a verilated core counts: each line, branch and bit of its Verilog.
//!
//! Instances of a module are counted together; those of a module with parameters, if they have the same name.

use super::hits::{Hits, LINES, TOGGLES};
use std::collections::BTreeMap;

/// The counts in a coverage file of the core `module`; else the line that is not understood.
pub fn read(text: &str, module: &str) -> Result<Hits, String> {
    let mut sums: BTreeMap<(&'static str, String), u64> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (group, point, count) = parse(line, module).ok_or_else(|| line.to_string())?;
        *sums.entry((group, point)).or_default() += count;
    }
    let mut hits = Hits::default();
    for ((group, point), count) in sums {
        // Every change counts, and there is a first one if the bit is never 0: two are a way there and back.
        let count = if group == TOGGLES { count / 2 } else { count };
        hits.add(group, point, count);
    }
    Ok(hits)
}

/// A line is `C 'KEYS' COUNT`, and each key `\x01NAME\x02VALUE`.
fn parse(line: &str, module: &str) -> Option<(&'static str, String, u64)> {
    let (keys, count) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let count: u64 = count.parse().ok()?;
    let value = |name: &str| {
        let mut keys = keys.split('\x01').filter_map(|key| key.split_once('\x02'));
        keys.find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let (page, of) = value("page")?.split_once('/')?;
    let place = match place(of, module) {
        // Verilator gives it a name of its own for each choice of parameters.
        place if place.contains("__") => value("h")?.rsplit('.').next()?,
        place => place,
    };
    let what = value("o")?;
    Some(match page {
        "v_toggle" => (TOGGLES, format!("{place}.{what}"), count),
        _ => (
            LINES,
            format!("{place}, {what} in line {}", value("l")?),
            count,
        ),
    })
}

/// The name of a module of the core `core` among its points. An instance of a module with parameters stands there by its own name.
pub fn place<'a>(module: &'a str, core: &str) -> &'a str {
    match module.strip_prefix(core) {
        Some("") => "top",
        Some(inner) => inner.strip_prefix('_').unwrap_or(module),
        None => module,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(page: &str, what: &str, count: u64) -> String {
        line_of("TOP.m", page, what, count)
    }

    fn line_of(instance: &str, page: &str, what: &str, count: u64) -> String {
        format!(
            "C '\x01f\x02dut.v\x01l\x0223\x01n\x025\x01page\x02{page}\x01o\x02{what}\x01h\x02{instance}' {count}"
        )
    }

    #[test]
    fn a_bit_has_to_go_there_and_back() {
        let text = format!(
            "# SystemC::Coverage-3\n{}\n{}\n{}\n",
            line("v_toggle/m", "a[0]", 1),
            line("v_toggle/m_fifo", "b", 2),
            line("v_branch/m_fifo", "else", 1)
        );
        let hits = read(&text, "m").expect("it is understood");
        let told: Vec<(&str, &str, u64)> = hits.iter().collect();
        assert_eq!(
            told,
            [
                (TOGGLES, "fifo.b", 1),
                (TOGGLES, "top.a[0]", 0),
                (LINES, "fifo, else in line 23", 1)
            ]
        );
    }

    #[test]
    fn instances_are_counted_together() {
        let text = [
            line_of("TOP.m.even", "v_toggle/m_bank", "a", 1),
            line_of("TOP.m.odd", "v_toggle/m_bank", "a", 1),
            line_of("TOP.m.late", "v_toggle/m_delay__pi1", "x[0]", 2),
            line_of("TOP.m.even.late", "v_toggle/m_delay__pi2", "x[0]", 4),
            line_of("TOP.m.other", "v_toggle/m_delay__pi1", "x[0]", 1),
        ];
        let hits = read(&text.join("\n"), "m").expect("it is understood");
        let expected = [
            (TOGGLES, "bank.a", 1),
            (TOGGLES, "late.x[0]", 3),
            (TOGGLES, "other.x[0]", 0),
        ];
        assert_eq!(hits.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_is_no_count_is_told() {
        for text in ["C '' 1", "nonsense", &line("v_toggle", "a", 1)] {
            assert_eq!(read(text, "m"), Err(text.to_string()));
        }
    }
}
