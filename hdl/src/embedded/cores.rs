//! The pins of each core's top.

use super::engine::{EmbeddedCore, NotSettled, settle};
use super::pins::{Inputs, Outputs};
use crate::config::Config;
use crate::decode::axis::DecodeAxis;
use crate::decode::free::DecodeFree;
use crate::encode::axis::EncodeAxis;
use crate::flows::Flows;
use crate::sanitise::axis::SanitiseAxis;
use crate::sanitise::free::SanitiseFree;
use crate::sideband::fields;
use crate::validate::pass::axis::PassAxis;
use crate::validate::pass::free::PassFree;
use crate::validate::snoop::Snoop;
use rust_hdl::prelude::*;

/// Implements [`EmbeddedCore`]: the pins in the table's order; that the order is right, a test of the table's names and
/// widths and every lockstep show.
macro_rules! embedded_core {
    ($top:ident<$($parameter:ident),+>, $core:ident, $inputs:ident => $drive:block, $outputs:ident => $sample:block) => {
        impl<$(const $parameter: usize),+> EmbeddedCore for $top<$($parameter),+> {
            fn block(&self) -> &dyn Block {
                self
            }

            fn drive(&mut self, config: &Config, frame: &[u32]) {
                let $core = self;
                let mut $inputs = Inputs { words: frame.iter(), config };
                $drive
            }

            fn sample(&self, config: &Config, frame: &mut [u32]) {
                let $core = self;
                let mut $outputs = Outputs { words: frame.iter_mut(), config };
                $sample
            }

            fn settle(&mut self, clk: bool) -> Result<(), NotSettled> {
                self.clk.next = Clock { clk };
                settle(self)
            }
        }
    };
}

embedded_core!(
    DecodeFree<N, DATA, SCALARS, STACK, BEAT, WORDS, KEEP, USER, DENSE>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        core.s_axis_side.next = inputs.side();
    },
    outputs => {
        outputs.bit(core.m_axis_tvalid.val());
        outputs.bits(core.m_axis_tdata.val());
        outputs.bits(core.m_axis_tkeep.val());
        outputs.bit(core.m_axis_tlast.val());
        outputs.side_and_kinds(core.m_axis_side.val(), core.m_axis_kinds.val());
        outputs.beat_error(core.beat_error.val());
    }
);
embedded_core!(
    DecodeAxis<N, DATA, SCALARS, STACK, BEAT, WORDS, KEEP, USER, DENSE, A, T, PART>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        core.s_axis_side.next = inputs.side();
        core.m_axis_tready.next = inputs.bit();
    },
    outputs => {
        outputs.bit(core.s_axis_tready.val());
        outputs.bit(core.m_axis_tvalid.val());
        outputs.bits(core.m_axis_tdata.val());
        outputs.bits(core.m_axis_tkeep.val());
        outputs.bit(core.m_axis_tlast.val());
        outputs.side_and_kinds(core.m_axis_side.val(), core.m_axis_kinds.val());
        outputs.beat_error(core.beat_error.val());
    }
);
embedded_core!(
    Snoop<N, DATA, CSR>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tready.next = inputs.ready();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        (core.s_axis_window.next, core.s_axis_side.next) = inputs.low_and_side();
        core.s_axil_in.next = inputs.axil();
    },
    outputs => {
        outputs.bit(core.m_axis_verdict_tvalid.val());
        outputs.long_verdict(core.m_axis_verdict.val(), core.m_axis_further.val());
        outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
        outputs.beat_error(core.beat_error.val());
        outputs.axil(core.s_axil_out.val());
    }
);
embedded_core!(
    Flows<N, DATA, M, WIDE, CSR>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tready.next = inputs.ready();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        let (flow, command, side) = inputs.flow();
        core.s_axis_flow.next = flow;
        core.s_axis_command.next = command;
        core.s_axis_side.next = side;
        core.s_axil_in.next = inputs.axil();
    },
    outputs => {
        outputs.bit(core.flows_ready.val());
        outputs.bit(core.m_axis_flow_tvalid.val());
        outputs.bits(core.m_axis_flow_tdata.val());
        outputs.side(core.m_axis_flow_side.val(), outputs.config.side.user);
        outputs.bit(core.m_axis_verdict_tvalid.val());
        outputs.verdict(core.m_axis_verdict.val());
        outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
        outputs.axil(core.s_axil_out.val());
    }
);
embedded_core!(
    PassFree<N, DATA, BEAT, CSR>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        (core.s_axis_window.next, core.s_axis_side.next) = inputs.low_and_side();
        core.s_axil_in.next = inputs.axil();
    },
    outputs => {
        outputs.bit(core.m_axis_tvalid.val());
        outputs.bits(core.m_axis_tdata.val());
        outputs.bits(core.m_axis_tkeep.val());
        outputs.bit(core.m_axis_tlast.val());
        outputs.side(core.m_axis_side.val(), fields(outputs.config).user.1);
        outputs.bit(core.m_axis_verdict_tvalid.val());
        outputs.long_verdict(core.m_axis_verdict.val(), core.m_axis_further.val());
        outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
        outputs.beat_error(core.beat_error.val());
        outputs.axil(core.s_axil_out.val());
    }
);
embedded_core!(
    PassAxis<N, DATA, BEAT, CSR, LONG, PART>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        (core.s_axis_window.next, core.s_axis_side.next) = inputs.low_and_side();
        core.m_axis_tready.next = inputs.bit();
        core.m_axis_verdict_tready.next = inputs.bit();
        core.s_axil_in.next = inputs.axil();
    },
    outputs => {
        outputs.bit(core.s_axis_tready.val());
        outputs.bit(core.m_axis_tvalid.val());
        outputs.bits(core.m_axis_tdata.val());
        outputs.bits(core.m_axis_tkeep.val());
        outputs.bit(core.m_axis_tlast.val());
        outputs.side(core.m_axis_side.val(), fields(outputs.config).user.1);
        outputs.bit(core.m_axis_verdict_tvalid.val());
        outputs.long_verdict(core.m_axis_verdict.val(), core.m_axis_further.val());
        outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
        outputs.beat_error(core.beat_error.val());
        outputs.axil(core.s_axil_out.val());
    }
);

/// The pins of a core that puts out bytes and verdicts, in the form `axis`.
macro_rules! bytes_and_verdicts {
    ($top:ident<$($parameter:ident),+>, $($window:ident)?) => {
        embedded_core!(
            $top<$($parameter),+>,
            core,
            inputs => {
                core.rst.next = inputs.bit();
                core.s_axis_tvalid.next = inputs.bit();
                core.s_axis_tdata.next = inputs.bits();
                core.s_axis_tkeep.next = inputs.bits();
                core.s_axis_tlast.next = inputs.bit();
                bytes_and_verdicts!(@ core, inputs $(, $window)?);
                core.m_axis_tready.next = inputs.bit();
                core.m_axis_verdict_tready.next = inputs.bit();
            },
            outputs => {
                outputs.bit(core.s_axis_tready.val());
                outputs.bit(core.m_axis_tvalid.val());
                outputs.bits(core.m_axis_tdata.val());
                outputs.bits(core.m_axis_tkeep.val());
                outputs.bit(core.m_axis_tlast.val());
                outputs.side(core.m_axis_side.val(), outputs.config.side.user);
                outputs.bit(core.m_axis_verdict_tvalid.val());
                outputs.verdict(core.m_axis_verdict.val());
                outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
                outputs.beat_error(core.beat_error.val());
            }
        );
    };
    (@ $core:ident, $inputs:ident) => {
        $core.s_axis_side.next = $inputs.side()
    };
    (@ $core:ident, $inputs:ident, $window:ident) => {
        ($core.$window.next, $core.s_axis_side.next) = $inputs.low_and_side()
    };
}

bytes_and_verdicts!(EncodeAxis<N, WORDS, KEEP, UPPER, SCALARS, SUMS, MARKS, LATER, M, T, DATA, BEAT, TURN, PART>,);
bytes_and_verdicts!(SanitiseAxis<N, DATA, BEAT, PART>, s_axis_window);

embedded_core!(
    SanitiseFree<N, DATA>,
    core,
    inputs => {
        core.rst.next = inputs.bit();
        core.s_axis_tvalid.next = inputs.bit();
        core.s_axis_tdata.next = inputs.bits();
        core.s_axis_tkeep.next = inputs.bits();
        core.s_axis_tlast.next = inputs.bit();
        (core.s_axis_window.next, core.s_axis_side.next) = inputs.low_and_side();
    },
    outputs => {
        outputs.bit(core.m_axis_tvalid.val());
        outputs.bits(core.m_axis_tdata.val());
        outputs.bits(core.m_axis_tkeep.val());
        outputs.bit(core.m_axis_tlast.val());
        outputs.side(core.m_axis_side.val(), outputs.config.side.user);
        outputs.bit(core.m_axis_verdict_tvalid.val());
        outputs.verdict(core.m_axis_verdict.val());
        outputs.side(core.m_axis_verdict_side.val(), outputs.config.side.user);
        outputs.beat_error(core.beat_error.val());
    }
);
