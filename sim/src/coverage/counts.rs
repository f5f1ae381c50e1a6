//! The functional points of a configuration, and how often each was reached.

use super::hits::Hits;
use super::pieces::Pieces;
use super::points::*;
use crate::grammar::grammar;
use hdl::config::Config;
use std::collections::HashMap;

pub struct Counts {
    counts: HashMap<Point, u64>,
    pub lanes: usize,
    pub pieces: &'static Pieces,
}

impl Counts {
    pub fn of(config: &Config) -> Self {
        Self {
            counts: points(config).into_iter().map(|point| (point, 0)).collect(),
            lanes: config.lanes,
            pieces: Pieces::of(grammar(config)),
        }
    }

    pub fn hits(&self) -> Hits {
        let mut hits = Hits::default();
        for (point, &count) in &self.counts {
            hits.add(point.group.name, point.name(), count);
        }
        hits
    }

    /// What is not among the configuration's points does not count.
    pub fn hit(&mut self, group: &'static Group, what: &'static str, at: usize) {
        if let Some(count) = self.counts.get_mut(&Point::new(group, what, at)) {
            *count += 1;
        }
    }

    pub fn hit_if(&mut self, happened: bool, group: &'static Group, what: &'static str) {
        if happened {
            self.hit(group, what, 0);
        }
    }
}
