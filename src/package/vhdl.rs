//! The core for VHDL: a package with its component, and an entity of the same pins that has it inside.
//!
//! VHDL takes fewer names than Verilog, and does not tell `Core` from `core`. An extended identifier (`\a__b\`) stands for a name that VHDL
//! would read as something else; it is case-sensitive, as Verilog is.

use hdl::config::Config;
use hdl::config::ports::{Direction, Port, ports};

/// Names that a component cannot have or that hide something: what VHDL-2019 and GHDL reserve and SystemVerilog does not (the other
/// reserved words are no module's name), names that the file itself uses, and those of the packages standard and std_logic_1164.
const TAKEN: &str = "
    abs access after all architecture array assume_guarantee attribute block body buffer bus component configuration constant
    disconnect downto elsif entity exit fairness file generic group guarded impure in inertial inherit is label linkage
    literal loop map mod next of on open others out port postponed private procedure process range record register reject rem
    report restrict_guarantee rol ror select severity shared signal sla sll sra srl subtype then to transport unaffected
    units variable view vmode vpkg vprop vunit when
    ieee std std_logic std_logic_1164 std_logic_vector work
    ack bel bit bit_vector boolean bs can character dc1 dc2 dc3 dc4 del delay_length dle em enq eot error esc etb etx failure
    falling_edge false ff file_open_kind file_open_status foreign fs fsp gsp hr ht integer is_x lf line maximum min minimum ms nak
    natural note now ns nul positive ps read real resolved rising_edge rsp sec severity_level side si so soh std_ulogic
    std_ulogic_vector string stx sub syn text time to_01 to_bit to_bitvector to_hstring to_ostring to_bstring to_stdlogicvector
    to_stdulogic to_stdulogicvector to_string to_ux01 to_x01 to_x01z true us usp ux01 ux01z vt warning width write x01 x01z";

/// The package and the entity.
pub fn template(config: &Config) -> String {
    let module = &config.module;
    let table = ports(config);
    let [package, entity, architecture, instance] = ["component", "vhdl", "structure", "instance"]
        .map(|part| identifier(&format!("{module}_{part}")));
    let core = identifier(module);
    let libraries = "library ieee;\nuse ieee.std_logic_1164.all;\n";
    let map: Vec<String> = (table.iter())
        .map(|port| format!("            {0} => {0}", port.name))
        .collect();
    format!(
        "-- {module} for VHDL-93 and later: a package with its component, and an entity with an instance to copy into your design.\n\
         -- Compile this file into the same library as rtl/{module}.v.\n\
         {libraries}\n\
         package {package} is\n    component {core}\n        port (\n{}\n        );\n    end component;\nend package {package};\n\n\
         {libraries}use work.{package}.all;\n\n\
         entity {entity} is\n    port (\n{}\n    );\nend entity {entity};\n\n\
         architecture {architecture} of {entity} is\nbegin\n    {instance} : {core}\n        port map (\n{}\n        );\n\
         end architecture {architecture};\n",
        declarations(&table, 12),
        declarations(&table, 8),
        map.join(",\n"),
    )
}

/// The ports, one a line; the last one has no semicolon.
fn declarations(table: &[Port], indent: usize) -> String {
    let lines: Vec<String> = (table.iter())
        .map(|port| {
            let direction = match port.direction {
                Direction::Input => "in",
                Direction::Output => "out",
            };
            // As in the Verilog, one bit is no vector.
            let kind = match port.width {
                1 => "std_logic".to_string(),
                width => format!("std_logic_vector({} downto 0)", width - 1),
            };
            format!("{:indent$}{} : {direction} {kind}", "", port.name)
        })
        .collect();
    lines.join(";\n")
}

/// A Verilog name as VHDL has it.
fn identifier(name: &str) -> String {
    let is_plain = !name.starts_with('_')
        && !name.ends_with('_')
        && !name.contains("__")
        && !name.contains(|letter: char| letter.is_ascii_uppercase())
        && !TAKEN.split_whitespace().any(|taken| taken == name);
    if is_plain {
        name.to_string()
    } else {
        format!("\\{name}\\")
    }
}
