//! Messages over UDP on this machine, by our transport and by quinn: the same patterns, each side on a thread of its own.
//!
//! A message is a stream of its own in both. Connections are made and warm before a clock starts. quinn runs on tokio with one
//! thread at each side, as ours does without, or with both sides on one runtime of one thread or of two; it seals with the same cipher, has sockets with the same buffers and a network that
//! is known to carry packets as long as it makes them, and shares the messages that it sends instead of copying them.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bench_transport::{Loopback, Until, Work, content};
use bytes::Bytes;
use quinn::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use quinn::{
    ClientConfig, Connection, Endpoint, EndpointConfig, ServerConfig, TokioRuntime, TransportConfig,
};
use rustls::RootCertStore;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::version::TLS13;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

const HERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
const NAME: &str = "localhost";
/// What our sockets ask for.
const BUFFER_BYTES: usize = 4 << 20;
/// The longest packet that quinn makes where it may find out by itself.
const MTU: u16 = 1_452;
/// More than any work has under way.
const STREAMS: u32 = 4_096;

/// A transport with connections that are made.
pub trait Transport {
    /// What it is called.
    const NAME: &'static str;

    /// Makes so many connections, over which messages count as done then.
    fn connect(streams: usize, until: Until) -> Self;

    /// Does a work so often on all connections, and returns how long it took.
    fn time(&mut self, work: Work, times: u64) -> Duration;
}

/// Our transport.
pub struct Ours(Loopback);

impl Transport for Ours {
    const NAME: &'static str = "ours";

    fn connect(streams: usize, until: Until) -> Self {
        Self(Loopback::new(streams, until))
    }

    fn time(&mut self, work: Work, times: u64) -> Duration {
        self.0.time(work, times)
    }
}

/// quinn, with a server on a thread that ends with the program: each side has its own.
pub struct Quinn(Asking);

/// quinn, with both sides on one runtime of so many threads.
pub struct QuinnTogether<const THREADS: usize>(Asking);

/// The side that sends, with connections that are made.
struct Asking {
    runtime: Runtime,
    connections: Vec<Connection>,
    until: Until,
    _endpoint: Endpoint,
}

fn endpoint(server: Option<ServerConfig>) -> io::Result<Endpoint> {
    let socket = UdpSocket::bind(HERE)?;
    let buffers = socket2::SockRef::from(&socket);
    buffers.set_send_buffer_size(BUFFER_BYTES)?;
    buffers.set_recv_buffer_size(BUFFER_BYTES)?;
    let config = EndpointConfig::default();
    Endpoint::new(config, server, socket, Arc::new(TokioRuntime))
}

fn runtime() -> Runtime {
    let built = Builder::new_current_thread().enable_all().build();
    built.expect("the system has threads")
}

/// Lets a server listen, and returns where it does.
fn listening(server: ServerConfig) -> io::Result<(Endpoint, SocketAddr)> {
    let endpoint = endpoint(Some(server))?;
    let address = endpoint.local_addr()?;
    Ok((endpoint, address))
}

async fn serve_all(endpoint: Endpoint) {
    while let Some(incoming) = endpoint.accept().await {
        tokio::spawn(async move {
            let connection = incoming.await.expect("the key is known");
            serve(connection).await;
        });
    }
}

impl Transport for Quinn {
    const NAME: &'static str = "quinn";

    fn connect(streams: usize, until: Until) -> Self {
        let (server, client) = configs();
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            runtime().block_on(async {
                let (endpoint, address) = listening(server).expect("there is a socket");
                tell.send(address).expect("somebody waits for it");
                serve_all(endpoint).await;
            });
        });
        let address = told.recv().expect("the server begins");
        Self(Asking::connect(runtime(), client, address, streams, until))
    }

    fn time(&mut self, work: Work, times: u64) -> Duration {
        self.0.time(work, times)
    }
}

impl<const THREADS: usize> Transport for QuinnTogether<THREADS> {
    const NAME: &'static str = if THREADS == 1 {
        "quinn_on_one_thread"
    } else {
        "quinn_on_a_pool"
    };

    fn connect(streams: usize, until: Until) -> Self {
        let (server, client) = configs();
        let runtime = if THREADS == 1 {
            runtime()
        } else {
            let mut builder = Builder::new_multi_thread();
            let built = builder.worker_threads(THREADS).enable_all().build();
            built.expect("the system has threads")
        };
        let address = runtime.block_on(async {
            let (endpoint, address) = listening(server).expect("there is a socket");
            tokio::spawn(serve_all(endpoint));
            address
        });
        Self(Asking::connect(runtime, client, address, streams, until))
    }

    fn time(&mut self, work: Work, times: u64) -> Duration {
        self.0.time(work, times)
    }
}

impl Asking {
    fn connect(
        runtime: Runtime,
        client: ClientConfig,
        address: SocketAddr,
        streams: usize,
        until: Until,
    ) -> Self {
        let (endpoint, connections) = runtime.block_on(async {
            let mut endpoint = endpoint(None).expect("there is a socket");
            endpoint.set_default_client_config(client);
            let mut connections = Vec::new();
            for _ in 0..streams {
                let connecting = endpoint.connect(address, NAME).expect("it can be tried");
                connections.push(connecting.await.expect("the server answers"));
            }
            (endpoint, connections)
        });
        Self {
            runtime,
            connections,
            until,
            _endpoint: endpoint,
        }
    }

    fn time(&mut self, work: Work, times: u64) -> Duration {
        let message = content(work.bytes);
        let (connections, until) = (&self.connections, self.until);
        self.runtime.block_on(async {
            let began = Instant::now();
            for _ in 0..times {
                let mut streams = JoinSet::new();
                for connection in connections {
                    // As many as may be under way at a time, with their share of the messages.
                    for at in 0..work.waiting {
                        let (connection, message) = (connection.clone(), message.clone());
                        let rest = u64::from(at < work.messages % work.waiting);
                        let share = work.messages / work.waiting + rest;
                        streams.spawn(async move {
                            for _ in 0..share {
                                match until {
                                    Until::Answered => ask(&connection, &message).await,
                                    Until::Delivered => tell(&connection, &message).await,
                                }
                            }
                        });
                    }
                }
                while let Some(ended) = streams.join_next().await {
                    ended.expect("every message arrives");
                }
            }
            began.elapsed()
        })
    }
}

/// Sends a message and waits for the answer of one byte.
async fn ask(connection: &Connection, message: &Bytes) {
    let (mut send, mut receive) = connection.open_bi().await.expect("it is connected");
    let sent = send.write_chunk(message.clone()).await;
    sent.expect("it is connected");
    send.finish().expect("it is not finished");
    let answer = receive.read_to_end(1).await.expect("it is answered");
    assert_eq!(answer.len(), 1, "it is answered");
}

/// Sends a message and waits until the other side has it.
async fn tell(connection: &Connection, message: &Bytes) {
    let mut send = connection.open_uni().await.expect("it is connected");
    let sent = send.write_chunk(message.clone()).await;
    sent.expect("it is connected");
    send.finish().expect("it is not finished");
    let stopped = send.stopped().await;
    assert_eq!(stopped.expect("it is connected"), None, "it is read");
}

async fn serve(connection: Connection) {
    loop {
        tokio::select! {
            Ok((mut send, mut receive)) = connection.accept_bi() => {
                tokio::spawn(async move {
                    read(&mut receive).await;
                    send.write_all(b"!").await.expect("it is connected");
                    send.finish().expect("it is not finished");
                });
            }
            Ok(mut receive) = connection.accept_uni() => {
                tokio::spawn(async move { read(&mut receive).await });
            }
            else => return,
        }
    }
}

async fn read(receive: &mut quinn::RecvStream) {
    while let Some(chunk) = receive
        .read_chunk(usize::MAX, true)
        .await
        .expect("it is connected")
    {
        drop(chunk);
    }
}

/// TLS with the cipher that ours has.
fn tls() -> Arc<CryptoProvider> {
    Arc::new(CryptoProvider {
        cipher_suites: vec![ring::cipher_suite::TLS13_AES_128_GCM_SHA256],
        ..ring::default_provider()
    })
}

fn configs() -> (ServerConfig, ClientConfig) {
    let made = rcgen::generate_simple_self_signed([NAME.to_owned()]);
    let made = made.expect("the name is one");
    let certificate = made.cert.der().clone();
    let key = PrivatePkcs8KeyDer::from(made.key_pair.serialize_der());
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).expect("it was just made");
    let server = rustls::ServerConfig::builder_with_provider(tls())
        .with_protocol_versions(&[&TLS13])
        .expect("the cipher is of that version")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key.into())
        .expect("key and certificate fit");
    let client = rustls::ClientConfig::builder_with_provider(tls())
        .with_protocol_versions(&[&TLS13])
        .expect("the cipher is of that version")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let server = QuicServerConfig::try_from(server).expect("it has the cipher of first packets");
    let client = QuicClientConfig::try_from(client).expect("it has the cipher of first packets");
    let mut server = ServerConfig::with_crypto(Arc::new(server));
    let mut client = ClientConfig::new(Arc::new(client));
    // Nothing ends while a benchmark waits for its turn.
    let mut transport = TransportConfig::default();
    transport
        .max_idle_timeout(None)
        .initial_mtu(MTU)
        .max_concurrent_uni_streams(STREAMS.into())
        .max_concurrent_bidi_streams(STREAMS.into());
    let transport = Arc::new(transport);
    server.transport_config(Arc::clone(&transport));
    client.transport_config(transport);
    (server, client)
}

#[cfg(test)]
mod tests {
    use bench_transport::{BULK, EXCHANGE};

    use super::*;

    #[test]
    fn both_do_every_work() {
        fn all<T: Transport>() {
            for until in [Until::Answered, Until::Delivered] {
                let mut transport = T::connect(2, until);
                for work in [EXCHANGE, BULK] {
                    assert!(transport.time(work, 2) > Duration::ZERO);
                }
            }
        }
        all::<Ours>();
        all::<Quinn>();
        all::<QuinnTogether<1>>();
        all::<QuinnTogether<2>>();
    }
}
