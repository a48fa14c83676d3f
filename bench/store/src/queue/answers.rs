//! What the benchmarks of the queue answered.
//!
//! In `queue/deliver` each thread gets other messages each time; that every message is delivered once is checked where it
//! is timed. Tests: the same answers every time, and other answers where other payloads come back.

use std::time::Duration;

use workload_store::queue::{Nack, Queue, Receipt};

use super::{DEPTHS, MESSAGE_BYTES, Messages, Named, passes};
use crate::answer::{Answer, Digest};

/// Returns the answers, given messages of a length and a number of priorities.
pub fn answers(messages: impl Fn(usize, u8) -> Messages) -> Vec<Answer> {
    let sizes = MESSAGE_BYTES.map(|bytes| (bytes, 1));
    let mut answers = Vec::new();
    for (bytes, priorities) in sizes.into_iter().chain([(1024, 10)]) {
        let inputs = messages(bytes, priorities);
        let params = vec![
            ("bytes", bytes.to_string()),
            ("priorities", priorities.to_string()),
        ];
        answers.extend(long(&inputs).map(|(benchmark, digest)| Answer {
            benchmark,
            params: params.clone(),
            digest,
        }));
    }
    answers.push(Answer {
        benchmark: "queue/publish_shared",
        params: vec![("bytes", "1024".to_owned()), ("priorities", "1".to_owned())],
        digest: shared(&messages(1024, 1)),
    });
    answers.extend(DEPTHS.map(|depth| Answer {
        benchmark: "queue/publish",
        params: vec![("depth", depth.to_string())],
        digest: behind(&messages(64, 1), depth),
    }));
    let named = Named::new();
    answers.push(Answer {
        benchmark: "queue/get",
        params: vec![("queues", named.len().to_string())],
        digest: got(&named),
    });
    answers.push(Answer {
        benchmark: "queue/create_anew",
        params: vec![("queues", named.len().to_string())],
        digest: created(&named),
    });
    for priorities in [1, 10] {
        let inputs = messages(64, priorities);
        // What one message has to do with no other is measured with one priority.
        let alone = [
            "queue/ack",
            "queue/bury",
            "queue/take_dead_letter",
            "queue/purge_dead_letters",
            "queue/statistics",
        ];
        let of_all = short(&inputs).into_iter();
        let measured = of_all.filter(|(name, _)| priorities == 1 || !alone.contains(name));
        answers.extend(measured.map(|(benchmark, digest)| Answer {
            benchmark,
            params: vec![("priorities", priorities.to_string())],
            digest,
        }));
    }
    answers
}

/// Those that differ with the length of a message.
fn long(inputs: &Messages) -> [(&'static str, u64); 2] {
    let publish = of(inputs.new_queue(), |queue, digest| {
        passes::publish(queue, inputs, |id| digest.number(id.unwrap_or(0) as usize));
    });
    let cycle = of(inputs.ready_queue(), |queue, digest| {
        passes::cycle(queue, inputs, |it| {
            digest.value(it.as_ref().map(|it| &*it.payload));
        });
    });
    [("queue/publish", publish), ("queue/cycle", cycle)]
}

fn shared(inputs: &Messages) -> u64 {
    of(inputs.new_queue(), |queue, digest| {
        passes::publish_shared(queue, &inputs.values(), |id| {
            digest.number(id.unwrap_or(0) as usize);
        });
    })
}

/// How many were there before is no matter, but to the ids.
fn behind(inputs: &Messages, depth: usize) -> u64 {
    of(inputs.queue_behind(depth), |queue, digest| {
        passes::publish(queue, inputs, |id| digest.number(id.unwrap_or(0) as usize));
    })
}

fn got(named: &Named) -> u64 {
    let mut digest = Digest::new();
    passes::get(named, |queue| {
        let depth = queue.map(|it| it.statistics(Duration::ZERO).depth());
        digest.number(depth.map_or(usize::MAX, |it| it as usize));
    });
    digest.0
}

fn created(named: &Named) -> u64 {
    let mut digest = Digest::new();
    passes::create_anew(named, |queue| digest.bytes(&[u8::from(queue.is_ok())]));
    digest.0
}

/// Those that touch no payload.
fn short(inputs: &Messages) -> [(&'static str, u64); 9] {
    let settled = |settle: fn(&Queue, &[Receipt], &mut Digest)| {
        let (queue, receipts) = inputs.pending_queue();
        of(queue, |queue, digest| settle(queue, &receipts, digest))
    };
    let consume = of(inputs.ready_queue(), |queue, digest| {
        passes::consume(queue, |it| digest.value(Some(&it.payload)));
    });
    let ack = settled(|queue, receipts, digest| {
        passes::ack(queue, receipts, |it| digest.bytes(&[u8::from(it.is_ok())]));
    });
    let requeue = settled(|queue, receipts, digest| {
        passes::nack(queue, receipts, Nack::Requeue, |it| {
            digest.bytes(&[u8::from(it.is_ok())]);
        });
    });
    let bury = settled(|queue, receipts, digest| {
        passes::nack(queue, receipts, Nack::DeadLetter, |it| {
            digest.bytes(&[u8::from(it.is_ok())]);
        });
    });
    let expire = settled(|queue, _, digest| digest.number(passes::expire(queue).expired as usize));
    let take = of(inputs.dead_queue(), |queue, digest| {
        passes::take_dead_letters(queue, |it| digest.value(Some(&it.payload)));
    });
    let purge_dead = of(inputs.dead_queue(), |queue, digest| {
        digest.number(passes::purge_dead_letters(queue));
    });
    let statistics = of(inputs.ready_queue(), |queue, digest| {
        passes::statistics(queue, |it| digest.number(it.ready as usize));
    });
    let purge = of(inputs.ready_queue(), |queue, digest| {
        digest.number(passes::purge(queue));
    });
    [
        ("queue/consume", consume),
        ("queue/ack", ack),
        ("queue/requeue", requeue),
        ("queue/bury", bury),
        ("queue/expire", expire),
        ("queue/take_dead_letter", take),
        ("queue/purge", purge),
        ("queue/statistics", statistics),
        ("queue/purge_dead_letters", purge_dead),
    ]
}

/// Returns the digest of what a pass returned and of what the queue holds after it.
fn of(queue: Queue, pass: impl FnOnce(&Queue, &mut Digest)) -> u64 {
    let mut digest = Digest::new();
    pass(&queue, &mut digest);
    let statistics = queue.statistics(Duration::ZERO);
    for count in [
        statistics.published,
        statistics.delivered,
        statistics.acknowledged,
        statistics.purged,
        statistics.pending,
        statistics.dead,
        statistics.bytes,
    ] {
        digest.number(count as usize);
    }
    passes::consume(&queue, |it| digest.value(Some(&it.payload)));
    digest.0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Messages;
    use super::answers;

    #[test]
    fn answers_are_the_same_every_time_and_differ_with_the_work() {
        let seen = answers(Messages::smoke);
        assert_eq!(seen, answers(Messages::smoke));
        let ids: BTreeSet<String> = seen
            .iter()
            .map(|it| format!("{}{:?}", it.benchmark, it.params))
            .collect();
        assert_eq!((seen.len(), ids.len()), (28, 28));
        // Where payloads come back, other payloads are another answer, and so is another order of them.
        for name in ["queue/publish", "queue/cycle", "queue/consume"] {
            let same = seen.iter().filter(|it| it.benchmark == name);
            let digests: Vec<u64> = same.map(|it| it.digest).collect();
            let different: BTreeSet<&u64> = digests.iter().collect();
            assert_eq!(different.len(), digests.len(), "{name}");
        }
    }
}
