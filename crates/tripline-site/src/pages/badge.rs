//! Pictures for a README or a comment: a badge, and a chart that carries its own colours.

use maud::{Markup, PreEscaped, html};

use crate::chart::Frame;
use crate::figures::{self, Effect};
use crate::scope::Bench;

/// The colours of a chart that stands alone, for light and dark.
const STYLE: &str = include_str!("../../assets/chart.css");

/// The width of a letter of a badge, about.
const LETTER: f64 = 6.6;

/// The longest name on a badge, in letters.
const NAME_MAX: usize = 40;

/// Returns the badge of a benchmark: name, latest value, and what it came to.
pub(super) fn badge(bench: &Bench<'_>) -> Vec<u8> {
    let line = bench.main();
    let mut name: String = bench.id.to_string();
    if name.chars().count() > NAME_MAX {
        name = name
            .chars()
            .take(NAME_MAX - 1)
            .chain(['\u{2026}'])
            .collect();
    }
    let latest = line.points.last().map_or("no value".to_owned(), |placed| {
        figures::value(placed.point.center, &line.series.metric.unit)
    });
    let (effect, value) = match line.changes.last() {
        None => ("steady", latest),
        Some(change) => {
            let effect = Effect::of(change, line.series.metric.better);
            let said = [
                &latest,
                " ",
                figures::arrow(change),
                &figures::share(change.shift),
            ]
            .concat();
            (effect.word(), said)
        }
    };
    let width = |text: &str| text.chars().count() as f64 * LETTER + 14.0;
    let (left, right) = (width(&name), width(&value));
    let colour = match effect {
        "worse" => "#b3261e",
        "better" => "#1a6b3c",
        _ => "#4a5568",
    };
    let title = [&name, ": ", &value].concat();
    picture(
        left + right,
        20.0,
        &html! {
            title { (title) }
            g {
                rect width=(left) height="20" fill="#2d3340" {}
                rect x=(left) width=(right) height="20" fill=(colour) {}
            }
            g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle" {
                text x=(left / 2.0) y="14" textLength=(left - 14.0) { (name) }
                text x=(left + right / 2.0) y="14" textLength=(right - 14.0) { (value) }
            }
        },
    )
}

/// Returns the chart of a benchmark's most telling metric, as it was drawn.
pub(super) fn chart(bench: &Bench<'_>, drawn: &Markup) -> Vec<u8> {
    let line = bench.main();
    let name = bench.id.to_string();
    let Frame { width, height } = Frame::PAGE;
    let title = [&name, " \u{b7} ", line.series.metric.name.as_str()].concat();
    picture(
        width,
        height + 24.0,
        &html! {
            style { (PreEscaped(STYLE)) }
            rect.paper width="100%" height="100%" {}
            text.title x="12" y="18" { (title) }
            g transform="translate(0 24)" { (drawn) }
        },
    )
}

fn picture(width: f64, height: f64, inside: &Markup) -> Vec<u8> {
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img" {
            (inside)
        }
    };
    markup.into_string().into_bytes()
}
