//! Every output over every canonical report, as files to be reviewed.

use std::cmp::Reverse;

use tripline_render::{Before, Color, Detail, Link, Links, RENDERERS, View, annotations, renderer};

use crate::canonical;

const BRIEF: View = View::new(100, Color::Plain, Detail::Brief);

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
fn all_the_details_on_a_terminal() {
    let full = View::new(100, Color::Plain, Detail::Full);
    let terminal = renderer("terminal").unwrap();
    for (case, reports) in canonical::all() {
        if matches!(
            case,
            "mixed" | "broken_head" | "all_unchanged" | "paired" | "paired_quiet"
        ) {
            let text = (terminal.render)(&reports, &full);
            insta::assert_snapshot!(format!("terminal_full_{case}"), text);
        }
    }
}

#[test]
fn a_comment_with_links_that_turns_green() {
    let link = |part| Link::new(&format!("https://acme.example/{part}")).ok();
    let links = Links {
        run: link("runs/42"),
        trend: link("trend"),
        head: link("commit/2222222222"),
        base: link("commit/1111111111"),
    };
    let view = View {
        links,
        before: Before::Red,
        ..BRIEF
    };
    let comment = renderer("comment").unwrap();
    let (_, reports) = canonical::all()
        .into_iter()
        .find(|(case, _)| *case == "all_unchanged")
        .unwrap();
    insta::assert_snapshot!("comment_turned_green", (comment.render)(&reports, &view));
}

#[test]
fn notes_on_every_canonical_report() {
    for (case, reports) in canonical::all() {
        let notes = annotations(&reports, &BRIEF);
        assert!(
            notes.is_sorted_by_key(|note| Reverse(note.severity)),
            "{case}"
        );
        let lines: Vec<String> = notes
            .iter()
            .map(|note| format!("{:?}: {}\n{}\n", note.severity, note.title, note.message))
            .collect();
        insta::assert_snapshot!(format!("notes_{case}"), lines.join("\n"));
    }
}

#[test]
fn a_narrow_terminal_with_colours() {
    let view = View::new(72, Color::Ansi, Detail::Brief);
    let terminal = renderer("terminal").unwrap();
    for (case, reports) in canonical::all() {
        if matches!(case, "mixed" | "broken_head") {
            let text = (terminal.render)(&reports, &view).replace('\u{1b}', "␛");
            insta::assert_snapshot!(format!("terminal_colours_{case}"), text);
        }
    }
}
