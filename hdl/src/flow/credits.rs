//! How many words of a FIFO are not promised to a beat.

use rust_hdl::prelude::*;

/// `tready` falls while fewer words than this are unpromised: three beats may enter before the count shows the first of
/// them, and a full FIFO would look empty.
pub const MARGIN: u64 = 4;

/// The credits of a FIFO of `2^(C - 1)` words: one is spent by a beat that enters, and returns when the beat leaves the FIFO
/// or turns out to have nothing to send.
#[derive(LogicBlock)]
pub struct Credits<const C: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub spent: Signal<In, Bit>,
    pub retired: Signal<In, Bit>,
    pub returned: Signal<In, Bit>,
    /// There are at least [`MARGIN`].
    pub enough: Signal<Out, Bit>,
    was_spent: DFF<Bit>,
    was_returned: DFF<Bit>,
    room: DFF<Bits<C>>,
    room_spent: Signal<Local, Bits<C>>,
    room_retired: Signal<Local, Bits<C>>,
    all: Constant<Bits<C>>,
    margin: Constant<Bits<C>>,
}

impl<const C: usize> Default for Credits<C> {
    fn default() -> Self {
        Self {
            all: Constant::new((1u64 << (C - 1)).into()),
            margin: Constant::new(MARGIN.into()),
            clock: Default::default(),
            reset: Default::default(),
            spent: Default::default(),
            retired: Default::default(),
            returned: Default::default(),
            enough: Default::default(),
            was_spent: Default::default(),
            was_returned: Default::default(),
            room: Default::default(),
            room_spent: Default::default(),
            room_retired: Default::default(),
        }
    }
}

impl<const C: usize> Logic for Credits<C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, was_spent, was_returned, room);
        self.was_spent.d.next = self.spent.val() & !self.reset.val();
        self.was_returned.d.next = self.returned.val() & !self.reset.val();
        if self.was_spent.q.val() {
            self.room_spent.next = self.room.q.val() - 1;
        } else {
            self.room_spent.next = self.room.q.val();
        }
        if self.retired.val() {
            self.room_retired.next = self.room_spent.val() + 1;
        } else {
            self.room_retired.next = self.room_spent.val();
        }
        if self.was_returned.q.val() {
            self.room.d.next = self.room_retired.val() + 1;
        } else {
            self.room.d.next = self.room_retired.val();
        }
        if self.reset.val() {
            self.room.d.next = self.all.val();
        }
        self.enough.next = self.room.q.val() >= self.margin.val();
    }
}
