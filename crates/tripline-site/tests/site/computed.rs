//! Metrics that are computed from others, and benchmarks that differ in their params alone.

use serde_json::Value;
use tripline_model::EnvironmentName;
use tripline_site::{Change, Line, Status};

use crate::made_up::computed;
use crate::{files, page_of, text};

#[test]
fn a_ratio_is_drawn_with_its_terms() {
    let files = files(&computed());
    let page = page_of(&files, "store-get-bytes-64-");
    let slug = page.split('/').nth(1).expect("a page is in its folder");
    let drawn = text(&files, &page);
    let terms: Vec<&str> = drawn.split("<figure class=\"term\">").skip(1).collect();
    assert_eq!(terms.len(), 2);
    for (term, threads) in terms.iter().zip(["threads=1", "threads=8"]) {
        assert!(
            term.contains(&format!("store/get{{bytes=64,{threads}}}</a>, throughput")),
            "{term}"
        );
        let link = term
            .split("href=\"../")
            .nth(1)
            .and_then(|link| link.split('#').next());
        assert!(
            files.contains_key(&format!("b/{}", link.expect("it has a link"))),
            "{term}"
        );
        assert!(term.contains("class=\"trace\" d=\"M"), "{term}");
    }
    let tile = text(&files, &format!("data/b/{slug}.js"));
    assert!(
        tile.contains("\"terms\":[[\"store-get-bytes-64-threads-1-"),
        "{tile}"
    );
}

/// A term was measured before and after its ratio could be computed, and the ratio not at every commit.
#[test]
fn a_term_is_drawn_below_the_commits_of_its_ratio() {
    let mut trends = computed();
    for line in &mut trends.lines {
        if !line.terms.is_empty() {
            line.points
                .retain(|placed| (20..50).contains(&placed.place));
            line.changes.clear();
        }
    }
    let files = files(&trends);
    let page = text(&files, &page_of(&files, "store-get-bytes-64-"));
    let ends = |chart: &str| -> Vec<String> {
        let texts = chart.split("<text class=\"tick\"").skip(1);
        let said = texts.filter_map(|text| text.split(['>', '<']).nth(1));
        let said = said.filter(|text| text.contains('\u{b7}'));
        said.map(str::to_owned).collect()
    };
    let charts: Vec<&str> = page.split("<svg class=\"chart\"").skip(1).take(3).collect();
    let of_ratio = ends(charts[0]);
    assert!(of_ratio[0].starts_with(trends.commits[20].id.short()));
    assert!(of_ratio[1].starts_with(trends.commits[49].id.short()));
    for (chart, cuts) in charts[1..].iter().zip([0, 1]) {
        assert_eq!(ends(chart), of_ratio);
        let path = chart.split("class=\"trace\" d=\"M").nth(1).expect("a line");
        let first = path.split(' ').next().expect("an x");
        assert_eq!(first, "84", "it begins where the ratio does");
        // The level of a term changed at the 40th commit, which lies within.
        assert_eq!(chart.matches("class=\"cut\"").count(), cuts);
    }
}

/// Whatever was measured last at another commit is no relative of today's values.
#[test]
fn a_relative_that_is_no_longer_measured_is_not_drawn_and_says_since_when() {
    let mut trends = computed();
    for line in &mut trends.lines {
        let bench = &line.series.bench;
        if bench.to_string() == "store/get{bytes=64,threads=2}" {
            line.points.truncate(55);
        }
    }
    let files = files(&trends);
    let names = files
        .keys()
        .find(|name| name.starts_with("data/f/store-get-"));
    let script = text(&files, names.expect("a family is there"));
    let of = |threads: &str| {
        let begin = format!("[\"store-get-bytes-64-threads-{threads}-");
        let member = script.lines().find(|line| line.contains(&begin));
        member.expect("it is there").to_owned()
    };
    assert!(of("1").contains("throughput"), "{}", of("1"));
    assert!(of("2").contains(",[]]"), "{}", of("2"));
    let page = text(&files, &page_of(&files, "store-get-bytes-64-threads-1-"));
    let day = trends.commits[54].at.to_string();
    let said = format!(" of {}, not measured since", &day[..10]);
    assert_eq!(page.matches(&said).count(), 1, "{page}");
    assert_eq!(page.matches("not measured since").count(), 1, "{page}");
}

/// What was measured elsewhere stands beside the others, and says where; what was measured in both is told of here.
#[test]
fn a_relative_that_was_measured_in_another_environment_says_so() {
    let mut trends = computed();
    let elsewhere = EnvironmentName::new("elsewhere").expect("it is a name");
    let mut also = Vec::new();
    for line in &mut trends.lines {
        match line.series.bench.to_string().as_str() {
            "store/get{bytes=64,threads=2}" => line.environment = elsewhere.clone(),
            "store/get{bytes=4096,threads=2}" => also.push(Line {
                environment: elsewhere.clone(),
                changes: vec![change_at(59)],
                ..line.clone()
            }),
            _ => {}
        }
    }
    trends.lines.extend(also);
    let files = files(&trends);
    let page = text(&files, &page_of(&files, "store-get-bytes-64-threads-1-"));
    let relatives = page.split("id=\"relatives\"").nth(1).expect("it has some");
    assert_eq!(
        relatives.matches(" in elsewhere<").count(),
        1,
        "{relatives}"
    );
    // Of the other way round all others are elsewhere, but one that is here, too.
    let page = text(&files, &page_of(&files, "store-get-bytes-64-threads-2-"));
    let relatives = page.split("id=\"relatives\"").nth(1).expect("it has some");
    let others = relatives.matches(" in debian-12-x86_64<").count();
    assert_eq!(others, 6, "{relatives}");
}

fn change_at(at: usize) -> Change {
    Change {
        at,
        range: at..=at,
        before: 1.0,
        after: 2.0,
        shift: 1.0,
        interval: None,
        status: Status::Pending,
    }
}

#[test]
fn a_family_has_all_its_params_and_latest_values() {
    let trends = computed();
    let files = files(&trends);
    let names = files
        .keys()
        .filter(|name| name.starts_with("data/f/store-get-"));
    let names: Vec<&String> = names.collect();
    assert_eq!(names.len(), 1, "{names:?}");
    let script = text(&files, names[0]);
    let values = script
        .trim_end()
        .trim_start_matches("tripline.family(")
        .trim_end_matches(");");
    let read: Value = serde_json::from_str(&format!("[{values}]")).expect("it is JSON");
    let members = read[0].as_array().expect("it is a list");
    assert_eq!(members.len(), 8);
    for member in members {
        let page = format!("b/{}/index.html", member[0].as_str().expect("it is a slug"));
        assert!(text(&files, &page).contains("data-family="), "{page}");
    }
    // Along each param, what has the others in common is a row; the ratio, which has one param, has a row of its own.
    let at = |bytes: &str, threads: &str| {
        let slug = match threads {
            "" => format!("store-get-bytes-{bytes}-"),
            threads => format!("store-get-bytes-{bytes}-threads-{threads}-"),
        };
        let is_it = |member: &Value| {
            let rest = member[0].as_str().and_then(|it| it.strip_prefix(&slug));
            rest.is_some_and(|rest| rest.len() == 8)
        };
        members.iter().position(is_it).expect("it is there")
    };
    let row = |name: &str, threads: &str| {
        serde_json::json!([name, [0, at("64", threads), 1, at("4096", threads)]])
    };
    assert_eq!(
        read[1][0],
        serde_json::json!([
            "bytes",
            ["64", "4096"],
            [
                row("", ""),
                row("threads=1", "1"),
                row("threads=2", "2"),
                row("threads=8", "8"),
            ]
        ])
    );
    let row = |bytes: &str| {
        let cells = [0, at(bytes, "1"), 1, at(bytes, "2"), 2, at(bytes, "8")];
        serde_json::json!([format!("bytes={bytes}"), cells])
    };
    assert_eq!(
        read[1][1],
        serde_json::json!(["threads", ["1", "2", "8"], [row("64"), row("4096")]])
    );
    let ratio = &members[at("4096", "")];
    assert_eq!(ratio[1][0][0], "degradation");
    let line = trends
        .lines
        .iter()
        .rfind(|line| !line.terms.is_empty())
        .expect("it is there");
    let latest = line.points.last().expect("it has points").point.center;
    assert_eq!(ratio[1][0][2], latest);
}
