//! The stages from bytes to the ends of pieces: see [`super`].

use super::{Rules, edges::Edges, rules::SIGNATURE_LANE, six_octets::SixOctets};
use crate::primitives::delay::ValidDelayLine;
use crate::primitives::fanout::{Clearing, Fanout, HoldRegister, REGION, Relay, Replicas, is_far};
use crate::primitives::wires::{Broadcast, BytePlanes, Lane, LaneAhead, Unstack};
use hdl_macros::stages;
use rust_hdl::prelude::*;

stages! {
    /// From bytes to the ends of pieces: of well-formed sequences, and of ill-formed parts that each become one U+FFFD. `DATA` is `8 * N`.
    pub block Pieces<const N: usize, const DATA: usize> {
        given rules: Rules;
        given strip, is_utf16, is_2279, opens, has_window: bool = rules;
        given clears: bool = rules.clearing == Clearing::AtOnce;
        given clears_later: bool = rules.clearing == Clearing::Later;
        /// With stage 11 it would take a clock more.
        given clears_leaving: bool = clears_later && cuts.has(11);
        given is_far: bool = is_far(N);
        /// Clocks to all lanes at stage 9.
        given to_lanes: usize = cuts.between(if is_far { 5 } else { 7 }, 9);

        in reset: Bit;
        /// A beat enters in this clock.
        in valid: Bit;
        in data: Bits<DATA>;
        in keep;
        in last: Bit;
        /// What marks a beat, and its packet's last one: a beat loads what `before` carries to the next one, and a packet's end clears it.
        beat valid, last;

        always {
            part six: SixOctets<N, DATA>(cuts) = {
                bytes: planes.at(0), valid: valid.at(1), last: last.at(1), cont: cont.at(1),
                lead_ef: lead_ef.at(1), b5: b5.at(1), b4: b4.at(1), lo_0: lo_0.at(1),
                lo_0_3: lo_0_3.at(1), lo_d: lo_d.at(1), lead_2: lead_2.at(2),
                cont_8x: cont_8x.at(2), cont_ab: cont_ab.at(2), fill: fill.at(9),
            };
            part edges: Edges<N>(cuts) = {
                present: present.at(0), valid: valid.at(1), last: last.at(1), cont: cont.at(1),
                consumed: consumed.at(8), arrival: valid.at(9), alone: slot_alone.at(10),
                open: slot_open.at(10), after: ahead_present.at(10), more: ahead_consumed.at(10),
            };
        }
        stage 0 "the input register" {
            wires first_lane: Lane<N>(0) = { x: keep };
            /// A beat that has no byte and ends no packet is no beat; what has one has one in lane 0.
            valid: Bit = if has_window { valid } else { valid & (last | first_lane) };
            last: Bit = valid & last;
            /// A reset comes in as the end of all packets.
            clear: Bit = reset;
            /// Without a beat, AXI leaves these undefined. No lane is gated: nothing after here leans on what is no beat's.
            present = keep;
            data: Bits<DATA> = data;
        }

        stage 1 "functions of each nibble" {
            wires planes: BytePlanes<N, DATA> = { data };
            /// The bits of each byte.
            wires b: Unstack<N, 8, DATA> = { x: planes };
            /// A beat, or a reset in its place.
            valid: Bit = valid | clear;
            last: Bit = last | clear;
            /// 80..FF; of no meaning without a byte.
            high = b[7];
            /// 80..BF: a continuation byte.
            cont = b[7] & !b[6] & present;
            /// C0..DF, and E0..FF: leading bytes and what is like them.
            lead_cd = b[7] & b[6] & !b[5] & present;
            lead_ef = b[7] & b[6] & b[5] & present;
            b5 = b[5];
            b4 = b[4];
            /// The low nibble: 0, 0 to 1, 0 to 3, 0 to 4, 1 to 4, B, D, F. RFC 2279: The low nibble: 0, 0 to 1, 0 to 3, B, D, F.
            lo_0 = !(b[3] | b[2] | b[1] | b[0]);
            lo_0_1 = !(b[3] | b[2] | b[1]);
            lo_0_3 = !(b[3] | b[2]);
            lo_0_4 = !(b[3] | (b[2] & (b[1] | b[0])));
            lo_1_4 = !b[3] & (b[2] ^ (b[1] | b[0]));
            lo_b = b[3] & !b[2] & b[1] & b[0];
            lo_d = b[3] & b[2] & !b[1] & b[0];
            lo_f = b[3] & b[2] & b[1] & b[0];
            /// Of the kind that a byte of E0..FF can cause: bit 0 is clear, bit 2 is set.
            even = if is_2279 { (b[4] & b[1]) | (!b[4] & b[0]) }
                else { (b[4] & b[3]) | (!b[4] & b[0]) };
            four = if is_2279 { !b[4] & b[0] } else { (b[4] & !b[3] & b[2]) | (!b[4] & b[0]) };
        }

        stage 2 "products of those" {
            /// 80..8F, 90..9F, A0..BF: the second bytes that Table 3-7 of the Unicode Standard distinguishes. RFC 2279: 80..8F and A0..BF.
            cont_8x = cont & !b5 & !b4;
            cont_9x = cont & !b5 & b4;
            cont_ab = cont & b5;
            /// C2..DF; E0..EF and F0..F4. RFC 2279: C2..DF.
            lead_2 = lead_cd & (b4 | !lo_0_1);
            lead_3up = lead_ef & (!b4 | lo_0_4);
            /// Of three bytes and more, those that accept second bytes of 80..8F, 90..9F, A0..BF.
            long_8x = lead_ef & ((b4 & lo_1_4) | (!b4 & !lo_0));
            long_9x = lead_ef & ((b4 & lo_0_3) | (!b4 & !lo_0));
            long_ab = lead_ef & ((b4 & lo_0_3) | (!b4 & !lo_d));
            /// The kind that the byte causes, bit by bit: stray_continuation 1; invalid_byte 2 (F8..FF); overlong 3 (C0, C1, E0, F0); surrogate
            /// 4 (ED); too_large 5 (F4..F7). RFC 2279: The kind that the byte causes, bit by bit: stray_continuation 1; invalid_byte 2 (FE, FF);
            /// overlong 3 (C0, C1, E0, F0, F8, FC); surrogate 4 (ED). A leading byte causes it by a second byte that it does not take, others by
            /// themselves. Of a byte that causes none the value does not matter. Truncated, 6 and 7, comes of what follows (stages 11 and 12).
            own_0 = !(lead_ef & even);
            own_1 = lead_cd | (lead_ef & !four);
            own_2 = lead_ef & four;
            /// The three bytes of the signature (RFC 3629 section 6). RFC 2279: The three bytes of the signature.
            is_ef = lead_ef & !b4 & lo_f;
            is_bb = cont & b5 & b4 & lo_b;
            is_bf = cont & b5 & b4 & lo_f;
        }

        stage 3 "sums of the products, which are the classes" {
            /// Leading bytes C2..DF, E0..EF, F0..F4, by the ranges of second bytes that they accept.
            takes_8x = lead_2 | long_8x;
            takes_9x = lead_2 | long_9x;
            takes_ab = lead_2 | long_ab;
            /// Any leading byte.
            lead = lead_2 | lead_3up;
            /// C0, C1, F5..FF: ill-formed wherever they stand; of no meaning without a byte. RFC 2279: C0, C1, FE, FF; of no meaning without a byte.
            never = if is_2279 { high & !cont & !lead_2 & !six.lead_3up }
                else { high & !cont & !lead_2 & !lead_3up };
            /// Always clear: a packet ends with a beat. Synthesis does not see that, so copies of a register that look at it are not merged.
            last_only: Bit = last & !valid;
        }

        stage 4 "whether the byte before takes this one as its second" {
            /// Where stage 3 has no registers this has one, for the way to all copies is long.
            part apart: ValidDelayLine((is_2279 || !cuts.has(3)).into()) = { reset, x: last_only };
            taken_89 = (cont_8x & before(takes_8x)) | (cont_9x & before(takes_9x));
            taken_ab = cont_ab & before(takes_ab);
            /// Towards a signature: BF after BB. EF two before; none three before.
            bb_bf = is_bf & before(is_bb);
            after_ef = before(is_ef);
            after_1 = before(present);
        }

        stage 5 "second bytes" {
            /// The same where stage 4 has none.
            part later_apart: ValidDelayLine(usize::from(!cuts.has(4))) = { reset, x: last_only };
            /// Clear until every beat from before a reset has passed this stage. The proofs look at it.
            part rested: ValidDelayLine(cuts.between(-1, 5)) = { reset, x: true };
            second = taken_89 | taken_ab;
            /// A second byte that a third must follow. A packet's first byte is no second one, so what is carried need not be cleared.
            expects_third = (taken_89 | taken_ab) & before_any(lead_3up);
            /// It is of a sequence of four bytes: its leading byte has bit 4 set.
            second_of_4 = (taken_89 | taken_ab) & before_any(lead_3up) & before_any(b4);
            /// EF, BB, BF. Nothing before them.
            ef_bb_bf = bb_bf & before_any(after_ef);
            after_2 = before_any(after_1);
        }

        stage 6 "third bytes" {
            third = cont & before(expects_third);
            expects_fourth = cont & before(second_of_4);
            /// The last byte of a signature: EF BB BF at the beginning of a packet.
            signature = ef_bb_bf & !before_any(after_2);
        }

        stage 7 "fourth bytes, and whatever expects one more" {
            /// The same for this stage.
            part rested: ValidDelayLine(cuts.between(-1, 7)) = { reset, x: true };
            fourth = cont & before(expects_fourth);
            /// A sequence that is unfinished at this byte.
            open = if is_2279 { six.open } else { lead | expects_third | expects_fourth };
        }

        stage 8 "the part that every byte plays in its sequence" {
            /// It continues the byte before it.
            consumed = if is_2279 { six.consumed } else { second | third | fourth };
            third_up = third | fourth;
            /// It has a UTF-16 unit: it ends a sequence, or is the third of four.
            gives_unit = third | fourth | (second & !open);
            part soon_rested: ValidDelayLine(cuts.between(-1, 9) - 1) = { reset, x: true };
        }

        stage 9 "what each byte is, but for look-ahead" {
            /// The same for this stage. What comes before it is set does not get into the slot.
            part rested: ValidDelayLine(cuts.between(-1, 9)) = { reset, x: true };
            /// The same in every lane.
            part every_rested: Fanout<N>(to_lanes) = {
                x: rested.at(7), early: rested.at(5), apart: apart.at(4),
            };
            /// The same for lanes that are cleared later: in registers that are clear from the clock after the reset on.
            wires all_rested: Broadcast<N> = { x: soon_rested & !reset };
            part cleared_rested: Replicas<N, 4>(1) = { x: all_rested, apart: apart.at(4) };
            wires top_open: Lane<N>(N - 1) = { x: open };
            /// The beat waits in the slot for the next byte.
            waits: Bit = top_open & !last;
            /// A byte ends a well-formed sequence if it is ASCII, or continues one that is not open any more.
            scalar = if is_utf16 & strip { (!high | gives_unit) & !signature }
                else if is_utf16 { !high | third_up | (consumed & !open) }
                else if strip { (!high | (consumed & !open)) & !signature }
                else { !high | (consumed & !open) };
            /// It is ill-formed wherever it stands.
            alone = if opens { never | edges.stray } else { never | (cont & !consumed) };
            /// A beat fills the slot. All lanes are alike: each has it from a register nearby.
            part fill: Fanout<N>(to_lanes) = {
                x: valid.at(7), early: valid.at(5), apart: apart.at(4),
            };
            wires all_wait: Broadcast<N> = { x: top_open & !last };
            /// The beat waits for the next byte, in every lane.
            part every_waits: Replicas<N, REGION>(cuts.between(8, 9)) = {
                x: all_wait, apart: apart.at(4),
            };
            wires top_open_7: Lane<N>(N - 1) = { x: open.at(7) };
            /// The same on its way to lanes that are far. It comes from the top lane, far from what fills: a register of its own.
            part far_waits: Relay<N>(cuts.between(7, 9)) = {
                x: top_open_7 & !last.at(7), apart: later_apart.at(5),
            };
        }

        stage 10 "the slot: an arrival fills it, else it keeps its beat until that may leave" {
            /// There is a beat in the slot.
            state slot_live: Bit = if reset { false }
                else { rested & (valid | (was(slot_live) & was(slot_waits))) };
            wires signature_lane: Lane<N>(SIGNATURE_LANE % N) = { x: signature };
            /// It is its packet's last; it waits for the next byte; it has the last byte of a signature.
            state slot_last: Bit = if valid { last };
            state slot_waits: Bit = if valid { waits };
            state slot_signature: Bit = if valid { signature_lane };
            /// The same in every lane: it waits for the next byte.
            part slot_every_waits: HoldRegister<N, N> = {
                fill, x: if is_far { far_waits } else { every_waits },
            };
            let are_rested = if clears_later { cleared_rested } else { every_rested };
            /// There is a beat in the slot, in every lane. A reset that does not clear all lanes at once gets here some clocks later (three
            /// at the greatest depth, five if the lanes are far), and until then they leave without `out_valid`.
            state slot_every_live = if clears { 0 }
                else { are_rested & (fill | (was(slot_every_live) & was(slot_every_waits))) };
            /// The planes of the slot's beat.
            part slot_present: HoldRegister<N, N> = { fill, x: present };
            part slot_cont: HoldRegister<N, N> = { fill, x: cont };
            part slot_consumed: HoldRegister<N, N> = { fill, x: consumed };
            part slot_scalar: HoldRegister<N, N> = { fill, x: scalar };
            part slot_open: HoldRegister<N, N> = { fill, x: open };
            part slot_alone: HoldRegister<N, N> = { fill, x: alone };
            part slot_own_0: HoldRegister<N, N> = { fill, x: own_0 };
            part slot_own_1: HoldRegister<N, N> = { fill, x: own_1 };
            part slot_own_2: HoldRegister<N, N> = { fill, x: own_2 };
            part slot_second: HoldRegister<N, N> = {
                fill, x: if is_2279 { six.even } else { second },
            };
        }

        stage 11 "which pieces end, now that the byte after is known" {
            /// The slot's beat leaves; all of its lanes do.
            let leave: Bit = slot_live & (valid.at(9) | !slot_waits);
            wires all_leave: Broadcast<N> = { x: leave };
            let leaves = if clears { all_leave }
                else { slot_every_live & (fill.at(9) | !slot_every_waits) };
            /// The byte after: beyond the last one of a packet there is nothing, else it is in the lane above.
            let same_packet: Bit = !slot_last;
            wires ahead_present: LaneAhead<N> = {
                x: slot_present, upper: present.at(9), same_packet,
            };
            wires ahead_cont: LaneAhead<N> = { x: slot_cont, upper: cont.at(9), same_packet };
            wires ahead_consumed: LaneAhead<N> = {
                x: slot_consumed, upper: consumed.at(9), same_packet,
            };
            /// A beat leaves; its lanes with a byte, none without a beat: so these gate the other planes lane by lane.
            valid: Bit = if reset { false } else { leave };
            last: Bit = slot_last;
            present = if clears & reset { 0 } else if clears_leaving {
                slot_present & leaves & cleared_rested.at(9)
            } else { slot_present & leaves };
            /// A scalar value to send ends here; an ill-formed piece ends here.
            scalar = slot_scalar;
            ill = if opens { edges.ill } else { slot_alone | (slot_open & !ahead_consumed) };
            /// The piece's kind: bits 1 and 2, and bit 0 unless both are set: then it is truncated (6 or 7), for no byte's own kind has both.
            own_0 = slot_own_0;
            kind_1 = slot_own_1 | !(slot_alone | ahead_cont);
            kind_2 = slot_own_2 | !(slot_alone | ahead_cont);
            /// A byte follows in the packet.
            followed = ahead_present;
            second = slot_second;
            consumed = slot_consumed;
            signature: Bit = slot_signature;
            /// The top lane was in an unfinished sequence when the beat left.
            waited: Bit = slot_waits;
        }

        stage 12 "what the pieces are that end in a beat" {
            valid: Bit = if reset { false } else { valid };
            last: Bit = if reset { false } else { last & valid };
            signature: Bit = if reset { false } else { signature & valid };
            present = if clears & reset { 0 } else { present };
            scalar = if clears & reset { 0 } else { scalar & present };
            ill = if clears & reset { 0 } else { ill & present };
            kind_0 = (own_0 & !(kind_1 & kind_2)) | (!followed & kind_1 & kind_2);
            wires top_ill: Lane<N>(N - 1) = { x: ill };
            wires top_second: Lane<N>(N - 1) = { x: second };
            wires top_consumed: Lane<N>(N - 1) = { x: consumed };
            low = six.low;
            wires top_low: Lane<N>(N - 1) = { x: six.low };
            /// How many bytes at the beat's end belong to a piece that has not ended: the next byte did not end its unfinished sequence.
            tail_0: Bit = waited & !top_ill & !top_second;
            tail_1: Bit = if is_2279 { waited & !top_ill & top_low }
                else { waited & !top_ill & top_consumed };
            tail_2: Bit = if is_2279 { waited & !top_ill & top_consumed & !top_low } else { false };
        }

        /// The planes of the bytes at stage 0.
        out bytes: Bits<DATA> = planes @ 0;
        out second_of_4 @ 5;
        out third_of_4 = expects_fourth @ 6;
        out valid_1: Bit = valid @ 1;
        out valid_7: Bit = valid @ 7;
        /// A beat is at stage 8, and the position of its bytes in their sequences.
        out valid_8: Bit = valid @ 8;
        out open, consumed, third_up, fourth, signature @ 8;
        /// Of the beat at stage 9: it came after any reset, is its packet's last; its lanes with a byte, and what they are.
        out enters: Bit = valid & rested @ 9;
        out last_9: Bit = last @ 9;
        out present_9 = present @ 9;
        out scalar_9 = scalar @ 9;
        out alone_9 = alone @ 9;
        out open_9 = open @ 9;
        out consumed_9 = consumed @ 9;
        /// A beat is at stage 9: it fills the slot, and the one that is there leaves. All lanes of `fill` are alike.
        out arrival: Bit = valid @ 9;
        out fill @ 9;
        /// A beat leaves; it is its packet's last; it has the last byte of a signature.
        out out_valid: Bit = valid @ 12;
        out out_last: Bit = last @ 12;
        out out_signature: Bit = signature @ 12;
        /// Its lanes with a byte.
        out present @ 12;
        /// A scalar value to send ends here; an ill-formed piece ends here, of this kind.
        out scalar, ill, kind_0, kind_1, kind_2 @ 12;
        out heads: Bits<3> = edges.heads @ 12;
        out head_1 = edges.first @ 5;
        out head_2 = edges.second @ 6;
        out head_3 = edges.third @ 7;
        out cut = edges.cut @ 12;
        /// The length of an ill-formed piece: bit 0 inverted, and bit 1.
        out second @ 12;
        out length_1 = if is_2279 { low } else { consumed } @ 12;
        /// Bit 2 of that, in RFC 2279; and the number of a byte in its sequence.
        out length_2 = if is_2279 { consumed & !low } else { 0 } @ 12;
        out later_third_up = six.third_up;
        out later_fourth_up = six.fourth_up;
        out later_fifth_up = six.fifth_up;
        out later_sixth = six.sixth;
        /// How many bytes at the beat's end belong to a piece that has not ended.
        out tail_0, tail_1, tail_2: Bit @ 12;
        /// Always clear: it keeps the copies of a register apart.
        out apart: Bit = later_apart @ 5;
    }
}
