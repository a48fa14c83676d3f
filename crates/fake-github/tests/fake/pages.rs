//! Lists come in pages, and links lead from one to the next.

use fake_github::Fake;
use serde_json::Value;

use crate::client::{Client, world};

fn fake(comments: usize) -> Fake {
    let mut world = world();
    for at in 0..comments {
        world.add_comment(7, "rae", &format!("{at}"));
    }
    Fake::start(world)
}

fn bodies(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap().iter();
    list.map(|comment| comment["body"].as_str().unwrap())
        .collect()
}

#[test]
fn links_lead_through_all_of_it() {
    let fake = fake(250);
    let bot = Client::new(&fake, "t-read");
    let mut seen = Vec::new();
    let mut next = Some("/issues/7/comments?per_page=100".to_owned());
    while let Some(address) = next {
        let page = bot.get(&address);
        assert_eq!(page.status, 200);
        seen.extend(bodies(&page.body).into_iter().map(str::to_owned));
        next = page.link("next");
    }
    let wanted: Vec<String> = (0..250).map(|at| at.to_string()).collect();
    assert_eq!(seen, wanted);
    let asked: Vec<String> = fake.seen().into_iter().map(|seen| seen.path).collect();
    assert_eq!(asked, ["/repos/acme/demo/issues/7/comments"; 3]);
    // GitHub names repositories by number in links: they are to be followed, not put together.
    assert!(fake.seen()[1].sent_path.starts_with("/repositories/"));
    assert_eq!(fake.violations(), [""; 0]);
}

#[test]
fn pages_have_a_size() {
    let fake = fake(120);
    let bot = Client::new(&fake, "t-read");
    let size = |query: &str| {
        let page = bot.get(&format!("/issues/7/comments{query}"));
        bodies(&page.body).len()
    };
    assert_eq!(size(""), 30);
    assert_eq!(size("?per_page=7"), 7);
    assert_eq!(size("?per_page=100"), 100);
    assert_eq!(size("?per_page=1000"), 100);
    assert_eq!(size("?per_page=0"), 30);
    assert_eq!(size("?per_page=100&page=2"), 20);
    assert_eq!(size("?per_page=100&page=3"), 0);
}

#[test]
fn links_say_where_one_is() {
    let fake = fake(50);
    let bot = Client::new(&fake, "t-read");
    let relations = |query: &str| {
        let page = bot.get(&format!("/issues/7/comments?per_page=20{query}"));
        ["prev", "next", "last", "first"].map(|relation| {
            let link = page.link(relation)?;
            let (_, number) = link.rsplit_once("page=")?;
            number.parse::<u32>().ok()
        })
    };
    assert_eq!(relations(""), [None, Some(2), Some(3), None]);
    assert_eq!(relations("&page=2"), [Some(1), Some(3), Some(3), Some(1)]);
    assert_eq!(relations("&page=3"), [Some(2), None, None, Some(1)]);
    let whole = bot.get("/issues/7/comments?per_page=50");
    assert_eq!(whole.header("link"), None);
}

#[test]
fn an_enterprise_host_has_a_path_before_all_of_it() {
    let fake = fake(3);
    let base = format!("{}/api/v3", fake.url());
    let bot = Client::at(&base, Some("t-read"));
    let first = bot.get("/issues/7/comments?per_page=2");
    let next = first.link("next").unwrap();
    assert!(next.starts_with(&format!("{base}/repositories/")), "{next}");
    assert_eq!(bodies(&bot.get(&next).body), ["2"]);
    let url = first.body[0]["url"].as_str().unwrap();
    assert!(
        url.starts_with(&format!("{base}/repos/acme/demo/issues/comments/")),
        "{url}"
    );
    let seen = fake.seen();
    assert_eq!(seen[0].path, "/repos/acme/demo/issues/7/comments");
    assert_eq!(
        seen[0].sent_path,
        "/api/v3/repos/acme/demo/issues/7/comments"
    );
}
