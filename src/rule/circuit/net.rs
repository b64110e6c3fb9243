//! A network of three-input gates in the making: equal gates are one, constants and copies vanish, negations are
//! free (they go into the gate that reads them), and small gates are merged into larger ones.

use rustc_hash::FxHashMap;

use super::apply;

/// A wire: an input, a gate or a constant, negated or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Wire {
    /// 0 is the constant false, then the inputs, then the gates.
    pub(super) node: u32,
    pub(super) negated: bool,
}

impl std::ops::Not for Wire {
    type Output = Self;

    fn not(self) -> Self {
        Self { negated: !self.negated, ..self }
    }
}

/// The constant false.
pub(super) const FALSE: Wire = Wire { node: 0, negated: false };

/// Truth tables of three inputs: bit 4a + 2b + c is the answer (the order of `vpternlog` and LOP3).
pub(super) mod lut {
    pub(in crate::rule::circuit) const A: u8 = 0xF0;
    pub(in crate::rule::circuit) const B: u8 = 0xCC;
    pub(in crate::rule::circuit) const C: u8 = 0xAA;
    pub(in crate::rule::circuit) const XOR3: u8 = A ^ B ^ C;
    pub(in crate::rule::circuit) const MAJORITY: u8 = (A & B) | (A & C) | (B & C);
    /// b where a, else c.
    pub(in crate::rule::circuit) const CHOOSE: u8 = (A & B) | (!A & C);
}

/// A gate: its truth table is never constant, never a copy and false for all-false inputs; its inputs are plain,
/// distinct and ascending, unused ones (the last) being the constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NetGate {
    pub(super) lut: u8,
    pub(super) inputs: [u32; 3],
}

/// A function of up to three leaves at all their values at once: bit n is its answer where bit i of n is the value of
/// leaf i. Eight bits would do; the others repeat them.
type Answers = u64;

/// What the leaves themselves are.
const LEAF: [Answers; 3] = [0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0];

/// Up to three distinct nodes, none of them the constant, ascending.
#[derive(Clone, Copy, Debug, Default)]
struct Leaves {
    nodes: [u32; 3],
    count: usize,
}

impl Leaves {
    /// `None` when there are more.
    fn of(nodes: impl IntoIterator<Item = u32>) -> Option<Self> {
        let mut leaves = Self::default();
        for node in nodes {
            if node == 0 || leaves.as_slice().contains(&node) {
                continue;
            }
            let at = leaves.as_slice().iter().position(|&other| other > node).unwrap_or(leaves.count);
            if leaves.count == 3 {
                return None;
            }
            leaves.nodes.copy_within(at..2, at + 1);
            leaves.nodes[at] = node;
            leaves.count += 1;
        }
        Some(leaves)
    }

    fn as_slice(&self) -> &[u32] {
        &self.nodes[..self.count]
    }

    /// What a wire is, if it is one of these or constant.
    fn answers(&self, wire: Wire) -> Answers {
        let plain = self.as_slice().iter().position(|&leaf| leaf == wire.node).map_or(0, |at| LEAF[at]);
        if wire.negated { !plain } else { plain }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Net {
    pub(super) inputs: u32,
    pub(super) gates: Vec<NetGate>,
    known: FxHashMap<NetGate, u32>,
}

impl Net {
    pub(super) fn new(inputs: u32) -> Self {
        Self { inputs, gates: Vec::new(), known: FxHashMap::default() }
    }

    /// The wire of input `index`.
    pub(super) fn input(index: u32) -> Wire {
        Wire { node: 1 + index, negated: false }
    }

    fn gate_of(&self, node: u32) -> Option<&NetGate> {
        node.checked_sub(1 + self.inputs).map(|gate| &self.gates[gate as usize])
    }

    /// The wire with this truth table over these inputs.
    pub(super) fn gate(&mut self, lut: u8, inputs: [Wire; 3]) -> Wire {
        let leaves = Leaves::of(inputs.map(|wire| wire.node)).expect("three wires at the most");
        let [a, b, c] = inputs.map(|wire| leaves.answers(wire));
        self.gate_over(&leaves, apply(lut, a, b, c))
    }

    /// The wire of a function of some nodes.
    fn gate_over(&mut self, leaves: &Leaves, answers: Answers) -> Wire {
        let mut used = [0; 3];
        let mut count = 0;
        for (at, leaf) in LEAF.into_iter().enumerate().take(leaves.count) {
            // Whether it ever matters what this leaf is.
            if (answers ^ answers >> (1 << at)) & !leaf != 0 {
                used[count] = at;
                count += 1;
            }
        }
        let negated = answers & 1 == 1;
        match count {
            0 => Wire { node: 0, negated },
            1 => Wire { node: leaves.nodes[used[0]], negated },
            _ => {
                let mut inputs = [0; 3];
                for (input, &at) in inputs.iter_mut().zip(&used[..count]) {
                    *input = leaves.nodes[at];
                }
                // Truth table bit 4a + 2b + c; a is leaf 0 of the used ones, and unused inputs don't matter.
                let lut = (0..8u8).fold(0, |lut, bits| {
                    let values = (0..count).fold(0, |all, n| all | (bits >> (2 - n) & 1) << used[n]);
                    lut | u8::from((answers >> values & 1 == 1) != negated) << bits
                });
                let gate = NetGate { lut, inputs };
                let next = 1 + self.inputs + u32::try_from(self.gates.len()).expect("few gates");
                let node = *self.known.entry(gate).or_insert(next);
                if node == next {
                    self.gates.push(gate);
                }
                Wire { node, negated }
            }
        }
    }

    pub(super) fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        self.gate(lut::A ^ lut::B, [a, b, FALSE])
    }

    pub(super) fn and(&mut self, a: Wire, b: Wire) -> Wire {
        self.gate(lut::A & lut::B, [a, b, FALSE])
    }

    pub(super) fn choose(&mut self, selector: Wire, yes: Wire, no: Wire) -> Wire {
        self.gate(lut::CHOOSE, [selector, yes, no])
    }

    /// Sum and carry of three bits of one weight.
    pub(super) fn full_adder(&mut self, inputs: [Wire; 3]) -> (Wire, Wire) {
        (self.gate(lut::XOR3, inputs), self.gate(lut::MAJORITY, inputs))
    }

    /// How often each node is read by the gates that `outputs` need; 0 for those that are not needed.
    pub(super) fn readers(&self, outputs: &[Wire]) -> Vec<u32> {
        let mut readers = vec![0u32; 1 + self.inputs as usize + self.gates.len()];
        for output in outputs {
            readers[output.node as usize] += 1;
        }
        for (index, gate) in self.gates.iter().enumerate().rev() {
            if readers[1 + self.inputs as usize + index] > 0 {
                for input in gate.inputs {
                    readers[input as usize] += 1;
                }
            }
        }
        readers
    }

    /// How many gates `outputs` need.
    pub(super) fn cost(&self, outputs: &[Wire]) -> usize {
        self.readers(outputs)[1 + self.inputs as usize..].iter().filter(|&&r| r > 0).count()
    }

    /// The same function with fewer gates: gates with one reader are merged into it where three inputs suffice.
    pub(super) fn merged(mut self, mut outputs: Vec<Wire>) -> (Self, Vec<Wire>) {
        loop {
            let before = self.cost(&outputs);
            let (next, next_outputs) = self.merge_once(&outputs);
            let after = next.cost(&next_outputs);
            (self, outputs) = (next, next_outputs);
            if after >= before {
                return (self, outputs);
            }
        }
    }

    fn merge_once(&self, outputs: &[Wire]) -> (Self, Vec<Wire>) {
        let readers = self.readers(outputs);
        let first = 1 + self.inputs;
        let mut next = Self::new(self.inputs);
        // Where each node of `self` went.
        let mut moved: Vec<Wire> = (0..first).map(|node| Wire { node, negated: false }).collect();
        for (index, gate) in self.gates.iter().enumerate() {
            if readers[first as usize + index] == 0 {
                moved.push(FALSE);
                continue;
            }
            // Inline inputs as long as the leaves stay three or fewer.
            let mut inlined: Vec<u32> = Vec::new();
            let mut leaves = Leaves::of(gate.inputs).expect("a gate has three inputs at the most");
            let mut tried = true;
            while tried {
                tried = false;
                for &leaf in { leaves }.as_slice() {
                    let Some(inner) = self.gate_of(leaf) else { continue };
                    if readers[leaf as usize] != 1 {
                        continue;
                    }
                    let others = leaves.as_slice().iter().copied().filter(|&l| l != leaf);
                    if let Some(more) = Leaves::of(others.chain(inner.inputs)) {
                        inlined.push(leaf);
                        leaves = more;
                        tried = true;
                        break;
                    }
                }
            }
            let moved_to = |node: u32| moved[node as usize];
            let distinct = Leaves::of(leaves.as_slice().iter().map(|&leaf| moved_to(leaf).node))
                .expect("no more than there were before");
            let answers = self.evaluate(*gate, &inlined, &|node| distinct.answers(moved_to(node)));
            let wire = next.gate_over(&distinct, answers);
            moved.push(wire);
        }
        let outputs = outputs
            .iter()
            .map(|o| Wire { negated: moved[o.node as usize].negated != o.negated, ..moved[o.node as usize] })
            .collect();
        (next, outputs)
    }

    /// What a gate answers, with the gates of `inlined` worked out and all other nodes given.
    fn evaluate(&self, gate: NetGate, inlined: &[u32], given: &dyn Fn(u32) -> Answers) -> Answers {
        let of_node = |node: u32| match self.gate_of(node) {
            Some(inner) if inlined.contains(&node) => self.evaluate(*inner, inlined, given),
            _ => given(node),
        };
        let [a, b, c] = gate.inputs.map(of_node);
        apply(gate.lut, a, b, c)
    }
}
