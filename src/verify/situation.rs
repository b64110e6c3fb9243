//! What a case tries: a value of each property that decides which code runs, and how often each value, each pair and each
//! triple of them was tried.
//!
//! ```text
//! property        values
//! kernel          what the rule is compiled to
//! coins           how many of them that kernel reads
//! parity          whether place or generation matter to the rule
//! alternation     whether two rules take turns
//! neighbourhood   all twelve
//! topology        all kinds, shifted and twisted ones both ways
//! background      of the plane; and of bounded boards, where it is always dead, whether empty cells come alive by themselves
//! ```
//!
//! Which values can't occur together is said once, in [`IMPOSSIBLE`]; the pairs and triples that can are those of the
//! situations that are left. Every engine that is checked runs every case, so it has tried what is counted here; the GPU's
//! kernels take turns.

use std::fmt;
use std::sync::OnceLock;

use crate::board::{Board, Edges, Topology};
use crate::cell::DEAD;
use crate::engine::CpuEngine;
use crate::lattice::{Lattice, Neighbourhood};
use crate::rule::circuit::CompileError;
use crate::rule::{Kernel, Rule, law};

/// A property and the names of its values.
#[derive(Debug)]
pub struct Property {
    /// What it is called.
    pub name: &'static str,
    /// What its values are called.
    pub values: &'static [&'static str],
}

/// All properties, in the order of [`Situation::values`].
pub const PROPERTIES: [Property; 7] = [
    Property { name: "kernel", values: &["precompiled", "gates", "diagram"] },
    Property { name: "coins", values: &["none", "one", "two"] },
    Property { name: "parity", values: &["none", "of place", "of generation", "of both"] },
    Property { name: "alternation", values: &["one rule", "two in turn"] },
    Property {
        name: "neighbourhood",
        values: &[
            "Moore",
            "von Neumann",
            "diagonal",
            "hexagonal",
            "tripod",
            "triangular",
            "triangular edges",
            "triangular vertices",
            "triangular inner",
            "triangular outer",
            "triangular B",
            "triangular R",
        ],
    },
    Property {
        name: "topology",
        values: &[
            "unbounded",
            "plane",
            "torus",
            "torus, top shifted",
            "torus, sides shifted",
            "Klein, top twisted",
            "Klein, sides twisted",
            "Klein, top shifted",
            "Klein, sides shifted",
            "cross-surface",
            "sphere",
        ],
    },
    Property { name: "background", values: &["dead", "living", "dead, births in it"] },
];

/// Values of all properties together.
const VALUES: usize = {
    let (mut all, mut at) = (0, 0);
    while at < PROPERTIES.len() {
        all += PROPERTIES[at].values.len();
        at += 1;
    }
    all
};

/// What a rule is compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KernelKind {
    Precompiled,
    Gates,
    Diagram,
}

impl KernelKind {
    const ALL: [Self; 3] = [Self::Precompiled, Self::Gates, Self::Diagram];
}

/// A topology without its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Unbounded,
    Plane,
    Torus,
    ShiftedTorus(Edges),
    Klein(Edges),
    ShiftedKlein(Edges),
    CrossSurface,
    Sphere,
}

impl Shape {
    pub(super) const ALL: [Self; 11] = [
        Self::Unbounded,
        Self::Plane,
        Self::Torus,
        Self::ShiftedTorus(Edges::TopBottom),
        Self::ShiftedTorus(Edges::LeftRight),
        Self::Klein(Edges::TopBottom),
        Self::Klein(Edges::LeftRight),
        Self::ShiftedKlein(Edges::TopBottom),
        Self::ShiftedKlein(Edges::LeftRight),
        Self::CrossSurface,
        Self::Sphere,
    ];

    /// That of a topology.
    fn of(topology: Topology) -> Self {
        match topology {
            Topology::Unbounded => Self::Unbounded,
            Topology::Plane { .. } => Self::Plane,
            Topology::Torus { .. } => Self::Torus,
            Topology::ShiftedTorus { edges, .. } => Self::ShiftedTorus(edges),
            Topology::KleinBottle { edges, shift: 0, .. } => Self::Klein(edges),
            Topology::KleinBottle { edges, .. } => Self::ShiftedKlein(edges),
            Topology::CrossSurface { .. } => Self::CrossSurface,
            Topology::Sphere { .. } => Self::Sphere,
        }
    }

    /// Whether triangles that point up and down can go on beyond its edges, on boards of some sizes.
    pub(super) const fn suits_triangles(self) -> bool {
        matches!(self, Self::Unbounded | Self::Plane | Self::Torus | Self::ShiftedTorus(_))
    }
}

/// What all that is not stored is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Background {
    /// Dead, for as long as the case runs.
    Dead,
    /// The unbounded plane is alive, at some time at least.
    Living,
    /// Of a bounded board it is dead, but under this rule empty cells among empty ones come alive.
    Births,
}

impl Background {
    const ALL: [Self; 3] = [Self::Dead, Self::Living, Self::Births];
}

/// A value of each property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    pub(super) kernel: KernelKind,
    /// 0 to 2.
    pub(super) coins: u32,
    /// Whether the parity of x or of y matters.
    pub(super) place: bool,
    /// Whether that of the generation matters.
    pub(super) generation: bool,
    pub(super) alternates: bool,
    pub(super) neighbourhood: Neighbourhood,
    pub(super) shape: Shape,
    pub(super) background: Background,
}

/// Values that can't occur together.
struct Impossible {
    /// Why not.
    why: &'static str,
    excludes: fn(&Situation) -> bool,
}

/// All reasons that there are; each is checked by a test.
const IMPOSSIBLE: [Impossible; 6] = [
    Impossible {
        why: "triangles that point up and down don't meet in turn across edges that are twisted or turned",
        excludes: |it| it.neighbourhood.lattice() == Lattice::Triangular && !it.shape.suits_triangles(),
    },
    Impossible {
        why: "of two rules in turn the parity of the generation says which",
        excludes: |it| it.alternates && !it.generation,
    },
    Impossible {
        why: "the rules that are precompiled see eight neighbours, toss one coin at the most, and leave empty space empty",
        excludes: |it| {
            it.kernel == KernelKind::Precompiled
                && (it.neighbourhood != Neighbourhood::Moore
                    || it.coins > 1
                    || it.background == Background::Births)
        },
    },
    Impossible {
        why: "the one that tosses has another circuit when it is said to look at parities, even in vain",
        excludes: |it| it.kernel == KernelKind::Precompiled && it.coins > 0 && (it.place || it.generation),
    },
    Impossible {
        why: "beyond the edges of a bounded board all is dead",
        excludes: |it| it.shape != Shape::Unbounded && it.background == Background::Living,
    },
    Impossible {
        why: "where empty space comes alive on the unbounded plane, the background does",
        excludes: |it| it.shape == Shape::Unbounded && it.background == Background::Births,
    },
];

impl Situation {
    /// Why it can't be; `None` when it can.
    pub fn impossible(&self) -> Option<&'static str> {
        IMPOSSIBLE.iter().find(|rule| (rule.excludes)(self)).map(|rule| rule.why)
    }

    /// That of a board under a rule that runs for so many generations. Errors when the rule can't be compiled.
    pub fn of(rule: &Rule, board: &Board, generations: u64) -> Result<Self, CompileError> {
        let (kernel, depends_on) = (rule.kernel()?, rule.depends_on());
        let mut background = board.background;
        let lives = background != DEAD
            || (0..generations).any(|done| {
                background = rule.background_next(background, board.generation.saturating_add(done));
                background != DEAD
            });
        Ok(Self {
            kernel: match kernel.as_ref() {
                Kernel::Walk(_) => KernelKind::Diagram,
                kernel if CpuEngine::is_precompiled(kernel) => KernelKind::Precompiled,
                Kernel::Circuit(_) => KernelKind::Gates,
            },
            coins: kernel.coins(),
            place: depends_on.parity_x || depends_on.parity_y,
            generation: depends_on.parity_generation,
            alternates: alternates(rule),
            neighbourhood: depends_on.neighbourhood,
            shape: Shape::of(rule.topology()),
            background: match rule.topology() {
                Topology::Unbounded if lives => Background::Living,
                Topology::Unbounded => Background::Dead,
                _ if rule.empty_space_stays_dead() => Background::Dead,
                _ => Background::Births,
            },
        })
    }

    /// The number of its value of each of [`PROPERTIES`].
    pub fn values(&self) -> [usize; PROPERTIES.len()] {
        fn place<T: PartialEq>(all: &[T], value: &T) -> usize {
            all.iter().position(|other| other == value).expect("all values are listed")
        }
        [
            place(&KernelKind::ALL, &self.kernel),
            self.coins as usize,
            usize::from(self.place) | usize::from(self.generation) << 1,
            usize::from(self.alternates),
            place(&Neighbourhood::ALL, &self.neighbourhood),
            place(&Shape::ALL, &self.shape),
            place(&Background::ALL, &self.background),
        ]
    }

    /// The situation with these values, possible or not.
    fn with(values: [usize; PROPERTIES.len()]) -> Self {
        let [kernel, coins, parity, alternation, neighbourhood, shape, background] = values;
        Self {
            kernel: KernelKind::ALL[kernel],
            coins: u32::try_from(coins).expect("at most two"),
            place: parity & 1 == 1,
            generation: parity & 2 == 2,
            alternates: alternation == 1,
            neighbourhood: Neighbourhood::ALL[neighbourhood],
            shape: Shape::ALL[shape],
            background: Background::ALL[background],
        }
    }

    /// Every situation, possible or not.
    fn all() -> impl Iterator<Item = Self> {
        let count = PROPERTIES.iter().map(|property| property.values.len()).product::<usize>();
        (0..count).map(|mut rest| {
            Self::with(PROPERTIES.each_ref().map(|property| {
                let value = rest % property.values.len();
                rest /= property.values.len();
                value
            }))
        })
    }

    /// Every situation that can be.
    pub(super) fn possible() -> &'static [Self] {
        static POSSIBLE: OnceLock<Vec<Situation>> = OnceLock::new();
        POSSIBLE.get_or_init(|| Self::all().filter(|situation| situation.impossible().is_none()).collect())
    }

    /// Its values, numbered through all properties, ascending.
    fn items(&self) -> [usize; PROPERTIES.len()] {
        let mut before = 0;
        let mut items = self.values();
        for (item, property) in items.iter_mut().zip(&PROPERTIES) {
            *item += before;
            before += property.values.len();
        }
        items
    }

    /// The places of its pairs and triples in a list of all.
    pub(super) fn combinations(&self) -> impl Iterator<Item = Combination> {
        let items = self.items();
        (0..items.len()).flat_map(move |a| {
            (a + 1..items.len()).flat_map(move |b| {
                let pair = Combination { place: items[a] * VALUES + items[b], order: 2 };
                let triple = move |c: usize| Combination { place: pair.place * VALUES + items[c], order: 3 };
                [pair].into_iter().chain((b + 1..items.len()).map(triple))
            })
        })
    }
}

/// Whether two rules take turns: their names are joined by a bar, which no other name has but those of laws.
fn alternates(rule: &Rule) -> bool {
    rule.name().contains('|') && !law::is_law(rule.name())
}

impl fmt::Display for Situation {
    /// `kernel gates, coins none, …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = PROPERTIES.iter().zip(self.values());
        let named: Vec<String> =
            named.map(|(property, value)| format!("{} {}", property.name, property.values[value])).collect();
        f.write_str(&named.join(", "))
    }
}

/// A pair or a triple of values, by its place in a list of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Combination {
    place: usize,
    /// How many values: 2 or 3.
    pub(super) order: usize,
}

/// How often what was tried.
#[derive(Clone, Debug)]
pub struct Coverage {
    values: [u64; VALUES],
    /// By order − 2.
    combinations: [Vec<u64>; 2],
}

/// How many combinations of values were tried of those that are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How many were tried, once or more.
    pub tried: usize,
    /// How many there are.
    pub possible: usize,
}

impl Default for Coverage {
    fn default() -> Self {
        Self { values: [0; VALUES], combinations: [2, 3].map(|order| vec![0; VALUES.pow(order)]) }
    }
}

impl Coverage {
    /// Notes a case.
    pub fn note(&mut self, situation: &Situation) {
        for item in situation.items() {
            self.values[item] += 1;
        }
        for combination in situation.combinations() {
            self.combinations[combination.order - 2][combination.place] += 1;
        }
    }

    /// Whether it was tried.
    pub(super) fn has(&self, combination: Combination) -> bool {
        self.combinations[combination.order - 2][combination.place] > 0
    }

    /// Of each property the values with how often they were tried.
    pub fn by_value(&self) -> impl Iterator<Item = (&'static str, Vec<(&'static str, u64)>)> {
        let mut rest = self.values.iter().copied();
        PROPERTIES.iter().map(move |property| {
            let counted = property.values.iter().copied().zip(rest.by_ref());
            (property.name, counted.take(property.values.len()).collect())
        })
    }

    /// Every possible combination of so many values, 2 or 3, by name, with how often it was tried.
    pub fn by_combination(&self, order: usize) -> impl Iterator<Item = (String, u64)> {
        let counts = &self.combinations[order - 2];
        possible_combinations(order).map(move |place| (name_of(place, order), counts[place]))
    }

    /// How many combinations of so many values, 2 or 3, were tried.
    pub fn share(&self, order: usize) -> Share {
        let counts = || possible_combinations(order).map(|place| self.combinations[order - 2][place]);
        Share { tried: counts().filter(|count| *count > 0).count(), possible: counts().count() }
    }
}

/// The places of all combinations of so many values that occur in a possible situation.
pub(super) fn possible_combinations(order: usize) -> impl Iterator<Item = usize> {
    static POSSIBLE: OnceLock<[Vec<usize>; 2]> = OnceLock::new();
    let possible = POSSIBLE.get_or_init(|| {
        let mut coverage = Coverage::default();
        for situation in Situation::possible() {
            coverage.note(situation);
        }
        coverage
            .combinations
            .map(|counts| (0..).zip(counts).filter(|(_, n)| *n > 0).map(|(at, _)| at).collect())
    });
    possible[order - 2].iter().copied()
}

/// The names of the values of a combination: `kernel gates, coins one`.
fn name_of(place: usize, order: usize) -> String {
    let item_name = |mut item: usize| {
        let property = PROPERTIES.iter().find(|property| {
            let is_here = item < property.values.len();
            if !is_here {
                item -= property.values.len();
            }
            is_here
        });
        property.map_or_else(String::new, |property| format!("{} {}", property.name, property.values[item]))
    };
    let mut rest = place;
    let mut names: Vec<String> = (0..order)
        .map(|_| {
            let name = item_name(rest % VALUES);
            rest /= VALUES;
            name
        })
        .collect();
    names.reverse();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineError, EngineKind, create};
    use crate::rule::parse;

    /// A board of each shape on which triangles could go on if they can on any.
    fn topologies() -> impl Iterator<Item = (Shape, Topology)> {
        let texts = [
            ":", ":P8,6", ":T8,6", ":T8+2,6", ":T8,6+2", ":K8*,6", ":K8,6*", ":K8*+1,6", ":K8,6*+1", ":C8,6",
            ":S8",
        ];
        Shape::ALL.into_iter().zip(texts).map(|(shape, suffix)| {
            let rule = parse(&format!("Life{suffix}")).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(Shape::of(rule.topology()), shape, "{suffix}");
            (shape, rule.topology())
        })
    }

    #[test]
    fn situations_are_numbered_as_they_are_named() {
        for (number, situation) in Situation::all().enumerate().step_by(97) {
            assert_eq!(Situation::with(situation.values()), situation, "situation {number}");
        }
        let named =
            |name: &str| PROPERTIES.iter().find(|it| it.name == name).expect("a property").values.len();
        assert_eq!(named("neighbourhood"), Neighbourhood::ALL.len(), "neighbourhoods");
        assert_eq!(named("topology"), Shape::ALL.len(), "topologies");
        assert_eq!(named("coins"), 1 + crate::coin::MAX_TOSSES as usize, "coins");
        let first = &Situation::possible()[0];
        let places: Vec<Combination> = first.combinations().collect();
        assert_eq!(places.len(), 21 + 35, "pairs and triples of seven");
        assert_eq!(name_of(places[0].place, 2), "kernel precompiled, coins none", "{first}");
    }

    #[test]
    fn triangles_are_refused_on_just_the_topologies_that_are_said_not_to_suit_them() {
        for (shape, topology) in topologies() {
            for text in ["B4/S456L", "B2/S13LE"] {
                let rule = parse(text).expect("a rule").with_topology(topology);
                for kind in [EngineKind::Oracle, EngineKind::Cpu] {
                    let refused = matches!(create(kind, &rule).err(), Some(EngineError::OddTriangles(_)));
                    assert_eq!(refused, !shape.suits_triangles(), "{kind}, {rule}");
                }
            }
        }
    }

    #[test]
    fn a_background_lives_on_the_unbounded_plane_alone() {
        for (shape, topology) in topologies() {
            let rule = parse("Life").expect("a rule").with_topology(topology);
            let board = Board { background: 1, ..Board::empty(topology) };
            for kind in [EngineKind::Oracle, EngineKind::Cpu] {
                let mut engine =
                    create(kind, &rule).unwrap_or_else(|error| panic!("{kind}, {rule}: {error}"));
                let refused = matches!(engine.load(&board), Err(EngineError::LivingBackground { .. }));
                assert_eq!(refused, shape != Shape::Unbounded, "{kind}, {rule}");
            }
            // And where empty space comes alive, it is the background that does.
            let born = "law 1 { born own == 0; survive own == 8 }";
            let born = parse(born).expect("a rule").with_topology(topology);
            let found = Situation::of(&born, &Board::empty(topology), 1).expect("a kernel").background;
            let expected = if shape == Shape::Unbounded { Background::Living } else { Background::Births };
            assert_eq!(found, expected, "{born}");
        }
    }

    #[test]
    fn two_rules_in_turn_always_look_at_the_generation() {
        for text in ["B3/S23|B36/S13", "B36/S23|B2/S", "P2Life|B36/S23Immigration-parity"] {
            let rule = parse(text).unwrap_or_else(|error| panic!("{error}"));
            assert!(alternates(&rule) && rule.depends_on().parity_generation, "{rule}");
        }
        let law = parse("law 1 { born own == 3 || own == 6; survive own in 2..=3 }").expect("a law");
        assert!(!alternates(&law), "{law} has bars of another kind");
    }

    #[test]
    fn what_is_possible_is_counted_by_hand_on_a_part() {
        // Neighbourhood and topology: five of squares and hexagons on all eleven, seven of triangles on five.
        let pairs = |one: &str, two: &str| {
            let named = possible_combinations(2).map(|place| name_of(place, 2));
            named.filter(|name| name.starts_with(one) && name.contains(two)).count()
        };
        assert_eq!(pairs("neighbourhood", "topology"), 5 * 11 + 7 * 5, "pairs");
        // The background of the plane is dead or living, that of ten others dead, with or without births.
        assert_eq!(pairs("topology", "background"), 2 + 10 * 2, "pairs");
        assert_eq!(pairs("parity", "alternation"), 4 + 2, "pairs");
        assert_eq!(pairs("kernel", "coins"), 2 + 3 + 3, "pairs");
        assert_eq!(pairs("kernel", "background"), 2 + 3 + 3, "pairs");
        assert_eq!(pairs("kernel", "neighbourhood"), 1 + 12 + 12, "pairs");
    }
}
