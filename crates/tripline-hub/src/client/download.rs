//! A file that GitHub keeps elsewhere: the interface answers with an address, and the file is fetched there.
//!
//! The token is GitHub's and goes nowhere else, not even to another port of the same machine. The address works for a
//! minute, so each try begins at the interface. Tested in `tests/hub/artifact`.

use url::Url;

use super::transport::{Exchange, Failure, Method, Reply, exchange};
use super::{Call, Client};
use crate::address::may_carry_secrets;
use crate::error::HubError;

/// How often we are sent on.
const REDIRECTS_MAX: usize = 3;

impl Client {
    /// Fetches a file of at most so many bytes.
    pub(crate) fn download(&self, call: &Call, bytes_max: u64) -> Result<Vec<u8>, HubError> {
        let url = call.url(&self.settings.api, &self.settings.repository);
        let reply = self.repeated(call.repeat, || self.followed(&url, bytes_max));
        let reply = reply.map_err(|problem| call.failed(problem))?;
        if reply.status == 200 {
            return Ok(reply.body);
        }
        Err(call.refused(&reply))
    }

    /// Asks the interface, and then whom it names.
    fn followed(&self, start: &Url, bytes_max: u64) -> Result<Reply, Failure> {
        let mut url = start.clone();
        for hop in 0..=REDIRECTS_MAX {
            let question = Exchange {
                method: Method::Get,
                url: &url,
                token: (hop == 0).then_some(&self.settings.token),
                body: None,
                // An answer that sends us on is small, but the file may as well come at once.
                bytes_max,
                timeout: self.settings.patience.timeout,
            };
            let reply = exchange(&self.agent, &question)?;
            match reply.status {
                301 | 302 | 303 | 307 | 308 => {}
                // The address may have ended meanwhile; the interface gives a new one.
                status if hop > 0 && status != 200 => {
                    return Err(Failure::Cut(format!(
                        "where GitHub keeps it the answer was {status}"
                    )));
                }
                _ => return Ok(reply),
            }
            url = self.next(&url, &reply)?;
        }
        let why = format!("GitHub sends us on more than {REDIRECTS_MAX} times");
        Err(Failure::Hopeless(why))
    }

    fn next(&self, from: &Url, reply: &Reply) -> Result<Url, Failure> {
        let hopeless = |why: &str| Failure::Hopeless(why.to_owned());
        let place = reply.header("location");
        let place = place.ok_or_else(|| hopeless("GitHub sends us on without saying where"))?;
        let Ok(url) = from.join(place) else {
            return Err(hopeless("GitHub sends us on to what is no address"));
        };
        if !may_carry_secrets(&url) || (url.scheme() == "http" && !self.settings.api.is_local()) {
            return Err(hopeless(
                "GitHub sends us on to an address without encryption",
            ));
        }
        Ok(url)
    }
}
