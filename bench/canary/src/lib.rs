//! The suite whose verdict is known in advance.
