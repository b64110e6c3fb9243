//! `@TREE`: a decision tree, written out node by node.
//!
//! ```text
//! num_states=2            2 to 256
//! num_neighbors=4         4: N W E S and the cell itself     8: NW NE SW SE N W E S and the cell itself
//! num_nodes=32
//! 1 0 1                   depth 1 looks at the cell itself: the next state for each state
//! 2 0 0                   depth 2 looks at the last neighbour: numbers of nodes of depth 1, from 0
//! …                       the last node, of the greatest depth, is the root
//! ```

use super::{DiagramRule, Line, RuleFileError, Warnings};
use crate::lattice::Neighbourhood;
use crate::rule::diagram::{Builder, MAX_ENTRIES};
use crate::text::quoted;

/// The places of four and eight neighbours in the order in which a tree looks at them.
const ORDERS: [(&[u8], Neighbourhood); 2] =
    [(&[0, 1, 2, 3], Neighbourhood::VonNeumann), (&[0, 2, 5, 7, 1, 3, 4, 6], Neighbourhood::Moore)];

/// Reads the lines after `@TREE`.
pub(super) fn read(lines: &[Line<'_>], warnings: &mut Warnings) -> Result<DiagramRule, RuleFileError> {
    let (mut states, mut shape, mut wanted) = (None, None, None);
    let mut builder: Option<Builder> = None;
    // The depth of every node, and its number in the builder.
    let mut nodes: Vec<(usize, u32)> = Vec::new();
    let mut last = Line { number: 1, text: "" };
    for &line in lines {
        let content = line.content();
        if content.is_empty() {
            continue;
        }
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        if wanted == Some(nodes.len()) && !Line::words(content, &[]).all(is_number) {
            warnings.note(line, "this comes after the last node, and is passed over");
            continue;
        }
        last = line;
        if let Some((key, value)) = content.split_once('=') {
            let (key, value) = (key.trim(), value.trim());
            if builder.is_some() {
                return Err(line.error(key, "num_states, num_neighbors and num_nodes come before the nodes"));
            }
            match key {
                "num_states" => {
                    let number = line.number(value, "num_states", 256)?;
                    if number < 2 {
                        return Err(line.error(value, "num_states is out of range (min 2, max 256)"));
                    }
                    states = Some(u16::try_from(number).expect("at most 256"));
                }
                "num_neighbors" | "num_neighbours" => {
                    shape = ORDERS.into_iter().find(|(order, _)| order.len().to_string() == value);
                    if shape.is_none() {
                        return Err(line.error(value, "num_neighbors is 4 or 8"));
                    }
                }
                "num_nodes" => {
                    let most = u32::try_from(MAX_ENTRIES).expect("32 bits") / 2;
                    wanted = Some(line.number(value, "num_nodes", most)? as usize);
                }
                _ => {
                    return Err(line.error(
                        key,
                        format!("{:?} is none of num_states, num_neighbors and num_nodes", quoted(key)),
                    ));
                }
            }
            continue;
        }
        let (Some(states), Some((order, _)), Some(wanted)) = (states, shape, wanted) else {
            return Err(line.error(
                content,
                "one or more of num_states, num_neighbors or num_nodes missing before the first node",
            ));
        };
        if nodes.len() == wanted {
            return Err(line.error(content, format!("here is a node more than the {wanted} of num_nodes")));
        }
        let builder = builder.get_or_insert_with(|| Builder::empty(states, order.len()));
        let mut words = Line::words(content, &[]);
        let word = words.next().unwrap_or_default();
        let most = u32::try_from(order.len() + 1).expect("at most 9");
        let depth = line.number(word, "the depth of a node", most)? as usize;
        if depth == 0 {
            return Err(line.error(word, "the depth of a node is at least 1"));
        }
        let mut entries = Vec::with_capacity(usize::from(states));
        for word in words {
            if entries.len() == usize::from(states) {
                return Err(
                    line.error(word, format!("a node has {states} entries after its depth, one a state"))
                );
            }
            entries.push(if depth == 1 {
                u32::from(line.state(word, states)?)
            } else {
                let before = u32::try_from(nodes.len()).expect("num_nodes has 32 bits");
                if before == 0 {
                    return Err(line.error(word, "the first node has depth 1"));
                }
                let child = line.number(word, "the number of a node above", before - 1)?;
                match nodes[child as usize] {
                    (below, number) if below + 1 == depth => number,
                    (below, _) => {
                        return Err(line.error(
                            word,
                            format!("node {child} has depth {below}, and {} is needed here", depth - 1),
                        ));
                    }
                }
            });
        }
        if entries.len() < usize::from(states) {
            return Err(line.error_at_end(format!(
                "a node has {states} entries after its depth, one a state, and here are {}",
                entries.len()
            )));
        }
        let number = builder.node(order.len() + 1 - depth, entries).map_err(line.too_complicated(content))?;
        nodes.push((depth, number));
    }
    let (Some(mut builder), Some((order, neighbourhood)), Some(wanted)) = (builder, shape, wanted) else {
        return Err(last.error(last.content(), "this @TREE has no nodes"));
    };
    if nodes.len() < wanted {
        return Err(last.error_at_end(format!("{} nodes of the {wanted} of num_nodes are here", nodes.len())));
    }
    match nodes.last() {
        Some(&(depth, number)) if depth == order.len() + 1 => builder.set_root(number),
        _ => {
            let message = format!("the last node is the root, and has depth {}", order.len() + 1);
            return Err(last.error(last.content(), message));
        }
    }
    Ok(DiagramRule::new(builder.finish(order), neighbourhood))
}
