//! What a stranger may leave for the publisher: data that lies, swells, or wants to be something else.

use std::io::Write as _;

use fake_github::Side;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::demo::Demo;
use super::scene::{FORK, HOME, Scene, zipped};

/// Two pull requests are open: one of the project's own, and one of a stranger, whose branch is named as ours is.
fn scene() -> (Scene, Side) {
    let scene = Scene::new();
    let root = scene.at("demo");
    let main = Demo::at(&root).head();
    let (ours, theirs) = ("a".repeat(40), "b".repeat(40));
    scene.pull(7, HOME, "tune", &ours, &main);
    scene.pull(8, FORK, "main", &theirs, &main);
    (scene, Side::new(FORK, "main", &theirs))
}

/// A report of somebody else's making: a benchmark, its params, and the value it was.
fn report(bench: &str, params: &str, value: &str) -> String {
    let side =
        r#"{"measured_at":"2026-01-02T03:04:05Z","environment":{"name":"elsewhere","facts":{}}}"#;
    let about = r#"{"unit":"count","better":"lower","nature":"exact"}"#;
    let center = |value: &str| format!(r#"{{"center":{value},"low":1,"high":2,"count":1}}"#);
    let (base, head) = (center(value), center("2"));
    let evidence = format!(
        r#"{{"method":"exact","base":{base},"head":{head},"change":{{"ratio":2,"low":2,"high":2}},"tolerance":{{"relative":0.01,"floor":0}}}}"#
    );
    let finding = format!(
        r#"{{"benchmark":{bench},"params":{params},"metric":"instructions","about":{about},"verdict":"regressed","gate":"fail","evidence":{evidence}}}"#
    );
    let counts = r#"{"regressed":1}"#;
    format!(
        r#"{{"tripline_report":{{"version":1}},"suite":"kv","gate":"fail","counts":{counts},"base":{side},"head":{side},"findings":[{finding}],"failures":[],"caveats":[]}}"#
    ) + "\n"
}

/// An artifact, and what must be said of it.
type Case = (Vec<u8>, &'static str);

/// Publishes each, and fails the test unless each is refused with its words before anything is written.
fn assert_refused(cases: Vec<Case>) {
    let (mut scene, theirs) = scene();
    for (run, (zip, why)) in (900..).zip(cases) {
        let played = scene.published_with(run, &theirs, zip);
        played.job("publish", "failure").said("exit status 4");
        played.said("nothing was published").said(why);
        scene.assert_nothing_was_written();
    }
    scene.assert_contract();
}

/// A zip file that holds a link.
fn link(name: &str, to: &str) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.add_symlink(name, to, options).unwrap();
    zip.finish().unwrap().into_inner()
}

/// A zip file of so many bytes that are not packed.
fn plain(bytes: usize) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let options = options.compression_method(zip::CompressionMethod::Stored);
    zip.start_file("report.jsonl", options).unwrap();
    zip.write_all(&vec![b' '; bytes]).unwrap();
    zip.finish().unwrap().into_inner()
}

/// Says of the only file in a zip file, in both places, that it has nine bytes.
fn understated(mut zip: Vec<u8>) -> Vec<u8> {
    let directory = zip.windows(4).rposition(|mark| mark == b"PK\x01\x02");
    for size in [22, directory.unwrap() + 24] {
        zip[size..size + 4].copy_from_slice(&9_u32.to_le_bytes());
    }
    zip
}

#[test]
fn what_is_no_report_in_a_zip_is_refused_and_nothing_is_written() {
    let good = report("\"get\"", "{}", "1");
    let spaces = vec![b' '; 200 << 20];
    let bomb = zipped(&[("report.jsonl", &spaces)]);
    let cases = [
        (b"PK\x03\x04 is how one begins".to_vec(), "no zip file"),
        (Vec::new(), "no zip file"),
        (
            // Some publishers believe such a number.
            zipped(&[("report.jsonl", good.as_bytes()), ("pr-number", b"7")]),
            "there are 2 entries in it",
        ),
        (
            zipped(&[("report.md", b"# hello")]),
            "is called `report.md`",
        ),
        (
            zipped(&[("../report.jsonl", b"{}")]),
            "leads out of its folder",
        ),
        (
            zipped(&[("/report.jsonl", b"{}")]),
            "leads out of its folder",
        ),
        (link("report.jsonl", "/etc/passwd"), "no regular file"),
        (plain(17 << 20), "is larger than 16777216 bytes"),
        (understated(bomb.clone()), "no zip file as runners make it"),
        (bomb, "is larger than 67108864 bytes"),
    ];
    assert_refused(cases.into());
}

#[test]
fn a_report_that_lies_is_refused_and_nothing_is_written() {
    let with = |text: String| zipped(&[("report.jsonl", text.as_bytes())]);
    let good = report("\"get\"", "{}", "1");
    let numbered = good.replacen('{', "{\"pull_request\":7,", 1);
    let finding = good.find("{\"benchmark\"").unwrap()..good.find("],\"failures\"").unwrap();
    let names = |at: u32| good[finding.clone()].replace("\"get\"", &format!("\"get{at}\""));
    let names: Vec<String> = (0..100_000).map(names).collect();
    let many = good.replace(&good[finding.clone()], &names.join(","));
    let many = many.replace("\"regressed\":1", "\"regressed\":100000");
    let cases = [
        (with("{\"verdict\":\"pass\"}\n".to_owned()), "is no report"),
        (with(good[..good.len() / 2].to_owned()), "is no report"),
        (with(report("\"get\"", "{}", "NaN")), "is no report"),
        (with(report("\"get\"", "{}", "1e999")), "is no report"),
        (with(numbered), "unknown field `pull_request`"),
        (with(many), "100000 findings are too many"),
        (
            with(report("\"get\\u001b[2J\"", "{}", "1")),
            "holds the character U+001B",
        ),
        (
            with(report("\"get\\n::error::x\"", "{}", "1")),
            "holds the character U+000A",
        ),
    ];
    assert_refused(cases.into());
}

#[test]
fn a_size_that_is_not_what_was_said_is_found_out() {
    let (mut scene, theirs) = scene();
    let mut world = scene.fake.world();
    *world = std::mem::take(&mut *world).with_artifact(900, "tripline-report", plain(17 << 20));
    world.artifacts[0].size_in_bytes = 7;
    drop(world);
    let played = scene.published_of(900, &theirs, "success", None);
    played.job("publish", "failure").said("exit status 4");
    played.said("it is larger than 16777216 bytes");
    scene.assert_nothing_was_written();
}

#[test]
fn markup_in_names_is_inert_and_the_number_comes_from_the_event() {
    let (mut scene, theirs) = scene();
    let params = r#"{"why":"@ada <img src=x> [a](http://b) | `#7` ::error::x"}"#;
    let zip = zipped(&[("report.jsonl", report("\"get\"", params, "1").as_bytes())]);
    let played = scene.published_with(900, &theirs, zip);
    // It is shown as code, and the other pull request hears nothing of it.
    played.job("publish", "success");
    assert!(scene.comments(7).is_empty());
    let body = &scene.comments(8)[0].body;
    let mut shown = 0;
    for event in Parser::new_ext(body, Options::ENABLE_TABLES) {
        match event {
            Event::Code(code) => {
                shown += usize::from(
                    code.contains(r"@ada <img src\=x> [a](http://b) | `#7` ::error::x"),
                );
            }
            Event::Html(html) | Event::InlineHtml(html) => assert!(!html.contains("img"), "{body}"),
            Event::Text(text) => assert!(!text.contains("ada"), "{body}"),
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert_ne!(&*dest_url, "http://b", "{body}");
            }
            _ => {}
        }
    }
    assert!(shown > 0, "{body}");
}

#[test]
fn a_branch_named_as_ours_is_still_theirs() {
    let (mut scene, theirs) = scene();
    let zip = zipped(&[("report.jsonl", report("\"get\"", "{}", "1").as_bytes())]);
    // It says it is ours; the pull request that it belongs to is found by who owns the branch.
    let ours = Side::new(HOME, "main", &theirs.sha);
    scene
        .published_with(900, &ours, zip.clone())
        .job("publish", "success");
    scene.assert_nothing_was_written();
    scene
        .published_with(901, &theirs, zip)
        .job("publish", "success");
    assert_eq!(scene.comments(8).len(), 1);
    assert!(scene.comments(7).is_empty());
    scene.assert_contract();
}
