//! What a report says to the job that made it: summary, annotations, outputs. None of it needs a token.

use tripline_hub::Effect;
use tripline_hub::runner::commands::{self, Level};
use tripline_model::Report;
use tripline_render::{Annotation, Color, Detail, Severity, View};

use super::NOT_DONE;
use crate::actions::{Job, link, say_planned};
use crate::cli::Publish;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::{suite, talk};

/// Nothing is wrapped: what is written is no terminal.
const WIDTH: usize = 120;

pub(super) fn tell(job: &Job, args: &Publish) -> Outcome<Exit> {
    let Some(report) = &args.report else {
        return Err(CommandError::new(Exit::Usage, NOT_DONE)
            .because("no report was named")
            .hint("name the file that `tripline judge` wrote"));
    };
    let reports = super::super::reports(report, NOT_DONE)?;
    let mut view = view(job, args)?;
    view.places = suite::places(None, &reports);
    let effects = effects(job, &reports, &view);
    if args.dry_run {
        say_planned(&effects)?;
    } else {
        job.carry_out(&effects, None)?;
    }
    // The job's last step closes the gate; this one only tells.
    Ok(Exit::Pass)
}

/// Returns what is to be said to the job. A runner that takes no summary or no outputs is not given any.
fn effects(job: &Job, reports: &[Report], view: &View) -> Vec<Effect> {
    let verdict = tripline_render::check(reports, view).title;
    let exit = super::super::verdict(reports).code().to_string();
    let outputs = [("verdict", verdict), ("exit-code", exit)];
    let outputs = outputs.map(|(name, value)| (name.to_owned(), value));
    let mut effects = vec![Effect::Annotate(annotations(reports, view))];
    if job.context.summary_file.is_some() {
        effects.push(Effect::Summary(summary_of(reports, view)));
    }
    if job.context.output_file.is_some() {
        effects.push(Effect::Outputs(outputs.into()));
    }
    effects
}

/// Returns the view of whoever reads on GitHub.
pub(super) fn view(job: &Job, args: &Publish) -> Outcome<View> {
    let mut view = View::new(WIDTH, Color::Plain, Detail::Brief);
    view.links.run = link(&job.context.run_page());
    if let Some(trend) = &args.trend {
        view.links.trend = Some(tripline_render::Link::new(trend).map_err(|error| {
            let what = format!("{NOT_DONE}: `{}` is no address", talk::shown(trend));
            CommandError::new(Exit::Usage, what).because(error)
        })?);
    }
    Ok(view)
}

fn summary_of(reports: &[Report], view: &View) -> String {
    let renderer = tripline_render::renderer("summary").expect("the list has it");
    (renderer.render)(reports, view)
}

/// Returns what stands beside the code, or above all of it.
pub(super) fn annotations(reports: &[Report], view: &View) -> Vec<commands::Annotation> {
    let all = tripline_render::annotations(reports, view);
    all.into_iter().map(command).collect()
}

fn command(annotation: Annotation) -> commands::Annotation {
    let (file, line) = match annotation.place {
        Some(place) => (Some(place.path), std::num::NonZeroU32::new(place.line)),
        None => (None, None),
    };
    commands::Annotation {
        level: match annotation.severity {
            Severity::Failure => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Notice => Level::Notice,
        },
        file,
        line,
        title: Some(annotation.title),
        message: annotation.message,
    }
}
