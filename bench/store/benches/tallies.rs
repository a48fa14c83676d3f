//! The allocations of the passes of one thread, and the syncs of the log: counts that need no Callgrind.
//!
//! They are of the same passes as the instructions: what an operation takes is a thousandth. Of what is made durable
//! there are as many records as `records` says, and a hundred where a writer appends. What the inputs allocate is not counted,
//! and neither is what other threads do.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::hint::black_box;

use allocation_counter::measure;
use bench_store::keys::{self, BATCHES as CALLS, Batch, EXPIRING, FOR_GOOD, TTLS};
use bench_store::log::{self, BATCHES, Place, RECORD_BYTES, Records, Scratch};
use bench_store::queue::{self, MESSAGE_BYTES, Messages};
use bench_store::tally::{Tally, list, syncs};
use bench_store::{Inputs, VALUE_BYTES};
use workload_store::Store;
use workload_store::log::Sync;
use workload_store::queue::Nack;

fn main() {
    let mut tallies = Vec::new();
    kv(&mut tallies);
    lives(&mut tallies);
    calls(&mut tallies);
    long(&mut tallies);
    short(&mut tallies);
    in_memory(&mut tallies);
    durable(&mut tallies);
    println!("{}", list("store", &tallies));
}

/// Runs a pass and adds what it allocates.
fn allocations(tallies: &mut Vec<Tally>, benchmark: impl Into<String>, pass: impl FnOnce()) {
    let counted = measure(pass);
    let benchmark = benchmark.into();
    let metrics = [
        ("allocations", "count", counted.count_total),
        ("allocated_bytes", "B", counted.bytes_total),
    ];
    tallies.extend(metrics.map(|(metric, unit, value)| Tally {
        benchmark: benchmark.clone(),
        metric,
        unit,
        value,
    }));
}

fn kv(tallies: &mut Vec<Tally>) {
    for bytes in VALUE_BYTES {
        let inputs = Inputs::full(bytes);
        let (empty, filled) = (inputs.empty_store(), inputs.filled_store());
        let name = |name: &str| format!("kv/{name}{{bytes={bytes}}}");
        allocations(tallies, name("get"), || {
            bench_store::get(&filled, &inputs, |value| drop(black_box(value)));
        });
        allocations(tallies, name("set"), || {
            bench_store::set(&empty, &inputs, |previous| drop(black_box(previous)));
        });
        allocations(tallies, name("overwrite"), || {
            bench_store::overwrite(&filled, &inputs, |previous| drop(black_box(previous)));
        });
        allocations(tallies, name("delete"), || {
            bench_store::delete(&filled, &inputs, |found| {
                black_box(found);
            });
        });
    }
}

/// What keys with a time to live and without one allocate.
fn lives(tallies: &mut Vec<Tally>) {
    let inputs = Inputs::full(VALUE_BYTES[0]);
    for ttl in TTLS {
        let store = keys::filled(&inputs, ttl);
        let name = |name: &str| format!("kv/{name}{{ttl={ttl}}}");
        let put = format!("kv/put{{bytes={},ttl={ttl}}}", VALUE_BYTES[0]);
        allocations(tallies, put, || {
            keys::put(&store, &inputs, ttl, |previous| drop(black_box(previous)));
        });
        allocations(tallies, name("time_to_live"), || {
            keys::time_to_live(&store, &inputs, |left| {
                black_box(left);
            });
        });
        allocations(tallies, name("expire_in"), || {
            keys::expire_in(&store, &inputs, |there| {
                black_box(there);
            });
        });
        let counters = keys::counters(&inputs, ttl);
        allocations(tallies, name("incr"), || {
            keys::count(&counters, &inputs, Store::incr, |sum| {
                black_box(sum);
            });
        });
    }
    let store = keys::filled(&inputs, EXPIRING);
    allocations(tallies, format!("kv/persist{{ttl={EXPIRING}}}"), || {
        keys::persist(&store, &inputs, |had| {
            black_box(had);
        });
    });
    let counters = keys::counters(&inputs, FOR_GOOD);
    allocations(tallies, format!("kv/decr{{ttl={FOR_GOOD}}}"), || {
        keys::count(&counters, &inputs, Store::decr, |sum| {
            black_box(sum);
        });
    });
    allocations(tallies, "kv/exists{found=1000}", || {
        keys::exists(&store, &inputs, |found| {
            black_box(found);
        });
    });
    for (prefix, found) in keys::PREFIXES {
        allocations(tallies, format!("kv/scan{{found={found}}}"), || {
            keys::scan(&store, prefix, |key| drop(black_box(key)));
        });
    }
    for count in keys::EXPIRING_KEYS {
        let mut waves = keys::Waves::new(count);
        allocations(
            tallies,
            format!("kv/remove_expired{{keys={count}}}"),
            || {
                black_box(waves.remove());
            },
        );
    }
}

/// What calls for many keys allocate.
fn calls(tallies: &mut Vec<Tally>) {
    for count in CALLS {
        let inputs = Batch::inputs(count);
        let (batch, store) = (Batch::of(&inputs), inputs.filled_store());
        let name = |name: &str| format!("kv/{name}{{batch={count}}}");
        allocations(tallies, name("get_many"), || {
            drop(black_box(keys::get_many(&store, &batch)));
        });
        allocations(tallies, name("set_many"), || {
            let _ = black_box(keys::set_many(&store, &batch));
        });
        allocations(tallies, name("delete_many"), || {
            black_box(keys::delete_many(&store, &batch));
        });
    }
}

fn long(tallies: &mut Vec<Tally>) {
    let sizes = MESSAGE_BYTES.map(|bytes| (bytes, 1));
    for (bytes, priorities) in sizes.into_iter().chain([(1024, 10)]) {
        let messages = Messages::full(bytes, priorities);
        let name = |name: &str| format!("queue/{name}{{bytes={bytes},priorities={priorities}}}");
        let (warm, backlog) = (messages.warm_queue(), messages.ready_queue());
        let lent = warm.lend();
        allocations(tallies, name("publish"), || {
            queue::publish(lent.0, &messages, |id| {
                let _ = black_box(id);
            });
        });
        allocations(tallies, name("cycle"), || {
            queue::cycle(&backlog, &messages, |delivery| drop(black_box(delivery)));
        });
    }
    let messages = Messages::full(1024, 1);
    let (warm, values) = (messages.warm_queue(), messages.values());
    let lent = warm.lend();
    allocations(
        tallies,
        "queue/publish_shared{bytes=1024,priorities=1}",
        || {
            queue::publish_shared(lent.0, &values, |id| {
                let _ = black_box(id);
            });
        },
    );
}

fn short(tallies: &mut Vec<Tally>) {
    let messages = Messages::full(64, 1);
    let ready = messages.ready_queue();
    allocations(tallies, "queue/consume{priorities=1}", || {
        queue::consume(&ready, |delivery| drop(black_box(delivery)));
    });
    let (pending, receipts) = messages.pending_queue();
    allocations(tallies, "queue/requeue{priorities=1}", || {
        queue::nack(&pending, &receipts, Nack::Requeue, |fate| {
            let _ = black_box(fate);
        });
    });
    let (pending, receipts) = messages.pending_queue();
    allocations(tallies, "queue/bury{priorities=1}", || {
        queue::nack(&pending, &receipts, Nack::DeadLetter, |fate| {
            let _ = black_box(fate);
        });
    });
    let (pending, receipts) = messages.pending_queue();
    allocations(tallies, "queue/ack{priorities=1}", || {
        queue::ack(&pending, &receipts, |settled| {
            let _ = black_box(settled);
        });
    });
    let dead = messages.dead_queue();
    allocations(tallies, "queue/take_dead_letter{priorities=1}", || {
        queue::take_dead_letters(&dead, |letter| drop(black_box(letter)));
    });
    let ready = messages.ready_queue();
    allocations(tallies, "queue/purge{priorities=1}", || {
        black_box(queue::purge(&ready));
    });
    let (pending, _) = messages.pending_queue();
    allocations(tallies, "queue/expire{priorities=1}", || {
        black_box(queue::expire(&pending));
    });
}

/// The passes over a log that nobody syncs.
fn in_memory(tallies: &mut Vec<Tally>) {
    let name = |name: &str| format!("log/{name}{{bytes={RECORD_BYTES},records=1000}}");
    let records = Records::new(1_000);
    let scratch = Scratch::unsynced();
    allocations(tallies, name("append_unsynced"), || {
        log::append(scratch.log(), &records, |number| {
            let _ = black_box(number);
        });
    });
    let mut scratch = Scratch::unsynced();
    allocations(tallies, name("append_batch_unsynced"), || {
        let _ = black_box(log::append_batch(scratch.log(), &records));
    });
    tallies.push(syncs(name("append_batch_unsynced"), scratch.log().syncs()));
    allocations(tallies, name("read"), || {
        log::read(scratch.log(), |record| drop(black_box(record)));
    });
    allocations(tallies, name("reopen"), || scratch.reopen(1_000));
    allocations(tallies, name("snapshot"), || {
        let _ = black_box(log::snapshot(scratch.log(), &records));
    });
    allocations(tallies, name("restore"), || {
        let _ = black_box(log::restore(scratch.log()));
    });
}

/// What is made durable, by one thread: how often it waits is no question to the disk, so this one is in memory.
fn durable(tallies: &mut Vec<Tally>) {
    let each = Records::new(log::RECORDS_PER_WRITER as usize);
    let scratch = Scratch::new(Place::Memory, Sync::Always);
    let alone = format!("log/append{{bytes={RECORD_BYTES},sync=always,writers=1}}");
    allocations(tallies, alone.as_str(), || {
        log::append(scratch.log(), &each, |number| {
            let _ = black_box(number);
        });
    });
    tallies.push(syncs(alone, scratch.log().syncs()));
    for count in BATCHES {
        let records = Records::new(count);
        let scratch = Scratch::new(Place::Memory, Sync::Always);
        let name = format!("log/append_batch{{bytes={RECORD_BYTES},records={count},sync=always}}");
        allocations(tallies, name.as_str(), || {
            let _ = black_box(log::append_batch(scratch.log(), &records));
        });
        tallies.push(syncs(name, scratch.log().syncs()));
    }
}
