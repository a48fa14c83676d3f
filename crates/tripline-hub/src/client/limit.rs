//! Limits on requests, as GitHub tells them: a secondary one by `retry-after`, the primary one by `x-ratelimit-reset`.
//!
//! A refusal because of a limit did nothing, so the request may be sent again whatever it was. Tested below.

use std::time::Duration;

use jiff::Timestamp;

use super::transport::Reply;

/// What GitHub asks for where a limit comes without a time.
const UNTOLD: Duration = Duration::from_secs(60);

/// Returns how long to wait, where an answer is a refusal because of a limit.
pub(super) fn wait(reply: &Reply, now: Timestamp) -> Option<Duration> {
    if !matches!(reply.status, 403 | 429) {
        return None;
    }
    if let Some(seconds) = number(reply, "retry-after") {
        return Some(Duration::from_secs(seconds));
    }
    let says_so = reply.status == 429 || speaks_of_limit(&reply.body);
    if !says_so {
        return None;
    }
    let reset = (number(reply, "x-ratelimit-remaining") == Some(0))
        .then(|| number(reply, "x-ratelimit-reset"))
        .flatten()
        .and_then(|seconds| Timestamp::from_second(seconds.try_into().ok()?).ok());
    let Some(reset) = reset else {
        return Some(UNTOLD);
    };
    Some(Duration::try_from(reset.duration_since(now)).unwrap_or(Duration::ZERO))
}

fn number(reply: &Reply, name: &str) -> Option<u64> {
    reply.header(name)?.trim().parse().ok()
}

fn speaks_of_limit(body: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[b"rate limit", b"abuse detection"];
    let lower = body.to_ascii_lowercase();
    let has = |word: &&[u8]| lower.windows(word.len()).any(|part| part == *word);
    WORDS.iter().any(has)
}

#[cfg(test)]
mod tests {
    use ureq::http::HeaderMap;

    use super::*;

    fn wait_after(
        status: u16,
        headers: &[(&'static str, &'static str)],
        body: &str,
    ) -> Option<u64> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        let reply = Reply {
            status,
            headers: map,
            body: body.as_bytes().to_vec(),
        };
        wait(&reply, Timestamp::from_second(1_000).unwrap()).map(|wait| wait.as_secs())
    }

    #[test]
    fn each_limit_says_when_to_come_back() {
        let used_up = [
            ("x-ratelimit-remaining", "0"),
            ("x-ratelimit-reset", "1100"),
        ];
        let exceeded = r#"{"message":"API rate limit exceeded for installation."}"#;
        assert_eq!(wait_after(403, &[("retry-after", "7")], ""), Some(7));
        assert_eq!(wait_after(429, &[("retry-after", "7")], ""), Some(7));
        assert_eq!(wait_after(403, &used_up, exceeded), Some(100));
        assert_eq!(wait_after(429, &used_up, ""), Some(100));
        let past = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "900")];
        assert_eq!(wait_after(429, &past, ""), Some(0));
        let secondary = r#"{"message":"You have exceeded a secondary rate limit."}"#;
        assert_eq!(wait_after(403, &[], secondary), Some(60));
        assert_eq!(wait_after(429, &[], ""), Some(60));
        assert_eq!(
            wait_after(
                429,
                &[
                    ("x-ratelimit-remaining", "0"),
                    ("x-ratelimit-reset", "soon")
                ],
                ""
            ),
            Some(60)
        );
    }

    #[test]
    fn other_refusals_are_no_limits() {
        assert_eq!(
            wait_after(
                403,
                &[],
                r#"{"message":"Resource not accessible by integration"}"#
            ),
            None
        );
        assert_eq!(wait_after(404, &[("retry-after", "7")], ""), None);
        // The last request that was allowed may be refused for another reason.
        let last = [
            ("x-ratelimit-remaining", "0"),
            ("x-ratelimit-reset", "1100"),
        ];
        assert_eq!(wait_after(403, &last, "{}"), None);
    }
}
