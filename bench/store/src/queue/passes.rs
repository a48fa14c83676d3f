//! The bodies of the benchmarks of one thread. As those of keys and values, each hands what it got to `see`.
//!
//! Tests: what each pass returns and leaves behind.

use std::sync::Arc;
use std::time::Duration;

use workload_store::Value;
use workload_store::queue::{
    DeadLetter, Delivery, Fate, Nack, Priority, PublishError, Queue, QueuesError, Receipt,
    SettleError, Statistics,
};

use super::{Messages, Named};

/// The time at which all happens, but [`expire`].
const NOW: Duration = Duration::ZERO;

/// So many times a queue is asked: as often as a pass has messages.
const ASKED: usize = 1_000;

/// Publishes every message.
pub fn publish(queue: &Queue, messages: &Messages, mut see: impl FnMut(Result<u64, PublishError>)) {
    for (payload, priority) in messages.iter() {
        see(queue.publish(payload, priority));
    }
}

/// Publishes handles: no byte is copied.
pub fn publish_shared(
    queue: &Queue,
    values: &[Value],
    mut see: impl FnMut(Result<u64, PublishError>),
) {
    for value in values {
        see(queue.publish_shared(value.clone(), Priority::default()));
    }
}

/// Consumes all that is ready.
pub fn consume(queue: &Queue, mut see: impl FnMut(Delivery)) {
    while let Some(delivery) = queue.consume(NOW) {
        see(delivery);
    }
}

/// Acknowledges every delivery.
pub fn ack(queue: &Queue, receipts: &[Receipt], mut see: impl FnMut(Result<(), SettleError>)) {
    for receipt in receipts {
        see(queue.ack(*receipt, NOW));
    }
}

/// Gives every delivery back.
pub fn nack(
    queue: &Queue,
    receipts: &[Receipt],
    nack: Nack,
    mut see: impl FnMut(Result<Fate, SettleError>),
) {
    for receipt in receipts {
        see(queue.nack(*receipt, nack, NOW));
    }
}

/// Lets the deadline of every delivery pass, and has the queue notice.
pub fn expire(queue: &Queue) -> Statistics {
    queue.statistics(queue.settings().ack_deadline)
}

/// Takes every dead letter.
pub fn take_dead_letters(queue: &Queue, mut see: impl FnMut(DeadLetter)) {
    while let Some(letter) = queue.take_dead_letter(NOW) {
        see(letter);
    }
}

/// Removes all that is ready.
pub fn purge(queue: &Queue) -> usize {
    queue.purge(NOW)
}

/// Removes every dead letter.
pub fn purge_dead_letters(queue: &Queue) -> usize {
    queue.purge_dead_letters(NOW)
}

/// Asks for every queue by its name.
pub fn get(named: &Named, mut see: impl FnMut(Result<Arc<Queue>, QueuesError>)) {
    for name in named.names() {
        see(named.queues().get(name));
    }
}

/// Removes every queue by its name, and creates one of that name.
pub fn create_anew(named: &Named, mut see: impl FnMut(Result<Arc<Queue>, QueuesError>)) {
    for name in named.names() {
        see(named.create_anew(name));
    }
}

/// Asks a thousand times what a queue has done and holds.
pub fn statistics(queue: &Queue, mut see: impl FnMut(Statistics)) {
    for _ in 0..ASKED {
        see(queue.statistics(NOW));
    }
}

/// Publishes every message, and after each of them consumes and acknowledges the one that has waited for longest.
pub fn cycle(queue: &Queue, messages: &Messages, mut see: impl FnMut(Option<Delivery>)) {
    for (payload, priority) in messages.iter() {
        let published = queue.publish(payload, priority);
        let delivery = published.ok().and_then(|_| queue.consume(NOW));
        let settled = delivery.filter(|it| queue.ack(it.receipt, NOW).is_ok());
        see(settled);
    }
}

#[cfg(test)]
mod tests {
    use workload_store::queue::{Cause, Fate, Nack, Priority};

    use super::super::{MESSAGE_BYTES, Messages, Named};
    use super::{
        ack, consume, create_anew, cycle, expire, get, nack, publish, publish_shared, purge,
        purge_dead_letters, statistics, take_dead_letters,
    };

    /// The payloads, the highest priority first and within it in order.
    fn by_priority(messages: &Messages) -> Vec<&[u8]> {
        let mut sorted: Vec<_> = messages.iter().collect();
        sorted.sort_by_key(|(_, priority)| std::cmp::Reverse(*priority));
        sorted.into_iter().map(|(payload, _)| payload).collect()
    }

    #[test]
    fn what_is_published_is_delivered_once_and_by_priority() {
        for (bytes, priorities) in MESSAGE_BYTES
            .map(|bytes| (bytes, 1))
            .into_iter()
            .chain([(64, 10)])
        {
            let messages = Messages::smoke(bytes, priorities);
            let warm = messages.warm_queue();
            let lent = warm.lend();
            publish(lent.0, &messages, |id| assert!(id.is_ok()));
            let mut delivered = Vec::new();
            consume(lent.0, |delivery| delivered.push(delivery));
            let payloads: Vec<&[u8]> = delivered.iter().map(|it| &*it.payload).collect();
            assert_eq!(payloads, by_priority(&messages));
            let receipts: Vec<_> = delivered.iter().map(|it| it.receipt).collect();
            ack(lent.0, &receipts, |settled| assert_eq!(settled, Ok(())));
            assert_eq!(lent.0.statistics(super::NOW).depth(), 0);
        }
    }

    #[test]
    fn a_lent_queue_comes_back_empty() {
        let messages = Messages::smoke(64, 1);
        let warm = messages.warm_queue();
        publish(warm.lend().0, &messages, |id| assert!(id.is_ok()));
        assert_eq!(warm.lend().0.statistics(super::NOW).depth(), 0);
    }

    #[test]
    fn shared_payloads_are_not_copied() {
        let messages = Messages::smoke(64, 1);
        let (values, queue) = (messages.values(), messages.new_queue());
        publish_shared(&queue, &values, |id| assert!(id.is_ok()));
        let mut same = values.iter();
        consume(&queue, |it| {
            assert_eq!(
                Some(it.payload.as_ptr()),
                same.next().map(|value| value.as_ptr())
            );
        });
        assert!(same.next().is_none());
    }

    #[test]
    fn what_is_given_back_is_ready_again_or_dead() {
        let messages = Messages::smoke(64, 10);
        let (queue, receipts) = messages.pending_queue();
        nack(&queue, &receipts, Nack::Requeue, |fate| {
            assert_eq!(fate, Ok(Fate::Requeued));
        });
        let mut again = 0;
        consume(&queue, |delivery| {
            again += usize::from(delivery.attempt == 2);
        });
        assert_eq!(again, messages.len());

        let (queue, receipts) = messages.pending_queue();
        nack(&queue, &receipts, Nack::DeadLetter, |fate| {
            assert_eq!(fate, Ok(Fate::DeadLettered));
        });
        let mut dead = 0;
        take_dead_letters(&queue, |letter| {
            dead += usize::from(letter.cause == Cause::Declared);
        });
        assert_eq!(dead, messages.len());
    }

    #[test]
    fn a_purge_removes_all_that_is_ready() {
        let messages = Messages::smoke(64, 10);
        let queue = messages.ready_queue();
        assert_eq!(purge(&queue), messages.len());
        assert_eq!(queue.statistics(super::NOW).depth(), 0);
    }

    #[test]
    fn dead_letters_are_purged_and_nothing_else() {
        let messages = Messages::smoke(64, 1);
        let queue = messages.dead_queue();
        publish(&queue, &messages, |id| assert!(id.is_ok()));
        assert_eq!(purge_dead_letters(&queue), messages.len());
        let statistics = queue.statistics(super::NOW);
        let all = messages.len() as u64;
        assert_eq!((statistics.dead, statistics.ready), (0, all));
    }

    #[test]
    fn every_queue_is_found_by_its_name() {
        let named = Named::new();
        let mut seen = 0;
        get(&named, |queue| {
            // Each is another one: none has been published to before.
            let id = queue.unwrap().publish(b"", Priority::default());
            assert_eq!(id, Ok(1));
            seen += 1;
        });
        assert_eq!(seen, named.len());
    }

    #[test]
    fn every_queue_is_another_one_when_it_was_created_anew() {
        let named = Named::new();
        let messages = Messages::smoke(64, 1);
        get(&named, |queue| {
            publish(&queue.unwrap(), &messages, |id| assert!(id.is_ok()));
        });
        create_anew(&named, |queue| {
            assert_eq!(queue.unwrap().statistics(super::NOW).depth(), 0);
        });
        let mut seen = 0;
        get(&named, |queue| {
            assert_eq!(queue.unwrap().statistics(super::NOW).depth(), 0);
            seen += 1;
        });
        assert_eq!(seen, named.len());
    }

    #[test]
    fn a_queue_says_what_it_holds_as_often_as_it_is_asked() {
        let messages = Messages::smoke(64, 1);
        let queue = messages.ready_queue();
        let mut seen = 0;
        statistics(&queue, |it| {
            assert_eq!(it.ready, messages.len() as u64);
            seen += 1;
        });
        assert_eq!(seen, super::ASKED);
    }

    #[test]
    fn every_deadline_passes() {
        let messages = Messages::smoke(64, 10);
        let (queue, _) = messages.pending_queue();
        let statistics = expire(&queue);
        let all = messages.len() as u64;
        assert_eq!((statistics.expired, statistics.ready), (all, all));
    }

    #[test]
    fn a_cycle_delivers_the_backlog_and_leaves_as_much() {
        let messages = Messages::smoke(64, 1);
        let queue = messages.ready_queue();
        let mut ids = Vec::new();
        cycle(&queue, &messages, |delivery| ids.push(delivery.unwrap().id));
        assert!(ids.into_iter().eq(1..=messages.len() as u64));
        assert_eq!(queue.statistics(super::NOW).ready, messages.len() as u64);
    }
}
