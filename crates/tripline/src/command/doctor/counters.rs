//! What counting benches need: valgrind, the runner that fits the library, and addresses that stay where they are.

use std::path::Path;

use super::finding::Finding;
use super::programs::{program, uses};
use crate::measure;
use crate::project::Project;
use crate::suite::Suite;

pub(super) fn look(project: &Project, suites: &[Suite]) -> Vec<Finding> {
    let counters = ["iai-callgrind", "gungraun"];
    let used: Vec<&str> = counters
        .into_iter()
        .filter(|counter| uses(suites, counter))
        .collect();
    if used.is_empty() {
        return Vec::new();
    }
    let fix = "install valgrind (on Debian and Ubuntu: `apt-get install valgrind`)";
    let mut findings = vec![program("valgrind", "--version", fix)];
    for counter in used {
        let with_it = suites
            .iter()
            .filter(|suite| uses(std::slice::from_ref(suite), counter));
        let mut of_counter: Vec<Finding> = with_it
            .map(|suite| runner(project.root(), suite, counter))
            .collect();
        // Suites of one workspace have one lock file.
        of_counter.dedup();
        findings.extend(of_counter);
    }
    findings.push(addresses());
    findings
}

/// The runner must have the very version of the library that the benches were built with.
fn runner(root: &Path, suite: &Suite, library: &str) -> Finding {
    let name = format!("{library}-runner");
    let Some(wanted) = locked_version(root, &suite.folder, library) else {
        return Finding::bad(
            format!("no `{library}` stands in a Cargo.lock"),
            format!(
                "add `{library}` to the dev-dependencies of the package that `{}` measures, and run `cargo generate-lockfile`",
                suite.name
            ),
        );
    };
    let fix = format!("run `cargo install --locked {name}@{wanted}`");
    match measure::runner_version(&name, root) {
        None => Finding::bad(format!("`{name}` is missing"), fix),
        Some(version) if version == wanted => Finding::good(format!("{name} {version}")),
        Some(version) => Finding::bad(
            format!("{name} {version} does not fit {library} {wanted}"),
            fix,
        ),
    }
}

/// Returns the version of a package in the lock file of its workspace: the nearest one from its folder upwards.
fn locked_version(root: &Path, folder: &Path, package: &str) -> Option<String> {
    let within = folder
        .ancestors()
        .take_while(|place| place.starts_with(root));
    let mut texts = within.map(|place| std::fs::read_to_string(place.join("Cargo.lock")));
    let lock: toml::Table = texts.find_map(Result::ok)?.parse().ok()?;
    let packages = lock.get("package")?.as_array()?;
    let found = packages
        .iter()
        .find(|entry| entry.get("name").and_then(toml::Value::as_str) == Some(package))?;
    Some(found.get("version")?.as_str()?.to_owned())
}

/// Where addresses are drawn anew for each process, what hashes or sorts by address counts otherwise each time.
fn addresses() -> Finding {
    if measure::aslr_can_be_switched_off() {
        return Finding::good("addresses stay the same from run to run (`setarch -R` works)");
    }
    Finding::note(
        "address randomization cannot be switched off here, so that some counts differ from run to run",
        "install `setarch` (util-linux); a container that forbids it needs `--security-opt seccomp=unconfined`",
    )
}
