//! Lines drawn as SVG: small ones for overviews, whole ones with scales for pages, and both for images that stand alone.
//!
//! A line breaks where a commit was measured and the benchmark was not: nothing is drawn across what nobody knows. Where
//! there are more points than pixels, each column shows the lowest and the highest of its points, so that no outlier is
//! lost. Tested by `tests/site`.

mod scale;
mod spark;
mod stroke;
mod whole;

pub(crate) use spark::spark;
pub(crate) use whole::{Frame, in_words, span, whole};

use stroke::Strokes;

use crate::scope::Scope;
use crate::trends::{Line, Placed};

/// Returns the stretches of points of a line that have no gap within.
pub(crate) fn stretches<'l>(
    scope: &Scope<'_>,
    line: &Line,
    points: &'l [Placed],
) -> Vec<&'l [Placed]> {
    let joined = |a: &Placed, b: &Placed| !scope.has_gap(line, a.place, b.place);
    points.chunk_by(joined).collect()
}

/// Something that maps points to a picture.
trait Plane {
    /// How wide a column of points is that are drawn together. Of each the lowest and the highest show.
    const COLUMN: f64;
    /// Returns how far from the left.
    fn x(&self, place: usize) -> f64;
    /// Returns how far from the top.
    fn y(&self, value: f64) -> f64;
}

/// A column of pixels: what is drawn of the points in it.
#[derive(Debug, Clone, Copy)]
struct Column {
    x: f64,
    low: f64,
    high: f64,
}

/// Returns the path of stretches.
fn path<P: Plane>(plane: &P, stretches: &[&[Placed]]) -> String {
    let mut strokes = Strokes::default();
    for stretch in stretches {
        let mut columns: Vec<Column> = Vec::new();
        for placed in *stretch {
            let (x, y) = (plane.x(placed.place), plane.y(placed.point.center));
            match columns.last_mut().filter(|column| x - column.x < P::COLUMN) {
                Some(column) => {
                    column.low = column.low.max(y);
                    column.high = column.high.min(y);
                }
                None => columns.push(Column { x, low: y, high: y }),
            }
        }
        draw(&mut strokes, &columns);
    }
    strokes.end()
}

fn draw(strokes: &mut Strokes, columns: &[Column]) {
    let Some(first) = columns.first() else {
        return;
    };
    strokes.begin(first.x, first.low);
    let mut y = first.low;
    for column in columns {
        // The nearer end comes first: what falls once is not drawn as if it had risen again.
        let is_low_nearer = (y - column.low).abs() <= (y - column.high).abs();
        let (near, far) = match is_low_nearer {
            true => (column.low, column.high),
            false => (column.high, column.low),
        };
        strokes.go(column.x, near);
        strokes.go(column.x, far);
        y = far;
    }
    if let [only] = columns {
        // A path of one point is not drawn; a short stroke is.
        strokes.go(only.x + 0.1, only.high);
    }
}
