//! Whatever a benchmark is called, it is text on the pages and nothing else.

use proptest::prelude::*;
use tripline_model::{BenchName, CommitSubject};

use crate::made_up::{HOSTILE, Shape, about, bench, commits, line, metric, odd};
use crate::{files, text};
use tripline_site::{Trends, site};

/// Returns the tags of a page, without what stands between them.
fn tags(page: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag ends");
        let name: String = rest[..end]
            .chars()
            .take_while(|c| !c.is_whitespace())
            .collect();
        tags.push(name);
        rest = &rest[end..];
    }
    tags
}

/// Returns the pages of one benchmark of that name.
fn named(name: &str) -> Trends {
    let id = bench("s", name, &[("p", name)]);
    let shape = Shape {
        level: 10.0,
        noise: 0.01,
        steps: &[(4, 1.5)],
        gap: None,
    };
    let mut trends = odd();
    trends.lines = vec![line(&id, &metric("wall_time"), 12, &shape)];
    trends.commits = commits(12);
    for commit in &mut trends.commits {
        commit.subject = CommitSubject::new(name).ok();
    }
    trends
}

#[test]
fn a_hostile_name_adds_no_tag() {
    let plain = site(&named("plain"), &about());
    for name in HOSTILE {
        let hostile = site(&named(name), &about());
        for (path, other) in hostile.iter().filter(|(path, _)| path.ends_with(".html")) {
            let alike = match path.starts_with("b/") {
                true => plain
                    .keys()
                    .find(|path| path.starts_with("b/"))
                    .expect("there is one"),
                false => path,
            };
            let of = |bytes: &[u8]| tags(str::from_utf8(bytes).expect("it is text"));
            assert_eq!(of(&plain[alike]), of(other), "{name} in {path}");
        }
    }
}

#[test]
fn no_page_loads_or_runs_anything_of_others() {
    for (path, bytes) in files(&odd()) {
        if !path.ends_with(".html") {
            continue;
        }
        let page = str::from_utf8(&bytes).expect("it is text");
        assert!(page.contains("default-src 'none'"), "{path} has a policy");
        let has = |what: &str| page.contains(what);
        assert!(
            !has(" style=") && !has("<style") && !has(" onerror=\"") && !has("<img"),
            "{path}"
        );
        for (at, _) in page.match_indices("<script") {
            let tag = page[at..].split("</script>").next().expect("it ends");
            assert!(
                tag.contains(" src=\"") && tag.ends_with('>'),
                "{path}: {tag}"
            );
        }
        for attribute in ["src=\"http", "<link rel=\"stylesheet\" href=\"http"] {
            assert!(!has(attribute), "{path}");
        }
    }
}

#[test]
fn scripts_of_data_call_one_function_with_values() {
    for (path, bytes) in files(&odd()) {
        if path.starts_with("data/") && path.ends_with(".js") {
            let script = str::from_utf8(&bytes).expect("it is text");
            let values = script
                .strip_prefix("tripline.")
                .and_then(|rest| rest.split_once('('));
            let (_, values) = values.unwrap_or_else(|| panic!("{path} is a call"));
            let values = values.strip_suffix(");\n").expect("the call ends");
            let values: serde_json::Result<serde_json::Value> =
                serde_json::from_str(&format!("[{values}]"));
            values.unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(!script.contains('<'), "{path} ends no script");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_name_is_shown_and_inert(name in "\\PC{1,40}") {
        prop_assume!(BenchName::new(&name).is_ok());
        let hostile = site(&named(&name), &about());
        let plain = site(&named("plain"), &about());
        let home = |files| tags(text(files, "index.html"));
        prop_assert_eq!(home(&plain), home(&hostile));
    }
}
