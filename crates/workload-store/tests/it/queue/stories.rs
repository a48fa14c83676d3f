//! What happens to a message, told one case at a time.

use std::sync::Arc;

use workload_store::queue::{
    Cause, Delivery, Fate, MESSAGE_BYTES_MAX, NAME_BYTES_MAX, Nack, PublishError, Queue, Queues,
    QueuesError, Settings, SettingsError, SettleError,
};

use super::{SETTINGS, at, priority, queue};

/// Publishes texts of one priority.
fn publish(queue: &Queue, number: u8, texts: &[&str]) {
    for text in texts {
        let published = queue.publish(text.as_bytes(), priority(number));
        published.expect("there is place for the few texts of a test");
    }
}

/// Consumes at the beginning of time, from a queue that has something.
fn consume(queue: &Queue) -> Delivery {
    queue.consume(at(0)).expect("a message is ready")
}

/// Consumes and acknowledges all that is ready at a moment, and returns the texts in order.
fn drained(queue: &Queue, milliseconds: u64) -> Vec<String> {
    let mut texts = Vec::new();
    while let Some(delivery) = queue.consume(at(milliseconds)) {
        assert_eq!(queue.ack(delivery.receipt, at(milliseconds)), Ok(()));
        texts.push(String::from_utf8_lossy(&delivery.payload).into_owned());
    }
    texts
}

#[test]
fn the_most_urgent_goes_first_and_the_oldest_of_those() {
    let queue = queue(SETTINGS);
    publish(&queue, 4, &["a", "b"]);
    publish(&queue, 9, &["c"]);
    publish(&queue, 0, &["d"]);
    publish(&queue, 4, &["e"]);
    publish(&queue, 9, &["f"]);
    assert_eq!(drained(&queue, 0), ["c", "f", "a", "b", "e", "d"]);
    assert_eq!(queue.consume(at(0)), None);
}

#[test]
fn consuming_copies_nothing() {
    let queue = queue(SETTINGS);
    publish(&queue, 0, &["shared"]);
    let first = consume(&queue);
    queue
        .publish_shared(first.payload.clone(), priority(0))
        .unwrap();
    let second = consume(&queue);
    assert_eq!((first.id, second.id), (1, 2));
    assert_eq!(first.payload.as_ptr(), second.payload.as_ptr());
    queue.ack(first.receipt, at(0)).unwrap();
    assert_eq!(&*first.payload, b"shared");
}

#[test]
fn what_is_given_back_goes_behind_its_equals() {
    let queue = queue(SETTINGS);
    publish(&queue, 5, &["a", "b"]);
    publish(&queue, 1, &["c"]);
    let first = consume(&queue);
    let fate = queue.nack(first.receipt, Nack::Requeue, at(0));
    assert_eq!(fate, Ok(Fate::Requeued));
    publish(&queue, 5, &["d"]);
    assert_eq!(drained(&queue, 0), ["b", "a", "d", "c"]);
}

#[test]
fn what_is_not_acknowledged_in_time_comes_back_in_the_order_of_delivery() {
    let queue = queue(SETTINGS);
    publish(&queue, 0, &["a", "b", "c"]);
    let deliveries = [0, 1, 2].map(|_| consume(&queue));
    assert_eq!(deliveries[1].receipt.deadline(), at(100));
    queue.ack(deliveries[1].receipt, at(99)).unwrap();
    assert_eq!(queue.consume(at(99)), None);
    let again = queue.consume(at(100)).unwrap();
    assert_eq!((again.id, again.attempt), (1, 2));
    assert_eq!(drained(&queue, 100), ["c"]);
}

#[test]
fn retries_are_counted_and_then_the_message_is_dead() {
    let queue = queue(Settings {
        retries_max: 2,
        ..SETTINGS
    });
    publish(&queue, 7, &["poison"]);
    let first = consume(&queue);
    let fate = queue.nack(first.receipt, Nack::Requeue, at(0));
    assert_eq!(fate, Ok(Fate::Requeued));
    // A deadline that passes is a failure as well.
    assert_eq!(consume(&queue).attempt, 2);
    let third = queue.consume(at(100)).unwrap();
    assert_eq!(third.attempt, 3);
    let fate = queue.nack(third.receipt, Nack::Requeue, at(100));
    assert_eq!(fate, Ok(Fate::DeadLettered));

    assert_eq!(queue.consume(at(1_000)), None);
    let dead = queue.take_dead_letter(at(1_000)).unwrap();
    assert_eq!((dead.id, dead.attempts), (1, 3));
    assert_eq!((dead.priority, dead.cause), (priority(7), Cause::Nacked));
    assert_eq!(&*dead.payload, b"poison");
    assert_eq!(queue.take_dead_letter(at(1_000)), None);
}

#[test]
fn dead_letters_say_why_and_come_in_the_order_of_dying() {
    let queue = queue(Settings {
        retries_max: 0,
        ..SETTINGS
    });
    publish(&queue, 0, &["expired", "nacked", "declared"]);
    let [_, nacked, declared] = [0, 1, 2].map(|_| consume(&queue));
    for (receipt, nack) in [
        (declared.receipt, Nack::DeadLetter),
        (nacked.receipt, Nack::Requeue),
    ] {
        assert_eq!(
            queue.nack(receipt, nack, at(0)),
            Ok(Fate::DeadLettered),
            "{nack:?}"
        );
    }
    let causes: Vec<Cause> =
        std::iter::from_fn(|| Some(queue.take_dead_letter(at(100))?.cause)).collect();
    assert_eq!(causes, [Cause::Declared, Cause::Nacked, Cause::Expired]);
}

#[test]
fn a_delivery_is_settled_once() {
    let queue = queue(SETTINGS);
    publish(&queue, 0, &["a", "b"]);
    let first = consume(&queue);
    let settled = SettleError::Settled { id: first.id };
    queue.ack(first.receipt, at(0)).unwrap();
    assert_eq!(queue.ack(first.receipt, at(0)), Err(settled));
    assert_eq!(
        queue.nack(first.receipt, Nack::Requeue, at(0)),
        Err(settled)
    );
    assert_eq!(
        settled.to_string(),
        "message 1 was not settled: this delivery of it was acknowledged or given back before; settle each once"
    );
    // The next message sits in the slot of the one that left, and is not hit.
    publish(&queue, 9, &["c"]);
    let in_its_place = consume(&queue);
    assert_eq!(queue.ack(first.receipt, at(0)), Err(settled));
    assert_eq!(queue.ack(in_its_place.receipt, at(0)), Ok(()));
}

#[test]
fn a_receipt_does_not_settle_a_later_delivery_of_its_message() {
    let queue = queue(SETTINGS);
    publish(&queue, 0, &["a"]);
    let first = consume(&queue);
    queue.nack(first.receipt, Nack::Requeue, at(0)).unwrap();
    let second = consume(&queue);
    assert_eq!((second.id, second.attempt), (first.id, 2));
    let settled = SettleError::Settled { id: first.id };
    assert_eq!(queue.ack(first.receipt, at(0)), Err(settled));
    assert_eq!(queue.ack(second.receipt, at(0)), Ok(()));
}

#[test]
fn an_ack_at_the_deadline_is_late() {
    let queue = queue(SETTINGS);
    publish(&queue, 0, &["a"]);
    let delivery = consume(&queue);
    let late = SettleError::Late {
        id: 1,
        due: at(100),
        now: at(100),
    };
    assert_eq!(queue.ack(delivery.receipt, at(100)), Err(late));
    assert_eq!(
        late.to_string(),
        "message 1 was not settled: the deadline of this delivery was 100ms, and it is 100ms; be quicker, or give \
         the queue a longer deadline"
    );
    // Time does not go backwards for whoever is late.
    assert_eq!(queue.ack(delivery.receipt, at(50)), Err(late));
    assert_eq!(drained(&queue, 100), ["a"]);
}

#[test]
fn a_receipt_of_another_queue_settles_nothing() {
    let (ours, theirs) = (queue(SETTINGS), queue(SETTINGS));
    publish(&ours, 0, &["a"]);
    publish(&theirs, 0, &["b"]);
    let (mine, _) = (consume(&ours), consume(&theirs));
    let foreign = SettleError::Foreign { id: 1 };
    assert_eq!(theirs.ack(mine.receipt, at(0)), Err(foreign));
    assert_eq!(
        foreign.to_string(),
        "message 1 was not settled: it was delivered by another queue; settle it there"
    );
    assert_eq!(theirs.statistics(at(0)).pending, 1);
    assert_eq!(ours.ack(mine.receipt, at(0)), Ok(()));
}

#[test]
fn all_that_a_queue_holds_counts_for_its_depth() {
    let queue = queue(Settings {
        depth_max: 3,
        ..SETTINGS
    });
    publish(&queue, 0, &["dead", "pending", "ready"]);
    let dead = consume(&queue);
    queue.nack(dead.receipt, Nack::DeadLetter, at(0)).unwrap();
    let pending = consume(&queue);
    let full = PublishError::Full(3);
    assert_eq!(queue.publish(b"more", priority(9)), Err(full));
    assert_eq!(
        full.to_string(),
        "the message was not published: the queue holds 3 messages, as many as it may; consume and acknowledge \
         some, take its dead letters, or give it more depth"
    );
    queue.ack(pending.receipt, at(0)).unwrap();
    assert_eq!(queue.publish(b"more", priority(9)), Ok(4));
    assert_eq!(queue.publish(b"more", priority(9)), Err(full));
    assert_eq!(queue.take_dead_letter(at(0)).unwrap().id, 1);
    assert_eq!(queue.publish(b"more", priority(9)), Ok(5));
}

#[test]
fn messages_are_from_empty_to_16_mebibytes() {
    let queue = queue(SETTINGS);
    let longest = vec![7; MESSAGE_BYTES_MAX];
    let refused = PublishError::Oversized(MESSAGE_BYTES_MAX + 1);
    assert_eq!(
        queue.publish(&vec![7; MESSAGE_BYTES_MAX + 1], priority(0)),
        Err(refused)
    );
    assert_eq!(
        refused.to_string(),
        "the message was not published: it has 16777217 bytes, more than 16777216; send it in parts"
    );
    assert_eq!(queue.publish(b"", priority(0)), Ok(1));
    assert_eq!(queue.publish(&longest, priority(0)), Ok(2));
    assert_eq!(queue.statistics(at(0)).bytes, longest.len() as u64);
    assert_eq!(&*consume(&queue).payload, b"");
    assert!(*consume(&queue).payload == *longest);
}

#[test]
fn a_purge_leaves_what_is_pending_or_dead() {
    let queue = queue(SETTINGS);
    publish(&queue, 0, &["acked", "returns", "dead"]);
    let [acked, _, dead] = [0, 1, 2].map(|_| consume(&queue));
    queue.nack(dead.receipt, Nack::DeadLetter, at(0)).unwrap();
    publish(&queue, 0, &["purged"]);
    publish(&queue, 9, &["purged too"]);
    assert_eq!(queue.purge(at(0)), 2);
    assert_eq!(queue.purge(at(0)), 0);
    assert_eq!(queue.ack(acked.receipt, at(0)), Ok(()));
    assert_eq!(drained(&queue, 100), ["returns"]);
    assert_eq!(queue.purge_dead_letters(at(100)), 1);
    let statistics = queue.statistics(at(100));
    assert_eq!((statistics.purged, statistics.depth()), (3, 0));
    assert_eq!(statistics.bytes, 0);
}

#[test]
fn queues_are_found_by_name_until_they_are_removed() {
    let queues = Queues::default();
    let letters = queues.create("letters", SETTINGS).unwrap();
    queues.create("images", SETTINGS).unwrap();
    assert_eq!(letters.settings(), SETTINGS);
    assert!(Arc::ptr_eq(&letters, &queues.get("letters").unwrap()));
    assert_eq!(queues.names(), ["images", "letters"]);

    publish(&letters, 0, &["a"]);
    assert!(Arc::ptr_eq(&letters, &queues.remove("letters").unwrap()));
    assert_eq!(queues.names(), ["images"]);
    assert_eq!(drained(&letters, 0), ["a"]);
}

#[test]
fn the_registry_says_what_it_did_not_do() {
    let queues = Queues::default();
    let long = "q".repeat(NAME_BYTES_MAX);
    queues.create(&long, SETTINGS).unwrap();
    let longer = format!("{long}q");
    let timeless = Settings {
        ack_deadline: at(0),
        ..SETTINGS
    };
    for (refused, said) in [
        (
            queues.get("letters"),
            "there is no queue `letters`; create it first".to_owned(),
        ),
        (
            queues.remove("letters"),
            "there is no queue `letters`; create it first".to_owned(),
        ),
        (
            queues.create(&long, SETTINGS),
            format!(
                "no queue was created: there is one called `{long}`; use that one, or another name"
            ),
        ),
        (
            queues.create("", SETTINGS),
            "no queue was created: a name of 0 bytes is no name; it has from 1 to 255".to_owned(),
        ),
        (
            queues.create(&longer, SETTINGS),
            "no queue was created: a name of 256 bytes is no name; it has from 1 to 255".to_owned(),
        ),
        (
            queues.create("letters", timeless),
            SettingsError::Deadline.to_string(),
        ),
    ] {
        assert_eq!(refused.unwrap_err().to_string(), said);
    }
    assert!(matches!(
        queues.get("letters"),
        Err(QueuesError::Unknown(name)) if name == "letters"
    ));
    assert_eq!(queues.names(), [long]);
}
