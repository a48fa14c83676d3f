//! What is told, and how it reads.

use tripline_site::{Order, Tally, site};

use crate::made_up::{about, large, odd, ordinary};
use crate::{files, page_of, text};

/// Returns what a reader sees of a page: its text without tags, a line for each element that begins one.
fn seen(page: &str) -> String {
    let main = page.split("<main").nth(1).expect("there is a main part");
    let main = main.split("</main>").next().expect("it ends");
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in main.split('<') {
        let (tag, words) = piece.split_once('>').unwrap_or(("", ""));
        let name = tag.split_whitespace().next().unwrap_or_default();
        if [
            "h1", "h2", "h3", "li", "p", "tr", "dt", "section", "caption",
        ]
        .contains(&name)
        {
            lines.push(std::mem::take(&mut line));
        }
        if ["td", "th", "dd"].contains(&name) {
            line.push_str(" | ");
        }
        line.push_str(words);
    }
    lines.push(line);
    let lines = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n").replace("&gt;", ">")
}

/// What the first page says of the canary.
fn canary(tally: Option<Tally>) -> Vec<String> {
    let mut about = about();
    about.canary.as_mut().expect("it has sung").tally = tally;
    let files = site(&ordinary(), &about);
    let home = seen(text(&files, "index.html"));
    let lines = home.lines().skip_while(|line| !line.starts_with("canary"));
    lines.skip(1).take(2).map(str::to_owned).collect()
}

#[test]
fn what_was_never_counted_of_the_canary_is_no_zero() {
    let unknown = [
        "its false alarms | not known",
        "slowdowns it missed | not known",
    ];
    assert_eq!(canary(None), unknown);
    assert_eq!(canary(Some(Tally::default())), unknown);
    let tally = Tally {
        runs: 1,
        equal: 7,
        false_alarms: 2,
        ..Tally::default()
    };
    assert_eq!(
        canary(Some(tally)),
        [
            "its false alarms | 2 of 7in 1 run",
            "slowdowns it missed | not known"
        ]
    );
}

#[test]
fn the_first_page_tells_what_changed() {
    let files = files(&ordinary());
    insta::assert_snapshot!("home", seen(text(&files, "index.html")));
}

#[test]
fn a_benchmarks_page_tells_its_story() {
    let files = files(&ordinary());
    let page = page_of(&files, "log-append");
    let seen = seen(text(&files, &page));
    let lines: Vec<&str> = seen.lines().take(24).collect();
    insta::assert_snapshot!("append", lines.join("\n"));
}

#[test]
fn what_is_one_is_not_many() {
    let story = |count| {
        let mut trends = odd();
        trends.lines.truncate(1);
        trends.lines[0].points.truncate(count);
        trends.lines[0].changes.clear();
        let files = files(&trends);
        let page = page_of(&files, "");
        seen(text(&files, &page))
    };
    for (count, said) in [(1, "in 1 value."), (2, "in 2 values.")] {
        let story = story(count);
        let said = format!("no change of level {said}");
        assert!(story.contains(&said), "{story}");
    }
}

#[test]
fn nothing_is_drawn_across_a_gap() {
    let files = files(&ordinary());
    let stretches = |slug: &str| {
        let page = text(&files, &page_of(&files, slug));
        let figure = page.split("id=\"m=wall_time").nth(1);
        let figure = figure.expect("there is a figure");
        let path = figure.split("class=\"trace\" d=\"").nth(1);
        let path = path.and_then(|path| path.split('"').next());
        path.expect("there is a line").matches('M').count()
    };
    assert_eq!(stretches("log-seek"), 2, "one before the gap, one after");
    assert_eq!(stretches("log-append"), 1);
}

#[test]
fn where_nothing_says_how_commits_follow_each_other_the_pages_say_so() {
    let by_records = files(&odd());
    assert!(text(&by_records, "index.html").contains("no repository beside this history"));
    let mut trends = odd();
    trends.order = Order::FirstParent;
    let by_parents = files(&trends);
    assert!(!text(&by_parents, "index.html").contains("no repository beside this history"));
}

#[test]
fn a_page_says_how_small_a_change_its_values_show() {
    let files = files(&ordinary());
    let said = "Smallest change that a single run shows here: 18.30 %.";
    let page = |slug| text(&files, &page_of(&files, slug)).matches(said).count();
    assert_eq!((page("log-append"), page("log-seek")), (1, 0));
}

#[test]
fn an_empty_history_says_that_it_is() {
    let mut trends = odd();
    trends.lines.clear();
    trends.commits.clear();
    let files = files(&trends);
    assert!(text(&files, "index.html").contains("There is no history yet."));
}

#[test]
fn no_coordinate_is_no_number() {
    for trends in [odd(), large(3, 8, 300)] {
        for (path, bytes) in files(&trends) {
            let page = String::from_utf8_lossy(&bytes);
            if path.ends_with(".html") || path.ends_with(".svg") {
                assert!(!page.contains("NaN") && !page.contains("inf\""), "{path}");
            }
        }
    }
}
