# The core between a source and sinks of cocotbext-axi, against CPython's codecs: make
#
# pip install cocotb==2.1.0 cocotbext-axi==0.1.28@SCAPY@; Icarus Verilog 11 or newer, or SIM=verilator with 5.036 or newer.
SIM                ?= icarus
TOPLEVEL_LANG       = verilog
VERILOG_SOURCES     = ../rtl/@NAME@.v
COCOTB_TOPLEVEL     = @NAME@
COCOTB_TEST_MODULES = @TESTS@
export RUNEGATE_CORE = ../rtl/@NAME@.json

include $(shell cocotb-config --makefiles)/Makefile.sim
