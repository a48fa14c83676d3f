//! Records what ours and litep2p or libp2p say to each other, a line for each piece: `>` what the client says and `<` what the
//! server does, in hexadecimal digits. `workload-p2p` replays it in its tests, where neither is built.
//!
//! ```text
//! peers-p2p libp2p server --listen-address /ip4/127.0.0.1/tcp/0 --node-key recorded
//! cargo run --release --example record -- client ADDRESS > ../../../crates/workload-p2p/tests/it/recorded/libp2p.txt
//!
//! cargo run --release --example record -- server > ../../../crates/workload-p2p/tests/it/recorded/libp2p-client.txt
//! peers-p2p libp2p client --server-address ADDRESS --upload-bytes 100 --download-bytes 100
//! ```
//!
//! The first word is the part of ours; as a server it says on stderr where it is.

use std::error::Error;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use workload_p2p::{Address, Client, Exchange, Identity, Server, Settings};

type Said = Arc<Mutex<Vec<(char, Vec<u8>)>>>;

/// Longer than an answer takes. Our server is handed a client's next piece only then, and so says the same when it is replayed,
/// where the next piece waits for the answer.
const PAUSE: Duration = Duration::from_millis(100);

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let said = Said::default();
    let whole = match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["client", address] => client(address.parse()?, listener, &said)?,
        ["server"] => server(listener, &said)?,
        _ => return Err("the words are neither `client ADDRESS` nor `server`".into()),
    };
    let said = said.lock().unwrap_or_else(PoisonError::into_inner);
    for (who, bytes) in said.iter().take(whole) {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{who} {}", digits.concat());
    }
    Ok(())
}

/// The test has the same.
fn settings() -> Settings {
    Settings {
        seeds: Some([[1; 32], [2; 32]]),
        ..Settings::default()
    }
}

/// Has an exchange with somebody's server. Returns how many pieces it took.
fn client(server: Address, listener: TcpListener, said: &Said) -> Result<usize, Box<dyn Error>> {
    let here = Address {
        socket: listener.local_addr()?,
        ..server
    };
    let between = thread::spawn({
        let said = said.clone();
        move || stand_between(&listener, server.socket, Duration::ZERO, &said)
    });
    let mut client = Client::connect(&here, &Identity::from_text("client"), settings())?;
    client.exchange(Exchange {
        upload: 100,
        download: 100,
    })?;
    let whole = said.lock().unwrap_or_else(PoisonError::into_inner).len();
    client.close();
    // Who has gone away may leave a connection that is reset.
    let _ = between.join();
    Ok(whole)
}

/// Lets somebody's client have an exchange. Returns how many pieces it took until it was gone.
fn server(listener: TcpListener, said: &Said) -> Result<usize, Box<dyn Error>> {
    let identity = Identity::from_text("server");
    let server = Server::start("127.0.0.1:0".parse()?, identity, settings(), |served| {
        eprintln!("{served:?}");
    })?;
    let here = Address {
        socket: listener.local_addr()?,
        ..server.address()
    };
    eprintln!("{here}");
    stand_between(&listener, server.address().socket, PAUSE, said)?;
    Ok(said.lock().unwrap_or_else(PoisonError::into_inner).len())
}

/// Hands on what the next client and the server say, with a pause behind each piece of the client, until both are gone.
fn stand_between(
    listener: &TcpListener,
    server: SocketAddr,
    pause: Duration,
    said: &Said,
) -> io::Result<()> {
    let (client, _) = listener.accept()?;
    let server = TcpStream::connect(server)?;
    for stream in [&client, &server] {
        stream.set_nodelay(true)?;
    }
    let back = [server.try_clone()?, client.try_clone()?];
    let heard = said.clone();
    let answers = thread::spawn(move || {
        let [server, client] = back;
        hand_on('<', server, client, Duration::ZERO, &heard);
    });
    hand_on('>', client, server, pause, said);
    let _ = answers.join();
    Ok(())
}

/// Hands on what one says to the other, and keeps it first: what answers it comes later.
fn hand_on(who: char, mut from: TcpStream, mut to: TcpStream, pause: Duration, said: &Said) {
    let mut buffer = vec![0; 1 << 16];
    // Who ends with a reset has ended.
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        let piece = buffer[..read].to_vec();
        said.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((who, piece));
        if to.write_all(&buffer[..read]).is_err() {
            break;
        }
        thread::sleep(pause);
    }
    let _ = to.shutdown(Shutdown::Write);
}
