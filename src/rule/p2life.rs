//! p2life (M. Levene and G. Roussos, *A two-player game of Life*, arXiv cond-mat/0207679, 2003).

use super::{Dependence, Ruleset, Site};
use crate::cell::{DEAD, State};
use crate::coin::Coin;
use crate::lattice::Neighbours;

/// The two-player Life of Levene and Roussos, white (1) against black (2).
///
/// An empty cell is born white when exactly three neighbours are white and the black ones are not three; black the
/// same way; with three of each a fair coin decides. A cell survives when its own species leads among its
/// neighbours by 2 or 3, or by 1 with two or more of its own. The lead is signed: of the two readings of the paper,
/// only this one has its mean-field map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct P2Life;

/// White and black.
const WHITE: State = 1;
const BLACK: State = 2;

impl Ruleset for P2Life {
    fn depends_on(&self) -> Dependence {
        Dependence { coins: 1, ..Dependence::counting(3) }
    }

    fn empty_cell_next(&self, neighbours: &Neighbours, _: Site, coin: &mut Coin) -> State {
        match (neighbours.count(WHITE), neighbours.count(BLACK)) {
            (3, 3) => {
                if coin.toss() {
                    BLACK
                } else {
                    WHITE
                }
            }
            (3, _) => WHITE,
            (_, 3) => BLACK,
            _ => DEAD,
        }
    }

    fn occupied_cell_next(&self, neighbours: &Neighbours, value: State, _: Site, _: &mut Coin) -> State {
        let own = neighbours.count(value);
        let lead = i16::from(own) - i16::from(neighbours.count(WHITE + BLACK - value));
        let survives = matches!(lead, 2 | 3) || (lead == 1 && own >= 2);
        if survives { value } else { DEAD }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The one-step mean-field map of the paper: density after one generation from density p, half white.
    fn mean_field(p: f64) -> f64 {
        let coefficients = [
            (21.0, 3),
            (-63.0, 4),
            (52.5, 5),
            (35.0, 6),
            (-1505.0 / 16.0, 7),
            (1057.0 / 16.0, 8),
            (-553.0 / 32.0, 9),
        ];
        coefficients.iter().map(|(c, power)| c * p.powi(*power)).sum()
    }

    #[test]
    fn the_signed_reading_has_the_mean_field_map_of_the_paper() {
        let factorial = |n: u8| (1..=n).map(f64::from).product::<f64>();
        for p in [0.05, 0.1, 0.2, 0.5, 0.6206, 0.8, 1.0] {
            let (q, empty) = (p / 2.0, 1.0 - p);
            let mut next = 0.0;
            for white in 0..=8u8 {
                for black in 0..=8 - white {
                    let rest = 8 - white - black;
                    let ways = factorial(8) / (factorial(white) * factorial(black) * factorial(rest));
                    let chance =
                        ways * f64::powi(q, i32::from(white + black)) * f64::powi(empty, i32::from(rest));
                    let mut states = vec![WHITE; white.into()];
                    states.resize(usize::from(white + black), BLACK);
                    states.resize(8, DEAD);
                    let seen = Neighbours::new(&states);
                    let lives = |own| {
                        f64::from(P2Life.cell_next(&seen, own, Site::default(), &mut Coin::fixed(0)) != DEAD)
                    };
                    next += chance * (empty * lives(DEAD) + q * lives(WHITE) + q * lives(BLACK));
                }
            }
            assert!((next - mean_field(p)).abs() < 1e-12, "p = {p}: {next} against {}", mean_field(p));
        }
    }
}
