//! The manager that the functions of a bench are given.
//!
//! Tested by `tests/serving.rs`.

use std::{hint::black_box, marker::PhantomData, time::Duration};

use super::{
    Kind,
    bencher::{Bencher, Block},
    group::BenchmarkGroup,
    id::BenchmarkId,
    plain::{
        self, PlottingBackend,
        measurement::{Measurement, WallTime},
        profiler::Profiler,
    },
    server::Serving,
};

/// Makes benchmarks and groups of them.
pub struct Criterion<M: Measurement = WallTime> {
    kind: Kind<plain::Criterion<WallTime>>,
    measurement: PhantomData<M>,
}

impl Default for Criterion<WallTime> {
    fn default() -> Self {
        Self {
            kind: Kind::of(plain::Criterion::default),
            measurement: PhantomData,
        }
    }
}

impl Criterion<WallTime> {
    /// Begins a group.
    pub fn benchmark_group<S: Into<String>>(
        &mut self,
        group_name: S,
    ) -> BenchmarkGroup<'_, WallTime> {
        let name = group_name.into();
        let kind = match &mut self.kind {
            Kind::Plain(criterion) => Kind::Plain(criterion.benchmark_group(name.as_str())),
            Kind::Served(serving) => Kind::Served(serving),
        };
        BenchmarkGroup::of(kind, name)
    }

    /// Makes a benchmark that is in no group.
    pub fn bench_function<F>(&mut self, id: &str, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, WallTime>),
    {
        match &mut self.kind {
            Kind::Plain(criterion) => {
                criterion.bench_function(id, |bencher| f(&mut Bencher::of(bencher)));
            }
            Kind::Served(serving) => serve_alone(serving, id, &mut f),
        }
        self
    }

    /// Makes a benchmark that is in no group and is given an input.
    pub fn bench_with_input<F, I>(&mut self, id: BenchmarkId, input: &I, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, WallTime>, &I),
    {
        let mut bench = |bencher: &mut Bencher<'_>| f(bencher, black_box(input));
        match &mut self.kind {
            Kind::Plain(criterion) => {
                id.bench_alone(criterion, |bencher| bench(&mut Bencher::of(bencher)));
            }
            Kind::Served(serving) => serve_alone(serving, &id.path(), &mut bench),
        }
        self
    }

    /// Takes the settings that the command line asks for.
    #[must_use]
    pub fn configure_from_args(self) -> Self {
        self.set(plain::Criterion::configure_from_args)
    }

    /// Ends the bench. What asked for blocks is told that there are no more benchmarks.
    pub fn final_summary(&self) {
        match &self.kind {
            Kind::Plain(criterion) => criterion.final_summary(),
            Kind::Served(serving) => serving.end(),
        }
    }

    fn set(self, set: impl FnOnce(plain::Criterion) -> plain::Criterion) -> Self {
        Self {
            kind: self.kind.map(set),
            ..self
        }
    }

    /// Sets how many samples are taken.
    #[must_use]
    pub fn sample_size(self, n: usize) -> Self {
        self.set(|criterion| criterion.sample_size(n))
    }

    /// Sets how long a routine runs before it is measured.
    #[must_use]
    pub fn warm_up_time(self, dur: Duration) -> Self {
        self.set(|criterion| criterion.warm_up_time(dur))
    }

    /// Sets how long a routine is measured.
    #[must_use]
    pub fn measurement_time(self, dur: Duration) -> Self {
        self.set(|criterion| criterion.measurement_time(dur))
    }

    /// Sets how many resamples the bootstrap makes.
    #[must_use]
    pub fn nresamples(self, n: usize) -> Self {
        self.set(|criterion| criterion.nresamples(n))
    }

    /// Sets the change that is taken for noise.
    #[must_use]
    pub fn noise_threshold(self, threshold: f64) -> Self {
        self.set(|criterion| criterion.noise_threshold(threshold))
    }

    /// Sets the confidence level of intervals.
    #[must_use]
    pub fn confidence_level(self, cl: f64) -> Self {
        self.set(|criterion| criterion.confidence_level(cl))
    }

    /// Sets the significance level of tests.
    #[must_use]
    pub fn significance_level(self, sl: f64) -> Self {
        self.set(|criterion| criterion.significance_level(sl))
    }

    /// Switches plots on.
    #[must_use]
    pub fn with_plots(self) -> Self {
        self.set(plain::Criterion::with_plots)
    }

    /// Switches plots off.
    #[must_use]
    pub fn without_plots(self) -> Self {
        self.set(plain::Criterion::without_plots)
    }

    /// Sets what draws plots.
    #[must_use]
    pub fn plotting_backend(self, backend: PlottingBackend) -> Self {
        self.set(|criterion| criterion.plotting_backend(backend))
    }

    /// Sets the name under which results are kept.
    #[must_use]
    pub fn save_baseline(self, baseline: String) -> Self {
        self.set(|criterion| criterion.save_baseline(baseline))
    }

    /// Sets the name of the results to compare with; if `strict`, they must exist.
    #[must_use]
    pub fn retain_baseline(self, baseline: String, strict: bool) -> Self {
        self.set(|criterion| criterion.retain_baseline(baseline, strict))
    }

    /// Sets whether the output has colours.
    #[must_use]
    pub fn with_output_color(self, enabled: bool) -> Self {
        self.set(|criterion| criterion.with_output_color(enabled))
    }

    /// Sets what profiles the benchmarks under `--profile-time`.
    #[must_use]
    pub fn with_profiler<P: Profiler + 'static>(self, p: P) -> Self {
        self.set(|criterion| criterion.with_profiler(p))
    }
}

fn serve_alone(serving: &Serving, id: &str, bench: &mut dyn FnMut(&mut Bencher<'_>)) {
    serving.benchmark(id, None, &mut |iterations| {
        let mut block = Block::of(iterations);
        bench(&mut Bencher::of(&mut block));
        block.spent()
    });
}
