//! What every test here stands on: a fake GitHub, a client of it, and a clock that waits for nothing.

mod scripted;
mod zips;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fake_github::{Fake, Fault, FaultKind, Pull, Rights, Side, World};
use jiff::Timestamp;
use proptest::test_runner::{Config, RngSeed};
use tripline_hub::{
    Client, Clock, Head, HeadRepository, Patience, RunId, Settings, Token, WorkflowRun,
};

pub(crate) use scripted::{Scripted, answer};
pub(crate) use zips::{Entry, Zip, deflated};

/// The token that may write. Nothing but a header may ever hold it.
pub(crate) const TOKEN: &str = "ghs_0123456789secret";
/// The token that may only read.
pub(crate) const READ_TOKEN: &str = "ghs_0123456789reader";
/// The repository under test.
pub(crate) const HOME: &str = "acme/demo";
/// The commit that pull request 7 brings.
pub(crate) const HEAD: &str = "1111111111111111111111111111111111111111";
/// The commit that pull request 7 is to change.
pub(crate) const BASE: &str = "2222222222222222222222222222222222222222";

/// A clock on which time passes only by sleeping, and a record of that.
#[derive(Debug)]
pub(crate) struct TestClock {
    start: Timestamp,
    sleeps: Mutex<Vec<Duration>>,
}

impl Default for TestClock {
    /// Begins now, because the fake's limits end at times of the real clock.
    fn default() -> Self {
        Self {
            start: Timestamp::now(),
            sleeps: Mutex::default(),
        }
    }
}

impl TestClock {
    /// Returns every sleep so far.
    pub(crate) fn sleeps(&self) -> Vec<Duration> {
        self.sleeps.lock().unwrap().clone()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.start + self.sleeps().iter().sum::<Duration>()
    }

    fn sleep(&self, time: Duration) {
        self.sleeps.lock().unwrap().push(time);
    }
}

/// Returns a clock.
pub(crate) fn clock() -> Arc<TestClock> {
    Arc::default()
}

/// A fake GitHub. When it goes, it complains about every request that GitHub's description forbids.
pub(crate) struct Hub {
    pub(crate) fake: Fake,
    pub(crate) clock: Arc<TestClock>,
}

impl Hub {
    /// Starts with this world.
    pub(crate) fn start(world: World) -> Self {
        let world = world
            .with_token(TOKEN, Rights::bot())
            .with_token(READ_TOKEN, Rights::read_only());
        Self {
            fake: Fake::start(world),
            clock: Arc::default(),
        }
    }

    /// Returns a client that may write.
    pub(crate) fn client(&self) -> Client {
        self.client_with(TOKEN)
    }

    /// Returns a client with another token.
    pub(crate) fn client_with(&self, token: &str) -> Client {
        let clock = Arc::clone(&self.clock);
        Client::new(settings(&self.fake.url(), token, clock))
    }

    /// Lets the next request that fits go wrong.
    pub(crate) fn fail(&self, method: &str, path: &str, kind: FaultKind, times: u32) {
        let path = format!("/repos/{HOME}/{path}");
        self.fake
            .fail_next(Fault::on(method, &path, kind).times(times));
    }

    /// Returns every request so far as method, path below the repository, and status.
    pub(crate) fn requests(&self) -> Vec<String> {
        let home = format!("/repos/{HOME}/");
        let seen = self.fake.seen().into_iter();
        seen.map(|seen| {
            let path = seen.path.strip_prefix(&home).unwrap_or(&seen.path);
            format!("{} {path} {}", seen.method, seen.status)
        })
        .collect()
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.fake.violations(), [""; 0]);
        }
    }
}

/// Returns what a client needs to know.
pub(crate) fn settings(api: &str, token: &str, clock: Arc<TestClock>) -> Settings {
    Settings {
        api: api.parse().unwrap(),
        repository: HOME.parse().unwrap(),
        token: Token::new(token).unwrap(),
        patience: Patience::default(),
        clock,
        jitter_seed: 7,
    }
}

/// Returns a world with pull request 7, from a branch of the repository itself.
pub(crate) fn world() -> World {
    let head = Side::new(HOME, "feature", HEAD);
    World::new(HOME).with_pull(Pull::new(7, head, Side::new(HOME, "main", BASE)))
}

/// Returns the workflow run that pull request 7 caused, or one from a fork.
pub(crate) fn run_of(world: &World, repository: &str, branch: &str, head: &str) -> WorkflowRun {
    let id = |name: &str| world.repository(name).unwrap().id;
    let (owner, _) = repository.split_once('/').unwrap();
    WorkflowRun {
        run: RunId { id: 42, attempt: 1 },
        name: Some("bench".parse().unwrap()),
        path: ".github/workflows/bench-pr.yml".parse().unwrap(),
        event: "pull_request".parse().unwrap(),
        conclusion: Some("success".parse().unwrap()),
        head: Head {
            commit: head.parse().unwrap(),
            branch: Some(branch.parse().unwrap()),
            repository: Some(HeadRepository {
                id: id(repository),
                owner: owner.parse().unwrap(),
            }),
        },
        repository_id: id(HOME),
        pull_requests: Vec::new(),
    }
}

/// Returns an error with all its causes, as the binary shows it.
pub(crate) fn told(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    let told = std::iter::once(error.to_string());
    told.chain(causes.map(|cause| format!("\n  caused by: {cause}")))
        .collect()
}

/// Returns how properties are tested: with the same values each time.
pub(crate) fn same_each_time() -> Config {
    Config {
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..Config::default()
    }
}
