//! Which files there are, and that they fit together.

use std::collections::BTreeSet;

use tripline_site::Trends;

use crate::made_up::{about, commits, large, odd, ordinary};
use crate::{files, page_of, text, xml};

/// Returns the addresses in a page that are of its own site, as paths from the root.
fn links(page: &str, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for attribute in [" href=\"", " src=\""] {
        for (at, _) in text.match_indices(attribute) {
            let address = text[at + attribute.len()..]
                .split('"')
                .next()
                .expect("it ends");
            let address = address.split('#').next().expect("a beginning is there");
            if address.is_empty() || address.starts_with("https://github.com/acme/store/") {
                continue;
            }
            let mut parts: Vec<&str> = page.split('/').collect();
            parts.pop();
            for part in address.split('/') {
                match part {
                    ".." => drop(parts.pop().expect("it stays within the site")),
                    part => parts.push(part),
                }
            }
            found.insert(parts.join("/"));
        }
    }
    found
}

#[test]
fn every_link_leads_to_a_file_that_is_there() {
    for trends in [ordinary(), odd(), large(500, 2, 20)] {
        let files = files(&trends);
        for (path, bytes) in &files {
            if path.ends_with(".html") {
                for link in links(path, str::from_utf8(bytes).expect("it is text")) {
                    assert!(files.contains_key(&link), "{path} links to {link}");
                }
            }
        }
    }
}

/// So one commit changes few files, and none does none; a history in which nothing got worse is no exception.
#[test]
fn only_the_first_page_says_when_it_was_made() {
    let mut calm = ordinary();
    for line in &mut calm.lines {
        line.changes.clear();
    }
    for trends in [ordinary(), odd(), calm] {
        let mut later = about();
        later.made_at = commits(1)[0].at;
        let first = files(&trends);
        let second = tripline_site::site(&trends, &later);
        let others = first
            .iter()
            .filter(|(path, bytes)| second[*path] != **bytes);
        let others: Vec<&str> = others.map(|(path, _)| path.as_str()).collect();
        assert_eq!(others, ["index.html"]);
    }
}

#[test]
fn every_page_is_reached_without_a_script() {
    let files = files(&large(500, 2, 20));
    let mut reached = BTreeSet::from(["index.html".to_owned()]);
    let mut next = vec!["index.html".to_owned()];
    while let Some(path) = next.pop() {
        for link in links(&path, text(&files, &path)) {
            if link.ends_with(".html") && reached.insert(link.clone()) {
                next.push(link);
            }
        }
    }
    let pages: BTreeSet<String> = files
        .keys()
        .filter(|path| path.ends_with(".html"))
        .cloned()
        .collect();
    assert_eq!(reached, pages);
}

#[test]
fn pages_are_a_function_of_the_history() {
    assert_eq!(files(&ordinary()), files(&ordinary()));
    let mut backwards = ordinary();
    backwards.lines.reverse();
    let (one, other) = (files(&ordinary()), files(&backwards));
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>()
    );
    for path in one.keys() {
        assert_eq!(text(&one, path), text(&other, path), "{path}");
    }
}

#[test]
fn a_new_commit_changes_no_file_of_what_was_not_measured() {
    let mut trends = ordinary();
    let before = files(&trends);
    let page = page_of(&before, "log-seek");
    for line in &mut trends.lines {
        if line.series.bench.suite.as_str() == "store" {
            line.points.pop();
        }
    }
    let after = files(&trends);
    assert_eq!(before[&page], after[&page]);
    assert_ne!(before["index.html"], after["index.html"]);
}

#[test]
fn a_chart_marks_no_change_of_the_environment_that_matters_to_nothing() {
    let marks = |trends: &Trends| {
        let files = files(trends);
        let tiles = files.iter().filter(|(path, _)| path.ends_with(".js"));
        let all: Vec<String> = tiles
            .map(|(path, _)| text(&files, path).to_owned())
            .collect();
        assert!(!all.is_empty());
        let of = |tile: &String| tile.matches("\"facts\":[[").count();
        all.iter().map(of).sum::<usize>()
    };
    let mut trends = ordinary();
    assert!(marks(&trends) > 0);
    let before = trends.environments[0].clone();
    trends.environments[1] = before;
    let after = &mut trends.environments[1];
    after.state_text("imported_updated", "1").unwrap();
    assert_eq!(marks(&trends), 0);
}

#[test]
fn pictures_and_feed_are_well_formed() {
    for trends in [ordinary(), odd()] {
        for (path, bytes) in files(&trends) {
            if path.ends_with(".svg") || path.ends_with(".xml") {
                xml(str::from_utf8(&bytes).expect("it is text"));
            }
        }
    }
}

#[test]
fn the_feed_tells_what_got_worse_newest_first() {
    let files = files(&ordinary());
    let feed = xml(text(&files, "regressions.xml"));
    let titles: Vec<String> = feed
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "entry")))
        .filter_map(|entry| {
            entry
                .children()
                .find(|child| child.tag_name().name() == "title")
        })
        .filter_map(|title| Some(title.text()?.to_owned()))
        .collect();
    assert_eq!(
        titles,
        [
            "store/get{bytes=4096,threads=1} +12.40 % (instructions)",
            "store/set{bytes=16,threads=1} +5.20 % (instructions)",
            "store/set{bytes=4096,threads=1} +5.20 % (instructions)",
            "store/set{bytes=256,threads=1} +3.70 % (instructions)",
            "store/set{bytes=256,threads=1} +6.00 % (instructions)",
            "log/append +31.00 % (wall_time)",
        ]
    );
    let ids: BTreeSet<&str> = feed
        .descendants()
        .filter(|node| node.tag_name().name() == "id")
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(
        ids.len(),
        titles.len() + 1,
        "every entry has an id of its own"
    );
}
