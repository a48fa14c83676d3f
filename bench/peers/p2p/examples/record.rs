//! Records what our client and a server of litep2p or libp2p say to each other, a line for each piece: `>` what the client
//! says and `<` what the server does, in hexadecimal digits. `workload-p2p` replays it in its tests, where neither is built.
//!
//! ```text
//! peers-p2p libp2p server --listen-address /ip4/127.0.0.1/tcp/0 --node-key recorded
//! cargo run --release --example record -- ADDRESS > ../../../crates/workload-p2p/tests/it/recorded/libp2p.txt
//! ```

use std::error::Error;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use workload_p2p::{Address, Client, Exchange, Identity, Settings};

type Said = Arc<Mutex<Vec<(char, Vec<u8>)>>>;

fn main() -> Result<(), Box<dyn Error>> {
    let server = std::env::args()
        .nth(1)
        .ok_or("the server's address is missing")?;
    let server: Address = server.parse()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let here = Address {
        socket: listener.local_addr()?,
        ..server
    };
    let said = Said::default();
    let between = thread::spawn({
        let said = said.clone();
        move || -> io::Result<()> {
            let (client, _) = listener.accept()?;
            let server = TcpStream::connect(server.socket)?;
            server.set_nodelay(true)?;
            let back = [server.try_clone()?, client.try_clone()?];
            let heard = said.clone();
            let answers = thread::spawn(move || {
                let [server, client] = back;
                hand_on('<', server, client, &heard)
            });
            hand_on('>', client, server, &said)?;
            // Who has gone away may leave a connection that is reset.
            let _ = answers.join();
            Ok(())
        }
    });
    // The test has the same.
    let settings = Settings {
        seeds: Some([[1; 32], [2; 32]]),
        ..Settings::default()
    };
    let mut client = Client::connect(&here, &Identity::from_text("client"), settings)?;
    client.exchange(Exchange {
        upload: 100,
        download: 100,
    })?;
    let whole = said.lock().unwrap_or_else(PoisonError::into_inner).len();
    client.close();
    let _ = between.join();
    let said = said.lock().unwrap_or_else(PoisonError::into_inner);
    for (who, bytes) in said.iter().take(whole) {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{who} {}", digits.concat());
    }
    Ok(())
}

/// Hands on what one says to the other, and keeps it first: what answers it comes later.
fn hand_on(who: char, mut from: TcpStream, mut to: TcpStream, said: &Said) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            return to.shutdown(Shutdown::Write);
        }
        let piece = buffer[..read].to_vec();
        said.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((who, piece));
        to.write_all(&buffer[..read])?;
    }
}
