//! Which benchmark a name such as `Get/bytes:64/8/real_time/threads:4` stands for.
//!
//! What was registered with a name of its own is a param of that name; numbers without one are the params `value`,
//! `value2` and so on. What says which clock counts stays part of the name. Tested below.

use tripline_model::{BenchId, SuiteName};

use crate::naming::{bench_id, is_decimal, numbered_value};

/// The longest name that is taken apart: keys are compared with one another.
const NAME_BYTES_MAX: usize = 4096;

pub(super) fn bench(suite: &SuiteName, name: &str) -> Result<BenchId, String> {
    if name.len() > NAME_BYTES_MAX {
        let bytes = name.len();
        return Err(format!(
            "a benchmark's name has {bytes} bytes, more than the {NAME_BYTES_MAX} allowed"
        ));
    }
    let mut parts = name.split('/');
    let mut names: Vec<&str> = parts.next().into_iter().collect();
    let mut pairs: Vec<(String, &str)> = Vec::new();
    let mut values = 0;
    for part in parts {
        let named = part.split_once(':').filter(|(key, value)| {
            !key.is_empty() && is_argument(value) && !pairs.iter().any(|(known, _)| known == key)
        });
        if let Some((key, value)) = named {
            pairs.push((key.to_owned(), value));
        } else if is_argument(part) {
            values += 1;
            pairs.push((numbered_value(values), part));
        } else {
            names.push(part);
        }
    }
    bench_id(suite, &names.join("/"), &pairs)
}

fn is_argument(text: &str) -> bool {
    is_decimal(text.strip_prefix('-').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_params_and_the_rest_stays_the_name() {
        let suite = SuiteName::new("kv").unwrap();
        for (name, expected) in [
            ("Get", "Get"),
            ("Get/64", "Get{value=64}"),
            ("Get/64/-8", "Get{value=64,value2=-8}"),
            ("Get/bytes:64/8", "Get{bytes=64,value=8}"),
            (
                "Get/64/min_time:0.500/real_time/threads:4",
                "Get/real_time{min_time=0.500,threads=4,value=64}",
            ),
            (
                "Fill<std::vector<int>>/64",
                "Fill<std::vector<int>>{value=64}",
            ),
            ("Fixture/Get/64", "Fixture/Get{value=64}"),
            ("Get/x:1/x:2", "Get/x:2{x=1}"),
            ("Get/mode:warm", "Get/mode:warm"),
        ] {
            assert_eq!(
                bench(&suite, name).unwrap().within_suite(),
                expected,
                "{name}"
            );
        }
    }
}
