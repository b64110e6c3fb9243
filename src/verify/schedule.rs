//! In which order situations are tried: each next rule and its boards are those, of some that hold something untried, with
//! the most pairs that were not tried yet, and then triples, until there are none left.

use super::case::CASES_OF_A_RULE;
use super::random::{Purpose, Random};
use super::situation::{Background, Coverage, KernelKind, Shape, Situation, possible_combinations};

/// How many rules are compared before one is taken.
const CANDIDATES: usize = 8;
/// A new pair is worth so many new triples.
const PAIR: usize = 1000;

/// A rule that is to be drawn, and the boards that it runs on.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The rule's part of each of `boards`.
    pub(super) rule: Situation,
    /// Whether empty space comes alive.
    pub(super) births: bool,
    /// What the cases have of their boards.
    pub(super) boards: Vec<(Shape, Background)>,
}

/// What is tried in turn.
pub(super) struct Schedule {
    seed: u64,
    groups: Vec<Group>,
}

impl Schedule {
    /// The schedule of a seed: all pairs, then all triples, then anything.
    pub(super) fn new(seed: u64) -> Self {
        let mut tried = Coverage::default();
        let mut groups = Vec::new();
        for order in [2, 3] {
            loop {
                let untried: Vec<&Situation> =
                    if tried.share(order).tried == possible_combinations(order).count() {
                        break;
                    } else {
                        let is_new = |situation: &&Situation| {
                            situation.combinations().any(|it| it.order == order && !tried.has(it))
                        };
                        Situation::possible().iter().filter(is_new).collect()
                    };
                let mut random = Random::new(seed, groups.len() as u64, Purpose::Schedule);
                let candidates: Vec<(usize, Group)> = (0..CANDIDATES)
                    .map(|_| Group::around(random.choice(&untried), &mut random, &tried))
                    .collect();
                let best = candidates.into_iter().max_by_key(|(worth, _)| *worth);
                let (_, group) = best.expect("there are some");
                group.situations().for_each(|situation| tried.note(&situation));
                groups.push(group);
            }
        }
        Self { seed, groups }
    }

    /// How many groups it takes until all is tried.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// A group, from 0.
    pub(super) fn group(&self, number: u64) -> Group {
        if let Some(group) = usize::try_from(number).ok().and_then(|number| self.groups.get(number)) {
            return group.clone();
        }
        let mut random = Random::new(self.seed, number, Purpose::Schedule);
        let any = random.choice(Situation::possible());
        let mut group = Group { births: births(&any, &mut random), rule: any, boards: Vec::new() };
        let all: Vec<(Shape, Background)> = group.possible_boards().collect();
        group.boards = (0..CASES_OF_A_RULE).map(|_| random.choice(&all)).collect();
        group
    }
}

/// Whether the rule of a situation lets empty space come alive. Where the background lives it may have been so before.
fn births(situation: &Situation, random: &mut Random) -> bool {
    match situation.background {
        Background::Dead => false,
        Background::Births => true,
        Background::Living => situation.kernel != KernelKind::Precompiled && random.one_of(2),
    }
}

impl Group {
    /// A group whose first case is in this situation, and how much it adds to what was tried.
    fn around(first: &Situation, random: &mut Random, tried: &Coverage) -> (usize, Self) {
        let mut group = Self { rule: *first, births: births(first, random), boards: Vec::new() };
        let (mut tried, mut worth) = (tried.clone(), 0);
        while (group.boards.len() as u64) < CASES_OF_A_RULE {
            let worth_of = |situation: &Situation| -> usize {
                let new = situation.combinations().filter(|it| !tried.has(*it));
                new.map(|it| if it.order == 2 { PAIR } else { 1 }).sum()
            };
            let next = if group.boards.is_empty() {
                (worth_of(first), (first.shape, first.background))
            } else {
                let boards = group.possible_boards().map(|board| (worth_of(&group.on(board)), board));
                boards.max_by_key(|(worth, _)| *worth).expect("the first one is possible")
            };
            worth += next.0;
            group.boards.push(next.1);
            tried.note(&group.on(next.1));
        }
        (worth, group)
    }

    /// The situation of its rule on a board.
    fn on(&self, (shape, background): (Shape, Background)) -> Situation {
        Situation { shape, background, ..self.rule }
    }

    /// The situations of its cases.
    pub(super) fn situations(&self) -> impl Iterator<Item = Situation> {
        self.boards.iter().map(|&board| self.on(board))
    }

    /// The boards that its rule can run on.
    fn possible_boards(&self) -> impl Iterator<Item = (Shape, Background)> {
        let backgrounds: &[Background] = if self.births {
            &[Background::Living, Background::Births]
        } else {
            &[Background::Dead, Background::Living]
        };
        let all =
            Shape::ALL.into_iter().flat_map(move |shape| backgrounds.iter().map(move |it| (shape, *it)));
        all.filter(|board| self.on(*board).impossible().is_none())
    }
}
