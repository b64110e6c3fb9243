//! From listed points to gates: a decision diagram over chosen variables, with the freedom of what can't occur.
//!
//! A partial function is a list of (assignment, value), all other assignments being "don't care". It is split by
//! one variable after the other; where both halves agree on all assignments that they share, the variable is not
//! asked. Equal partial functions are built once.

use rustc_hash::FxHashMap;

use super::net::{FALSE, Net, Wire};

/// A partial function: assignments (bit v: the value of variable v), ascending, each with its value.
pub(super) type Points = Vec<(u64, bool)>;

/// Builds partial functions as gates of one net, sharing what is equal.
pub(super) struct Builder<'a> {
    net: &'a mut Net,
    /// The wire of each variable.
    variables: &'a [Wire],
    /// Which variable is asked at each level.
    order: &'a [usize],
    known: FxHashMap<Points, Wire>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(net: &'a mut Net, variables: &'a [Wire], order: &'a [usize]) -> Self {
        Self { net, variables, order, known: FxHashMap::default() }
    }

    /// The wire of a function that has these values at these points.
    pub(super) fn build(&mut self, points: Points) -> Wire {
        self.build_from(0, points)
    }

    fn build_from(&mut self, level: usize, points: Points) -> Wire {
        let Some(&(_, first)) = points.first() else { return FALSE };
        if points.iter().all(|&(_, value)| value == first) {
            return if first { !FALSE } else { FALSE };
        }
        // A function and its complement share their gates.
        if first {
            let complement = points.into_iter().map(|(at, value)| (at, !value)).collect();
            return !self.build_from(level, complement);
        }
        if let Some(&wire) = self.known.get(&points) {
            return wire;
        }
        let variable = self.order[level];
        let bit = 1u64 << variable;
        let (mut low, mut high) = (Points::new(), Points::new());
        for &(at, value) in &points {
            if at & bit == 0 { low.push((at, value)) } else { high.push((at & !bit, value)) }
        }
        let wire = if let Some(both) = merge(&low, &high) {
            self.build_from(level + 1, both)
        } else {
            let high = self.build_from(level + 1, high);
            let low = self.build_from(level + 1, low);
            self.net.choose(self.variables[variable], high, low)
        };
        self.known.insert(points, wire);
        wire
    }
}

/// Both lists as one when no assignment has different values in them.
fn merge(low: &Points, high: &Points) -> Option<Points> {
    let mut both = Points::with_capacity(low.len() + high.len());
    let (mut l, mut h) = (low.iter().peekable(), high.iter().peekable());
    loop {
        match (l.peek(), h.peek()) {
            (None, None) => return Some(both),
            (Some(&&point), None) => {
                both.push(point);
                l.next();
            }
            (None, Some(&&point)) => {
                both.push(point);
                h.next();
            }
            (Some(&&one), Some(&&two)) => {
                if one.0 == two.0 && one.1 != two.1 {
                    return None;
                }
                both.push(if one.0 <= two.0 { one } else { two });
                if one.0 <= two.0 {
                    l.next();
                }
                if two.0 <= one.0 {
                    h.next();
                }
            }
        }
    }
}

/// Sorted points without repeats; `None` when one assignment has two values.
pub(super) fn points(listed: impl Iterator<Item = (u64, bool)>) -> Option<Points> {
    let mut points: Points = listed.collect();
    points.sort_unstable();
    points.dedup();
    points.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(points)
}
