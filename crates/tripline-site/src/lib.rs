//! Makes the trend pages: what got slower, since when, and by how much.
//!
//! The pages are files that any web server can hand out, and that work from the disk as well: nothing is fetched from
//! elsewhere, and what matters can be read without a script. [`site`] is a pure function from [`Trends`] to paths and
//! bytes: which change points there are, where a commit stands and what time it is come in as values.
//!
//! What the pages share is decided once: which changes are told together and in which order (`story`), what a benchmark
//! is called in an address (`slug`), how a line is drawn (`chart`), and how a page begins and ends (`shell`). Markup is
//! made by `maud`, which escapes every text by its type; no text of a history becomes markup, script or address.
//!
//! What scripts need lies in `data/` (`tile`, `listing`), as files that call a function: a page that was opened from the
//! disk may load a script, and may not fetch a file. The scripts themselves are written in TypeScript under `front/`;
//! what is made of them lies under `assets/`, so that building this needs no other tool.
//!
//! Tested by `tests/site`: every page of small histories, odd ones and hostile ones; and in a browser (`front/browser`).

mod assets;
mod chart;
mod figures;
mod pages;
mod scope;
mod shell;
mod slug;
mod story;
mod trends;

use std::collections::BTreeMap;

use scope::Scope;
pub use trends::{
    About, Canary, Change, Commit, Interval, Line, Order, Pairs, Placed, RepositoryPage, Status,
    Tally, Trends,
};

/// The files of a site: paths with `/` between their parts, and what they hold.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Makes all files of the site.
#[must_use]
pub fn site(trends: &Trends, about: &About) -> Files {
    let scope = Scope::new(trends, about);
    let mut files = Files::new();
    assets::add(&mut files);
    pages::add(&scope, &mut files);
    files
}
