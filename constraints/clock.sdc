# Any tool that reads SDC, nextpnr's --sdc among them. 4 ns: 250 MHz, the clock of common network-card shells.
create_clock -name clk -period 4.000 [get_ports clk]
