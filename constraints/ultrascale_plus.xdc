# AMD UltraScale+ (Vivado): a core by itself, out of context, as in a shell of a network card.
#
# The clock: 4 ns, 250 MHz, as in Corundum's, OpenNIC's and ESnet's shells at 512 bits. Set it to your own.
create_clock -name clk -period 4.000 [get_ports clk]

# I/O: out of context, a quarter of the clock is for the logic before the core's inputs, and a quarter for the logic after its
# outputs, all of which come from registers. In a shell, remove these lines: Vivado sees every path.
set_input_delay -clock clk -max 1.000 [get_ports -filter {DIRECTION == IN && NAME != clk}]
set_input_delay -clock clk -min 0.000 [get_ports -filter {DIRECTION == IN && NAME != clk}]
set_output_delay -clock clk -max 1.000 [get_ports -filter {DIRECTION == OUT}]
set_output_delay -clock clk -min 0.000 [get_ports -filter {DIRECTION == OUT}]

# Nothing is exempt from timing: there is one clock, every path takes one cycle, and rst is synchronous. If it comes from another
# clock domain, synchronise it before the core (xpm_cdc_sync_rst); no set_false_path on it.
