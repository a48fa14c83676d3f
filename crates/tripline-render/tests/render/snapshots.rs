//! Every output over every canonical report, as files to be reviewed.

use tripline_render::{Color, Detail, RENDERERS, View};

use crate::canonical;

const BRIEF: View = View {
    width: 100,
    color: Color::Plain,
    detail: Detail::Brief,
};

#[test]
fn every_output_over_every_canonical_report() {
    for renderer in RENDERERS {
        for (case, reports) in canonical::all() {
            let text = (renderer.render)(&reports, &BRIEF);
            let name = format!("{}_{case}", renderer.name);
            insta::assert_snapshot!(name, text);
        }
    }
}

#[test]
fn all_the_details() {
    let full = View {
        detail: Detail::Full,
        ..BRIEF
    };
    for renderer in RENDERERS.iter().filter(|renderer| renderer.name != "json") {
        for (case, reports) in canonical::all() {
            if matches!(
                case,
                "mixed" | "broken_head" | "all_unchanged" | "paired" | "paired_quiet"
            ) {
                let text = (renderer.render)(&reports, &full);
                let name = format!("{}_full_{case}", renderer.name);
                insta::assert_snapshot!(name, text);
            }
        }
    }
}

#[test]
fn a_narrow_terminal_with_colours() {
    let view = View {
        width: 72,
        color: Color::Ansi,
        ..BRIEF
    };
    let terminal = tripline_render::renderer("terminal").unwrap();
    for (case, reports) in canonical::all() {
        if matches!(case, "mixed" | "broken_head") {
            let text = (terminal.render)(&reports, &view).replace('\u{1b}', "␛");
            insta::assert_snapshot!(format!("terminal_colours_{case}"), text);
        }
    }
}
