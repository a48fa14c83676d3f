//! What does not come about: a client of litep2p or libp2p says so within its time, and a server goes on with others.

use std::error::Error;
use std::future::poll_fn;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::pin::pin;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use futures::future::{Either, select};
use futures::{AsyncReadExt as _, AsyncWriteExt as _};
use libp2p::core::muxing::StreamMuxerExt as _;
use libp2p::core::transport::{DialOpts, PortUse};
use libp2p::core::{Endpoint, Transport as _, upgrade};
use libp2p::{identity, noise, tcp, yamux};
use tokio::runtime::Runtime;

const PEERS: [&str; 4] = ["litep2p", "litep2p-tuned", "libp2p", "libp2p-tuned"];

const PROGRAM: &str = env!("CARGO_BIN_EXE_peers-p2p");

/// What each phase may take here.
const TIMEOUT: [&str; 2] = ["--timeout-ms", "1000"];

/// Less than what either library allows by itself, which is five seconds or ten.
const SOON: Duration = Duration::from_secs(4);

/// More than any connection keeps for somebody who has stopped.
const BYTES: &str = "67108864";

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A server in a process of its own, which ends with the test.
struct Server {
    process: Child,
    lines: Receiver<String>,
    address: String,
}

impl Server {
    fn start(stack: &str) -> Outcome<Self> {
        let mut process = Command::new(PROGRAM)
            .args([stack, "server", "--listen-address", "/ip4/127.0.0.1/tcp/0"])
            .args(TIMEOUT)
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = process.stdout.take().ok_or("no output")?;
        let mut server = Self {
            process,
            lines: lines(stdout),
            address: String::new(),
        };
        let line = server.lines.recv_timeout(SOON)?;
        let address = line.split('"').nth(3).ok_or("no address")?;
        server.address = address.to_owned();
        Ok(server)
    }

    fn socket(&self) -> Outcome<SocketAddr> {
        let port = self.address.split('/').nth(4).ok_or("no port")?;
        Ok(SocketAddr::from(([127, 0, 0, 1], port.parse()?)))
    }

    /// The same node at another place.
    fn at(&self, socket: SocketAddr) -> Outcome<String> {
        let (_, name) = self.address.split_once("/p2p/").ok_or("no name")?;
        Ok(format!("/ip4/127.0.0.1/tcp/{}/p2p/{name}", socket.port()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended already is fine.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn lines(stdout: ChildStdout) -> Receiver<String> {
    let (tell, told) = channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        // A test may be over before its server is.
        lines.try_for_each(|line| tell.send(line))
    });
    told
}

/// Runs a client, which has to end by itself.
fn client(stack: &str, address: &str, words: &[&str]) -> Outcome<Output> {
    let process = Command::new(PROGRAM)
        .args([stack, "client", "--server-address", address])
        .args(words)
        .args(TIMEOUT)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (tell, told) = channel();
    thread::spawn(move || tell.send(process.wait_with_output()));
    Ok(told.recv_timeout(SOON)??)
}

fn assert_refused(output: &Output, case: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{case}: {said}");
    assert!(
        said.starts_with("error: ") && !said.contains("panicked"),
        "{case}: {said}"
    );
}

fn assert_served(stack: &str, server: &Server) -> Outcome<()> {
    let words = ["--upload-bytes", "10", "--download-bytes", "10"];
    let output = client(stack, &server.address, &words)?;
    assert!(output.status.success(), "{stack}: {output:?}");
    Ok(())
}

/// How much is handed on of what the client says, and of what the server does.
#[derive(Clone, Copy)]
struct Until {
    client: u64,
    server: u64,
}

/// Stands before a server and hands on so much, and then nothing, as long as both stay.
fn stopping(server: SocketAddr, until: Until) -> Outcome<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || -> io::Result<()> {
        let (client, _) = listener.accept()?;
        let server = TcpStream::connect(server)?;
        let back = [server.try_clone()?, client.try_clone()?];
        thread::spawn(move || {
            let [server, client] = back;
            hand_on(server, client, until.server)
        });
        hand_on(client, server, until.client)
    });
    Ok(address)
}

fn hand_on(mut from: TcpStream, mut to: TcpStream, bytes: u64) -> io::Result<()> {
    let handed_on = io::copy(&mut (&from).take(bytes), &mut to)?;
    if handed_on == bytes {
        // It is read, so that nobody waits for room.
        io::copy(&mut from, &mut io::sink())?;
    }
    to.shutdown(Shutdown::Write)
}

#[test]
fn a_server_that_stops_is_given_up() -> Outcome<()> {
    let server = Server::start("ours")?;
    // Before anything, in the handshake, behind it, and in the middle of a frame.
    for bytes in [0, 10, 100, 300, 1_000_001] {
        for peer in PEERS {
            let until = Until {
                client: u64::MAX,
                server: bytes,
            };
            let address = server.at(stopping(server.socket()?, until)?)?;
            let output = client(peer, &address, &["--download-bytes", BYTES])?;
            assert_refused(&output, &format!("{peer}, {bytes} bytes"));
        }
    }
    Ok(())
}

#[test]
fn a_client_that_stops_is_told_of_and_others_are_served() -> Outcome<()> {
    for peer in PEERS {
        let server = Server::start(peer)?;
        for (bytes, is_told) in [(0, false), (10, false), (100, false), (1_000_001, true)] {
            let until = Until {
                client: bytes,
                server: u64::MAX,
            };
            let address = server.at(stopping(server.socket()?, until)?)?;
            let words = ["--upload-bytes", BYTES, "--download-bytes", "1"];
            let output = client("ours", &address, &words)?;
            assert_refused(&output, &format!("{peer}, {bytes} bytes"));
            if is_told {
                let line = server.lines.recv_timeout(SOON)?;
                assert!(line.starts_with("{\"error\":"), "{peer}: {line}");
            }
            assert_served("ours", &server)?;
            let line = server.lines.recv_timeout(SOON)?;
            assert!(line.starts_with("{\"uploaded\":10,"), "{peer}: {line}");
        }
    }
    Ok(())
}

/// With an end or a reset, and not by the time that this waits.
fn assert_hung_up_on(mut stream: TcpStream, case: &str) -> Outcome<()> {
    stream.set_read_timeout(Some(SOON))?;
    let mut left = Vec::new();
    if let Err(error) = stream.read_to_end(&mut left) {
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset, "{case}");
    }
    Ok(())
}

#[test]
fn who_does_not_go_on_is_hung_up_on() -> Outcome<()> {
    // Nothing at all, half of the first words, and all of them.
    let first = b"\x13/multistream/1.0.0\n\x07/noise\n";
    for said in [&first[..0], &first[..10], first] {
        for peer in PEERS {
            let server = Server::start(peer)?;
            let mut stream = TcpStream::connect(server.socket()?)?;
            stream.write_all(said)?;
            assert_hung_up_on(stream, &format!("{peer}, {} bytes", said.len()))?;
            assert_served("ours", &server)?;
        }
    }
    Ok(())
}

/// What has to come before it is agreed what is spoken on a substream, without that.
async fn open_without_agreeing(address: &str) -> Outcome<Vec<u8>> {
    let key = identity::Keypair::generate_ed25519();
    let mut transport = tcp::tokio::Transport::new(tcp::Config::default())
        .upgrade(upgrade::Version::V1)
        .authenticate(noise::Config::new(&key)?)
        .multiplex(yamux::Config::default())
        .boxed();
    let options = DialOpts {
        role: Endpoint::Dialer,
        port_use: PortUse::New,
    };
    let (_, mut connection) = transport.dial(address.parse()?, options)?.await?;
    let mut stream = poll_fn(|context| connection.poll_outbound_unpin(context)).await?;
    let hung_up_on = async {
        stream.write_all(b"\x13/multistream/1.0.0\n").await?;
        stream.flush().await?;
        let mut answer = [0; 64];
        let mut said = Vec::new();
        // It ends with a reset, too.
        while let Ok(read @ 1..) = stream.read(&mut answer).await {
            said.extend_from_slice(&answer[..read]);
        }
        Ok(said)
    };
    let going_on = async {
        loop {
            poll_fn(|context| connection.poll_unpin(context)).await?;
        }
    };
    match select(pin!(hung_up_on), pin!(going_on)).await {
        Either::Left((said, _)) | Either::Right((said, _)) => said,
    }
}

#[test]
fn a_substream_on_which_nothing_is_agreed_is_given_up() -> Outcome<()> {
    let server = Server::start("litep2p")?;
    let said = Runtime::new()?.block_on(async {
        tokio::time::timeout(SOON, open_without_agreeing(&server.address)).await
    })??;
    // The connection was fine: the substream was answered before it was given up.
    assert_eq!(said, b"\x13/multistream/1.0.0\n");
    assert_served("ours", &server)
}

#[test]
fn garbage_is_no_connection() -> Outcome<()> {
    for peer in PEERS {
        let server = Server::start(peer)?;
        let mut stream = TcpStream::connect(server.socket()?)?;
        stream.write_all(&[0xff; 5_000])?;
        assert_hung_up_on(stream, peer)?;
        assert_served("ours", &server)?;
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = server.at(listener.local_addr()?)?;
        thread::spawn(move || {
            let (mut stream, _) = listener.accept()?;
            stream.write_all(&[0xff; 5_000])?;
            io::copy(&mut stream, &mut io::sink())
        });
        let output = client(peer, &address, &["--download-bytes", "10"])?;
        assert_refused(&output, peer);
    }
    Ok(())
}

#[test]
fn more_than_there_can_be_is_refused() -> Outcome<()> {
    let server = Server::start("ours")?;
    for peer in PEERS {
        for way in ["--upload-bytes", "--download-bytes"] {
            let output = client(peer, &server.address, &[way, "18446744073709551615"])?;
            assert_refused(&output, peer);
            let said = String::from_utf8(output.stderr)?;
            assert!(
                said.contains("18446744073709551615 bytes were declared"),
                "{said}"
            );
        }
    }
    Ok(())
}
