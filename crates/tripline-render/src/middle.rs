//! The middle of the values of one metric and how far they lay from it, as other services write it beside a value.
//!
//! A harness that gives one number in place of values says beside it how far these lay, which the readers keep as metrics of
//! their own: `wall_time_lower`, `wall_time_deviation`. They are told with the number, and not beside it. Tested by
//! `tests/render/export`.

use tripline_model::{Better, Measurement, MetricName, Reading, Sample, Spread, Summary};

/// What is told of the values of one metric.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Middle {
    /// The value in the middle.
    pub(crate) center: f64,
    /// The lower end of the values, or of what was kept or said of them.
    pub(crate) low: Option<f64>,
    /// The upper end.
    pub(crate) high: Option<f64>,
    /// How far the ends are, where that was said in place of them.
    reach: Option<f64>,
    /// How many values there were, where that is known.
    count: Option<usize>,
    /// Whether only the middle half of them lies between the ends.
    is_half: bool,
}

/// The parts of a summary that are ends.
const ENDS: [&str; 2] = ["lower", "upper"];

/// Those that say how far the ends are, the first before the second.
const REACHES: [&str; 2] = ["deviation", "range"];

impl Middle {
    /// Returns what is told of a reading of a measurement.
    pub(crate) fn of(measurement: &Measurement, reading: &Reading) -> Self {
        let mut middle = Self::of_sample(&reading.sample);
        for (part, value) in parts(measurement, reading) {
            match part {
                "lower" => middle.low = Some(value.sample.median()),
                "upper" => middle.high = Some(value.sample.median()),
                _ => {
                    let reach = value.sample.median();
                    middle.low = Some(middle.center - reach);
                    middle.high = Some(middle.center + reach);
                    middle.reach = Some(reach);
                }
            }
        }
        middle
    }

    fn of_sample(sample: &Sample) -> Self {
        let kept = sample.kept();
        let (low, high) = match kept {
            Some(_) => sample.quartiles(),
            None => {
                let Summary { low, high, .. } = Summary::of(sample);
                (low, high)
            }
        };
        let is_wide = low < high;
        Self {
            center: sample.median(),
            low: is_wide.then_some(low),
            high: is_wide.then_some(high),
            reach: match kept {
                Some(Spread::Reach(reach)) => Some(reach),
                _ => None,
            },
            count: sample.count(),
            is_half: matches!(kept, Some(Spread::Quartiles { .. })),
        }
    }

    /// Returns how far values lay from the middle; nothing where they did not.
    pub(crate) fn range(&self) -> Option<String> {
        let below = self.low.map(|low| self.center - low);
        let above = self.high.map(|high| high - self.center);
        let farther = below.into_iter().chain(above).reduce(f64::max)?;
        // As it was said, if it was: the ends would give it with another last digit.
        Some(format!("± {}", self.reach.unwrap_or(farther)))
    }

    /// Returns how many values there were and where they lay; nothing where it was one, or nobody knows.
    pub(crate) fn extra(&self) -> Option<String> {
        let count = self.count.filter(|count| *count > 1)?;
        let half = if self.is_half {
            ", the middle half"
        } else {
            ""
        };
        let [low, high] = [self.low, self.high].map(|end| end.unwrap_or(self.center));
        Some(format!("{count} values{half} from {low} to {high}"))
    }
}

/// Returns whether a reading is told with another of its measurement, as an end of it.
pub(crate) fn is_told_with_another(measurement: &Measurement, reading: &Reading) -> bool {
    let name = &reading.metric.name;
    ENDS.iter().chain(&REACHES).any(|part| {
        let base = name.as_str().strip_suffix(part);
        let base = base.and_then(|base| MetricName::new(base.strip_suffix('_')?).ok());
        let base = base.and_then(|base| measurement.reading(&base));
        base.is_some_and(|base| {
            let mut parts = parts(measurement, base);
            // What is told with another is told alone: it takes nothing along.
            parts.any(|(_, part)| part.metric.name == *name)
                && !is_told_with_another(measurement, base)
        })
    })
}

/// Returns the parts that are told with a reading: its ends, or else what says first how far they are.
fn parts<'m>(
    measurement: &'m Measurement,
    of: &Reading,
) -> impl Iterator<Item = (&'static str, &'m Reading)> {
    let found = |part| Some((part, part_of(measurement, of, part)?));
    let [lower, upper] = ENDS.map(found);
    let reach = match (&lower, &upper) {
        (None, None) => REACHES.into_iter().find_map(found),
        _ => None,
    };
    let all = [lower, upper, reach].into_iter().flatten();
    let is_bare = is_single(&of.sample);
    all.filter(move |_| is_bare)
}

/// Returns a part of what a harness said of a metric, such as its `lower` end.
fn part_of<'m>(measurement: &'m Measurement, of: &Reading, part: &str) -> Option<&'m Reading> {
    let name = MetricName::new(format!("{}_{part}", of.metric.name)).ok()?;
    let part = measurement.reading(&name)?;
    let is_part = part.metric.better == Better::Neither
        && part.metric.unit == of.metric.unit
        && is_single(&part.sample);
    is_part.then_some(part)
}

/// Returns whether there is one number, of which nothing else is known by itself.
fn is_single(sample: &Sample) -> bool {
    sample.values().len() == 1 && matches!(sample.kept(), None | Some(Spread::Nothing))
}
