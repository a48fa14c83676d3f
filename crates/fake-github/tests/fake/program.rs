//! The stand-in as a program, as a script uses it.

use std::{
    fs,
    path::Path,
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use fake_github::{Fault, FaultKind, World};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, world};

/// A running program, ended when dropped.
struct Program {
    child: Child,
    folder: TempDir,
    base: String,
}

impl Program {
    fn start(world: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("world.json"), world.to_string()).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_fake-github"))
            .args(["--world".as_ref(), at("world.json").as_os_str()])
            .args(["--port-file".as_ref(), at("port").as_os_str()])
            .args(["--log".as_ref(), at("requests.jsonl").as_os_str()])
            .args(["--state-out".as_ref(), at("state.json").as_os_str()])
            .spawn()
            .unwrap();
        let port = wait_for(&at("port"));
        Self {
            child,
            base: format!("http://127.0.0.1:{}", port.trim()),
            folder,
        }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn state(&self) -> World {
        serde_json::from_str(&self.read("state.json")).unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn wait_for(path: &Path) -> String {
    let began = Instant::now();
    loop {
        match fs::read_to_string(path) {
            Ok(text) => return text,
            Err(_) if began.elapsed() < Duration::from_secs(30) => {
                thread::sleep(Duration::from_millis(10));
            }
            Err(error) => panic!("{} was never written: {error}", path.display()),
        }
    }
}

#[test]
fn a_script_sees_what_was_asked_and_what_came_of_it() {
    let program = Program::start(&json!(world()));
    assert_eq!(program.state().pulls.len(), 2);
    let bot = Client::at(&program.base, Some("t-write"));
    assert_eq!(bot.get("/pulls").status, 200);
    assert_eq!(
        bot.post("/issues/7/comments", &json!({"body": "Hello."}))
            .status,
        201
    );
    assert_eq!(program.state().comments_on(7)[0].body, "Hello.");

    let log = program.read("requests.jsonl");
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let asked: Vec<&Value> = lines.iter().map(|line| &line["operation"]).collect();
    assert_eq!(asked, ["pulls/list", "issues/create-comment"]);
    assert_eq!(lines[1]["body"]["body"], "Hello.");
    assert_eq!(lines[1]["token"], "t-write");
    assert_eq!(lines[1]["violation"], Value::Null);
}

#[test]
fn a_script_changes_the_world_as_it_goes() {
    let program = Program::start(&json!({
        "repositories": [{"id": 1, "name": "acme/demo"}],
        "tokens": {"t-write": {"login": "github-actions[bot]", "issues": "write"}},
    }));
    let bot = Client::at(&program.base, Some("t-write"));
    assert_eq!(bot.get("/issues/7/comments").status, 404);
    let mut world = program.state();
    let base = fake_github::Side::new("acme/demo", "main", "a");
    world
        .pulls
        .push(fake_github::Pull::new(7, base.clone(), base));
    world
        .faults
        .push(Fault::on("GET", "/", FaultKind::Status(502)));
    let anybody = Client::at(&program.base, None);
    assert_eq!(anybody.put("//_world", &json!(world)).status, 204);
    assert_eq!(bot.get("/issues/7/comments").status, 502);
    assert_eq!(bot.get("/issues/7/comments").status, 200);
    assert_eq!(anybody.get("//_world").body["pulls"][0]["number"], 7);
    let broken = anybody.put("//_world", &json!({"pull": []}));
    assert_eq!(broken.status, 400);
    let message = broken.body["message"].as_str().unwrap();
    assert!(message.contains("unknown field `pull`"), "{message}");
}

#[test]
fn the_state_is_a_world_to_begin_with() {
    let world = world()
        .with_artifact(42, "tripline-report", *b"PK\x03\x04")
        .with_file("main", "a.txt", b"one")
        .with_comment(7, "rae", "Hello.");
    let text = json!(world);
    let again: World = serde_json::from_value(text.clone()).unwrap();
    assert_eq!(json!(again), text);
    assert_eq!(again.artifacts, world.artifacts);
}

#[test]
fn what_is_no_world_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.json");
    fs::write(&path, "{\"pulls\": 7}").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_fake-github"))
        .args(["--world".as_ref(), path.as_os_str()])
        .args([
            "--port-file".as_ref(),
            folder.path().join("port").as_os_str(),
        ])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the stand-in was not started"), "{said}");
    assert!(said.contains("line 1 column 11"), "{said}");
}
