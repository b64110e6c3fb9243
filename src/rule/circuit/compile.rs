//! From the table of a ruleset to its circuit: what to count, how to write the states, in which order to ask.
//!
//! A plan names an encoding and sets of states to count, and where plane 0 is life, whether the planes of colour may ask
//! who will live: a colour is only needed for those, which leaves more cases free. Every plan that can tell apart what
//! the rule tells apart is tried; in each, the order in which the decision diagram asks its variables is improved by
//! swaps. The search is deterministic and bounded by a number of tries, not by time, so a rule has the same circuit
//! everywhere.

use super::decision::{Builder, Points, points};
use super::net::{FALSE, Net, Wire, lut};
use super::{CellInput, Circuit, CompileError, Encoding, Gate, MAX_STATES, Program, Row};
use crate::cell::State;
use crate::coin::philox4x32_10;
use crate::lattice::Neighbourhood;
use crate::rule::table::{Case, TransitionTable};
use crate::rule::{Dependence, Ruleset};

/// A set of states: bit s is state s.
type States = u16;

/// One thing to count among the neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted {
    states: States,
    /// Whether the cell itself is counted too: on some neighbourhoods that completes a sum of three in a row.
    with_own: bool,
}

/// One way to compile a table.
#[derive(Clone, Debug)]
struct Plan {
    encoding: Encoding,
    neighbourhood: Neighbourhood,
    /// What is counted, for rules to which only counts matter.
    counted: Vec<Counted>,
    /// What is asked of every single neighbour, for rules to which their arrangement matters: is it one of these?
    asked: Vec<States>,
    /// Whether the other planes may ask for the next value of plane 0. Where that is life, colours are only needed
    /// for those who live.
    asks_first_plane: bool,
}

/// Wires and points of a plan, from which circuits are built in any order of variables.
struct Problem<'a> {
    plan: &'a Plan,
    inputs: Vec<CellInput>,
    /// For each plane its next value where no coin is needed; the variables are those of `variables`.
    settled: Vec<Points>,
    /// Where coins are needed, and for each plane its next value there, coins being further variables. Empty for
    /// rules without coins.
    tosses: Points,
    tossed: Vec<Points>,
    coins: u32,
}

/// The most cases that are compiled into a circuit.
const MAX_CIRCUIT_CASES: usize = 1 << 17;

/// Compiles a ruleset.
pub fn compile(ruleset: &dyn Ruleset) -> Result<Circuit, CompileError> {
    let depends_on = ruleset.depends_on();
    if depends_on.states > MAX_STATES {
        return Err(CompileError::TooManyStates(depends_on.states));
    }
    let table = TransitionTable::enumerate(ruleset)?;
    if table.cases.len() > MAX_CIRCUIT_CASES {
        return Err(CompileError::TooManyCases(table.cases.len() as u64));
    }
    let plans = plans(depends_on);
    let problems: Vec<Problem<'_>> = plans.iter().filter_map(|plan| Problem::new(plan, &table)).collect();
    let (asking, plain): (Vec<_>, Vec<_>) =
        problems.iter().partition(|problem| problem.plan.asks_first_plane);
    // A few tries for each plan, then many for the best.
    let few = 150_000 / (table.cases.len() + 100) / plain.len().max(1);
    let many = few * plain.len();
    let mut best: Option<(usize, Circuit)> = None;
    for (problems, many) in [(plain, many), (asking, many / 2)] {
        let mut tried: Vec<(usize, Vec<usize>, &Problem<'_>)> = problems
            .into_iter()
            .map(|problem| {
                let (cost, order) = problem.search(problem.first_order(), few.max(2));
                (cost, order, problem)
            })
            .collect();
        tried.sort_by_key(|(cost, _, _)| *cost);
        for (_, order, problem) in tried.into_iter().take(2) {
            let (cost, order) = problem.search(order, many);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, problem.circuit(&order)));
            }
        }
    }
    best.map(|(_, circuit)| circuit).ok_or(CompileError::TooManySpecies(depends_on.seen_states - 1))
}

/// The plans worth trying for what a rule depends on.
fn plans(depends_on: Dependence) -> Vec<Plan> {
    let states = depends_on.states;
    let mut encodings = vec![Encoding::binary(states)];
    if states > 2 {
        encodings.push(Encoding::alive_and_species(states));
    }
    // The states that are taken for each of the seen ones.
    let seen: Vec<States> = (depends_on.seen_list().iter())
        .map(|seen| (0..=State::MAX).take(usize::from(states)).filter(|s| depends_on.seen(*s) == *seen))
        .map(|states| states.fold(0, |set, s| set | 1 << s))
        .collect();
    let species = seen[1..].to_vec();
    let alive = species.iter().fold(0, |all, s| all | s);
    let mut plans = Vec::new();
    for encoding in encodings {
        let plan = |counted, asked| Plan {
            encoding: encoding.clone(),
            neighbourhood: depends_on.neighbourhood,
            counted,
            asked,
            asks_first_plane: false,
        };
        if depends_on.arrangement {
            // The numbers of the seen states in binary: as many questions as they have bits.
            let bits = u16::BITS - (depends_on.seen_states - 1).leading_zeros();
            let with_bit = |bit: u32| {
                (0u16..).zip(&seen).filter(move |(n, _)| n >> bit & 1 == 1).fold(0, |all, (_, set)| all | set)
            };
            let asked = (0..bits).map(with_bit).collect();
            plans.push(plan(Vec::new(), asked));
            continue;
        }
        let mut sets: Vec<Vec<States>> = vec![vec![species[0]]];
        if species.len() > 1 {
            sets.push(vec![alive]);
        }
        // Beyond four species their counts are too many variables.
        if species.len() <= 4 {
            sets.push(species.clone());
            if species.len() > 1 {
                for left_out in &species {
                    let mut set = vec![alive];
                    set.extend(species.iter().filter(|s| *s != left_out));
                    sets.push(set);
                }
            }
        }
        for set in &sets {
            for with_own in [true, false] {
                let counted: Vec<Counted> = set.iter().map(|&states| Counted { states, with_own }).collect();
                let plan = plan(counted, Vec::new());
                if encoding.first_plane_is_life() && set.contains(&alive) {
                    plans.push(Plan { asks_first_plane: true, ..plan.clone() });
                }
                plans.push(plan);
            }
        }
    }
    plans
}

/// Bits of a count of up to thirteen.
const COUNT_BITS: usize = 4;

impl<'a> Problem<'a> {
    /// `None` when the plan can't tell apart what the rule tells apart.
    fn new(plan: &'a Plan, table: &TransitionTable) -> Option<Self> {
        let planes = plan.encoding.planes();
        let depends_on = table.depends_on;
        let mut inputs = Vec::new();
        for row in [Row::Above, Row::Here, Row::Below] {
            inputs.extend((0..features(plan).len()).map(|feature| CellInput::Feature(row, feature)));
        }
        inputs.extend([CellInput::ParityX, CellInput::ParityY, CellInput::ParityGeneration]);
        inputs.extend((0..depends_on.coins).map(CellInput::Coin));

        let variables = variable_count(plan);
        let assignment = |case: &Case| assignment(plan, case);
        // Coins matter only where they change the answer.
        let groups = table
            .cases
            .chunk_by(|a, b| (a.own, a.neighbours, a.parities) == (b.own, b.neighbours, b.parities));
        let (mut settled_cases, mut tossed_cases) = (Vec::new(), Vec::new());
        for group in groups {
            if group.iter().all(|case| case.next == group[0].next) {
                settled_cases.push(&group[0]);
            } else {
                tossed_cases.extend(group);
            }
        }
        let next_bit = |case: &Case, plane: usize| plan.encoding.code(case.next) >> plane & 1 == 1;
        let of_plane =
            |cases: &[&Case], plane: usize| {
                points(cases.iter().map(|case| {
                    (assignment(case) | u64::from(case.coins) << variables, next_bit(case, plane))
                }))
            };
        // The first plane's next value is the last variable, which only the other planes ask.
        let of_settled_plane = |plane: usize| {
            points(settled_cases.iter().map(|case| {
                let first = plan.asks_first_plane && plane > 0 && next_bit(case, 0);
                (assignment(case) | u64::from(first) << (variables - 1), next_bit(case, plane))
            }))
        };
        let settled = (0..planes).map(of_settled_plane).collect::<Option<Vec<_>>>()?;
        let tossed = (0..planes).map(|p| of_plane(&tossed_cases, p)).collect::<Option<Vec<_>>>()?;
        let tosses = points(
            settled_cases
                .iter()
                .map(|case| (assignment(case), false))
                .chain(tossed_cases.iter().map(|case| (assignment(case), true))),
        )?;
        let coins = if tossed_cases.is_empty() { 0 } else { depends_on.coins };
        Some(Self { plan, inputs, settled, tosses, tossed, coins })
    }

    /// Own state first, then the counts from their high bits down, interleaved.
    fn first_order(&self) -> Vec<usize> {
        let own = self.plan.encoding.planes();
        let counted = self.plan.counted.len();
        let mut order: Vec<usize> = (0..own).collect();
        for bit in (0..COUNT_BITS).rev() {
            order.extend((0..counted).map(|c| own + c * COUNT_BITS + bit));
        }
        order.extend(own + counted * COUNT_BITS..variable_count(self.plan));
        order
    }

    /// Improves an order by moving one variable at a time, keeping what has fewer gates.
    fn search(&self, mut order: Vec<usize>, tries: usize) -> (usize, Vec<usize>) {
        let mut cost = self.circuit(&order).gates();
        let places = u32::try_from(order.len()).expect("a few dozen variables");
        for attempt in 0..u32::try_from(tries).unwrap_or(u32::MAX) {
            let [from, to, ..] =
                philox4x32_10([attempt, 0, 0, 0], [places, 0]).map(|r| (r % places) as usize);
            if from == to {
                continue;
            }
            let mut other = order.clone();
            let variable = other.remove(from);
            other.insert(to, variable);
            let other_cost = self.circuit(&other).gates();
            // Equal ones are taken too: they lead off plateaus.
            if other_cost <= cost {
                (cost, order) = (other_cost, other);
            }
        }
        (cost, order)
    }

    /// The circuit that asks its variables in this order.
    fn circuit(&self, order: &[usize]) -> Circuit {
        let planes = self.plan.encoding.planes();
        let mut net = Net::new(u32::try_from(self.inputs.len()).expect("few inputs"));
        let mut variables = self.variables(&mut net);
        let mut full_order = order.to_vec();
        for coin in 0..self.coins {
            full_order.push(variables.len());
            variables.push(self.wire(CellInput::Coin(coin)));
        }
        let mut settled = Vec::new();
        if self.plan.asks_first_plane {
            settled.push(Builder::new(&mut net, &variables, &full_order).build(self.settled[0].clone()));
            variables[variable_count(self.plan) - 1] = settled[0];
        }
        let mut builder = Builder::new(&mut net, &variables, &full_order);
        settled.extend(self.settled[settled.len()..].iter().map(|p| builder.build(p.clone())));
        let mut outputs = settled.clone();
        if self.coins > 0 {
            let tosses = builder.build(self.tosses.clone());
            let tossed: Vec<Wire> = self.tossed.iter().map(|p| builder.build(p.clone())).collect();
            for (plane, output) in outputs.iter_mut().enumerate() {
                *output = net.choose(tosses, tossed[plane], settled[plane]);
            }
            outputs.push(tosses);
        }
        let (net, mut outputs) = net.merged(outputs);
        let coin_wires: Vec<Wire> = (0..self.coins).map(|c| self.wire(CellInput::Coin(c))).collect();
        let (cell, coin_free) = program(&net, &outputs, &coin_wires);
        let tosses = (self.coins > 0).then(|| cell.outputs[planes]);
        outputs.truncate(planes);
        self.with_row_program(cell, coin_free, tosses)
    }

    /// Adds the row program, with just the features that the cell program reads, and drops unread inputs.
    fn with_row_program(&self, mut cell: Program, coin_free: usize, tosses: Option<usize>) -> Circuit {
        let planes = self.plan.encoding.planes();
        cell.outputs.truncate(planes);
        let mut read = vec![false; cell.inputs];
        let values =
            cell.gates.iter().flat_map(|g| g.inputs).chain(cell.outputs.iter().copied()).chain(tosses);
        for value in values {
            if value < cell.inputs {
                read[value] = true;
            }
        }
        let feature_read = |feature: usize| {
            self.inputs
                .iter()
                .zip(&read)
                .any(|(input, &r)| r && matches!(input, CellInput::Feature(_, f) if *f == feature))
        };
        let kept: Vec<usize> = (0..features(self.plan).len()).filter(|&f| feature_read(f)).collect();

        let mut net = Net::new(u32::try_from(SHIFTS.len() * planes).expect("few planes"));
        let all = self.features(&mut net);
        let (net, outputs) = net.merged(kept.iter().map(|&f| all[f]).collect());
        let (row, _) = program(&net, &outputs, &[]);

        // Renumber the values: unread inputs vanish.
        let renumbered: Vec<usize> = read
            .iter()
            .scan(0, |next, &r| {
                let here = *next;
                *next += usize::from(r);
                Some(here)
            })
            .collect();
        let inputs = read.iter().filter(|&&r| r).count();
        let removed = cell.inputs - inputs;
        let moved = |value: usize| if value < cell.inputs { renumbered[value] } else { value - removed };
        let cell_inputs = self
            .inputs
            .iter()
            .zip(&read)
            .filter(|&(_, &r)| r)
            .map(|(input, _)| match *input {
                CellInput::Feature(row, feature) => {
                    let at = kept.iter().position(|&k| k == feature).expect("read features are kept");
                    CellInput::Feature(row, at)
                }
                other => other,
            })
            .collect();
        let cell = Program {
            inputs,
            gates: cell.gates.iter().map(|g| Gate { lut: g.lut, inputs: g.inputs.map(moved) }).collect(),
            outputs: cell.outputs.iter().map(|&o| moved(o)).collect(),
        };
        Circuit {
            encoding: self.plan.encoding.clone(),
            row,
            cell,
            cell_inputs,
            tosses: tosses.map(moved),
            coin_free,
        }
    }

    /// The wire of an input of the cell program.
    fn wire(&self, input: CellInput) -> Wire {
        let at = self.inputs.iter().position(|&i| i == input).expect("a listed input");
        Net::input(u32::try_from(at).expect("few inputs"))
    }

    /// The wires of all variables in the cell program: own planes, bits of counts or answers of neighbours, parities.
    fn variables(&self, net: &mut Net) -> Vec<Wire> {
        let plan = self.plan;
        let own = (0..plan.encoding.planes()).map(|p| Feature::Plane { plane: p, dx: 0 });
        let mut variables: Vec<Wire> = own.map(|f| self.feature(Row::Here, f)).collect();
        let parity_x = self.wire(CellInput::ParityX);
        let parity_y = self.wire(CellInput::ParityY);
        let [even, odd] = plan.neighbourhood.both_offsets();
        // Set where x + y is odd; only made where the two kinds of cells see different offsets.
        let turned = if even == odd { FALSE } else { net.xor(parity_x, parity_y) };
        for set in 0..plan.counted.len() {
            let bits = self.counted_bits(net, set, turned);
            variables.extend(bits);
        }
        for (&(even_x, even_y), &(odd_x, odd_y)) in even.iter().zip(odd) {
            for set in 0..plan.asked.len() {
                let seen = |dx, dy| self.feature(row_of(dy), Feature::Member { set, dx });
                let (plain, other) = (seen(even_x, even_y), seen(odd_x, odd_y));
                variables.push(if plain == other { plain } else { net.choose(turned, other, plain) });
            }
        }
        variables.extend([parity_x, parity_y, self.wire(CellInput::ParityGeneration)]);
        if plan.asks_first_plane {
            // Not known yet; nobody asks before it is.
            variables.push(FALSE);
        }
        variables
    }

    /// The four bits of the count of set `set`.
    fn counted_bits(&self, net: &mut Net, set: usize, turned: Wire) -> [Wire; COUNT_BITS] {
        let counted = self.plan.counted[set];
        let [even, odd] = self.plan.neighbourhood.both_offsets();
        let mut common: Vec<(i64, i64)> = even.iter().copied().filter(|seat| odd.contains(seat)).collect();
        if counted.with_own {
            common.push((0, 0));
        }
        let only = |these: &[(i64, i64)], others: &[(i64, i64)]| -> Vec<(i64, i64)> {
            these.iter().copied().filter(|seat| !others.contains(seat)).collect()
        };
        // Bits by weight 1, 2, 4, 8.
        let mut weights: [Vec<Wire>; COUNT_BITS + 1] = Default::default();
        for (weight, bits) in self.summed(set, &common).into_iter().enumerate() {
            weights[weight].extend(bits);
        }
        // What only one kind of cell sees: of each weight, one of two bits.
        let (plain, other) = (self.summed(set, &only(even, odd)), self.summed(set, &only(odd, even)));
        for (weight, (plain, other)) in plain.into_iter().zip(other).enumerate() {
            for index in 0..plain.len().max(other.len()) {
                let bit = |bits: &[Wire]| bits.get(index).copied().unwrap_or(FALSE);
                let chosen = net.choose(turned, bit(&other), bit(&plain));
                weights[weight].push(chosen);
            }
        }
        for weight in 0..COUNT_BITS {
            while weights[weight].len() > 1 {
                let first: Vec<Wire> = weights[weight].drain(..weights[weight].len().min(3)).collect();
                let (sum, carry) = match first[..] {
                    [a, b] => (net.xor(a, b), net.and(a, b)),
                    _ => net.full_adder([first[0], first[1], first[2]]),
                };
                weights[weight].push(sum);
                // Ahead of the sums of rows, which are three of a kind.
                weights[weight + 1].push(carry);
            }
        }
        std::array::from_fn(|weight| weights[weight].first().copied().unwrap_or(FALSE))
    }

    /// The bits of weight 1 and of weight 2 that add up to the members among these seats, from sums of whole rows
    /// where there are any.
    fn summed(&self, set: usize, seats: &[(i64, i64)]) -> [Vec<Wire>; 2] {
        let (mut ones, mut twos) = (Vec::new(), Vec::new());
        for dy in [-1, 0, 1] {
            let mut columns: Vec<i64> = seats.iter().filter(|seat| seat.1 == dy).map(|seat| seat.0).collect();
            for group in [Group::Three, Group::Sides, Group::FarSides] {
                if group.columns().iter().all(|dx| columns.contains(dx)) {
                    columns.retain(|dx| !group.columns().contains(dx));
                    ones.push(self.feature(row_of(dy), Feature::Sum { set, group, carry: false }));
                    twos.push(self.feature(row_of(dy), Feature::Sum { set, group, carry: true }));
                }
            }
            ones.extend(columns.iter().map(|&dx| self.feature(row_of(dy), Feature::Member { set, dx })));
        }
        [ones, twos]
    }

    /// The wire of a feature of a row.
    fn feature(&self, row: Row, feature: Feature) -> Wire {
        let at = features(self.plan).iter().position(|&f| f == feature).expect("a listed feature");
        self.wire(CellInput::Feature(row, at))
    }

    /// The wires of all features in the row program, whose inputs are every plane at every dx.
    fn features(&self, net: &mut Net) -> Vec<Wire> {
        let plan = self.plan;
        let planes = plan.encoding.planes();
        let word = |plane: usize, dx: i64| {
            let input = plane * SHIFTS.len() + usize::try_from(dx + REACH).expect("within reach");
            Net::input(u32::try_from(input).expect("few planes"))
        };
        let order: Vec<usize> = (0..planes).collect();
        let sets: Vec<States> =
            plan.counted.iter().map(|c| c.states).chain(plan.asked.iter().copied()).collect();
        let members: Vec<Vec<Wire>> = sets
            .iter()
            .map(|states| {
                let member = points(
                    (0u8..)
                        .zip(plan.encoding.codes())
                        .map(|(state, &code)| (u64::from(code), states >> state & 1 == 1)),
                )
                .expect("states have different codes");
                SHIFTS
                    .map(|dx| {
                        let variables: Vec<Wire> = (0..planes).map(|p| word(p, dx)).collect();
                        Builder::new(net, &variables, &order).build(member.clone())
                    })
                    .to_vec()
            })
            .collect();
        let member = |set: usize, dx: i64| members[set][usize::try_from(dx + REACH).expect("within reach")];
        features(plan)
            .into_iter()
            .map(|feature| match feature {
                Feature::Plane { plane, dx } => word(plane, dx),
                Feature::Member { set, dx } => member(set, dx),
                Feature::Sum { set, group, carry } => {
                    let seats: Vec<Wire> = group.columns().iter().map(|&dx| member(set, dx)).collect();
                    match (&seats[..], carry) {
                        ([a, b], false) => net.xor(*a, *b),
                        ([a, b], true) => net.and(*a, *b),
                        (_, false) => net.full_adder([seats[0], seats[1], seats[2]]).0,
                        (_, true) => net.full_adder([seats[0], seats[1], seats[2]]).1,
                    }
                }
            })
            .collect()
    }
}

/// Seats of one row whose members are summed in the row program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// Left, middle, right.
    Three,
    /// Left and right.
    Sides,
    /// Two to the left and two to the right.
    FarSides,
}

impl Group {
    const fn columns(self) -> &'static [i64] {
        match self {
            Self::Three => &[-1, 0, 1],
            Self::Sides => &[-1, 1],
            Self::FarSides => &[-2, 2],
        }
    }
}

/// What the row program can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    /// A plane of the cells dx to the right.
    Plane { plane: usize, dx: i64 },
    /// Whether the cell dx to the right is in a set.
    Member { set: usize, dx: i64 },
    /// A bit of how many cells of a group are in a set.
    Sum { set: usize, group: Group, carry: bool },
}

/// How far neighbours are in x at the most, and every dx.
const REACH: i64 = 2;
const SHIFTS: [i64; 5] = [-2, -1, 0, 1, 2];

/// All features that a plan's row program can offer; those that are not read are dropped.
fn features(plan: &Plan) -> Vec<Feature> {
    let sets = plan.counted.len() + plan.asked.len();
    let mut features: Vec<Feature> =
        (0..plan.encoding.planes()).map(|plane| Feature::Plane { plane, dx: 0 }).collect();
    for set in 0..sets {
        features.extend(SHIFTS.map(|dx| Feature::Member { set, dx }));
    }
    for set in 0..plan.counted.len() {
        for group in [Group::Three, Group::Sides, Group::FarSides] {
            features.extend([false, true].map(|carry| Feature::Sum { set, group, carry }));
        }
    }
    features
}

const fn row_of(dy: i64) -> Row {
    match dy {
        -1 => Row::Above,
        0 => Row::Here,
        _ => Row::Below,
    }
}

/// How many variables the decision diagram may ask, coins apart.
fn variable_count(plan: &Plan) -> usize {
    let asked = plan.asked.len() * plan.neighbourhood.size();
    let first_plane = usize::from(plan.asks_first_plane);
    plan.encoding.planes() + COUNT_BITS * plan.counted.len() + asked + 3 + first_plane
}

/// The values of all variables in a case.
fn assignment(plan: &Plan, case: &Case) -> u64 {
    let member = |states: States, state: State| u64::from(states >> state & 1 == 1);
    let (mut bits, mut used) = (u64::from(plan.encoding.code(case.own)), plan.encoding.planes());
    for counted in &plan.counted {
        let mut count: u64 = case.neighbours.states().iter().map(|&s| member(counted.states, s)).sum();
        if counted.with_own {
            count += member(counted.states, case.own);
        }
        bits |= count << used;
        used += COUNT_BITS;
    }
    for &state in case.neighbours.states() {
        for &states in &plan.asked {
            bits |= member(states, state) << used;
            used += 1;
        }
    }
    bits | u64::from(case.parities) << used
}

/// The gates that the outputs need, those that read no coins first; and how many those are.
fn program(net: &Net, outputs: &[Wire], coins: &[Wire]) -> (Program, usize) {
    let inputs = net.inputs as usize;
    let first = 1 + inputs;
    let mut needed = vec![false; first + net.gates.len()];
    let mut tossing = vec![false; first + net.gates.len()];
    for coin in coins {
        tossing[coin.node as usize] = true;
    }
    for output in outputs {
        needed[output.node as usize] = true;
    }
    for (index, gate) in net.gates.iter().enumerate().rev() {
        if needed[first + index] {
            gate.inputs.iter().for_each(|&i| needed[i as usize] = true);
        }
    }
    for (index, gate) in net.gates.iter().enumerate() {
        tossing[first + index] = gate.inputs.iter().any(|&i| tossing[i as usize]);
    }
    let readers = net.readers(outputs);
    let mut place: Vec<usize> = (0..first).map(|node| node.saturating_sub(1)).collect();
    place.resize(first + net.gates.len(), 0);
    let mut gates = Vec::new();
    let mut given = vec![0; outputs.len()];
    let mut coin_free = 0;
    for with_coins in [false, true] {
        for (index, gate) in net.gates.iter().enumerate() {
            if needed[first + index] && tossing[first + index] == with_coins {
                place[first + index] = inputs + gates.len();
                gates.push(Gate { lut: gate.lut, inputs: gate.inputs.map(|i| place[i as usize]) });
            }
        }
        for (output, given) in outputs.iter().zip(&mut given) {
            let node = output.node as usize;
            if tossing[node] != with_coins {
                continue;
            }
            *given = place[node];
            if node != 0 && !output.negated {
                continue;
            }
            // Negated and constant outputs: by turning their gate when nobody else reads it, else by a gate more.
            if node >= first && readers[node] == 1 {
                gates[*given - inputs].lut = !gates[*given - inputs].lut;
            } else {
                let lut = match (node, output.negated) {
                    (0, false) => 0,
                    (0, true) => u8::MAX,
                    _ => !lut::A,
                };
                gates.push(Gate { lut, inputs: [place[node]; 3] });
                *given = inputs + gates.len() - 1;
            }
        }
        if !with_coins {
            coin_free = gates.len();
        }
    }
    (Program { inputs, gates, outputs: given }, coin_free)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::DEAD;
    use crate::coin::Coin;
    use crate::coords::Coords;
    use crate::lattice::Neighbours;
    use crate::rule::{Dependence, Site, named, parse};

    /// What the circuit makes of one cell, its neighbours standing as given.
    fn circuit_next(circuit: &Circuit, neighbourhood: Neighbourhood, case: &Case, seen: &[State]) -> State {
        let planes = circuit.planes();
        let parities = case.parities;
        let at = Coords::new(i64::from(parities & 1), i64::from(parities >> 1 & 1));
        let state_at = |dx: i64, dy: i64| {
            if (dx, dy) == (0, 0) {
                return case.own;
            }
            let seat = neighbourhood.offsets(at).iter().position(|&seat| seat == (dx, dy));
            // What is not seen is the highest state, so that looking at it does harm.
            seat.map_or(State::try_from(circuit.encoding.codes().len() - 1).expect("few states"), |seat| {
                seen[seat]
            })
        };
        let bit = |state: State, plane: usize| u64::from(circuit.encoding.code(state) >> plane & 1);
        let features: Vec<Vec<u64>> = [-1, 0, 1]
            .iter()
            .map(|&dy| {
                let mut values =
                    (0..planes).flat_map(|p| SHIFTS.map(|dx| bit(state_at(dx, dy), p))).collect();
                circuit.row.run(&mut values);
                circuit.row.outputs.iter().map(|&o| values[o]).collect()
            })
            .collect();
        let mut values = circuit
            .cell_inputs
            .iter()
            .map(|input| match *input {
                CellInput::Feature(Row::Above, f) => features[0][f],
                CellInput::Feature(Row::Here, f) => features[1][f],
                CellInput::Feature(Row::Below, f) => features[2][f],
                CellInput::ParityX => u64::from(parities & 1),
                CellInput::ParityY => u64::from(parities >> 1 & 1),
                CellInput::ParityGeneration => u64::from(parities >> 2 & 1),
                CellInput::Coin(toss) => u64::from(case.coins >> toss & 1),
            })
            .collect();
        circuit.cell.run(&mut values);
        let code = circuit
            .cell
            .outputs
            .iter()
            .enumerate()
            .fold(0, |c, (p, &o)| c | u8::from(values[o] & 1 == 1) << p);
        circuit.encoding.state(code)
    }

    /// Compares the circuit of a ruleset with its table in every case, counted neighbours standing in several orders.
    fn check(name: &str, ruleset: &dyn Ruleset) -> Circuit {
        let circuit = compile(ruleset).unwrap_or_else(|e| panic!("{name}: {e}"));
        let table = TransitionTable::enumerate(ruleset).expect("it was compiled");
        let depends_on = table.depends_on;
        let turns = if depends_on.arrangement { 1 } else { 8 };
        for case in &table.cases {
            let mut seen = case.neighbours.states().to_vec();
            for turn in 0..turns {
                // On the triangular lattice cells of both kinds are asked, also where the rule doesn't care.
                for parities in 0..4 {
                    let differs = parities ^ case.parities;
                    if (depends_on.parity_x && differs & 1 != 0) || (depends_on.parity_y && differs & 2 != 0)
                    {
                        continue;
                    }
                    let case = Case { parities: case.parities & 4 | parities, ..case.clone() };
                    let next = circuit_next(&circuit, depends_on.neighbourhood, &case, &seen);
                    assert_eq!(next, case.next, "{name}: {case:?}, turned {turn} times");
                }
                let length = seen.len();
                seen.rotate_left(1);
                seen.swap(length / 4, length / 2);
            }
        }
        // What says where coins are needed must not read any, and gates read only what is before them.
        for (program, free) in [(&circuit.row, circuit.row.gates.len()), (&circuit.cell, circuit.coin_free)] {
            for (index, gate) in program.gates.iter().enumerate() {
                for input in gate.inputs {
                    assert!(input < program.inputs + index, "{name}: gate {index} reads {input}");
                    let coin = matches!(circuit.cell_inputs.get(input), Some(CellInput::Coin(_)));
                    assert!(
                        program != &circuit.cell || index >= free || !coin,
                        "{name}: gate {index} reads a coin"
                    );
                }
            }
        }
        assert!(
            circuit.tosses.is_none_or(|t| t < circuit.cell.inputs + circuit.coin_free),
            "{name}: mask after coins"
        );
        circuit
    }

    #[test]
    fn the_circuit_of_every_named_rule_answers_as_its_table() {
        for named in named::NAMED {
            let rule = parse(named.rule).unwrap_or_else(|e| panic!("{e}"));
            check(named.name, rule.ruleset());
        }
    }

    #[test]
    fn ties_of_every_kind_are_compiled_right() {
        for rule in [
            "B2468/S23Immigration-parity",
            "B0/S8Immigration",
            "B4/S12Immigration-2",
            "B246/SImmigration-none",
            "B45/S3QuadLife",
            "B24/S3QuadLife-parity",
            "B4/SQuadLife-3",
            "B/S",
            "law1{born=true;survive=true}",
            "B0/S",
        ] {
            check(rule, parse(rule).unwrap_or_else(|e| panic!("{e}")).ruleset());
        }
    }

    /// Answers by a table of random numbers over all that it declares.
    struct Random {
        depends_on: Dependence,
        seed: u32,
    }

    impl Ruleset for Random {
        fn depends_on(&self) -> Dependence {
            self.depends_on
        }
        fn empty_cell_next(&self, neighbours: &Neighbours, site: Site, coin: &mut Coin) -> State {
            self.occupied_cell_next(neighbours, DEAD, site, coin)
        }
        fn occupied_cell_next(
            &self,
            neighbours: &Neighbours,
            value: State,
            site: Site,
            coin: &mut Coin,
        ) -> State {
            let d = self.depends_on;
            let mut seen = neighbours.states().to_vec();
            if !d.arrangement {
                seen.sort_unstable();
            }
            let parity = |on: bool, value: i64| if on { u32::from(value.rem_euclid(2) == 1) } else { 0 };
            let mut key = seen.iter().fold(u32::from(value), |key, &s| key.wrapping_mul(17) + u32::from(s));
            key = key.wrapping_mul(8) + parity(d.parity_x, site.at.x) + 2 * parity(d.parity_y, site.at.y);
            key = key.wrapping_mul(2) + u32::from(d.parity_generation && site.generation % 2 == 1);
            let drawn = philox4x32_10([key, 0, 0, 0], [self.seed, 0]);
            let toss =
                (0..d.coins).fold(0, |t, _| t * 2 + u32::from(drawn[1].is_multiple_of(3) && coin.toss()));
            u8::try_from((drawn[2] >> (8 * toss)) % u32::from(d.states)).expect("below 256")
        }
    }

    #[test]
    fn random_tables_are_compiled_right() {
        let plain = Dependence::counting(2);
        for (seed, depends_on) in (0..).zip([
            plain,
            Dependence { parity_x: true, parity_y: true, parity_generation: true, ..plain },
            Dependence { arrangement: true, coins: 1, ..plain },
            Dependence::counting(3),
            Dependence { coins: 2, parity_x: true, ..Dependence::counting(3) },
            Dependence::counting(4),
            Dependence { seen_states: 2, ..Dependence::counting(9) },
            Dependence { seen_states: 2, arrangement: true, ..Dependence::counting(6) },
        ]) {
            check(&format!("random table {seed}"), &Random { depends_on, seed });
        }
    }

    #[test]
    fn random_tables_of_every_neighbourhood_are_compiled_right() {
        for (seed, neighbourhood) in (100..).zip(Neighbourhood::ALL) {
            for depends_on in [
                Dependence { neighbourhood, ..Dependence::counting(2) },
                Dependence { neighbourhood, parity_x: true, ..Dependence::counting(3) },
                Dependence { neighbourhood, arrangement: true, coins: 1, ..Dependence::counting(2) },
            ] {
                check(&format!("{neighbourhood:?}, table {seed}"), &Random { depends_on, seed });
            }
        }
    }

    /// Three-input gates a word, shifts (two a plane) apart. The best known by hand, shifts counted, are Life 10,
    /// Immigration 18, p2life 45 to 51.
    #[test]
    fn gate_counts_are_no_worse_than_they_were() {
        let golden = [
            ("Life", 10),
            ("Immigration", 17),
            ("P2Life", 38),
            ("QuadLife", 51),
            ("HighLife Immigration", 25),
            ("Day & Night Immigration", 32),
            ("Seeds QuadLife", 49),
            ("Deadly Enemies", 20),
            ("Day & Night Symbiosis", 33),
            ("HighLife", 11),
            ("Day & Night", 13),
            ("Replicator", 3),
            ("Anneal", 9),
            ("Anti-Life", 10),
        ];
        for (name, most) in golden {
            let rule = parse(name).expect("a rule");
            let gates = compile(rule.ruleset()).expect("a circuit").gates();
            assert!(gates <= most, "{name}: {gates} gates, {most} before");
        }
        assert_eq!(
            parse("B/S").map(|r| compile(r.ruleset()).map(|c| c.gates())),
            Ok(Ok(1)),
            "nothing lives: one constant"
        );
    }

    #[test]
    fn rules_of_too_many_states_are_refused() {
        let many = Dependence::counting(17);
        assert_eq!(
            compile(&Random { depends_on: many, seed: 0 }).err(),
            Some(CompileError::TooManyStates(17)),
            "17 states"
        );
    }
}
