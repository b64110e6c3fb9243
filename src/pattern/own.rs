//! `#CBIOTA Background=s Seed=n`: what a board needs to go on and the formats have no place for, in a line that is a
//! comment to other programs. RLE and macrocell have it.
//!
//! `Background` is the state of all cells outside of those that the file lists, and these are states XOR it; 0 is said
//! where a file without it would mean another state. `Seed` is that of the coins. Other fields are passed over.

use super::Pattern;
use super::error::SyntaxError;
use super::input::Here;

/// How the line begins.
const MARK: &str = "#CBIOTA";

/// Reads `line`, which begins at `start`, if it is such a line; false if it is another one.
pub(super) fn read(pattern: &mut Pattern, start: Here, line: &str) -> Result<bool, SyntaxError> {
    let Some(fields) = line.strip_prefix(MARK) else { return Ok(false) };
    for field in fields.split_whitespace() {
        let Some((key, value)) = field.split_once('=') else {
            continue;
        };
        let fail = |message: &str| {
            let at = value.as_ptr() as usize - line.as_ptr() as usize;
            Err(start.error(pattern.format, line.as_bytes(), at, message))
        };
        if key.eq_ignore_ascii_case("background") {
            match value.parse() {
                Ok(state) => pattern.background = Some(state),
                Err(_) => return fail("a background is a state, 0 to 255"),
            }
        } else if key.eq_ignore_ascii_case("seed") {
            match value.parse() {
                Ok(seed) => pattern.seed = Some(seed),
                Err(_) => return fail("a seed is a number from 0 that fits 64 bits"),
            }
        }
    }
    Ok(true)
}

/// The line of a pattern, with its end; empty where there is nothing to say.
pub(super) fn line(pattern: &Pattern) -> String {
    let background = pattern.background.map(|state| format!(" Background={state}"));
    let seed = pattern.seed.map(|seed| format!(" Seed={seed}"));
    if background.is_none() && seed.is_none() {
        return String::new();
    }
    format!("{MARK}{}{}\n", background.unwrap_or_default(), seed.unwrap_or_default())
}
