//! Counts: any change above the tolerance is real, and no statistics are needed.
//!
//! Zero variance is the normal case, not a special one. Where repeats of a count do differ, the count is not what it
//! claims to be: the sides must then be wholly apart, and by more than three times the jitter, before the change is
//! believed; and it takes [`REPEATS_TO_FAIL`] repeats a side before anything fails.
//!
//! Tested by the tables of known answers in `tests/judge`.

use tripline_model::{Better, Caveat, Gate, Summary, Verdict};

use crate::judgement::{Judgement, of_real_change};
use crate::policy::Rule;
use crate::threshold::differ;

/// The repeats each side of a count that is not deterministic needs before it may fail a gate: with five a side, two
/// equal programs come out wholly apart in one of 252 comparisons; with three, in one of 20.
const REPEATS_TO_FAIL: usize = 5;

/// How many times the jitter a change must exceed.
const JITTERS: f64 = 3.0;

/// Judges a count that both sides have, taken in environments that agree in what matters.
pub(crate) fn judge(base: &Summary, head: &Summary, better: Better, rule: &Rule) -> Judgement {
    let mut caveats: Vec<Caveat> = not_deterministic(&[base, head]).into_iter().collect();
    let (verdict, mut gate) = if differ(base.center, head.center, rule.tolerance) {
        of_difference(base, head, better, rule)
    } else {
        (Verdict::Unchanged, Gate::Pass)
    };
    let repeats = base.count.min(head.count);
    let has_too_few = !is_constant_on_both(base, head) && repeats < REPEATS_TO_FAIL;
    if has_too_few && gate > Gate::Warn {
        gate = Gate::Warn;
        caveats.push(Caveat::TooFewRepeats { repeats });
    }
    Judgement {
        verdict,
        gate,
        caveats,
    }
}

/// Judges centres that differ by more than the tolerance.
fn of_difference(base: &Summary, head: &Summary, better: Better, rule: &Rule) -> (Verdict, Gate) {
    let (verdict, gate) = of_real_change(base.center, head.center, better, rule);
    let is_certain = is_constant_on_both(base, head) || is_beyond_jitter(base, head);
    if is_certain || verdict == Verdict::Unchanged {
        return (verdict, gate);
    }
    (Verdict::Inconclusive, Gate::Pass)
}

/// Returns whether no value of one side lies among the other's, and the centres are several jitters apart.
fn is_beyond_jitter(base: &Summary, head: &Summary) -> bool {
    let is_apart = head.low > base.high || head.high < base.low;
    let smaller = base.center.min(head.center);
    // No share of zero is a spread; of a side that was zero once, the values themselves say how far they stray.
    let strays = |side: &Summary| match jitter(side) {
        share if share.is_finite() => share * smaller,
        _ => side.high - side.low,
    };
    let needed = JITTERS * strays(base).max(strays(head));
    is_apart && (head.center - base.center).abs() > needed
}

/// Returns the caveat that a count came out differently when it was taken again, if it did on any of the sides.
pub(crate) fn not_deterministic(sides: &[&Summary]) -> Option<Caveat> {
    let widest = sides
        .iter()
        .filter(|side| !is_constant(side))
        .max_by(|a, b| jitter(a).total_cmp(&jitter(b)))?;
    let jitter = jitter(widest);
    let spread = if jitter.is_finite() {
        jitter
    } else {
        // Files hold finite numbers only; of a count that was once zero, the share of the largest is said.
        (widest.high - widest.low) / widest.high
    };
    Some(Caveat::NotDeterministic { spread })
}

fn is_constant_on_both(base: &Summary, head: &Summary) -> bool {
    is_constant(base) && is_constant(head)
}

fn is_constant(side: &Summary) -> bool {
    side.low == side.high
}

/// Returns the spread relative to the smallest value; infinite where that is zero.
fn jitter(side: &Summary) -> f64 {
    if is_constant(side) {
        return 0.0;
    }
    (side.high - side.low) / side.low
}
