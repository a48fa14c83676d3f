//! What a connection that says nothing takes, measured: what each side's endpoint lets go of when it goes.

use std::time::Duration;

use allocation_counter::measure;
use workload_transport::{Endpoint, Event, Line, Random, SecretKey, Settings, World};

/// What an idle connection may take, at each of its sides.
const BYTES_MAX: u64 = 8 << 10;
const CONNECTIONS: u64 = 100;

/// Connections that were of use before they fell silent: a message of 1 MiB went over each.
fn silent(keep_alive: Option<Duration>) -> World {
    let mut world = World::new(1, Line::new(Duration::from_millis(1)));
    for _ in 0..2 {
        world.add(Settings {
            keep_alive,
            idle_timeout: Duration::from_secs(3_600),
            ..Settings::default()
        });
    }
    let key = world.endpoint(1).public_key();
    for _ in 0..CONNECTIONS {
        let now = world.now();
        let one = world.endpoint(0);
        let id = one.connect(now, World::address(1), &key);
        let id = id.expect("there is room for a connection");
        one.send(id, vec![1; 1 << 20].into())
            .expect("there is room for a message");
        for _ in 0..10 {
            world.run(Duration::from_millis(20));
            while let Some((id, event)) = world.endpoint(1).poll_event() {
                if event == Event::Readable {
                    while world.endpoint(1).read(id).is_some() {}
                }
            }
        }
        let events = std::iter::from_fn(|| world.endpoint(0).poll_event());
        assert_eq!(events.last(), Some((id, Event::Delivered(0))));
    }
    world.run(Duration::from_secs(25));
    world
}

#[test]
fn an_idle_connection_takes_at_most_8_kib() {
    for keep_alive in [Some(Duration::from_secs(10)), None] {
        let mut world = silent(keep_alive);
        for side in 0..2 {
            let endpoint = world.endpoint(side);
            assert_eq!(endpoint.connections() as u64, CONNECTIONS);
            let let_go = measure(|| {
                let mut random = Random::from_seed([9; 32]);
                let secret = SecretKey::draw(&mut random);
                *endpoint = Endpoint::new(secret, random, Settings::default());
            });
            let each = let_go.bytes_current.unsigned_abs() / CONNECTIONS;
            assert!(each <= BYTES_MAX, "{keep_alive:?} {side}: {each}");
            // Not as little as if nothing had been counted.
            assert!(each >= 1 << 10, "{keep_alive:?} {side}: {each}");
            println!("an idle connection takes {each} bytes");
        }
    }
}
