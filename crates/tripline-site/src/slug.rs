//! What a benchmark is called in an address: short, stable, and the same on every disk.

use sha2::{Digest as _, Sha256};
use tripline_model::BenchId;

/// The readable part is cut here; beyond it no name is read in an address.
const WORDS_MAX: usize = 48;

/// The bytes of the digest that tells apart what reads alike.
const DIGEST_BYTES: usize = 4;

/// Returns the slug of a benchmark: its letters and digits in lower case, and a digest of its whole id.
pub(crate) fn of_bench(bench: &BenchId) -> String {
    of_text(&bench.to_string())
}

fn of_text(text: &str) -> String {
    let mut slug = String::with_capacity(WORDS_MAX + 2 * DIGEST_BYTES + 1);
    for c in text.chars() {
        if slug.len() >= WORDS_MAX {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    if !slug.is_empty() && !slug.ends_with('-') {
        slug.push('-');
    }
    let digest = Sha256::digest(text.as_bytes());
    let digits = digest.iter().take(DIGEST_BYTES);
    slug.extend(digits.map(|byte| format!("{byte:02x}")));
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_read_well_and_are_told_apart() {
        assert_eq!(of_text("kv/set{bytes=64}"), "kv-set-bytes-64-5dc1ef36");
        assert_ne!(of_text("kv/a b"), of_text("kv/a-b"));
        for hostile in ["../..", "<script>", "\u{4f60}", "con", &"x".repeat(999)] {
            let slug = of_text(hostile);
            let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(slug.chars().all(is_plain) && slug.len() <= 57, "{slug}");
            assert!(!slug.starts_with('-') && slug.len() >= 8, "{slug}");
        }
    }
}
