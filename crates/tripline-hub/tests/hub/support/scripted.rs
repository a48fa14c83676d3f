//! A server that says exactly what it is told, for answers that no honest server gives.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Answers connections one after the other, each with the next of its answers, and keeps what it was asked. It ends when
/// it has said everything.
pub(crate) struct Scripted {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    /// Starts with these answers, each whole: status line, headers and body.
    pub(crate) fn start(answers: &[Vec<u8>]) -> Self {
        Self::start_with(|_| answers.to_vec())
    }

    /// Starts with answers that know the address.
    pub(crate) fn start_with(answers: impl FnOnce(&str) -> Vec<Vec<u8>>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let answers = answers(&format!("http://127.0.0.1:{port}"));
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let keeps = Arc::clone(&heard);
        std::thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let request = request(&mut stream);
                keeps.lock().unwrap().push(request);
                // A client that has read enough may be gone.
                let _ = stream.write_all(&answer);
            }
        });
        Self { port, heard }
    }

    /// Returns its address.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns the requests so far, headers in lower case.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

/// Returns a whole answer.
pub(crate) fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let bytes = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {bytes}\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// Reads a request without a body.
fn request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while !bytes.ends_with(b"\r\n\r\n") {
        let read = stream.read(&mut buffer).unwrap();
        if read == 0 {
            break;
        }
        bytes.extend_from_slice(&buffer[..read]);
    }
    String::from_utf8(bytes).unwrap().to_lowercase()
}
