//! Decides what happens after each try: take the answer, wait and try again, or give up. A function of its arguments.
//!
//! Waiting doubles, with jitter, so that publishers that failed together do not come back together. A limit on requests
//! says itself when to come back. Tested below.

use std::time::Duration;

use jiff::{Timestamp, Unit};

use super::limit;
use super::transport::{Failure, Reply};
use crate::error::Problem;

/// Says whether doing the thing twice is as good as once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// It is.
    Harmless,
    /// It is not: only what certainly did not arrive is sent again.
    Harmful,
}

/// How long we go on.
#[derive(Debug, Clone)]
pub struct Patience {
    /// How often a request is tried at most.
    pub tries_max: u32,
    /// How long all waiting between the tries of one request may take.
    pub wait_max: Duration,
    /// How long one try may take.
    pub timeout: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            tries_max: 5,
            wait_max: Duration::from_secs(180),
            timeout: Duration::from_secs(30),
        }
    }
}

/// Where we are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progress {
    /// How often it was tried, from 1.
    pub(super) tries: u32,
    /// How long we waited.
    pub(super) waited: Duration,
    /// What time it is.
    pub(super) now: Timestamp,
    /// A number from 0 to 1, drawn anew for each try.
    pub(super) jitter: f64,
}

/// What to do next.
#[derive(Debug)]
pub(super) enum Next {
    /// The answer counts.
    Take(Reply),
    /// Come back later.
    Wait(Duration),
    /// It will not be done.
    GiveUp(Problem),
}

/// The first wait; each later one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// Decides what to do after a try.
pub(super) fn next(
    outcome: Result<Reply, Failure>,
    repeat: Repeat,
    patience: &Patience,
    progress: Progress,
) -> Next {
    let why = match outcome {
        Ok(reply) => {
            if let Some(wait) = limit::wait(&reply, progress.now) {
                return after_limit(wait, patience, progress);
            }
            if !matches!(reply.status, 500 | 502 | 503 | 504) {
                return Next::Take(reply);
            }
            let why = format!("GitHub answered {}", reply.status);
            if repeat == Repeat::Harmful {
                return Next::GiveUp(Problem::Uncertain { why });
            }
            why
        }
        Err(Failure::Cut(why)) if repeat == Repeat::Harmful => {
            return Next::GiveUp(Problem::Uncertain { why });
        }
        Err(Failure::Unsent(why) | Failure::Cut(why)) => why,
        Err(Failure::TooLarge(bytes_max)) => {
            return Next::GiveUp(Problem::TooLarge { bytes_max });
        }
        Err(Failure::Hopeless(why)) => return Next::GiveUp(Problem::NoConnection { why }),
    };
    let wait = backoff(progress);
    if is_over(patience, progress, wait) {
        let tries = progress.tries;
        return Next::GiveUp(Problem::Unreachable { tries, why });
    }
    Next::Wait(wait)
}

fn after_limit(wait: Duration, patience: &Patience, progress: Progress) -> Next {
    // All who were limited come back at the same moment, unless each adds a little.
    let wait = wait.saturating_add(FIRST_WAIT.mul_f64(progress.jitter));
    if is_over(patience, progress, wait) {
        let until = progress.now.checked_add(wait).unwrap_or(Timestamp::MAX);
        let until = until.round(Unit::Second).unwrap_or(until);
        return Next::GiveUp(Problem::Limited { until });
    }
    Next::Wait(wait)
}

fn is_over(patience: &Patience, progress: Progress, wait: Duration) -> bool {
    progress.tries >= patience.tries_max || progress.waited.saturating_add(wait) > patience.wait_max
}

/// Returns between half of the doubled wait and all of it.
fn backoff(progress: Progress) -> Duration {
    const DOUBLINGS_MAX: u32 = 6;
    let doubled = FIRST_WAIT * 2_u32.pow((progress.tries - 1).min(DOUBLINGS_MAX));
    doubled.mul_f64(0.5 + progress.jitter / 2.0)
}

#[cfg(test)]
mod tests {
    use ureq::http::HeaderMap;

    use super::*;

    fn reply(status: u16) -> Result<Reply, Failure> {
        Ok(Reply {
            status,
            headers: HeaderMap::new(),
            body: Vec::new(),
        })
    }

    fn limited(seconds: u64) -> Result<Reply, Failure> {
        let mut limited = reply(429).unwrap();
        limited.headers.insert("retry-after", seconds.into());
        Ok(limited)
    }

    fn after(outcome: Result<Reply, Failure>, repeat: Repeat, tries: u32, waited: u64) -> String {
        let progress = Progress {
            tries,
            waited: Duration::from_secs(waited),
            now: Timestamp::UNIX_EPOCH,
            jitter: 0.5,
        };
        match next(outcome, repeat, &Patience::default(), progress) {
            Next::Take(reply) => format!("take {}", reply.status),
            Next::Wait(time) => format!("wait {time:?}"),
            Next::GiveUp(problem) => format!("give up: {problem}"),
        }
    }

    #[test]
    fn what_repeats_harmlessly_is_tried_again_with_growing_waits() {
        let waits = (1..=5).map(|tries| after(reply(502), Repeat::Harmless, tries, 0));
        assert_eq!(
            waits.collect::<Vec<_>>(),
            [
                "wait 750ms",
                "wait 1.5s",
                "wait 3s",
                "wait 6s",
                "give up: GitHub answered 502, 5 times in a row"
            ]
        );
        let late = after(reply(502), Repeat::Harmless, 2, 179);
        assert_eq!(late, "give up: GitHub answered 502, 2 times in a row");
    }

    #[test]
    fn what_may_have_arrived_is_not_sent_twice() {
        for status in [500, 502, 503, 504] {
            let said = after(reply(status), Repeat::Harmful, 1, 0);
            assert!(
                said.ends_with("it may have been done all the same"),
                "{said}"
            );
        }
        let cut = || Err(Failure::Cut("cut".to_owned()));
        assert!(after(cut(), Repeat::Harmful, 1, 0).starts_with("give up: cut, so it may"));
        assert_eq!(after(cut(), Repeat::Harmless, 1, 0), "wait 750ms");
    }

    #[test]
    fn what_certainly_did_not_arrive_is_sent_again() {
        for repeat in [Repeat::Harmful, Repeat::Harmless] {
            let unsent = Err(Failure::Unsent("refused".to_owned()));
            assert_eq!(after(unsent, repeat, 1, 0), "wait 750ms");
            assert_eq!(after(limited(60), repeat, 1, 0), "wait 60.5s");
        }
    }

    #[test]
    fn a_long_limit_is_an_error_that_says_until_when() {
        assert_eq!(
            after(limited(3600), Repeat::Harmless, 1, 0),
            "give up: the limit on requests is used up until 1970-01-01T01:00:01Z"
        );
        assert!(after(limited(100), Repeat::Harmless, 2, 100).starts_with("give up: the limit"));
        let for_ever = after(limited(u64::MAX), Repeat::Harmless, 1, 0);
        assert!(
            for_ever.ends_with("up until 9999-12-30T22:00:00.999999999Z"),
            "{for_ever}"
        );
    }

    #[test]
    fn answers_count_whatever_they_say() {
        for status in [200, 201, 204, 302, 400, 401, 403, 404, 409, 410, 422, 501] {
            assert_eq!(
                after(reply(status), Repeat::Harmful, 1, 0),
                format!("take {status}")
            );
        }
        let hopeless = Err(Failure::Hopeless("bad certificate".to_owned()));
        assert_eq!(
            after(hopeless, Repeat::Harmless, 1, 0),
            "give up: no connection: bad certificate"
        );
        let large = Err(Failure::TooLarge(7));
        assert_eq!(
            after(large, Repeat::Harmless, 1, 0),
            "give up: the answer is larger than 7 bytes"
        );
    }
}
