//! The two messages after which both sides know each other and have keys.
//!
//! ```text
//! -> prefix, e, [s], [hello]      agreed: e with S, s with S
//! <- prefix, e, [hello]           agreed: e with e, s with e
//! ```
//!
//! Small letters are keys of who connects, `S` is the key it knows beforehand, what stands in brackets is sealed. The
//! prefixes are the packets' own; they are hashed, so that they cannot be exchanged.
//!
//! Tests: both sides agree; another key than the expected one, another sender and any changed byte are refused.

use super::chain::Chain;
use super::{PublicKey, Random, SecretKey, TAG_BYTES};

/// What each side says of itself: the credit that it grants.
pub(crate) type Hello = [u8; 8];

const KEY_BYTES: usize = 32;
const SEALED_KEY_BYTES: usize = KEY_BYTES + TAG_BYTES;
const SEALED_HELLO_BYTES: usize = size_of::<Hello>() + TAG_BYTES;

/// The bytes of the first message after its prefix.
pub(crate) const FIRST_BYTES: usize = KEY_BYTES + SEALED_KEY_BYTES + SEALED_HELLO_BYTES;
/// The bytes of the answer after its prefix.
pub(crate) const ANSWER_BYTES: usize = KEY_BYTES + SEALED_HELLO_BYTES;

/// What a side seals and opens packets with.
pub(crate) struct Secrets {
    pub(crate) seal: [u8; 32],
    pub(crate) open: [u8; 32],
}

/// Whoever connects, waiting for the answer.
pub(crate) struct Initiator {
    chain: Chain,
    own: SecretKey,
    once: SecretKey,
}

impl Initiator {
    /// Appends the first message to `out`, which begins with its prefix.
    pub(crate) fn start(
        own: &SecretKey,
        other: &PublicKey,
        hello: Hello,
        random: &mut Random,
        out: &mut Vec<u8>,
    ) -> Option<Self> {
        let once = SecretKey::draw(random);
        let mut chain = Chain::new();
        chain.say(other.as_bytes());
        chain.say(out);
        let public = once.public();
        chain.say(public.as_bytes());
        out.extend_from_slice(public.as_bytes());
        chain.agree(&once.agree(other)?);
        chain.seal(own.public().as_bytes(), out);
        chain.agree(&own.agree(other)?);
        chain.seal(&hello, out);
        Some(Self {
            chain,
            own: own.clone(),
            once,
        })
    }

    /// Returns the keys, and what the other side says of itself; nothing where it is not the other side that answers.
    pub(crate) fn finish(&self, prefix: &[u8], answer: &[u8]) -> Option<(Secrets, Hello)> {
        if answer.len() != ANSWER_BYTES {
            return None;
        }
        let (public, hello) = answer.split_at(KEY_BYTES);
        let mut chain = self.chain.clone();
        chain.say(prefix);
        chain.say(public);
        let public = PublicKey::from_bytes(public.try_into().ok()?);
        chain.agree(&self.once.agree(&public)?);
        chain.agree(&self.own.agree(&public)?);
        let hello = chain.open(hello)?;
        let [seal, open] = chain.split();
        Some((Secrets { seal, open }, hello))
    }
}

/// A first message that was understood: who sent it, and how to answer.
pub(crate) struct Respond {
    chain: Chain,
    once: [u8; KEY_BYTES],
    pub(crate) other: PublicKey,
    pub(crate) hello: Hello,
}

/// Returns who sent a first message; nothing where it was not meant for the holder of `own`.
pub(crate) fn respond(own: &SecretKey, prefix: &[u8], first: &[u8]) -> Option<Respond> {
    if first.len() != FIRST_BYTES {
        return None;
    }
    let (once, rest) = first.split_at(KEY_BYTES);
    let (other, hello) = rest.split_at(SEALED_KEY_BYTES);
    let mut chain = Chain::new();
    chain.say(own.public().as_bytes());
    chain.say(prefix);
    chain.say(once);
    let once = <[u8; KEY_BYTES]>::try_from(once).ok()?;
    chain.agree(&own.agree(&PublicKey::from_bytes(once))?);
    let other = PublicKey::from_bytes(chain.open(other)?);
    chain.agree(&own.agree(&other)?);
    let hello = chain.open(hello)?;
    Some(Respond {
        chain,
        once,
        other,
        hello,
    })
}

impl Respond {
    /// Appends the answer to `out`, which begins with its prefix, and returns the keys.
    pub(crate) fn answer(
        mut self,
        hello: Hello,
        random: &mut Random,
        out: &mut Vec<u8>,
    ) -> Option<Secrets> {
        let once = SecretKey::draw(random);
        self.chain.say(out);
        let public = once.public();
        self.chain.say(public.as_bytes());
        out.extend_from_slice(public.as_bytes());
        self.chain
            .agree(&once.agree(&PublicKey::from_bytes(self.once))?);
        self.chain.agree(&once.agree(&self.other)?);
        self.chain.seal(&hello, out);
        let [open, seal] = self.chain.split();
        Some(Secrets { seal, open })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> [SecretKey; 2] {
        [1, 2].map(|byte| SecretKey::from_bytes([byte; 32]))
    }

    fn first(random: &mut Random) -> (Initiator, Vec<u8>) {
        let [one, two] = keys();
        let mut message = b"to".to_vec();
        let initiator =
            Initiator::start(&one, &two.public(), [3; 8], random, &mut message).unwrap();
        (initiator, message)
    }

    #[test]
    fn both_sides_agree_and_know_each_other() {
        let [one, two] = keys();
        let random = &mut Random::from_seed([9; 32]);
        let (initiator, message) = first(random);
        let respond = respond(&two, &message[..2], &message[2..]).unwrap();
        assert_eq!((respond.other, respond.hello), (one.public(), [3; 8]));
        let mut answer = b"back".to_vec();
        let theirs = respond.answer([4; 8], random, &mut answer).unwrap();
        let (ours, hello) = initiator.finish(&answer[..4], &answer[4..]).unwrap();
        assert_eq!(hello, [4; 8]);
        assert_eq!((ours.seal, ours.open), (theirs.open, theirs.seal));
        assert_ne!(ours.seal, ours.open);
    }

    #[test]
    fn a_changed_byte_anywhere_is_refused() {
        let [one, two] = keys();
        let random = &mut Random::from_seed([9; 32]);
        let (initiator, message) = first(random);
        assert!(respond(&one, &message[..2], &message[2..]).is_none());
        for at in 0..message.len() {
            let mut changed = message.clone();
            changed[at] ^= 0x40;
            assert!(
                respond(&two, &changed[..2], &changed[2..]).is_none(),
                "{at}"
            );
        }
        let mut answer = b"back".to_vec();
        let understood = respond(&two, &message[..2], &message[2..]).unwrap();
        understood.answer([4; 8], random, &mut answer).unwrap();
        for at in 0..answer.len() {
            let mut changed = answer.clone();
            changed[at] ^= 0x40;
            assert!(
                initiator.finish(&changed[..4], &changed[4..]).is_none(),
                "{at}"
            );
        }
        assert!(initiator.finish(&answer[..4], &answer[4..]).is_some());
    }
}
