//! The client against everything that can go wrong between it and GitHub.

mod faults;
mod limits;
mod lists;
mod words;
