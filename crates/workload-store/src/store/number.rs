//! Counting: a value of decimal digits as a number.
//!
//! Tests: `tests/it/store`.

use super::state::New;
use super::{Error, Store, check};

impl Store {
    /// Adds to the number under a key, and returns the sum. A key that is not there counts as zero; one that expires
    /// keeps its deadline.
    ///
    /// # Errors
    ///
    /// When the value is not a whole number in decimal digits, the sum is out of range, the key is too long, or the
    /// memory limit leaves no room.
    pub fn incr(&self, key: &[u8], by: i64) -> Result<i64, Error> {
        self.count(key, |number| number.checked_add(by))
    }

    /// Subtracts from the number under a key, and returns the difference; otherwise like [`Self::incr`].
    ///
    /// # Errors
    ///
    /// As [`Self::incr`].
    pub fn decr(&self, key: &[u8], by: i64) -> Result<i64, Error> {
        self.count(key, |number| number.checked_sub(by))
    }

    fn count(&self, key: &[u8], step: impl Fn(i64) -> Option<i64>) -> Result<i64, Error> {
        check(key, b"")?;
        self.change(key, |state, key, shared| {
            let found = state.find(key, shared);
            let value = found.and_then(|at| state.handle(at));
            let number = value.map_or(Ok(0), |value| parse(&value))?;
            let sum = step(number).ok_or(Error::Overflow { number })?;
            let deadline = found.and_then(|at| state.deadline(at));
            let digits = sum.to_string();
            let mut value = New::Short(digits.as_bytes());
            state.write(key, found, &mut value, deadline, shared, &mut None)?;
            Ok(sum)
        })
    }
}

fn parse(value: &[u8]) -> Result<i64, Error> {
    let number = str::from_utf8(value)
        .ok()
        .and_then(|text| text.parse().ok());
    number.ok_or(Error::NotANumber)
}
