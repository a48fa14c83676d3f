//! The job of GitHub Actions that the program runs in, if it does: what happened, what lets us write, and the one place
//! where what was planned is written.

use std::path::Path;
use std::sync::Arc;

use tripline_hub::git::{Git, Place, Tries};
use tripline_hub::{
    Client, Clock, Context, Done, Effect, EffectError, EventError, Hands, HubError, Patience,
    Settings, SystemClock, Token, payload_path,
};
use tripline_render::Link;

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::{files, talk};

/// The job that the program runs in.
pub(crate) struct Job {
    /// Where we are and what happened.
    pub(crate) context: Context,
    token: Option<Token>,
    clock: Arc<dyn Clock>,
    git: Git,
}

impl Job {
    /// Reads what the runner says; without a runner, something does not happen.
    pub(crate) fn here(not_done: &str) -> Outcome<Self> {
        let outside = |error: EventError| {
            CommandError::new(Exit::Usage, not_done)
                .because(error)
                .hint("this verb tells GitHub, from a job of GitHub Actions")
        };
        let payload = files::read(&payload_path(variable).map_err(outside)?)?;
        let context = Context::read(variable, &payload)
            .map_err(|error| CommandError::new(Exit::BadInput, not_done).because(error))?;
        let token = variable("GITHUB_TOKEN").map(|token| Token::new(&token));
        let token = token.transpose();
        Ok(Self {
            context,
            token: token
                .map_err(|error| CommandError::new(Exit::Usage, not_done).because(error))?,
            clock: Arc::new(SystemClock),
            git: Git::on_path(),
        })
    }

    /// Returns who asks GitHub. Without a token nobody does.
    pub(crate) fn client(&self, not_done: &str) -> Outcome<Client> {
        self.client_if_any().ok_or_else(|| {
            CommandError::new(Exit::Usage, not_done)
                .because("there is no token in `GITHUB_TOKEN`")
                .hint("give the step `GITHUB_TOKEN: ${{ github.token }}`")
        })
    }

    fn client_if_any(&self) -> Option<Client> {
        Some(Client::new(Settings {
            api: self.context.api.clone(),
            repository: self.context.repository.clone(),
            token: self.token.clone()?,
            patience: Patience::default(),
            clock: Arc::clone(&self.clock),
            jitter_seed: self.context.run.id,
        }))
    }

    /// Writes what was planned, in order, and says what came of each.
    pub(crate) fn carry_out(
        &self,
        effects: &[Effect],
        repository: Option<&Path>,
    ) -> Outcome<Vec<Done>> {
        let client = self.client_if_any();
        let place = repository.map(|repository| self.place(repository));
        let hands = Hands {
            client: client.as_ref(),
            server: Some(&self.context.server),
            place: place.as_ref(),
            summary_file: self.context.summary_file.as_deref(),
            output_file: self.context.output_file.as_deref(),
        };
        let mut done = Vec::with_capacity(effects.len());
        for effect in effects {
            let what = effect
                .carry_out(hands)
                .map_err(|error| failed(effect, &error, done.len()))?;
            match &what {
                Done::Print(text) => talk::data(text)?,
                what => talk::say(&talk::shown(&what.to_string())),
            }
            done.push(what);
        }
        Ok(done)
    }

    /// Returns where branches are pushed: to the remote of a repository.
    fn place<'a>(&'a self, repository: &'a Path) -> Place<'a> {
        Place {
            git: &self.git,
            repository,
            remote: "origin",
            token: self.token.as_ref(),
            // Jobs of one run that push at once must not draw the same pauses.
            tries: Tries::of_a_job(self.context.run.id ^ u64::from(std::process::id())),
            clock: &*self.clock,
        }
    }
}

/// Says what would be written.
pub(crate) fn say_planned(effects: &[Effect]) -> Outcome<()> {
    let lines = effects
        .iter()
        .map(|effect| format!("would {}\n", effect.describe()));
    talk::data(&talk::shown(&lines.collect::<String>()))
}

/// Says that an effect was not carried out, and how many before it were.
fn failed(effect: &Effect, error: &EffectError, before: usize) -> CommandError {
    let what = format!("it was not done to {}", effect.describe());
    let mut failed = CommandError::new(Exit::HubFailed, what).because(chain(error));
    if before > 0 {
        failed = failed.hint(format!(
            "what came before it was done: {}",
            talk::counted(before, "effect")
        ));
    }
    match error.hint() {
        Some(hint) => failed.hint(hint),
        None => failed,
    }
}

/// Says that the hub did not answer.
pub(crate) fn hub_failed(error: HubError) -> CommandError {
    let hint = error.hint().map(str::to_owned);
    let failed = CommandError::new(Exit::HubFailed, error.to_string());
    let failed = match std::error::Error::source(&error) {
        Some(source) => failed.because(source.to_string()),
        None => failed,
    };
    match hint {
        Some(hint) => failed.hint(hint),
        None => failed,
    }
}

/// Returns an error with its reasons, a line each.
fn chain(error: &dyn std::error::Error) -> String {
    let mut lines = vec![error.to_string()];
    let mut source = error.source();
    while let Some(error) = source {
        lines.push(error.to_string());
        source = error.source();
    }
    lines.dedup();
    lines.join("\n  caused by: ")
}

/// Returns an address of ours as a link.
pub(crate) fn link(address: &str) -> Option<Link> {
    Link::new(address).ok()
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
