//! Keys and values: twelve bytes and, where nothing else is said, sixty-four.

/// The length of a value where that is no question.
pub const VALUE_BYTES: usize = 64;

/// Any constant does.
const SEED: u64 = 0x5eed;

/// So many different keys, in order.
pub fn keys(count: usize) -> Vec<Box<[u8]>> {
    let key = |number| format!("key:{number:08}").into_bytes().into_boxed_slice();
    (0..count).map(key).collect()
}

/// A value of a length.
pub fn value(bytes: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(SEED);
    (0..bytes).map(|_| random.u8(..)).collect()
}

/// What a thread does next, and where: a number below a hundred, and a place among so many keys, each as likely as any.
/// The same for every store, and another for every thread.
pub fn draws(thread: usize, count: usize) -> impl FnMut() -> (u32, usize) {
    let mut random = fastrand::Rng::with_seed(SEED + 1 + thread as u64);
    move || (random.u32(..100), random.usize(..count))
}
