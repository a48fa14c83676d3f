//! A line with scales: band, levels, changes, what was accepted, and limits.

use std::ops::RangeInclusive;

use maud::{Markup, PreEscaped, html};
use tripline_model::{Better, Unit};

use super::scale::Scale;
use super::stroke::Strokes;
use super::{Plane, path, stretches};
use crate::figures::{self, Effect, coordinate};
use crate::scope::Scope;
use crate::trends::{Change, Line, Placed};

/// Where a chart lies in its picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// The width of the picture.
    pub(crate) width: f64,
    /// Its height.
    pub(crate) height: f64,
}

impl Frame {
    /// What a line is computed from, below it.
    pub(crate) const TERM: Self = Self {
        width: 760.0,
        height: 130.0,
    };

    /// A chart on a page.
    pub(crate) const PAGE: Self = Self {
        width: 760.0,
        height: 250.0,
    };
}

/// The room for numbers at the left.
const LEFT: f64 = 84.0;
/// The room for the sizes of changes at the top.
const TOP: f64 = 22.0;
/// The room for commits at the bottom.
const BOTTOM: f64 = 26.0;
/// The room for what ends at the latest commit.
const RIGHT: f64 = 14.0;

/// Sizes of changes that are closer than this are not all written: they would lie on each other.
const LABEL_WIDTH: f64 = 62.0;

struct Whole {
    frame: Frame,
    first: usize,
    last: usize,
    scale: Scale,
}

impl Plane for Whole {
    // A page has one for each metric, and a reader two eyes.
    const COLUMN: f64 = 2.0;

    fn x(&self, place: usize) -> f64 {
        let width = self.right() - LEFT;
        let span = (self.last - self.first).max(1) as f64;
        LEFT + width * (place - self.first) as f64 / span
    }

    fn y(&self, value: f64) -> f64 {
        TOP + (self.bottom() - TOP) * (1.0 - self.scale.height(value))
    }
}

impl Whole {
    fn right(&self) -> f64 {
        self.frame.width - RIGHT
    }

    fn bottom(&self) -> f64 {
        self.frame.height - BOTTOM
    }

    /// Returns the changes of a line that are in the picture, oldest first.
    fn changes<'l>(&self, line: &'l Line) -> impl DoubleEndedIterator<Item = &'l Change> {
        let span = self.first..=self.last;
        let changes = line.changes.iter();
        changes.filter(move |change| span.contains(&line.points[change.at].place))
    }
}

/// Returns the first and the last place of a line.
pub(crate) fn span(line: &Line) -> RangeInclusive<usize> {
    let place = |placed: Option<&Placed>| placed.map_or(0, |placed| placed.place);
    place(line.points.first())..=place(line.points.last())
}

/// Draws a line whole, from the first to the last place of a span. `title` is what it is called for those who do not see
/// it.
pub(crate) fn whole(
    scope: &Scope<'_>,
    line: &Line,
    span: RangeInclusive<usize>,
    frame: Frame,
    title: &str,
) -> Markup {
    let points = within(&line.points, &span);
    if points.is_empty() {
        return html! {};
    }
    let unit = &line.series.metric.unit;
    let plane = Whole {
        frame,
        first: *span.start(),
        last: *span.end(),
        scale: Scale::of(shown(points, line)),
    };
    let stretches = stretches(scope, line, points);
    let right = coordinate(plane.right());
    html! {
        svg.chart viewBox={ "0 0 " (frame.width) " " (frame.height) } role="img" aria-label=(title) {
            @for tick in plane.scale.ticks() {
                @let y = coordinate(plane.y(tick));
                line.grid x1=(LEFT) x2=(right) y1=(y) y2=(y) {}
                text.tick x=(LEFT - 8.0) y=(y) dy="0.32em" text-anchor="end" { (figures::value(tick, unit)) }
            }
            path.band d=(PreEscaped(band(&plane, &stretches))) {}
            (limits(&plane, line))
            @for change in plane.changes(line) { (cut(&plane, line, change)) }
            path.trace d=(PreEscaped(path(&plane, &stretches))) {}
            (sizes(&plane, line))
            (ends(scope, &plane))
        }
    }
}

/// Returns the points within a span.
fn within<'l>(points: &'l [Placed], span: &RangeInclusive<usize>) -> &'l [Placed] {
    let first = points.partition_point(|placed| placed.place < *span.start());
    let end = points.partition_point(|placed| placed.place <= *span.end());
    points.get(first..end).unwrap_or_default()
}

/// Returns all values that a picture shows.
fn shown<'l>(points: &'l [Placed], line: &Line) -> impl Iterator<Item = f64> + 'l {
    let points = points.iter().flat_map(|placed| {
        let (low, high) = placed.point.ends();
        [low, placed.point.center, high]
    });
    points.chain(line.baseline)
}

/// Returns the area between the ends of the points.
fn band(plane: &Whole, stretches: &[&[Placed]]) -> String {
    let mut area = Strokes::default();
    for stretch in stretches {
        let mut columns: Vec<(f64, f64, f64)> = Vec::new();
        for placed in *stretch {
            let (low, high) = placed.point.ends();
            let (x, low, high) = (plane.x(placed.place), plane.y(low), plane.y(high));
            match columns
                .last_mut()
                .filter(|column| x - column.0 < Whole::COLUMN)
            {
                Some(column) => {
                    column.1 = column.1.max(low);
                    column.2 = column.2.min(high);
                }
                None => columns.push((x, low, high)),
            }
        }
        if columns.iter().all(|(_, low, high)| low == high) {
            continue;
        }
        let there = columns.iter().map(|(x, _, high)| (*x, *high));
        let back = columns.iter().rev().map(|(x, low, _)| (*x, *low));
        area.begin(columns[0].0, columns[0].2);
        for (x, y) in there.chain(back) {
            area.go(x, y);
        }
        area.close();
    }
    area.end()
}

/// Draws what a line is compared with, where that lies within the picture.
fn limits(plane: &Whole, line: &Line) -> Markup {
    let budget = line.budget.unwrap_or_default();
    let all = [
        ("baseline", line.baseline),
        ("budget", budget.min),
        ("budget", budget.max),
    ];
    let is_within = |value: f64| (0.0..=1.0).contains(&plane.scale.height(value));
    html! {
        @for (name, value) in all {
            @if let Some(value) = value.filter(|value| is_within(*value)) {
                @let y = coordinate(plane.y(value));
                line.(name) x1=(LEFT) x2=(coordinate(plane.right())) y1=(y) y2=(y) {}
                text.note x=(coordinate(plane.right())) y=(y) dy="-0.35em" text-anchor="end" { (name) }
            }
        }
    }
}

/// Draws where a level changed: the commits that may have done it, and the two levels.
fn cut(plane: &Whole, line: &Line, change: &Change) -> Markup {
    let place = |at: usize| line.points[at.min(line.points.len() - 1)].place;
    let place = |at: usize| place(at).clamp(plane.first, plane.last);
    let x = plane.x(place(change.at));
    let from = plane.x(place(change.range.start().saturating_sub(1)));
    let to = plane.x(place(*change.range.end()));
    let effect = Effect::of(change, line.series.metric.better);
    let (top, height) = (TOP, plane.bottom() - TOP);
    html! {
        g.(effect.word()) {
            rect.suspects x=(coordinate(from)) y=(top) width=(coordinate((to - from).max(1.0))) height=(coordinate(height)) {}
            line.cut x1=(coordinate(x)) x2=(coordinate(x)) y1=(top) y2=(coordinate(plane.bottom())) {}
        }
    }
}

/// Writes the sizes of changes, the newest first, as far as there is room.
fn sizes(plane: &Whole, line: &Line) -> Markup {
    let mut left = f64::INFINITY;
    let mut kept = Vec::new();
    for change in plane.changes(line).rev() {
        let x = plane.x(line.points[change.at].place);
        let x = x.clamp(LEFT + LABEL_WIDTH / 2.0, plane.right() - LABEL_WIDTH / 2.0);
        if x + LABEL_WIDTH <= left {
            left = x;
            kept.push((x, change));
        }
    }
    let better = line.series.metric.better;
    html! {
        @for (x, change) in kept { (size(x, change, better)) }
    }
}

fn size(x: f64, change: &Change, better: Better) -> Markup {
    let effect = Effect::of(change, better);
    html! {
        text.size.(effect.word()) x=(coordinate(x)) y=(TOP - 8.0) text-anchor="middle" {
            (figures::arrow(change)) (figures::share(change.shift))
        }
    }
}

/// Writes the first and the last commit.
fn ends(scope: &Scope<'_>, plane: &Whole) -> Markup {
    let y = plane.frame.height - 8.0;
    let said = |place: usize| {
        let commit = scope.commit(place);
        [commit.id.short(), " \u{b7} ", &figures::day(commit.at)].concat()
    };
    html! {
        @if plane.first < plane.last {
            text.tick x=(LEFT) y=(y) { (said(plane.first)) }
        }
        text.tick x=(coordinate(plane.right())) y=(y) text-anchor="end" { (said(plane.last)) }
    }
}

/// Returns a title that says what a line does, for those who do not see it.
pub(crate) fn in_words(line: &Line, name: &str) -> String {
    let metric = &line.series.metric;
    let said = |value: f64, unit: &Unit| figures::value(value, unit);
    let latest = line.points.last();
    let latest = latest.map_or(String::new(), |placed| {
        [", now ", &said(placed.point.center, &metric.unit)].concat()
    });
    let changes = match line.changes.last() {
        None => ", no change of level".to_owned(),
        Some(change) => [", last change of level ", &figures::share(change.shift)].concat(),
    };
    [
        name,
        ", ",
        metric.name.as_str(),
        ", ",
        line.environment.as_str(),
        &latest,
        &changes,
    ]
    .concat()
}
