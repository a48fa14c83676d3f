//! What the passes of one thread answered.
//!
//! What threads do is checked where it is timed. Tests: the same answers every time, and other answers for other work.

use workload_store::{Store, TimeToLive};

use super::stores::{
    Batch, EVICTIONS, EXPIRING, FOR_GOOD, TTLS, counters, filled, full, past, strangers,
};
use super::waves::Waves;
use super::{BATCHES, EXPIRING_KEYS, PREFIXES, passes};
use crate::answer::{Answer, Digest};
use crate::{Inputs, VALUE_BYTES};

/// Returns the answers, given inputs for a length of value.
pub fn answers(inputs: impl Fn(usize) -> Inputs) -> Vec<Answer> {
    let mut answers = Vec::new();
    for bytes in VALUE_BYTES {
        answers.extend(TTLS.map(|ttl| {
            let params = vec![("bytes", bytes.to_string()), ("ttl", ttl.to_string())];
            answer("kv/put", params, put(&inputs(bytes), ttl))
        }));
        let params = vec![("bytes", bytes.to_string())];
        answers.push(answer("kv/get_copy", params, copied(&inputs(bytes))));
    }
    let inputs = inputs(VALUE_BYTES[0]);
    answers.extend(asking(&inputs));
    answers.extend(coming(&inputs));
    answers.extend(living(&inputs));
    answers.extend(counting(&inputs));
    answers.extend(BATCHES.into_iter().flat_map(many));
    answers.extend(PREFIXES.map(|(prefix, found)| {
        let params = vec![("found", found.to_string())];
        answer("kv/scan", params, scan(&inputs, prefix))
    }));
    answers.extend(EXPIRING_KEYS.map(|keys| {
        let params = vec![("keys", keys.to_string())];
        answer("kv/remove_expired", params, expired(keys))
    }));
    answers
}

fn answer(benchmark: &'static str, params: Vec<(&'static str, String)>, digest: u64) -> Answer {
    Answer {
        benchmark,
        params,
        digest,
    }
}

fn of(store: &Store, inputs: &Inputs, pass: impl FnOnce(&Store, &mut Digest)) -> u64 {
    let mut digest = Digest::new();
    pass(store, &mut digest);
    digest.contents(store, inputs);
    digest.number(store.statistics().expiring as usize);
    digest.0
}

fn put(inputs: &Inputs, ttl: u64) -> u64 {
    of(&filled(inputs, ttl), inputs, |store, digest| {
        passes::put(store, inputs, ttl, |previous| {
            digest.value(previous.as_deref());
        });
    })
}

fn copied(inputs: &Inputs) -> u64 {
    of(&filled(inputs, FOR_GOOD), inputs, |store, digest| {
        passes::get_copy(store, inputs, |copy| digest.value(copy.as_deref()));
    })
}

/// Keys that are new, where there is room and where there is none.
fn coming(inputs: &Inputs) -> Vec<Answer> {
    let set = of(&inputs.empty_store(), inputs, |store, digest| {
        passes::set_for(store, inputs, |previous| digest.value(previous.as_deref()));
    });
    let params = vec![("ttl", EXPIRING.to_string())];
    let mut answers = vec![answer("kv/set_for", params, set)];
    let keys = || vec![("keys", inputs.len().to_string())];
    answers.extend(EVICTIONS.map(|(name, eviction)| {
        let evicted = of(&full(inputs, eviction), inputs, |store, digest| {
            passes::evict(store, inputs, |set| digest.bytes(&[u8::from(set.is_ok())]));
            digest.number(store.statistics().evicted as usize);
        });
        answer(name, keys(), evicted)
    }));
    let store = filled(inputs, EXPIRING);
    let told = of(&store, inputs, |store, digest| {
        let told = store.statistics();
        for number in [told.keys, told.expiring, told.writes, told.bytes] {
            digest.number(number as usize);
        }
    });
    answers.push(answer("kv/statistics", keys(), told));
    let read = of(&past(inputs), inputs, |store, digest| {
        crate::get(store, inputs, |value| digest.value(value.as_deref()));
        digest.number(store.statistics().expired as usize);
    });
    answers.push(answer("kv/get_expired", keys(), read));
    let told_late = of(&store, inputs, |store, digest| {
        passes::advance(store);
        passes::time_to_live(store, inputs, |left| digest.number(milliseconds(left)));
    });
    answers.push(answer("kv/advance", keys(), told_late));
    answers
}

fn asking(inputs: &Inputs) -> [Answer; 2] {
    let all = inputs.len();
    [(0, strangers(inputs)), (all, filled(inputs, FOR_GOOD))].map(|(found, store)| {
        let digest = of(&store, inputs, |store, digest| {
            passes::exists(store, inputs, |found| digest.bytes(&[u8::from(found)]));
        });
        answer("kv/exists", vec![("found", found.to_string())], digest)
    })
}

fn living(inputs: &Inputs) -> Vec<Answer> {
    let of_ttl = |ttl| {
        let store = || filled(inputs, ttl);
        let asked = of(&store(), inputs, |store, digest| {
            passes::time_to_live(store, inputs, |left| digest.number(milliseconds(left)));
        });
        let given = of(&store(), inputs, |store, digest| {
            passes::expire_in(store, inputs, |there| digest.bytes(&[u8::from(there)]));
            passes::time_to_live(store, inputs, |left| digest.number(milliseconds(left)));
        });
        [("kv/time_to_live", asked), ("kv/expire_in", given)]
            .map(|(name, digest)| answer(name, vec![("ttl", ttl.to_string())], digest))
    };
    let mut answers: Vec<Answer> = TTLS.into_iter().flat_map(of_ttl).collect();
    let persisted = of(&filled(inputs, EXPIRING), inputs, |store, digest| {
        passes::persist(store, inputs, |had| digest.bytes(&[u8::from(had)]));
    });
    let params = vec![("ttl", EXPIRING.to_string())];
    answers.push(answer("kv/persist", params, persisted));
    answers
}

fn milliseconds(left: Option<TimeToLive>) -> usize {
    match left {
        None => 0,
        Some(TimeToLive::Persistent) => 1,
        Some(TimeToLive::Left(left)) => left.as_millis() as usize,
    }
}

fn counting(inputs: &Inputs) -> [Answer; 3] {
    let up = |ttl| of_count(inputs, ttl, Store::incr);
    let down = of_count(inputs, FOR_GOOD, Store::decr);
    [
        ("kv/incr", FOR_GOOD, up(FOR_GOOD)),
        ("kv/incr", EXPIRING, up(EXPIRING)),
        ("kv/decr", FOR_GOOD, down),
    ]
    .map(|(name, ttl, digest)| answer(name, vec![("ttl", ttl.to_string())], digest))
}

fn of_count(
    inputs: &Inputs,
    ttl: u64,
    step: fn(&Store, &[u8], i64) -> Result<i64, workload_store::Error>,
) -> u64 {
    of(&counters(inputs, ttl), inputs, |store, digest| {
        passes::count(store, inputs, step, |sum| digest.number(sum as usize));
    })
}

fn many(count: usize) -> [Answer; 3] {
    let inputs = Batch::inputs(count);
    let batch = Batch::of(&inputs);
    let of = |pass: &dyn Fn(&Store, &mut Digest)| of(&inputs.filled_store(), &inputs, pass);
    let got = of(&|store, digest| {
        for value in passes::get_many(store, &batch) {
            digest.value(value.as_deref());
        }
    });
    let set = of(&|store, digest| {
        let set = passes::set_many(store, &batch);
        digest.bytes(&[u8::from(set.is_ok())]);
    });
    let deleted = of(&|store, digest| digest.number(passes::delete_many(store, &batch)));
    [
        ("kv/get_many", got),
        ("kv/set_many", set),
        ("kv/delete_many", deleted),
    ]
    .map(|(name, digest)| answer(name, vec![("batch", count.to_string())], digest))
}

fn scan(inputs: &Inputs, prefix: &[u8]) -> u64 {
    of(&filled(inputs, FOR_GOOD), inputs, |store, digest| {
        // In no order that means anything.
        let mut keys = Vec::new();
        passes::scan(store, prefix, |key| keys.push(key));
        keys.sort_unstable();
        keys.iter().for_each(|key| digest.value(Some(key)));
    })
}

fn expired(keys: usize) -> u64 {
    let mut waves = Waves::new(keys);
    let mut digest = Digest::new();
    digest.number(keys);
    for _ in 0..3 {
        digest.number(waves.remove());
        waves.refill();
    }
    digest.0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::answers;
    use crate::Inputs;

    #[test]
    fn answers_are_the_same_every_time_and_differ_with_the_work() {
        let seen = answers(Inputs::smoke);
        assert_eq!(seen, answers(Inputs::smoke));
        let ids: BTreeSet<String> = seen
            .iter()
            .map(|it| format!("{}{:?}", it.benchmark, it.params))
            .collect();
        assert_eq!((seen.len(), ids.len()), (44, 44));
        // Whatever keys had to live, they have an hour in the end; and that each key is there is said by two.
        let same = ["kv/expire_in", "kv/exists", "kv/persist"];
        let others = seen.iter().filter(|it| !same.contains(&it.benchmark));
        let others: Vec<u64> = others.map(|it| it.digest).collect();
        let different: BTreeSet<&u64> = others.iter().collect();
        assert_eq!(different.len(), others.len());
    }
}
