//! What a million tallies take, by what the system says is resident: keys of twelve bytes, values of sixty-four.
//!
//! Each store is filled in a process of its own, this program started again, and what that had before is taken off. Every
//! key is then asked for, and must have its own value.

use std::env;
use std::hint::black_box;
use std::process::Command;

use bench_peers::keys::{VALUE_BYTES, value};
use bench_peers::stores::{Dashmap, KeyValue, Moka, Ours, Papaya, Scc};
use bench_store::keys::resident;
use bench_store::tally::{Tally, list};

const ENTRIES: usize = 1_000_000;

const STORE: &str = "BENCH_PEERS_STORE";

fn main() {
    match env::var(STORE).as_deref() {
        Ok(Ours::NAME) => println!("{}", filled::<Ours>()),
        Ok(Dashmap::NAME) => println!("{}", filled::<Dashmap>()),
        Ok(Scc::NAME) => println!("{}", filled::<Scc>()),
        Ok(Papaya::NAME) => println!("{}", filled::<Papaya>()),
        Ok(Moka::NAME) => println!("{}", filled::<Moka>()),
        Ok(other) => panic!("there is no store `{other}`"),
        Err(_) => println!("{}", list("peers", &all())),
    }
}

fn all() -> Vec<Tally> {
    let names = [
        Ours::NAME,
        Dashmap::NAME,
        Scc::NAME,
        Papaya::NAME,
        Moka::NAME,
    ];
    let of = |name: &str| Tally {
        benchmark: format!("store/memory{{bytes={VALUE_BYTES},keys={ENTRIES},store={name}}}"),
        metric: "resident",
        unit: "B",
        value: of_process(name),
    };
    names.map(of).into()
}

fn of_process(name: &str) -> u64 {
    let program = env::current_exe().expect("this program has a path");
    let output = Command::new(program).env(STORE, name).output();
    let output = output.expect("this program can be started");
    assert!(output.status.success(), "the process with {name} failed");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().expect("it prints a number")
}

/// Returns by how many bytes the process grew.
fn filled<S: KeyValue>() -> u64 {
    let mut value = value(VALUE_BYTES);
    let said = "the system says what is in memory";
    let before = resident().expect(said);
    let store = S::default();
    for number in 0..ENTRIES {
        store.set(key(number).as_bytes(), of(&mut value, number));
    }
    let grown = resident().expect(said) - before;
    for number in 0..ENTRIES {
        let there = store.get(key(number).as_bytes());
        let is_right = there.is_some_and(|it| *it == *of(&mut value, number));
        assert!(is_right, "{} lacks key {number}", S::NAME);
    }
    drop(black_box(store));
    grown
}

fn key(number: usize) -> String {
    format!("key:{number:08}")
}

/// Makes a value that of one key: it begins with the number, so that no other key's is taken for it.
fn of(value: &mut [u8], number: usize) -> &[u8] {
    value[..8].copy_from_slice(&(number as u64).to_le_bytes());
    value
}
