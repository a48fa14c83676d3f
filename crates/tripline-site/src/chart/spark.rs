//! Small lines for overviews: no scale, one colour, and a mark where the level changed.

use maud::{Markup, PreEscaped, html};

use super::scale::Scale;
use super::{Plane, path, stretches};
use crate::figures::{Effect, coordinate};
use crate::scope::Scope;
use crate::trends::Line;

const WIDTH: f64 = 160.0;
const HEIGHT: f64 = 36.0;
const EDGE: f64 = 3.0;

struct Small {
    first: usize,
    last: usize,
    scale: Scale,
}

impl Plane for Small {
    // The first page has hundreds of them.
    const COLUMN: f64 = 4.0;

    fn x(&self, place: usize) -> f64 {
        let width = WIDTH - 2.0 * EDGE;
        let span = (self.last - self.first).max(1) as f64;
        EDGE + width * (place - self.first) as f64 / span
    }

    fn y(&self, value: f64) -> f64 {
        EDGE + (HEIGHT - 2.0 * EDGE) * (1.0 - self.scale.height(value))
    }
}

/// Draws a line small. It says nothing that does not stand beside it in words.
pub(crate) fn spark(scope: &Scope<'_>, line: &Line) -> Markup {
    let (Some(first), Some(last)) = (line.points.first(), line.points.last()) else {
        return html! {};
    };
    let small = Small {
        first: first.place,
        last: last.place,
        scale: Scale::of(line.points.iter().map(|placed| placed.point.center)),
    };
    let latest = (small.x(last.place), small.y(last.point.center));
    html! {
        svg.spark viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } aria-hidden="true" focusable="false" {
            @for change in &line.changes {
                @let placed = &line.points[change.at];
                @let effect = Effect::of(change, line.series.metric.better);
                @let x = coordinate(small.x(placed.place));
                line.cut.(effect.word()) x1=(x) x2=(x) y1="1" y2=(HEIGHT - 1.0) {}
            }
            path.trace d=(PreEscaped(path(&small, &stretches(scope, line, &line.points)))) {}
            circle.latest cx=(coordinate(latest.0)) cy=(coordinate(latest.1)) r="2.2" {}
        }
    }
}
