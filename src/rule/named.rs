//! Rules with a name of their own: those that `biota rules` and the panel list with a sentence each, and the many more
//! that patterns of the community ask for by name. Both are usable wherever a rule is given.

use std::sync::LazyLock;

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
    named(
        "Prey and Predator",
        "law2{born=species==1&&own>=2&&other==0&&coin;survive=species==1||rival>=2;take=species==2&&own>=1&&coin;tie=none}",
        "Islands of prey grow, predators eat them along thin fronts and starve behind them. Biota, 2026.",
    ),
    named(
        "Foundry",
        "law2{born=total==3&&own>other||own==2&&other==0&&x%2==0&&y%2==0;survive=total~in~2..=3}",
        "Life in two colours that never settles, since cells at even places are born of two as well. Biota, 2026.",
    ),
    named(
        "Weavers",
        "law2{born=own~in~4..=5&&other<3;survive=own~in~3..=5;take=own>=5;neighbourhood=l}",
        "Two cloths on triangles, woven and unpicked without end. Biota, 2026.",
    ),
    named("Seeds QuadLife", "B2/SQuadLife", "Explosive, in four colours; two different parents toss a coin."),
    named(
        "Symbiosis",
        "B3/S23Symbiosis",
        "Life in two colours that keep each other alive by touch. From CAViewer.",
    ),
    named(
        "Deadly Enemies",
        "B3/S23DeadlyEnemies",
        "Life in two colours that kill each other by touch. From CAViewer.",
    ),
    named(
        "Deadly Enemies with Mixed Parents",
        "B3/S23DeadlyEnemies-majority",
        "The forum's reading: a newborn with parents of both colours takes their majority.",
    ),
    named(
        "Day & Night Symbiosis",
        "B3678/S34678Symbiosis",
        "Two countries with a border that neither can give up.",
    ),
    named(
        "Hexagonal Immigration",
        "B2/S34HImmigration",
        "Two colours on hexagons; two different parents toss a coin.",
    ),
    named(
        "Triangular QuadLife",
        "B45/S34LQuadLife",
        "Four colours on triangles, where four or five parents often tie.",
    ),
    named("Life", "B3/S23", "Conway's Game of Life, 1970."),
    named("HighLife", "B36/S23", "Much like Life, with a small replicator. Nathan Thompson, 1994."),
    named("Day & Night", "B3678/S34678", "Dead and living cells play the same part. Nathan Thompson, 1997."),
    named("Seeds", "B2/S", "Every cell dies at once, and yet it explodes. Brian Silverman."),
    named("Life without Death", "B3/S012345678", "Cells never die; ladders grow through the chaos."),
    named("Maze", "B3/S12345", "Grows into a maze of corridors."),
    named("Replicator", "B1357/S1357", "Every pattern is copied for ever. Edward Fredkin's rule."),
    named("2x2", "B36/S125", "Blocks of two by two cells behave like single cells."),
    named("Move", "B368/S245", "Slow and calm, with many small spaceships; also called Morley."),
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
        "Conway's Life with dead and living cells exchanged. As in Golly its dual is run, which is Life.",
    ),
    named("LongLife", "B345/S5", "Oscillators with very long periods. Andrew Trevorrow."),
    named("Amoeba", "B357/S1358", "Blobs that wander, full of chaos."),
    named("Assimilation", "B345/S4567", "Diamonds that stand for good, half filled."),
    named("Coagulations", "B378/S235678", "Blobs that grow together as they expand."),
    named("DotLife", "B3/S023", "Life in which a cell alone lives on."),
    named("DryLife", "B37/S23", "Life with births of seven too."),
    named("Electrified Maze", "B45/S12345", "A maze with sparks in its corridors."),
    named("Flock", "B3/S12", "Quick to settle into pairs of cells."),
    named(
        "Fredkin",
        "B1357/S02468",
        "A cell becomes the parity of its neighbours and itself, and so every pattern is copied. Edward Fredkin.",
    ),
    named("Gnarl", "B1/S1", "A single cell grows into an intricate quilt. Kellie Evans."),
    named("H-trees", "B1/S012345678", "A single cell grows into a fractal of branches."),
    named("Land Rush", "B36/S234578", "The births of HighLife, and hardly a death by crowding."),
    named("Live Free or Die", "B2/S0", "Only cells without neighbours survive; like Seeds, it explodes."),
    named("Mazectric", "B3/S1234", "A maze with longer and straighter corridors."),
    named("Pedestrian Life", "B38/S23", "Life with births of eight too."),
    named("Pseudo Life", "B357/S238", "Looks like Life from afar, and hardly any of Life's patterns work."),
    named("Serviettes", "B234/S", "A few cells unfold into a cloth. Also called Persian Rug."),
    named("Stains", "B3678/S235678", "Blobs that set like ink."),
    named(
        "Vote",
        "B5678/S45678",
        "A cell goes with the majority among its neighbours and itself. Gérard Vichniac.",
    ),
    named("Walled Cities", "B45678/S2345", "Towns full of life behind walls that hold for ever."),
    named(
        "Phoenix",
        "B24/S|B35/S",
        "Two rules in turn, and no cell lives on: all that stands is born anew every generation.",
    ),
    named(
        "Just Friends",
        "B2-a/S12",
        "Two neighbours give birth unless they are adjacent; small diagonal spaceships abound. David Bell.",
    ),
    named(
        "tlife",
        "B3/S2-i34q",
        "Life but for two arrangements, so that blinkers die and a T of four cells flies. M. I. Wright, 2015.",
    ),
    named(
        "Brian's Brain",
        "/2/3",
        "Cells fire, rest and may fire again; almost everything flies. Brian Silverman.",
    ),
    named(
        "Star Wars",
        "345/2/4",
        "Solid bases and ships that fly at the speed of light. Mirek Wójtowicz, 1999.",
    ),
    named("Frogs", "12/34/3", "Births of three and four, and one stage of ageing."),
    named("Constellations", "/23/3", "Brian's Brain with births of three too."),
    named(
        "OrthoGo",
        "3/2/4",
        "The births and ages of Star Wars, but only three neighbours keep a cell alive.",
    ),
    named("Brain 5", "/2/5", "Brian's Brain with two more stages of ageing."),
    named("Hexagonal Life", "B2/S34H", "On hexagons, with many small oscillators."),
    named("Bays's Hexagons", "B2/S35H", "The 3,5/2 of Carter Bays, a rule of hexagons with gliders."),
    named(
        "Callahan's Hexagons",
        "B2o/S2m34H",
        "On hexagons, by how two neighbours stand; a glider comes up by itself. Paul Callahan, 1997.",
    ),
    named(
        "Triangular Life 4644",
        "B4/S456L",
        "On triangles of twelve neighbours, with a glider. Carter Bays, 1994.",
    ),
    named("Triangular Life 3445", "B45/S34L", "On triangles of twelve neighbours. Carter Bays, 1994."),
    named("Triangular Life 4546", "B456/S45L", "On triangles, rich in oscillators. Carter Bays, 1994."),
    named("Hexagonal Replicator", "B135/S135H", "Every pattern is copied for ever, on hexagons."),
];

/// Other names that the field has for these rules, without blanks and signs.
const ALIASES: [(&str, &str); 13] = [
    ("conway", "life"),
    ("conwayslife", "life"),
    ("conwaysgameoflife", "life"),
    ("gameoflife", "life"),
    ("dayandnight", "daynight"),
    ("dayandnightimmigration", "daynightimmigration"),
    ("dayandnightsymbiosis", "daynightsymbiosis"),
    ("morley", "move"),
    ("persianrug", "serviettes"),
    ("flakes", "lifewithoutdeath"),
    ("christmaslife", "htrees"),
    ("vote4/5", "anneal"),
    ("mirekgro", "starwars"),
];

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// This rule string; not every one is of a kind that can be run.
    Rule(&'static str),
    /// One of several rules, which are listed with their names as they are written: at least two.
    Several(Vec<Entry>),
}

/// A name, and the rule string that it stands for.
pub type Entry = (&'static str, &'static str);

/// Every name: those of [`NAMED`] first, then the community's. A few stand for two rules.
pub fn names() -> &'static [Entry] {
    static NAMES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let listed = NAMED.iter().map(|named| (named.name, named.rule));
        let lines =
            include_str!("../../assets/rules/names.tsv").lines().filter(|line| !line.starts_with('#'));
        listed.chain(lines.filter_map(|line| line.split_once('\t'))).collect()
    });
    &NAMES
}

/// What this name, or another name that a rule has, stands for.
///
/// A name exactly as it is written comes first, then one that differs in case alone, then one in which blanks,
/// apostrophes, full stops, `&` and the hyphens and underscores within words are others; any other sign matters:
/// `Conway++` is not `Conway`.
pub fn find(name: &str) -> Option<Found> {
    static KEYS: LazyLock<Vec<String>> =
        LazyLock::new(|| names().iter().map(|(name, _)| key(name)).collect());
    let name = name.trim();
    let wanted = key(name);
    let wanted = ALIASES.iter().find(|(alias, _)| *alias == wanted).map_or(&*wanted, |(_, name)| name);
    let of = |is_wanted: &dyn Fn(usize) -> bool| {
        let mut found: Vec<Entry> =
            (0..names().len()).filter(|&at| is_wanted(at)).map(|at| names()[at]).collect();
        found.sort_by_key(|(_, rule)| *rule);
        found.dedup_by_key(|(_, rule)| *rule);
        match found[..] {
            [] => None,
            [(_, rule)] => Some(Found::Rule(rule)),
            _ => Some(Found::Several(found)),
        }
    };
    of(&|at| names()[at].0 == name)
        .or_else(|| of(&|at| names()[at].0.eq_ignore_ascii_case(name)))
        .or_else(|| of(&|at| KEYS[at] == wanted))
}

/// Whether a rule as it is typed says on which board: it has a colon that is no part of a name.
pub fn states_topology(text: &str) -> bool {
    text.contains(':') && find(text).is_none()
}

/// A name without what doesn't matter in it.
fn key(name: &str) -> String {
    let characters: Vec<char> =
        name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\'' | '\u{2019}' | '.' | '&')).collect();
    let in_word = |at: usize| {
        let is_word = |at: usize| characters.get(at).is_some_and(|c| c.is_alphanumeric());
        at > 0 && is_word(at - 1) && is_word(at + 1)
    };
    let matters = |(at, c): &(usize, &char)| !matches!(c, '-' | '_') || !in_word(*at);
    characters.iter().enumerate().filter(matters).map(|(_, c)| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        for (text, name) in [
            ("day & night", "Day & Night"),
            ("DayAndNight", "Day & Night"),
            ("Day and Night", "Day & Night"),
            ("brians brain", "Brian's Brain"),
            ("Brian\u{2019}s Brain", "Brian's Brain"),
            ("star_wars", "Star Wars"),
            ("H-Trees", "H-trees"),
            ("h trees", "H-trees"),
            ("3-4 Life", "34 Life"),
            ("AntiLife", "Anti-Life"),
            ("Long Life", "LongLife"),
            ("Conway's Game of Life", "Life"),
            ("Morley", "Move"),
            ("Persian Rug", "Serviettes"),
            ("Vote 4/5", "Anneal"),
        ] {
            let rule = NAMED.iter().find(|named| named.name == name).map(|named| Found::Rule(named.rule));
            assert!(rule.is_some() && find(text) == rule, "{text}: {:?}", find(text));
        }
        for text in ["Life+", "-Life", "Life-", "", "-", "B3/S23", "Life!"] {
            assert_eq!(find(text), None, "{text}");
        }
    }

    #[test]
    fn the_communitys_names_are_found_by_their_case_first() {
        for (text, rule) in [
            ("BoatLife", "B3-knqy/S2-n3-ey4akwy5aik6kn"),
            ("boatLife", "B3ainqy4aeq5ejn8/S2-in3-aek4aciq5ae6-c7c8"),
            ("Hex Life", "B2o3m56/S2-p4oH"),
            ("hex life", "B2o3m56/S2-p4oH"),
            ("HexLife", "B3o/S234-o6H"),
            ("hexlife", "B3o/S234-o6H"),
            ("9:43 at Knight", "237/34578/4"),
            ("conway++", "B3/S234c"),
            ("Conway--", "B3/S2-ei3"),
            ("pedestrian life", "B38/S23"),
        ] {
            assert_eq!(find(text), Some(Found::Rule(rule)), "{text}");
        }
        for (text, names) in [
            ("boatlife", ["boatLife", "BoatLife"]),
            ("Majority", ["Majority"; 2]),
            ("hex-life", ["Hex Life", "HexLife"]),
        ] {
            let Some(Found::Several(found)) = find(text) else { panic!("{text}: {:?}", find(text)) };
            let mut found: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
            found.sort_unstable_by_key(|name| (name.to_lowercase(), std::cmp::Reverse(*name)));
            assert_eq!(found, names, "{text}");
        }
    }

    #[test]
    fn a_colon_in_a_name_states_no_topology() {
        for (text, stated) in [
            ("9:43 at Knight", false),
            ("9:43 at Knight:T9", true),
            ("Life:T9", true),
            ("Life:", true),
            ("Life", false),
        ] {
            assert_eq!(states_topology(text), stated, "{text}");
        }
    }

    #[test]
    fn no_two_rules_have_one_name() {
        let mut keys: Vec<String> = NAMED.iter().map(|named| key(named.name)).collect();
        keys.extend(ALIASES.iter().map(|(alias, _)| (*alias).to_owned()));
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count, "each name once");
        for (alias, name) in ALIASES {
            assert!(keys.iter().any(|key| key == name), "{alias} stands for a rule");
        }
    }
}
