//! Times and rates against a kept run: shown, and never judged better or worse.
//!
//! The base was measured at another time and perhaps on another machine, and no test on its values can tell the
//! machine's change from the code's. So the answer is "unchanged" within a wide tolerance and "inconclusive" beyond it.
//!
//! Tested by the tables of known answers in `tests/judge`, and by the property that the scale of the unit changes no
//! verdict.

use tripline_model::{Better, Caveat, Gate, Nature, Summary, Verdict};

use crate::judgement::Judgement;
use crate::policy::Rule;
use crate::threshold::differ;

/// Judges a metric that is not a count and that both sides have.
pub(crate) fn judge(
    base: &Summary,
    head: &Summary,
    nature: Nature,
    better: Better,
    rule: &Rule,
) -> Judgement {
    let mut caveats: Vec<Caveat> = single_sample(&[base, head], nature).into_iter().collect();
    // The medians are compared: a mean would follow the one value during which the machine did something else.
    let is_apart = differ(base.center, head.center, rule.tolerance);
    let verdict = if is_apart && better != Better::Neither {
        caveats.push(Caveat::BaselineOnly);
        Verdict::Inconclusive
    } else {
        Verdict::Unchanged
    };
    Judgement {
        verdict,
        gate: Gate::Pass,
        caveats,
    }
}

/// Returns the caveat that a noisy metric was measured once, if it was on any of the sides. A summarized metric has one
/// number by its nature, and stands for many.
pub(crate) fn single_sample(sides: &[&Summary], nature: Nature) -> Option<Caveat> {
    let is_single = nature == Nature::Sampled && sides.iter().any(|side| side.count == 1);
    is_single.then_some(Caveat::SingleSample)
}
