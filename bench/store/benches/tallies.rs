//! The allocations of the passes of one thread, and the syncs of the log: counts that need no Callgrind.
//!
//! They are of the same passes as the instructions: what an operation takes is a thousandth. Of what is made durable
//! there are as many records as `records` says, and a hundred where a writer appends. What the inputs allocate is not counted,
//! and neither is what other threads do.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::hint::black_box;

use allocation_counter::measure;
use bench_store::keys::{self, BATCHES as CALLS, Batch, EVICTIONS, EXPIRING, FOR_GOOD, TTLS};
use bench_store::log::{self, BATCHES, Place, RECORD_BYTES, Records, Scratch};
use bench_store::queue::{self, MESSAGE_BYTES, Messages, Named};
use bench_store::tally::{Tally, list, syncs};
use bench_store::{Inputs, VALUE_BYTES};
use workload_store::Store;
use workload_store::log::Sync;
use workload_store::queue::Nack;

/// The numbers of records between which what is held at once may not grow.
const PEAKS: [usize; 2] = [1_000, 100_000];

fn main() {
    let mut tallies = Vec::new();
    kv(&mut tallies);
    lives(&mut tallies);
    coming(&mut tallies);
    calls(&mut tallies);
    long(&mut tallies);
    short(&mut tallies, 1);
    short(&mut tallies, 10);
    alone(&mut tallies);
    in_memory(&mut tallies);
    for count in PEAKS {
        peaks(&mut tallies, count);
    }
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
        allocations(tallies, name("get_copy"), || {
            keys::get_copy(&filled, &inputs, |copy| drop(black_box(copy)));
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

/// What sets of keys that are there allocate.
fn puts(tallies: &mut Vec<Tally>, bytes: usize, ttl: u64) {
    let inputs = Inputs::full(bytes);
    let store = keys::filled(&inputs, ttl);
    let put = format!("kv/put{{bytes={bytes},ttl={ttl}}}");
    allocations(tallies, put, || {
        keys::put(&store, &inputs, ttl, |previous| drop(black_box(previous)));
    });
}

/// What keys that are new allocate, where there is room and where there is none.
fn coming(tallies: &mut Vec<Tally>) {
    let inputs = Inputs::full(VALUE_BYTES[0]);
    let empty = inputs.empty_store();
    allocations(tallies, format!("kv/set_for{{ttl={EXPIRING}}}"), || {
        keys::set_for(&empty, &inputs, |previous| drop(black_box(previous)));
    });
    for (benchmark, eviction) in EVICTIONS {
        let full = keys::full(&inputs, eviction);
        allocations(
            tallies,
            format!("{benchmark}{{keys={}}}", inputs.len()),
            || {
                keys::evict(&full, &inputs, |set| drop(black_box(set)));
            },
        );
    }
    let statistics = format!("kv/statistics{{keys={}}}", inputs.len());
    allocations(tallies, statistics, || {
        black_box(empty.statistics());
    });
}

/// What keys with a time to live and without one allocate.
fn lives(tallies: &mut Vec<Tally>) {
    let inputs = Inputs::full(VALUE_BYTES[0]);
    for ttl in TTLS {
        for bytes in VALUE_BYTES {
            puts(tallies, bytes, ttl);
        }
        let store = keys::filled(&inputs, ttl);
        let name = |name: &str| format!("kv/{name}{{ttl={ttl}}}");
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
    let strangers = keys::strangers(&inputs);
    for (found, store) in [(0, &strangers), (inputs.len(), &store)] {
        allocations(tallies, format!("kv/exists{{found={found}}}"), || {
            keys::exists(store, &inputs, |found| {
                black_box(found);
            });
        });
    }
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

/// What touches no payload, and may depend on the priorities.
fn short(tallies: &mut Vec<Tally>, priorities: u8) {
    let messages = Messages::full(64, priorities);
    let name = |name: &str| format!("queue/{name}{{priorities={priorities}}}");
    let ready = messages.ready_queue();
    allocations(tallies, name("consume"), || {
        queue::consume(&ready, |delivery| drop(black_box(delivery)));
    });
    let (pending, receipts) = messages.pending_queue();
    allocations(tallies, name("requeue"), || {
        queue::nack(&pending, &receipts, Nack::Requeue, |fate| {
            let _ = black_box(fate);
        });
    });
    let ready = messages.ready_queue();
    allocations(tallies, name("purge"), || {
        black_box(queue::purge(&ready));
    });
    let (pending, _) = messages.pending_queue();
    allocations(tallies, name("expire"), || {
        black_box(queue::expire(&pending));
    });
}

/// What one message has to do with no other.
fn alone(tallies: &mut Vec<Tally>) {
    let messages = Messages::full(64, 1);
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
    let dead = messages.dead_queue();
    allocations(tallies, "queue/purge_dead_letters{priorities=1}", || {
        black_box(queue::purge_dead_letters(&dead));
    });
    let named = Named::new();
    let get = format!("queue/get{{queues={}}}", named.len());
    allocations(tallies, get, || {
        queue::get(&named, |queue| drop(black_box(queue)));
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
    let (synced, covered) = (Scratch::unsynced(), Scratch::covered(&records));
    allocations(tallies, name("sync"), || {
        log::sync(synced.log(), &records, |number| {
            let _ = black_box(number);
        });
    });
    tallies.push(syncs(name("sync"), synced.log().syncs()));
    allocations(tallies, name("remove_covered"), || {
        let _ = black_box(log::remove_covered(covered.log()));
    });
    allocations(tallies, name("read"), || {
        log::read(scratch.log(), |record| drop(black_box(record)));
    });
    allocations(tallies, name("reopen"), || scratch.reopen(1_000));
    allocations(tallies, name("snapshot"), || {
        let _ = black_box(log::snapshot(scratch.log(), &records));
    });
    allocations(tallies, name("restore"), || {
        let _ = black_box(log::restore(scratch.log(), |payload| {
            black_box(payload);
        }));
    });
}

/// What a log holds in memory at once while so many records go through it.
fn peaks(tallies: &mut Vec<Tally>, count: usize) {
    let records = Records::new(count);
    let scratch = Scratch::unsynced();
    // One by one: what a large batch leaves behind is no part of what is read or written later.
    log::append(scratch.log(), &records, |number| {
        let _ = black_box(number);
    });
    let mut peak = |name: &str, pass: &dyn Fn()| {
        let benchmark = format!("log/{name}{{bytes={RECORD_BYTES},records={count}}}");
        let bytes = measure(pass).bytes_max;
        tallies.push(Tally::of(&benchmark, "heap_peak", "B", bytes));
    };
    peak("read", &|| {
        log::read(scratch.log(), |record| drop(black_box(record)));
    });
    peak("snapshot", &|| {
        let _ = black_box(log::snapshot(scratch.log(), &records));
    });
    peak("restore", &|| {
        let _ = black_box(log::restore(scratch.log(), |payload| {
            black_box(payload);
        }));
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
