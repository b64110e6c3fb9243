//! A network of three-input gates in the making: equal gates are one, constants and copies vanish, negations are
//! free (they go into the gate that reads them), and small gates are merged into larger ones.

use std::collections::HashMap;

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

#[derive(Clone, Debug)]
pub(super) struct Net {
    pub(super) inputs: u32,
    pub(super) gates: Vec<NetGate>,
    known: HashMap<NetGate, u32>,
}

impl Net {
    pub(super) fn new(inputs: u32) -> Self {
        Self { inputs, gates: Vec::new(), known: HashMap::new() }
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
        let mut leaves: Vec<u32> = inputs.iter().map(|w| w.node).filter(|&n| n != 0).collect();
        leaves.sort_unstable();
        leaves.dedup();
        let answer = |values: u8| {
            let value = |wire: Wire| {
                let plain =
                    leaves.iter().position(|&l| l == wire.node).is_some_and(|at| values >> at & 1 == 1);
                u8::from(plain != wire.negated)
            };
            lut >> (4 * value(inputs[0]) + 2 * value(inputs[1]) + value(inputs[2])) & 1 == 1
        };
        self.gate_over(&leaves, answer)
    }

    /// The wire of a function of up to three distinct, ascending nodes; bit n of its argument is the value of leaf n.
    fn gate_over(&mut self, leaves: &[u32], answer: impl Fn(u8) -> bool) -> Wire {
        let matters = |at: usize| (0..1u8 << leaves.len()).any(|v| answer(v) != answer(v ^ 1 << at));
        let used: Vec<usize> = (0..leaves.len()).filter(|&at| matters(at)).collect();
        let spread =
            |values: u8| used.iter().enumerate().fold(0, |all, (n, &at)| all | (values >> n & 1) << at);
        let negated = answer(0);
        match used.as_slice() {
            [] => Wire { node: 0, negated },
            [one] => Wire { node: leaves[*one], negated },
            _ => {
                let mut inputs = [0; 3];
                for (input, &at) in inputs.iter_mut().zip(&used) {
                    *input = leaves[at];
                }
                // Truth table bit 4a + 2b + c; a is leaf 0 of the used ones.
                let lut = (0..8u8).fold(0, |lut, bits| {
                    let values = (bits >> 2 & 1) | (bits >> 1 & 1) << 1 | (bits & 1) << 2;
                    let values = values & ((1 << used.len()) - 1);
                    lut | u8::from(answer(spread(values)) != negated) << bits
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
            let mut leaves = leaves_of(gate.inputs.iter().copied());
            let mut tried = true;
            while tried {
                tried = false;
                for leaf in leaves.clone() {
                    let Some(inner) = self.gate_of(leaf) else { continue };
                    if readers[leaf as usize] != 1 {
                        continue;
                    }
                    let more = leaves_of(leaves.iter().copied().filter(|&l| l != leaf).chain(inner.inputs));
                    if more.len() <= 3 {
                        inlined.push(leaf);
                        leaves = more;
                        tried = true;
                        break;
                    }
                }
            }
            let moved_leaves: Vec<Wire> = leaves.iter().map(|&l| moved[l as usize]).collect();
            let mut distinct = leaves_of(moved_leaves.iter().map(|w| w.node));
            distinct.retain(|&n| n != 0);
            let answer = |values: u8| {
                let value_of = |node: u32| -> bool {
                    leaves.iter().position(|&l| l == node).is_some_and(|at| {
                        let wire = moved_leaves[at];
                        distinct.iter().position(|&d| d == wire.node).is_some_and(|d| values >> d & 1 == 1)
                            != wire.negated
                    })
                };
                self.evaluate(*gate, &inlined, &value_of)
            };
            let wire = next.gate_over(&distinct, answer);
            moved.push(wire);
        }
        let outputs = outputs
            .iter()
            .map(|o| Wire { negated: moved[o.node as usize].negated != o.negated, ..moved[o.node as usize] })
            .collect();
        (next, outputs)
    }

    /// The value of a gate, with the gates of `inlined` worked out and all other nodes given.
    fn evaluate(&self, gate: NetGate, inlined: &[u32], value_of: &dyn Fn(u32) -> bool) -> bool {
        let value = |node: u32| match self.gate_of(node) {
            Some(inner) if inlined.contains(&node) => self.evaluate(*inner, inlined, value_of),
            _ => node != 0 && value_of(node),
        };
        let [a, b, c] = gate.inputs.map(|node| u8::from(value(node)));
        gate.lut >> (4 * a + 2 * b + c) & 1 == 1
    }
}

/// The distinct nodes but the constant, ascending.
fn leaves_of(nodes: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut leaves: Vec<u32> = nodes.filter(|&n| n != 0).collect();
    leaves.sort_unstable();
    leaves.dedup();
    leaves
}
