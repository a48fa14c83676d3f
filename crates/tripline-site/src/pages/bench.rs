//! The page of a benchmark: every metric drawn, told and listed; with a script, one chart to look closely.

use std::sync::atomic::{AtomicUsize, Ordering};

use maud::{Markup, html};
use tripline_model::number;

use super::{badge, changes, family, tile};
use crate::Files;
use crate::chart::{Frame, in_words, span, whole};
use crate::figures::{self, Effect};
use crate::scope::{Bench, Scope};
use crate::shell::Shell;
use crate::story::Moved;
use crate::trends::Line;

/// How many values a table lists.
const VALUES_SHOWN: usize = 25;

/// How many benchmarks a thread takes at a time: few, because all are to end together, whoever else has the processors.
const TAKEN: usize = 8;

/// The most relatives that a page names.
const RELATIVES_MAX: usize = 60;

/// Adds what belongs to each benchmark: its page, its numbers, its picture and its badge. That is most of a site, so all
/// processors take part.
pub(super) fn add(scope: &Scope<'_>, files: &mut Files) {
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let shares: Vec<&[Bench<'_>]> = scope.benches.chunks(TAKEN).collect();
    let taken = AtomicUsize::new(0);
    let take = || shares.get(taken.fetch_add(1, Ordering::Relaxed));
    let made = std::thread::scope(|threads| {
        let making = (0..count).map(|_| {
            threads.spawn(|| {
                let mine = std::iter::from_fn(take).copied().flatten();
                let all = mine.flat_map(|bench| files_of(scope, bench));
                all.collect::<Vec<_>>()
            })
        });
        let making: Vec<_> = making.collect();
        let made = making.into_iter().map(std::thread::ScopedJoinHandle::join);
        made.collect::<Vec<_>>()
    });
    for some in made {
        files.extend(some.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    }
}

fn files_of(scope: &Scope<'_>, bench: &Bench<'_>) -> [(String, Vec<u8>); 4] {
    let slug = &bench.slug;
    // Drawn once: it is on the page, and a file of its own.
    let main = drawn(scope, bench, bench.main());
    [
        (bench.page(), page(scope, bench, &main)),
        (format!("data/b/{slug}.js"), tile::tile(scope, bench)),
        (format!("badge/{slug}.svg"), badge::badge(bench)),
        (format!("chart/{slug}.svg"), badge::chart(bench, &main)),
    ]
}

/// Draws a line of a benchmark.
fn drawn(scope: &Scope<'_>, bench: &Bench<'_>, line: &Line) -> Markup {
    let title = in_words(line, &bench.id.to_string());
    whole(scope, line, span(line), Frame::PAGE, &title)
}

fn page(scope: &Scope<'_>, bench: &Bench<'_>, drawn: &Markup) -> Vec<u8> {
    let telling = bench.telling();
    let main = html! {
        h1 { (bench.id) }
        p.lead { (story(bench)) }
        // What the script is going to ask for is on its way while the page is read.
        @for data in [format!("b/{}", bench.slug), "times".to_owned()] {
            link rel="preload" as="script" href={ "../../data/" (data) ".js" };
        }
        div #app data-slug=(bench.slug) data-metric=(telling.series.metric.name) data-environment=(telling.environment) {}
        @for line in &bench.lines { (figure(scope, bench, line, drawn)) }
        (relatives(scope, bench))
        (elsewhere(bench))
    };
    let title = bench.id.to_string();
    let shell = Shell {
        title: &title,
        root: "../../",
        here: "Benchmarks",
        script: Some("bench.js"),
    };
    shell.around(scope, &main)
}

/// Says how the benchmark stands, in a sentence.
fn story(bench: &Bench<'_>) -> Markup {
    let line = bench.telling();
    let metric = &line.series.metric;
    let Some(latest) = line.points.last() else {
        return html! {};
    };
    let value = figures::value(latest.point.center, &metric.unit);
    html! {
        strong { (value) } " " (metric.name) " in " (line.environment)
        @match line.changes.last() {
            None => { ", and no change of level in " (number::plural(line.points.len(), "value", "values")) "." }
            Some(change) => {
                @let effect = Effect::of(change, metric.better);
                ", "
                span.(effect.word()) { (figures::arrow(change)) (figures::share(change.shift)) " " (effect.word()) }
                @let ago = line.points.len() - 1 - change.at;
                " since its level last changed, " (number::plural(ago, "measured commit", "measured commits")) " ago."
            }
        }
    }
}

/// Returns one line with its tables. The one with most to tell stands open, and another when a link names it. The main one is
/// drawn already.
fn figure(scope: &Scope<'_>, bench: &Bench<'_>, line: &Line, main: &Markup) -> Markup {
    let about = [
        line.series.metric.name.as_str(),
        " in ",
        line.environment.as_str(),
    ]
    .concat();
    html! {
        details.line open[std::ptr::eq(line, bench.telling())] {
            summary { h2 { (about) } }
            figure #{ "m=" (line.series.metric.name) "&e=" (line.environment) } {
                @if std::ptr::eq(line, bench.main()) { (main) } @else { (drawn(scope, bench, line)) }
            }
            (detectable(line))
            (pairs(line))
            (terms(scope, line))
            (changes_of(scope, line))
            (values(scope, line))
        }
    }
}

/// Says how small a change may be that is no more than the values' scatter.
fn detectable(line: &Line) -> Markup {
    html! {
        @if let Some(least) = line.detectable {
            p.detectable { "Smallest change that a single run shows here: " (figures::share(least).trim_start_matches('+')) "." }
        }
    }
}

/// Says how much the pairs of sessions scatter, and how small a change so many of them show.
fn pairs(line: &Line) -> Markup {
    let size = |share: f64| figures::share(share).trim_start_matches('+').to_owned();
    let joined = |texts: Vec<String>| texts.join(", ");
    html! {
        @if let Some(pairs) = &line.pairs {
            @let (counts, sizes) = pairs.detectable.iter().map(|(count, least)| (count.to_string(), size(*least))).unzip();
            p.detectable {
                "In " (number::plural(pairs.sessions, "session", "sessions")) " with its base the pairs scatter by "
                (size(pairs.noise)) ": " (joined(counts)) " pairs show a change of " (joined(sizes)) "."
            }
        }
    }
}

/// Draws what a line is computed from below it, so that a ratio that moved shows which of its terms did. Below each commit
/// lies the same commit.
fn terms(scope: &Scope<'_>, line: &Line) -> Markup {
    html! {
        @if !line.terms.is_empty() {
            p { "Computed from:" }
            @for (bench, term) in scope.terms(line) {
                @let name = bench.id.to_string();
                figure.term {
                    figcaption {
                        a href={ "../" (bench.slug) "/index.html#m=" (term.series.metric.name) "&e=" (term.environment) } { (name) }
                        ", " (term.series.metric.name)
                    }
                    (whole(scope, term, span(line), Frame::TERM, &in_words(term, &name)))
                }
            }
        }
    }
}

fn changes_of(scope: &Scope<'_>, line: &Line) -> Markup {
    let unit = &line.series.metric.unit;
    html! {
        @if !line.changes.is_empty() {
            div.scroll tabindex="0" role="group" aria-label="Changes of level" {
                table {
                    caption { "Changes of level" }
                    thead { tr { th scope="col" { "Commit" } th scope="col" { "Size" } th scope="col" { "Before" }
                        th scope="col" { "After" } th scope="col" { "Interval" } th scope="col" { "Standing" } } }
                    tbody {
                        @for change in line.changes.iter().rev() {
                            @let moved = Moved { line, change };
                            tr {
                                td { (changes::link_to_commit(scope, moved.place())) }
                                td.(moved.effect().word()) { (figures::arrow(change)) (figures::share(change.shift)) }
                                td { (figures::value(change.before, unit)) }
                                td { (figures::value(change.after, unit)) }
                                td { @if let Some(interval) = change.interval { (figures::interval(interval)) } }
                                td.standing { (changes::standing(&moved)) (changes::suspects(scope, &moved)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn values(scope: &Scope<'_>, line: &Line) -> Markup {
    let unit = &line.series.metric.unit;
    html! {
        div.scroll tabindex="0" role="group" aria-label="Latest values" {
            table {
                caption { "Latest values, " (line.points.len()) " in all" }
                thead { tr { th scope="col" { "Commit" } th scope="col" { "Day" } th scope="col" { "Value" }
                    th scope="col" { "Between" } th scope="col" { "Subject" } } }
                tbody {
                    @for placed in line.points.iter().rev().take(VALUES_SHOWN) {
                        @let commit = scope.commit(placed.place);
                        @let (low, high) = placed.point.ends();
                        tr {
                            td { (changes::link_to_commit(scope, placed.place)) }
                            td { (figures::day(commit.at)) }
                            td { (figures::value(placed.point.center, unit)) }
                            td { @if low < high { (figures::value(low, unit)) " \u{2026} " (figures::value(high, unit)) } }
                            td.subject { @if let Some(subject) = &commit.subject { (subject) } }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the benchmarks of the same name with other params.
fn relatives(scope: &Scope<'_>, bench: &Bench<'_>) -> Markup {
    let all = scope.family(bench);
    if all.len() < 2 {
        return html! {};
    }
    let keys = family::keys(all);
    let here = bench.telling();
    html! {
        section #relatives {
            h2 { "The same with other params" }
            div #pivot data-family=(family::slug(bench)) {}
            div.scroll tabindex="0" role="group" aria-label="The same with other params" {
                table {
                    thead { tr { @for key in &keys { th scope="col" { (key) } }
                        th scope="col" { "Latest" } th scope="col" { "Last change" } } }
                    tbody {
                        @for other in all.iter().take(RELATIVES_MAX) {
                            @let line = like(other, here);
                            tr {
                                @for (index, key) in keys.iter().enumerate() {
                                    @let value = other.id.params.get(*key).map_or("", |value| value.as_str());
                                    td { @if index == 0 && other.slug != bench.slug { a href={ "../" (other.slug) "/index.html" } { (value) @if value.is_empty() { "none" } } } @else { (value) } }
                                }
                                td {
                                    (super::home::latest(line))
                                    @if line.environment != here.environment { span.old { " in " (line.environment) } }
                                    @if scope.is_behind(line) { (last_measured(scope, line)) }
                                }
                                td { (super::home::last_change(line)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the line of a benchmark that can stand beside another one's: the same metric in the same environment, or else
/// what the benchmark has most to tell of.
fn like<'t>(bench: &Bench<'t>, line: &Line) -> &'t Line {
    let is_like = |other: &&&Line| {
        other.series.metric.name == line.series.metric.name && other.environment == line.environment
    };
    let like = bench.lines.iter().find(is_like);
    like.copied().unwrap_or(bench.telling())
}

/// Says of when a value is that stands among newer ones.
fn last_measured(scope: &Scope<'_>, line: &Line) -> Markup {
    html! {
        @if let Some(placed) = line.points.last() {
            span.old { " of " (figures::day(scope.commit(placed.place).at)) ", not measured since" }
        }
    }
}

/// Says how to show this elsewhere.
fn elsewhere(bench: &Bench<'_>) -> Markup {
    html! {
        section {
            h2 { "Elsewhere" }
            p {
                a href={ "../../badge/" (bench.slug) ".svg" } { "Badge" } ", "
                a href={ "../../chart/" (bench.slug) ".svg" } { "picture" }
                ": files for a README or a comment, at an address that stays."
            }
        }
    }
}
