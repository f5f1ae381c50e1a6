# The register map: name, address, bits, description, and for each field its name, lowest bit, width and access. Vivado may have
# made the block while it packaged the project; with -quiet the script then uses that block.
set map [ipx::add_memory_map -quiet s_axil $core]
set_property slave_memory_map_ref s_axil [ipx::get_bus_interfaces s_axil -of_objects $core]
set block [ipx::add_address_block -quiet reg0 $map]
set_property base_address 0 $block
set_property range @WINDOW@ $block
set_property width 32 $block
set_property usage register $block
foreach {name address bits description fields} {
@ROWS@
} {
    set register [ipx::add_register $name $block]
    set_property address_offset $address $register
    set_property size $bits $register
    set_property description $description $register
    foreach {name low width access} $fields {
        set field [ipx::add_field $name $register]
        set_property bit_offset $low $field
        set_property bit_width $width $field
        set_property access $access $field
    }
}

