//! The regressions as an Atom feed, newest first.

use maud::{Markup, PreEscaped, html};

use crate::figures::{self, Effect};
use crate::scope::Scope;
use crate::story::{Chapter, Event};

/// The most entries of the feed.
const ENTRIES_MAX: usize = 100;

/// Returns the feed. Its entries are named after what they tell, so that a page made anew tells nothing twice.
pub(super) fn feed(scope: &Scope<'_>, chapters: &[Chapter<'_, '_>]) -> Vec<u8> {
    let about = scope.about;
    let events = chapters.iter().flat_map(|chapter| {
        let worse = chapter
            .events
            .iter()
            .filter(|event| event.main.effect() == Effect::Worse);
        worse.map(move |event| (chapter.place, event))
    });
    let entries: Vec<(usize, &Event<'_, '_>)> = events.take(ENTRIES_MAX).collect();
    // A feed that tells nothing has not changed since the history began, whenever it is made.
    let latest = entries.first().map(|(place, _)| scope.commit(*place));
    let commit = latest.or(scope.trends.commits.first());
    let updated = commit.map_or(about.made_at, |commit| commit.at);
    let markup = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"))
        feed xmlns="http://www.w3.org/2005/Atom" {
            title { "Regressions of " (about.title) }
            id { "urn:tripline:regressions:" (escaped(&about.title)) }
            updated { (updated) }
            generator { (about.version) }
            author { name { (about.title) } }
            @for (place, event) in &entries { (entry(scope, *place, event)) }
        }
    };
    markup.into_string().into_bytes()
}

fn entry(scope: &Scope<'_>, place: usize, event: &Event<'_, '_>) -> Markup {
    let main = &event.main;
    let metric = &main.line.series.metric;
    let commit = scope.commit(place);
    let size = figures::share(main.change.shift);
    let before = figures::value(main.change.before, &metric.unit);
    let after = figures::value(main.change.after, &metric.unit);
    html! {
        entry {
            title { (event.bench.id) " " (size) " (" (metric.name) ")" }
            id { "urn:tripline:regression:" (event.bench.slug) ":" (metric.name) ":" (main.line.environment) ":" (commit.id) }
            updated { (commit.at) }
            link rel="alternate" href=(event.bench.page()) {}
            summary {
                (metric.name) " " (before) " \u{2192} " (after) " in " (main.line.environment)
                " since " (commit.id.short())
                @if let Some(subject) = &commit.subject { ": " (subject) }
                ". " (main.standing().word()) ": " (main.standing().meaning()) "."
            }
        }
    }
}

/// Returns a text with all but letters and digits replaced, for a name.
fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}
