//! How a page begins and ends, and where its links lead.
//!
//! A page may load its own styles, scripts and pictures, and nothing else: it says so itself, because whoever hands it out
//! may say nothing. Links name files, not folders: a folder on the disk has no page.

use maud::{DOCTYPE, Markup, html};
use tripline_model::number;

use crate::figures;
use crate::scope::Scope;
use crate::trends::Order;

/// What a page may load. `file:` is what "own" means for a page that was opened from the disk.
const POLICY: &str = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; \
                      base-uri 'none'; form-action 'none'";

/// What stands around a page.
#[derive(Debug)]
pub(crate) struct Shell<'s> {
    /// Its title.
    pub(crate) title: &'s str,
    /// How to get to the root from its folder.
    pub(crate) root: &'s str,
    /// Which entry of the navigation it is.
    pub(crate) here: &'s str,
    /// The script it loads, if any.
    pub(crate) script: Option<&'s str>,
}

/// The pages that every page leads to.
const ENTRIES: &[(&str, &str)] = &[
    ("What changed", "index.html"),
    ("Benchmarks", "index.html#benchmarks"),
    ("Compare", "compare/index.html"),
    ("Data", "data/index.html"),
    ("Feed", "regressions.xml"),
];

impl Shell<'_> {
    /// Returns the whole page.
    pub(crate) fn around(&self, scope: &Scope<'_>, main: &Markup) -> Vec<u8> {
        let root = self.root;
        let project = &scope.about.title;
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (self.title) " \u{b7} " (project) }
                    link rel="icon" href={ (root) "assets/icon.svg" };
                    link rel="stylesheet" href={ (root) "assets/style.css" };
                    link rel="alternate" type="application/atom+xml" title="Regressions" href={ (root) "regressions.xml" };
                    @if let Some(script) = self.script {
                        @if script == "bench.js" { link rel="stylesheet" href={ (root) "assets/bench.css" }; }
                        script src={ (root) "assets/" (script) } defer {}
                    }
                }
                body data-root=(root) {
                    a.skip href="#main" { "Skip to the content" }
                    header.top {
                        div.wide {
                            a.project href={ (root) "index.html" } { (project) }
                            nav aria-label="Pages" {
                                @for (name, place) in ENTRIES {
                                    @let here = (*name == self.here).then_some("page");
                                    a href={ (root) (place) } aria-current=[here] { (name) }
                                }
                            }
                        }
                    }
                    main #main.wide { (main) }
                    footer.bottom { div.wide { (foot(scope, self.root.is_empty())) } }
                }
            }
        };
        page.into_string().into_bytes()
    }
}

/// Says what the pages rest on. Only the first says when they were made: the others stay as they are until what they tell
/// changes.
fn foot(scope: &Scope<'_>, is_first: bool) -> Markup {
    let about = scope.about;
    html! {
        p {
            "Made "
            @if is_first { time datetime=(about.made_at) { (figures::minute(about.made_at)) } " " }
            "by " (about.version) "."
            @if scope.trends.order == Order::Records {
                " There is no repository beside this history: commits stand in the order in which they were made, or \
                 else measured."
            }
            @if about.damaged > 0 {
                " " strong { (number::plural(about.damaged, "damaged file", "damaged files")) " of the history left out." }
            }
        }
    }
}
