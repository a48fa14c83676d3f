//! How a remote is reached: what the caller's settings say about it, and the token.
//!
//! Settings come from the repository, the user, the machine and the environment, and any of them could sign, hook,
//! rewrite or trace what we do. So git is asked once for all of them, the few that lead to the remote are carried over,
//! and from then on git sees no others. The token becomes a header for the address of the remote and for no other, and
//! any other header of the kind is left behind: two of them are an error to GitHub.
//!
//! Tested below, and by `tests/hub/git/secrecy.rs` and `tests/hub/git/http.rs`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::path::{Path, PathBuf};
use std::time::Duration;

use url::Url;

use super::Place;
use super::error::Why;
use super::program::{Answer, Call, Surroundings, is_new_enough};
use super::said::Said;
use crate::Token;
use crate::text::shown;

/// What we call the remote.
pub(super) const REMOTE: &str = "hub";

/// What serves a remote on this machine. Such a remote does not give folders without files, as hubs do, unless it is told
/// to; and it is we who start what serves it.
const SERVES_PARTS: &str = "git -c uploadpack.allowFilter=true upload-pack";

/// Nothing is asked that would take longer.
const ASKING_TIME_MAX: Duration = Duration::from_secs(60);

/// The settings by which a remote is reached.
#[derive(Debug)]
pub(super) struct Reach {
    /// Where git stands: an address may be a path from there.
    pub(super) folder: PathBuf,
    /// Keys and values.
    pub(super) settings: Vec<(String, String)>,
    /// What must not be repeated.
    pub(super) secrets: Vec<String>,
}

impl Reach {
    /// Asks the caller's repository.
    pub(super) fn of(place: &Place<'_>) -> Result<Self, Why> {
        let here = place.repository;
        let version = ask(place, here, &["version"])?;
        let words = String::from_utf8_lossy(&version.out);
        if !is_new_enough(&words) {
            let found = Said::new(words.trim_start_matches("git version ").as_bytes(), &[]);
            return Err(Why::OldGit { found });
        }
        let folder = top_of(place)?;
        let listing = ask(place, &folder, &["config", "--null", "--list"])?;
        let listed = listed(&listing.out);
        let carried = listed
            .iter()
            .filter_map(|(key, value)| Some((carried_as(key, value, place)?, (*value).to_owned())));
        let mut reach = Self {
            folder,
            settings: carried.collect(),
            secrets: Vec::new(),
        };
        let is_known = reach.settings.iter().any(|(key, _)| *key == url_key());
        if !is_known {
            reach.settings.push((url_key(), address(place.remote)?));
        }
        reach.serve_parts(place)?;
        if let Some(token) = place.token {
            reach.add_token(place, token, is_known)?;
        }
        reach.remember_secrets(place.token);
        Ok(reach)
    }

    /// Has a remote on this machine served in parts, if nobody says how else it is served.
    fn serve_parts(&mut self, place: &Place<'_>) -> Result<(), Why> {
        let key = format!("remote.{REMOTE}.uploadpack");
        if self.settings.iter().all(|(known, _)| *known != key) {
            let question = ["ls-remote", "--get-url", "--", place.remote];
            let answer = ask(place, &self.folder, &question)?;
            if is_on_this_machine(&String::from_utf8_lossy(&answer.out)) {
                self.settings.push((key, SERVES_PARTS.to_owned()));
            }
        }
        Ok(())
    }

    /// Adds the header that carries the token, for each address that begins with `http`.
    fn add_token(&mut self, place: &Place<'_>, token: &Token, is_known: bool) -> Result<(), Why> {
        let mut questions: Vec<&[&str]> = vec![&["ls-remote", "--get-url", "--"]];
        if is_known {
            questions.push(&["remote", "get-url", "--push", "--all", "--"]);
        }
        let credentials = STANDARD.encode(format!("x-access-token:{}", token.reveal()));
        for question in questions {
            let answer = ask(place, &self.folder, &[question, &[place.remote]].concat())?;
            for line in String::from_utf8_lossy(&answer.out).lines() {
                let setting = header_key(line)
                    .map(|key| (key, format!("Authorization: Basic {credentials}")));
                let is_new = setting
                    .as_ref()
                    .is_some_and(|new| !self.settings.contains(new));
                self.settings.extend(setting.filter(|_| is_new));
            }
        }
        Ok(())
    }

    fn remember_secrets(&mut self, token: Option<&Token>) {
        let headers = self
            .settings
            .iter()
            .filter(|(key, _)| key.ends_with(".extraheader"));
        let last_words = headers.filter_map(|(_, value)| value.split_whitespace().next_back());
        let mut secrets: Vec<String> = last_words.map(str::to_owned).collect();
        secrets.extend(token.map(|token| token.reveal().to_owned()));
        self.secrets = secrets;
    }
}

/// Asks git something that it knows without asking the remote.
fn ask(place: &Place<'_>, folder: &Path, args: &[&str]) -> Result<Answer, Why> {
    place.git.run(&Call {
        args,
        folder,
        surroundings: Surroundings::Callers,
        variables: Vec::new(),
        input: &[],
        time: ASKING_TIME_MAX,
    })
}

/// Returns the folder that git takes paths from: the top of the work tree, or the repository itself where it has none.
fn top_of(place: &Place<'_>) -> Result<PathBuf, Why> {
    let args = ["rev-parse", "--absolute-git-dir", "--show-cdup"];
    let answer = ask(place, place.repository, &args)?;
    if !answer.is_success {
        return Err(Why::NoRepository {
            folder: place.repository.to_owned(),
            said: Said::new(&answer.err, &[]),
        });
    }
    let words = String::from_utf8_lossy(&answer.out);
    let up = words.lines().nth(1).unwrap_or_default();
    Ok(place.repository.join(up))
}

/// Returns keys and values as git lists them with zero bytes in between. A key alone says yes.
fn listed(listing: &[u8]) -> Vec<(String, String)> {
    let entries = listing
        .split(|byte| *byte == 0)
        .filter(|entry| !entry.is_empty());
    let entries = entries.map(|entry| String::from_utf8_lossy(entry).into_owned());
    entries
        .map(|entry| match entry.split_once('\n') {
            Some((key, value)) => (key.to_owned(), value.to_owned()),
            None => (entry, "true".to_owned()),
        })
        .collect()
}

/// Returns the key under which a setting is carried over, if it says how to reach the remote.
fn carried_as(key: &str, value: &str, place: &Place<'_>) -> Option<String> {
    const OF_A_REMOTE: &[&str] = &[
        "url",
        "pushurl",
        "proxy",
        "proxyauthmethod",
        "uploadpack",
        "receivepack",
    ];
    let (section, rest) = key.split_once('.')?;
    let (_, name) = key.rsplit_once('.')?;
    let has_token = place.token.is_some();
    let is_authorization = || {
        value
            .trim_start()
            .to_ascii_lowercase()
            .starts_with("authorization:")
    };
    let is_carried = match section {
        "url" | "protocol" | "ssh" => true,
        "http" => !(has_token && name == "extraheader" && is_authorization()),
        "credential" => !has_token,
        "core" => matches!(rest, "sshcommand" | "gitproxy") || (rest == "askpass" && !has_token),
        "remote" => {
            let name = rest.strip_prefix(place.remote)?.strip_prefix('.')?;
            return OF_A_REMOTE
                .contains(&name)
                .then(|| format!("remote.{REMOTE}.{name}"));
        }
        _ => false,
    };
    is_carried.then(|| key.to_owned())
}

fn url_key() -> String {
    format!("remote.{REMOTE}.url")
}

/// Checks what is no name of a remote: an address has a colon or a slash.
fn address(given: &str) -> Result<String, Why> {
    let has_password = Url::parse(given).is_ok_and(|url| url.password().is_some());
    if has_password {
        Err(Why::PasswordInAddress)
    } else if given.contains([':', '/']) && !given.contains(char::is_control) {
        Ok(given.to_owned())
    } else {
        let remote = shown(given, 80);
        Err(Why::NoRemote { remote })
    }
}

/// Returns whether an address is a path, in one of the forms that can be nothing else.
fn is_on_this_machine(address: &str) -> bool {
    let beginnings = ["file://", "/", "./", "../"];
    beginnings.iter().any(|sign| address.starts_with(sign))
}

/// Returns the setting that adds a header to requests to an address, without who asks.
fn header_key(address: &str) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    Some(format!("http.{url}.extraheader"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemClock;
    use crate::git::{Git, Tries};

    fn carried(key: &str, value: &str, token: Option<&Token>) -> Option<String> {
        let place = Place {
            git: &Git::on_path(),
            repository: Path::new("."),
            remote: "origin",
            token,
            tries: Tries::of_a_job(0),
            clock: &SystemClock,
        };
        carried_as(key, value, &place)
    }

    #[test]
    fn only_what_leads_to_the_remote_is_carried_over() {
        for key in [
            "http.proxy",
            "http.https://ghe.example/.sslcainfo",
            "url.file:///repos/.insteadof",
            "credential.helper",
            "core.sshcommand",
            "ssh.variant",
            "protocol.file.allow",
        ] {
            assert_eq!(carried(key, "x", None).as_deref(), Some(key));
        }
        for key in [
            "core.hookspath",
            "core.fsmonitor",
            "core.worktree",
            "commit.gpgsign",
            "push.followtags",
            "push.pushoption",
            "trace2.configparams",
            "alias.push",
            "remote.origin.fetch",
            "remote.origin.mirror",
            "remote.other.url",
            "remote.origin.x.url",
            "remote.pushdefault",
            "plain",
        ] {
            assert_eq!(carried(key, "x", None), None, "{key}");
        }
        assert_eq!(
            carried("remote.origin.pushurl", "x", None).as_deref(),
            Some("remote.hub.pushurl")
        );
    }

    #[test]
    fn beside_a_token_nothing_else_says_who_we_are() {
        let token = Token::new("ghs_x").unwrap();
        let header = "http.https://github.com/.extraheader";
        assert!(carried(header, "AUTHORIZATION: basic abc", None).is_some());
        assert_eq!(
            carried(header, "AUTHORIZATION: basic abc", Some(&token)),
            None
        );
        assert!(carried(header, "X-Trace: 1", Some(&token)).is_some());
        assert_eq!(carried("credential.helper", "store", Some(&token)), None);
    }

    #[test]
    fn the_header_is_for_one_address() {
        for (address, expected) in [
            (
                "https://github.com/a/b.git",
                Some("http.https://github.com/a/b.git.extraheader"),
            ),
            (
                "https://me:pw@ghe.example:8443/a/b?c#d",
                Some("http.https://ghe.example:8443/a/b.extraheader"),
            ),
            (
                "http://127.0.0.1:80/a",
                Some("http.http://127.0.0.1/a.extraheader"),
            ),
            ("git@github.com:a/b.git", None),
            ("ssh://git@github.com/a/b", None),
            ("file:///repos/a.git", None),
            ("../a.git", None),
        ] {
            assert_eq!(header_key(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn a_host_is_not_this_machine() {
        for here in ["file:///repos/a.git", "/repos/a.git", "../a.git", "./a"] {
            assert!(is_on_this_machine(here), "{here}");
        }
        for far in [
            "https://github.com/a/b",
            "git@github.com:/a/b",
            "ssh://h/a",
            "host:../a",
            "a",
        ] {
            assert!(!is_on_this_machine(far), "{far}");
        }
    }

    #[test]
    fn what_is_no_name_must_be_an_address_without_a_password() {
        for good in [
            "https://github.com/a/b",
            "git@github.com:a/b.git",
            "../a.git",
            "https://me@github.com/a",
        ] {
            assert_eq!(address(good).expect(good), good);
        }
        let secret = address("https://me:hunter2@github.com/a").expect_err("a password");
        assert!(!format!("{secret} {secret:?}").contains("hunter2"));
        for bad in ["upstream", "", "a\nb:c"] {
            assert!(matches!(address(bad), Err(Why::NoRemote { .. })), "{bad:?}");
        }
    }

    #[test]
    fn settings_are_listed_with_zero_bytes_in_between() {
        let listing = b"a.b\nc\nd\0e.f\0g.h\n\0";
        let expected = [("a.b", "c\nd"), ("e.f", "true"), ("g.h", "")];
        assert_eq!(
            listed(listing),
            expected.map(|(key, value)| (key.to_owned(), value.to_owned()))
        );
    }
}
