//! The program: what it prints, what it says, and how it ends.

use std::io::Read as _;
use std::process::{Command, Output, Stdio};

use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};

use crate::fixture::Fixture;

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_workload-scan"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn run(args: &[&str]) -> Output {
    program().args(args).output().unwrap()
}

#[test]
fn a_report_is_for_people_or_for_programs() {
    let fixture = Fixture::new();
    let (address, ports) = (
        fixture.address.to_string(),
        fixture.some_ports().to_string(),
    );
    let out = run(&["--ports", &ports, &address]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let told = text(&out.stdout);
    assert_eq!(told.matches(" open\n").count(), 13);
    assert!(told.contains("complete: 13 open, "), "{told}");

    let out = run(&["--ports", &ports, "--json", &address]);
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["complete"], true);
    assert_eq!(json["units"], fixture.some_ports().len());
    assert_eq!(json["hosts"][0]["open"].as_array().unwrap().len(), 13);
    assert_eq!(json["hosts"][0]["address"], address);
    assert_eq!(json["counters"]["self_connections"], 0);
    assert!(json["counters"]["engine_calls"].as_u64().unwrap() > 0);
    assert_eq!(json["pace"]["intervals"], 0);
    assert_eq!(json["problem"], serde_json::Value::Null);
    assert!(out.stderr.is_empty());
}

#[test]
fn what_makes_no_sense_ends_with_two_and_says_why() {
    for (args, wanted) in [
        (["--ports", "9-1", "127.0.0.1"], "write `1-9`"),
        (["--ports", "7", "127.0.0.0/8"], "65536 addresses"),
        (["--template", "T9", "127.0.0.1"], "T0 to T5"),
        (
            ["--store", "/nowhere/at/all", "127.0.0.1"],
            "see that its folder exists",
        ),
        (["--clock-speed", "0", "127.0.0.1"], "--clock-speed"),
        (["--timeout-ms", "0", "127.0.0.1"], "--timeout-ms"),
    ] {
        let out = run(&args);
        let talk = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{talk}");
        assert!(
            talk.starts_with("error: ") && talk.contains(wanted),
            "{talk}"
        );
        assert!(out.stdout.is_empty());
    }
}

#[test]
fn an_interrupt_stores_and_reports_what_was_found_as_partial() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scans.sqlite");
    let fixture = Fixture::new();
    for signal in [Signal::INT, Signal::TERM] {
        let mut child = program()
            .args([
                "-T0",
                "--json",
                "--progress",
                "--ports",
                &fixture.some_ports().to_string(),
            ])
            .arg("--store")
            .arg(&path)
            .arg(fixture.address.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let talk = child.stderr.as_mut().unwrap();
        while !said.contains("1 of ") {
            let mut byte = [0];
            talk.read_exact(&mut byte).unwrap();
            said.push(char::from(byte[0]));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        let out = child.wait_with_output().unwrap();
        assert_eq!(out.status.code(), Some(3), "{}", text(&out.stderr));
        let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(json["complete"], false);
        assert_eq!(json["missing"], fixture.some_ports().len() - 1);
    }
    let database = Connection::open(&path).unwrap();
    let count = "SELECT count(*) FROM verdict JOIN scan ON scan = id WHERE state = 'partial'";
    assert_eq!(
        database
            .query_row(count, [], |row| row.get::<_, i64>(0))
            .unwrap(),
        2
    );
}
