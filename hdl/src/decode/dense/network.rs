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
//! What says that there is an event; what is not of an `arrival` does not enter.

use crate::primitives::wires::{Broadcast, Exchange, Repeat};
use crate::primitives::{DFF, blank, blanks, several};
use hdl_macros::{Block, logic};
use rust_hdl::prelude::*;

/// Clocks through the network, of the ranks; the planes enter a clock later.
pub const fn latency(lanes: usize) -> usize {
    1 + lanes.ilog2() as usize
}

/// One level of the network: an event moves to the lane some lanes away (`distance`) if its own lane's number and its rank differ in that bit. With
/// fewer lanes it is a wire.
///
/// Which events move and which stay was decided a clock before, so that each plane is a sum of two products; with the planes goes what
/// the next level will need.
#[derive(Block)]
pub struct Level<const N: usize, const STACK: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// Lanes of events that move in this level, and of those that stay.
    pub moves: Signal<In, Bits<N>>,
    pub stays: Signal<In, Bits<N>>,
    pub planes: Signal<In, Bits<STACK>>,
    pub rank: Vec<Signal<In, Bits<N>>>,
    /// The same for the next level.
    pub out_moves: Signal<Out, Bits<N>>,
    pub out_stays: Signal<Out, Bits<N>>,
    pub out_planes: Signal<Out, Bits<STACK>>,
    pub out_rank: Vec<Signal<Out, Bits<N>>>,

    there: Constant<Bit>,
    /// Bit of the rank that the next level looks at, and the lanes whose number has that bit.
    is_next: Vec<Constant<Bit>>,
    upper: Constant<Bits<N>>,
    next_bit: Signal<Local, Bits<N>>,
    goes: Signal<Local, Bits<N>>,
    came: Exchange<N, N>,
    came_bit: Exchange<N, N>,
    came_goes: Signal<Local, Bits<N>>,
    every_move: Repeat<N, STACK>,
    every_stay: Repeat<N, STACK>,
    move_planes: Exchange<N, STACK>,
    move_rank: Vec<Exchange<N, N>>,
    /// What this level leaves to the next one.
    next_moves: DFF<Bits<N>>,
    next_stays: DFF<Bits<N>>,
    next_planes: DFF<Bits<STACK>>,
    next_rank: Vec<DFF<Bits<N>>>,
}

/// Lanes whose number has a bit; none, if no lane's has.
fn upper<const N: usize>(bit: usize) -> Bits<N> {
    let lanes = (0..N).filter(|lane| lane >> bit & 1 == 1);
    lanes.fold(Bits::default(), |plane, lane| plane.replace_bit(lane, true))
}

impl<const N: usize, const STACK: usize> Level<N, STACK> {
    /// The level of a bit of the rank.
    pub fn new(bit: usize) -> Self {
        let distance = 1 << bit;
        Self {
            there: Constant::new(distance < N),
            is_next: several(7, |other| Constant::new(other == bit + 1)),
            upper: Constant::new(upper(bit + 1)),
            came: Exchange::new(distance),
            came_bit: Exchange::new(distance),
            move_planes: Exchange::new(distance),
            move_rank: several(7, |_| Exchange::new(distance)),
            clock: blank(),
            reset: blank(),
            moves: blank(),
            stays: blank(),
            planes: blank(),
            rank: blanks(7),
            out_moves: blank(),
            out_stays: blank(),
            out_planes: blank(),
            out_rank: blanks(7),
            next_bit: blank(),
            goes: blank(),
            came_goes: blank(),
            every_move: blank(),
            every_stay: blank(),
            next_moves: blank(),
            next_stays: blank(),
            next_planes: blank(),
            next_rank: blanks(7),
        }
    }
}

impl<const N: usize, const STACK: usize> Logic for Level<N, STACK> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, next_moves, next_stays, next_planes);
        self.every_move.x.next = self.moves.val();
        self.every_stay.x.next = self.stays.val();
        self.move_planes.x.next = self.planes.val() & self.every_move.y.val();
        self.next_planes.d.next =
            (self.planes.val() & self.every_stay.y.val()) | self.move_planes.y.val();
        self.next_bit.next = 0.into();
        for i in 0..7 {
            if self.is_next[i].val() {
                self.next_bit.next = self.rank[i].val();
            }
            self.next_rank[i].clock.next = self.clock.val();
            self.move_rank[i].x.next = self.rank[i].val() & self.moves.val();
            self.next_rank[i].d.next =
                (self.rank[i].val() & self.stays.val()) | self.move_rank[i].y.val();
        }
        self.goes.next = self.next_bit.val() ^ self.upper.val();
        self.came.x.next = self.moves.val();
        self.came_bit.x.next = self.next_bit.val();
        self.came_goes.next = self.came_bit.y.val() ^ self.upper.val();
        self.next_moves.d.next =
            (self.stays.val() & self.goes.val()) | (self.came.y.val() & self.came_goes.val());
        self.next_stays.d.next =
            (self.stays.val() & !self.goes.val()) | (self.came.y.val() & !self.came_goes.val());
        if self.reset.val() {
            self.next_moves.d.next = 0.into();
            self.next_stays.d.next = 0.into();
        }
        if self.there.val() {
            self.out_moves.next = self.next_moves.q.val();
            self.out_stays.next = self.next_stays.q.val();
            self.out_planes.next = self.next_planes.q.val();
        } else {
            self.out_moves.next = self.moves.val();
            self.out_stays.next = self.stays.val();
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

/// Moves the events to their lanes, a bit of the lane's number in each level.
#[derive(Block)]
pub struct Network<const N: usize, const STACK: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    /// A clock before the planes: a sparse beat enters, its lanes with an event, and these events' ranks.
    pub arrival: Signal<In, Bit>,
    pub present: Signal<In, Bits<N>>,
    pub rank: Vec<Signal<In, Bits<N>>>,
    pub planes: Signal<In, Bits<STACK>>,
    pub out_planes: Signal<Out, Bits<STACK>>,
    /// Lanes of events for this dense beat, and for the next one.
    pub out_this: Signal<Out, Bits<N>>,
    pub out_next: Signal<Out, Bits<N>>,
    upper: Constant<Bits<N>>,
    every: Broadcast<N>,
    /// What enters the first level.
    moves: DFF<Bits<N>>,
    stays: DFF<Bits<N>>,
    late_rank: Vec<DFF<Bits<N>>>,
    level_1: Level<N, STACK>,
    level_2: Level<N, STACK>,
    level_3: Level<N, STACK>,
    level_4: Level<N, STACK>,
    level_5: Level<N, STACK>,
    level_6: Level<N, STACK>,
}

impl<const N: usize, const STACK: usize> Default for Network<N, STACK> {
    fn default() -> Self {
        Self {
            upper: Constant::new(upper(0)),
            level_1: Level::new(0),
            level_2: Level::new(1),
            level_3: Level::new(2),
            level_4: Level::new(3),
            level_5: Level::new(4),
            level_6: Level::new(5),
            clock: blank(),
            reset: blank(),
            arrival: blank(),
            every: blank(),
            present: blank(),
            rank: blanks(7),
            planes: blank(),
            out_planes: blank(),
            out_this: blank(),
            out_next: blank(),
            moves: blank(),
            stays: blank(),
            late_rank: blanks(7),
        }
    }
}

impl<const N: usize, const STACK: usize> Logic for Network<N, STACK> {
    #[logic]
    fn update(&mut self) {
        dff_setup!(self, clock, moves, stays);
        for i in 0..7 {
            self.late_rank[i].clock.next = self.clock.val();
            self.late_rank[i].d.next = self.rank[i].val();
        }
        self.every.x.next = self.arrival.val();
        for i in 0..1 {
            self.moves.d.next =
                self.every.y.val() & self.present.val() & (self.rank[i].val() ^ self.upper.val());
            self.stays.d.next =
                self.every.y.val() & self.present.val() & !(self.rank[i].val() ^ self.upper.val());
        }
        if self.reset.val() {
            self.moves.d.next = 0.into();
            self.stays.d.next = 0.into();
        }

        self.level_1.clock.next = self.clock.val();
        self.level_1.reset.next = self.reset.val();
        self.level_1.moves.next = self.moves.q.val();
        self.level_1.stays.next = self.stays.q.val();
        self.level_1.planes.next = self.planes.val();
        for i in 0..7 {
            self.level_1.rank[i].next = self.late_rank[i].q.val();
        }
        self.level_2.clock.next = self.clock.val();
        self.level_2.reset.next = self.reset.val();
        self.level_2.moves.next = self.level_1.out_moves.val();
        self.level_2.stays.next = self.level_1.out_stays.val();
        self.level_2.planes.next = self.level_1.out_planes.val();
        for i in 0..7 {
            self.level_2.rank[i].next = self.level_1.out_rank[i].val();
        }
        self.level_3.clock.next = self.clock.val();
        self.level_3.reset.next = self.reset.val();
        self.level_3.moves.next = self.level_2.out_moves.val();
        self.level_3.stays.next = self.level_2.out_stays.val();
        self.level_3.planes.next = self.level_2.out_planes.val();
        for i in 0..7 {
            self.level_3.rank[i].next = self.level_2.out_rank[i].val();
        }
        self.level_4.clock.next = self.clock.val();
        self.level_4.reset.next = self.reset.val();
        self.level_4.moves.next = self.level_3.out_moves.val();
        self.level_4.stays.next = self.level_3.out_stays.val();
        self.level_4.planes.next = self.level_3.out_planes.val();
        for i in 0..7 {
            self.level_4.rank[i].next = self.level_3.out_rank[i].val();
        }
        self.level_5.clock.next = self.clock.val();
        self.level_5.reset.next = self.reset.val();
        self.level_5.moves.next = self.level_4.out_moves.val();
        self.level_5.stays.next = self.level_4.out_stays.val();
        self.level_5.planes.next = self.level_4.out_planes.val();
        for i in 0..7 {
            self.level_5.rank[i].next = self.level_4.out_rank[i].val();
        }
        self.level_6.clock.next = self.clock.val();
        self.level_6.reset.next = self.reset.val();
        self.level_6.moves.next = self.level_5.out_moves.val();
        self.level_6.stays.next = self.level_5.out_stays.val();
        self.level_6.planes.next = self.level_5.out_planes.val();
        for i in 0..7 {
            self.level_6.rank[i].next = self.level_5.out_rank[i].val();
        }
        // After the last level no lane's number has the bit that is left of a rank.
        self.out_this.next = self.level_6.out_stays.val();
        self.out_next.next = self.level_6.out_moves.val();
        self.out_planes.next = self.level_6.out_planes.val();
    }
}
