//! The judge, from outside: tables of known answers, and properties over arbitrary runs.
//!
//! Each module is marked as a test's, so that its helpers may unwrap.

#[cfg(test)]
mod acceptance;
#[cfg(test)]
mod budget;
#[cfg(test)]
mod build;
#[cfg(test)]
mod canary;
#[cfg(test)]
mod controls;
#[cfg(test)]
mod derived;
#[cfg(test)]
mod derived_rounds;
#[cfg(test)]
mod derived_terms;
#[cfg(test)]
mod generate;
#[cfg(test)]
mod known;
#[cfg(test)]
mod noisy;
#[cfg(test)]
mod outcomes;
#[cfg(test)]
mod paired;
#[cfg(test)]
mod past;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod session;
#[cfg(test)]
mod session_properties;
#[cfg(test)]
mod simulated;
#[cfg(test)]
mod spoiled;
#[cfg(test)]
mod statistics;
#[cfg(test)]
mod table;
#[cfg(test)]
mod trend;
#[cfg(test)]
mod trend_properties;
#[cfg(test)]
mod trend_tracker;
#[cfg(test)]
mod trend_vectors;
#[cfg(test)]
mod vectors;
