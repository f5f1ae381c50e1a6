//! Which stages end in registers.

/// The stages that have registers; in the others what would be a register is a wire. Below 128.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cuts(u128);

impl Cuts {
    /// Registers at every stage: the fastest clock there is.
    pub const ALL: Self = Self(u128::MAX);

    /// Whether this stage has registers.
    pub fn has(self, stage: i32) -> bool {
        self.0 >> stage & 1 == 1
    }

    /// Clocks from one stage to a later one; the inputs are at stage -1.
    pub fn between(self, from: i32, to: i32) -> usize {
        (from + 1..=to).filter(|&stage| self.has(stage)).count()
    }

    /// Without the registers of these stages.
    pub fn without(self, stages: impl IntoIterator<Item = i32>) -> Self {
        let gone = stages.into_iter().fold(0, |gone, stage| gone | 1 << stage);
        Self(self.0 & !gone)
    }

    /// With registers at these stages.
    pub fn with(self, stages: impl IntoIterator<Item = i32>) -> Self {
        let more = stages.into_iter().fold(0, |more, stage| more | 1 << stage);
        Self(self.0 | more)
    }
}
