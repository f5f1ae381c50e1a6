//! Tests of the cores and of their Verilog against the model. `make test-NAME` runs the module `NAME`.

mod alignment;
mod carries;
mod contract;
mod coverage;
mod depth;
mod dut;
mod emission;
mod encode;
mod flows;
mod house;
mod levels;
mod lockstep;
mod modules;
mod mutants;
mod mutation;
mod netlist;
mod planted;
mod plants;
mod policies;
mod rfc2279;
mod sanitise;
mod support;
mod undefined;
mod vectors;
mod verdicts;
mod widest;
