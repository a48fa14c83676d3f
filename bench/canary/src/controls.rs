//! The control kernels: the ruler that machines are measured with.
//!
//! **Never change what these do.** When two runs differ, the controls tell the machine from the code: each leans on one
//! part of a machine and on no code of ours, so a control that moved says that the machine did. That only holds while
//! they are the same in every revision. A better kernel gets a name of its own, and the old one stays.
//!
//! Each takes a few to some tens of microseconds, depends on nothing but `core` and `std`, and does the same for ever
//! from the same start. Tests: known answers, which is also what holds them still.

use std::{
    fs::File,
    hint::black_box,
    io::{self, Read as _},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
};

/// Where the generators start.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of Marsaglia's xorshift of 64 bits.
const fn xorshift(mut state: u64) -> u64 {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    state
}

/// Integer arithmetic: a chain of steps each of which needs the one before it. It leans on the clock rate alone.
#[inline(never)]
#[must_use]
pub fn alu() -> u64 {
    let mut state = black_box(SEED);
    for _ in 0..4_096 {
        state = xorshift(state);
    }
    state
}

/// Branches that nobody can foresee: what is done next hangs on the bits that were just made, and goes on from call to
/// call, so that no predictor can learn it.
#[derive(Clone, Debug)]
pub struct Branchy(u64);

impl Branchy {
    /// Starts at the beginning.
    #[must_use]
    pub const fn new() -> Self {
        Self(SEED)
    }

    /// Takes the next 2,048 steps. The arms are different operations, so that they stay branches when compiled.
    #[inline(never)]
    pub fn run(&mut self) -> u64 {
        let mut state = self.0;
        for _ in 0..2_048 {
            state = match state >> 61 {
                0 => state.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ SEED,
                1 => xorshift(state),
                2 => state.rotate_left(23).wrapping_add(SEED),
                3 => (state ^ (state >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9),
                4 => state.swap_bytes().wrapping_sub(state >> 3),
                5 => xorshift(!state).rotate_right(11),
                6 => state.wrapping_add(state << 21) ^ (state >> 35),
                _ => state.reverse_bits().wrapping_mul(5).wrapping_add(1),
            };
        }
        self.0 = state;
        state
    }
}

impl Default for Branchy {
    fn default() -> Self {
        Self::new()
    }
}

/// The lines of the chain: 128 KiB, too much for the nearest cache and little for the next.
const CHAIN_LINES: usize = 2_048;

/// A line of a cache, which says which one is next.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Line(usize);

/// Loads from the second cache: a walk over lines in an order that no prefetcher foresees.
#[derive(Clone, Debug)]
pub struct Chain(Box<[Line]>);

impl Chain {
    /// Links all lines to one circle, by Sattolo's shuffle.
    #[must_use]
    pub fn new() -> Self {
        let mut lines: Box<[Line]> = (0..CHAIN_LINES).map(Line).collect();
        let mut state = SEED;
        for last in (1..CHAIN_LINES).rev() {
            state = xorshift(state);
            lines.swap(last, (state % last as u64) as usize);
        }
        Self(lines)
    }

    /// Walks the circle once, and returns the sum over each line's number times its place in the walk.
    #[inline(never)]
    #[must_use]
    pub fn walk(&self) -> u64 {
        let (mut at, mut sum) = (0, 0_u64);
        for place in 0..CHAIN_LINES as u64 {
            at = self.0[at].0;
            sum = sum.wrapping_add(place.wrapping_mul(at as u64));
        }
        sum
    }
}

impl Default for Chain {
    fn default() -> Self {
        Self::new()
    }
}

/// The words of the stream: 64 MiB, more than the caches that one core gets to use hold.
const STREAM_WORDS: usize = 8 << 20;

/// The words that a call reads: 128 KiB.
const WINDOW_WORDS: usize = 16 << 10;

/// Memory bandwidth: reads on through a buffer that is long out of the caches when it comes round again.
#[derive(Clone, Debug)]
pub struct Stream {
    words: Box<[u64]>,
    at: usize,
}

impl Stream {
    /// Fills the buffer.
    #[must_use]
    pub fn new() -> Self {
        let words = (0..STREAM_WORDS as u64).map(|at| at.wrapping_mul(SEED));
        Self {
            words: words.collect(),
            at: 0,
        }
    }

    /// Reads the next window and returns the sum of its words.
    #[inline(never)]
    pub fn read(&mut self) -> u64 {
        let window = &self.words[self.at..][..WINDOW_WORDS];
        self.at = (self.at + WINDOW_WORDS) % STREAM_WORDS;
        window.iter().fold(0, |sum, word| sum.wrapping_add(*word))
    }
}

impl Default for Stream {
    fn default() -> Self {
        Self::new()
    }
}

/// The allocator: 256 buffers of 16 to 2,063 bytes, of which 32 live at a time, freed in another order than they came.
#[inline(never)]
#[must_use]
pub fn allocator() -> u64 {
    let mut live: [Vec<u8>; 32] = std::array::from_fn(|_| Vec::new());
    let (mut state, mut sum) = (SEED, 0_u64);
    for _ in 0..256 {
        state = xorshift(state);
        let bytes = 16 + (state % 2_048) as usize;
        let mut buffer = Vec::with_capacity(bytes);
        buffer.push(state.to_le_bytes()[7]);
        let place = (state >> 40) as usize % live.len();
        // Somebody might look at the buffer, so it cannot be left out.
        live[place] = black_box(buffer);
        sum += u64::from(
            live[(state >> 50) as usize % live.len()]
                .first()
                .copied()
                .unwrap_or(0),
        );
    }
    sum
}

/// System calls: reads that cost no device anything, of one byte, so that it does not matter where on a line it lands.
#[derive(Debug)]
pub struct Zeros(File);

impl Zeros {
    /// Opens where zeros come from.
    ///
    /// # Errors
    ///
    /// When the system has no such file.
    pub fn open() -> io::Result<Self> {
        File::open("/dev/zero").map(Self)
    }

    /// Makes 64 calls and returns how many zeros came.
    ///
    /// # Errors
    ///
    /// When a call fails.
    #[inline(never)]
    pub fn read(&mut self) -> io::Result<u64> {
        let mut zeros = 0;
        for _ in 0..64 {
            let mut byte = [1];
            self.0.read_exact(&mut byte)?;
            zeros += u64::from(byte == [0]);
        }
        Ok(zeros)
    }
}

/// Sleeping and waking: another thread that takes turns with ours.
#[derive(Debug)]
pub struct Partner {
    turns: Arc<Turns>,
    thread: Option<JoinHandle<()>>,
}

/// Whose turn it is: ours when even, the partner's when odd.
#[derive(Debug, Default)]
struct Turns {
    turn: Mutex<u64>,
    changed: Condvar,
}

/// The turn after which there is none. It is odd, so the partner takes it.
const LAST_TURN: u64 = u64::MAX;

impl Partner {
    /// Starts the other thread.
    #[must_use]
    pub fn start() -> Self {
        let turns = Arc::new(Turns::default());
        let theirs = Arc::clone(&turns);
        let thread = thread::spawn(move || theirs.answer());
        Self {
            turns,
            thread: Some(thread),
        }
    }

    /// Gives the turn away and takes it back, four times. Returns how many turns there have been.
    #[inline(never)]
    pub fn wake(&mut self) -> u64 {
        (0..4).fold(0, |_, _| self.turns.give_and_wait())
    }
}

impl Turns {
    fn turn(&self) -> MutexGuard<'_, u64> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'t>(
        &self,
        turn: MutexGuard<'t, u64>,
        until: impl Fn(u64) -> bool,
    ) -> MutexGuard<'t, u64> {
        let waited = self.changed.wait_while(turn, |turn| !until(*turn));
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn give_and_wait(&self) -> u64 {
        let mut turn = self.turn();
        *turn += 1;
        self.changed.notify_one();
        *self.wait(turn, |turn| turn % 2 == 0)
    }

    /// What the partner does.
    fn answer(&self) {
        let mut turn = self.turn();
        loop {
            turn = self.wait(turn, |turn| turn % 2 == 1);
            if *turn == LAST_TURN {
                return;
            }
            *turn += 1;
            self.changed.notify_one();
        }
    }
}

impl Drop for Partner {
    fn drop(&mut self) {
        *self.turns.turn() = LAST_TURN;
        self.turns.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A kernel that gives another answer is another ruler.
    #[test]
    fn answers_are_the_known_ones() {
        let mut branchy = Branchy::new();
        let mut stream = Stream::default();
        let answers = [
            alu(),
            branchy.run(),
            branchy.run(),
            Chain::default().walk(),
            stream.read(),
            stream.read(),
            allocator(),
        ];
        let known = [
            0x9a52_ca8c_0fdf_7081,
            0x0a9b_21b8_af4d_4cdc,
            0x1c6c_b737_6b83_ebb7,
            0x7ee4_f59f,
            0xdcc3_23f7_587d_6000,
            0x74b7_cbb8_a87d_6000,
            0x66a2,
        ];
        assert_eq!(answers, known, "{answers:#018x?}");
    }

    #[test]
    fn every_arm_is_taken_about_as_often() {
        let mut branchy = Branchy::default();
        let mut arms = [0; 8];
        for _ in 0..8_000 {
            arms[(branchy.run() >> 61) as usize] += 1;
        }
        assert!(
            arms.iter().all(|taken| (500..2_000).contains(taken)),
            "{arms:?}"
        );
    }

    #[test]
    fn the_chain_is_one_circle() {
        let chain = Chain::new();
        let mut seen = BTreeSet::new();
        let mut at = 0;
        while seen.insert(at) {
            at = chain.0[at].0;
        }
        assert_eq!(seen.len(), CHAIN_LINES);
        assert_eq!(size_of_val(&*chain.0), 128 << 10);
    }

    #[test]
    fn the_stream_comes_round() {
        let mut stream = Stream::new();
        let windows = (STREAM_WORDS / WINDOW_WORDS) as u64;
        let first = stream.read();
        let all = (1..windows).fold(first, |sum, _| sum.wrapping_add(stream.read()));
        let words = STREAM_WORDS as u64;
        assert_eq!(all, (words * (words - 1) / 2).wrapping_mul(SEED));
        assert_eq!(stream.read(), first);
    }

    #[test]
    fn all_zeros_come() {
        let mut zeros = Zeros::open().unwrap();
        assert_eq!(zeros.read().unwrap(), 64);
    }

    #[test]
    fn a_partner_gives_every_turn_back_and_ends() {
        let mut partner = Partner::start();
        assert_eq!(partner.wake(), 8);
        assert_eq!(partner.wake(), 16);
        let turns = Arc::clone(&partner.turns);
        drop(partner);
        // Only ours is left: the thread is gone, and its own with it.
        assert_eq!(Arc::strong_count(&turns), 1);
    }
}
