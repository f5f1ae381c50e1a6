# Builds bench.cpp with the core, and runs it: make
run: obj_dir/bench
	./obj_dir/bench

obj_dir/bench: bench.cpp outputs.h ../rtl/@NAME@.v
	verilator --cc --exe --build --top-module @NAME@ --prefix Vcore -o bench -Mdir obj_dir ../rtl/@NAME@.v bench.cpp

clean:
	rm -rf obj_dir

.PHONY: run clean
