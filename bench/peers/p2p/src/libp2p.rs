//! libp2p.

mod buffered;

use std::time::Duration;

use futures::stream::FuturesUnordered;
use futures::{StreamExt as _, TryStreamExt as _};
use libp2p::swarm::SwarmEvent;
use libp2p::{Multiaddr, PeerId, StreamProtocol, Swarm, SwarmBuilder, identity, noise, tcp, yamux};
use libp2p_stream::{Behaviour, Control};
use tokio::time::Instant;
use tokio_util::compat::FuturesAsyncReadCompatExt as _;
use workload_p2p::cli::{Failure, Stack, Tell};
use workload_p2p::{Address, Exchange, Identity, Outcome, PROTOCOL, Settings};

use crate::setup::Setup;
use crate::spoken::{answer, ask, within};
use buffered::Buffered;

/// libp2p, version 0.57.
pub struct Libp2p(pub Setup);

const SPOKEN: StreamProtocol = StreamProtocol::new(PROTOCOL);

/// As much as is read of a socket at once, set up for bandwidth: two of the longest frames of noise.
const READ_BYTES_TUNED: usize = 128 << 10;

fn swarm(setup: Setup, key: &str, settings: &Settings) -> Result<Swarm<Behaviour>, Failure> {
    let bytes = match setup {
        Setup::AsItComes => 0,
        Setup::Tuned => READ_BYTES_TUNED,
    };
    let secure = |pair: &identity::Keypair| {
        noise::Config::new(pair).map(|upgrade| Buffered { upgrade, bytes })
    };
    let pair = identity::Keypair::ed25519_from_bytes(Identity::seed(key))?;
    let idle = settings.idle;
    let swarm = SwarmBuilder::with_existing_identity(pair)
        .with_tokio()
        .with_tcp(
            tcp::Config::default().nodelay(true),
            secure,
            yamux::Config::default,
        )?
        .with_behaviour(|_| Behaviour::new())?
        .with_swarm_config(|config| config.with_idle_connection_timeout(idle))
        .with_connection_timeout(settings.secure)
        .build();
    Ok(swarm)
}

async fn dial(
    setup: Setup,
    address: Address,
    settings: &Settings,
) -> Result<(Control, PeerId), Failure> {
    let mut swarm = swarm(setup, "client", settings)?;
    swarm.dial(address.to_string().parse::<Multiaddr>()?)?;
    let established = async {
        loop {
            match swarm.select_next_some().await {
                SwarmEvent::ConnectionEstablished { peer_id, .. } => return Ok(peer_id),
                SwarmEvent::OutgoingConnectionError { error, .. } => return Err(error),
                _ => {}
            }
        }
    };
    let peer = within(settings.secure, "no connection was made", established).await?;
    let control = swarm.behaviour().new_control();
    tokio::spawn(async move {
        loop {
            swarm.select_next_some().await;
        }
    });
    Ok((control, peer))
}

impl Stack for Libp2p {
    fn serve(
        &self,
        address: Address,
        key: &str,
        settings: Settings,
        listens: &dyn Fn(Address),
        tell: Box<Tell>,
    ) -> Result<(), Failure> {
        self.0.runtime()?.block_on(async {
            let mut swarm = swarm(self.0, key, &settings)?;
            let mut incoming = swarm.behaviour().new_control().accept(SPOKEN)?;
            let tell = std::sync::Arc::new(tell);
            tokio::spawn(async move {
                while let Some((_, stream)) = incoming.next().await {
                    let (settings, tell) = (settings.clone(), tell.clone());
                    tokio::spawn(async move {
                        if let Some(served) = answer(stream.compat(), &settings).await.transpose() {
                            tell(served);
                        }
                    });
                }
            });
            swarm.listen_on(address.to_string().parse::<Multiaddr>()?)?;
            loop {
                if let SwarmEvent::NewListenAddr { address, .. } = swarm.select_next_some().await {
                    let mut address: Address = address.to_string().parse()?;
                    address.peer = Some(Identity::from_text(key).peer_id());
                    listens(address);
                }
            }
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
            let (mut control, peer) = dial(self.0, address, &settings).await?;
            for exchange in exchanges {
                let opened = control.open_stream(peer, SPOKEN);
                let stream = within(settings.open, "no substream was opened", opened).await?;
                tell(&ask(stream.compat(), *exchange, &settings).await?);
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
            let (control, peer) = dial(self.0, address, &settings).await?;
            let began = Instant::now();
            let all: FuturesUnordered<_> = (0..count)
                .map(|_| {
                    let mut control = control.clone();
                    async move {
                        let stream = control.open_stream(peer, SPOKEN).await?;
                        Ok::<_, libp2p_stream::OpenStreamError>((stream, began.elapsed()))
                    }
                })
                .collect();
            // They are kept until the last one is open.
            let opened: Vec<_> = within(
                settings.open,
                "not every substream was opened",
                all.try_collect(),
            )
            .await?;
            Ok(opened.into_iter().map(|(_, took)| took).collect())
        })
    }
}
