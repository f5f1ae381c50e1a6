# `make demo` and `make test` do all the set-up on a fresh Debian-like machine, and print what they install.

# What setup found (PATH, RUSTUP_HOME, CARGO_HOME), and no word to the makes that Verilator starts.
ENV      = unset MAKEFLAGS MFLAGS MAKELEVEL; . ./target/setup.env &&
RUNEGATE = $(ENV) cargo run --quiet --release --locked --

# Verilated builds stay in the clone, and need no HOME.
export RUNEGATE_CACHE ?= $(CURDIR)/target/runegate-cache

.PHONY: help demo test check lints python build-tests test-units evidence results captures nic dist

help:
	@echo "make demo       emit the decoder, simulate it, and check it clock by clock on a real and on a broken text"
	@echo "make test       format, lints and every test"
	@echo "make check      format, lints and unit tests: what to run before a commit"
	@echo "make test-NAME  one file of tests: make test-emission; some of them: make test-docs::links; the unit tests: make test-units"
	@echo "make evidence   every proof, all windows, all mutants and all widths: hours; it goes on where it was interrupted"
	@echo "make results    areas and clocks on FPGAs, and the tables of them in docs/src/results.md: several hours; it goes on, too"
	@echo "make captures   200,000 frames of public captures, judged by golden model, hardware and tshark; fetches 130 MB: minutes"
	@echo "make nic        a network card with a core in it, simulated at its pins and as a bitstream for an ECP5 board: minutes"
	@echo "make dist       a wheel, the program and twenty cores into target/dist, and a newcomer's first minutes with them"
	@echo "All install what is missing (apt-get, as root or by sudo) and say so; RUNEGATE_NO_INSTALL=1 forbids it."

demo:
	@echo "== 1/4 tools"
	@bash scripts/setup.sh demo
	@echo "== 2/4 build the tool"
	@$(ENV) cargo build --release --locked
	@echo "== 3/4 emit the decoder as Verilog into target/demo"
	@$(RUNEGATE) emit --out target/demo
	@echo "== 4/4 simulate it on a text of many scripts and a broken one, every clock checked"
	@$(RUNEGATE) sim $${RUNEGATE_DEMO_ENGINE:+--engine "$$RUNEGATE_DEMO_ENGINE"} \
		tests/data/many_scripts.txt tests/data/broken.bin

# With RUNEGATE_REQUIRE_TOOLS a test whose tool is missing fails instead of being skipped.
test:
	@bash scripts/setup.sh build
	@echo "== format"
	@$(ENV) cargo fmt --all --check
	@$(MAKE) --no-print-directory --jobs=2 --output-sync --keep-going python build-tests
	@echo "== tests"
	@RUNEGATE_REQUIRE_TOOLS=1 $(MAKE) --no-print-directory --jobs=2 --output-sync --keep-going test-units $(TESTS:%=test-%)

check:
	@bash scripts/setup.sh build
	@$(ENV) cargo fmt --all --check
	@$(MAKE) --no-print-directory lints
	@$(MAKE) --no-print-directory test-units

# In the folder of the builds: macros, build scripts and what these compile (C++, for one crate) are built for both at once.
lints:
	@echo "== lints"
	@$(ENV) cargo clippy --workspace --all-targets --locked -- -D warnings

# Downloaded and compiled while the tests are built.
python:
	@bash scripts/setup.sh test

build-tests: lints
	@echo "== build"
	@$(ENV) cargo test --workspace --locked --no-run

# One file of tests leaves a core idle while its longest test ends, so two are run at a time. verdicts builds the models of most
# cores, and optimises more than the others would, which take them and so come later. A file that is in no program of tests fails.
LONG     = verdicts prove emission cli alignment coverage netlist lockstep flows vectors synth mutants cocotb package nic cli_pcap
PROGRAMS = commands hardware tools
NO_TESTS = dut modules mutation report support
FILES    = $(wildcard tests/*.rs tests/*/mod.rs tests/*/main.rs */tests/*.rs */tests/*/main.rs)
FOUND    = $(filter-out $(PROGRAMS) $(NO_TESTS),$(basename $(notdir $(patsubst %/main.rs,%,$(FILES:%/mod.rs=%)))))
TESTS    = $(LONG) $(filter-out $(LONG),$(FOUND))

test-units:
	@$(ENV) cargo test --workspace --lib --bins --locked --no-fail-fast
	@$(ENV) cargo test --workspace --doc --locked --no-fail-fast

test-%:
	@$(ENV) bash scripts/test.sh "$*"

evidence:
	@bash scripts/setup.sh evidence
	@$(ENV) bash scripts/evidence.sh

# A part of them: RUNEGATE_RESULTS="decode ecp5-6 lanes-1" make results.
results:
	@bash scripts/setup.sh test
	@$(ENV) RUNEGATE_RESULTS="$${RUNEGATE_RESULTS:-all}" bash scripts/test.sh results --nocapture

captures:
	@bash scripts/setup.sh captures
	@$(ENV) cargo build --release --locked
	@$(ENV) python3 -B tests/captures/judge.py
	@$(ENV) python3 -B tests/captures/planted.py

nic:
	@bash scripts/setup.sh test
	@$(ENV) cargo build --release --locked
	@$(ENV) bash scripts/nic.sh target/release/runegate

dist:
	@bash scripts/setup.sh demo
	@$(ENV) bash scripts/dist.sh
