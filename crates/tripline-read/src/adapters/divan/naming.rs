//! Which benchmark a leaf of the tree is.
//!
//! divan hangs a benchmark's arguments below it as it does benchmarks below modules; only numbers and threads can be told
//! from names. An empty argument is a value to divan and none to us: the benchmark without it is meant. Tested below.

use tripline_model::{BenchId, SuiteName};

use crate::naming::{bench_id, is_decimal, numbered_value};

/// Returns the benchmark at the end of a path through the tree.
pub(super) fn bench(suite: &SuiteName, path: &[&str]) -> Result<BenchId, String> {
    let mut name = String::new();
    let mut pairs: Vec<(String, &str)> = Vec::new();
    let mut values = 0;
    for part in path {
        let threads = part.strip_prefix("t=").filter(|n| is_decimal(n));
        if let Some(threads) = threads.filter(|_| !name.is_empty()) {
            pairs.push(("threads".to_owned(), threads));
        } else if is_decimal(part.trim_start_matches('-')) && !name.is_empty() {
            values += 1;
            pairs.push((numbered_value(values), part));
        } else if !part.is_empty() {
            if !name.is_empty() {
                name.push('/');
            }
            name.push_str(part);
        }
    }
    bench_id(suite, &name, &pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_threads_are_params() {
        let suite = SuiteName::new("kv").unwrap();
        for (path, expected) in [
            (&["store", "get"][..], "store/get"),
            (&["get", "64"], "get{value=64}"),
            (&["get", "64", "t=2"], "get{threads=2,value=64}"),
            (&["get", "u8", "1", "2.5"], "get/u8{value=1,value2=2.5}"),
            (&["get", "-1"], "get{value=-1}"),
            (&["get", "t=x"], "get/t=x"),
            (&["get", ""], "get"),
            (&["get", "", "t=2"], "get{threads=2}"),
            (&["64"], "64"),
            (&["t=2"], "t=2"),
            (&["t=2", "t=4"], "t=2{threads=4}"),
        ] {
            assert_eq!(bench(&suite, path).unwrap().within_suite(), expected);
        }
    }
}
