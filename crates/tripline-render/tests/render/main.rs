//! All outputs, from outside: every canonical report as a snapshot, hostile data, and the list of outputs itself.
//!
//! Each module is marked as a test's, so that its helpers may unwrap.

#[cfg(test)]
mod attention;
#[cfg(test)]
mod canonical;
#[cfg(test)]
mod comment;
#[cfg(test)]
mod export;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod inert;
#[cfg(test)]
mod json;
#[cfg(test)]
mod junit;
#[cfg(test)]
mod large;
#[cfg(test)]
mod list;
#[cfg(test)]
mod pivot;
#[cfg(test)]
mod places;
#[cfg(test)]
mod sarif;
#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod table;
#[cfg(test)]
mod undecided;
