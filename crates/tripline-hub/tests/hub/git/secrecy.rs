//! The token reaches the remote and nothing else: no command line, no file, no error, and no file on disk.

use std::fs;

use super::server::{Server, WRITER};
use super::yard::{Publisher, Yard, everything_in, git, holds, told};

/// A git that writes down how it and its children are called, and what stands in the repository it works in.
fn tell_tale(yard: &Yard) -> tripline_hub::git::Git {
    yard.program(&format!(
        "cd_to='{}'\nprintf '%s\\n' \"$*\" >>\"$cd_to/calls\"\n\
         GIT_TRACE=\"$cd_to/trace\" git \"$@\"\nstatus=$?\n\
         [ -z \"$GIT_DIR\" ] || cp -r \"$GIT_DIR\" \"$cd_to/workshops/$$\"\nexit $status",
        yard.path("tales").display()
    ))
}

#[test]
fn a_token_is_in_no_command_line_and_in_no_file() {
    let yard = Yard::new();
    let server = Server::start(&yard.path(""));
    let url = server.url("remote.git");
    let tales = yard.path("tales");
    fs::create_dir_all(tales.join("workshops")).unwrap();
    let here = yard.clone("here");
    git(&here, &["remote", "add", "forge", &url]);
    let before = everything_in(&here);

    let publisher = Publisher::of(&here)
        .by(tell_tale(&yard))
        .to("forge")
        .with("t-write");
    publisher.append(&[("runs/1", "one\n")]).unwrap();
    publisher.put(&yard.tip("main"), &[("a", "1")]).unwrap();

    assert_eq!(everything_in(&here), before);
    let written = everything_in(&tales);
    let encoded = WRITER.trim_start_matches("Basic ");
    for (path, bytes) in &written {
        for secret in ["t-write", encoded] {
            assert!(!holds(bytes, secret), "{} holds it", path.display());
        }
    }
    // The tale was told: what we called, what that called, and what it stood in.
    let calls = fs::read_to_string(tales.join("calls")).unwrap();
    assert!(calls.contains("push --porcelain"), "{calls}");
    let trace = fs::read_to_string(tales.join("trace")).unwrap();
    assert!(
        trace.contains("git remote-http") && trace.contains("pack-objects"),
        "{trace}"
    );
    assert!(written.keys().any(|path| path.ends_with("config")));
    // And while it went on, no process of the machine showed it.
    let seen = server.seen();
    assert!(
        seen.headers.len() >= 5 && seen.leaks.is_empty(),
        "{:?}",
        seen.leaks
    );
}

#[test]
fn a_token_is_in_no_error_even_if_the_remote_repeats_it() {
    let yard = Yard::new();
    let server = Server::start(&yard.path(""));
    let url = server.url("remote.git");
    let here = yard.clone("here");
    let encoded = WRITER.trim_start_matches("Basic ");
    yard.hook(
        "pre-receive",
        &format!("echo 'I know t-write, and {encoded}' >&2; exit 1"),
    );
    let error = Publisher::of(&here)
        .to(&url)
        .with("t-write")
        .append(&[("a", "1")])
        .expect_err("refused");
    let text = format!("{} {error:?}", told(&error));
    assert!(text.contains("I know ***, and ***"), "{text}");
    assert!(
        !text.contains("t-write") && !text.contains(encoded),
        "{text}"
    );
}

#[test]
fn what_stands_in_an_address_of_the_clone_is_in_no_error() {
    let yard = Yard::new();
    let server = Server::start(&yard.path(""));
    let here = yard.clone("here");
    let url = server
        .url("remote.git")
        .replace("http://", "http://me:hunter2@");
    git(&here, &["remote", "add", "forge", &url]);
    let error = Publisher::of(&here)
        .to("forge")
        .append(&[("a", "1")])
        .expect_err("a wrong password");
    let text = format!("{} {error:?}", told(&error));
    assert!(!text.contains("hunter2"), "{text}");
}
