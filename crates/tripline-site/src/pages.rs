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

/// Adds all pages to the files of a site. What is about all benchmarks is made beside what is about each.
pub(crate) fn add(scope: &Scope<'_>, files: &mut Files) {
    let chapters = &story::chapters(scope);
    std::thread::scope(|threads| {
        let overview = threads.spawn(|| {
            let mut files = Files::new();
            files.insert("index.html".into(), home::page(scope, chapters));
            files.insert("changes/index.html".into(), changes::page(scope, chapters));
            files.insert("regressions.xml".into(), feed::feed(scope, chapters));
            suite::add(scope, &mut files);
            family::add(scope, &mut files);
            files
        });
        let compared = threads.spawn(|| {
            let mut files = Files::new();
            compare::add(scope, &mut files);
            files
        });
        let data = threads.spawn(|| {
            let mut files = Files::new();
            data::add(scope, chapters, &mut files);
            listing::add(scope, &mut files);
            files
        });
        bench::add(scope, files);
        for made in [overview, compared, data] {
            let made = made.join();
            files.extend(made.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
}
