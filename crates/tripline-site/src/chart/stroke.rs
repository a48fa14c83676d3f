//! Strokes of a path, as short as they can be written: in tenths, each from where the last one ended.
//!
//! A page has a thousand of them for each metric. Tested below, and as paths on the pages.

use crate::figures::digits;

/// A path that is being drawn.
#[derive(Debug, Default)]
pub(super) struct Strokes {
    path: String,
    at: (i64, i64),
}

impl Strokes {
    /// Begins a stroke.
    pub(super) fn begin(&mut self, x: f64, y: f64) {
        self.at = (tenths(x), tenths(y));
        self.path.push('M');
        push(&mut self.path, self.at.0);
        push_next(&mut self.path, self.at.1);
    }

    /// Goes on to a point.
    pub(super) fn go(&mut self, x: f64, y: f64) {
        let to = (tenths(x), tenths(y));
        let (right, down) = (to.0 - self.at.0, to.1 - self.at.1);
        self.at = to;
        match (right, down) {
            (0, 0) => {}
            (_, 0) => self.one('h', right),
            (0, _) => self.one('v', down),
            _ => {
                self.one('l', right);
                push_next(&mut self.path, down);
            }
        }
    }

    /// Goes back to where the stroke began.
    pub(super) fn close(&mut self) {
        self.path.push('Z');
    }

    /// Returns the path.
    pub(super) fn end(self) -> String {
        self.path
    }

    fn one(&mut self, letter: char, way: i64) {
        self.path.push(letter);
        push(&mut self.path, way);
    }
}

/// Returns how many tenths a coordinate is.
fn tenths(value: f64) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it lies in or near a picture, and beyond the range it stays at its end"
    )]
    let tenths = (value * 10.0).round() as i64;
    tenths
}

/// Writes a number after another one: a sign keeps them apart, or else a blank does.
fn push_next(text: &mut String, tenths: i64) {
    if tenths >= 0 {
        text.push(' ');
    }
    push(text, tenths);
}

/// Writes a number of tenths, without what may be left out.
fn push(text: &mut String, tenths: i64) {
    if tenths < 0 {
        text.push('-');
    }
    let (whole, tenth) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    if whole > 0 || tenth == 0 {
        digits(text, whole);
    }
    if tenth > 0 {
        text.push('.');
        digits(text, tenth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(points: &[(f64, f64)]) -> String {
        let mut strokes = Strokes::default();
        strokes.begin(points[0].0, points[0].1);
        for (x, y) in &points[1..] {
            strokes.go(*x, *y);
        }
        strokes.end()
    }

    #[test]
    fn strokes_are_short() {
        assert_eq!(path(&[(84.0, 32.76)]), "M84 32.8");
        assert_eq!(path(&[(0.0, 0.0), (2.04, 0.0), (2.04, 10.0)]), "M0 0h2v10");
        assert_eq!(path(&[(1.0, 5.0), (1.1, 4.8)]), "M1 5l.1-.2");
        assert_eq!(path(&[(1.0, 5.0), (1.0, 5.04)]), "M1 5");
        assert_eq!(path(&[(-0.5, -12.0), (7.0, 3.0)]), "M-.5-12l7.5 15");
    }

    #[test]
    fn what_is_rounded_adds_up_to_no_more() {
        let mut strokes = Strokes::default();
        strokes.begin(0.0, 0.0);
        for step in 1..=1_000 {
            strokes.go(f64::from(step) * 0.333, 0.0);
        }
        assert_eq!(strokes.at, (3_330, 0));
    }
}
