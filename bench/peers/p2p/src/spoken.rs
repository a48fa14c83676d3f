//! What is spoken on a substream, whichever peer gives it.
//!
//! Tests: below, who answers too early; `tests/it/interop.rs`; `tests/it/refused.rs`.

use std::future::Future;
use std::io;
use std::time::Duration;

use futures::FutureExt as _;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::Instant;
use workload_p2p::cli::Failure;
use workload_p2p::{Exchange, Outcome, Served, Settings, Sink, Times, piece};

/// As much as is read at once.
const READ_BYTES: usize = 64 << 10;

/// Does something within a time.
pub(crate) async fn within<T, E: Into<Failure>>(
    time: Duration,
    what: &str,
    future: impl Future<Output = Result<T, E>>,
) -> Result<T, Failure> {
    match tokio::time::timeout(time, future).await {
        Ok(result) => result.map_err(Into::into),
        Err(_) => Err(format!("{what}: the other side did not go on within {time:?}").into()),
    }
}

/// Has an exchange, as the client.
pub(crate) async fn ask(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    exchange: Exchange,
    settings: &Settings,
) -> Result<Outcome, Failure> {
    let Exchange { upload, download } = exchange;
    allow(upload, settings)?;
    allow(download, settings)?;
    let began = Instant::now();
    put(&mut stream, upload, settings).await?;
    send(&mut stream, upload, settings).await?;
    let accepted = began.elapsed();
    is_silent(&mut stream)?;
    put(&mut stream, download, settings).await?;
    within(settings.stall, "nothing was sent", stream.flush()).await?;
    let mut sink = Sink::new(settings.check);
    let mut confirmed = None;
    receive(&mut stream, download, settings, &mut sink, || {
        confirmed.get_or_insert_with(|| began.elapsed());
    })
    .await?;
    let received = began.elapsed();
    let mut more = [0];
    let end = stream.read(&mut more);
    let end = within(settings.stall, "the substream was not ended", end).await?;
    if end != 0 {
        return Err("the other side sent more than it was asked for".into());
    }
    // Where nothing is asked back, the end confirms.
    let done = match download {
        0 => began.elapsed(),
        _ => received,
    };
    close(&mut stream, settings).await?;
    Ok(Outcome {
        exchange,
        times: Times {
            accepted,
            confirmed: confirmed.unwrap_or(done),
            done,
        },
        digest: sink.digest(),
        // These libraries do not tell what they hand to the system.
        counters: None,
    })
}

/// Makes sure that nothing has come yet: before it was asked, what comes confirms nothing.
fn is_silent(stream: &mut (impl AsyncRead + Unpin)) -> Result<(), Failure> {
    match stream.read(&mut [0]).now_or_never() {
        None => Ok(()),
        Some(Err(error)) => Err(error.into()),
        Some(Ok(_)) => Err("the other side answered before it was asked".into()),
    }
}

/// Answers an exchange, as the server; nothing where nothing was asked.
pub(crate) async fn answer(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    settings: &Settings,
) -> Result<Option<Served>, Failure> {
    let Some(uploaded) = number(&mut stream, settings.idle, settings).await? else {
        close(&mut stream, settings).await?;
        return Ok(None);
    };
    let mut sink = Sink::new(settings.check);
    receive(&mut stream, uploaded, settings, &mut sink, || {}).await?;
    let downloaded = number(&mut stream, settings.stall, settings)
        .await?
        .ok_or("the other side ended without asking for a download")?;
    send(&mut stream, downloaded, settings).await?;
    close(&mut stream, settings).await?;
    Ok(Some(Served {
        uploaded,
        downloaded,
        digest: sink.digest(),
    }))
}

/// Writes a size.
async fn put(
    stream: &mut (impl AsyncWrite + Unpin),
    size: u64,
    settings: &Settings,
) -> Result<(), Failure> {
    let bytes = size.to_be_bytes();
    within(
        settings.stall,
        "a size was not sent",
        stream.write_all(&bytes),
    )
    .await
}

/// Says that nothing more comes.
async fn close(stream: &mut (impl AsyncWrite + Unpin), settings: &Settings) -> Result<(), Failure> {
    within(settings.stall, "the end was not sent", stream.shutdown()).await
}

/// Reads a size, for whose first byte the other side has this long.
async fn number(
    stream: &mut (impl AsyncRead + Unpin),
    first: Duration,
    settings: &Settings,
) -> Result<Option<u64>, Failure> {
    let mut bytes = [0; 8];
    let mut have = 0;
    while have < bytes.len() {
        let time = if have == 0 { first } else { settings.stall };
        let read = within(time, "no size came", stream.read(&mut bytes[have..])).await?;
        match read {
            0 if have == 0 => return Ok(None),
            0 => return Err("the other side ended within a size".into()),
            read => have += read,
        }
    }
    let declared = u64::from_be_bytes(bytes);
    allow(declared, settings)?;
    Ok(Some(declared))
}

fn allow(declared: u64, settings: &Settings) -> Result<(), Failure> {
    match declared <= settings.bytes_max {
        true => Ok(()),
        false => Err(format!(
            "{declared} bytes were declared, and {} are the most",
            settings.bytes_max
        )
        .into()),
    }
}

async fn send(
    stream: &mut (impl AsyncWrite + Unpin),
    bytes: u64,
    settings: &Settings,
) -> Result<(), Failure> {
    let mut at = 0;
    while at < bytes {
        let left = usize::try_from(bytes - at)?;
        let piece = piece(at, left.min(settings.write_bytes));
        within(settings.stall, "not all was sent", stream.write_all(piece)).await?;
        at += piece.len() as u64;
    }
    Ok(())
}

async fn receive(
    stream: &mut (impl AsyncRead + Unpin),
    bytes: u64,
    settings: &Settings,
    sink: &mut Sink,
    mut came: impl FnMut(),
) -> Result<(), Failure> {
    let mut buffer = vec![0; READ_BYTES];
    while sink.bytes() < bytes {
        // Not a byte more than was declared: what follows is another's.
        let left = usize::try_from(bytes - sink.bytes())?.min(READ_BYTES);
        let read = stream.read(&mut buffer[..left]);
        let read = within(settings.stall, "not all was received", read).await?;
        if read == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        came();
        sink.take(&buffer[..read]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_before_the_question_confirms_nothing() {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let exchange = Exchange {
                upload: 1_000,
                download: 1,
            };
            let (here, mut there) = tokio::io::duplex(100_000);
            there.write_all(&[0]).await.unwrap();
            let asked = ask(here, exchange, &Settings::default()).await;
            let said = asked.unwrap_err().to_string();
            assert_eq!(said, "the other side answered before it was asked");
            let (here, there) = tokio::io::duplex(100_000);
            let settings = Settings::default();
            let (asked, answered) =
                tokio::join!(ask(here, exchange, &settings), answer(there, &settings));
            assert_eq!(asked.unwrap().exchange, exchange);
            assert_eq!(answered.unwrap().unwrap().uploaded, 1_000);
        });
    }
}
