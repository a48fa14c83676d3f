//! How much may be under way: LEDBAT, RFC 6817, which yields to others on the same line.
//!
//! The delay of a packet above the least of the last minutes is the time that it spent in queues. Below the target the
//! window grows, above it shrinks, in proportion to the distance. At first it grows by what is acknowledged, until queues
//! begin to fill or something is lost; a loss halves it, and a time without any answer begins anew with two packets.
//!
//! Tests: growth, equilibrium at the target, the floor, loss, and clocks that differ or wrap.

use std::collections::VecDeque;
use std::time::Duration;

use crate::Time;

/// The queueing that is aimed at: that of LEDBAT++, which leaves a call on the same line usable.
const TARGET_MICROS: i64 = 60_000;
/// The queueing at which the first, fast growth ends.
const EXIT_MICROS: i64 = TARGET_MICROS * 3 / 4;
const FLOOR_PACKETS: u64 = 2;
/// Of how many intervals the least delay is remembered, because routes change.
const BASE_INTERVALS: usize = 10;
const BASE_INTERVAL: Duration = Duration::from_secs(60);
/// The least of so many samples is the delay of now: one late packet is no queue.
const CURRENT_SAMPLES: usize = 4;
/// More is never under way. The window that the other side grants is mostly less.
const WINDOW_MAX: u64 = 64 << 20;

#[derive(Clone, Debug)]
pub(crate) struct Ledbat {
    window: u64,
    packet: u64,
    is_starting: bool,
    // What is left of changes of less than a byte, in parts of the scale that they are taken on.
    rest: i128,
    // The least of each interval, newest last.
    base: VecDeque<i64>,
    base_until: Time,
    current: [i64; CURRENT_SAMPLES],
    samples: usize,
    last: (u32, i64),
    // Losses of packets below this number were answered for.
    answered: u64,
}

impl Ledbat {
    /// Returns a window for packets of `packet` bytes that begins with `window` bytes.
    pub(crate) fn new(packet: u64, window: u64) -> Self {
        Self {
            window: window.max(FLOOR_PACKETS * packet),
            packet,
            is_starting: true,
            rest: 0,
            base: VecDeque::new(),
            base_until: Time::ZERO,
            current: [i64::MAX; CURRENT_SAMPLES],
            samples: 0,
            last: (0, 0),
            answered: 0,
        }
    }

    pub(crate) const fn window(&self) -> u64 {
        self.window
    }

    /// The bytes a round trip that packets are spread at: more than the window, or else it would never be filled.
    pub(crate) const fn pace(&self) -> u64 {
        if self.is_starting {
            self.window * 2
        } else {
            self.window + self.window / 4
        }
    }

    /// How long packets wait in queues, as far as anything was measured.
    pub(crate) fn queueing(&self) -> Duration {
        Duration::from_micros(self.queueing_micros().unwrap_or(0).max(0) as u64)
    }

    fn queueing_micros(&self) -> Option<i64> {
        let base = self.base.iter().min()?;
        let current = self.current.iter().min()?;
        Some(current - base)
    }

    /// Takes in what one acknowledgement says: the delay of its newest packet, and how many bytes it covers. What was
    /// under way before it tells whether the window was made use of.
    pub(crate) fn acknowledged(&mut self, now: Time, delay: u32, bytes: u64, under_way: u64) {
        self.measure(now, delay);
        let queueing = self.queueing_micros().unwrap_or(0);
        if self.is_starting && queueing > EXIT_MICROS {
            // The delay is of what was sent a round trip ago, when the window was half of this.
            self.is_starting = false;
            self.window /= 2;
        }
        let is_used = under_way.saturating_mul(2) >= self.window;
        if self.is_starting {
            if is_used {
                self.window += bytes;
            }
        } else {
            // A window's worth of acknowledgements moves it by one packet at most.
            let off = (TARGET_MICROS - queueing).clamp(-TARGET_MICROS, TARGET_MICROS);
            let scale = i128::from(TARGET_MICROS) * i128::from(self.window);
            let change = i128::from(off) * i128::from(bytes) * i128::from(self.packet);
            if change < 0 || is_used {
                self.rest += change;
                let whole = i64::try_from(self.rest / scale).unwrap_or(0);
                self.rest %= scale;
                self.window = self.window.saturating_add_signed(whole);
            }
        }
        self.window = self.window.clamp(self.floor(), WINDOW_MAX);
    }

    /// A packet was lost while `next` was the number of the next one: the first of a window halves it.
    pub(crate) fn lost(&mut self, number: u64, next: u64) {
        if number >= self.answered {
            self.answered = next;
            self.is_starting = false;
            self.window = (self.window / 2).max(self.floor());
        }
    }

    /// Nothing was heard for as long as one waits.
    pub(crate) const fn silent(&mut self, next: u64) {
        self.answered = next;
        self.window = self.floor();
        self.is_starting = true;
    }

    const fn floor(&self) -> u64 {
        FLOOR_PACKETS * self.packet
    }

    fn measure(&mut self, now: Time, delay: u32) {
        // The clocks have nothing in common and wrap; how much a delay differs from the one before is always small.
        let (stamp, sum) = self.last;
        let delay_sum = if self.samples == 0 {
            0
        } else {
            sum + i64::from(delay.wrapping_sub(stamp).cast_signed())
        };
        self.last = (delay, delay_sum);
        self.current[self.samples % CURRENT_SAMPLES] = delay_sum;
        self.samples += 1;
        match self.base.back_mut() {
            Some(least) if now < self.base_until => *least = delay_sum.min(*least),
            _ => {
                self.base_until = now + BASE_INTERVAL;
                self.base.push_back(delay_sum);
                if self.base.len() > BASE_INTERVALS {
                    self.base.pop_front();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: u64 = 1_000;

    /// Acknowledges full windows over a line that queues what `queue` makes of the window.
    fn run(ledbat: &mut Ledbat, clock: u32, rounds: u64, queue: impl Fn(u64) -> u32) {
        for round in 0..rounds {
            let now = Time::ZERO + Duration::from_millis(100 * round);
            let window = ledbat.window();
            for _ in 0..window / PACKET {
                let delay = clock.wrapping_add(queue(ledbat.window()));
                ledbat.acknowledged(now, delay, PACKET, window);
            }
        }
    }

    #[test]
    fn doubles_until_queues_fill_and_then_keeps_them_at_the_target() {
        for clock in [0, 1 << 31, u32::MAX - 10_000] {
            let mut ledbat = Ledbat::new(PACKET, 10 * PACKET);
            run(&mut ledbat, clock, 1, |_| 0);
            assert_eq!(ledbat.window(), 20 * PACKET);
            // A line that holds 100 packets, and queues each one above for a millisecond.
            let queue = |window: u64| (window.saturating_sub(100 * PACKET) / PACKET * 1_000) as u32;
            run(&mut ledbat, clock, 500, queue);
            assert!(!ledbat.is_starting);
            let packets = ledbat.window() / PACKET;
            assert!((155..=165).contains(&packets), "{packets}");
        }
    }

    #[test]
    fn never_falls_below_two_packets() {
        let mut ledbat = Ledbat::new(PACKET, 10 * PACKET);
        run(&mut ledbat, 0, 1, |_| 0);
        run(&mut ledbat, 0, 500, |_| 500_000);
        assert_eq!(ledbat.window(), 2 * PACKET);
        for number in 0..100 {
            ledbat.lost(number, number + 1);
        }
        assert_eq!(ledbat.window(), 2 * PACKET);
    }

    #[test]
    fn halves_once_for_the_losses_of_a_window() {
        let mut ledbat = Ledbat::new(PACKET, 64 * PACKET);
        for number in 10..20 {
            ledbat.lost(number, 40);
        }
        assert_eq!(ledbat.window(), 32 * PACKET);
        ledbat.lost(40, 50);
        assert_eq!(ledbat.window(), 16 * PACKET);
        ledbat.silent(60);
        assert_eq!(ledbat.window(), 2 * PACKET);
        run(&mut ledbat, 0, 3, |_| 0);
        assert_eq!(ledbat.window(), 16 * PACKET);
    }

    #[test]
    fn forgets_a_route_after_ten_minutes() {
        let mut ledbat = Ledbat::new(PACKET, 10 * PACKET);
        run(&mut ledbat, 0, 1, |_| 0);
        let later = |minutes: u64| Time::ZERO + Duration::from_secs(60 * minutes + 1);
        for minute in 0..20 {
            (0..4).for_each(|_| ledbat.acknowledged(later(minute), 30_000, PACKET, 0));
        }
        assert_eq!(ledbat.queueing(), Duration::ZERO);
    }

    #[test]
    fn what_was_not_used_does_not_grow() {
        let mut ledbat = Ledbat::new(PACKET, 10 * PACKET);
        (0..100).for_each(|_| ledbat.acknowledged(Time::ZERO, 0, PACKET, 2 * PACKET));
        assert_eq!(ledbat.window(), 10 * PACKET);
    }
}
