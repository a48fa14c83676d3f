//! What somebody asks for in a comment: `/tripline accept kv/get* --metric instructions because the cache went`.
//!
//! The first line counts, and all of it: what is not understood is said, never guessed. Tested below.

use tripline_judge::BenchPattern;
use tripline_model::MetricName;

/// How a request is written, for the answer to one that was not understood.
pub(super) const FORM: &str = "/tripline accept BENCHMARK [--metric METRIC] because REASON";

/// The longest reason that is taken, in characters.
const REASON_CHARS_MAX: usize = 500;

/// Something to be accepted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    /// The benchmarks.
    pub(super) benchmark: BenchPattern,
    /// The metric; without one, every metric that got worse.
    pub(super) metric: Option<MetricName>,
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
        let (benchmark, metric) = match words[..] {
            ["/tripline", "accept", benchmark] => (benchmark, None),
            ["/tripline", "accept", benchmark, "--metric", metric] => (benchmark, Some(metric)),
            _ => return Err("it is none that is known".to_owned()),
        };
        Ok(Self {
            benchmark: benchmark.parse().map_err(|error| format!("{error}"))?,
            metric: metric
                .map(|metric| MetricName::new(metric).map_err(|error| error.to_string()))
                .transpose()?,
            because: because.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_whole() {
        let request =
            Request::read("/tripline accept kv/get* because the cache went\nthanks").unwrap();
        assert_eq!(request.benchmark.to_string(), "kv/get*");
        assert_eq!(
            (request.metric, request.because.as_str()),
            (None, "the cache went")
        );
        let line = "/tripline accept kv/*{bytes=64} --metric instructions because of because";
        let request = Request::read(line).unwrap();
        assert_eq!(request.metric.unwrap().as_str(), "instructions");
        assert_eq!(request.because, "of because");
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let long = format!("/tripline accept a because {}", "x".repeat(501));
        for comment in [
            "",
            "/tripline accept kv/get",
            "/tripline accept because x",
            "/tripline reject a because x",
            "/tripline accept a b because x",
            "/tripline accept a --metric because x",
            "/tripline accept a --metric 7! because x",
            "/tripline accept a because \u{1b}[31mred",
            &long,
        ] {
            assert!(Request::read(comment).is_err(), "{comment}");
        }
    }
}
