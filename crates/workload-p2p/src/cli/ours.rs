//! Our own implementation, as the program runs it.
//!
//! Tests: with the program.

use std::time::Duration;

use super::{Failure, Stack, Tell};
use crate::{Address, Client, Exchange, Identity, Outcome, Server, Settings};

/// This crate's client and server.
pub struct Ours;

/// What a client of the program calls itself: nobody asks.
const CLIENT: &str = "client";

impl Stack for Ours {
    fn serve(
        &self,
        address: Address,
        key: &str,
        settings: Settings,
        listens: &dyn Fn(Address),
        tell: Box<Tell>,
    ) -> Result<(), Failure> {
        let tell = move |served: Result<_, crate::Error>| tell(served.map_err(Into::into));
        let server = Server::start(address.socket, Identity::from_text(key), settings, tell)?;
        listens(server.address());
        Ok(server.wait()?)
    }

    fn exchange(
        &self,
        address: Address,
        settings: Settings,
        exchanges: &[Exchange],
        tell: &mut dyn FnMut(&Outcome),
    ) -> Result<(), Failure> {
        let mut client = Client::connect(&address, &Identity::from_text(CLIENT), settings)?;
        for exchange in exchanges {
            tell(&client.exchange(*exchange)?);
        }
        client.close();
        Ok(())
    }

    fn substreams(
        &self,
        address: Address,
        settings: Settings,
        count: usize,
    ) -> Result<Vec<Duration>, Failure> {
        let mut client = Client::connect(&address, &Identity::from_text(CLIENT), settings)?;
        let took = client.open_substreams(count)?;
        client.close();
        Ok(took)
    }
}
