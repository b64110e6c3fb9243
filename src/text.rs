//! Numbers as people read them, and texts of any length as they fit into a message; the same on every face.

/// Characters that are shown of a line before the place of an error.
const SHOWN_BEFORE: usize = 48;
/// And from that place on.
const SHOWN_AFTER: usize = 24;
/// The most characters that are quoted of a text.
const QUOTED: usize = 60;

/// The part of a line around a place, on one line: what stands `before` it and `after` it, in which cuts are marked
/// with `…`; and the character of it, from 0, that is at the place. `is_cut` where more stood before it.
pub fn around(before: &str, after: &str, is_cut: bool) -> (String, usize) {
    let shown = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => '\u{FFFD}',
        c => c,
    };
    let skipped = before.chars().count().saturating_sub(SHOWN_BEFORE);
    let mut text = String::new();
    if skipped > 0 || is_cut {
        text.push('…');
    }
    text.extend(before.chars().skip(skipped).map(shown));
    let place = text.chars().count();
    text.extend(after.chars().take(SHOWN_AFTER).map(shown));
    if after.chars().nth(SHOWN_AFTER).is_some() {
        text.push('…');
    }
    (text, place)
}

/// A text as it is quoted in a message: only its beginning, with `…`, where it is long.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A whole number with a comma after each three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many of a thing: `1 plane`, `2,000 planes`.
pub fn counted(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number as u64), if number == 1 { "" } else { "s" })
}

/// A number of bytes, rounded down: `12 GiB`, `1.5 GiB`, `340 MiB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let Some((size, unit)) = UNITS.into_iter().find(|(size, _)| number >= *size) else {
        return counted(usize::try_from(number).expect("less than the smallest unit"), "byte");
    };
    let (whole, tenths) = (number / size, number % size * 10 / size);
    if whole < 10 && tenths > 0 { format!("{whole}.{tenths} {unit}") } else { format!("{whole} {unit}") }
}

/// Generations a second: one decimal below ten, grouped whole numbers above.
pub fn rate(per_second: f64) -> String {
    if per_second < 9.95 {
        return format!("{per_second:.1}");
    }
    #[expect(clippy::cast_possible_truncation, reason = "a rate is finite and not negative")]
    let whole = per_second.round() as u64;
    grouped(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_trimmed_on_both_sides() {
        assert_eq!(around("b2o$", "3 o!", false), ("b2o$3 o!".to_owned(), 4), "a short one");
        assert_eq!(
            around("\ta", "\u{1b}", true),
            ("… a\u{FFFD}".to_owned(), 3),
            "cut before, unseen characters"
        );
        let (text, place) = around(&"é".repeat(300), &"b".repeat(25), false);
        assert_eq!(
            (text.chars().count(), place),
            (1 + SHOWN_BEFORE + SHOWN_AFTER + 1, 1 + SHOWN_BEFORE),
            "long"
        );
        assert_eq!(text.matches('…').count(), 2, "both cuts: {text}");
    }

    #[test]
    fn long_texts_are_quoted_by_their_beginnings() {
        assert_eq!(quoted(&"é".repeat(QUOTED)), "é".repeat(QUOTED), "just short enough");
        assert_eq!(quoted(&"é".repeat(QUOTED + 1)), format!("{}…", "é".repeat(QUOTED)), "one too many");
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (123_456, "123,456"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), text, "{number}");
        }
        assert_eq!([1, 2000].map(|n| counted(n, "plane")), ["1 plane", "2,000 planes"], "one and many");
        for (number, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1,023 bytes"),
            (1024, "1 KiB"),
            (340 << 20, "340 MiB"),
            (3 << 29, "1.5 GiB"),
            ((10 << 30) - 1, "9.9 GiB"),
            ((16 << 30) + (1 << 29), "16 GiB"),
        ] {
            assert_eq!(bytes(number), text, "{number}");
        }
        for (per_second, text) in [(0.62, "0.6"), (9.96, "10"), (12_345.4, "12,345")] {
            assert_eq!(rate(per_second), text, "{per_second}");
        }
    }
}
