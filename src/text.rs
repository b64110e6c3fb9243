//! Numbers as people read them, the same on every face.

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
        for (per_second, text) in [(0.62, "0.6"), (9.96, "10"), (12_345.4, "12,345")] {
            assert_eq!(rate(per_second), text, "{per_second}");
        }
    }
}
