//! placeholder
use crate::rule::circuit::Circuit;

pub(super) struct Native {
    pub(super) row: fn(&[&[u64]], &mut [&mut [u64]]),
    pub(super) cell: fn(&[&[u64]], &mut [&mut [u64]]),
    /// planes that a coin turns.
    pub(super) turned: Option<&'static [usize]>,
}

impl Native {
    pub(super) fn extras(&self) -> usize {
        self.turned.map_or(0, |turned| 1 + turned.len())
    }
}

pub(super) fn find(_: &Circuit) -> Option<&'static Native> {
    None
}
