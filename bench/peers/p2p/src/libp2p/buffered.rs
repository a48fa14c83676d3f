//! A buffer between the socket and noise: libp2p's noise reads 8 KiB at a time, whatever there is.

use futures::AsyncRead;
use futures::io::BufReader;
use libp2p::core::UpgradeInfo;
use libp2p::core::upgrade::{InboundConnectionUpgrade, OutboundConnectionUpgrade};

/// An upgrade that reads through a buffer of so many bytes; of none, each read is one of the socket.
#[derive(Clone)]
pub(super) struct Buffered<U> {
    pub(super) upgrade: U,
    pub(super) bytes: usize,
}

impl<U: UpgradeInfo> UpgradeInfo for Buffered<U> {
    type Info = U::Info;
    type InfoIter = U::InfoIter;

    fn protocol_info(&self) -> U::InfoIter {
        self.upgrade.protocol_info()
    }
}

impl<C, U> InboundConnectionUpgrade<C> for Buffered<U>
where
    C: AsyncRead,
    U: InboundConnectionUpgrade<BufReader<C>>,
{
    type Output = U::Output;
    type Error = U::Error;
    type Future = U::Future;

    fn upgrade_inbound(self, socket: C, info: U::Info) -> U::Future {
        let socket = BufReader::with_capacity(self.bytes, socket);
        self.upgrade.upgrade_inbound(socket, info)
    }
}

impl<C, U> OutboundConnectionUpgrade<C> for Buffered<U>
where
    C: AsyncRead,
    U: OutboundConnectionUpgrade<BufReader<C>>,
{
    type Output = U::Output;
    type Error = U::Error;
    type Future = U::Future;

    fn upgrade_outbound(self, socket: C, info: U::Info) -> U::Future {
        let socket = BufReader::with_capacity(self.bytes, socket);
        self.upgrade.upgrade_outbound(socket, info)
    }
}
