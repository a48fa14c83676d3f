//! The pages of ordinary, odd and hostile histories.

mod computed;
mod files;
mod hostile;
mod looks;
mod made_up;
mod reach;

use roxmltree::Document;
use tripline_site::{Files, Trends, site};

/// Returns the files of a history.
fn files(trends: &Trends) -> Files {
    site(trends, &made_up::about())
}

/// Returns a file as text.
fn text<'f>(files: &'f Files, path: &str) -> &'f str {
    let bytes = files.get(path).expect(path);
    str::from_utf8(bytes).expect("it is text")
}

/// Returns the path of a benchmark's page whose slug begins so.
fn page_of(files: &Files, slug: &str) -> String {
    let begin = format!("b/{slug}");
    let found = files.keys().find(|path| path.starts_with(&begin));
    found.expect(slug).clone()
}

/// Reads a file as XML, entities of its own not allowed.
fn xml(text: &str) -> Document<'_> {
    Document::parse(text).expect("it is well-formed")
}
