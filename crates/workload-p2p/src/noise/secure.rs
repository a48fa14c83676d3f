//! From a line that anybody could read to one that only two can, who know each other's names: multistream-select agrees on
//! noise, noise on keys, and in each other's hands is put a name signed over the key.
//!
//! Tests: `tests/it`, against recorded handshakes of other implementations, and with what is none.

use super::handshake::{Handshake, Keys, NotAuthentic};
use super::transport::{LENGTH_BYTES, Opener, Outbox};
use crate::error::Cause;
use crate::line::{Deadline, Line, Wire};
use crate::negotiation::{Dialing, Listening, proposal};
use crate::{Identity, PeerId, protobuf};

pub(crate) use super::handshake::Role;

const NOISE: &str = "/noise";

/// What stands before the key that a name is signed over.
const SIGNED_START: &[u8] = b"noise-libp2p-static-key:";

/// A message of the handshake holds three keys and a signature; beside that others may announce what they can do.
const MESSAGE_BYTES_MAX: usize = 4 << 10;

/// What two sides have once they know each other.
pub(crate) struct Secured {
    pub(crate) outbox: Outbox,
    pub(crate) opener: Opener,
    pub(crate) peer: PeerId,
}

impl From<NotAuthentic> for Cause {
    fn from(NotAuthentic: NotAuthentic) -> Self {
        Self::NoHandshake("a key that does not fit")
    }
}

/// Agrees on keys with the other side.
pub(crate) fn secure<W: Wire>(
    line: &mut Line<W>,
    role: Role,
    identity: &Identity,
    keys: Keys,
    deadline: Deadline,
) -> Result<Secured, Cause> {
    let payload = payload(identity, &keys);
    let mut handshake = Handshake::new(keys);
    let payload_of_theirs = match role {
        Role::Dialer => dial(line, &mut handshake, &payload, deadline)?,
        Role::Listener => listen(line, &mut handshake, &payload, deadline)?,
    };
    let peer = peer(&payload_of_theirs, handshake.theirs_lasting())?;
    let [dialer, listener] = handshake.split();
    let (ours, theirs) = match role {
        Role::Dialer => (dialer, listener),
        Role::Listener => (listener, dialer),
    };
    Ok(Secured {
        outbox: Outbox::new(ours),
        opener: Opener::new(theirs),
        peer,
    })
}

fn dial<W: Wire>(
    line: &mut Line<W>,
    handshake: &mut Handshake,
    payload: &[u8],
    deadline: Deadline,
) -> Result<Vec<u8>, Cause> {
    // The first message does not wait for the agreement: there is nothing else that could be agreed on.
    let mut hello = proposal(NOISE);
    hello.extend(message(&handshake.write_first()));
    line.send(&hello, deadline)?;
    let mut dialing = Dialing::new(NOISE);
    line.take_until(deadline, |input| dialing.take(input))?;
    let second = take_message(line, deadline)?;
    let theirs = handshake.read_second(&second)?;
    line.send(&message(&handshake.write_third(payload)?), deadline)?;
    Ok(theirs)
}

fn listen<W: Wire>(
    line: &mut Line<W>,
    handshake: &mut Handshake,
    payload: &[u8],
    deadline: Deadline,
) -> Result<Vec<u8>, Cause> {
    agree(line, NOISE, deadline)?;
    let first = take_message(line, deadline)?;
    handshake.read_first(&first)?;
    line.send(&message(&handshake.write_second(payload)?), deadline)?;
    let third = take_message(line, deadline)?;
    Ok(handshake.read_third(&third)?)
}

/// Listens until the dialer asks for the protocol, and answers as soon as there is something to answer: a dialer may wait
/// for the greeting.
fn agree<W: Wire>(
    line: &mut Line<W>,
    protocol: &'static str,
    deadline: Deadline,
) -> Result<(), Cause> {
    let mut listening = Listening::new(protocol);
    loop {
        let mut answer = Vec::new();
        let taken = line.take(|input| listening.take(input, &mut answer));
        if !answer.is_empty() {
            line.send(&answer, deadline)?;
        }
        if taken? {
            return Ok(());
        }
        line.fill(deadline).map_err(|cause| match cause {
            Cause::Ended => listening.cause_of_end(),
            cause => cause,
        })?;
    }
}

fn message(content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u16).to_be_bytes();
    [&length, content].concat()
}

fn take_message<W: Wire>(line: &mut Line<W>, deadline: Deadline) -> Result<Vec<u8>, Cause> {
    let mut message = Vec::new();
    line.take_until(deadline, |input| {
        let Some((length, rest)) = input.split_first_chunk::<LENGTH_BYTES>() else {
            return Ok(false);
        };
        let length = usize::from(u16::from_be_bytes(*length));
        if length > MESSAGE_BYTES_MAX {
            return Err(Cause::NoHandshake("a message that is too long"));
        }
        let Some((content, rest)) = rest.split_at_checked(length) else {
            return Ok(false);
        };
        message = content.to_vec();
        *input = rest;
        Ok(true)
    })?;
    Ok(message)
}

/// A side's name, with the signature by which it owns the key.
fn payload(identity: &Identity, keys: &Keys) -> Vec<u8> {
    let mut out = Vec::new();
    protobuf::put_bytes(&mut out, 1, &identity.envelope());
    let signed = [SIGNED_START, &keys.lasting_public()].concat();
    protobuf::put_bytes(&mut out, 2, &identity.sign(&signed));
    out
}

fn peer(payload: &[u8], key: [u8; 32]) -> Result<PeerId, Cause> {
    let (mut name, mut signature) = (None, None);
    for field in protobuf::fields(payload) {
        match field.ok_or(Cause::NoHandshake("a payload that is none"))? {
            (1, protobuf::Value::Bytes(bytes)) => name = PeerId::from_envelope(bytes),
            (2, protobuf::Value::Bytes(bytes)) => signature = Some(bytes),
            _ => {}
        }
    }
    let name = name.ok_or(Cause::NoHandshake("no Ed25519 key as its name"))?;
    let signature = signature.ok_or(Cause::NoHandshake("no signature"))?;
    let signed = [SIGNED_START, &key].concat();
    match name.has_signed(&signed, signature) {
        true => Ok(name),
        false => Err(Cause::NoHandshake("a signature of somebody else")),
    }
}
