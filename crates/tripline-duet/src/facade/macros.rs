//! The macros that write a bench's functions, in the forms that Criterion's have.
//!
//! Tested by the benches that use them.

/// Writes a function that runs benchmarks under a common configuration.
///
/// `criterion_group!(benches, first, second)`, or with a configuration:
/// `criterion_group!(name = benches; config = Criterion::default(); targets = first, second)`.
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)*) => {
        #[doc = "Runs the benchmarks of this group."]
        pub fn $name() {
            let mut criterion: $crate::Criterion<_> = $config.configure_from_args();
            $($target(&mut criterion);)+
        }
    };
    ($name:ident, $($target:path),+ $(,)*) => {
        $crate::criterion_group! {
            name = $name;
            config = $crate::Criterion::default();
            targets = $($target),+
        }
    };
}

/// Writes the main function of a bench, from the groups that [`criterion_group!`](crate::criterion_group) wrote.
#[macro_export]
macro_rules! criterion_main {
    ($($group:path),+ $(,)*) => {
        fn main() -> ::core::result::Result<(), $crate::Unserved> {
            $crate::run_groups(&[$($group),+])
        }
    };
}
