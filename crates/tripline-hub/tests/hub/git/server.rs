//! git over HTTP on the loopback: git's own server behind a few lines that check who asks, as a forge does.
//!
//! Each request is one connection. Whoever asks must bring exactly one `Authorization` header; while a request is
//! answered, every command line of the machine is searched for what must not be there.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

/// What `x-access-token:t-write` and `x-access-token:t-read` look like in a header.
pub(super) const WRITER: &str = "Basic eC1hY2Nlc3MtdG9rZW46dC13cml0ZQ==";
pub(super) const READER: &str = "Basic eC1hY2Nlc3MtdG9rZW46dC1yZWFk";

/// What happened at the server.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The `Authorization` headers of each request.
    pub(super) headers: Vec<Vec<String>>,
    /// Command lines of any process that held a secret.
    pub(super) leaks: Vec<String>,
    /// How many of the next requests are answered with an error of the server.
    pub(super) trouble: usize,
}

/// A server that ends when it is dropped.
pub(super) struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
}

impl Server {
    /// Serves the repositories in a folder.
    pub(super) fn start(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let (folder, shared) = (folder.to_owned(), Arc::clone(&seen));
        thread::spawn(move || {
            for stream in listener.incoming() {
                // The owner is gone, and holds the only other half.
                if Arc::strong_count(&shared) == 1 {
                    return;
                }
                // A client that hangs up early is its own business.
                drop(stream.and_then(|stream| serve(stream, &folder, &shared)));
            }
        });
        Self { address, seen }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    pub(super) fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.seen = Arc::default();
        // Wakes the thread, which then ends.
        drop(TcpStream::connect(self.address));
    }
}

struct Request {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value)
    }
}

fn serve(stream: TcpStream, folder: &Path, seen: &Mutex<Seen>) -> io::Result<()> {
    let mut answer_to = stream.try_clone()?;
    let request = read(stream)?;
    let given = request
        .headers
        .iter()
        .filter(|(key, _)| key == "authorization");
    let given: Vec<String> = given.map(|(_, value)| value.clone()).collect();
    let is_in_trouble = {
        let mut seen = seen.lock().unwrap();
        seen.headers.push(given.clone());
        seen.leaks.extend(leaks());
        let trouble = seen.trouble;
        seen.trouble = trouble.saturating_sub(1);
        trouble > 0
    };
    let refuse = |mut to: TcpStream, status: &str, words: &str| {
        let challenge = "WWW-Authenticate: Basic realm=\"git\"\r\nContent-Type: text/plain\r\nConnection: close";
        write!(to, "HTTP/1.1 {status}\r\n{challenge}\r\n\r\n{words}\n")
    };
    let is_push = request.target.contains("git-receive-pack");
    match given.as_slice() {
        _ if is_in_trouble => refuse(answer_to, "502 Bad Gateway", "no luck"),
        [] => refuse(answer_to, "401 Unauthorized", "who is it?"),
        [_, _, ..] => refuse(
            answer_to,
            "400 Bad Request",
            "Duplicate header: \"Authorization\"",
        ),
        [header] if header == READER && is_push => refuse(
            answer_to,
            "403 Forbidden",
            "Write access to repository not granted.",
        ),
        [header] if header == READER || header == WRITER => {
            answer_to.write_all(&git(&request, folder)?)
        }
        [_] => refuse(
            answer_to,
            "401 Unauthorized",
            "Invalid username or password.",
        ),
    }
}

fn read(stream: TcpStream) -> io::Result<Request> {
    let mut answer_to = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut words = first.split(' ').map(str::to_owned);
    let mut request = Request {
        method: words.next().unwrap_or_default(),
        target: words.next().unwrap_or_default(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((key, value)) = line.trim_end().split_once(':') else {
            break;
        };
        request
            .headers
            .push((key.to_lowercase(), value.trim().to_owned()));
    }
    if request.header("expect") == "100-continue" {
        answer_to.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    if request.header("transfer-encoding") == "chunked" {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size)?;
            let size = usize::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk)?;
            request.body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                break;
            }
        }
    } else {
        let length = request.header("content-length").parse().unwrap_or(0);
        request.body.resize(length, 0);
        reader.read_exact(&mut request.body)?;
    }
    Ok(request)
}

/// Has git answer, and puts its answer into the form of HTTP.
fn git(request: &Request, folder: &Path) -> io::Result<Vec<u8>> {
    let (path, query) = request
        .target
        .split_once('?')
        .unwrap_or((&request.target, ""));
    let input: PathBuf = folder.join(format!("request-{}", fastrand::u64(..)));
    fs::write(&input, &request.body)?;
    let output = Command::new("git")
        .arg("http-backend")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_PROJECT_ROOT", folder)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_PROTOCOL", request.header("git-protocol"))
        .env("REMOTE_USER", "somebody")
        .env("REQUEST_METHOD", &request.method)
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("CONTENT_TYPE", request.header("content-type"))
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.header("content-encoding"))
        .stdin(fs::File::open(&input)?)
        .stderr(Stdio::inherit())
        .output()?;
    fs::remove_file(input)?;
    let mut answer = output.stdout;
    // CGI names the status in a header, where it is not 200.
    let status = match answer.strip_prefix(b"Status: ") {
        Some(rest) => {
            String::from_utf8_lossy(rest.split(|b| *b == b'\r').next().unwrap_or_default())
                .into_owned()
        }
        None => "200 OK".to_owned(),
    };
    let mut whole = format!("HTTP/1.1 {status}\r\nConnection: close\r\n").into_bytes();
    whole.append(&mut answer);
    Ok(whole)
}

/// Returns the command lines, of all processes there are, that hold a token or its header.
fn leaks() -> Vec<String> {
    let encoded = WRITER.trim_start_matches("Basic ");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines
        .filter(|line| line.contains("t-write") || line.contains(encoded))
        .collect()
}
