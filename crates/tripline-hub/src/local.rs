//! Hands files out to whoever sits at this machine, for a look at pages before they are anywhere.
//!
//! Only this machine is listened to, and only reading is answered. What is handed out is held in memory and found by its
//! whole name, so that no address leads to anything else. A page of somebody else's that has its own name point here is
//! refused by the name that its browser asks for; one that asks for our data by our own name is refused by what its browser
//! says of it, and what it gets its browser keeps from it. Tested by `tests/hub/local`.

mod patience;

use std::collections::BTreeMap;
use std::io::{self, Read, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use patience::Patient;

/// The longest head of a request. A browser's has about one kilobyte.
const HEAD_BYTES_MAX: u64 = 16 * 1024;

/// How long a request may take to come. Browsers open connections before they need them.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long an answer may take to go. This machine takes the largest file in moments.
const PATIENCE_TO_GO: Duration = Duration::from_secs(60);

/// How many requests are answered at once: as many as a browser has of one address, and then some.
const AT_ONCE: usize = 12;

/// What a name's ending means.
const KINDS: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("parquet", "application/vnd.apache.parquet"),
    ("svg", "image/svg+xml"),
    ("xml", "application/xml"),
];

/// Files that are handed out.
#[derive(Debug)]
pub struct Local<'f> {
    files: &'f BTreeMap<String, Vec<u8>>,
    listener: TcpListener,
    at: SocketAddr,
}

/// What is answered.
struct Answer<'f> {
    status: &'static str,
    kind: &'static str,
    extra: String,
    body: &'f [u8],
}

impl<'f> Local<'f> {
    /// Listens at a port of this machine; at any that is free if it is 0.
    ///
    /// # Errors
    /// The port is taken, or not allowed.
    pub fn listen(files: &'f BTreeMap<String, Vec<u8>>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let at = listener.local_addr()?;
        Ok(Self {
            files,
            listener,
            at,
        })
    }

    /// Returns the address of the first page.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://{}/", self.at)
    }

    /// Answers until listening fails, and says why it did.
    #[must_use]
    pub fn answer_all(&self) -> io::Error {
        self.answer_each(|| Ok(self.listener.accept()?.0))
    }

    /// Answers whoever comes, several at once, until nobody can come any more.
    fn answer_each(&self, mut next: impl FnMut() -> io::Result<TcpStream>) -> io::Error {
        let (give, take) = mpsc::sync_channel(0);
        let take = Mutex::new(take);
        std::thread::scope(|scope| {
            // Dropped at the end of this, which ends whoever waits for more.
            let give = give;
            for _ in 0..AT_ONCE {
                scope.spawn(|| self.answer_what_comes(&take));
            }
            loop {
                match next() {
                    Ok(stream) => give.send(stream).expect("somebody takes it"),
                    Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                    Err(error) => return error,
                }
            }
        })
    }

    fn answer_what_comes(&self, streams: &Mutex<mpsc::Receiver<TcpStream>>) {
        let next = || {
            let streams = streams.lock().unwrap_or_else(PoisonError::into_inner);
            streams.recv()
        };
        while let Ok(stream) = next() {
            // Whoever went away without an answer misses none.
            drop(self.answer(&stream));
        }
    }

    /// Answers one request.
    ///
    /// # Errors
    /// Whoever asked went away, or took too long.
    pub fn answer_one(&self) -> io::Result<()> {
        let (stream, _) = self.listener.accept()?;
        self.answer(&stream)
    }

    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        let head = head(&mut Patient::new(stream, PATIENCE, Instant::now))?;
        let Answer {
            status,
            kind,
            extra,
            body,
        } = self.answer_to(&head);
        let said = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Connection: close\r\n{extra}\r\n",
            body.len()
        );
        let mut stream = Patient::new(stream, PATIENCE_TO_GO, Instant::now);
        stream.write_all(said.as_bytes())?;
        if !head.starts_with("HEAD ") {
            stream.write_all(body)?;
        }
        stream.flush()
    }

    fn answer_to(&self, head: &str) -> Answer<'f> {
        let mut lines = head.split("\r\n");
        let request: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let [method, target, "HTTP/1.1" | "HTTP/1.0"] = request[..] else {
            return refused("400 Bad Request", "this is no request\n");
        };
        if !matches!(method, "GET" | "HEAD") {
            let answer = refused(
                "405 Method Not Allowed",
                "files are read here, and no more\n",
            );
            let extra = "Allow: GET, HEAD\r\n".to_owned();
            return Answer { extra, ..answer };
        }
        let fields: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
        let of = |wanted: &'static str| {
            let is_wanted = move |name: &str| name.eq_ignore_ascii_case(wanted);
            let found = fields.iter().filter(move |(name, _)| is_wanted(name));
            found.map(|(_, value)| value.trim())
        };
        if !of("host").next().is_some_and(|host| self.is_ours(host)) {
            return refused(
                "403 Forbidden",
                "this is another address than was asked for\n",
            );
        }
        // Data are scripts, and any page may run a script of any other: a browser says which page asks.
        let is_ours = |from: &str| matches!(from, "same-origin" | "none");
        if !is_page(target) && !of("sec-fetch-site").all(is_ours) {
            return refused("403 Forbidden", "this is for the pages here alone\n");
        }
        self.file(target)
    }

    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        matches!(name, "127.0.0.1" | "localhost") && port.parse() == Ok(self.at.port())
    }

    fn file(&self, target: &str) -> Answer<'f> {
        let missing = || refused("404 Not Found", "there is no such page\n");
        let Some(path) = path_of(target).strip_prefix('/') else {
            return missing();
        };
        let folder = path.is_empty() || path.ends_with('/');
        let name = [path, if folder { "index.html" } else { "" }].concat();
        if let Some((_, body)) = self.files.get_key_value(&name) {
            let ending = name.rsplit('.').next().unwrap_or_default();
            let kind = KINDS.iter().find(|(known, _)| *known == ending);
            return Answer {
                status: "200 OK",
                kind: kind.map_or("application/octet-stream", |(_, kind)| kind),
                extra: String::new(),
                body,
            };
        }
        if !folder && self.files.contains_key(&format!("{path}/index.html")) {
            let answer = refused("308 Permanent Redirect", "it is a folder\n");
            let extra = format!("Location: /{path}/\r\n");
            return Answer { extra, ..answer };
        }
        missing()
    }
}

fn path_of(target: &str) -> &str {
    target.split(['?', '#']).next().unwrap_or_default()
}

/// Returns whether it is asked for something to be shown, which links of others may lead to.
fn is_page(target: &str) -> bool {
    let path = path_of(target);
    path.ends_with('/') || path.ends_with(".html")
}

fn refused(status: &'static str, why: &'static str) -> Answer<'static> {
    Answer {
        status,
        kind: "text/plain; charset=utf-8",
        extra: String::new(),
        body: why.as_bytes(),
    }
}

/// Reads a request up to the empty line.
fn head(stream: &mut impl Read) -> io::Result<String> {
    let mut head = Vec::new();
    let mut limited = stream.take(HEAD_BYTES_MAX);
    let mut some = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = limited.read(&mut some)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        head.extend_from_slice(&some[..count]);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_listening_is_told_though_others_could_go_on() {
        let files = BTreeMap::from([("index.html".to_owned(), b"this is it".to_vec())]);
        let local = Local::listen(&files, 0).unwrap();
        let mut asking = TcpStream::connect(local.at).unwrap();
        asking
            .write_all(format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", local.at).as_bytes())
            .unwrap();
        let mut come = Some(local.listener.accept().unwrap().0);
        let error = local.answer_each(|| come.take().ok_or(io::ErrorKind::OutOfMemory.into()));
        assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
        let mut said = String::new();
        asking.read_to_string(&mut said).unwrap();
        assert!(said.ends_with("this is it"), "{said}");
    }
}
