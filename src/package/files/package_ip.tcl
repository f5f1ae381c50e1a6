# Packages @NAME@ as an IP for Vivado's catalog, in the folder `packaged` next to this file:
#
#   vivado -mode batch -source package_ip.tcl [-tclargs PART]
#
# Runegate's tests run this script in a Tcl interpreter with stubs for Vivado's commands. It was not run in Vivado.
set here [file dirname [file normalize [info script]]]

# Without a part, Vivado's default part: the IP depends on none.
set options {}
if {[llength $argv] > 0} {
    set options [list -part [lindex $argv 0]]
}
create_project -force @NAME@_ip [file join $here project] {*}$options
add_files -norecurse [list [file join $here @NAME@_ip.v] [file join $here .. rtl @NAME@.v]]
set_property top @NAME@_ip [current_fileset]
update_compile_order -fileset sources_1

ipx::package_project -root_dir [file join $here packaged] -vendor runegate -library utf8 -taxonomy /UserIP -import_files -force
set core [ipx::current_core]
set_property name @NAME@ $core
set_property version @IP_VERSION@ $core
set_property display_name {@NAME@} $core
set_property description {@DESCRIPTION@} $core
set_property supported_families {
    artix7 Beta kintex7 Beta spartan7 Beta virtex7 Beta zynq Beta kintexu Beta virtexu Beta
    artixuplus Beta kintexuplus Beta virtexuplus Beta virtexuplusHBM Beta zynquplus Beta versal Beta
} $core

# The wrapper's attributes state the bus interfaces. Without them the IP would have single pins.
foreach name {@INTERFACES@} {
    if {[llength [ipx::get_bus_interfaces $name -of_objects $core]] != 1} {
        error "Vivado has not found the interface $name in the attributes of @NAME@_ip.v"
    }
}

@REGISTERS@ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
close_project
