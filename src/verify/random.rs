//! Random numbers that are the same on every machine.

use crate::coin::{key_of, low32, philox4x32_10};

/// What numbers are drawn for: each purpose has a stream of its own.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Case = 0,
    Rule = 1,
    FirstRule = 2,
    Schedule = 3,
}

/// Random numbers from a seed, a number and a purpose.
pub(super) struct Random {
    key: [u32; 2],
    number: u64,
    purpose: Purpose,
    drawn: u32,
}

impl Random {
    pub(super) const fn new(seed: u64, number: u64, purpose: Purpose) -> Self {
        Self { key: key_of(seed), number, purpose, drawn: 0 }
    }

    /// The numbers that the rule of a group of cases is drawn from.
    #[cfg(test)]
    pub(super) const fn of_rule(seed: u64, group: u64) -> Self {
        Self::new(seed, group, Purpose::Rule)
    }

    /// 64 random bits.
    pub(super) fn next(&mut self) -> u64 {
        let counter = [self.drawn, low32(self.number), low32(self.number >> 32), self.purpose as u32];
        self.drawn += 1;
        let words = philox4x32_10(counter, self.key);
        u64::from(words[0]) << 32 | u64::from(words[1])
    }

    /// A number below `end`, which is not 0 and small against 2⁶⁴.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// True once in `times`.
    pub(super) fn one_of(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub(super) fn choice<T: Copy>(&mut self, list: &[T]) -> T {
        list[usize::try_from(self.below(list.len() as u64)).expect("an index into a list")]
    }
}
