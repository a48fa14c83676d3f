//! Endpoints on a network in memory, and a clock that goes from one event to the next.
//!
//! What happens in it is the same in every run, down to the number of packets, so that its figures are counts.
//!
//! Tests: `tests/it`.

use std::cell::RefCell;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use crate::driver::{Driver, Socket};
use crate::link::{Carried, Line, Network};
use crate::{Endpoint, Random, SecretKey, Settings, Time, Transmit};

/// How many datagrams a port sends at a time: as many as fit into one call on a real socket.
const SEND_DATAGRAMS: usize = 44;

/// A socket on a network in memory.
#[derive(Debug)]
pub struct Port {
    network: Rc<RefCell<Network>>,
    address: SocketAddr,
    arrived: Vec<(SocketAddr, Vec<u8>)>,
}

impl Socket for Port {
    fn send(&mut self, now: Time, transmit: &Transmit, contents: &[u8]) -> io::Result<()> {
        let mut network = self.network.borrow_mut();
        for datagram in contents.chunks(transmit.segment.max(1)) {
            network.send(now, self.address, transmit.to, datagram);
        }
        Ok(())
    }

    fn receive(
        &mut self,
        _now: Time,
        take: &mut dyn FnMut(SocketAddr, &mut [u8]),
    ) -> io::Result<bool> {
        for (from, mut datagram) in self.arrived.drain(..) {
            take(from, &mut datagram);
        }
        Ok(false)
    }

    fn most(&self) -> usize {
        SEND_DATAGRAMS
    }
}

/// Some endpoints, the lines between them, and their clock.
pub struct World {
    network: Rc<RefCell<Network>>,
    now: Time,
    seed: u64,
    nodes: Vec<Driver<Port>>,
}

impl World {
    /// A world without endpoints. Everything in it follows from the seed.
    pub fn new(seed: u64, line: Line) -> Self {
        Self {
            network: Rc::new(RefCell::new(Network::new(seed, line))),
            now: Time::ZERO,
            seed,
            nodes: Vec::new(),
        }
    }

    /// Adds an endpoint, and returns its number.
    pub fn add(&mut self, settings: Settings) -> usize {
        let number = self.nodes.len();
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_be_bytes());
        seed[8..16].copy_from_slice(&(number as u64).to_be_bytes());
        let mut random = Random::from_seed(seed);
        let endpoint = Endpoint::new(SecretKey::draw(&mut random), random, settings);
        let port = Port {
            network: Rc::clone(&self.network),
            address: Self::address(number as u16),
            arrived: Vec::new(),
        };
        self.nodes.push(Driver::new(endpoint, port));
        number
    }

    /// The address that the endpoint of a number has at first.
    pub fn address(number: u16) -> SocketAddr {
        SocketAddr::from(([10, 0, 0, 1], number))
    }

    /// The endpoint of a number.
    pub fn node(&mut self, number: usize) -> &mut Driver<Port> {
        &mut self.nodes[number]
    }

    /// The connections of the endpoint of a number.
    pub fn endpoint(&mut self, number: usize) -> &mut Endpoint {
        &mut self.nodes[number].endpoint
    }

    /// The moment that it is.
    pub const fn now(&self) -> Time {
        self.now
    }

    /// Moves an endpoint to another address. What is under way to the old one is lost.
    pub fn move_to(&mut self, number: usize, address: SocketAddr) {
        self.nodes[number].socket_mut().address = address;
    }

    /// Changes all lines.
    pub fn set_line(&mut self, line: Line) {
        self.network.borrow_mut().set_line(line);
    }

    /// What the lines carried.
    pub fn carried(&self) -> Carried {
        self.network.borrow().carried()
    }

    /// Hands an endpoint a datagram that nobody sent.
    pub fn inject(&mut self, number: usize, from: SocketAddr, datagram: &[u8]) {
        let mut datagram = datagram.to_vec();
        let now = self.now;
        self.nodes[number]
            .endpoint
            .handle_datagram(now, from, &mut datagram);
    }

    /// Lets everybody say what there is to say now.
    pub fn flush(&mut self) {
        for node in &mut self.nodes {
            node.flush(self.now);
        }
    }

    /// Goes to the moment when something happens next, and lets it happen. Returns whether there was one.
    pub fn step(&mut self) -> bool {
        self.flush();
        let Some(next) = self.next() else {
            return false;
        };
        self.advance(next);
        true
    }

    /// Lets so much time pass, and whatever happens in it.
    pub fn run(&mut self, span: Duration) {
        let until = self.now + span;
        self.flush();
        while let Some(next) = self.next().filter(|next| *next <= until) {
            self.advance(next);
            self.flush();
        }
        self.now = self.now.max(until);
    }

    /// Returns when something happens next, once everybody has said what there is to say.
    pub fn next(&self) -> Option<Time> {
        let timeouts = self.nodes.iter().map(|node| node.endpoint.next_timeout());
        timeouts
            .chain([self.network.borrow().next()])
            .flatten()
            .min()
    }

    fn advance(&mut self, next: Time) {
        self.now = self.now.max(next);
        while let Some((from, to, datagram)) = {
            let mut network = self.network.borrow_mut();
            network.receive(self.now)
        } {
            let node = self
                .nodes
                .iter_mut()
                .find(|node| node.socket().address == to);
            if let Some(node) = node {
                node.socket_mut().arrived.push((from, datagram));
            }
        }
        for node in &mut self.nodes {
            // Nobody calls a socket that has nothing.
            if !node.socket().arrived.is_empty() {
                node.receive(self.now);
            }
            node.endpoint.handle_timeout(self.now);
        }
    }
}
