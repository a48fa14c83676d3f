//! What is written into somebody else's repository, with the release that it points to: its actions by a commit, its
//! binary by a hash, and a script of that repository's own that makes the machines ready.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use sha2::{Digest as _, Sha256};

use super::demo::{Demo, workspace};
use super::scene::Scene;

/// Where the actions are, as far as that repository knows.
const ACTIONS: &str = "acme/tripline@0123456789abcdef0123456789abcdef01234567";

/// A suite that runs a program which no machine has by itself.
const SUITE: &str = r#"about = "counts that an installed program prints"

[[step]]
name = "reads"
harness = "run-file"
command = ["print-reads"]
"#;

/// Installs that program, as a real one would install a package.
const PREPARE: &str = r#"mkdir -p "$RUNNER_TEMP/installed"
printf '#!/bin/sh\ncat reads.jsonl\n' >"$RUNNER_TEMP/installed/print-reads"
chmod +x "$RUNNER_TEMP/installed/print-reads"
echo "$RUNNER_TEMP/installed" >>"$GITHUB_PATH"
"#;

/// Returns the line that says where a program is, and what it is.
pub(crate) fn line(version: &str, program: &Path) -> String {
    let sum = Sha256::digest(std::fs::read(program).unwrap());
    let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    let machine = std::env::consts::ARCH;
    let place = program.display();
    format!("{version} {machine}-unknown-linux-gnu {sum} file://{place}\n")
}

/// Makes the repository of the actions as it is at the tag of a release.
fn released(scene: &Scene) {
    let root = scene.at("tripline");
    let tripline = Demo::at(&root);
    tripline.copy(&workspace().join(".github"), ".github");
    let version = env!("CARGO_PKG_VERSION");
    let manifest = format!("[workspace.package]\nversion = \"{version}\"\n");
    tripline.write("Cargo.toml", &manifest);
    let binary = scene.at("released");
    let script = format!(
        "#!/bin/sh\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_tripline")
    );
    std::fs::write(&binary, script).unwrap();
    std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o644)).unwrap();
    tripline.write(
        ".github/actions/setup/releases.txt",
        &line(version, &binary),
    );
}

#[test]
fn what_is_written_elsewhere_prepares_measures_keeps_and_hands_on() {
    let mut scene = Scene::new();
    released(&scene);
    let actions = format!("{ACTIONS}={}", scene.at("tripline").display());
    scene
        .settings
        .push(["--local-repository".to_owned(), actions]);
    // Nobody names a binary there.
    for variable in ["TRIPLINE_BENCHMARK_ACTION=true", "TRIPLINE_BINARY="] {
        let variable = ["--var", variable].map(str::to_owned);
        scene.settings.push(variable);
    }
    let root = scene.at("demo");
    let demo = Demo::at(&root);
    std::fs::remove_dir_all(root.join(".github")).unwrap();
    demo.write("bench/kv/suite.toml", SUITE);
    let mut init = Command::new(env!("CARGO_BIN_EXE_tripline"));
    let init = init.args(["init", "--actions", ACTIONS, "--branch", "main"]);
    let output = init.current_dir(&root).output().unwrap();
    assert!(output.status.success(), "{output:?}");

    // Without the script, what the suite runs is missing.
    let head = demo.commit("measure");
    demo.git(&["push", "--quiet", "origin", "main"]);
    let played = scene.on_main("bench-main", "push", &scene.push_payload(&head));
    played.job("measure", "failure");

    demo.write(".github/tripline-prepare.sh", PREPARE);
    let head = demo.commit("prepare");
    demo.git(&["push", "--quiet", "origin", "main"]);
    let played = scene.on_main("bench-main", "push", &scene.push_payload(&head));
    for job in ["measure", "judge", "keep", "benchmark-action"] {
        played.job(job, "success");
    }
    played.said("running .github/tripline-prepare.sh");
    played.said(&format!(
        "downloading tripline {}",
        env!("CARGO_PKG_VERSION")
    ));
    assert!(!played.log.contains("building tripline"), "{}", played.log);
    scene.assert_contract();
}
