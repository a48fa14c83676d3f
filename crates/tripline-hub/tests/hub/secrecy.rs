//! The token is in the header of requests to GitHub, and nowhere else: not in what we say, nor in what others could read.

use fake_github::FaultKind;
use tripline_hub::artifact::{self, Wanted};
use tripline_hub::check::{self, Check, Conclusion};
use tripline_hub::issue::{self, Reaction};
use tripline_hub::pulls;
use tripline_hub::{Address, Client, RunId, Token, comment};

use crate::comment::comment;
use crate::support::{
    HEAD, HOME, Hub, Scripted, TOKEN, answer, clock, deflated, run_of, settings, told, world,
};

/// Keeps everything that was said.
#[derive(Default)]
struct Said(String);

impl Said {
    fn hear<T: std::fmt::Debug, E: std::error::Error>(&mut self, result: Result<T, E>) {
        let words = match result {
            Ok(done) => format!("{done:?} {done:#?}\n"),
            Err(error) => format!("{error:?} {error:#?} {error}\n{}\n", told(&error)),
        };
        self.0.push_str(&words);
    }
}

/// Does everything that the crate can do.
fn do_everything(client: &Client, said: &mut Said) {
    let wanted = Wanted {
        artifact: "tripline-report".to_owned(),
        file: "report.jsonl".to_owned(),
        zip_bytes_max: 1 << 20,
        file_bytes_max: 1 << 20,
    };
    let check = Check {
        name: "tripline".to_owned(),
        head: HEAD.parse().unwrap(),
        conclusion: Conclusion::Neutral,
        title: "x".to_owned(),
        summary: "x".to_owned(),
        text: None,
        annotations: Vec::new(),
        details_page: None,
    };
    let server: Address = "https://github.com".parse().unwrap();
    let proposal = pulls::Proposal {
        branch: "feature-2".parse().unwrap(),
        base: "main".parse().unwrap(),
        title: "x".to_owned(),
        body: "x".to_owned(),
    };
    said.hear(artifact::fetch(
        client,
        RunId { id: 42, attempt: 1 },
        None,
        &wanted,
    ));
    let head = HEAD.parse().unwrap();
    said.hear(artifact::fetch_numbered(
        client,
        1,
        (&head, &|_| Ok(false)),
        &wanted,
    ));
    said.hear(pulls::of_run(
        client,
        &run_of(&world(), HOME, "feature", HEAD),
    ));
    said.hear(pulls::propose(client, &server, &proposal));
    said.hear(comment::publish(client, &comment(1)));
    said.hear(check::create(client, &check));
    said.hear(issue::remark(client, 1));
    said.hear(issue::react(client, 1, Reaction::Eyes));
    said.hear(issue::permission(client, &"ada".parse().unwrap()));
}

#[test]
fn whatever_goes_wrong_the_token_is_in_headers_alone() {
    let kinds = [
        None,
        Some(FaultKind::Status(502)),
        Some(FaultKind::Status(401)),
        Some(FaultKind::Status(403)),
        Some(FaultKind::Status(404)),
        Some(FaultKind::Status(422)),
        Some(FaultKind::Cut),
        Some(FaultKind::Garbage),
        Some(FaultKind::Redirect),
        Some(FaultKind::Primary { reset_in: 5000 }),
    ];
    for kind in kinds {
        let zip = deflated("report.jsonl", b"{}\n");
        let hub = Hub::start(world().with_artifact(42, "tripline-report", zip));
        let client = hub.client();
        let mut said = Said(format!("{client:?} {client:#?}"));
        if let Some(kind) = &kind {
            hub.fail("", "", kind.clone(), 999);
        }
        do_everything(&client, &mut said);
        assert!(!said.0.contains(TOKEN), "{kind:?}: {}", said.0);
        let seen = hub.fake.seen();
        assert!(seen.len() >= 8, "{kind:?}");
        for mut seen in seen {
            let token = seen.token.take();
            let is_store = seen.path.starts_with("/_artifacts/");
            assert_eq!(token.as_deref(), (!is_store).then_some(TOKEN), "{seen:?}");
            assert!(!format!("{seen:?}").contains(TOKEN), "{seen:?}");
        }
    }
}

#[test]
fn a_server_that_says_our_token_back_is_not_quoted() {
    let echoes = [
        answer(
            "403 Forbidden",
            "",
            format!(r#"{{"message": "no: Bearer {TOKEN}"}}"#),
        ),
        answer("200 OK", "", format!(r#"{{"id": "{TOKEN}"}}"#)),
        answer(
            "200 OK",
            "",
            format!(r#"{{"id": 1, "body": "{TOKEN}", "user": {{"login": "{TOKEN}"}}}}"#),
        ),
        answer(
            "302 Found",
            &format!("location: https://{TOKEN}.example/\r\n"),
            "",
        ),
        format!("HTTP/1.1 {TOKEN}\r\n\r\n").into_bytes(),
    ];
    let mut said = Said::default();
    for echo in echoes {
        let server = Scripted::start(&vec![echo; 9]);
        let client = Client::new(settings(&server.url(), TOKEN, clock()));
        said.hear(issue::remark(&client, 1));
    }
    assert!(said.0.contains("***"), "{}", said.0);
    assert!(!said.0.contains(TOKEN), "{}", said.0);
}

#[test]
fn a_wrong_token_is_not_quoted_either() {
    let mut said = Said::default();
    for wrong in ["two words", "line\nend", "ümlaut"] {
        said.hear(Token::new(wrong));
        assert!(!said.0.contains(wrong), "{}", said.0);
    }
}
