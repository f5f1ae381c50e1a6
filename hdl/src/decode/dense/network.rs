//! Takes every event to the lane that its rank names: a butterfly, a bit of the rank a level.
//!
//! After level `k` an event is in the lane that agrees with its rank in the lowest `k` bits, and with where it came from in
//! the others. Two events cannot meet: those of a group of `2^k` lanes are neighbours in the packet, so their ranks are
//! consecutive and differ modulo `2^k`.
//!
//! # Latency
//! [`latency`] clocks, a beat in every clock.
//!
//! # Reset
//! None.

use crate::primitives::wires::{Exchange, Repeat};
use rust_hdl::prelude::*;

/// Clocks through the network.
pub const fn latency(lanes: usize) -> usize {
    lanes.ilog2() as usize
}

/// One level: an event moves to the lane `distance` away if its own lane's number and its rank differ in that bit. If there
/// are not so many lanes, it is a wire.
#[derive(LogicBlock)]
pub struct Level<const N: usize, const STACK: usize> {
    pub clock: Signal<In, Clock>,
    /// The rank's bit that this level looks at.
    pub rank_bit: Signal<In, Bits<N>>,
    pub present: Signal<In, Bits<N>>,
    pub planes: Signal<In, Bits<STACK>>,
    pub rank: [Signal<In, Bits<N>>; 7],
    pub out_present: Signal<Out, Bits<N>>,
    pub out_planes: Signal<Out, Bits<STACK>>,
    pub out_rank: [Signal<Out, Bits<N>>; 7],

    there: Constant<Bit>,
    /// Lanes whose number has the bit.
    upper: Constant<Bits<N>>,
    moves: Signal<Local, Bits<N>>,
    stays: Signal<Local, Bits<N>>,
    every_move: Repeat<N, STACK>,
    every_stay: Repeat<N, STACK>,
    move_present: Exchange<N, N>,
    move_planes: Exchange<N, STACK>,
    move_rank: [Exchange<N, N>; 7],
    next_present: DFF<Bits<N>>,
    next_planes: DFF<Bits<STACK>>,
    next_rank: [DFF<Bits<N>>; 7],
}

impl<const N: usize, const STACK: usize> Level<N, STACK> {
    pub fn new(distance: usize) -> Self {
        let upper = (0..N)
            .filter(|lane| lane & distance != 0)
            .fold(Bits::<N>::default(), |plane, lane| {
                plane.replace_bit(lane, true)
            });
        Self {
            there: Constant::new(distance < N),
            upper: Constant::new(upper),
            move_present: Exchange::new(distance),
            move_planes: Exchange::new(distance),
            move_rank: std::array::from_fn(|_| Exchange::new(distance)),
            clock: Default::default(),
            rank_bit: Default::default(),
            present: Default::default(),
            planes: Default::default(),
            rank: std::array::from_fn(|_| Default::default()),
            out_present: Default::default(),
            out_planes: Default::default(),
            out_rank: std::array::from_fn(|_| Default::default()),
            moves: Default::default(),
            stays: Default::default(),
            every_move: Default::default(),
            every_stay: Default::default(),
            next_present: Default::default(),
            next_planes: Default::default(),
            next_rank: std::array::from_fn(|_| Default::default()),
        }
    }
}

impl<const N: usize, const STACK: usize> Logic for Level<N, STACK> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, next_present, next_planes);
        self.moves.next = self.present.val() & (self.rank_bit.val() ^ self.upper.val());
        self.stays.next = self.present.val() & !(self.rank_bit.val() ^ self.upper.val());
        self.every_move.x.next = self.moves.val();
        self.every_stay.x.next = self.stays.val();
        self.move_present.x.next = self.moves.val();
        self.next_present.d.next = self.stays.val() | self.move_present.y.val();
        self.move_planes.x.next = self.planes.val() & self.every_move.y.val();
        self.next_planes.d.next =
            (self.planes.val() & self.every_stay.y.val()) | self.move_planes.y.val();
        for i in 0..7 {
            self.next_rank[i].clock.next = self.clock.val();
            self.move_rank[i].x.next = self.rank[i].val() & self.moves.val();
            self.next_rank[i].d.next =
                (self.rank[i].val() & self.stays.val()) | self.move_rank[i].y.val();
        }
        if self.there.val() {
            self.out_present.next = self.next_present.q.val();
            self.out_planes.next = self.next_planes.q.val();
        } else {
            self.out_present.next = self.present.val();
            self.out_planes.next = self.planes.val();
        }
        for i in 0..7 {
            if self.there.val() {
                self.out_rank[i].next = self.next_rank[i].q.val();
            } else {
                self.out_rank[i].next = self.rank[i].val();
            }
        }
    }
}

/// The levels in order.
#[derive(LogicBlock)]
pub struct Network<const N: usize, const STACK: usize> {
    pub clock: Signal<In, Clock>,
    pub present: Signal<In, Bits<N>>,
    pub planes: Signal<In, Bits<STACK>>,
    pub rank: [Signal<In, Bits<N>>; 7],
    pub out_present: Signal<Out, Bits<N>>,
    pub out_planes: Signal<Out, Bits<STACK>>,
    /// The event belongs to the next dense beat.
    pub wrapped: Signal<Out, Bits<N>>,
    level_1: Level<N, STACK>,
    level_2: Level<N, STACK>,
    level_3: Level<N, STACK>,
    level_4: Level<N, STACK>,
    level_5: Level<N, STACK>,
    level_6: Level<N, STACK>,
    is_wrapped: [Constant<Bit>; 7],
}

impl<const N: usize, const STACK: usize> Default for Network<N, STACK> {
    fn default() -> Self {
        Self {
            level_1: Level::new(1),
            level_2: Level::new(2),
            level_3: Level::new(4),
            level_4: Level::new(8),
            level_5: Level::new(16),
            level_6: Level::new(32),
            is_wrapped: std::array::from_fn(|bit| Constant::new(bit == N.ilog2() as usize)),
            clock: Default::default(),
            present: Default::default(),
            planes: Default::default(),
            rank: std::array::from_fn(|_| Default::default()),
            out_present: Default::default(),
            out_planes: Default::default(),
            wrapped: Default::default(),
        }
    }
}

impl<const N: usize, const STACK: usize> Logic for Network<N, STACK> {
    #[hdl_gen]
    fn update(&mut self) {
        self.level_1.clock.next = self.clock.val();
        self.level_1.present.next = self.present.val();
        self.level_1.planes.next = self.planes.val();
        for i in 0..7 {
            self.level_1.rank[i].next = self.rank[i].val();
        }
        for i in 0..1 {
            self.level_1.rank_bit.next = self.rank[i].val();
        }
        self.level_2.clock.next = self.clock.val();
        self.level_2.present.next = self.level_1.out_present.val();
        self.level_2.planes.next = self.level_1.out_planes.val();
        for i in 0..7 {
            self.level_2.rank[i].next = self.level_1.out_rank[i].val();
        }
        for i in 1..2 {
            self.level_2.rank_bit.next = self.level_1.out_rank[i].val();
        }
        self.level_3.clock.next = self.clock.val();
        self.level_3.present.next = self.level_2.out_present.val();
        self.level_3.planes.next = self.level_2.out_planes.val();
        for i in 0..7 {
            self.level_3.rank[i].next = self.level_2.out_rank[i].val();
        }
        for i in 2..3 {
            self.level_3.rank_bit.next = self.level_2.out_rank[i].val();
        }
        self.level_4.clock.next = self.clock.val();
        self.level_4.present.next = self.level_3.out_present.val();
        self.level_4.planes.next = self.level_3.out_planes.val();
        for i in 0..7 {
            self.level_4.rank[i].next = self.level_3.out_rank[i].val();
        }
        for i in 3..4 {
            self.level_4.rank_bit.next = self.level_3.out_rank[i].val();
        }
        self.level_5.clock.next = self.clock.val();
        self.level_5.present.next = self.level_4.out_present.val();
        self.level_5.planes.next = self.level_4.out_planes.val();
        for i in 0..7 {
            self.level_5.rank[i].next = self.level_4.out_rank[i].val();
        }
        for i in 4..5 {
            self.level_5.rank_bit.next = self.level_4.out_rank[i].val();
        }
        self.level_6.clock.next = self.clock.val();
        self.level_6.present.next = self.level_5.out_present.val();
        self.level_6.planes.next = self.level_5.out_planes.val();
        for i in 0..7 {
            self.level_6.rank[i].next = self.level_5.out_rank[i].val();
        }
        for i in 5..6 {
            self.level_6.rank_bit.next = self.level_5.out_rank[i].val();
        }
        self.out_present.next = self.level_6.out_present.val();
        self.out_planes.next = self.level_6.out_planes.val();
        self.wrapped.next = 0.into();
        for i in 0..7 {
            if self.is_wrapped[i].val() {
                self.wrapped.next = self.level_6.out_rank[i].val();
            }
        }
    }
}
