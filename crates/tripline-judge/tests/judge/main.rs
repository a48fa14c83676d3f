//! The judge, from outside: tables of known answers, and properties over arbitrary runs.
//!
//! Each module is marked as a test's, so that its helpers may unwrap.

#[cfg(test)]
mod build;
#[cfg(test)]
mod generate;
#[cfg(test)]
mod known;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod spoiled;
