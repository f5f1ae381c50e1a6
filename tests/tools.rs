//! Tests of packages, registers and constraints in the tools that read them. `make test-NAME` runs the module `NAME`.

mod cocotb;
mod constraints;
mod fusesoc;
mod joined;
mod litex;
mod nic;
mod package;
mod peakrdl;
mod registers;
mod support;
mod taxi;
mod vhdl;
mod vivado;
