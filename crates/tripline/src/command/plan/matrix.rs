//! `tripline plan --shards`: spreads the steps of suites over machines, as the matrix of a workflow.
//!
//! What is spread are steps, or groups of them that must be measured on one machine; what only answers goes along with
//! each. How long they take is looked up in the note of this machine, or else in what is kept beside the baselines.
//!
//! Tested by `tests/it/plan`; the spreading itself in `shards`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use tripline_model::few;

use crate::cli::PlanFormat;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::kept_durations;
use crate::measure::Durations;
use crate::project::Project;
use crate::shards::spread;
use crate::suite::{Step, Suite};
use crate::talk;

/// How long a step is taken to be where nothing is known of any.
const UNKNOWN: Duration = Duration::from_secs(60);

/// The matrix, as a workflow takes it.
#[derive(Serialize)]
struct Matrix {
    include: Vec<Shard>,
}

#[derive(Serialize)]
struct Shard {
    shard: usize,
    of: usize,
    /// What `--step` takes.
    steps: String,
    /// About how long it takes, where that is known of any step.
    #[serde(skip_serializing_if = "Option::is_none")]
    minutes: Option<u64>,
}

/// Some steps of a suite that are measured on one machine.
struct Piece<'a> {
    suite: &'a Suite,
    steps: Vec<&'a Step>,
}

/// Returns the shards, as they are shown.
pub(super) fn shown(
    project: &Project,
    suites: &[Suite],
    shards: usize,
    format: PlanFormat,
) -> Outcome<String> {
    let pieces = pieces(suites)?;
    let known = Known::load(project, &pieces)?;
    known.say_what_is_not(&pieces);
    let durations: Vec<u64> = pieces
        .iter()
        .map(|piece| known.milliseconds(piece, &pieces))
        .collect();
    let spread = spread(&durations, shards);
    let of = spread.len();
    let include = spread.iter().enumerate().map(|(at, work)| {
        let work: Vec<&Piece<'_>> = work.iter().map(|at| &pieces[*at]).collect();
        Shard {
            shard: at + 1,
            of,
            steps: work
                .iter()
                .flat_map(|piece| piece.paths())
                .collect::<Vec<_>>()
                .join(","),
            minutes: known.minutes(&work, &pieces),
        }
    });
    let include: Vec<Shard> = include.collect();
    Ok(match format {
        PlanFormat::Terminal => include.iter().map(line).collect(),
        PlanFormat::Json => {
            let matrix = Matrix { include };
            serde_json::to_string(&matrix).expect("texts and numbers can be written") + "\n"
        }
    })
}

fn line(shard: &Shard) -> String {
    let minutes = shard
        .minutes
        .map_or(String::new(), |minutes| format!(" (about {minutes} min)"));
    let Shard {
        shard, of, steps, ..
    } = shard;
    talk::shown(&format!("shard {shard} of {of}: {steps}{minutes}\n"))
}

fn pieces(suites: &[Suite]) -> Outcome<Vec<Piece<'_>>> {
    let mut pieces = Vec::new();
    for suite in suites {
        let groups = suite.groups();
        if groups.is_empty() {
            let what = format!(
                "nothing was planned: suite `{}` measures nothing",
                suite.name
            );
            return Err(CommandError::new(Exit::BadInput, what)
                .hint("all its steps only answer: give it a step that measures"));
        }
        pieces.extend(groups.into_iter().map(|steps| Piece { suite, steps }));
    }
    Ok(pieces)
}

impl Piece<'_> {
    fn paths(&self) -> impl Iterator<Item = String> {
        self.steps.iter().map(|step| path(self.suite, step))
    }
}

fn path(suite: &Suite, step: &Step) -> String {
    format!("{}/{}", suite.name, step.name)
}

/// How long steps take, by their paths, as far as that is known.
struct Known {
    took: BTreeMap<String, Duration>,
}

impl Known {
    /// Looks up all steps of the suites. A session measures base and head, which takes longer; where that is not known of
    /// all that is spread, what each takes by itself is compared.
    fn load(project: &Project, pieces: &[Piece<'_>]) -> Outcome<Self> {
        let noted = Durations::load(&project.output(), Vec::new());
        let kept = kept_durations::load(project)?;
        let look_up = |name: &str| {
            let kept = || kept.get(name).copied().map(Duration::from_secs);
            noted.before(name).or_else(kept)
        };
        let both = |path: &str, step: &Step| {
            if step.goes_by_rounds() {
                return look_up(&format!("{path} (base, head)"));
            }
            Some(look_up(&format!("{path} (base)"))? + look_up(&format!("{path} (head)"))?)
        };
        let of_piece = |piece: &Piece<'_>| {
            let mut steps = piece.steps.iter();
            steps.all(|step| both(&path(piece.suite, step), step).is_some())
        };
        let in_session = pieces.iter().all(of_piece);
        let mut took = BTreeMap::new();
        for piece in pieces {
            for step in &piece.suite.steps {
                let path = path(piece.suite, step);
                let alone = look_up(&path).filter(|_| !in_session);
                if let Some(known) = alone.or_else(|| both(&path, step)) {
                    took.insert(path, known);
                }
            }
        }
        Ok(Self { took })
    }

    /// Returns how long a piece of work takes. A step of which that is not known takes as long as others of its kind.
    fn milliseconds(&self, piece: &Piece<'_>, pieces: &[Piece<'_>]) -> u64 {
        let steps = piece.steps.iter();
        let took = steps.map(|step| {
            let known = self.took.get(&path(piece.suite, step)).copied();
            known.unwrap_or_else(|| self.of_kind(step, pieces))
        });
        u64::try_from(took.sum::<Duration>().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns how long steps take that are timed, or that are not, as the one in question; or any.
    fn of_kind(&self, step: &Step, pieces: &[Piece<'_>]) -> Duration {
        let middle = |is_meant: &dyn Fn(&Step) -> bool| {
            let steps = pieces.iter().flat_map(|piece| {
                let steps = piece.steps.iter().filter(|step| is_meant(step));
                steps.filter_map(|step| self.took.get(&path(piece.suite, step)))
            });
            let known: Vec<Duration> = steps.copied().collect();
            let count = u32::try_from(known.len()).ok().filter(|count| *count > 0)?;
            Some(known.iter().sum::<Duration>() / count)
        };
        middle(&|other| other.goes_by_rounds() == step.goes_by_rounds())
            .or_else(|| middle(&|_| true))
            .unwrap_or(UNKNOWN)
    }

    /// Returns about how long a machine takes for its work, and for what only answers beside it.
    fn minutes(&self, work: &[&Piece<'_>], pieces: &[Piece<'_>]) -> Option<u64> {
        if self.took.is_empty() {
            return None;
        }
        let measuring: u64 = work
            .iter()
            .map(|piece| self.milliseconds(piece, pieces))
            .sum();
        let answering = work.iter().flat_map(|piece| {
            let steps = piece
                .suite
                .steps
                .iter()
                .filter(|step| step.harness.answers());
            steps.map(|step| path(piece.suite, step))
        });
        // They run once, however many pieces they go along with.
        let answering = few::set_of(answering);
        let answering: Duration = answering
            .iter()
            .filter_map(|path| self.took.get(path))
            .sum();
        let all = Duration::from_millis(measuring) + answering;
        Some(all.as_secs().div_ceil(60).max(1))
    }

    fn say_what_is_not(&self, pieces: &[Piece<'_>]) {
        let all: Vec<String> = pieces.iter().flat_map(Piece::paths).collect();
        let missing = all.iter().filter(|path| !self.took.contains_key(*path));
        let missing: Vec<&str> = missing.map(String::as_str).collect();
        if missing.is_empty() {
            return;
        }
        let what = if missing.len() == all.len() {
            "how long steps take is not known, so all are taken to be equally long".to_owned()
        } else {
            let missing = missing.join(", ");
            format!(
                "how long these take is not known, so they are taken to be as long as others: {missing}"
            )
        };
        talk::say(&format!("note: {what}"));
        talk::say(
            "  hint: `tripline measure` and `tripline baseline update` keep it in baselines/durations.tsv",
        );
    }
}
