//! What somebody asks for in a comment: `/tripline accept kv/get* --report 42 because the cache went`.
//!
//! The first line counts, and all of it: what is not understood is said, never guessed. It names the report that was
//! read, because another may have been published before the comment was sent, and nobody takes what they have not seen.
//! Tested below.

use tripline_judge::BenchPattern;
use tripline_model::MetricName;

/// How a request is written, for the answer to one that was not understood.
pub(super) const FORM: &str =
    "/tripline accept BENCHMARK [--metric METRIC] --report NUMBER because REASON";

/// The longest reason that is taken, in characters.
const REASON_CHARS_MAX: usize = 500;

/// What people put around a benchmark, so that neither a shell nor Markdown takes a `*` for its own.
const QUOTES: [char; 3] = ['\'', '"', '`'];

/// Something to be accepted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    /// The benchmarks.
    pub(super) benchmark: BenchPattern,
    /// The metric; without one, every metric that got worse.
    pub(super) metric: Option<MetricName>,
    /// The number of the report that was read.
    pub(super) report: u64,
    /// Why.
    pub(super) because: String,
}

impl Request {
    /// Reads a comment, and says what is wrong with it.
    pub(super) fn read(comment: &str) -> Result<Self, String> {
        let line = comment.lines().next().unwrap_or_default().trim();
        let (asked, because) = line.split_once(" because ").ok_or("it gives no reason")?;
        let because = because.trim();
        if because.is_empty() || because.chars().count() > REASON_CHARS_MAX {
            return Err(format!("a reason has up to {REASON_CHARS_MAX} characters"));
        }
        if because.chars().any(char::is_control) {
            return Err("the reason has characters that cannot be seen".to_owned());
        }
        let words: Vec<&str> = asked.split_whitespace().collect();
        let ["/tripline", "accept", benchmark, options @ ..] = &words[..] else {
            return Err("it is none that is known".to_owned());
        };
        let (metric, report) = read_options(options)?;
        let report = report.ok_or(
            "it does not say which report was read; the comment that told the report has its number",
        )?;
        let benchmark = unquoted(benchmark);
        Ok(Self {
            benchmark: benchmark.parse().map_err(|error| format!("{error}"))?,
            metric,
            report,
            because: because.to_owned(),
        })
    }
}

/// Reads the options, each with its value, in whatever order.
fn read_options(options: &[&str]) -> Result<(Option<MetricName>, Option<u64>), String> {
    let (mut metric, mut report) = (None, None);
    for option in options.chunks(2) {
        match option {
            ["--metric", value] if metric.is_none() => {
                metric = Some(MetricName::new(unquoted(value)).map_err(|error| error.to_string())?);
            }
            ["--report", value] if report.is_none() => {
                let number = value.parse().ok();
                report = Some(number.ok_or("its report is no number")?);
            }
            _ => return Err("it is none that is known".to_owned()),
        }
    }
    Ok((metric, report))
}

fn unquoted(word: &str) -> &str {
    let inner = |quote: &char| word.strip_prefix(*quote)?.strip_suffix(*quote);
    QUOTES.iter().find_map(inner).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_whole() {
        let line = "/tripline accept kv/get* --report 42 because the cache went\nthanks";
        let request = Request::read(line).unwrap();
        assert_eq!(request.benchmark.to_string(), "kv/get*");
        assert_eq!((request.metric, request.report), (None, 42));
        assert_eq!(request.because, "the cache went");
        for line in [
            "/tripline accept kv/*{bytes=64} --metric instructions --report 7 because of because",
            "/tripline accept 'kv/*{bytes=64}' --report 7 --metric instructions because of because",
            "/tripline accept `kv/*{bytes=64}` --report 7 --metric `instructions` because of because",
        ] {
            let request = Request::read(line).unwrap();
            assert_eq!(request.benchmark.to_string(), "kv/*{bytes=64}");
            assert_eq!(request.metric.unwrap().as_str(), "instructions");
            assert_eq!((request.report, &*request.because), (7, "of because"));
        }
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let long = format!("/tripline accept a --report 1 because {}", "x".repeat(501));
        for comment in [
            "",
            "/tripline accept kv/get --report 1",
            "/tripline accept --report 1 because x",
            "/tripline reject a --report 1 because x",
            "/tripline accept a b --report 1 because x",
            "/tripline accept a --report 1 --metric because x",
            "/tripline accept a --report 1 --metric 7! because x",
            "/tripline accept a --report 1 --report 1 because x",
            "/tripline accept a --report one because x",
            "/tripline accept a --report -1 because x",
            "/tripline accept a --report because x",
            "/tripline accept a --report 1 because \u{1b}[31mred",
            &long,
        ] {
            assert!(Request::read(comment).is_err(), "{comment}");
        }
        let why = Request::read("/tripline accept a because x").expect_err("of which report?");
        assert!(why.contains("which report was read"), "{why}");
    }
}
