use golden::{Event, Verdict};
use hdl::config::*;
use sim::engine::*;
use sim::lockstep::{self, Outcome};
use sim::observer::Sink;
use sim::packets::InMemory;
use sim::stimulus::*;

struct Count(u64, u64);
impl Sink for Count {
    fn event(&mut self, _: u64, _: u64, _: Event) {
        self.0 += 1;
    }
    fn packet(&mut self, _: u64, _: Verdict) {
        self.1 += 1;
    }
}

#[test]
fn smoke() {
    let mut x = 12345u64;
    let mut rnd = move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    };
    let pool = [
        0x41u8, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef,
        0xf0, 0xf1, 0xf4, 0xf5, 0xff, 0xbb, 0xef,
    ];
    for kind in EngineKind::ALL {
        for form in [Form::Axis, Form::Free] {
            for signature in [Signature::Keep, Signature::Flag, Signature::Strip] {
                let mut packets: Vec<Vec<u8>> = vec![
                    vec![],
                    b"\xEF\xBB\xBF".to_vec(),
                    b"\xEF\xBB\xBFabc".to_vec(),
                    b"\xEF\xBB".to_vec(),
                    "é€😀".into(),
                ];
                for _ in 0..300 {
                    let n = rnd() % 20;
                    packets.push(
                        (0..n)
                            .map(|_| {
                                if rnd() % 4 == 0 {
                                    rnd() as u8
                                } else {
                                    pool[rnd() as usize % pool.len()]
                                }
                            })
                            .collect(),
                    );
                }
                let config = Config::new(Core::Decode, 1, form, signature, None).unwrap();
                let verilog = hdl::emit::emit(&config).unwrap().verilog;
                for (idle, stall, late, reset) in [
                    (0.0, 0.0, 0.0, 0.0),
                    (0.3, 0.0, 0.2, 0.0),
                    (0.0, 0.5, 0.1, 0.0),
                    (0.3, 0.3, 0.3, 0.0),
                    (0.2, 0.2, 0.2, 0.05),
                ] {
                    let mut engine = start(
                        kind,
                        &Dut {
                            config: &config,
                            verilog: &verilog,
                            trace: None,
                        },
                    )
                    .unwrap();
                    let pattern = Pattern {
                        seed: 1,
                        idle: Pauses {
                            share: idle,
                            burst: None,
                        },
                        stall: Pauses {
                            share: stall,
                            burst: None,
                        },
                        late_last: late,
                        reset,
                    };
                    let mut c = Count(0, 0);
                    let o = lockstep::run(
                        &config,
                        engine.as_mut(),
                        Box::new(InMemory::new(&packets)),
                        pattern,
                        &mut c,
                        &mut |_| (),
                    )
                    .unwrap();
                    match o {
                        Outcome::Agreed(s) => println!(
                            "{} {form} {signature} {idle} {stall} {late} {reset}: {s:?} {} {}",
                            kind.name(),
                            c.0,
                            c.1
                        ),
                        Outcome::Differed(m) => panic!(
                            "{} {form} {signature} {idle} {stall} {late} {reset}\n{m}",
                            kind.name()
                        ),
                    }
                }
            }
        }
    }
}
