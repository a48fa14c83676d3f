//! The method and the numbers behind a verdict.

/// Says what a verdict rests on, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Counts that come out the same each time.
    Exact,
    /// Base and head measured interleaved in one session.
    Paired,
    /// The series' own past.
    Historical,
    /// An absolute limit.
    Budget,
    /// A baseline from another time or machine: shown, never gates.
    BaselineOnly,
}

/// Sums up a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The median.
    pub center: f64,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// How many values there are.
    pub count: usize,
}

impl Summary {
    /// Sums up a sample.
    #[must_use]
    pub fn of(sample: &crate::sample::Sample) -> Self {
        Self {
            center: sample.median(),
            low: sample.min(),
            high: sample.max(),
            count: sample.values().len(),
        }
    }
}

/// How the head relates to the base: the ratio head / base, with the interval it lies in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Head divided by base.
    pub ratio: f64,
    /// The lower end of the interval; equal to the ratio where there is no doubt.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// What change is allowed: both must be crossed for a change to count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// The relative change allowed: 0.01 is one percent.
    pub relative: f64,
    /// The absolute change nobody cares about, in the metric's unit.
    pub floor: f64,
}

/// An absolute limit that a metric may not cross.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budget {
    /// The least that is allowed.
    pub min: Option<f64>,
    /// The most that is allowed.
    pub max: Option<f64>,
}

impl Budget {
    /// Returns whether a value is neither below the least nor above the most that is allowed.
    #[must_use]
    pub fn allows(&self, value: f64) -> bool {
        let Self { min, max } = *self;
        min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max)
    }
}

/// Holds the method and the numbers behind a verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// What the verdict rests on.
    pub method: Method,
    /// The base's values; absent where the benchmark is new.
    pub base: Option<Summary>,
    /// The head's values; absent where the benchmark is gone.
    pub head: Option<Summary>,
    /// How they relate; absent where a side is missing or the base is zero.
    pub change: Option<Change>,
    /// How often the interval of such a change holds the truth; absent where there is no doubt, or none is known.
    pub confidence: Option<f64>,
    /// The probability of such values without a change, where a test was made.
    pub p_value: Option<f64>,
    /// How many times better a change beyond the tolerance, for the worse, explains the values than none beyond it. A
    /// wager at fair odds against "no worse" would have multiplied its stake by so much; absent where none was made.
    pub e_value: Option<f64>,
    /// How much the logarithms of single pairs scatter, as a standard deviation, where enough pairs were measured.
    pub noise: Option<f64>,
    /// The smallest relative change for the worse that so many values would probably have found.
    pub detectable: Option<f64>,
    /// The absolute limit, where there is one.
    pub budget: Option<Budget>,
    /// The change that is allowed.
    pub tolerance: Tolerance,
}

impl Evidence {
    /// Begins evidence that holds no numbers yet.
    #[must_use]
    pub fn new(method: Method, tolerance: Tolerance) -> Self {
        Self {
            method,
            base: None,
            head: None,
            change: None,
            confidence: None,
            p_value: None,
            e_value: None,
            noise: None,
            detectable: None,
            budget: None,
            tolerance,
        }
    }
}
