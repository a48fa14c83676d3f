//! What a history that was taken over says of a run besides its numbers, so that it can be handed back as it was.
//!
//! Numbers are kept in base units like all others. What they were there, and what was written beside them, stands here,
//! as far as the numbers do not say it. Values are told by their *row*: their place in the list that the run was there.
//! Tested below.

use jiff::Timestamp;

/// What a series was called in the history it was taken over from, at its place in the list of values there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Row {
    /// Which series of the set, from 0.
    pub series: usize,
    /// What its benchmark was called, where that is no name here as it is.
    pub name: Option<Box<str>>,
    /// The unit, if one was written.
    pub unit: Option<Box<str>>,
}

/// What was written of a run and its commit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Origin {
    /// Where the run stood, if not by when it was measured.
    pub behind: Option<Behind>,
    /// Values in the unit they were written in, by row, where those of the record are of another.
    pub values: Box<[(usize, f64)]>,
    /// What was written as the range of values, where it is not `±` and the reach that the record keeps.
    pub ranges: Said,
    /// What else was written of values.
    pub extras: Said,
    /// Members of values that stood there otherwise than all that says, or that it has no place for: pairs of a name and a
    /// value, as one list of JSON.
    pub members: Said,
    /// The commit, as far as the record does not say it.
    pub commit: OriginCommit,
}

/// The place of a run behind one that was measured later, or at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Behind {
    /// When the latest of the runs in front of it was measured.
    pub latest: Timestamp,
    /// By how many places it stands behind that one.
    pub places: u32,
}

/// A commit as a history describes it. No address of anybody is in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OriginCommit {
    /// What it is called there, where that is no whole hash: the beginning of one, or a word.
    pub id: Option<Box<str>>,
    /// Who wrote it.
    pub author: Option<Person>,
    /// Who committed it.
    pub committer: Option<Person>,
    /// Whether it was new to its push.
    pub is_distinct: Option<bool>,
    /// Its message, where the subject is not all of it.
    pub message: Option<Box<str>>,
    /// When it was made, where that was written in another form than ours.
    pub timestamp: Option<Box<str>>,
    /// The hash of its tree.
    pub tree: Option<Box<str>>,
    /// The address of its page.
    pub page: Option<Box<str>>,
}

/// Somebody, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Person {
    /// Their name.
    pub name: Option<Box<str>>,
    /// What they are called at the hub.
    pub username: Option<Box<str>>,
}

/// Texts by row. Neighbours mostly have the same one, which then stands once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said(Vec<Span>);

/// A text of some rows that stand one below the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The first row.
    pub first: usize,
    /// How many they are.
    pub count: usize,
    /// The text.
    pub text: Box<str>,
}

impl Said {
    /// Takes spans that are in order, none of which is empty or overlaps the one before.
    #[must_use]
    pub fn new(spans: Vec<Span>) -> Option<Self> {
        let is_some = |span: &Span| span.count > 0 && span.first.checked_add(span.count).is_some();
        let is_behind = |two: &[Span]| two[0].first + two[0].count <= two[1].first;
        let is_good = spans.iter().all(is_some) && spans.windows(2).all(is_behind);
        is_good.then_some(Self(spans))
    }

    /// Adds the text of a row that lies behind all others.
    pub fn push(&mut self, row: usize, text: &str) {
        match self.0.last_mut() {
            Some(last) if last.first + last.count == row && &*last.text == text => last.count += 1,
            _ => self.0.push(Span {
                first: row,
                count: 1,
                text: text.into(),
            }),
        }
    }

    /// Returns the text of a row.
    #[must_use]
    pub fn of(&self, row: usize) -> Option<&str> {
        let behind = self.0.partition_point(|span| span.first <= row);
        let span = self.0.get(behind.checked_sub(1)?)?;
        (row < span.first + span.count).then_some(&*span.text)
    }

    /// Returns all of it.
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.0
    }
}

impl Origin {
    /// Returns the value of a row as it was written, if it was in another unit.
    #[must_use]
    pub fn value(&self, row: usize) -> Option<f64> {
        let at = self.values.binary_search_by_key(&row, |(row, _)| *row);
        at.ok().map(|at| self.values[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_neighbours_stands_once() {
        let mut said = Said::default();
        for (row, text) in [(1, "a"), (2, "a"), (3, "b"), (5, "b")] {
            said.push(row, text);
        }
        let of: Vec<Option<&str>> = (0..7).map(|row| said.of(row)).collect();
        let expected = [None, Some("a"), Some("a"), Some("b"), None, Some("b"), None];
        assert_eq!(of, expected);
        assert_eq!(said.spans().len(), 3);
        assert_eq!(Said::new(said.spans().to_vec()), Some(said));
    }

    #[test]
    fn spans_that_overlap_are_none() {
        let span = |first, count| Span {
            first,
            count,
            text: "x".into(),
        };
        for wrong in [
            vec![span(0, 0)],
            vec![span(usize::MAX, 1)],
            vec![span(0, 2), span(1, 1)],
        ] {
            assert_eq!(Said::new(wrong), None);
        }
    }
}
