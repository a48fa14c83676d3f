//! `redis-server`, for the record: one client over a Unix socket, on the same machine, by request and by sixteen at once.
//!
//! This is no comparison with a store in the same process, which answers while a request is still on its way; it is what
//! somebody gets who asks a server. With `sync=always` a SET is on the disk before it is answered, as a record of our log
//! is when its append returns. Needs the program `redis-server` on the path.

use std::error::Error;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bench_peers::keys::{VALUE_BYTES, draws, keys, value};
use bench_store::log::Place;
use bench_store::tally::{Tally, list};
use redis::{Client, Connection, Pipeline};
use tempfile::TempDir;

const KEYS: usize = 100_000;

const COUNTED: Duration = Duration::from_secs(1);

/// How long the server may take to listen.
const PATIENCE: Duration = Duration::from_secs(10);

fn main() -> Result<(), Box<dyn Error>> {
    let mut tallies = Vec::new();
    let mut volatile = Server::start("no")?;
    for pipeline in [1, 16] {
        tallies.push(volatile.throughput("set", "no", pipeline)?);
        tallies.push(volatile.throughput("get", "no", pipeline)?);
    }
    drop(volatile);
    tallies.push(Server::start("always")?.throughput("set", "always", 1)?);
    println!("{}", list("peers", &tallies));
    Ok(())
}

/// A server with all keys, which ends when it is dropped.
struct Server {
    process: Child,
    connection: Connection,
    keys: Vec<Box<[u8]>>,
    value: Vec<u8>,
    _folder: TempDir,
}

impl Server {
    fn start(sync: &str) -> Result<Self, Box<dyn Error>> {
        let folder = Place::Disk.folder();
        let socket = folder.path().join("socket");
        let append = if sync == "no" { "no" } else { "yes" };
        let process = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", append])
            .args(["--appendfsync", sync, "--unixsocket"])
            .arg(&socket)
            .arg("--dir")
            .arg(folder.path())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| format!("`redis-server` did not start: {error}; Debian has it in the package of that name"))?;
        let client = Client::open(format!("redis+unix://{}", socket.display()))?;
        let began = Instant::now();
        let connection = loop {
            match client.get_connection() {
                Ok(connection) => break connection,
                Err(error) if began.elapsed() > PATIENCE => return Err(error.into()),
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let (keys, value) = (keys(KEYS), value(VALUE_BYTES));
        let mut server = Self {
            process,
            connection,
            keys,
            value,
            _folder: folder,
        };
        let mut all = redis::pipe();
        for key in &server.keys {
            all.set(&**key, &server.value).ignore();
        }
        all.exec(&mut server.connection)?;
        Ok(server)
    }

    fn throughput(
        &mut self,
        name: &str,
        sync: &str,
        pipeline: usize,
    ) -> Result<Tally, Box<dyn Error>> {
        let mut draw = draws(0, KEYS);
        let mut requests = 0;
        let began = Instant::now();
        while began.elapsed() < COUNTED {
            let mut some = Pipeline::with_capacity(pipeline);
            for _ in 0..pipeline {
                let key = &*self.keys[draw().1];
                match name {
                    "get" => some.get(key),
                    _ => some.set(key, &self.value),
                };
            }
            let answers: Vec<redis::Value> = some.query(&mut self.connection)?;
            self.check(name, &answers)?;
            requests += answers.len();
        }
        let seconds = began.elapsed().as_secs_f64();
        Ok(Tally {
            benchmark: format!(
                "redis/{name}{{bytes={VALUE_BYTES},keys={KEYS},pipeline={pipeline},sync={sync}}}"
            ),
            metric: "item_throughput",
            unit: "1/s",
            value: (requests as f64 / seconds) as u64,
        })
    }

    fn check(&self, name: &str, answers: &[redis::Value]) -> Result<(), Box<dyn Error>> {
        let is_right = |answer: &redis::Value| match (name, answer) {
            ("get", redis::Value::BulkString(bytes)) => *bytes == self.value,
            (_, answer) => *answer == redis::Value::Okay,
        };
        match answers.iter().find(|answer| !is_right(answer)) {
            Some(wrong) => Err(format!("the server answered {wrong:?} to a {name}").into()),
            None => Ok(()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nothing it has is wanted; a server that is gone already is fine.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
