//! The job of GitHub Actions that the program runs in, if it does: what happened, what lets us write, and the one place
//! where what was planned is written.

use std::path::Path;
use std::sync::Arc;

use tripline_hub::git::{Git, Place, Tries};
use tripline_hub::runner::commands::{self, Annotation};
use tripline_hub::{
    Client, Context, Done, Effect, EffectError, EventError, Hands, HubError, Patience, Settings,
    SystemClock, Token, payload_path,
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
            git: Git::on_path(),
        })
    }

    /// Reads what the runner says, if there is a runner.
    pub(crate) fn if_any(not_done: &str) -> Outcome<Option<Self>> {
        match variable("GITHUB_ACTIONS") {
            Some(_) => Self::here(not_done).map(Some),
            None => Ok(None),
        }
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
            clock: Arc::new(SystemClock),
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
        let place = repository.map(|repository| self.remote(repository));
        carry_out(effects, self.hands(client.as_ref(), place.as_ref()))
    }

    /// Pushes what was planned to where others push too, or says that one of them was faster: it has to be planned anew.
    pub(crate) fn push_unless_overtaken(
        &self,
        effect: &Effect,
        repository: &Path,
    ) -> Outcome<Result<(), CommandError>> {
        let place = self.remote(repository);
        match effect.carry_out(self.hands(None, Some(&place))) {
            Ok(done) => say_done(&done).map(Ok),
            Err(error) if error.is_overtaken() => Ok(Err(failed(effect, &error, 0))),
            Err(error) => Err(failed(effect, &error, 0)),
        }
    }

    fn remote<'a>(&'a self, repository: &'a Path) -> Place<'a> {
        remote_of(
            repository,
            &self.git,
            self.token.as_ref(),
            self.context.run.id,
        )
    }

    fn hands<'a>(&'a self, client: Option<&'a Client>, place: Option<&'a Place<'a>>) -> Hands<'a> {
        Hands {
            client,
            server: Some(&self.context.server),
            place,
            summary_file: self.context.summary_file.as_deref(),
            output_file: self.context.output_file.as_deref(),
        }
    }
}

/// Pushes what was planned as whoever runs the program: by the settings of their own git, to the remote of a repository.
pub(crate) fn push_by_hand(effects: &[Effect], repository: &Path) -> Outcome<()> {
    let git = Git::on_path();
    let place = remote_of(repository, &git, None, 0);
    let hands = Hands {
        client: None,
        server: None,
        place: Some(&place),
        summary_file: None,
        output_file: None,
    };
    carry_out(effects, hands).map(drop)
}

/// Returns where branches are pushed: to the remote of a repository.
fn remote_of<'a>(
    repository: &'a Path,
    git: &'a Git,
    token: Option<&'a Token>,
    run: u64,
) -> Place<'a> {
    Place {
        git,
        repository,
        remote: "origin",
        token,
        // Jobs of one run that push at once must not draw the same pauses.
        tries: Tries::of_a_job(run ^ u64::from(std::process::id())),
        clock: &SystemClock,
    }
}

fn carry_out(effects: &[Effect], hands: Hands<'_>) -> Outcome<Vec<Done>> {
    let mut done = Vec::with_capacity(effects.len());
    for effect in effects {
        let what = effect
            .carry_out(hands)
            .map_err(|error| failed(effect, &error, done.len()))?;
        say_done(&what)?;
        done.push(what);
    }
    Ok(done)
}

fn say_done(done: &Done) -> Outcome<()> {
    match done {
        Done::Print(text) => talk::data(text),
        what => {
            talk::say(&talk::shown(&what.to_string()));
            Ok(())
        }
    }
}

/// Shows something on the page of the run, where there is one.
pub(crate) fn annotate(annotations: &[Annotation]) -> Outcome<()> {
    match variable("GITHUB_ACTIONS") {
        Some(_) => talk::data(&commands::annotations(annotations)),
        None => Ok(()),
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
