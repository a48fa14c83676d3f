//! Everything that this crate offers, used from outside: loopback addresses, with listeners of our own.

#[cfg(test)]
mod allowed;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod engines;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod program;
#[cfg(test)]
mod store;
