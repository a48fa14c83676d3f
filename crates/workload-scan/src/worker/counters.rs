//! What workers count of what they do.
//!
//! Tests: through `simulated.rs`, and `tests/it/engines.rs`.

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Probes that were begun; those that could not be sent, `not_asked`, are among them.
    pub probes: u64,
    /// Those of them that asked a silent port again.
    pub retries: u64,
    /// Probes that met themselves and were sent again.
    pub self_connections: u64,
    /// Probes that this machine could not send, and sent later.
    pub not_asked: u64,
    /// System calls that the engines made, but for those by which routes are looked up.
    pub calls: u64,
    /// The most probes that one worker had out at a time.
    pub in_flight_max: u64,
}

impl Counters {
    pub(crate) fn add(&mut self, other: &Self) {
        self.probes += other.probes;
        self.retries += other.retries;
        self.self_connections += other.self_connections;
        self.not_asked += other.not_asked;
        self.calls += other.calls;
        self.in_flight_max = self.in_flight_max.max(other.in_flight_max);
    }
}
