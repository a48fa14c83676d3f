//! A page for each suite: all its benchmarks, for whoever looks without a script.

use maud::html;

use super::home::card;
use crate::Files;
use crate::scope::Scope;
use crate::shell::Shell;

/// Adds a page for each suite.
pub(super) fn add(scope: &Scope<'_>, files: &mut Files) {
    for suite in scope.suites() {
        let name = suite[0].id.suite.as_str();
        let main = html! {
            h1 { "Suite " (name) }
            ul.cards { @for bench in suite { (card(scope, bench, "../../")) } }
        };
        let title = ["Suite ", name].concat();
        let shell = Shell {
            title: &title,
            root: "../../",
            here: "Benchmarks",
            script: None,
        };
        files.insert(format!("s/{name}/index.html"), shell.around(scope, &main));
    }
}
