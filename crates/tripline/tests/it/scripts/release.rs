//! A release, from its binaries to the one that a job sets up: the tag holds the hashes, and what is taken has one of them.

use super::*;

const LIST: &str = ".github/actions/setup/releases.txt";

/// A checkout of Tripline, as far as a release needs it, with a remote and two binaries.
fn built() -> Job {
    let job = Job::new();
    for file in ["binary.sh", "fetch.sh", "tag.sh", "releases.txt"] {
        job.copy(&format!(".github/actions/setup/{file}"));
    }
    job.write("Cargo.toml", "[workspace.package]\nversion = \"1.2.3\"\n");
    job.commit();
    let remote = job.at("remote.git");
    job.git(&["init", "--quiet", "--bare", &remote.display().to_string()]);
    job.git(&["push", "--quiet", &remote.display().to_string(), "main"]);
    std::fs::create_dir(job.at("dist")).unwrap();
    for target in [target(), "riscv64-unknown-linux-gnu".to_owned()] {
        let binary = job.program(&format!("tripline-{target}"), "echo tripline 1.2.3");
        std::fs::copy(binary, job.at(&format!("dist/tripline-{target}"))).unwrap();
        std::fs::write(job.at(&format!("dist/tripline-{target}.sha256")), "x").unwrap();
    }
    job
}

fn tag(job: &Job) -> Ended {
    let mut script = job.script(&job.at("checkout/.github/actions/setup"), "tag.sh");
    script
        .arg(job.at("dist"))
        .env("TRIPLINE_REMOTE", job.at("remote.git"))
        .env("TMPDIR", job.at("temporary"));
    std::fs::create_dir_all(job.at("temporary")).unwrap();
    let ended = job.run(script);
    let left = std::fs::read_dir(job.at("temporary")).unwrap().count();
    assert_eq!(left, 0, "what it made for itself is taken away");
    ended
}

/// Asks the remote what a name stands for.
fn remote(job: &Job, name: &str) -> String {
    let remote = job.at("remote.git").display().to_string();
    let listed = job.git(&["ls-remote", &remote, name]);
    listed.split('\t').next().unwrap_or_default().to_owned()
}

#[test]
fn the_tag_is_what_was_built_and_the_hashes() {
    let job = built();
    let head = job.git(&["rev-parse", "HEAD"]);
    // Neither what lies about nor a hook has a say.
    job.write(LIST, "changed\n");
    job.write(".git/hooks/pre-push", "#!/bin/sh\nexit 1\n");
    let hook = job.at("checkout/.git/hooks/pre-push");
    std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    tag(&job).with(0);
    assert_eq!(job.said("output"), "tag=v1.2.3\n");
    let tagged = remote(&job, "refs/tags/v1.2.3");
    assert_eq!(job.git(&["rev-parse", &format!("{tagged}^")]), head);
    assert_eq!(remote(&job, "refs/heads/main"), head);
    assert_eq!(job.git(&["status", "--porcelain"]), format!("M {LIST}"));
    let changed = job.git(&["diff", "--name-only", &head, &tagged]);
    assert_eq!(changed, LIST);
    let added = job.git(&["diff", "--unified=0", &head, &tagged]);
    let added: Vec<&str> = added
        .lines()
        .filter_map(|line| line.strip_prefix('+'))
        .skip(1)
        .collect();
    let line = |target: &str| {
        let sum = sum(&job.at(&format!("dist/tripline-{target}")));
        format!(
            "1.2.3 {target} {sum} https://github.com/acme/tripline/releases/download/v1.2.3/tripline-{target}"
        )
    };
    let mut wanted = [line(&target()), line("riscv64-unknown-linux-gnu")];
    wanted.sort();
    assert_eq!(added, wanted);
}

#[test]
fn a_second_try_finds_its_tag_and_another_binary_is_no_second_try() {
    let job = built();
    tag(&job).with(0);
    let tagged = remote(&job, "refs/tags/v1.2.3");
    let ended = tag(&job).with(0);
    assert!(
        ended.err.contains("v1.2.3 is there already, and is"),
        "{}",
        ended.err
    );
    std::fs::write(job.at(&format!("dist/tripline-{}", target())), "other").unwrap();
    let ended = tag(&job).with(2);
    assert!(
        ended
            .err
            .contains("nothing was tagged: v1.2.3 is there already, as")
            && ended.err.contains("raise the version"),
        "{}",
        ended.err
    );
    assert_eq!(remote(&job, "refs/tags/v1.2.3"), tagged);
    std::fs::remove_dir_all(job.at("dist")).unwrap();
    let ended = tag(&job).with(2);
    assert!(ended.err.contains("there is no binary"), "{}", ended.err);
}

#[test]
fn the_token_is_for_that_address_and_in_no_argument() {
    let job = built();
    job.program(
        "git",
        "echo \"$* | $GIT_CONFIG_KEY_0 = $GIT_CONFIG_VALUE_0\" >>\"$RUNNER_TEMP/git\"\nPATH=${PATH#*:} exec git \"$@\"",
    );
    let mut script = job.script(&job.at("checkout/.github/actions/setup"), "tag.sh");
    let remote = job.at("remote.git").display().to_string();
    script
        .arg(job.at("dist"))
        .env("TRIPLINE_REMOTE", &remote)
        .env("TRIPLINE_TOKEN", "ghs_secret");
    let ended = job.run(script).with(0);
    let called = job.said("git");
    // What the header holds is `x-access-token:ghs_secret`, in base 64.
    let header = "Authorization: Basic eC1hY2Nlc3MtdG9rZW46Z2hzX3NlY3JldA==";
    let with_token: Vec<&str> = called
        .lines()
        .filter(|call| call.contains(header))
        .collect();
    assert_eq!(with_token.len(), 2, "{called}");
    let end = format!(" | http.{remote}.extraHeader = {header}");
    for (call, verb) in with_token.iter().zip(["ls-remote ", "push "]) {
        let args = call.strip_suffix(&end).expect(call);
        assert!(args.contains(verb) && !args.contains("eC1hY2"), "{call}");
    }
    assert!(!(ended.out + &ended.err + &called).contains("ghs_secret"));
}

/// Goes to the tag, as a runner does with a pinned action, with the binaries at another place than the internet.
fn at_the_tag(job: &Job) {
    tag(job).with(0);
    let remote = job.at("remote.git").display().to_string();
    job.git(&["fetch", "--quiet", &remote, "refs/tags/v1.2.3"]);
    job.git(&["switch", "--quiet", "--detach", "FETCH_HEAD"]);
    let list = std::fs::read_to_string(job.at("checkout").join(LIST)).unwrap();
    let mirror = format!("file://{}/", job.at("dist").display());
    let address = "https://github.com/acme/tripline/releases/download/v1.2.3/";
    assert!(list.contains(address), "{list}");
    job.write(LIST, &list.replace(address, &mirror));
    job.program("cargo", r#"echo "$*" >>"$RUNNER_TEMP/built"; exit 1"#);
}

fn set_up(job: &Job) -> Ended {
    set_up_with(job, Path::new(""))
}

/// Names a binary as the input of the action does, which is empty where nobody gave it.
fn set_up_with(job: &Job, binary: &Path) -> Ended {
    let home = job.at("checkout/.github/actions/setup");
    let mut script = job.script(&home, "binary.sh");
    script.env("TRIPLINE_SETUP_HOME", home);
    script.env("TRIPLINE_SETUP_BINARY", binary);
    job.run(script)
}

#[test]
fn who_pins_the_tag_gets_the_binary_by_its_hash() {
    let job = built();
    at_the_tag(&job);
    let ended = set_up(&job).with(0);
    assert!(
        ended
            .err
            .ends_with("tripline setup: using tripline 1.2.3\n"),
        "{}",
        ended.err
    );
    let place = job.at("temp/tripline");
    assert_eq!(job.said("path"), format!("{}\n", place.display()));
    let binary = job.at(&format!("dist/tripline-{}", target()));
    assert_eq!(sum(&place.join("tripline")), sum(&binary));
    assert_eq!(job.said("built"), "", "nothing is built");
}

#[test]
fn another_binary_is_refused_and_one_that_is_not_there_is_built() {
    let job = built();
    at_the_tag(&job);
    let binary = job.at(&format!("dist/tripline-{}", target()));
    std::fs::write(&binary, "#!/bin/sh\necho hijacked\n").unwrap();
    let ended = set_up(&job).with(4);
    assert!(
        ended.err.contains("has another hash") && ended.err.contains("no binary was set up"),
        "{}",
        ended.err
    );
    assert_eq!(job.said("path") + &job.said("built"), "");
    assert!(!job.at("temp/tripline/tripline").exists());

    std::fs::remove_file(binary).unwrap();
    set_up(&job).with(1);
    assert!(
        job.said("built").contains("--path"),
        "{}",
        job.said("built")
    );
    // A commit that is no release has no hashes, and is built as well.
    job.git(&["switch", "--quiet", "--discard-changes", "--detach", "main"]);
    std::fs::remove_file(job.at("temp/built")).unwrap();
    let ended = set_up(&job).with(1);
    assert!(!ended.err.contains("downloading"), "{}", ended.err);
    assert!(
        job.said("built").contains("--path"),
        "{}",
        job.said("built")
    );
}

#[test]
fn a_binary_that_is_named_is_taken_and_one_that_is_none_is_refused() {
    let job = built();
    at_the_tag(&job);
    let named = job.program("ours", "echo tripline 9.9.9");
    let ended = set_up_with(&job, &named).with(0);
    assert!(
        ended.err.ends_with("using tripline 9.9.9\n"),
        "{}",
        ended.err
    );
    assert_eq!(sum(&job.at("temp/tripline/tripline")), sum(&named));
    std::fs::remove_file(job.at("temp/path")).unwrap();

    for nothing in ["nowhere", "checkout/Cargo.toml"] {
        let ended = set_up_with(&job, &job.at(nothing)).with(2);
        assert!(
            ended.err.contains("no binary was set up: `") && ended.err.contains("is no program"),
            "{}",
            ended.err
        );
        assert_eq!(job.said("path") + &job.said("built"), "");
    }
}
