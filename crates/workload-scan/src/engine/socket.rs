//! The sockets of the engines that connect.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd, OwnedFd};

use rustix::net::{
    AddressFamily, SocketFlags, SocketType, bind, connect_unspec, getpeername, getsockname,
    socket_with,
};

/// A socket bound to an address of ours.
pub(super) fn bound(source: IpAddr, flags: SocketFlags) -> io::Result<OwnedFd> {
    let family = family(source);
    let socket = socket_with(
        family,
        SocketType::STREAM,
        flags | SocketFlags::CLOEXEC,
        None,
    )?;
    bind(&socket, &SocketAddr::new(source, 0))?;
    Ok(socket)
}

/// The family that an address is of.
pub(super) fn family(address: IpAddr) -> AddressFamily {
    match address {
        IpAddr::V4(_) => AddressFamily::INET,
        IpAddr::V6(_) => AddressFamily::INET6,
    }
}

/// Puts a socket back to where it was before it connected, with a reset to whoever it was connected to.
pub(super) fn reset(socket: impl AsFd) -> io::Result<()> {
    Ok(connect_unspec(socket)?)
}

/// Tells whether both ends of a connection are this one socket.
pub(super) fn is_itself(socket: impl AsFd) -> io::Result<bool> {
    let here = getsockname(&socket)?;
    // A connection that is gone already had another end.
    Ok(getpeername(&socket).is_ok_and(|there| there.as_ref() == Some(&here)))
}
