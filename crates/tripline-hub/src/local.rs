//! Hands files out to whoever sits at this machine, for a look at pages before they are anywhere.
//!
//! Only this machine is listened to, and only reading is answered. What is handed out is held in memory and found by its
//! whole name, so that no address leads to anything else. A page of somebody else's that has its own name point here is
//! refused by the name that its browser asks for. Tested by `tests/hub/local`.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

/// The longest head of a request. A browser's has about one kilobyte.
const HEAD_BYTES_MAX: u64 = 16 * 1024;

/// How long a request may take to come. Browsers open connections before they need them.
const PATIENCE: Duration = Duration::from_secs(10);

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
    port: u16,
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
        let port = listener.local_addr()?.port();
        Ok(Self {
            files,
            listener,
            port,
        })
    }

    /// Returns the address of the first page.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until listening fails, and says why it did.
    #[must_use]
    pub fn answer_all(&self) -> io::Error {
        std::thread::scope(|scope| {
            for _ in 1..AT_ONCE {
                scope.spawn(|| self.until_it_fails());
            }
            self.until_it_fails()
        })
    }

    fn until_it_fails(&self) -> io::Error {
        loop {
            match self.listener.accept() {
                // Whoever went away without an answer misses none.
                Ok((stream, _)) => drop(self.answer(stream)),
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return error,
            }
        }
    }

    /// Answers one request.
    ///
    /// # Errors
    /// Whoever asked went away, or took too long.
    pub fn answer_one(&self) -> io::Result<()> {
        let (stream, _) = self.listener.accept()?;
        self.answer(stream)
    }

    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let head = head(&mut stream)?;
        let Answer {
            status,
            kind,
            extra,
            body,
        } = self.answer_to(&head);
        let said = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nConnection: close\r\n{extra}\r\n",
            body.len()
        );
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
        let mut hosts = lines.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("host").then_some(value.trim())
        });
        if !hosts.next().is_some_and(|host| self.is_ours(host)) {
            return refused(
                "403 Forbidden",
                "this is another address than was asked for\n",
            );
        }
        self.file(target)
    }

    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        matches!(name, "127.0.0.1" | "localhost") && port.parse() == Ok(self.port)
    }

    fn file(&self, target: &str) -> Answer<'f> {
        let missing = || refused("404 Not Found", "there is no such page\n");
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let Some(path) = path.strip_prefix('/') else {
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

fn refused(status: &'static str, why: &'static str) -> Answer<'static> {
    Answer {
        status,
        kind: "text/plain; charset=utf-8",
        extra: String::new(),
        body: why.as_bytes(),
    }
}

/// Reads a request up to the empty line.
fn head(stream: &mut TcpStream) -> io::Result<String> {
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
