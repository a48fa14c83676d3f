//! Queues against a model that keeps everything in one list and searches it each time.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert_eq, prop_oneof, proptest,
};
use proptest::sample::Index;
use proptest::test_runner::TestCaseError;
use workload_store::queue::{
    Cause, Fate, Nack, PublishError, Queue, Receipt, Settings, SettleError, Statistics,
};

use super::{at, priority, queue};

/// One operation, or some time.
#[derive(Clone, Debug)]
enum Step {
    Publish {
        priority: u8,
        bytes: usize,
    },
    Consume,
    /// Settles any delivery there ever was: `None` is an ack.
    Settle {
        which: Index,
        nack: Option<Nack>,
    },
    TakeDeadLetter,
    Purge,
    PurgeDeadLetters,
    Pass {
        milliseconds: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let nack = prop_oneof![
        3 => Just(None),
        2 => Just(Some(Nack::Requeue)),
        1 => Just(Some(Nack::DeadLetter)),
    ];
    prop_oneof![
        // Few priorities, so that messages meet, and the ends of their range.
        8 => (prop_oneof![Just(0), Just(5), Just(9)], 0_usize..4)
            .prop_map(|(priority, bytes)| Step::Publish { priority, bytes }),
        8 => Just(Step::Consume),
        8 => (any::<Index>(), nack).prop_map(|(which, nack)| Step::Settle { which, nack }),
        2 => Just(Step::TakeDeadLetter),
        4 => (1_u64..60).prop_map(|milliseconds| Step::Pass { milliseconds }),
        1 => prop_oneof![Just(Step::Purge), Just(Step::PurgeDeadLetters)],
    ]
}

fn settings() -> impl Strategy<Value = Settings> {
    (1_u32..20, 1_u64..100, 0_u32..3).prop_map(|(depth_max, deadline, retries_max)| Settings {
        depth_max,
        ack_deadline: at(deadline),
        retries_max,
    })
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Ready,
    Pending { due: Duration },
    Dead(Cause),
}

#[derive(Debug)]
struct Message {
    id: u64,
    priority: u8,
    payload: Vec<u8>,
    attempts: u32,
    stage: Stage,
    /// Counts up with every change of stage of any message: who came first came earlier.
    since: u64,
}

/// The naive queue.
#[derive(Debug)]
struct Model {
    settings: Settings,
    messages: Vec<Message>,
    changes: u64,
    now: Duration,
    counts: Statistics,
}

impl Model {
    fn new(settings: Settings) -> Self {
        Self {
            settings,
            messages: Vec::new(),
            changes: 0,
            now: Duration::ZERO,
            counts: Statistics::default(),
        }
    }

    fn publish(&mut self, priority: u8, payload: Vec<u8>) -> Result<u64, PublishError> {
        if self.messages.len() == self.settings.depth_max as usize {
            return Err(PublishError::Full(self.settings.depth_max));
        }
        self.counts.published += 1;
        let id = self.counts.published;
        self.messages.push(Message {
            id,
            priority,
            payload,
            attempts: 0,
            stage: Stage::Ready,
            since: 0,
        });
        let last = self.messages.len() - 1;
        self.change(last, Stage::Ready);
        Ok(id)
    }

    fn change(&mut self, at: usize, stage: Stage) {
        self.changes += 1;
        self.messages[at].since = self.changes;
        self.messages[at].stage = stage;
    }

    /// Ends the attempt of a pending message.
    fn fail(&mut self, at: usize, declared: bool, cause: Cause) -> Fate {
        if declared || self.messages[at].attempts > self.settings.retries_max {
            self.counts.dead_lettered += 1;
            self.change(at, Stage::Dead(cause));
            return Fate::DeadLettered;
        }
        self.counts.requeued += 1;
        self.change(at, Stage::Ready);
        Fate::Requeued
    }

    fn advance(&mut self, now: Duration) {
        self.now = self.now.max(now);
        let is_over =
            |message: &Message, now| matches!(message.stage, Stage::Pending { due } if due <= now);
        let over = |model: &Self| {
            let all = model.messages.iter().enumerate();
            all.filter(|(_, message)| is_over(message, model.now))
                .min_by_key(|(_, message)| message.since)
                .map(|(at, _)| at)
        };
        while let Some(at) = over(self) {
            self.counts.expired += 1;
            self.fail(at, false, Cause::Expired);
        }
    }

    fn consume(&mut self) -> Option<&Message> {
        let all = self.messages.iter().enumerate();
        let (at, _) = all
            .filter(|(_, message)| message.stage == Stage::Ready)
            .max_by_key(|(_, message)| (message.priority, std::cmp::Reverse(message.since)))?;
        let due = self.now + self.settings.ack_deadline;
        self.change(at, Stage::Pending { due });
        self.messages[at].attempts += 1;
        self.counts.delivered += 1;
        Some(&self.messages[at])
    }

    /// Settles a delivery and says what became of the message, if that is a question.
    fn settle(&mut self, held: &Held, nack: Option<Nack>) -> Result<Option<Fate>, SettleError> {
        let Held {
            id, attempt, due, ..
        } = *held;
        if due <= self.now {
            let now = self.now;
            return Err(SettleError::Late { id, due, now });
        }
        let found = self.messages.iter().position(|message| {
            message.id == id
                && message.attempts == attempt
                && matches!(message.stage, Stage::Pending { .. })
        });
        let at = found.ok_or(SettleError::Settled { id })?;
        let Some(nack) = nack else {
            self.counts.acknowledged += 1;
            self.messages.remove(at);
            return Ok(None);
        };
        self.counts.nacked += 1;
        Ok(Some(match nack {
            Nack::Requeue => self.fail(at, false, Cause::Nacked),
            Nack::DeadLetter => self.fail(at, true, Cause::Declared),
        }))
    }

    fn take_dead_letter(&mut self) -> Option<(Message, Cause)> {
        let all = self.messages.iter().enumerate();
        let dead = all.filter_map(|(at, message)| match message.stage {
            Stage::Dead(cause) => Some((message.since, at, cause)),
            Stage::Ready | Stage::Pending { .. } => None,
        });
        let (_, at, cause) = dead.min_by_key(|(since, ..)| *since)?;
        self.counts.taken += 1;
        Some((self.messages.remove(at), cause))
    }

    fn purge(&mut self, is_purged: impl Fn(Stage) -> bool) -> usize {
        let before = self.messages.len();
        self.messages.retain(|message| !is_purged(message.stage));
        let purged = before - self.messages.len();
        self.counts.purged += purged as u64;
        purged
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.counts;
        for message in &self.messages {
            statistics.bytes += message.payload.len() as u64;
            match message.stage {
                Stage::Ready => statistics.ready += 1,
                Stage::Pending { .. } => statistics.pending += 1,
                Stage::Dead(_) => statistics.dead += 1,
            }
        }
        statistics
    }
}

/// A delivery that somebody was given, settled or not.
#[derive(Debug)]
struct Held {
    receipt: Receipt,
    id: u64,
    attempt: u32,
    due: Duration,
}

/// Both queues, and the deliveries so far.
#[derive(Debug)]
struct Pair {
    real: Queue,
    model: Model,
    held: Vec<Held>,
}

impl Pair {
    /// Takes a step with both at a time, and compares what they say.
    fn take(&mut self, step: Step, now: Duration) -> Result<(), TestCaseError> {
        if let Step::Publish { priority, bytes } = step {
            // The one operation that is not told the time.
            return self.publish(priority, bytes);
        }
        self.model.advance(now);
        match step {
            Step::Publish { .. } | Step::Pass { .. } => {}
            Step::Consume => self.consume(now)?,
            Step::Settle { which, nack } => self.settle(&which, nack, now)?,
            Step::TakeDeadLetter => self.take_dead_letter(now)?,
            Step::Purge => {
                let expected = self.model.purge(|stage| stage == Stage::Ready);
                prop_assert_eq!(self.real.purge(now), expected);
            }
            Step::PurgeDeadLetters => {
                let expected = self.model.purge(|stage| matches!(stage, Stage::Dead(_)));
                prop_assert_eq!(self.real.purge_dead_letters(now), expected);
            }
        }
        let statistics = self.real.statistics(now);
        prop_assert_eq!(statistics, self.model.statistics());
        let gone = statistics.acknowledged + statistics.purged + statistics.taken;
        prop_assert_eq!(statistics.published, gone + statistics.depth());
        Ok(())
    }

    fn publish(&mut self, number: u8, bytes: usize) -> Result<(), TestCaseError> {
        // The payload tells messages apart.
        let payload = vec![self.model.counts.published as u8; bytes];
        let id = self.real.publish(&payload, priority(number));
        prop_assert_eq!(id, self.model.publish(number, payload));
        Ok(())
    }

    fn consume(&mut self, now: Duration) -> Result<(), TestCaseError> {
        let delivery = self.real.consume(now);
        let expected = self.model.consume();
        prop_assert_eq!(delivery.is_some(), expected.is_some());
        if let (Some(delivery), Some(message)) = (delivery, expected) {
            prop_assert_eq!(delivery.id, message.id);
            prop_assert_eq!(&*delivery.payload, &*message.payload);
            prop_assert_eq!(delivery.priority.number(), message.priority);
            prop_assert_eq!(delivery.attempt, message.attempts);
            let due = delivery.receipt.deadline();
            prop_assert_eq!(Stage::Pending { due }, message.stage);
            self.held.push(Held {
                receipt: delivery.receipt,
                id: message.id,
                attempt: message.attempts,
                due,
            });
        }
        Ok(())
    }

    fn settle(
        &mut self,
        which: &Index,
        nack: Option<Nack>,
        now: Duration,
    ) -> Result<(), TestCaseError> {
        if self.held.is_empty() {
            return Ok(());
        }
        let held = which.get(&self.held);
        let settled = match nack {
            None => self.real.ack(held.receipt, now).map(|()| None),
            Some(nack) => self.real.nack(held.receipt, nack, now).map(Some),
        };
        prop_assert_eq!(settled, self.model.settle(held, nack));
        Ok(())
    }

    fn take_dead_letter(&mut self, now: Duration) -> Result<(), TestCaseError> {
        let taken = self.real.take_dead_letter(now);
        let expected = self.model.take_dead_letter();
        prop_assert_eq!(taken.is_some(), expected.is_some());
        if let (Some(taken), Some((message, cause))) = (taken, expected) {
            prop_assert_eq!(taken.id, message.id);
            prop_assert_eq!(&*taken.payload, &*message.payload);
            prop_assert_eq!(taken.priority.number(), message.priority);
            prop_assert_eq!(taken.attempts, message.attempts);
            prop_assert_eq!(taken.cause, cause);
        }
        Ok(())
    }
}

proptest! {
    // A failing sequence is printed whole, so nothing needs to be written beside the sources.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_queue_answers_as_the_model_does(
        settings in settings(),
        // Each step is taken by somebody whose clock may be a little behind.
        steps in vec((step(), prop_oneof![4 => Just(0_u64), 1 => 1_u64..30]), 0..300),
    ) {
        let mut pair = Pair { real: queue(settings), model: Model::new(settings), held: Vec::new() };
        let mut clock = 0;
        for (step, behind) in steps {
            if let Step::Pass { milliseconds } = step {
                clock += milliseconds;
            }
            pair.take(step, at(u64::saturating_sub(clock, behind)))?;
        }
    }
}
