//! Made-up hosts: what happens to a program's time while a job runs.
//!
//! A run's time is the program's own times a drift that all runs share and that changes slowly (neighbours, clock,
//! caches: an autoregressive process), times a jitter of each run, and now and then times a delay. The numbers of the
//! three hosts were fitted to the study's figures: single pairs tell jitter and delays, ranks of two blocks tell the
//! drift, and their means tell how long the delays are.
//!
//! Tests: drift is shared by neighbours and forgotten over a job, and without an effect no side is favoured.

use super::random::Random;

/// What a host does to times, as standard deviations of logarithms.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) name: &'static str,
    /// The seed of its draws.
    pub(super) seed: u64,
    /// How far the drift goes.
    drift: f64,
    /// What share of the drift is left after one run.
    memory: f64,
    /// How far a single run goes.
    jitter: f64,
    /// How often a run is delayed.
    delays: f64,
    /// By how much it is then delayed in the mean.
    delay: f64,
}

/// The hosts, in the order of their noise.
pub(super) const HOSTS: [Host; 3] = [
    Host {
        name: "quiet",
        seed: 11,
        drift: 0.01,
        memory: 0.93,
        jitter: 0.003,
        delays: 0.015,
        delay: 0.43,
    },
    Host {
        name: "noisy",
        seed: 12,
        drift: 0.03,
        memory: 0.94,
        jitter: 0.0126,
        delays: 0.025,
        delay: 0.7,
    },
    Host {
        name: "very noisy",
        seed: 13,
        drift: 0.045,
        memory: 0.96,
        jitter: 0.045,
        delays: 0.1,
        delay: 0.46,
    },
];

/// A job on a host, in which one program runs after the other.
pub(super) struct Job<'a> {
    host: &'a Host,
    random: &'a mut Random,
    drift: f64,
}

impl<'a> Job<'a> {
    pub(super) fn start(host: &'a Host, random: &'a mut Random) -> Self {
        let drift = host.drift * random.normal();
        Self {
            host,
            random,
            drift,
        }
    }

    /// Runs a program and returns the logarithm of its time; the program's own is the effect.
    pub(super) fn run(&mut self, effect: f64) -> f64 {
        let Host { drift, memory, .. } = self.host;
        let fresh = drift * (1.0 - memory * memory).sqrt();
        self.drift = memory * self.drift + fresh * self.random.normal();
        let delay = if self.random.happens(self.host.delays) {
            self.random.exponential(self.host.delay)
        } else {
            0.0
        };
        effect + self.drift + self.host.jitter * self.random.normal() + delay.ln_1p()
    }

    /// Runs base and head in random order, and returns how much longer the head took, as a logarithm.
    pub(super) fn pair(&mut self, effect: f64) -> f64 {
        if self.random.happens(0.5) {
            let base = self.run(0.0);
            self.run(effect) - base
        } else {
            let head = self.run(effect);
            head - self.run(0.0)
        }
    }

    /// Runs a program several times and returns the times themselves.
    pub(super) fn block(&mut self, effect: f64, runs: usize) -> Vec<f64> {
        (0..runs).map(|_| self.run(effect).exp()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_the_drift_and_blocks_do_not() {
        for host in &HOSTS {
            let mut random = Random::seeded(host.seed);
            let (mut of_pairs, mut of_blocks) = (0.0, 0.0);
            for _ in 0..500 {
                let mut job = Job::start(host, &mut random);
                of_pairs += job.pair(0.0).abs().min(0.1);
                let blocks = [job.block(0.0, 30), job.block(0.0, 30)];
                let [base, head] = blocks.map(|block| block.iter().sum::<f64>());
                of_blocks += (head / base).ln().abs();
            }
            // Thirty pairs together are off by so much; two blocks of thirty runs each cost the same.
            let of_thirty_pairs = of_pairs / 30.0_f64.sqrt();
            assert!(of_blocks > 2.0 * of_thirty_pairs, "{}", host.name);
        }
    }

    #[test]
    fn no_effect_favours_no_side_and_an_effect_is_there() {
        for host in &HOSTS {
            let share_above = |effect: f64| {
                let mut random = Random::seeded(host.seed);
                let mut job = Job::start(host, &mut random);
                let above = (0..8_000).filter(|_| job.pair(effect) > 0.05).count();
                above as f64 / 8e3
            };
            assert!((share_above(0.05) - 0.5).abs() < 0.03, "{}", host.name);
            assert!(share_above(0.0) < 0.3, "{}", host.name);
            assert!(share_above(0.3) > 0.9, "{}", host.name);
        }
    }
}
