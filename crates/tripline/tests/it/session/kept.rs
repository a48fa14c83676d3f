//! What the change since the base says of itself in a kept run: what it takes out of one, and which other work it puts in.

use tripline_model::{Gate, Verdict};

use super::verdicts;
use crate::repository::{Repository, SUITE};

#[test]
fn what_the_change_takes_out_of_the_baseline_is_said_and_stops_nothing() {
    let repository = Repository::with_times("get 1000", "get 1000");
    let keep = || {
        repository.tripline(&["measure"]).with(0);
        repository.tripline(&["baseline", "update"]).with(0);
        repository.commit();
    };
    repository.times("get 1000\nold 70");
    repository.write("tripline.toml", "[outcomes]\nremoved = \"fail\"\n");
    keep();
    repository.times("get 1000");
    repository.commit();
    let found = |base: &str, code: i32| {
        let args = ["check", "--against", base, "--seed", "7"];
        repository.tripline(&args).with(code);
        let report = &repository.reports()[0];
        (verdicts(report), report.gate())
    };
    let all = ["get unchanged", "old removed"].map(str::to_owned);
    assert_eq!(found("HEAD~1", 10), (all.to_vec(), Gate::Fail));
    keep();
    assert_eq!(found("HEAD~2", 0), (all.to_vec(), Gate::Warn));
}

/// What is derived has no line in a kept run, and is of other work as what it is computed from is.
#[test]
fn other_work_that_the_change_puts_into_the_baseline_is_said_and_stops_nothing() {
    let repository = Repository::with_times("get 1000\nset 500", "get 1000\nset 500");
    let cost = "\n[[derived]]\nname = \"cost\"\nabout = \"x\"\nexpression = \"get:wall_time / set:wall_time\"\nunit = \"ratio\"\nbetter = \"lower\"\n";
    repository.write("bench/kv/suite.toml", &format!("{SUITE}{cost}"));
    repository.write("tripline.toml", "[outcomes]\ninconclusive = \"fail\"\n");
    let keep = || {
        repository.tripline(&["measure"]).with(0);
        repository.tripline(&["baseline", "update"]).with(0);
        repository.commit();
    };
    let check = |base: &str, code: i32| {
        let args = ["check", "--against", base, "--seed", "7"];
        repository.tripline(&args).with(code);
        repository.reports()[0].gate()
    };
    let work = |answer: &str, unit: &str| {
        let answer = format!("s/]}}}}}}}}/]}}}},\"answer\":\"{answer}\"}}}}/");
        let unit = format!("s/\"unit\":\"ns\"/\"unit\":\"{unit}\"/");
        repository.script(&format!("print_run < ns | sed '{answer}; {unit}'"));
    };
    work("aa11", "ns");
    keep();
    for (answer, unit) in [("bb22", "ns"), ("bb22", "B")] {
        work(answer, unit);
        repository.commit();
        assert_eq!(check("HEAD~1", 10), Gate::Fail, "{answer} {unit}");
        keep();
        assert_eq!(check("HEAD~2", 0), Gate::Warn, "{answer} {unit}");
    }
}

/// No kept run has a line of what is derived, so that no update could take it out.
#[test]
fn what_is_derived_of_what_the_change_takes_out_stops_nothing_unless_it_has_a_limit() {
    let repository = Repository::with_times("", "");
    let with_params = r#"sed 's/:"\([a-z]*\)_\([a-z]*\)"/:"\1","params":{"op":"\2"}/'"#;
    repository.script(&format!("print_run < ns | {with_params}"));
    let cost = "\n[[derived]]\nname = \"cost\"\nabout = \"x\"\nexpression = \"big:wall_time / small:wall_time\"\nunit = \"ratio\"\nbetter = \"lower\"\n";
    repository.write("bench/kv/suite.toml", &format!("{SUITE}{cost}"));
    repository.write("tripline.toml", "[outcomes]\nremoved = \"fail\"\n");
    let keep = |times: &str| {
        repository.times(times);
        repository.tripline(&["measure"]).with(0);
        repository.tripline(&["baseline", "update"]).with(0);
        repository.commit();
    };
    let kept = "big_new 900\nsmall_new 90";
    keep(&format!("{kept}\nbig_old 900\nsmall_old 90"));
    keep(kept);
    let removed = |base: &str, code: i32| {
        let args = ["check", "--against", base, "--seed", "7"];
        repository.tripline(&args).with(code);
        let findings = &repository.reports()[0].findings;
        let removed = findings.iter().filter(|it| it.verdict == Verdict::Removed);
        removed
            .map(|it| format!("{} {}", it.bench.within_suite(), it.gate.word()))
            .collect::<Vec<_>>()
    };
    let terms = ["big{op=old} warn", "small{op=old} warn"];
    assert_eq!(
        removed("HEAD~1", 0),
        [terms[0], "cost{op=old} warn", terms[1]]
    );
    // Whether it keeps its limit is undecided all the same.
    let limited = format!("{SUITE}{cost}max = 100\n");
    repository.write("bench/kv/suite.toml", &limited);
    let strict = "[outcomes]\nremoved = \"fail\"\ninconclusive = \"fail\"\n";
    repository.write("tripline.toml", strict);
    repository.commit();
    assert_eq!(
        removed("HEAD~2", 10),
        [terms[0], "cost{op=old} fail", terms[1]]
    );
}
