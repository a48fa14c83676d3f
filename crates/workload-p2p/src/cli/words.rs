//! What the program is asked to do. The names are those of the published program, where it has them.
//!
//! Tests: what is asked for comes out; every slip says which word is wrong; the help has every option, and no other number
//! than holds.

use std::ops::RangeInclusive;

use crate::{Address, Check, Exchange, Settings, WRITE_BYTES_MAX};

/// None would be measured as nothing; more than a million is a slip, and would not fit into memory some day.
const COUNTS: RangeInclusive<usize> = 1..=1_000_000;

/// Less would never end, and more does not stand in one piece.
const WRITE_BYTES: RangeInclusive<usize> = 1..=WRITE_BYTES_MAX;

/// How the program is used.
pub const HELP: &str = "\
usage: server --listen-address ADDRESS [--node-key TEXT]
       client --server-address ADDRESS [--upload-bytes N] [--download-bytes N] [--repeats N]
       client-substream --server-address ADDRESS [--substreams N]
       --help

server            serves whoever connects, until it is stopped
client            has exchanges on one connection, each on a substream of its own
client-substream  opens substreams, all at once

--listen-address ADDRESS  where it listens; port 0 is any that is free
--node-key TEXT           what its identity is made of (secret)
--server-address ADDRESS  where the server is
--upload-bytes N          how much goes to the server (0), 1099511627776 at the most
--download-bytes N        how much comes from it (0), 1099511627776 at the most
--repeats N               how many exchanges (1), from 1 to 1000000
--substreams N            how many are opened (1), from 1 to 1000000

All take:
--write-bytes N           how much is written at once (65536), from 1 to 65537
--check count|digest      what is done with what arrives (count)
--timeout-ms N            how long connecting, agreeing on keys, opening substreams and exchanging
                          may each show nothing new (10000); a server keeps whoever asks for nothing
                          for 60000

An address is `/ip4/127.0.0.1/tcp/33333`, with `/p2p/NAME` behind it if the node must be that one.
Said twice, an option counts as it was said last.

stdout has a line of JSON: of a server where it listens and each exchange, of a client each exchange or
the substreams. Times are in nanoseconds from the beginning; what a side does not count is null.
The exit code is 0 if all was done, 1 if something was not, and 2 if it was not clear what.
";

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
    /// It is a number, and none that can stand there.
    #[error("nothing was done: `{name}` takes {} to {}, and not {found}", range.start(), range.end())]
    OutOfRange {
        /// The option.
        name: String,
        /// What it takes.
        range: RangeInclusive<usize>,
        /// What stands behind it.
        found: String,
    },
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

    /// A number that has bounds.
    fn bounded(
        &mut self,
        name: &str,
        range: &RangeInclusive<usize>,
        default: usize,
    ) -> Result<usize, Unclear> {
        let found: u128 = self.number(name, default as u128)?;
        let fits = usize::try_from(found).ok().filter(|it| range.contains(it));
        fits.ok_or_else(|| Unclear::OutOfRange {
            name: format!("--{name}"),
            range: range.clone(),
            found: found.to_string(),
        })
    }

    fn address(&mut self, name: &str, shown: &'static str) -> Result<Address, Unclear> {
        self.take(name, |value| value.parse().ok())?
            .ok_or(Unclear::Missing(shown))
    }
}

impl Words {
    /// Reads what stood behind the program's name; nothing where somebody asks how it is used.
    pub fn parse(words: impl Iterator<Item = String>) -> Result<Option<Self>, Unclear> {
        let mut words = words.peekable();
        let verb = words.next().unwrap_or_default();
        if is_help(&verb) || words.peek().is_some_and(|word| is_help(word)) {
            return Ok(None);
        }
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
                let repeats = options.bounded("repeats", &COUNTS, 1)?;
                let address = options.address("server-address", "--server-address")?;
                (Verb::Exchange { exchange, repeats }, address)
            }
            "client-substream" => {
                let count = options.bounded("substreams", &COUNTS, 1)?;
                (
                    Verb::Substreams { count },
                    options.address("server-address", "--server-address")?,
                )
            }
            _ => return Err(Unclear::NoVerb(verb)),
        };
        match options.0.into_iter().next() {
            Some((name, _)) => Err(Unclear::Unknown(format!("--{name}"))),
            None => Ok(Some(Self {
                verb,
                address,
                settings,
            })),
        }
    }
}

fn is_help(word: &str) -> bool {
    matches!(word, "-h" | "--help" | "help")
}

fn settings(options: &mut Options) -> Result<Settings, Unclear> {
    let default = Settings::default();
    let check = options.take("check", |value| match value {
        "count" => Some(Check::Count),
        "digest" => Some(Check::Digest),
        _ => None,
    })?;
    let write_bytes = options.bounded("write-bytes", &WRITE_BYTES, default.write_bytes)?;
    let timeout = options.take("timeout-ms", |value| value.parse().ok())?;
    let timeout = timeout.map_or(default.stall, std::time::Duration::from_millis);
    Ok(Settings {
        connect: timeout,
        secure: timeout,
        open: timeout,
        stall: timeout,
        write_bytes,
        check: check.unwrap_or(default.check),
        ..default
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Words, Unclear> {
        match Words::parse(text.split_whitespace().map(str::to_owned))? {
            Some(words) => Ok(words),
            None => panic!("`{text}` asks for something to be done"),
        }
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
                "`--write-bytes` takes 1 to 65537, and not 0",
            ),
            (
                "server --listen-address /ip4/127.0.0.1/tcp/1 --write-bytes 65538",
                "`--write-bytes` takes 1 to 65537, and not 65538",
            ),
            (
                "client --server-address /ip4/127.0.0.1/tcp/1 --write-bytes much",
                "`much` is no value for `--write-bytes`",
            ),
            (
                "client --server-address /ip4/127.0.0.1/tcp/1 --repeats 18446744073709551616",
                "`--repeats` takes 1 to 1000000, and not 18446744073709551616",
            ),
            (
                "client --server-address /ip4/127.0.0.1/tcp/1 --repeats 0",
                "`--repeats`",
            ),
            (
                "client-substream --server-address /ip4/127.0.0.1/tcp/1 --substreams 0",
                "`--substreams`",
            ),
            (
                "client-substream --server-address /ip4/127.0.0.1/tcp/1 --substreams 1000001",
                "`--substreams` takes 1 to 1000000, and not 1000001",
            ),
        ] {
            let said = said(text);
            assert!(
                said.starts_with("nothing was done: ") && said.contains(word),
                "{said}"
            );
        }
    }

    #[test]
    fn the_most_that_is_written_at_once_is_taken() {
        let words = parse("server --listen-address /ip4/127.0.0.1/tcp/0 --write-bytes 65537");
        assert_eq!(words.unwrap().settings.write_bytes, WRITE_BYTES_MAX);
    }

    #[test]
    fn whoever_asks_for_help_gets_it() {
        for text in ["--help", "-h", "help", "client --help", "server -h"] {
            let wanted = Words::parse(text.split_whitespace().map(str::to_owned));
            assert!(matches!(wanted, Ok(None)), "{text}");
        }
    }

    #[test]
    fn the_help_has_every_option_and_the_numbers_that_hold() {
        const VERBS: [&str; 3] = [
            "server --listen-address /ip4/127.0.0.1/tcp/1",
            "client --server-address /ip4/127.0.0.1/tcp/1",
            "client-substream --server-address /ip4/127.0.0.1/tcp/1",
        ];
        let default = Settings::default();
        let counts = format!("(1), from {} to {}\n", COUNTS.start(), COUNTS.end());
        let bytes = format!("(0), {} at the most\n", default.bytes_max);
        let [patience, idle] = [default.stall, default.idle].map(|time| time.as_millis());
        let writes = default.write_bytes;
        for (option, value, told) in [
            ("--node-key", "k", "(secret)".to_owned()),
            ("--upload-bytes", "1", bytes.clone()),
            ("--download-bytes", "1", bytes),
            ("--repeats", "1", counts.clone()),
            ("--substreams", "1", counts),
            (
                "--write-bytes",
                "1",
                format!("({writes}), from 1 to {WRITE_BYTES_MAX}\n"),
            ),
            ("--check", "digest", "(count)".to_owned()),
            ("--timeout-ms", "1", format!("({patience}); a server")),
            ("--timeout-ms", "1", format!("for {idle}\n")),
        ] {
            let taken = VERBS
                .iter()
                .any(|verb| parse(&format!("{verb} {option} {value}")).is_ok());
            let line = format!("\n{option} ");
            let (_, rest) = HELP.split_once(&line).expect("it has a line of its own");
            let paragraph = rest.split("\n--").next().map(|told| format!("{told}\n"));
            let paragraph = paragraph.unwrap_or_default();
            assert!(taken && paragraph.contains(&told), "{option}: {told}");
        }
    }
}
