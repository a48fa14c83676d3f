//! The first page: what changed, newest and largest first; then the benchmarks.
//!
//! It holds what is most interesting and no more, so that it is there at once however long the history is. The rest is a
//! page for each suite, and a list that the script loads when somebody looks for something.

use std::collections::BTreeSet;

use maud::{Markup, html};
use tripline_model::few;
use tripline_model::number;

use super::changes;
use crate::chart::spark;
use crate::figures::{self, Effect};
use crate::scope::{Bench, Scope};
use crate::shell::Shell;
use crate::story::{self, Chapter, Moved, Standing};
use crate::trends::{Line, Tally};

/// The most commits that the first page tells of.
const CHAPTERS_MAX: usize = 8;

/// The most benchmarks that it names of one commit.
const EVENTS_MAX: usize = 6;

/// The most benchmarks that it shows.
const CARDS_MAX: usize = 200;

/// Returns the first page.
pub(super) fn page(scope: &Scope<'_>, chapters: &[Chapter<'_, '_>]) -> Vec<u8> {
    let main = html! {
        h1.hidden { "Trends of " (scope.about.title) }
        (summary(scope, chapters))
        section #changed aria-labelledby="changed-title" {
            h2 #changed-title { "What changed" }
            @if chapters.is_empty() { p.nothing { (nothing(scope)) } }
            @for chapter in chapters.iter().take(CHAPTERS_MAX) {
                (changes::section(scope, chapter, EVENTS_MAX, ""))
            }
            @if chapters.len() > CHAPTERS_MAX {
                p.more { a href="changes/index.html" { "All changes, of " (chapters.len()) " commits" } }
            }
        }
        (benchmarks(scope))
    };
    let shell = Shell {
        title: "What changed",
        root: "",
        here: "What changed",
        script: Some("home.js"),
    };
    shell.around(scope, &main)
}

fn nothing(scope: &Scope<'_>) -> &'static str {
    if scope.benches.is_empty() {
        "There is no history yet. It begins with `tripline record`."
    } else {
        "No level changed so far."
    }
}

/// Says how things stand, in one look.
fn summary(scope: &Scope<'_>, chapters: &[Chapter<'_, '_>]) -> Markup {
    let standing: Vec<&Moved<'_>> = chapters
        .iter()
        .flat_map(|chapter| &chapter.events)
        .map(|event| &event.main)
        .filter(|moved| matches!(moved.standing(), Standing::Pending | Standing::Confirmed))
        .filter(|moved| moved.line.changes.last() == Some(moved.change))
        .collect();
    let count = |effect| {
        standing
            .iter()
            .filter(|moved| moved.effect() == effect)
            .count()
    };
    let about = scope.about;
    html! {
        dl.summary {
            div.worse { dt { "worse than before" } dd { (count(Effect::Worse)) } }
            div.better { dt { "better than before" } dd { (count(Effect::Better)) } }
            div { dt { "benchmarks" } dd { (number::plural(scope.benches.len(), "", "").trim()) } }
            @if let Some(latest) = scope.latest() {
                div.wordy {
                    dt { "latest commit" }
                    dd { (changes::link_to_commit(scope, scope.trends.commits.len() - 1))
                        span.aside { (figures::ago(latest.at, about.made_at)) } }
                }
            }
            @if let Some(canary) = about.canary {
                div.wordy {
                    dt { "canary last sang" }
                    dd { (figures::day(canary.at)) span.aside { (figures::ago(canary.at, about.made_at)) } }
                }
                (heard("its false alarms", canary.tally, |tally| (tally.false_alarms, tally.equal)))
                (heard("slowdowns it missed", canary.tally, |tally| (tally.missed, tally.planted)))
            }
        }
    }
}

/// Says how often the canary did otherwise than was known in advance. What was never counted is no zero.
fn heard(what: &str, tally: Option<Tally>, counts: fn(Tally) -> (usize, usize)) -> Markup {
    let counted = tally.filter(|tally| counts(*tally).1 > 0);
    html! {
        div.wordy {
            dt { (what) }
            @if let Some(tally) = counted {
                @let (wrong, all) = counts(tally);
                dd { (wrong) " of " (all) span.aside { "in " (number::plural(tally.runs, "run", "runs")) } }
            } @else {
                dd { "not known" }
            }
        }
    }
}

fn benchmarks(scope: &Scope<'_>) -> Markup {
    let mut shown: Vec<&Bench<'_>> = scope.benches.iter().collect();
    if shown.len() > CARDS_MAX {
        few::sort_by_key(&mut shown, |bench| story::interest(bench));
        shown.truncate(CARDS_MAX);
        few::sort_by_key(&mut shown, |bench| bench.id);
    }
    let left = scope.benches.len() - shown.len();
    html! {
        section #benchmarks aria-labelledby="benchmarks-title" {
            h2 #benchmarks-title { "Benchmarks" }
            (tools(scope))
            p #found role="status" {}
            div #grid {
                @for suite in shown.chunk_by(|a, b| a.id.suite == b.id.suite) {
                    @let name = &suite[0].id.suite;
                    section.suite {
                        h3 { a href={ "s/" (name) "/index.html" } { (name) } }
                        ul.cards { @for bench in suite { (card(scope, bench, "")) } }
                    }
                }
            }
            @if left > 0 {
                p.more {
                    "Of " (scope.benches.len()) " benchmarks the " (CARDS_MAX) " that changed last are shown. All of "
                    @for (index, suite) in scope.suites().enumerate() {
                        @if index > 0 { ", " }
                        a href={ "s/" (suite[0].id.suite) "/index.html" } { (suite[0].id.suite) }
                    }
                    "."
                }
            }
        }
    }
}

/// Returns what narrows the list; the script shows it, because without one it would do nothing.
fn tools(scope: &Scope<'_>) -> Markup {
    let suites = scope.suites().map(|suite| suite[0].id.suite.to_string());
    let mut metrics = BTreeSet::new();
    let mut environments = BTreeSet::new();
    let mut params = BTreeSet::new();
    for bench in &scope.benches {
        for line in &bench.lines {
            metrics.insert(line.series.metric.name.as_str());
            environments.insert(line.environment.as_str());
        }
        params.extend(&bench.id.params);
    }
    let params = params.iter().map(|(key, value)| format!("{key}={value}"));
    html! {
        form #tools hidden role="search" {
            label { "Search" input #q type="search" autocomplete="off" spellcheck="false" placeholder="name or param" aria-keyshortcuts="/"; }
            (choice("suite", "Suite", suites))
            (choice("metric", "Metric", metrics))
            (choice("environment", "Environment", environments))
            (choice("param", "Param", params))
        }
    }
}

/// Returns a choice, where there is one.
fn choice<T: AsRef<str>>(id: &str, label: &str, options: impl IntoIterator<Item = T>) -> Markup {
    let options: Vec<T> = options.into_iter().collect();
    html! {
        @if options.len() > 1 {
            label { (label)
                select #(id) {
                    option value="" { "all" }
                    @for option in &options { option value=(option.as_ref()) { (option.as_ref()) } }
                }
            }
        }
    }
}

/// Returns a benchmark as a card.
pub(super) fn card(scope: &Scope<'_>, bench: &Bench<'_>, root: &str) -> Markup {
    let line = bench.telling();
    html! {
        li.card {
            a href={ (root) (bench.page()) } { (bench.name()) }
            (spark(scope, line))
            p { (latest(line)) " " (last_change(line)) }
        }
    }
}

/// Returns the latest value of a line.
pub(super) fn latest(line: &Line) -> Markup {
    let metric = &line.series.metric;
    html! {
        @if let Some(placed) = line.points.last() {
            span.latest { (figures::value(placed.point.center, &metric.unit)) }
        }
        " " span.metric { (metric.name) }
    }
}

/// Returns the last change of a line, if there was one.
pub(super) fn last_change(line: &Line) -> Markup {
    html! {
        @if let Some(change) = line.changes.last() {
            @let effect = Effect::of(change, line.series.metric.better);
            span.(effect.word()) {
                (figures::arrow(change)) (figures::share(change.shift))
                span.hidden { " " (effect.word()) }
            }
        }
    }
}
