//! Functions over the parts of a block. The code of [`hdl_macros::Block`] calls them: it is compiled anew for every block and width,
//! these are compiled once.

use rust_hdl::prelude::*;

pub fn each(parts: &mut [&mut dyn Block], act: fn(&mut dyn Block)) {
    for part in parts {
        act(&mut **part);
    }
}

pub fn connect(part: &mut dyn Block) {
    part.connect_all();
}

pub fn update(part: &mut dyn Block) {
    part.update_all();
}

pub fn any_changed(parts: &[&dyn Block]) -> bool {
    parts.iter().any(|part| part.has_changed())
}

pub fn accept(names: &[&str], parts: &[&dyn Block], probe: &mut dyn Probe) {
    for (name, part) in names.iter().zip(parts) {
        part.accept(name, probe);
    }
}

pub fn set_clocks(clocks: &mut [&mut Signal<In, Clock>], now: Clock) {
    for clock in clocks {
        clock.next = now;
    }
}

pub fn connect_clocks(clocks: &mut [&mut Signal<In, Clock>]) {
    for clock in clocks {
        clock.connect();
    }
}
