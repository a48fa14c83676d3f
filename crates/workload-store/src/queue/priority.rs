//! The priority of a message.
//!
//! Tests: the bounds.

/// How urgent a message is: from 0 to 9, and 9 goes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Priority(u8);

/// Says that a number is no priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no priority: they go from 0 to {max}, and {max} goes first", max = Priority::MAX.0)]
pub struct PriorityError(pub u8);

impl Priority {
    /// The most urgent.
    pub const MAX: Self = Self(9);

    /// How many there are.
    pub(super) const COUNT: usize = Self::MAX.0 as usize + 1;

    /// Returns the priority of a number.
    ///
    /// # Errors
    /// Refuses a number above 9.
    pub const fn new(number: u8) -> Result<Self, PriorityError> {
        if number <= Self::MAX.0 {
            Ok(Self(number))
        } else {
            Err(PriorityError(number))
        }
    }

    /// Returns the number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Priority, PriorityError};

    #[test]
    fn priorities_go_from_0_to_9() {
        assert_eq!(Priority::new(0), Ok(Priority::default()));
        assert_eq!(Priority::new(9), Ok(Priority::MAX));
        assert_eq!(Priority::new(7).map(Priority::number), Ok(7));
        for number in [10, u8::MAX] {
            let refused = Priority::new(number).unwrap_err();
            assert_eq!(refused, PriorityError(number));
            assert_eq!(
                refused.to_string(),
                format!("{number} is no priority: they go from 0 to 9, and 9 goes first")
            );
        }
    }
}
