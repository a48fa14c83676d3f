//! A stateful stand-in for GitHub's REST interface, for tests.
//!
//! It remembers what it is told, refuses what GitHub refuses in GitHub's words, and fails on demand. Every request and every
//! answer is held to the interface that GitHub publishes (`contract/`): a request that it forbids is answered 422 and is
//! found in [`Fake::violations`]; what the description does not say (limits, pages, who may do what) is written by hand.
//!
//! ```
//! use fake_github::{Fake, Fault, FaultKind, Permission, Pull, Rights, Side, World};
//!
//! let head = Side::new("mallory/demo", "main", "1111111111111111111111111111111111111111");
//! let base = Side::new("acme/demo", "main", "2222222222222222222222222222222222222222");
//! let fake = Fake::start(
//!     World::new("acme/demo")
//!         .with_fork("mallory/demo")
//!         .with_user("ada", Permission::Write)
//!         .with_pull(Pull::new(7, head, base))
//!         .with_token("t-write", Rights::bot())
//!         .with_token("t-read", Rights::read_only()),
//! );
//! fake.fail_next(Fault::on("GET", "/repos/acme/demo/issues/7/comments", FaultKind::Status(502)));
//! // .. let the client do its work at fake.url() ..
//! assert_eq!(fake.world().comments_on(7).len(), 0);
//! assert_eq!(fake.violations(), [""; 0]);
//! ```
//!
//! What a test may rely on, and would not guess:
//!
//! - What GitHub silently ignores is refused here: members, parameters and versions of the interface that the description
//!   does not know. What GitHub silently does is done here: a page has at most 100 items whatever is asked for, and a
//!   `head` without an owner is no filter.
//! - Links to further pages name the repository by number, so they are followed or lead nowhere.
//! - Artifacts are kept under the server's other name (`localhost`), where a token must not be sent.
//! - Of a comment's length, the 65,536 characters of GitHub's own message are held, though GitHub may take more.
//! - Branches and commits are a repository's own ([`Repository::refs`], [`Repository::commits`]); everything else belongs to the
//!   first repository. [`World::push`] moves a branch and its pull requests; setting a pull request's head moves that alone.
//! - The program of the same name serves a world from a file, for scripts.
//!
//! Tested in `tests/fake/`: every refusal word for word, every operation once, and every fault.

mod answer;
mod call;
mod contract;
mod fake;
mod fault;
mod operations;
mod outputs;
mod reply;
mod request;
mod rights;
mod seen;
mod server;
mod time;
mod views;
mod world;

pub use contract::TEXT as CONTRACT;
pub use fake::Fake;
pub use fault::{Fault, FaultKind};
pub use seen::Seen;
pub use world::*;

/// The operations that are answered, as GitHub calls them.
pub fn operations() -> Vec<&'static str> {
    operations::ROWS.iter().map(|row| row.id).collect()
}
