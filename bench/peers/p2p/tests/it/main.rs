//! The program of all three, used from outside.

mod interop;
mod program;
mod refused;
