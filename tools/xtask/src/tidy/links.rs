//! Links between our documents lead somewhere.
//!
//! Docs that name files rot first, so a relative link is checked as the reader's browser would follow it on the hosting
//! site: file or folder in the tree, and a heading for what stands after `#`. Addresses elsewhere are not visited: no
//! rule may depend on the network. What tools recorded (fixtures, snapshots) is not ours to mend.
//!
//! Tested on two small pages that link to each other, rightly and wrongly.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::{Complaint, Rule};
use crate::tree::{Tree, is_recorded};

pub(super) static RULE: Rule = Rule {
    name: "links",
    about: "Relative links in Markdown lead to a file and heading that exist, and a page has one title.",
    check,
};

/// What one page says about itself and others.
#[derive(Default)]
struct Page {
    titles: Vec<usize>,
    anchors: BTreeSet<String>,
    links: Vec<(usize, String)>,
}

fn check(tree: &Tree) -> Vec<Complaint> {
    let texts = tree
        .texts()
        .filter(|(path, _)| path.ends_with(".md") && !is_recorded(path));
    let pages: BTreeMap<&str, Page> = texts.map(|(path, text)| (path, read(text))).collect();
    let mut complaints = Vec::new();
    for (path, page) in &pages {
        for (line, link) in &page.links {
            if let Some(what) = fault(tree, &pages, path, link) {
                let instead = "link to what is there, or write the full address";
                complaints.push(Complaint::new(
                    path,
                    *line,
                    format!("link `{link}` {what}"),
                    instead,
                ));
            }
        }
        // Front matter or a comment first: the page is a form or a part of another one, and has no title of its own.
        let text = tree.text(path).unwrap_or("").trim_start();
        if text.is_empty() || text.starts_with("---\n") || text.starts_with("<!--") {
            continue;
        }
        if page.titles.is_empty() {
            complaints.push(Complaint::new(
                path,
                1,
                "has no title",
                "start with one `# Title`",
            ));
        }
        complaints.extend(page.titles.iter().skip(1).map(|line| {
            Complaint::new(
                path,
                *line,
                "is a second title",
                "use `##`: a page has one `#`",
            )
        }));
    }
    complaints
}

fn read(text: &str) -> Page {
    let mut page = Page::default();
    let mut heading: Option<String> = None;
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let line = text[..range.start].matches('\n').count() + 1;
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some(String::new());
                if level == HeadingLevel::H1 {
                    page.titles.push(line);
                }
            }
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&heading.take().unwrap_or_default());
                let again = (1..).map(|count| format!("{slug}-{count}"));
                let free = [slug.clone()]
                    .into_iter()
                    .chain(again)
                    .find(|slug| !page.anchors.contains(slug));
                page.anchors.extend(free);
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push((line, dest_url.to_string()));
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let links = attributes(&html, &["href", "src"])
                    .into_iter()
                    .map(|link| (line, link));
                page.links.extend(links);
                page.anchors.extend(attributes(&html, &["id", "name"]));
            }
            _ => {}
        }
    }
    page
}

/// Returns the anchor that the hosting site gives a heading.
fn slug(heading: &str) -> String {
    let kept = heading
        .trim()
        .chars()
        .filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.flat_map(char::to_lowercase)
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

/// Returns the values of some attributes in a piece of HTML.
fn attributes(html: &str, names: &[&str]) -> Vec<String> {
    let mut values = Vec::new();
    for name in names {
        let start = format!(" {name}=\"");
        for (at, _) in html.match_indices(&start) {
            let value = &html[at + start.len()..];
            values.extend(value.find('"').map(|end| value[..end].to_owned()));
        }
    }
    values
}

/// Returns what is wrong with a link on the page `from`.
fn fault(tree: &Tree, pages: &BTreeMap<&str, Page>, from: &str, link: &str) -> Option<String> {
    let has_scheme = link
        .split_once(':')
        .is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()));
    if has_scheme || link.starts_with("//") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let file = file
        .split_once('?')
        .map_or(file, |(file, _)| file)
        .replace("%20", " ");
    let Some(target) = target(from, &file) else {
        return Some("leads out of the repository".to_owned());
    };
    if !tree.has_file(&target) && !tree.has_folder(&target) {
        return Some(format!("leads to `{target}`, which does not exist"));
    }
    if anchor.is_empty() {
        return None;
    }
    let Some(page) = pages.get(target.as_str()) else {
        return (!is_line(tree.text(&target)?, anchor))
            .then(|| format!("names `{anchor}`, which `{target}` does not have"));
    };
    (!page.anchors.contains(anchor))
        .then(|| format!("names the heading `{anchor}`, which `{target}` does not have"))
}

/// Returns the path a link leads to, or nothing where it leads above the root.
fn target(from: &str, link: &str) -> Option<String> {
    if link.is_empty() {
        return Some(from.to_owned());
    }
    let mut parts: Vec<&str> = if link.starts_with('/') {
        Vec::new()
    } else {
        from.split('/').collect()
    };
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Tells whether an anchor such as `L10` or `L10-L20` names lines that a file has.
fn is_line(text: &str, anchor: &str) -> bool {
    let lines = text.lines().count();
    let number = |part: &str| part.strip_prefix('L')?.parse::<usize>().ok();
    anchor
        .split('-')
        .all(|part| number(part).is_some_and(|line| (1..=lines).contains(&line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{assert_kept, complaints};

    #[test]
    fn the_tree_keeps_it() {
        assert_kept(&RULE);
    }

    const METHOD: &str =
        "# How\n\n## A `verdict`, reached\n\n## Twice\n\n## Twice\n\n<a id=\"place\"></a>\n";

    fn check_page(text: &str) -> Vec<String> {
        complaints(
            &RULE,
            &[
                ("docs/METHOD.md", METHOD),
                ("docs/a.rs", "a\nb\n"),
                ("docs/page.md", text),
            ],
        )
    }

    #[test]
    fn right_links_are_fine() {
        let page = "# Page\n\n[a](METHOD.md) [b](../docs/METHOD.md#a-verdict-reached) [c](#page) [d](METHOD.md#twice-1) [e](..)\n\
                    [f](METHOD.md#place) [g](/docs/a.rs#L2) [h](https://example.org/x.md#y) [i](mailto:a@example.org) <https://example.org>\n\
                    ![j](a.rs) <img src=\"a.rs\">\n\n    [code](nowhere.md)\n\n```\n[code](nowhere.md)\n```\n";
        assert_eq!(check_page(page), [""; 0]);
    }

    #[test]
    fn catches_links_to_nowhere() {
        let page = "# Page\n\n[a](METHODS.md)\n[b](METHOD.md#verdict)\n[c](#none)\n[d](../../issues)\n[e](a.rs#L3)\n[f][f]\n<img src=\"g.svg\">\n\n[f]: f.md\n";
        let wanted = [
            "3: link `METHODS.md` leads to `docs/METHODS.md`, which does not exist",
            "4: link `METHOD.md#verdict` names the heading `verdict`, which `docs/METHOD.md` does not have",
            "5: link `#none` names the heading `none`, which `docs/page.md` does not have",
            "6: link `../../issues` leads out of the repository",
            "7: link `a.rs#L3` names `L3`, which `docs/a.rs` does not have",
            "8: link `f.md` leads to `docs/f.md`, which does not exist",
            "9: link `g.svg` leads to `docs/g.svg`, which does not exist",
        ];
        assert_eq!(
            check_page(page),
            wanted.map(|line| format!("docs/page.md:{line}"))
        );
    }

    #[test]
    fn catches_a_page_without_a_title_or_with_two() {
        assert_eq!(check_page("Text.\n"), ["docs/page.md:1: has no title"]);
        assert_eq!(
            check_page("# A\n\n# B\n"),
            ["docs/page.md:3: is a second title"]
        );
        assert_eq!(check_page("---\nname: Bug\n---\nText.\n"), [""; 0]);
    }

    #[test]
    fn recorded_pages_are_left_alone() {
        assert_eq!(
            complaints(
                &RULE,
                &[
                    ("a/snapshots/b.md", "[a](b)"),
                    ("a/fixtures/b.md", "[a](b)")
                ]
            ),
            [""; 0]
        );
    }
}
