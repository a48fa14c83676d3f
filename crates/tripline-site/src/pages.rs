//! The pages, a file each, and what lies beside them for programs and other pages.

mod badge;
mod bench;
mod changes;
mod compare;
mod csv;
mod data;
mod family;
mod feed;
mod home;
mod listing;
mod numbers;
mod suite;
mod tile;

use crate::Files;
use crate::scope::Scope;
use crate::story;

/// Adds all pages to the files of a site.
pub(crate) fn add(scope: &Scope<'_>, files: &mut Files) {
    let chapters = story::chapters(scope);
    files.insert("index.html".into(), home::page(scope, &chapters));
    files.insert("changes/index.html".into(), changes::page(scope, &chapters));
    files.insert("regressions.xml".into(), feed::feed(scope, &chapters));
    suite::add(scope, files);
    bench::add(scope, files);
    family::add(scope, files);
    compare::add(scope, files);
    data::add(scope, &chapters, files);
    listing::add(scope, files);
}
