//! Lines drawn as SVG: small ones for overviews, whole ones with scales for pages, and both for images that stand alone.
//!
//! A line breaks where a commit was measured and the benchmark was not: nothing is drawn across what nobody knows. Where
//! there are more points than pixels, each column shows the lowest and the highest of its points, so that no outlier is
//! lost. Tested by `tests/site`.

mod scale;
mod spark;
mod whole;

pub(crate) use spark::spark;
pub(crate) use whole::{Frame, in_words, whole};

use std::fmt::Write as _;

use crate::figures::coordinate;
use crate::scope::Scope;
use crate::trends::{Line, Placed};

/// Returns the stretches of a line that have no gap within.
pub(crate) fn stretches<'l>(scope: &Scope<'_>, line: &'l Line) -> Vec<&'l [Placed]> {
    let joined = |a: &Placed, b: &Placed| !scope.has_gap(line, a.place, b.place);
    line.points.chunk_by(joined).collect()
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
    let mut path = String::new();
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
        draw(&mut path, &columns);
    }
    path
}

fn draw(path: &mut String, columns: &[Column]) {
    let mut letter = 'M';
    for column in columns {
        let x = coordinate(column.x);
        let mut last = f64::NAN;
        for y in [column.low, column.high] {
            if y != last {
                write!(path, "{letter}{x} {}", coordinate(y))
                    .expect("a text takes all that is written");
                letter = 'L';
                last = y;
            }
        }
    }
    if let [only] = columns {
        // A path of one point is not drawn; a short stroke is.
        let x = coordinate(only.x + 0.1);
        write!(path, "L{x} {}", coordinate(only.high)).expect("a text takes all that is written");
    }
}
