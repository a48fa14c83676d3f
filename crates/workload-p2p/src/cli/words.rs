//! What the program is asked to do. The names are those of the published program, where it has them.
//!
//! Tests: what is asked for comes out; every slip says which word is wrong.

use crate::{Address, Check, Exchange, Settings};

/// More is a slip, and would not fit into memory some day.
const COUNT_MAX: usize = 1_000_000;

/// How the program is used.
pub const HELP: &str = "\
usage: server --listen-address ADDRESS [--node-key TEXT]
       client --server-address ADDRESS [--upload-bytes N] [--download-bytes N] [--repeats N]
       client-substream --server-address ADDRESS [--substreams N]

An address is `/ip4/127.0.0.1/tcp/33333`, with `/p2p/NAME` behind it if the node must be that one.
All take `--write-bytes N` (65536), `--check count|digest` (count) and `--timeout-ms N` (10000).
Repeats and substreams are a million at the most.
What was measured is a line of JSON on stdout, its times in nanoseconds.";

/// What the program is asked to do.
#[derive(Clone, Debug)]
pub struct Words {
    pub(super) verb: Verb,
    pub(super) address: Address,
    pub(super) settings: Settings,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Serve { key: String },
    Exchange { exchange: Exchange, repeats: usize },
    Substreams { count: usize },
}

/// What is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unclear {
    /// There is no such thing to do.
    #[error("nothing was done: `{0}` is none of `server`, `client` and `client-substream`")]
    NoVerb(String),
    /// It is not known there.
    #[error("nothing was done: `{0}` is not known here")]
    Unknown(String),
    /// It needs something behind it.
    #[error("nothing was done: `{0}` needs a value")]
    NoValue(String),
    /// What stands behind it is none of what can stand there.
    #[error("nothing was done: `{1}` is no value for `{0}`")]
    BadValue(String, String),
    /// It is needed.
    #[error("nothing was done: `{0}` is missing")]
    Missing(&'static str),
}

struct Options(Vec<(String, String)>);

impl Options {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, Unclear> {
        let mut options = Vec::new();
        while let Some(word) = words.next() {
            let name = word
                .strip_prefix("--")
                .ok_or_else(|| Unclear::Unknown(word.clone()))?;
            let value = words.next().ok_or_else(|| Unclear::NoValue(word.clone()))?;
            options.push((name.to_owned(), value));
        }
        Ok(Self(options))
    }

    /// Takes an option out. Said twice, the last one counts.
    fn take<T>(
        &mut self,
        name: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Unclear> {
        let mut taken = None;
        for (_, value) in self.0.extract_if(.., |(known, _)| known == name) {
            let parsed = parse(&value).ok_or_else(|| Unclear::BadValue(format!("--{name}"), value));
            taken = Some(parsed?);
        }
        Ok(taken)
    }

    fn number<T: std::str::FromStr>(&mut self, name: &str, default: T) -> Result<T, Unclear> {
        Ok(self
            .take(name, |value| value.parse().ok())?
            .unwrap_or(default))
    }

    /// A number of things that there is room for.
    fn count(&mut self, name: &str, default: usize) -> Result<usize, Unclear> {
        let parse = |value: &str| value.parse().ok().filter(|count| *count <= COUNT_MAX);
        Ok(self.take(name, parse)?.unwrap_or(default))
    }

    fn address(&mut self, name: &str, shown: &'static str) -> Result<Address, Unclear> {
        self.take(name, |value| value.parse().ok())?
            .ok_or(Unclear::Missing(shown))
    }
}

impl Words {
    /// Reads what stood behind the program's name.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, Unclear> {
        let verb = words.next().unwrap_or_default();
        let mut options = Options::parse(words)?;
        let settings = settings(&mut options)?;
        let (verb, address) = match &*verb {
            "server" => {
                let key = options.take("node-key", |value| Some(value.to_owned()))?;
                let key = key.unwrap_or_else(|| "secret".to_owned());
                (
                    Verb::Serve { key },
                    options.address("listen-address", "--listen-address")?,
                )
            }
            "client" => {
                let exchange = Exchange {
                    upload: options.number("upload-bytes", 0)?,
                    download: options.number("download-bytes", 0)?,
                };
                let repeats = options.count("repeats", 1)?;
                let address = options.address("server-address", "--server-address")?;
                (Verb::Exchange { exchange, repeats }, address)
            }
            "client-substream" => {
                let count = options.count("substreams", 1)?;
                (
                    Verb::Substreams { count },
                    options.address("server-address", "--server-address")?,
                )
            }
            _ => return Err(Unclear::NoVerb(verb)),
        };
        match options.0.into_iter().next() {
            Some((name, _)) => Err(Unclear::Unknown(format!("--{name}"))),
            None => Ok(Self {
                verb,
                address,
                settings,
            }),
        }
    }
}

fn settings(options: &mut Options) -> Result<Settings, Unclear> {
    let default = Settings::default();
    let check = options.take("check", |value| match value {
        "count" => Some(Check::Count),
        "digest" => Some(Check::Digest),
        _ => None,
    })?;
    let write_bytes = options.take("write-bytes", |value| {
        value.parse().ok().filter(|bytes| *bytes > 0)
    })?;
    let timeout = options.take("timeout-ms", |value| value.parse().ok())?;
    let timeout = timeout.map_or(default.stall, std::time::Duration::from_millis);
    Ok(Settings {
        connect: timeout,
        secure: timeout,
        open: timeout,
        stall: timeout,
        write_bytes: write_bytes.unwrap_or(default.write_bytes),
        check: check.unwrap_or(default.check),
        ..default
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Words, Unclear> {
        Words::parse(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn what_is_asked_for_comes_out() {
        let words = parse(
            "client --server-address /ip4/127.0.0.1/tcp/1 --upload-bytes 5 --upload-bytes 6 --check digest --write-bytes 1024",
        )
        .unwrap();
        let exchange = Exchange {
            upload: 6,
            download: 0,
        };
        assert_eq!(
            words.verb,
            Verb::Exchange {
                exchange,
                repeats: 1
            }
        );
        assert_eq!(words.address.to_string(), "/ip4/127.0.0.1/tcp/1");
        assert_eq!(
            (words.settings.write_bytes, words.settings.check),
            (1_024, Check::Digest)
        );
        let words = parse("server --listen-address /ip6/::/tcp/0 --node-key k").unwrap();
        assert_eq!(
            words.verb,
            Verb::Serve {
                key: "k".to_owned()
            }
        );
    }

    #[test]
    fn every_slip_says_which_word_is_wrong() {
        let said = |text| parse(text).unwrap_err().to_string();
        for (text, word) in [
            ("", "``"),
            ("clients", "`clients`"),
            ("client", "`--server-address`"),
            ("server", "`--listen-address`"),
            ("client --server-address", "`--server-address`"),
            ("client --server-address nowhere", "`nowhere`"),
            ("client stray", "`stray`"),
            (
                "client --server-address /ip4/127.0.0.1/tcp/1 --upload-bytes -1",
                "`-1`",
            ),
            (
                "client --server-address /ip4/127.0.0.1/tcp/1 --substreams 1",
                "`--substreams`",
            ),
            (
                "client --server-address /ip4/127.0.0.1/tcp/1 --write-bytes 0",
                "`--write-bytes`",
            ),
            (
                "client --server-address /ip4/127.0.0.1/tcp/1 --repeats 18446744073709551615",
                "`--repeats`",
            ),
            (
                "client-substream --server-address /ip4/127.0.0.1/tcp/1 --substreams 1000001",
                "`--substreams`",
            ),
        ] {
            let said = said(text);
            assert!(
                said.starts_with("nothing was done: ") && said.contains(word),
                "{said}"
            );
        }
    }
}
