//! Pull requests.

mod by_number;
mod identity;
mod proposal;
