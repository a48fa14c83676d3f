//! What a run uploaded.

mod attacks;
mod damage;
mod fetching;
