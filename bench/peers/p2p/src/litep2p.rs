//! litep2p.

use std::time::Duration;

use futures::StreamExt as _;
use litep2p::Litep2p as Node;
use litep2p::codec::ProtocolCodec;
use litep2p::config::ConfigBuilder;
use litep2p::crypto::ed25519::{Keypair, SecretKey};
use litep2p::protocol::{TransportEvent, TransportService, UserProtocol};
use litep2p::substream::Substream;
use litep2p::transport::tcp::config::Config as TcpConfig;
use litep2p::types::protocol::ProtocolName;
use litep2p::yamux;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;
use workload_p2p::cli::{Failure, Stack, Tell};
use workload_p2p::{Address, Exchange, Identity, Outcome, PROTOCOL, Settings};

use crate::setup::Setup;
use crate::spoken::{answer, ask, within};

/// litep2p, version 0.16.
pub struct Litep2p(pub Setup);

/// As much as yamux puts into a frame, set up for bandwidth: as many bytes as a frame of noise holds besides its tag. One byte
/// more, and this version of litep2p breaks the connection.
const FRAME_BYTES_TUNED: usize = (1 << 16) - 1 - 16;

/// What the protocol inside the node tells of.
enum Told {
    Connected,
    Opened(Box<Substream>, Instant),
    Failed(String),
}

/// The protocol inside the node: it opens as many substreams as it is asked for, and hands on whatever is opened.
struct Perf {
    wanted: UnboundedReceiver<usize>,
    told: UnboundedSender<Told>,
}

#[async_trait::async_trait]
impl UserProtocol for Perf {
    fn protocol(&self) -> ProtocolName {
        ProtocolName::from(PROTOCOL)
    }

    fn codec(&self) -> ProtocolCodec {
        // Bytes are read and written as they are.
        ProtocolCodec::Identity(1)
    }

    async fn run(mut self: Box<Self>, mut service: TransportService) -> litep2p::Result<()> {
        let mut peer = None;
        loop {
            let told = tokio::select! {
                event = service.next() => match event {
                    None => return Ok(()),
                    Some(TransportEvent::ConnectionEstablished { peer: new, .. }) => {
                        peer = Some(new);
                        Told::Connected
                    }
                    Some(TransportEvent::SubstreamOpened { substream, .. }) => {
                        Told::Opened(Box::new(substream), Instant::now())
                    }
                    Some(TransportEvent::SubstreamOpenFailure { error, .. }) => Told::Failed(error.to_string()),
                    Some(_) => continue,
                },
                Some(count) = self.wanted.recv() => {
                    let opened = (0..count).try_for_each(|_| match peer {
                        Some(peer) => service.open_substream(peer).map(drop).map_err(|error| error.to_string()),
                        None => Err("there is no connection".to_owned()),
                    });
                    match opened {
                        Ok(()) => continue,
                        Err(error) => Told::Failed(error),
                    }
                }
            };
            // Who does not listen any more is going.
            if self.told.send(told).is_err() {
                return Ok(());
            }
        }
    }
}

/// A node, with what its protocol hears and says.
struct Running {
    node: Node,
    want: UnboundedSender<usize>,
    told: UnboundedReceiver<Told>,
}

fn multiplexing(setup: Setup) -> yamux::Config {
    let mut config = yamux::Config::default();
    if setup == Setup::Tuned {
        config.set_split_send_size(FRAME_BYTES_TUNED);
    }
    config
}

fn start(
    setup: Setup,
    key: &str,
    listen: Option<Address>,
    settings: &Settings,
) -> Result<Running, Failure> {
    let (want, wanted) = unbounded_channel();
    let (tell, told) = unbounded_channel();
    let listen = listen.map(|address| address.to_string().parse());
    let tcp = TcpConfig {
        listen_addresses: listen.transpose()?.into_iter().collect(),
        nodelay: true,
        yamux_config: multiplexing(setup),
        connection_open_timeout: settings.secure,
        substream_open_timeout: settings.open,
        ..TcpConfig::default()
    };
    let secret =
        SecretKey::try_from_bytes(Identity::seed(key)).map_err(|error| format!("{error:?}"))?;
    let config = ConfigBuilder::new()
        .with_keypair(Keypair::from(secret))
        .with_tcp(tcp)
        .with_keep_alive_timeout(settings.idle)
        .with_user_protocol(Box::new(Perf { wanted, told: tell }))
        .build();
    let node = Node::new(config)?;
    Ok(Running { node, want, told })
}

impl Running {
    async fn dial(setup: Setup, address: Address, settings: &Settings) -> Result<Self, Failure> {
        let mut running = start(setup, "client", None, settings)?;
        let dialed = running.node.dial_address(address.to_string().parse()?);
        within(settings.connect, "no connection was begun", dialed).await?;
        let connected = async {
            loop {
                tokio::select! {
                    event = running.node.next_event() => match event {
                        Some(litep2p::Litep2pEvent::DialFailure { error, .. }) => return Err(error.to_string()),
                        Some(_) => {}
                        None => return Err("the node has ended".to_owned()),
                    },
                    told = running.told.recv() => match told {
                        Some(Told::Connected) => return Ok(()),
                        Some(Told::Failed(error)) => return Err(error),
                        Some(Told::Opened(..)) => {}
                        None => return Err("the protocol has ended".to_owned()),
                    },
                }
            }
        };
        within(settings.secure, "no connection was made", connected).await?;
        Ok(running)
    }

    async fn open(
        &mut self,
        count: usize,
        settings: &Settings,
    ) -> Result<Vec<(Box<Substream>, Duration)>, Failure> {
        let began = Instant::now();
        self.want.send(count)?;
        let opened = async {
            let mut opened = Vec::with_capacity(count);
            while opened.len() < count {
                match self.told.recv().await {
                    Some(Told::Opened(stream, at)) => opened.push((stream, at - began)),
                    Some(Told::Failed(error)) => return Err(error),
                    Some(Told::Connected) => {}
                    None => return Err("the protocol has ended".to_owned()),
                }
            }
            Ok(opened)
        };
        within(settings.open, "not every substream was opened", opened).await
    }
}

/// A node goes on only while somebody takes its events.
fn keep_going(mut node: Node) {
    tokio::spawn(async move { while node.next_event().await.is_some() {} });
}

impl Stack for Litep2p {
    fn serve(
        &self,
        address: Address,
        key: &str,
        settings: Settings,
        listens: &dyn Fn(Address),
        tell: Box<Tell>,
    ) -> Result<(), Failure> {
        self.0.runtime()?.block_on(async {
            let Running {
                node,
                want,
                mut told,
            } = start(self.0, key, Some(address), &settings)?;
            let listening = node
                .listen_addresses()
                .next()
                .ok_or("the node listens nowhere")?;
            listens(listening.to_string().parse()?);
            keep_going(node);
            let tell = std::sync::Arc::new(tell);
            while let Some(event) = told.recv().await {
                let Told::Opened(stream, _) = event else {
                    continue;
                };
                let (settings, tell) = (settings.clone(), tell.clone());
                tokio::spawn(async move {
                    if let Some(served) = answer(stream, &settings).await.transpose() {
                        tell(served);
                    }
                });
            }
            drop(want);
            Err("the protocol has ended".into())
        })
    }

    fn exchange(
        &self,
        address: Address,
        settings: Settings,
        exchanges: &[Exchange],
        tell: &mut dyn FnMut(&Outcome),
    ) -> Result<(), Failure> {
        self.0.runtime()?.block_on(async {
            let mut running = Running::dial(self.0, address, &settings).await?;
            for exchange in exchanges {
                let opened = running.open(1, &settings).await?;
                for (stream, _) in opened {
                    tell(&ask(stream, *exchange, &settings).await?);
                }
            }
            Ok(())
        })
    }

    fn substreams(
        &self,
        address: Address,
        settings: Settings,
        count: usize,
    ) -> Result<Vec<Duration>, Failure> {
        self.0.runtime()?.block_on(async {
            let mut running = Running::dial(self.0, address, &settings).await?;
            let opened = running.open(count, &settings).await?;
            Ok(opened.into_iter().map(|(_, took)| took).collect())
        })
    }
}
