# Stubs of the Vivado commands that a package's package_ip.tcl calls: tclsh stubs.tcl PACKAGE_IP.TCL [ARGUMENT...]
#
# The names of the stubs' variables start with `stub_`. These are errors: a command that has no stub, an option or a property that is not
# Vivado's (UG835, UG1118), an object that does not exist, and a file that is not there. Each property that is set is written as
# `OBJECT PROPERTY VALUE`.

namespace eval ipx {}

# The options of each command: a name with `=` takes a value.
array set stub_options {
    create_project {-force -part=}
    add_files {-norecurse -fileset=}
    update_compile_order {-fileset=}
    ipx::package_project {-root_dir= -vendor= -library= -taxonomy= -import_files -force}
    ipx::get_bus_interfaces {-of_objects=}
    ipx::add_memory_map {-quiet}
    ipx::add_address_block {-quiet}
}
# The properties of each kind of object.
array set stub_properties {
    fileset {top}
    core {name version display_name description supported_families}
    bus {slave_memory_map_ref}
    map {}
    block {base_address range width usage}
    register {address_offset size description}
    field {bit_offset bit_width access}
}
set stub_objects {fileset:sources_1}
set stub_called {}

# Splits a call into its options and its other arguments.
proc take {command arguments} {
    lappend ::stub_called $command
    set known [expr {[info exists ::stub_options($command)] ? $::stub_options($command) : {}}]
    set taken [dict create others {}]
    while {[llength $arguments] > 0} {
        set arguments [lassign $arguments word]
        if {[string index $word 0] ne "-"} {
            dict lappend taken others $word
        } elseif {"$word=" in $known} {
            if {[llength $arguments] == 0} { error "$command: $word has no value" }
            set arguments [lassign $arguments value]
            dict set taken $word $value
        } elseif {$word in $known} {
            dict set taken $word 1
        } else {
            error "$command has no option $word"
        }
    }
    return $taken
}

proc others {taken count} {
    set others [dict get $taken others]
    if {[llength $others] != $count} { error "[llength $others] arguments, not $count: $others" }
    return $others
}

proc is_there {object kind} {
    if {$object ni $::stub_objects || ![string match $kind:* $object]} { error "there is no $kind $object" }
}

# A new object, named with its parent's name.
proc made {kind parent name} {
    set object "$kind:[join [lrange [split $parent :] 1 end] :]/$name"
    if {$object in $::stub_objects} { error "$object exists already" }
    lappend ::stub_objects $object
    return $object
}

proc create_project {args} {
    lassign [others [take create_project $args] 2] name folder
    if {[file pathtype $folder] ne "absolute"} { error "$folder depends on where Vivado was started" }
}

proc add_files {args} {
    set ::stub_files [lindex [others [take add_files $args] 1] 0]
    foreach file $::stub_files {
        if {![file isfile $file]} { error "there is no file $file" }
        set opened [open $file]
        append ::stub_sources [read $opened]
        close $opened
    }
}

proc current_fileset {} { return fileset:sources_1 }

proc update_compile_order {args} {
    if {[dict get [take update_compile_order $args] -fileset] ne "sources_1"} { error "no such fileset" }
}

proc set_property {args} {
    lassign [others [take set_property $args] 3] property value object
    set kind [lindex [split $object :] 0]
    is_there $object $kind
    if {$property ni $::stub_properties($kind)} { error "a $kind has no property $property" }
    if {$property eq "top" && ![regexp "module $value\\M" $::stub_sources]} { error "there is no module $value" }
    if {$property eq "supported_families"} {
        foreach {family stage} $value {
            if {$stage ni {Beta Pre-Production Production}} { error "$family has no life cycle $stage" }
        }
    }
    if {$property eq "slave_memory_map_ref"} { is_there map:core/$value map }
    if {$property eq "top"} { set ::stub_top $value }
    puts "$object $property $value"
}

# The packager's inference, from the attributes.
proc ipx::package_project {args} {
    set taken [take ipx::package_project $args]
    foreach option {-root_dir -vendor -library -taxonomy -import_files} {
        if {![dict exists $taken $option]} { error "$option is missing" }
    }
    if {![info exists ::stub_top]} { error "there is no top module" }
    lappend ::stub_objects core:core
    foreach {- name} [regexp -all -inline {X_INTERFACE_INFO = "\S+ (\S+) \S+"} $::stub_sources] {
        if {"bus:core/$name" ni $::stub_objects} { made bus core:core $name }
    }
}

proc ipx::current_core {} { is_there core:core core; return core:core }

proc ipx::get_bus_interfaces {args} {
    set taken [take ipx::get_bus_interfaces $args]
    is_there [dict get $taken -of_objects] core
    set bus bus:core/[lindex [others $taken 1] 0]
    return [expr {$bus in $::stub_objects ? $bus : {}}]
}

foreach {command kind parent} {
    ipx::add_memory_map map core
    ipx::add_address_block block map
    ipx::add_register register block
    ipx::add_field field register
} {
    proc $command {args} [string map [list COMMAND $command KIND $kind PARENT $parent] {
        lassign [others [take COMMAND $args] 2] name above
        is_there $above PARENT
        return [made KIND $above $name]
    }]
}

foreach command {ipx::create_xgui_files ipx::update_checksums ipx::check_integrity ipx::save_core} {
    proc $command {core} "lappend ::stub_called $command; is_there \$core core"
}
proc close_project {} { lappend ::stub_called close_project }

set argv [lassign $argv script]
set opened [open $script]
set text [read $opened]
close $opened
if {![info complete $text]} { error "the script has an open brace or quote" }
# As a program, it sees its own name.
source $script
puts "called [lrange $stub_called end-4 end]"
