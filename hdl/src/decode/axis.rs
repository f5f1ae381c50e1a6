//! The AXI4-Stream form of `decode`: the same pipeline, with backpressure by credits.
//!
//! A beat is accepted only if the output FIFO has a word for it whatever happens, so the pipeline itself never stalls and no
//! stall net exists. `s_axis_tready` comes from a register, `m_axis_tready` goes to the FIFO's read side only, and no path
//! leads from one to the other.
//!
//! # Latency
//! [`super::pipeline::PIPELINE_LATENCY`] and [`FIFO_LATENCY`] clocks; a beat in every clock while the sink takes one.

use super::beat::UnpackBeat;
use super::events::SignatureRule;
use super::pipeline::Pipeline;
use crate::primitives::Memory;
use rust_hdl::prelude::*;

/// Clocks that the output FIFO adds.
pub const FIFO_LATENCY: usize = 2;
/// Address bits of the output FIFO. Its 32 words are more than the clocks from acceptance to a credit's return (19), so
/// credits never hold back a stream that the sink takes.
pub const FIFO_ADDRESS_BITS: usize = 5;
/// `tready` falls while fewer words than this are unpromised: three beats may enter before the count shows the first of
/// them, and a full FIFO would look empty.
pub const MARGIN: u64 = 4;

/// `decode` as an AXI4-Stream block.
#[derive(LogicBlock)]
pub struct DecodeAxis<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const BEAT: usize,
    const WORDS: usize,
    const KEEP: usize,
    const USER: usize,
> {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tready: Signal<Out, Bit>,
    pub s_axis_tdata: Signal<In, Bits<DATA>>,
    pub s_axis_tkeep: Signal<In, Bits<N>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub m_axis_tvalid: Signal<Out, Bit>,
    pub m_axis_tready: Signal<In, Bit>,
    pub m_axis_tdata: Signal<Out, Bits<WORDS>>,
    pub m_axis_tkeep: Signal<Out, Bits<KEEP>>,
    pub m_axis_tlast: Signal<Out, Bit>,
    pub m_axis_tuser: Signal<Out, Bits<USER>>,
    pipeline: Pipeline<N, DATA, SCALARS, BEAT>,
    unpack: UnpackBeat<N, BEAT, WORDS, KEEP, USER>,

    // Credits: words of the FIFO that are not promised to a beat.
    ready: DFF<Bit>,
    accept: Signal<Local, Bit>,
    accepted: DFF<Bit>,
    room: DFF<Bits<6>>,
    room_taken: Signal<Local, Bits<6>>,
    room_retired: Signal<Local, Bits<6>>,
    all_room: Constant<Bits<6>>,
    margin: Constant<Bits<6>>,

    // The FIFO: a word has left it when it is in the output register.
    fifo: Memory<BEAT, FIFO_ADDRESS_BITS>,
    write_address: DFF<Bits<FIFO_ADDRESS_BITS>>,
    read_address: DFF<Bits<FIFO_ADDRESS_BITS>>,
    filled: Signal<Local, Bit>,
    read: Signal<Local, Bit>,
    was_read: DFF<Bit>,
    out_valid: DFF<Bit>,
    out_beat: DFF<Bits<BEAT>>,
}

impl<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const BEAT: usize,
    const WORDS: usize,
    const KEEP: usize,
    const USER: usize,
> DecodeAxis<N, DATA, SCALARS, BEAT, WORDS, KEEP, USER>
{
    pub fn new(rule: SignatureRule) -> Self {
        Self {
            pipeline: Pipeline::new(rule),
            all_room: Constant::new((1u64 << FIFO_ADDRESS_BITS).into()),
            margin: Constant::new(MARGIN.into()),
            clk: Default::default(),
            rst: Default::default(),
            s_axis_tvalid: Default::default(),
            s_axis_tready: Default::default(),
            s_axis_tdata: Default::default(),
            s_axis_tkeep: Default::default(),
            s_axis_tlast: Default::default(),
            m_axis_tvalid: Default::default(),
            m_axis_tready: Default::default(),
            m_axis_tdata: Default::default(),
            m_axis_tkeep: Default::default(),
            m_axis_tlast: Default::default(),
            m_axis_tuser: Default::default(),
            unpack: Default::default(),
            ready: Default::default(),
            accept: Default::default(),
            accepted: Default::default(),
            room: Default::default(),
            room_taken: Default::default(),
            room_retired: Default::default(),
            fifo: Default::default(),
            write_address: Default::default(),
            read_address: Default::default(),
            filled: Default::default(),
            read: Default::default(),
            was_read: Default::default(),
            out_valid: Default::default(),
            out_beat: Default::default(),
        }
    }
}

impl<
    const N: usize,
    const DATA: usize,
    const SCALARS: usize,
    const BEAT: usize,
    const WORDS: usize,
    const KEEP: usize,
    const USER: usize,
> Logic for DecodeAxis<N, DATA, SCALARS, BEAT, WORDS, KEEP, USER>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            ready,
            accepted,
            room,
            write_address,
            read_address,
            was_read,
            out_valid,
            out_beat
        );

        self.accept.next = self.s_axis_tvalid.val() & self.ready.q.val();
        self.pipeline.clock.next = self.clk.val();
        self.pipeline.reset.next = self.rst.val();
        self.pipeline.valid.next = self.accept.val();
        self.pipeline.data.next = self.s_axis_tdata.val();
        self.pipeline.keep.next = self.s_axis_tkeep.val();
        self.pipeline.last.next = self.s_axis_tlast.val();

        // Credits: one is spent by a beat that enters, and returns when the beat leaves the FIFO or retires unsent.
        self.accepted.d.next =
            self.accept.val() & (self.s_axis_tlast.val() | self.s_axis_tkeep.val().any());
        if self.accepted.q.val() {
            self.room_taken.next = self.room.q.val() - 1;
        } else {
            self.room_taken.next = self.room.q.val();
        }
        if self.pipeline.retired.val() {
            self.room_retired.next = self.room_taken.val() + 1;
        } else {
            self.room_retired.next = self.room_taken.val();
        }
        if self.was_read.q.val() {
            self.room.d.next = self.room_retired.val() + 1;
        } else {
            self.room.d.next = self.room_retired.val();
        }
        self.ready.d.next = self.room.q.val() >= self.margin.val();

        // The FIFO.
        self.fifo.clock.next = self.clk.val();
        self.fifo.write.next = self.pipeline.out_valid.val();
        self.fifo.write_address.next = self.write_address.q.val();
        self.fifo.write_data.next = self.pipeline.beat.val();
        self.fifo.read_address.next = self.read_address.q.val();
        if self.pipeline.out_valid.val() {
            self.write_address.d.next = self.write_address.q.val() + 1;
        }
        self.filled.next = self.write_address.q.val() != self.read_address.q.val();
        self.read.next = self.filled.val() & (!self.out_valid.q.val() | self.m_axis_tready.val());
        self.was_read.d.next = self.read.val();
        if self.read.val() {
            self.read_address.d.next = self.read_address.q.val() + 1;
            self.out_beat.d.next = self.fifo.read_data.val();
        }
        self.out_valid.d.next =
            self.filled.val() | (self.out_valid.q.val() & !self.m_axis_tready.val());

        if self.rst.val() {
            self.ready.d.next = false;
            self.accepted.d.next = false;
            self.room.d.next = self.all_room.val();
            self.write_address.d.next = 0.into();
            self.read_address.d.next = 0.into();
            self.was_read.d.next = false;
            self.out_valid.d.next = false;
        }

        self.s_axis_tready.next = self.ready.q.val();
        self.unpack.beat.next = self.out_beat.q.val();
        self.m_axis_tvalid.next = self.out_valid.q.val();
        self.m_axis_tdata.next = self.unpack.data.val();
        self.m_axis_tkeep.next = self.unpack.keep.val();
        self.m_axis_tlast.next = self.unpack.last.val();
        self.m_axis_tuser.next = self.unpack.user.val();
    }
}
