//! The middle of the values of one metric and how far they lay from it, as other services write it beside a value.
//!
//! Tested by `tests/render/export`.

use tripline_model::{Sample, Spread, Summary};

/// What is told of the values of one metric.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Middle {
    /// The value in the middle.
    pub(crate) center: f64,
    /// The lower end of the values, or of what was kept of them.
    pub(crate) low: f64,
    /// The upper end.
    pub(crate) high: f64,
    reach: f64,
    /// How many values there were, where that is known.
    count: Option<usize>,
    /// Whether only the middle half of them lies between the ends.
    is_half: bool,
}

impl Middle {
    pub(crate) fn of(sample: &Sample) -> Self {
        let center = sample.median();
        let kept = sample.kept();
        let (low, high) = match kept {
            Some(_) => sample.quartiles(),
            None => {
                let Summary { low, high, .. } = Summary::of(sample);
                (low, high)
            }
        };
        let reach = match kept {
            // As it was said: the ends would give it with another last digit.
            Some(Spread::Reach(reach)) => reach,
            _ => (high - center).max(center - low),
        };
        Self {
            center,
            low,
            high,
            reach,
            count: sample.count(),
            is_half: matches!(kept, Some(Spread::Quartiles { .. })),
        }
    }

    /// Returns how far values lay from the middle; nothing where they did not.
    pub(crate) fn range(&self) -> Option<String> {
        (self.low < self.high).then(|| format!("± {}", self.reach))
    }

    /// Returns how many values there were and where they lay; nothing where it was one, or nobody knows.
    pub(crate) fn extra(&self) -> Option<String> {
        let count = self.count.filter(|count| *count > 1)?;
        let half = if self.is_half {
            ", the middle half"
        } else {
            ""
        };
        Some(format!(
            "{count} values{half} from {} to {}",
            self.low, self.high
        ))
    }
}
