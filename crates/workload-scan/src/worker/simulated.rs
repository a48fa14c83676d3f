//! Whole scans over a network that is a function, by a clock that is a number: no socket, no wait, no luck.

use std::collections::BTreeMap;

use super::*;
use crate::pacer::Paced;
use crate::plan::Plan;
use crate::timing::Template;
use crate::verdicts::Verdict;
use crate::{PortSet, Targets};

const RTT: Duration = Duration::from_millis(20);
/// How long several answers are waited for.
const SOON: Duration = Duration::from_millis(1);

/// What the network does with the `nth` probe (from 0) of a port while `out` probes are out; nothing for silence.
type Network = fn(port: u16, nth: u32, out: usize) -> Option<Answer>;

/// An engine over that network. Waiting turns the clock.
struct Simulated<'a> {
    clock: Clock,
    network: Network,
    went: &'a mut Vec<(Time, u16)>,
    /// How often each port was asked.
    asked: BTreeMap<u16, u32>,
    /// When each slot is answered, and what.
    slots: Vec<Option<(Time, Option<Answer>)>>,
    room: usize,
    /// When it refuses to go on, with what it has then.
    ends: Option<Time>,
    /// Until when nothing can be sent.
    full_until: Time,
    /// How long nothing runs after each wait.
    stall: Duration,
    /// How long a probe takes that is answered when it starts, if they are.
    at_once: Option<Duration>,
    /// What others know of, and how far that was behind at most.
    done: &'a AtomicU64,
    behind: &'a mut u64,
}

impl Engine for Simulated<'_> {
    fn grow(&mut self, wanted: usize) -> std::io::Result<usize> {
        self.slots
            .resize(wanted.min(self.room).max(self.slots.len()), None);
        Ok(self.slots.len())
    }

    fn start(&mut self, slot: usize, to: SocketAddr) -> std::io::Result<Option<Answer>> {
        if self.clock.now() < self.full_until {
            return Ok(Some(Answer::NotAsked));
        }
        let port = to.port();
        let nth = self.asked.entry(port).or_insert(0);
        // What is lost no longer takes room.
        let underway = self
            .slots
            .iter()
            .flatten()
            .filter(|(_, answer)| answer.is_some());
        let answer = (self.network)(port, *nth, underway.count());
        *nth += 1;
        self.went.push((self.clock.now(), port));
        assert!(self.slots[slot].is_none(), "slot {slot} is in use");
        if let Some(took) = self.at_once {
            self.clock.turn(took);
            let known = self.done.load(Ordering::Relaxed);
            *self.behind = (*self.behind).max(self.went.len() as u64 - known);
            return Ok(answer);
        }
        self.slots[slot] = Some((self.clock.now() + RTT, answer));
        Ok(None)
    }

    fn give_up(&mut self, slot: usize) -> std::io::Result<Option<Answer>> {
        assert!(self.slots[slot].take().is_some(), "slot {slot} is idle");
        Ok(Some(Answer::Silence))
    }

    fn wait(
        &mut self,
        wanted: usize,
        span: Duration,
        answers: &mut Vec<(usize, Answer)>,
    ) -> std::io::Result<()> {
        let known = self.slots.iter().flatten();
        let next = known.filter_map(|(at, answer)| answer.map(|_| *at)).min();
        let now = self.clock.now();
        let span = if wanted > 1 { span.min(SOON) } else { span };
        let until = next.map_or(span, |next| next.since(now).min(span));
        self.clock.turn(until);
        let now = self.clock.now();
        for (number, slot) in self.slots.iter_mut().enumerate() {
            if let Some((at, Some(answer))) = *slot
                && at <= now
            {
                *slot = None;
                answers.push((number, answer));
            }
        }
        self.clock.turn(self.stall);
        match self.ends {
            Some(ends) if now >= ends => Err(std::io::Error::other("it refuses")),
            _ => Ok(()),
        }
    }

    fn calls(&self) -> u64 {
        0
    }
}

/// What a scan of ports 1 to `ports` came to.
struct Came {
    verdicts: Vec<Option<Verdict>>,
    counters: Counters,
    paced: Paced,
    went: Vec<(Time, u16)>,
    took: Duration,
    behind: u64,
    result: Result<(), Error>,
}

fn scan(timing: Timing, ports: u16, room: usize, network: Network) -> Came {
    scan_with(timing, ports, network, |engine| engine.room = room)
}

fn scan_with(
    timing: Timing,
    ports: u16,
    network: Network,
    change: impl FnOnce(&mut Simulated<'_>),
) -> Came {
    let ports: PortSet = format!("1-{ports}").parse().unwrap();
    let plan = Plan::new(Targets::parse("10.0.0.1").unwrap(), ports).unwrap();
    let clock = Clock::turned_by_hand();
    let verdicts = Verdicts::new(plan.count());
    let (stop, halt) = (AtomicBool::new(false), AtomicBool::new(false));
    let (done, open) = (AtomicU64::new(0), AtomicU64::new(0));
    let shared = Shared {
        plan: &plan,
        timing,
        clock: clock.clone(),
        verdicts: &verdicts,
        next: AtomicU64::new(0),
        end: plan.count(),
        workers: 1,
        probes: timing.parallelism,
        stop: &stop,
        halt: &halt,
        done: &done,
        open: &open,
    };
    let (mut went, mut behind) = (Vec::new(), 0);
    let mut engine = Simulated {
        clock: clock.clone(),
        network,
        went: &mut went,
        asked: BTreeMap::new(),
        slots: Vec::new(),
        room: 100_000,
        ends: None,
        full_until: Time::default(),
        stall: Duration::ZERO,
        at_once: None,
        done: &done,
        behind: &mut behind,
    };
    change(&mut engine);
    let most = usize::try_from(timing.parallelism).unwrap();
    let rest = (Feed::none(), Pacer::new(&timing));
    let (counters, pacer, result) = Worker::new(&shared, engine, rest, most).run();
    let paced = pacer.paced();
    let verdicts: Vec<_> = (0..plan.count()).map(|place| verdicts.get(place)).collect();
    let given = verdicts.iter().flatten().count() as u64;
    assert_eq!(done.load(Ordering::Relaxed), given);
    Came {
        verdicts,
        counters,
        paced,
        took: clock.now().since(Time::default()),
        went,
        behind,
        result,
    }
}

/// Ports below 10 are open, up to 1,000 closed, and the rest are silent.
fn three_kinds(port: u16, _nth: u32, _out: usize) -> Option<Answer> {
    match port {
        ..10 => Some(Answer::Open),
        10..=1_000 => Some(Answer::Closed),
        _ => None,
    }
}

#[test]
fn a_slow_template_keeps_its_pace_to_two_percent() {
    for template in [Template::Paranoid, Template::Sneaky, Template::Polite] {
        let timing = template.timing();
        let came = scan(timing, 200, 64, three_kinds);
        came.result.unwrap();
        assert_eq!(came.paced.intervals, 199);
        assert_eq!(came.paced.missed, 0);
        let mean = came.paced.mean().unwrap();
        assert!(
            mean.abs_diff(timing.delay) <= timing.delay / 50,
            "{template}: {mean:?}"
        );
        let jitter = timing.delay / 10;
        for pair in came.went.windows(2) {
            let interval = pair[1].0.since(pair[0].0);
            assert!(
                interval.abs_diff(timing.delay) <= jitter + RTT,
                "{interval:?}"
            );
        }
        assert_eq!(came.counters.in_flight_max, 1);
    }
}

#[test]
fn a_silent_port_keeps_the_only_room_for_its_timeout() {
    let timing = Template::Polite.timing();
    let came = scan(timing, 10, 64, |_port, _nth, _out| None);
    came.result.unwrap();
    assert_eq!(came.counters.in_flight_max, 1);
    for pair in came.went.windows(2) {
        assert!(pair[1].0.since(pair[0].0) >= timing.timeout);
    }
}

#[test]
fn a_faster_template_never_takes_longer() {
    let took = Template::ALL.map(|template| {
        let came = scan(template.timing(), 1_100, 100_000, three_kinds);
        came.result.unwrap();
        assert!(came.verdicts.iter().all(Option::is_some), "{template}");
        came.took
    });
    assert!(took.windows(2).all(|pair| pair[1] <= pair[0]), "{took:?}");
    assert!(took[5] < took[3], "{took:?}");
}

#[test]
fn silent_ports_get_their_retries_and_wait_their_time() {
    let timing = Timing {
        parallelism: 64,
        ..Template::Insane.timing()
    };
    let came = scan(timing, 1_064, 100_000, three_kinds);
    came.result.unwrap();
    let count = |wanted| {
        came.verdicts
            .iter()
            .filter(|it| **it == Some(wanted))
            .count()
    };
    assert_eq!(Verdict::ALL.map(count), [9, 991, 64]);
    assert_eq!(came.counters.retries, 64);
    assert_eq!(came.counters.probes, 1_064 + 64);
    for port in 1_001..=1_064 {
        let times: Vec<Time> = came
            .went
            .iter()
            .filter(|(_, it)| *it == port)
            .map(|it| it.0)
            .collect();
        assert_eq!(times.len(), 2);
        assert!(times[1].since(times[0]) >= timing.timeout);
    }
}

#[test]
fn parallelism_is_kept_to_and_adapts_to_what_the_network_carries() {
    // More than a hundred probes at a time, and the network loses what comes on top.
    let narrow: Network = |_port, _nth, out| (out < 100).then_some(Answer::Closed);
    let timing = Timing {
        retries: 10,
        ..Template::Insane.timing()
    };
    let came = scan(timing, 5_000, 100_000, narrow);
    came.result.unwrap();
    assert!(came.verdicts.iter().all(|it| *it == Some(Verdict::Closed)));
    // A worker that did not adapt would lose more than half of what it sends.
    assert!(
        came.counters.retries < came.counters.probes / 4,
        "{:?}",
        came.counters
    );

    let wide: Network = |_port, _nth, _out| Some(Answer::Closed);
    let came = scan(timing, 12_000, 100_000, wide);
    assert_eq!(came.counters.retries, 0);
    assert_eq!(came.counters.in_flight_max, u64::from(timing.parallelism));
    let few = scan(timing, 5_000, 40, wide);
    assert_eq!(few.counters.in_flight_max, 40);
    assert!(few.verdicts.iter().all(Option::is_some));
}

#[test]
fn a_probe_that_met_itself_or_was_not_sent_is_sent_again() {
    let own: Network = |port, nth, _out| match (port % 3, nth) {
        (0, 0..3) => Some(Answer::Itself),
        (1, 0..3) => Some(Answer::NotAsked),
        _ => Some(Answer::Closed),
    };
    let timing = Timing {
        retries: 0,
        ..Template::Normal.timing()
    };
    let came = scan(timing, 300, 64, own);
    came.result.unwrap();
    assert!(came.verdicts.iter().all(|it| *it == Some(Verdict::Closed)));
    assert_eq!(came.counters.self_connections, 300);
    assert_eq!(came.counters.not_asked, 300);
    assert_eq!(came.counters.retries, 0);
}

#[test]
fn a_machine_that_stays_short_ends_the_scan_with_an_error() {
    let short: Network = |port, _nth, _out| {
        Some(if port < 5 {
            Answer::Closed
        } else {
            Answer::NotAsked
        })
    };
    let came = scan(Template::Normal.timing(), 100, 64, short);
    assert!(matches!(came.result, Err(Error::Short(_))));
    assert_eq!(came.verdicts.iter().flatten().count(), 4);
}

#[test]
fn what_was_answered_before_a_refusal_has_its_verdict() {
    let came = scan_with(Template::Normal.timing(), 16, three_kinds, |engine| {
        engine.ends = Some(Time::default() + RTT);
    });
    assert!(matches!(came.result, Err(Error::Refused(_))));
    assert_eq!(came.verdicts.iter().flatten().count(), 16);
}

#[test]
fn a_machine_that_is_short_for_a_moment_is_not_asked_over_and_over() {
    // A queue that is full for half a second takes nothing, and says so at once.
    let came = scan_with(Template::Normal.timing(), 100, three_kinds, |engine| {
        engine.room = 64;
        engine.full_until = Time::default() + Duration::from_millis(500);
    });
    came.result.unwrap();
    assert!(came.verdicts.iter().all(Option::is_some));
    // One try in each pause: to see it is to begin nothing more before the next.
    assert!(came.counters.not_asked <= 500, "{:?}", came.counters);
}

#[test]
fn a_target_that_there_is_nothing_to_ask_from_is_out_of_reach() {
    let none: Network = |_port, _nth, _out| Some(Answer::NoSource);
    let came = scan(Template::Normal.timing(), 100, 64, none);
    came.result.unwrap();
    assert!(
        came.verdicts
            .iter()
            .all(|it| *it == Some(Verdict::Filtered))
    );
    // Ports may be taken for a while; who has answered is in reach.
    let some: Network = |port, nth, _out| {
        Some(if port > 50 && nth < 40 {
            Answer::NoSource
        } else {
            Answer::Closed
        })
    };
    let came = scan(Template::Normal.timing(), 100, 64, some);
    came.result.unwrap();
    assert!(came.verdicts.iter().all(|it| *it == Some(Verdict::Closed)));
}

#[test]
fn what_was_answered_while_nothing_ran_is_not_silent() {
    let timing = Timing {
        retries: 0,
        ..Template::Insane.timing()
    };
    let came = scan_with(timing, 1_000, three_kinds, |engine| {
        engine.stall = timing.timeout * 2;
    });
    came.result.unwrap();
    assert!(!came.verdicts.contains(&Some(Verdict::Filtered)));
}

#[test]
fn where_answers_come_at_once_others_hear_of_them_on_the_way() {
    // A blocking engine on a slow link: the whole scan is half a minute.
    let closed: Network = |_port, _nth, _out| Some(Answer::Closed);
    let came = scan_with(Template::Normal.timing(), 1_000, closed, |engine| {
        engine.room = 1;
        engine.at_once = Some(Duration::from_millis(30));
    });
    came.result.unwrap();
    assert!(came.verdicts.iter().all(Option::is_some));
    // As many as there are in a look and its last.
    assert!(came.behind <= 5, "{}", came.behind);
}
