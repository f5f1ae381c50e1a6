# Intel Agilex and Stratix 10 (Quartus Prime): a core by itself, as in a shell of a network card.
#
# The clock: 4 ns, 250 MHz. Set it to your own.
create_clock -name clk -period 4.000 [get_ports clk]
derive_clock_uncertainty

# I/O: with a core's pins as virtual pins (set_instance_assignment -name VIRTUAL_PIN ON -to *) a quarter of the clock is for
# the logic before its inputs, and a quarter for the logic after its outputs, all of which come from registers.
set data_inputs [remove_from_collection [all_inputs] [get_ports clk]]
set_input_delay -clock clk -max 1.000 $data_inputs
set_input_delay -clock clk -min 0.000 $data_inputs
set_output_delay -clock clk -max 1.000 [all_outputs]
set_output_delay -clock clk -min 0.000 [all_outputs]

# Nothing is exempt from timing: there is one clock, every path takes one cycle, and rst is synchronous. If it comes from another
# clock domain, synchronise it before the core; no set_false_path on it.
