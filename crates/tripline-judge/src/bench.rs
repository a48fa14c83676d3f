//! One benchmark, with what each side measured of it, and what the measurements say against themselves.
//!
//! Tested by `tests/judge`: known answers for answers and doubts, and the property that a doubted count is neither better
//! nor worse.

use tripline_model::{BenchId, Caveat, Gate, Measurement, Metric, Nature, Verdict};

use crate::derived::Apart;
use crate::join::Side;
use crate::judgement::Judgement;

/// One benchmark, with what each side measured of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub(crate) id: &'a BenchId,
    pub(crate) base: Option<&'a Measurement>,
    pub(crate) head: Option<&'a Measurement>,
}

impl<'a> Bench<'a> {
    pub(crate) fn of(side: Side<&'a Measurement>) -> Self {
        let (id, base, head) = match side {
            Side::Base(base) => (base.bench(), Some(base), None),
            Side::Head(head) => (head.bench(), None, Some(head)),
            Side::Both(base, head) => (head.bench(), Some(base), Some(head)),
        };
        Self { id, base, head }
    }

    /// Returns what stands for a metric that is derived, on the sides where it is: what its terms are, and not what was
    /// measured under the same name.
    pub(crate) fn or_apart<T>(self, apart: Apart<'a>, side: &Side<T>) -> Self {
        let Apart { base, head } = apart;
        match side {
            _ if base.is_none() && head.is_none() => self,
            // One side may have measured what the other derives.
            Side::Both(..) => Self {
                base: base.or(self.base),
                head: head.or(self.head),
                ..self
            },
            // What it leaves behind is explained by what is still there.
            Side::Base(_) => Self { base, ..self },
            Side::Head(_) => Self { base, head, ..self },
        }
    }

    /// Takes a judgement back where the sides did different work, or may have: whatever the numbers say, they say it of
    /// two things. A head that ceases to state its answer must not switch this off; one that begins to proves nothing.
    pub(crate) fn answered(&self, judgement: &mut Judgement) {
        let answer = |side: Option<&'a Measurement>| side.and_then(Measurement::answer);
        let caveat = match (answer(self.base), answer(self.head)) {
            (Some(base), Some(head)) if base != head => {
                judgement.take_back(Gate::Warn);
                Caveat::AnswerDiffers {
                    base: base.clone(),
                    head: head.clone(),
                }
            }
            (Some(_), None) => {
                if judgement.verdict != Verdict::Unchanged {
                    judgement.take_back(Gate::Warn);
                }
                Caveat::AnswerMissing
            }
            (Some(_) | None, Some(_)) | (None, None) => return,
        };
        judgement.caveats.insert(0, caveat);
    }

    /// Adds what the measurements say against themselves, each caveat once: all that the head's says, and of the base's
    /// what doubts a count it is compared with. A count that is doubted is neither better nor worse.
    pub(crate) fn measured(&self, metric: &Metric, judgement: &mut Judgement) {
        for caveat in self.head.into_iter().flat_map(Measurement::caveats) {
            if !judgement.caveats.contains(caveat) {
                judgement.caveats.push(caveat.clone());
            }
        }
        if metric.nature != Nature::Exact {
            return;
        }
        let base = self
            .base
            .filter(|base| base.reading(&metric.name).is_some());
        for caveat in base.into_iter().flat_map(Measurement::caveats) {
            // The same trap on both sides is one reason, even where its numbers differ.
            let is_said = judgement.caveats.iter().any(|c| c.code() == caveat.code());
            if caveat.doubts_the_count() && !is_said {
                judgement.caveats.push(caveat.clone());
            }
        }
        if judgement.caveats.iter().any(Caveat::doubts_the_count) {
            match judgement.verdict {
                Verdict::Improved | Verdict::Regressed => judgement.take_back(Gate::Warn),
                Verdict::Added => judgement.gate = judgement.gate.max(Gate::Warn),
                Verdict::Broken | Verdict::Removed | Verdict::Inconclusive | Verdict::Unchanged => {
                }
            }
        }
    }
}
