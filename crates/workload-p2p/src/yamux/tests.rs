//! One machine against another, and against frames made by hand.

use std::collections::BTreeMap;
use std::time::Duration;

use super::frame::{Flags, HEADER_BYTES, Header, Kind};
use super::{Application, Event, Limits, Mux, StreamId};
use crate::error::{Cause, Violation};
use crate::noise::{Opener, Role, keyless};

/// Keeps what arrived.
#[derive(Default)]
struct Kept {
    data: BTreeMap<StreamId, Vec<u8>>,
    said: Vec<String>,
}

impl Application for Kept {
    fn happened(&mut self, _: &mut Mux, event: Event<'_>) -> Result<(), Cause> {
        match event {
            Event::Data(id, bytes) => self.data.entry(id).or_default().extend(bytes),
            other => self.said.push(format!("{other:?}")),
        }
        Ok(())
    }

    fn fill(&mut self, _: &mut Mux) {}

    fn is_done(&self) -> bool {
        false
    }

    fn progress(&self) -> u64 {
        0
    }

    fn patience(&self) -> Duration {
        Duration::ZERO
    }
}

struct Side {
    mux: Mux,
    /// Opens what the other side sealed.
    opener: Opener,
    kept: Kept,
}

fn side(role: Role, streams_max: usize) -> Side {
    let (outbox, opener) = keyless();
    Side {
        mux: Mux::new(outbox, role, Limits { streams_max }),
        opener,
        kept: Kept::default(),
    }
}

impl Side {
    /// What it has to say, opened.
    fn said(&mut self) -> Vec<u8> {
        let mut unsent = self.mux.outbox.unsent().to_vec();
        self.mux.outbox.sent(unsent.len());
        let mut said = Vec::new();
        let mut rest = &mut unsent[..];
        while !rest.is_empty() {
            let length = 2 + usize::from(u16::from_be_bytes([rest[0], rest[1]]));
            let (frame, after) = rest.split_at_mut(length);
            said.extend_from_slice(self.opener.open(frame).unwrap());
            rest = after;
        }
        said
    }

    fn hear(&mut self, bytes: &[u8]) -> Result<(), Cause> {
        self.mux.receive(bytes, &mut self.kept)
    }
}

fn header(kind: Kind, flags: Flags, stream: u32, length: u32) -> [u8; HEADER_BYTES] {
    Header {
        kind,
        flags,
        stream,
        length,
    }
    .to_bytes()
}

#[test]
fn what_is_written_arrives_however_it_is_cut() {
    for cut in [1, 5, 13, 1_000, 1 << 20] {
        let [mut one, mut two] = [side(Role::Dialer, 9), side(Role::Listener, 9)];
        let ids = [one.mux.open().unwrap(), one.mux.open().unwrap()];
        for (byte, id) in (0..20).zip(ids.iter().cycle()) {
            assert_eq!(one.mux.write(*id, &[byte; 1_000]), 1_000);
        }
        ids.iter().for_each(|id| one.mux.end(*id));
        for piece in one.said().chunks(cut) {
            two.hear(piece).unwrap();
        }
        for (first, id) in ids.iter().enumerate() {
            let wanted: Vec<u8> = (first as u8..20)
                .step_by(2)
                .flat_map(|byte| [byte; 1_000])
                .collect();
            assert_eq!(two.kept.data[id], wanted);
        }
        assert_eq!(
            two.kept.said,
            [
                "Opened(StreamId(1))",
                "Opened(StreamId(3))",
                "Ended(StreamId(1))",
                "Ended(StreamId(3))"
            ]
        );
        ids.iter().for_each(|id| two.mux.end(*id));
        one.hear(&two.said()).unwrap();
        assert_eq!((one.mux.streams(), two.mux.streams()), (0, 0));
    }
}

#[test]
fn a_window_holds_the_sender_and_opens_again() {
    let [mut one, mut two] = [side(Role::Dialer, 9), side(Role::Listener, 9)];
    let id = one.mux.open().unwrap();
    let mut total = 0;
    // Before the other side was heard, the protocol allows 256 KiB.
    loop {
        let written = one.mux.write(id, &[0; 65_536]);
        if written == 0 && one.mux.outbox.room() > 100 {
            break;
        }
        total += written;
        two.hear(&one.said()).unwrap();
    }
    assert_eq!(total, 256 << 10);
    one.hear(&two.said()).unwrap();
    let mut updates = 0;
    for _ in 0..1_000 {
        let written = one.mux.write(id, &[0; 65_536]);
        assert!(written > 0);
        total += written;
        two.hear(&one.said()).unwrap();
        let update = two.said();
        updates += usize::from(!update.is_empty());
        one.hear(&update).unwrap();
    }
    assert_eq!(two.kept.data[&id].len(), total);
    assert!(
        (5..=10).contains(&updates),
        "{updates} updates for 62 MiB, one for each half of a window"
    );
}

#[test]
fn what_breaks_the_rules_ends_the_connection() {
    let open = header(Kind::Window, Flags::OPEN, 1, 0);
    let end = header(Kind::Data, Flags::END, 1, 0);
    let beyond = header(Kind::Data, Flags::NONE, 1, (16 << 20) + 1);
    let more = header(Kind::Window, Flags::NONE, 1, u32::MAX);
    let cases: [(Vec<u8>, Violation); 8] = [
        (vec![7; 12], Violation::NoFrame),
        (
            header(Kind::Data, Flags::OPEN, 2, 0).into(),
            Violation::BadNumber,
        ),
        (
            header(Kind::Window, Flags::OPEN, 0, 0).into(),
            Violation::BadNumber,
        ),
        ([open, open].concat(), Violation::BadNumber),
        ([open, beyond].concat(), Violation::BeyondWindow),
        ([open, more].concat(), Violation::CreditOverflow),
        ([open, end, end].concat(), Violation::AfterEnd),
        (
            [open, end, header(Kind::Data, Flags::NONE, 1, 1)].concat(),
            Violation::AfterEnd,
        ),
    ];
    for (said, wanted) in cases {
        let error = side(Role::Listener, 9).hear(&said).unwrap_err();
        assert!(
            matches!(error, Cause::Violation(found) if found == wanted),
            "{error}: {said:?}"
        );
    }
}

#[test]
fn substreams_beyond_the_limit_are_refused_and_leave_nothing() {
    let [mut one, mut two] = [side(Role::Dialer, 20), side(Role::Listener, 5)];
    for _ in 0..20 {
        let id = one.mux.open().unwrap();
        one.mux.write_first(id, b"hello");
    }
    assert!(matches!(one.mux.open(), Err(Cause::TooMany(20))));
    two.hear(&one.said()).unwrap();
    assert_eq!((two.mux.streams(), two.kept.data.len()), (5, 5));
    one.hear(&two.said()).unwrap();
    assert_eq!(one.mux.streams(), 5);
    let refused = one
        .kept
        .said
        .iter()
        .filter(|said| said.starts_with("Reset"))
        .count();
    assert_eq!(refused, 15);
}

#[test]
fn what_comes_on_a_reset_substream_is_passed_over() {
    let [mut one, mut two] = [side(Role::Dialer, 9), side(Role::Listener, 9)];
    let id = one.mux.open().unwrap();
    two.hear(&one.said()).unwrap();
    two.mux.reset(id);
    assert_eq!(one.mux.write(id, &[1; 100]), 100);
    two.hear(&one.said()).unwrap();
    one.hear(&two.said()).unwrap();
    assert_eq!((one.mux.streams(), two.mux.streams()), (0, 0));
    assert!(two.kept.data.is_empty());
    assert_eq!(one.mux.write(id, &[1; 100]), 0);
}

#[test]
fn pings_are_answered_and_a_farewell_is_noticed() {
    let mut two = side(Role::Listener, 9);
    two.hear(&header(Kind::Ping, Flags::OPEN, 0, 77)).unwrap();
    two.hear(&header(Kind::Ping, Flags::HEARD, 0, 78)).unwrap();
    assert_eq!(two.said(), header(Kind::Ping, Flags::HEARD, 0, 77));
    assert_eq!(two.mux.gone(), None);
    two.hear(&header(Kind::GoAway, Flags::NONE, 0, 2)).unwrap();
    assert_eq!(two.mux.gone(), Some(2));
}
