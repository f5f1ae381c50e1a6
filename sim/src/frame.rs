//! Frames: which words hold which pin, from the hardware's table.

use hdl::config::Config;
use hdl::config::ports::{Direction, Port, ports};

/// The pins of one direction but the clock, in the order of a frame.
#[derive(Clone, Debug)]
pub struct Frame {
    pub pins: Vec<Port>,
    /// 32-bit words of a frame.
    pub words: usize,
}

impl Frame {
    pub fn inputs(config: &Config) -> Self {
        Self::of(config, Direction::Input)
    }

    pub fn outputs(config: &Config) -> Self {
        Self::of(config, Direction::Output)
    }

    fn of(config: &Config, direction: Direction) -> Self {
        let mut pins = ports(config);
        pins.retain(|pin| pin.name != "clk" && pin.direction == direction);
        let words = pins.iter().map(Port::words).sum();
        Self { pins, words }
    }

    /// The first word of a pin, if there is such a pin.
    pub fn find(&self, name: &str) -> Option<usize> {
        let index = self.pins.iter().position(|pin| pin.name == name)?;
        Some(self.pins[..index].iter().map(Port::words).sum())
    }

    /// The first word of a pin that every core of its kind has.
    pub fn at(&self, name: &str) -> usize {
        self.find(name)
            .unwrap_or_else(|| panic!("the core has no {name}"))
    }
}
