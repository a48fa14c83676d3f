//! Names of benchmarks, put together as Criterion does it: group, function and value, with slashes between.
//!
//! Tested by the names that a bench gives itself with Criterion and when it serves: they are the same.

use super::plain;

/// The name of a benchmark within its group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BenchmarkId(Name);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    Function(String),
    Parameter(String),
    Both { function: String, parameter: String },
}

impl BenchmarkId {
    /// Names a function and the value it is called with.
    pub fn new<S: Into<String>, P: std::fmt::Display>(function_name: S, parameter: P) -> Self {
        Self(Name::Both {
            function: function_name.into(),
            parameter: parameter.to_string(),
        })
    }

    /// Names the value alone, where the group has one function.
    pub fn from_parameter<P: std::fmt::Display>(parameter: P) -> Self {
        Self(Name::Parameter(parameter.to_string()))
    }

    /// Returns the name without its group.
    pub(super) fn path(&self) -> String {
        match &self.0 {
            Name::Function(name) | Name::Parameter(name) => name.clone(),
            Name::Both {
                function,
                parameter,
            } => format!("{function}/{parameter}"),
        }
    }

    /// Makes a benchmark of this name in a group of Criterion's, which has no name of its own for a function alone.
    pub(super) fn bench(
        self,
        group: &mut plain::BenchmarkGroup<'_, plain::measurement::WallTime>,
        run: impl FnMut(&mut plain::Bencher<'_>),
    ) {
        match self.0 {
            Name::Function(function) => group.bench_function(function, run),
            Name::Parameter(parameter) => {
                group.bench_function(plain::BenchmarkId::from_parameter(parameter), run)
            }
            Name::Both {
                function,
                parameter,
            } => group.bench_function(plain::BenchmarkId::new(function, parameter), run),
        };
    }

    /// Makes a benchmark of this name that is in no group.
    pub(super) fn bench_alone(
        self,
        criterion: &mut plain::Criterion,
        mut run: impl FnMut(&mut plain::Bencher<'_>),
    ) {
        let id = match self.0 {
            Name::Function(function) => {
                criterion.bench_function(&function, run);
                return;
            }
            Name::Parameter(parameter) => plain::BenchmarkId::from_parameter(parameter),
            Name::Both {
                function,
                parameter,
            } => plain::BenchmarkId::new(function, parameter),
        };
        criterion.bench_with_input(id, &(), |bencher, ()| run(bencher));
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::BenchmarkId {}
    impl<S: Into<String>> Sealed for S {}
}

/// What can name a benchmark: a [`BenchmarkId`], or a text that names a function.
pub trait IntoBenchmarkId: sealed::Sealed {
    /// Returns the name.
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        BenchmarkId(Name::Function(self.into()))
    }
}
