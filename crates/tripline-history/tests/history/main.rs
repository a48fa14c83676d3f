//! A history is the same whether its records have files, are in segments, or both, and whatever is damaged is named.
//!
//! Each module is marked as a test's, so that its helpers may unwrap.

#[cfg(test)]
mod damage;
#[cfg(test)]
mod segments;
#[cfg(test)]
mod yard;
