//! The executor of tests: it polls until there is an answer, and notes how it is used.

use std::{
    cell::Cell,
    future::{Future, poll_fn},
    pin::pin,
    task::{Context, Poll, Waker},
};

use super::plain::async_executor::AsyncExecutor;

#[derive(Default)]
pub(super) struct Executor {
    pub(super) entered: Cell<u64>,
    pub(super) is_inside: Cell<bool>,
}

impl AsyncExecutor for &Executor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.entered.set(self.entered.get() + 1);
        let mut future = pin!(future);
        loop {
            self.is_inside.set(true);
            let polled = future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            self.is_inside.set(false);
            if let Poll::Ready(output) = polled {
                return output;
            }
        }
    }
}

/// Waits for the second time that it is polled.
pub(super) fn not_at_once() -> impl Future<Output = ()> {
    let mut is_second = false;
    poll_fn(move |_| {
        if is_second {
            return Poll::Ready(());
        }
        is_second = true;
        Poll::Pending
    })
}
