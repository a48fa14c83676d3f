//! One value at a time, with a past that stays as it was told.
//!
//! Each value is a new look at the last stretch of the series. A change point that is older than [`FROZEN_AFTER`] values
//! is frozen: it is never moved or taken back, and what lies before the last but one of them is not looked at again. That
//! bounds the work and keeps old reports true. A change raises one alert, though later looks may move it a little.
//!
//! Tested by `tests/judge/trend`.

use super::Settings;
use super::describe::{Center, ChangePoint, Look};
use super::search::{Demands, YOUNG_MAX, search};
use super::series::Series;

/// After how many values a change point is frozen: it is not young any more.
const FROZEN_AFTER: usize = YOUNG_MAX;

/// How many values are looked at again at most, which bounds the work. A change of less than half a standard deviation
/// may need more to show; that is for a look at the whole history.
const LOOKED_AT_MAX: usize = 600;

/// Change points this close, and in the same direction, are one.
const SAME_WITHIN: usize = 5;

/// A change that had not been told before.
#[derive(Debug, Clone, PartialEq)]
pub struct Alert {
    /// The change, as it looks so far.
    pub point: ChangePoint,
    /// The index of the value that made it certain enough.
    pub seen_at: usize,
}

/// A change of level, as far as it matters to tell it from others.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Seen {
    index: usize,
    is_up: bool,
}

/// Follows a series.
#[derive(Debug, Clone)]
pub struct Tracker {
    settings: Settings,
    values: Vec<f64>,
    /// The change points that stay as they are.
    frozen: Vec<Seen>,
    /// Those that may still move or go.
    recent: Vec<Seen>,
    /// Every change that needs no alert any more, where it was last seen.
    told: Vec<Seen>,
}

impl Tracker {
    /// Starts with nothing.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            values: Vec::new(),
            frozen: Vec::new(),
            recent: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Goes on after a history that was looked at as a whole. Its change points raise no alerts.
    #[must_use]
    pub fn resume(values: Vec<f64>, settings: Settings) -> Self {
        let mut tracker = Self::new(settings);
        tracker.values = values;
        if let Some(look) = tracker.look(0, settings.demands(tracker.values.len())) {
            let all: Vec<Seen> = (0..look.count()).map(|point| seen(&look, point)).collect();
            tracker.told.clone_from(&all);
            tracker.recent = all;
        }
        tracker.freeze();
        tracker
    }

    /// Takes the next value, and returns the change that became certain enough with it. Should there be two, the other
    /// follows with the next value.
    pub fn push(&mut self, value: f64) -> Option<Alert> {
        self.values.push(value);
        let start = self.look_from();
        let demands = self.settings.demands_of_rerun(self.values.len() - start);
        let look = self.look(start, demands)?;
        let last_frozen = self.frozen.last().copied();
        let is_past = |point: usize| {
            last_frozen
                .is_some_and(|last| look.index(point) <= last.index || is_same(&look, point, last))
        };
        let (mut told, mut recent, mut news) = (self.told.clone(), Vec::new(), None);
        for point in (0..look.count()).filter(|point| !is_past(*point)) {
            let seen = seen(&look, point);
            recent.push(seen);
            if let Some(known) = told
                .iter_mut()
                .rev()
                .find(|known| is_same(&look, point, **known))
            {
                *known = seen;
            } else if news.is_none() {
                told.push(seen);
                news = Some(look.point(point));
            }
        }
        (self.told, self.recent) = (told, recent);
        self.freeze();
        news.map(|point| Alert {
            point,
            seen_at: self.values.len() - 1,
        })
    }

    /// Returns the change points that stay, and after them those that may still move or go: the first values of the new
    /// levels.
    #[must_use]
    pub fn indexes(&self) -> Vec<usize> {
        let all = self.frozen.iter().chain(&self.recent);
        all.map(|seen| seen.index).collect()
    }

    /// Returns how many of the change points stay as they are.
    #[must_use]
    pub fn frozen(&self) -> usize {
        self.frozen.len()
    }

    /// Returns all values so far.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    fn look(&self, origin: usize, demands: Demands) -> Option<Look<'_>> {
        let values = &self.values[origin..];
        let series = Series::of(values)?;
        let found = search(&series, demands);
        Some(Look {
            origin,
            values,
            series,
            found,
            center: Center::Median,
        })
    }

    /// Returns the first value that is looked at again: the start of the level before the last frozen change point.
    fn look_from(&self) -> usize {
        let last_but_one = self.frozen.len().checked_sub(2);
        let start = last_but_one.map_or(0, |index| self.frozen[index].index);
        start.max(self.values.len().saturating_sub(LOOKED_AT_MAX))
    }

    fn freeze(&mut self) {
        let old = |seen: &Seen| seen.index + FROZEN_AFTER < self.values.len();
        let count = self.recent.iter().take_while(|seen| old(seen)).count();
        self.frozen.extend(self.recent.drain(..count));
    }
}

fn seen(look: &Look<'_>, point: usize) -> Seen {
    Seen {
        index: look.index(point),
        is_up: look.is_up(point),
    }
}

/// Returns whether a change point is the one that was seen before: close to it, or the other within where it may lie.
fn is_same(look: &Look<'_>, point: usize, before: Seen) -> bool {
    look.is_up(point) == before.is_up
        && (look.index(point).abs_diff(before.index) <= SAME_WITHIN
            || look.places(point).contains(&before.index))
}
