//! What a connection that says nothing takes, measured: an endpoint's allocations with so many and with none.

use std::time::Duration;

use allocation_counter::measure;
use workload_transport::{Event, Line, Settings, World};

/// What an idle connection may take, at each of its sides.
const BYTES_MAX: u64 = 8 << 10;
const CONNECTIONS: u64 = 500;

#[test]
fn an_idle_connection_takes_at_most_8_kib() {
    let line = Line::new(Duration::from_millis(1));
    let mut world = World::new(1, line);
    for _ in 0..2 {
        world.add(Settings::default());
    }
    let key = world.endpoint(1).public_key();
    let taken = measure(|| {
        for _ in 0..CONNECTIONS {
            let now = world.now();
            let one = world.endpoint(0);
            let id = one.connect(now, World::address(1), &key).unwrap();
            // It was of use before it fell silent.
            one.send(id, vec![1; 50_000].into()).unwrap();
            world.run(Duration::from_millis(100));
            while let Some((id, event)) = world.endpoint(1).poll_event() {
                if event == Event::Readable {
                    while world.endpoint(1).read(id).is_some() {}
                }
            }
            while world.endpoint(0).poll_event().is_some() {}
            world.run(Duration::from_millis(100));
        }
        world.run(Duration::from_secs(15));
    });
    assert_eq!(world.endpoint(0).connections() as u64, CONNECTIONS);
    let each = u64::try_from(taken.bytes_current).unwrap() / (2 * CONNECTIONS);
    assert!(each <= BYTES_MAX, "{each}");
    // Not as little as if nothing had been counted.
    assert!(each >= 1 << 10, "{each}");
    println!("an idle connection takes {each} bytes");
}
