//! Draws a profile as a flame graph: a picture that explains itself, with no script and nothing from elsewhere.
//!
//! The whole stands at the top, and below each function what it called, as wide as what it cost. Beside a base, the colour
//! says what changed: red costs more than it did, blue less. What it is and what it cost stands in the title of each
//! function, which is shown where the pointer is.
//!
//! Tested below, and with real profiles by the binary's tests of `explain`.

use std::fmt::Write as _;

use tripline_model::few;
use tripline_model::{Frame, Profile};

use crate::escape::{visible, xml};

const WIDTH: f64 = 1200.0;
const ROW: f64 = 18.0;
const MARGIN: f64 = 10.0;

/// What stands above the rows.
const HEAD: f64 = 44.0;

/// How wide a letter is.
const LETTER: f64 = 7.3;

/// What is narrower than this is not drawn.
const WIDTH_MIN: f64 = 0.6;

/// How many of the functions that only the base has are named.
const GONE_MAX: usize = 12;

/// The share of the base from which on a change has the strongest colour, and how many colours there are to each side.
const SHARE_FULL: f64 = 0.05;
const STRENGTHS: u32 = 5;

/// How many colours there are where nothing is compared.
const COLOURS: u32 = 6;

const STYLE: &str = "\
:root{color-scheme:light dark}\
svg{background:#fff}text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1b1b1b}\
.title{font-weight:600}rect{stroke:#fff;stroke-width:.5}\
.f0{fill:#f2b880}.f1{fill:#f4c48c}.f2{fill:#eeb07a}.f3{fill:#f6cfa0}.f4{fill:#eaa672}.f5{fill:#f3bf95}\
.same{fill:#dcdcdc}\
.m1{fill:#fbd9d3}.m2{fill:#f7bdb3}.m3{fill:#f29d90}.m4{fill:#ec7f70}.m5{fill:#e56453}\
.l1{fill:#d6e4f7}.l2{fill:#b9d2f1}.l3{fill:#9abfea}.l4{fill:#7cabe3}.l5{fill:#5f98dc}\
@media (prefers-color-scheme:dark){svg{background:#161616}rect{stroke:#161616}.out{fill:#e8e8e8}}";

/// Draws a profile, beside that of a base where there is one.
#[must_use]
pub fn flame(head: &Profile, base: Option<&Profile>) -> String {
    let picture = Picture {
        head,
        base,
        per_cost: (WIDTH - 2.0 * MARGIN) / head.root.cost.max(1) as f64,
    };
    let mut rows = String::new();
    picture.draw(
        &head.root,
        base.map(|base| &base.root),
        MARGIN,
        0,
        &mut rows,
    );
    let depth = picture.depth(&head.root);
    let gone = picture.gone();
    let below = HEAD + depth as f64 * ROW + MARGIN;
    let height = below
        + ROW
            * if gone.is_empty() {
                0.0
            } else {
                gone.len() as f64 + 1.5
            };
    let title = xml(&visible(&picture.title()));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<text class=\"out title\" x=\"{MARGIN}\" y=\"26\">{title}</text>\n{rows}"
    );
    for (line, text) in gone.iter().enumerate() {
        let y = below + ROW * (line as f64 + 1.5);
        let _ = writeln!(
            svg,
            "<text class=\"out\" x=\"{MARGIN}\" y=\"{y:.0}\">{}</text>",
            xml(&visible(text))
        );
    }
    svg.push_str("</svg>\n");
    svg
}

struct Picture<'a> {
    head: &'a Profile,
    base: Option<&'a Profile>,
    per_cost: f64,
}

impl Picture<'_> {
    fn title(&self) -> String {
        let unit = &self.head.unit;
        let all = counted(self.head.root.cost);
        match self.base {
            None => format!("{all} {unit}"),
            Some(base) => {
                let (was, change) = (
                    counted(base.root.cost),
                    change(base.root.cost, self.head.root.cost),
                );
                format!(
                    "{all} {unit}, {was} in the base ({change}); red costs more than in the base, blue less"
                )
            }
        }
    }

    fn is_seen(&self, frame: &Frame) -> bool {
        frame.cost as f64 * self.per_cost >= WIDTH_MIN
    }

    /// Returns how many rows are drawn.
    fn depth(&self, frame: &Frame) -> usize {
        let calls = frame.calls.iter().filter(|call| self.is_seen(call));
        1 + calls.map(|call| self.depth(call)).max().unwrap_or(0)
    }

    fn draw(&self, frame: &Frame, base: Option<&Frame>, x: f64, row: usize, out: &mut String) {
        let width = frame.cost as f64 * self.per_cost;
        let y = HEAD + row as f64 * ROW;
        let title = xml(&visible(&self.told(frame, base)));
        let class = self.class(frame, base);
        let _ = write!(
            out,
            "<g><title>{title}</title><rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.0}\" width=\"{width:.1}\" height=\"{ROW}\"/>"
        );
        let name = visible(&frame.name);
        let room = ((width - 6.0) / LETTER).max(0.0) as usize;
        if room >= 3 {
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.0}\">{}</text>",
                x + 3.0,
                y + 13.0,
                xml(&cut(&name, room))
            );
        }
        out.push_str("</g>\n");
        let mut x = x;
        // The order is the names', so that the same function stands at the same place in the next picture.
        let mut calls: Vec<&Frame> = frame
            .calls
            .iter()
            .filter(|call| self.is_seen(call))
            .collect();
        few::sort_by(&mut calls, |a, b| a.name.cmp(&b.name));
        for call in calls {
            self.draw(
                call,
                base.and_then(|base| base.called(&call.name)),
                x,
                row + 1,
                out,
            );
            x += call.cost as f64 * self.per_cost;
        }
    }

    fn told(&self, frame: &Frame, base: Option<&Frame>) -> String {
        let (name, cost, unit) = (&frame.name, counted(frame.cost), &self.head.unit);
        let share = 100.0 * frame.cost as f64 / self.head.root.cost.max(1) as f64;
        let told = format!("{name}: {cost} {unit}, {share:.1} %");
        match (self.base, base) {
            (None, _) => told,
            (Some(_), None) => format!("{told}; not in the base"),
            (Some(_), Some(base)) => {
                format!(
                    "{told}; {} in the base ({})",
                    counted(base.cost),
                    change(base.cost, frame.cost)
                )
            }
        }
    }

    fn class(&self, frame: &Frame, base: Option<&Frame>) -> String {
        let Some(all) = self.base else {
            let sum = frame.name.bytes().fold(7_u32, |sum, byte| {
                sum.wrapping_mul(31).wrapping_add(byte.into())
            });
            return format!("f{}", sum % COLOURS);
        };
        let was = base.map_or(0, |base| base.cost) as f64;
        let share = (frame.cost as f64 - was) / all.root.cost.max(1) as f64;
        let strength = (share.abs() / SHARE_FULL * f64::from(STRENGTHS))
            .ceil()
            .min(STRENGTHS.into());
        // Less than can be seen of the picture's width is no change.
        if share.abs() * WIDTH < WIDTH_MIN {
            return "same".to_owned();
        }
        format!("{}{strength}", if share > 0.0 { 'm' } else { 'l' })
    }

    /// Names what only the base has, the dearest first.
    fn gone(&self) -> Vec<String> {
        let Some(base) = self.base else {
            return Vec::new();
        };
        let mut gone = Vec::new();
        only_in_base(&base.root, Some(&self.head.root), &mut gone);
        gone.retain(|(cost, _)| *cost as f64 * self.per_cost >= WIDTH_MIN);
        few::sort_by(&mut gone, |a, b| b.cmp(a));
        gone.truncate(GONE_MAX);
        let told = gone.into_iter().map(|(cost, name)| {
            format!(
                "only in the base: {name}, {} {}",
                counted(cost),
                self.head.unit
            )
        });
        told.collect()
    }
}

/// Gathers the functions of a base that its head does not call in their place.
fn only_in_base(base: &Frame, head: Option<&Frame>, gone: &mut Vec<(u64, String)>) {
    for call in &base.calls {
        match head.and_then(|head| head.called(&call.name)) {
            None => gone.push((call.cost, call.name.clone())),
            head => only_in_base(call, head, gone),
        }
    }
}

fn change(base: u64, head: u64) -> String {
    match base {
        0 => "new".to_owned(),
        base => format!("{:+.1} %", 100.0 * (head as f64 / base as f64 - 1.0)),
    }
}

/// Returns a count with a comma between thousands.
fn counted(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns as much of a name as there is room for.
fn cut(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let kept: String = name.chars().take(room.saturating_sub(1)).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(calls: &[(&str, u64)]) -> Profile {
        let mut root = Frame::new("all");
        for (name, cost) in calls {
            root.cost += cost;
            root.call(name).cost += cost;
        }
        Profile {
            unit: "instructions".to_owned(),
            root,
        }
    }

    #[test]
    fn a_function_says_what_it_cost_and_what_changed() {
        let base = profile(&[("get", 1000), ("old", 500)]);
        let head = profile(&[("get", 1500), ("new", 500)]);
        let alone = flame(&head, None);
        assert!(
            alone.contains("<title>get: 1,500 instructions, 75.0 %</title>"),
            "{alone}"
        );
        let beside = flame(&head, Some(&base));
        for said in [
            "get: 1,500 instructions, 75.0 %; 1,000 in the base (+50.0 %)",
            "new: 500 instructions, 25.0 %; not in the base",
            "only in the base: old, 500 instructions",
            "2,000 instructions, 1,500 in the base (+33.3 %)",
            "class=\"m5\"",
        ] {
            assert!(beside.contains(said), "{said} is not in\n{beside}");
        }
        let same = flame(&head, Some(&head));
        assert!(
            same.contains("class=\"same\"") && !same.contains("class=\"m"),
            "{same}"
        );
    }

    #[test]
    fn hostile_names_are_text_and_nothing_is_loaded_or_run() {
        let names = [
            "</title><script>alert(1)</script>",
            "a\" onload=\"x",
            "\u{202e}evil\u{1b}[31m",
            "]]>&amp;<style>",
        ];
        let calls: Vec<(&str, u64)> = names.iter().map(|name| (*name, 100)).collect();
        let svg = flame(&profile(&calls), Some(&profile(&[("<b>gone</b>", 400)])));
        for sign in [
            "<script",
            "<b>",
            "onload=\"x",
            "\u{202e}",
            "\u{1b}",
            "href",
            "url(",
            "@import",
        ] {
            assert!(!svg.contains(sign), "{sign:?} is in\n{svg}");
        }
        assert_eq!(svg.matches("<style>").count(), 1);
        let opened = svg.matches("<title>").count();
        assert_eq!(
            (opened, opened),
            (
                svg.matches("</title>").count(),
                svg.matches("<g>").count() + 1
            )
        );
    }

    #[test]
    fn a_profile_of_nothing_is_a_picture() {
        assert!(flame(&profile(&[]), None).ends_with("</svg>\n"));
    }

    #[test]
    fn thousands_are_told_apart() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(counted),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
