//! The language of stages: a block states what each signal is at each stage, and all the rest is made from that.

mod assign;
mod body;
mod carry;
mod lines;
mod lists;
mod reader;
mod signals;
mod syntax;
mod write;

use proc_macro2::TokenStream;
use syn::Result;

pub fn stages(text: TokenStream) -> Result<TokenStream> {
    write::write(syn::parse2(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> std::result::Result<String, String> {
        let text = text.parse().expect("it is Rust");
        let made = stages(text).map_err(|error| error.to_string())?;
        Ok(made.to_string().replace([' ', '\n'], ""))
    }

    fn block(body: &str) -> String {
        format!(
            "block B<const N: usize> {{ beat valid, last; in valid, last: Bit @ 0; in x @ 0; {body} }}"
        )
    }

    #[test]
    fn a_signal_that_is_read_later_is_delayed_by_itself() {
        let made = made(&block("stage 1 { y = !x; } stage 4 { z = x & y; }")).expect("right");
        // x from 0 to 3 is one delay, y from 1 to 3 another.
        for line in [
            "self.s1_y.d.next=!self.x.val();",
            "self.delay_x_3.x.next=self.x.val();",
            "self.delay_y_3.x.next=self.s1_y.q.val();",
            "self.s4_z.d.next=self.delay_x_3.y.val()&self.delay_y_3.y.val();",
            "delay_x_3:crate::primitives::delay::DelayLine::new(cuts.between(0i32,3i32))",
        ] {
            assert!(made.contains(line), "{line} in {made}");
        }
    }

    #[test]
    fn one_byte_before_moves_with_its_beat() {
        let made = made(&block(
            "stage 2 { y = x & before(x); z = before(before(x)); }",
        ))
        .expect("right");
        for line in [
            "self.s2_before_x.x.next=self.s1_x.q.val();",
            "self.s2_before_x.advance.next=self.s1_valid.q.val();",
            "self.s2_before_x.clear.next=self.s1_last.q.val();",
            "self.s2_before_x_2.x.next=self.s2_before_x.y.val();",
            "self.s2_y.d.next=self.s1_x.q.val()&self.s2_before_x.y.val();",
            "self.s2_z.d.next=self.s2_before_x_2.y.val();",
        ] {
            assert!(made.contains(line), "{line} in {made}");
        }
        assert_eq!(made.matches("self.s2_before_x.x.next").count(), 1, "{made}");
    }

    #[test]
    fn a_state_keeps_what_it_has() {
        let text = "stage 1 { state y = if valid { x }; state z: Bit = valid & was(z); } stage 2 { w = y; }";
        let made = made(&block(text)).expect("right");
        for line in [
            "ifself.valid.val(){self.s1_y.d.next=self.x.val();}",
            "self.s1_y.d.next=self.was_s1_y.q.val();",
            "self.s1_z.d.next=self.valid.val()&self.was_s1_z.q.val();",
            "self.was_s1_z.d.next=self.s1_z.q.val();",
            "s1_z:crate::primitives::DFF::staged(cuts.has(1i32))",
            "was_s1_z:crate::primitives::DFF::staged(!cuts.has(1i32))",
            "s2_w:crate::primitives::DFF::staged(cuts.has(2i32))",
        ] {
            assert!(made.contains(line), "{line} in {made}");
        }
    }

    #[test]
    fn a_stage_may_take_several_clocks() {
        let text = "stage 1 { y = x; } stage 2 takes 3 { part p: P = { x: y } -> Bits<8>; }
            stage 5 { z = y; n: Bits<8> = p + 1; }";
        let made = made(&block(text)).expect("right");
        for line in [
            "self.delay_y_4.x.next=self.s1_y.q.val();",
            "DelayLine::new(cuts.between(1i32,4i32)-cuts.between(2i32-1,2i32)+(3))",
            "delay_p_4:crate::primitives::delay::DelayLine<Bits<8>>",
            "self.s5_n.d.next=self.delay_p_4.y.val()+1;",
        ] {
            assert!(made.contains(line), "{line} in {made}");
        }
    }

    #[test]
    fn a_reset_clears_a_mark_wherever_it_is() {
        let text =
            "in reset: Bit; stage 1 { mark m: Bit = valid; } stage 3 { y = if m { x } else { 0 }; }
            stage 8 { z = if m { x } else { 0 }; }";
        let made = made(&block(text)).expect("right");
        for line in [
            "ifself.reset.val(){self.s1_m.d.next=false;}else{self.s1_m.d.next=self.valid.val();}",
            "ifself.reset.val(){self.s2_m.d.next=false;}else{self.s2_m.d.next=self.s1_m.q.val();}",
            "self.delay_m_7.reset.next=self.reset.val();",
            "self.delay_m_7.x.next=self.s2_m.q.val();",
        ] {
            assert!(made.contains(line), "{line} in {made}");
        }
    }

    #[test]
    fn what_is_of_no_beat_is_read_as_it_is() {
        let text = "given most: Bits<4> = 9.into();
            always { state n: Bits<4> = if n == most { 0 } else { n + 1 }; let full: Bit = n == most; }
            stage 1 { y = if full { x } else { 0 }; } out count: Bits<4> = n;";
        let made = made(&block(text)).expect("right");
        for line in [
            "ifself.n.q.val()==self.most.val(){self.n.d.next=0.into();}else{self.n.d.next=self.n.q.val()+1;}",
            "ifself.full.val(){self.s1_y.d.next=self.x.val();}",
            "self.count.next=self.n.q.val();",
            "most:Constant<Bits<4>>",
        ] {
            assert!(made.contains(line), "{line} in {made}");
        }
    }

    #[test]
    fn lines_may_stand_for_each_of_a_list() {
        let text = "in w[i in 0..4]: Bits<3> @ 0; stage 1 { for i in 0..4 { s: Bits<3> = w[i] + 1;
            part p: P(i) = { x: if i == 0 { valid } else { was(p[i - 1].z) } }; } }
            stage 2 { let v: Bit = p[i].z.or(true); }
            stage 4 { t: Bits<3> = s[2]; u: Bit = [valid, last]; part q: Q = { x[i in 0..2]: s[i] }; } out o[i in 0..4]: Bits<3> = s[i] @ 4;";
        let made = made(&block(text)).expect("right");
        for line in [
            "foriin0..4{self.s1_s[i].clock.next=self.clock.val();self.s1_s[i].d.next=self.w[i].val()+1;}",
            "foriin0..1{self.s1_p[i].clock.next=self.clock.val();self.s1_p[i].x.next=self.valid.val();}",
            "foriin1..self.s1_p.len(){self.s1_p[i].clock.next=self.clock.val();self.s1_p[i].x.next=self.s1_p[i-1].z.val();}",
            "foriin0..4{self.delay_s_3[i].x.next=self.s1_s[i].q.val();",
            "self.s4_t.d.next=self.delay_s_3[2].y.val();",
            "foriin1usize..1usize+1{self.s4_u[i].clock.next=self.clock.val();self.s4_u[i].d.next=self.delay_last_3.y.val();}",
            "foriin0..2{self.s4_q.x[i].next=self.delay_s_3[i].y.val();}",
            "self.v.next=true;foriin0..self.s1_p.len(){self.v.next=self.s1_p[i].z.val();}",
            "foriin0..4{self.o[i].next=self.s4_s[i].q.val();}",
            "s1_p:crate::primitives::several(4,|i|<P>::new(i))",
            "pubw:Vec<Signal<In,Bits<3>>>",
        ] {
            assert!(made.contains(line), "{line} in {made}");
        }
    }

    #[test]
    fn what_is_given_is_a_constant_if_it_has_bits() {
        let text =
            "given width: usize; given most: Bits<N> = width.into(); stage 1 { y = x & most; }";
        let made = made(&block(text)).expect("right");
        for line in [
            "most:Constant<Bits<N>>",
            "pubfnnew(cuts:crate::primitives::Cuts,width:usize)",
            "letmost=width.into();",
            "self.s1_y.d.next=self.x.val()&self.most.val();",
        ] {
            assert!(made.contains(line), "{line} in {made}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (bad, said) in [
            ("stage 1 { y = w; }", "`w` is not known"),
            (
                "stage 1 { y = x; z = y; }",
                "`y` is of stage 1, and this is read at stage 0",
            ),
            (
                "stage 1 { y = x; } stage 1 { z = x; }",
                "stages stand in their order",
            ),
            ("stage 1 { y = x; y = x; }", "`y` is there already"),
            ("stage 1 { y = if valid { x }; }", "else"),
            ("stage 1 { y = x & was(y); }", "is no state"),
            ("stage 1 { y = after(x); }", "no such function"),
            ("stage 1 { y = before(x) & before_any(x); }", "not by both"),
            (
                "stage 1 { part p: P = { x }; y = p.z; }",
                "`p` is of stage 1, and this is read at stage 0",
            ),
            ("stage 1 { part p: P = { x: { x } }; }", "no value"),
            ("stage 1 takes 2 { y = x; }", "takes several clocks"),
            ("stage 1 { mark y: Bit = valid; }", "clears a mark"),
            ("always { y = x; }", "is read always"),
            (
                "stage 1 { for i in 0..3 { y = x; } } stage 2 { z = y; }",
                "is a list",
            ),
            ("stage 1 { for i in 1..3 { y = x; } }", "over 0..COUNT"),
            (
                "stage 1 { y = x; } stage 2 { z = y[2]; }",
                "no part's output",
            ),
        ] {
            let error = made(&block(bad)).expect_err(bad);
            assert!(error.contains(said), "{bad}: {error}");
        }
        let error = made("block B<const N: usize> { in x @ 0; stage 1 { y = before(x); } }");
        assert!(error.expect_err("no beat").contains("no `beat"));
    }
}
