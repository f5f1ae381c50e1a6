//! Reads what a verilated core counts: each line, branch and bit of its Verilog.
//!
//! Instances of a module are counted together, as Verilator does.

use super::{Hits, LINES, TOGGLES};

/// The counts in a coverage file of the core `module`; else the line that is not understood.
pub fn read(text: &str, module: &str) -> Result<Hits, String> {
    let mut hits = Hits::default();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (group, point, count) = parse(line, module).ok_or_else(|| line.to_string())?;
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
    let place = place(of, module);
    let what = value("o")?;
    Some(match page {
        // Every change counts, and there is a first one if the bit is never 0: two are a way there and back.
        "v_toggle" => (TOGGLES, format!("{place}.{what}"), count / 2),
        _ => (
            LINES,
            format!("{place}, {what} in line {}", value("l")?),
            count,
        ),
    })
}

/// The name of a module of the core `core` among its points.
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
        format!(
            "C '\x01f\x02dut.v\x01l\x0223\x01n\x025\x01page\x02{page}\x01o\x02{what}\x01h\x02TOP.m' {count}"
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
    fn what_is_no_count_is_told() {
        for text in ["C '' 1", "nonsense", &line("v_toggle", "a", 1)] {
            assert_eq!(read(text, "m"), Err(text.to_string()));
        }
    }
}
