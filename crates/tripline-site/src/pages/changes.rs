//! What changed, commit by commit; on the first page the newest of it, on a page of its own all of it.

use maud::{Markup, html};

use crate::chart::spark;
use crate::figures::{self, Effect};
use crate::scope::Scope;
use crate::shell::Shell;
use crate::story::{Chapter, Event, Moved, Standing};
use crate::trends::Order;

/// The most events that one page tells.
const EVENTS_MAX: usize = 2_000;

/// The most metrics that are named beside the one that is told.
const OTHERS_MAX: usize = 4;

/// Returns the page of all that changed.
pub(super) fn page(scope: &Scope<'_>, chapters: &[Chapter<'_, '_>]) -> Vec<u8> {
    let mut left = EVENTS_MAX;
    let told: Vec<&Chapter<'_, '_>> = chapters
        .iter()
        .take_while(|chapter| {
            let fits = left > 0;
            left = left.saturating_sub(chapter.events.len());
            fits
        })
        .collect();
    let main = html! {
        h1 { "All changes of level" }
        p.lead { "Newest commit first. A change counts when the level moved, not when one value did." }
        @if told.is_empty() { p { "Nothing changed yet." } }
        @for chapter in &told { (section(scope, chapter, chapter.events.len(), "../")) }
        @if told.len() < chapters.len() {
            p { "What is older stands in " a href="../data/changes.csv" { "changes.csv" } "." }
        }
    };
    let shell = Shell {
        title: "All changes of level",
        root: "../",
        here: "What changed",
        script: None,
    };
    shell.around(scope, &main)
}

/// Returns what happened at one commit, up to so many events.
pub(super) fn section(
    scope: &Scope<'_>,
    chapter: &Chapter<'_, '_>,
    count: usize,
    root: &str,
) -> Markup {
    let commit = scope.commit(chapter.place);
    let id = format!("c-{}", commit.id.short());
    let left = chapter.events.len().saturating_sub(count);
    html! {
        section.chapter #(id) aria-labelledby={ (id) "-title" } {
            header {
                h3 id={ (id) "-title" } {
                    (link_to_commit(scope, chapter.place))
                    @if let Some(subject) = &commit.subject { " " span.subject { (subject) } }
                }
                p.when {
                    time datetime=(commit.at) { (figures::day(commit.at)) }
                    " \u{b7} " (distance(scope, chapter.place))
                    " \u{b7} " (counts(chapter))
                }
            }
            ul.events { @for event in chapter.events.iter().take(count) { (row(scope, event, root)) } }
            @if left > 0 {
                p.more { a href={ (root) "changes/index.html#" (id) } { "and " (left) " more of this commit" } }
            }
        }
    }
}

/// Says how far back a commit is.
fn distance(scope: &Scope<'_>, place: usize) -> String {
    let latest = scope.latest().map_or(0, |commit| commit.height);
    let behind = latest.saturating_sub(scope.commit(place).height);
    let kind = match scope.trends.order {
        Order::FirstParent => "commit",
        Order::Records => "measured commit",
    };
    match behind {
        0 => "the latest commit".to_owned(),
        1 => format!("1 {kind} ago"),
        many => format!("{many} {kind}s ago"),
    }
}

/// Says how many benchmarks got worse and better.
fn counts(chapter: &Chapter<'_, '_>) -> String {
    let of = |effect| {
        let events = chapter.events.iter();
        events.filter(|event| event.main.effect() == effect).count()
    };
    let said = [Effect::Worse, Effect::Better, Effect::Moved]
        .map(|effect| (of(effect), effect.word()))
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"));
    said.collect::<Vec<_>>().join(", ")
}

/// Returns a commit as a link to where its repository is shown.
pub(super) fn link_to_commit(scope: &Scope<'_>, place: usize) -> Markup {
    let id = &scope.commit(place).id;
    html! {
        @match &scope.about.repository {
            Some(repository) => a.commit href=(repository.commit(id)) rel="noreferrer" { (id.short()) },
            None => code.commit { (id.short()) },
        }
    }
}

fn row(scope: &Scope<'_>, event: &Event<'_, '_>, root: &str) -> Markup {
    let main = &event.main;
    let line = main.line;
    let metric = &line.series.metric;
    let effect = main.effect();
    let href = format!(
        "{root}{}#m={}&e={}",
        event.bench.page(),
        metric.name,
        line.environment
    );
    html! {
        li.event.(effect.word()).faded[main.standing() == Standing::Reverted] {
            p.size.(effect.word()) {
                span aria-hidden="true" { (figures::arrow(main.change)) }
                (figures::share(main.change.shift))
                span.hidden { " " (effect.word()) }
            }
            p.what {
                a href=(href) { (event.bench.id) }
                span.metric { (metric.name) " \u{b7} " (line.environment) }
            }
            p.levels {
                span { (figures::value(main.change.before, &metric.unit)) }
                " \u{2192} "
                strong { (figures::value(main.change.after, &metric.unit)) }
                @if let Some(interval) = main.change.interval {
                    span.interval { (figures::interval(interval)) }
                }
            }
            div.trace-cell { (spark(scope, line)) }
            p.standing { (standing(main)) (suspects(scope, main)) }
            @if !event.others.is_empty() { p.others { "also " (others(event)) } }
        }
    }
}

/// Says what became of a change.
pub(super) fn standing(moved: &Moved<'_>) -> Markup {
    let standing = moved.standing();
    html! {
        span.badge.(standing.word()) title=(standing.meaning()) { (standing.word()) }
        @if let Standing::Accepted(acceptance) = standing {
            span.reason { " by " (acceptance.who) ": " (acceptance.because) }
        }
    }
}

/// Names the commits that may have done it, where they are more than one.
pub(super) fn suspects(scope: &Scope<'_>, moved: &Moved<'_>) -> Markup {
    let (innocent, last) = moved.suspects();
    let Some(innocent) = innocent else {
        return html! {};
    };
    let (before, after) = (scope.commit(innocent), scope.commit(last));
    let commits = after.height.saturating_sub(before.height);
    if commits <= 1 {
        return html! {};
    }
    let text = format!("{}\u{2026}{}", before.id.short(), after.id.short());
    html! {
        span.suspects {
            "one of " (commits) " commits, "
            @match &scope.about.repository {
                Some(repository) => a href=(repository.compare(&before.id, &after.id)) rel="noreferrer" { (text) },
                None => code { (text) },
            }
        }
    }
}

fn others(event: &Event<'_, '_>) -> Markup {
    let left = event.others.len().saturating_sub(OTHERS_MAX);
    html! {
        @for (index, other) in event.others.iter().take(OTHERS_MAX).enumerate() {
            @if index > 0 { ", " }
            (other.line.series.metric.name) " "
            span.(other.effect().word()) { (figures::share(other.change.shift)) }
        }
        @if left > 0 { ", and " (left) " more" }
    }
}
