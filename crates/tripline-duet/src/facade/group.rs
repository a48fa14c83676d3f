//! A group of benchmarks under one name.
//!
//! Tested by `tests/serving.rs`.

use std::{hint::black_box, marker::PhantomData, time::Duration};

use super::{
    Kind,
    bencher::{Bencher, Block},
    id::{BenchmarkId, IntoBenchmarkId},
    plain::{
        self, PlotConfiguration, SamplingMode, Throughput,
        measurement::{Measurement, WallTime},
    },
};

/// The real one.
type Plain<'a> = plain::BenchmarkGroup<'a, WallTime>;

/// A group of benchmarks, which share a name, a throughput and settings.
pub struct BenchmarkGroup<'a, M: Measurement = WallTime> {
    kind: Kind<Plain<'a>>,
    name: String,
    throughput: Option<Throughput>,
    measurement: PhantomData<M>,
}

impl<'a> BenchmarkGroup<'a, WallTime> {
    pub(super) fn of(kind: Kind<Plain<'a>>, name: String) -> Self {
        Self {
            kind,
            name,
            throughput: None,
            measurement: PhantomData,
        }
    }

    /// Makes a benchmark.
    pub fn bench_function<I, F>(&mut self, id: I, mut f: F) -> &mut Self
    where
        I: IntoBenchmarkId,
        F: FnMut(&mut Bencher<'_, WallTime>),
    {
        self.run(id.into_benchmark_id(), &mut f)
    }

    /// Makes a benchmark that is given an input.
    pub fn bench_with_input<I, F, T>(&mut self, id: I, input: &T, mut f: F) -> &mut Self
    where
        I: IntoBenchmarkId,
        F: FnMut(&mut Bencher<'_, WallTime>, &T),
        T: ?Sized,
    {
        self.run(id.into_benchmark_id(), &mut |bencher| {
            f(bencher, black_box(input));
        })
    }

    fn run(&mut self, id: BenchmarkId, bench: &mut dyn FnMut(&mut Bencher<'_>)) -> &mut Self {
        match &mut self.kind {
            Kind::Plain(group) => id.bench(group, |bencher| bench(&mut Bencher::of(bencher))),
            Kind::Served(serving) => {
                let id = format!("{}/{}", self.name, id.path());
                serving.benchmark(&id, self.throughput.as_ref(), &mut |iterations| {
                    let mut block = Block::of(iterations);
                    bench(&mut Bencher::of(&mut block));
                    block.spent()
                });
            }
        }
        self
    }

    fn set(
        &mut self,
        set: impl for<'g> FnOnce(&'g mut Plain<'a>) -> &'g mut Plain<'a>,
    ) -> &mut Self {
        if let Kind::Plain(group) = &mut self.kind {
            set(group);
        }
        self
    }

    /// Says what one iteration gets done, from the next benchmark on.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput.clone());
        self.set(|group| group.throughput(throughput))
    }

    /// Sets how many samples are taken.
    pub fn sample_size(&mut self, n: usize) -> &mut Self {
        self.set(|group| group.sample_size(n))
    }

    /// Sets how long the routine runs before it is measured.
    pub fn warm_up_time(&mut self, dur: Duration) -> &mut Self {
        self.set(|group| group.warm_up_time(dur))
    }

    /// Sets how long the routine is measured.
    pub fn measurement_time(&mut self, dur: Duration) -> &mut Self {
        self.set(|group| group.measurement_time(dur))
    }

    /// Sets how many resamples the bootstrap makes.
    pub fn nresamples(&mut self, n: usize) -> &mut Self {
        self.set(|group| group.nresamples(n))
    }

    /// Sets the change that is taken for noise.
    pub fn noise_threshold(&mut self, threshold: f64) -> &mut Self {
        self.set(|group| group.noise_threshold(threshold))
    }

    /// Sets the confidence level of intervals.
    pub fn confidence_level(&mut self, cl: f64) -> &mut Self {
        self.set(|group| group.confidence_level(cl))
    }

    /// Sets the significance level of tests.
    pub fn significance_level(&mut self, sl: f64) -> &mut Self {
        self.set(|group| group.significance_level(sl))
    }

    /// Sets how plots are drawn.
    pub fn plot_config(&mut self, new_config: PlotConfiguration) -> &mut Self {
        self.set(|group| group.plot_config(new_config))
    }

    /// Sets how iterations are spread over samples.
    pub fn sampling_mode(&mut self, new_mode: SamplingMode) -> &mut Self {
        self.set(|group| group.sampling_mode(new_mode))
    }

    /// Ends the group, as dropping it does.
    pub fn finish(self) {}
}
