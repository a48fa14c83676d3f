//! Looks at the machine and states what it sees as facts. What cannot be seen is not stated; nothing is guessed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest as _, Sha256};
use tripline_model::few;
use tripline_model::{Environment, EnvironmentName};

use super::cargo;
use super::launch::{Built, COUNTED_PATH, GLIBC_TUNABLES};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::suite::{Step, Suite, Task, Tool};

/// The dynamic loader, which says what libc sees of the processor.
const LOADERS: &[&str] = &["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];

/// The fact that tells machines of one kind apart. It says nothing of what can be compared with a kept run.
pub(crate) const MACHINE: &str = "machine";

/// How the facts begin that say which steps had nothing to measure on the machine.
pub(crate) const LEFT_OUT: &str = "left_out_";

/// How much of a command is stated.
const TEXT_CHARS_MAX: usize = 1_000;

/// What was seen: a fact's name, and what it says where that could be seen.
type Seen = Vec<(&'static str, Option<String>)>;

/// States what can be seen of this machine and its tools, for a suite's steps or for data from elsewhere.
pub(crate) fn detect(root: &Path, suite: Option<&Suite>) -> Outcome<Environment> {
    let mut environment = Environment::new(environment_name()?);
    let workspace = suite.map_or(root.to_owned(), |suite| workspace_of(&suite.folder, root));
    let seen = [
        machine(),
        toolchain(&workspace),
        suite
            .map(|suite| harnesses(root, suite))
            .unwrap_or_default(),
    ];
    for (fact, value) in seen.into_iter().flatten() {
        // A fact that no file can hold is as good as unseen; so is an empty one.
        if let Some(value) = value {
            let _ = environment.state_text(fact, value.trim());
        }
    }
    Ok(environment)
}

/// States what was seen only while the steps were built, and takes back what they do not hold to.
pub(crate) fn state_built(environment: &mut Environment, built: &[Built]) {
    let profiles = few::set_of(built.iter().filter_map(|b| b.profile.as_deref()));
    let profiles: Vec<&str> = profiles.into_iter().collect();
    let _ = environment.state_text("built_with", &profiles.join("; "));
    // One that no file can hold is cut where it can.
    let shown = |text: &str| text.escape_debug().take(TEXT_CHARS_MAX).collect::<String>();
    for (step, argv) in built.iter().filter_map(|built| built.argv.as_ref()) {
        let _ = environment.state_text(&format!("argv_{step}"), &shown(argv));
    }
    for (step, why) in built.iter().filter_map(|built| built.left_out.as_ref()) {
        let _ = environment.state_text(&format!("{LEFT_OUT}{step}"), &shown(why));
    }
    // A bench that does not let the settings through counts under the machine's own, which nobody saw.
    if built.iter().any(|b| b.pins_glibc == Some(false)) {
        environment.retract("glibc_tunables");
    }
}

fn machine() -> Seen {
    let cores = std::thread::available_parallelism().ok();
    let lscpu = said(Command::new("lscpu").env("LC_ALL", "C")).unwrap_or_default();
    vec![
        ("os", Some(os_release().pretty)),
        (
            "kernel",
            Some(
                rustix::system::uname()
                    .release()
                    .to_string_lossy()
                    .into_owned(),
            ),
        ),
        ("cpu_model", cpu_model()),
        ("cpu_family", cpu_family(&lscpu)),
        ("cores", cores.map(|cores| cores.to_string())),
        ("threads_per_core", told(&lscpu, "Thread(s) per core:")),
        ("memory", memory()),
        ("virtualization", virtualization(&lscpu)),
        (
            "libc",
            said(Command::new("getconf").arg("GNU_LIBC_VERSION")),
        ),
        ("cpu_features", loader_digest(&[])),
        ("runner_image", runner_image()),
        (MACHINE, this_machine()),
    ]
}

/// Returns the folder whose `Cargo.lock` decides what is built in a folder of the project.
fn workspace_of(folder: &Path, root: &Path) -> PathBuf {
    let within = folder
        .ancestors()
        .take_while(|place| place.starts_with(root));
    let mut locked = within.filter(|place| place.join("Cargo.lock").is_file());
    locked.next().unwrap_or(root).to_owned()
}

fn toolchain(root: &Path) -> Seen {
    // rustup decides by the folder which toolchain answers.
    let rustc = said(Command::new("rustc").arg("-vV").current_dir(root)).unwrap_or_default();
    let lock_file = std::fs::read(root.join("Cargo.lock")).ok();
    vec![
        ("rustc", rustc.lines().next().map(str::to_owned)),
        ("target", line_after(&rustc, "host: ")),
        ("profile", build_profile(root)),
        ("rustflags", rustflags(root)),
        ("lock_file", lock_file.map(|bytes| digest(&bytes))),
    ]
}

/// Returns whether a step counts an executable at a path of ours; a command is counted at its own.
fn is_counted_as_copy(step: &Step) -> bool {
    let counts = step.harness.counts() || step.harness.tool().is_some_and(Tool::is_valgrind);
    counts && matches!(step.task, Task::Bench(_))
}

fn harnesses(root: &Path, suite: &Suite) -> Seen {
    let uses = |harness: &str| {
        suite
            .steps
            .iter()
            .any(|step| step.harness.name() == harness)
    };
    let version = |command: &mut Command| said(command.arg("--version"));
    let mut seen = Seen::new();
    let mut tools = suite.steps.iter().filter_map(|step| step.harness.tool());
    let counts_whole = tools.any(Tool::is_valgrind);
    if uses("iai-callgrind") || uses("gungraun") || counts_whole {
        let aslr = if aslr_can_be_switched_off() {
            "off"
        } else {
            "on"
        };
        seen.extend([
            ("valgrind", version(&mut Command::new("valgrind"))),
            (
                "counted_cpu",
                loader_digest(&["valgrind", "--tool=none", "--quiet"]),
            ),
            ("glibc_tunables", Some(GLIBC_TUNABLES.to_owned())),
            (
                "executable_path",
                suite
                    .steps
                    .iter()
                    .any(is_counted_as_copy)
                    .then(|| COUNTED_PATH.to_owned()),
            ),
            ("aslr", Some(aslr.to_owned())),
        ]);
    }
    if uses("iai-callgrind") {
        seen.push((
            "iai_callgrind",
            runner_version("iai-callgrind-runner", root),
        ));
    }
    if uses("gungraun") {
        seen.push(("gungraun", runner_version("gungraun-runner", root)));
    }
    if uses("go") {
        // The module's own file may ask for another version than the one that was installed.
        let told = said(Command::new("go").arg("version").current_dir(&suite.folder));
        let version = told.and_then(|told| told.split(' ').nth(2).map(str::to_owned));
        seen.push(("go", version));
    }
    if uses("pytest-benchmark") {
        seen.push(("python", version(&mut Command::new("python3"))));
    }
    if uses("cargo-criterion") {
        seen.push(("criterion", version(cargo::command(root).arg("criterion"))));
    }
    seen
}

/// Returns the version of a counting harness's runner, which says it only when it complains that it was called by hand.
pub(crate) fn runner_version(runner: &str, root: &Path) -> Option<String> {
    let output = Command::new(runner)
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let is_version = |word: &&str| {
        let parts: Vec<&str> = word.split('.').collect();
        parts.len() == 3
            && parts
                .iter()
                .all(|part| part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty())
    };
    text.split(|c: char| c.is_whitespace() || "()'".contains(c))
        .map(|word| word.trim_end_matches('.'))
        .find(is_version)
        .map(str::to_owned)
}

/// Returns the short name baselines of this machine are filed under: the distribution decides libc and valgrind.
fn environment_name() -> Outcome<EnvironmentName> {
    let os = os_release();
    let slug = |text: &str| -> String {
        let lower = text.to_ascii_lowercase();
        lower
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || "._".contains(c) {
                    c
                } else {
                    '-'
                }
            })
            .collect()
    };
    let name = format!(
        "{}-{}-{}",
        slug(&os.id),
        slug(&os.version),
        std::env::consts::ARCH
    );
    EnvironmentName::new(&name).map_err(|error| {
        CommandError::new(Exit::BadInput, "this environment could not be named").because(error)
    })
}

struct OsRelease {
    id: String,
    version: String,
    pretty: String,
}

fn os_release() -> OsRelease {
    let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let value = |key: &str| {
        line_after(&text, &format!("{key}=")).map(|value| value.trim_matches('"').to_owned())
    };
    let id = value("ID").unwrap_or_else(|| std::env::consts::OS.to_owned());
    OsRelease {
        version: value("VERSION_ID").unwrap_or_else(|| "rolling".to_owned()),
        pretty: value("PRETTY_NAME").unwrap_or_else(|| id.clone()),
        id,
    }
}

fn cpu_model() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("model name") || line.starts_with("CPU part"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory() -> Option<String> {
    memory_class(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// Returns the class of memory that the kernel's account tells of. Of one kind of machine each has a little more or less of
/// it, as its kernel and its firmware take it.
fn memory_class(account: &str) -> Option<String> {
    const KIB_PER_GIB: u64 = 1 << 20;
    let total = line_after(account, "MemTotal:")?;
    let kib: u64 = total.split_whitespace().next()?.parse().ok()?;
    let class = kib.div_ceil(KIB_PER_GIB).checked_next_power_of_two()?;
    Some(format!("up to {class} GiB"))
}

/// Returns what `lscpu` tells of one thing.
fn told(lscpu: &str, what: &str) -> Option<String> {
    line_after(lscpu, what).map(|line| line.trim().to_owned())
}

/// Returns what it tells of several things, one behind the other.
fn all_told(lscpu: &str, things: &[&str]) -> String {
    let mut all = String::new();
    for told in things.iter().filter_map(|what| told(lscpu, what)) {
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(&told);
    }
    all
}

/// Returns which processor it is: machines that are lent out call those of several years by one name.
fn cpu_family(lscpu: &str) -> Option<String> {
    let family = all_told(lscpu, &["Vendor ID:", "CPU family:", "Model:"]);
    (!family.is_empty()).then_some(family)
}

/// Returns the hypervisor that `lscpu` tells of, and how it does its work.
fn virtualization(lscpu: &str) -> Option<String> {
    let architecture = told(lscpu, "Architecture:")?;
    let by = all_told(lscpu, &["Hypervisor vendor:", "Virtualization type:"]);
    match &*by {
        // Elsewhere than on x86, where the processor itself says so, a hypervisor may be one that nobody is told of.
        "" if architecture == "x86_64" => Some("none".to_owned()),
        "" => None,
        _ => Some(by),
    }
}

/// The hosted runners state their image in two variables.
fn runner_image() -> Option<String> {
    let image = std::env::var("ImageOS").ok()?;
    let version = std::env::var("ImageVersion").unwrap_or_default();
    Some(format!("{image} {version}"))
}

/// Returns a digest of what this machine alone is called since it was started, here and by whoever lends it out.
fn this_machine() -> Option<String> {
    let started = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let host = rustix::system::uname().nodename().to_bytes().to_vec();
    let lent = std::env::var_os("RUNNER_NAME").unwrap_or_default();
    let names = [started.trim().as_bytes(), &host, lent.as_encoded_bytes()];
    Some(digest(&names.join(&b'\n')))
}

/// Returns a digest of what libc decides by: the features it may use, its preferences and its sizes.
///
/// What the processor merely reports is left out, because it names the very core that was asked.
fn loader_digest(wrapper: &[&str]) -> Option<String> {
    let loader = LOADERS.iter().find(|path| Path::new(path).exists())?;
    let mut argv = wrapper
        .iter()
        .copied()
        .chain([*loader, "--list-diagnostics"]);
    let mut command = Command::new(argv.next()?);
    command.args(argv).env_remove("GLIBC_TUNABLES");
    if !wrapper.is_empty() {
        command.env("GLIBC_TUNABLES", GLIBC_TUNABLES);
    }
    let text = said(&mut command)?;
    let decides = |line: &&str| {
        line.starts_with("x86.cpu_features.")
            && !line.contains("].cpuid[")
            && !line.contains(".basic.")
            || line.starts_with("aarch64.")
            || line.starts_with("dl_hwcap")
            || line.starts_with("dl_platform")
    };
    let lines: Vec<&str> = text.lines().filter(decides).collect();
    (!lines.is_empty()).then(|| digest(lines.join("\n").as_bytes()))
}

/// Returns whether a program can be started at the same addresses each time.
pub(crate) fn aslr_can_be_switched_off() -> bool {
    let arch = rustix::system::uname()
        .machine()
        .to_string_lossy()
        .into_owned();
    let tried = Command::new("setarch")
        .args([&arch, "-R", "true"])
        .stdin(Stdio::null())
        .output();
    tried.is_ok_and(|output| output.status.success())
}

/// Returns the settings of the profiles that benches are built with, in an order that does not depend on the files':
/// the manifest's, and those by which cargo's configuration and the environment replace them.
fn build_profile(root: &Path) -> Option<String> {
    let text = std::fs::read_to_string(root.join("Cargo.toml")).ok()?;
    let manifest: toml::Table = text.parse().ok()?;
    let mut settings = profile_settings("", &manifest);
    for config in cargo_configs(root) {
        settings.extend(profile_settings("config:", &config));
    }
    settings.extend(variables(|name| name.starts_with("CARGO_PROFILE_")));
    settings.sort_unstable();
    Some(if settings.is_empty() {
        "defaults".to_owned()
    } else {
        settings.join(" ")
    })
}

/// Returns the settings of the profiles in one file, each with a word for where it comes from.
fn profile_settings(source: &str, file: &toml::Table) -> Vec<String> {
    let profiles = file.get("profile").and_then(toml::Value::as_table);
    let mut settings = Vec::new();
    for profile in ["release", "bench"] {
        let table = profiles
            .and_then(|profiles| profiles.get(profile))
            .and_then(toml::Value::as_table);
        for (key, value) in table.into_iter().flatten() {
            settings.push(format!("{source}{profile}.{key}={value}"));
        }
    }
    settings
}

/// Returns the flags cargo gives the compiler. As cargo does, it takes them from the first place that has any; which
/// of the configuration's apply is cargo's to decide, so all of them are stated.
fn rustflags(root: &Path) -> Option<String> {
    if let Ok(encoded) = std::env::var("CARGO_ENCODED_RUSTFLAGS") {
        return Some(encoded.replace('\u{1f}', " "));
    }
    if let Ok(flags) = std::env::var("RUSTFLAGS") {
        return Some(flags);
    }
    let is_flags = |name: &str| {
        name == "CARGO_BUILD_RUSTFLAGS"
            || name.starts_with("CARGO_TARGET_") && name.ends_with("_RUSTFLAGS")
    };
    let mut found = variables(is_flags);
    for config in cargo_configs(root) {
        found.extend(configured_flags(&config));
    }
    found.sort_unstable();
    (!found.is_empty()).then(|| found.join(" "))
}

/// Returns the compiler's flags that a configuration of cargo names.
fn configured_flags(config: &toml::Table) -> Vec<String> {
    let flags = |table: &toml::Value| match table.get("rustflags")? {
        toml::Value::String(flags) => Some(flags.clone()),
        toml::Value::Array(flags) => {
            let flags: Vec<&str> = flags.iter().filter_map(toml::Value::as_str).collect();
            Some(flags.join(" "))
        }
        _ => None,
    };
    let mut found = Vec::new();
    if let Some(flags) = config.get("build").and_then(flags) {
        found.push(format!("build: {flags}"));
    }
    let targets = config.get("target").and_then(toml::Value::as_table);
    for (target, table) in targets.into_iter().flatten() {
        if let Some(flags) = flags(table) {
            found.push(format!("{target}: {flags}"));
        }
    }
    found
}

/// Returns what cargo's configuration says for a project: its own file's words before those of the folders around it.
fn cargo_configs(root: &Path) -> Vec<toml::Table> {
    let folders = root.ancestors().map(|folder| folder.join(".cargo"));
    let home = std::env::var_os("CARGO_HOME").map(Into::into);
    let mut seen = Vec::new();
    for folder in folders.chain(home) {
        // The name without an ending is the old one, and wins where both are there.
        let texts =
            ["config", "config.toml"].map(|name| std::fs::read_to_string(folder.join(name)));
        let text = texts.into_iter().find_map(Result::ok);
        if let Some(Ok(config)) = text.map(|text| text.parse::<toml::Table>())
            && !seen.contains(&config)
        {
            seen.push(config);
        }
    }
    seen
}

/// Returns the variables with certain names, in the order of their names.
fn variables(is_meant: impl Fn(&str) -> bool) -> Vec<String> {
    // What is not text is no setting cargo understands.
    let texts = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let mut found: Vec<String> = texts
        .filter(|(name, _)| is_meant(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    found.sort_unstable();
    found
}

fn line_after(text: &str, start: &str) -> Option<String> {
    text.lines()
        .find_map(|line| line.strip_prefix(start))
        .map(str::to_owned)
}

/// Returns what a program says on stdout, if it ends well.
fn said(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns the beginning of the digest of some bytes: sixteen digits.
fn digest(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(16);
    for byte in Sha256::digest(bytes).iter().take(8) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use tripline_model::{ENVIRONMENT_FACTS, Relevance};

    use super::*;
    use crate::baselines;
    use crate::project::Project;

    #[test]
    fn the_nearest_lock_file_decides_what_is_built() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        let inner = root.join("parts/wire");
        std::fs::create_dir_all(inner.join("bench")).unwrap();
        std::fs::write(folder.path().join("Cargo.lock"), "").unwrap();
        assert_eq!(workspace_of(&inner.join("bench"), &root), root);
        std::fs::write(inner.join("Cargo.lock"), "").unwrap();
        assert_eq!(workspace_of(&inner.join("bench"), &root), inner);
        assert_eq!(workspace_of(&root, &root), root);
    }

    #[test]
    fn the_machine_is_seen() {
        let environment = detect(Path::new(env!("CARGO_MANIFEST_DIR")), None).unwrap();
        for fact in ["os", "kernel", "cores", "rustc", "target"] {
            assert!(environment.fact(fact).is_some(), "`{fact}` is not stated");
        }
        assert!(
            environment.fact("valgrind").is_none(),
            "a fact that no step needs is stated"
        );
    }

    /// A fact that neither side states does not differ, and counts of two worlds would be compared.
    #[test]
    fn all_that_counts_depend_on_is_seen_where_a_suite_counts() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let project = Project::find(Some(&root)).unwrap();
        let suites = project.suites_on_demand_too(&[]).unwrap();
        let canary = suites.iter().find(|suite| suite.canary.is_some()).unwrap();
        let environment = detect(&root, Some(canary)).unwrap();
        let counts = ENVIRONMENT_FACTS
            .iter()
            .filter(|row| row.relevance == Relevance::Counts);
        let unseen = counts.filter(|row| environment.fact(row.name).is_none());
        // What is known only once a bench is built, and other harnesses'.
        let elsewhere = ["built_with", "gungraun", "go", "python"];
        // Flags may be given or not.
        let unseen = unseen.filter(|row| row.name != "rustflags");
        let unseen: Vec<&str> = unseen.map(|row| row.name).collect();
        assert_eq!(unseen, elsewhere);
    }

    #[test]
    fn machines_of_one_kind_have_one_class_of_memory() {
        let class = |account: &str| memory_class(account);
        for (kib, gib) in [(24_731_708, 32), (16_372_972, 16), (16_000_000, 16), (1, 1)] {
            let account = format!("MemTotal:       {kib} kB\nMemFree: 1 kB\n");
            assert_eq!(class(&account).unwrap(), format!("up to {gib} GiB"));
        }
        for damaged in ["", "MemTotal:", "MemTotal: much kB", "MemTotal: -1 kB"] {
            assert_eq!(class(damaged), None, "{damaged}");
        }
        assert_eq!(
            class(&format!("MemTotal: {} kB", u64::MAX)).as_deref(),
            Some("up to 17592186044416 GiB")
        );
    }

    #[test]
    fn a_hypervisor_is_told_from_none_and_from_no_answer() {
        let bare = "Architecture:   x86_64\nVirtualization: VT-x\n";
        assert_eq!(virtualization(bare).as_deref(), Some("none"));
        let lent = [
            bare,
            "Hypervisor vendor:    KVM\nVirtualization type:  full",
        ]
        .concat();
        assert_eq!(virtualization(&lent).as_deref(), Some("KVM full"));
        assert_eq!(virtualization(""), None);
        assert_eq!(virtualization("Architecture: aarch64\n"), None);
    }

    #[test]
    fn processors_of_one_name_are_told_apart_and_threads_of_a_core_counted() {
        let told_of = "Vendor ID:            GenuineIntel\nModel name:           Intel(R) Xeon(R) Processor\n\
                       CPU family:           6\nModel:                167\nThread(s) per core:   2\n";
        assert_eq!(cpu_family(told_of).as_deref(), Some("GenuineIntel 6 167"));
        assert_eq!(told(told_of, "Thread(s) per core:").as_deref(), Some("2"));
        assert_eq!(
            (cpu_family(""), told("", "Thread(s) per core:")),
            (None, None)
        );
    }

    #[test]
    fn flags_and_profiles_of_cargos_configuration_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let write = |place: &str, text: &str| {
            let path = folder.path().join(place);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("Cargo.toml", "[profile.bench]\nlto = false\n");
        write(
            ".cargo/config.toml",
            "[profile.bench]\nopt-level = 1\n[build]\nrustflags = [\"-C\", \"target-cpu=native\"]\n\
             [target.'cfg(unix)']\nrustflags = \"--cfg x\"\n",
        );
        let profile = build_profile(folder.path()).unwrap();
        assert!(profile.contains("bench.lto=false"), "{profile}");
        assert!(profile.contains("config:bench.opt-level=1"), "{profile}");
        let configs = cargo_configs(folder.path());
        assert_eq!(
            configured_flags(&configs[0]),
            ["build: -C target-cpu=native", "cfg(unix): --cfg x"]
        );
    }

    #[test]
    fn what_a_bench_does_not_hold_to_is_not_stated() {
        let built = |pins_glibc| Built {
            profile: Some("opt-level 3".to_owned()),
            pins_glibc,
            ..Built::default()
        };
        for (steps, is_stated) in [
            (vec![built(Some(true)), built(None)], true),
            (vec![built(Some(true)), built(Some(false))], false),
        ] {
            let mut environment = Environment::new(EnvironmentName::new("here").unwrap());
            environment.state_text("glibc_tunables", "pinned").unwrap();
            environment.state_text("os", "Debian").unwrap();
            state_built(&mut environment, &steps);
            assert_eq!(environment.fact("glibc_tunables").is_some(), is_stated);
            assert_eq!(
                environment.fact("built_with").unwrap().as_str(),
                "opt-level 3"
            );
            assert!(environment.fact("os").is_some());
        }
    }

    #[test]
    fn the_kept_runs_were_built_as_benches_are_built_now() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let project = Project::find(Some(&root)).unwrap();
        let suites = project.suites_on_demand_too(&[]).unwrap();
        let kept = suites
            .iter()
            .flat_map(|suite| baselines::of_suite(&project, &suite.name).unwrap());
        let kept: Vec<_> = kept.collect();
        assert!(!kept.is_empty());
        for (fact, now) in toolchain(&root) {
            if !["rustc", "profile"].contains(&fact) {
                continue;
            }
            for baseline in &kept {
                let then = baseline.run.environment.fact(fact).unwrap();
                assert_eq!(
                    Some(then.as_str()),
                    now.as_deref(),
                    "no count can be compared with {}: measure its suite anew, or take the change of {fact} back",
                    baseline.path.display()
                );
            }
        }
    }

    #[test]
    fn the_same_machine_is_seen_the_same_way() {
        assert_eq!(loader_digest(&[]), loader_digest(&[]));
        assert_eq!(this_machine(), this_machine());
    }
}
