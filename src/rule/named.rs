//! Rules with a name of their own: found by `biota rules`, in the panel's list, and usable wherever a rule is given.

/// A rule that the field calls by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The field's name.
    pub name: &'static str,
    /// The canonical rule string.
    pub rule: &'static str,
    /// One sentence: what it is, who made it.
    pub about: &'static str,
}

const fn named(name: &'static str, rule: &'static str, about: &'static str) -> Named {
    Named { name, rule, about }
}

/// Every named rule: those in colours first, then Life and its relatives.
pub const NAMED: &[Named] = &[
    named(
        "Immigration",
        "Immigration",
        "Life in two colours; a newborn takes its parents' majority. Don Woods, 1971.",
    ),
    named(
        "P2Life",
        "P2Life",
        "Two species that crowd each other out and toss a coin when even. Levene and Roussos, 2003.",
    ),
    named(
        "QuadLife",
        "QuadLife",
        "Life in four colours; three different parents have a child of the fourth. Dean Hickerson, 1973.",
    ),
    named(
        "HighLife Immigration",
        "B36/S23Immigration",
        "HighLife in two colours; three against three is settled by a coin.",
    ),
    named(
        "Day & Night Immigration",
        "B3678/S34678Immigration",
        "Two colours that hold whole countries; ties by coin.",
    ),
    named("Seeds QuadLife", "B2/SQuadLife", "Explosive, in four colours; two different parents toss a coin."),
    named("Life", "B3/S23", "Conway's Game of Life, 1970."),
    named("HighLife", "B36/S23", "Much like Life, with a small replicator. Nathan Thompson, 1994."),
    named("Day & Night", "B3678/S34678", "Dead and living cells play the same part. Nathan Thompson, 1997."),
    named("Seeds", "B2/S", "Every cell dies at once, and yet it explodes. Brian Silverman."),
    named("Life without Death", "B3/S012345678", "Cells never die; ladders grow through the chaos."),
    named("Maze", "B3/S12345", "Grows into a maze of corridors."),
    named("Replicator", "B1357/S1357", "Every pattern is copied for ever. Edward Fredkin's rule."),
    named("2x2", "B36/S125", "Blocks of two by two cells behave like single cells."),
    named("Move", "B368/S245", "Slow and calm, with many small spaceships."),
    named("Diamoeba", "B35678/S5678", "Large diamonds that swell and shrink. Dean Hickerson, 1993."),
    named("34 Life", "B34/S34", "An early rival of Life; small oscillators and spaceships abound."),
    named("Coral", "B3/S45678", "Grows slowly into coral."),
    named(
        "Anneal",
        "B4678/S35678",
        "Domains with smoothing borders; the twisted majority vote. Gérard Vichniac.",
    ),
    named(
        "Anti-Life",
        "B0123478/S01234678",
        "Conway's Life with dead and living cells exchanged: a B0 rule.",
    ),
];

/// The rule of this name; neither case nor anything but letters and digits matters. `Conway` is Life too.
pub fn find(name: &str) -> Option<&'static Named> {
    let key = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let wanted = match key(name).as_str() {
        "conway" | "conwayslife" | "gameoflife" => "life".to_owned(),
        other => other.to_owned(),
    };
    // Rule strings such as "B2/S" are read as such, however a name may look without its signs.
    NAMED.iter().find(|named| key(named.name) == wanted)
}
