//! Metrics that are computed from others, and benchmarks that differ in their params alone.

use serde_json::Value;

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
    assert_eq!(read[0], serde_json::json!(["bytes", "threads"]));
    let members = read[1].as_array().expect("it is a list");
    assert_eq!(members.len(), 8);
    for member in members {
        let page = format!("b/{}/index.html", member[0].as_str().expect("it is a slug"));
        assert!(text(&files, &page).contains("data-family="), "{page}");
    }
    let is_ratio = |member: &&Value| member[1] == serde_json::json!(["4096", ""]);
    let ratio = members.iter().find(is_ratio).expect("it is there");
    assert_eq!(ratio[2][0][0], "degradation");
    let line = trends
        .lines
        .iter()
        .rfind(|line| !line.terms.is_empty())
        .expect("it is there");
    let latest = line.points.last().expect("it has points").point.center;
    assert_eq!(ratio[2][0][2], latest);
}
