//! Gathers what a history says, one run at a time: an entry of each, and a problem for all that cannot be used.
//!
//! Tested by `tests/it/data_js.rs`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::replace;

use jiff::Timestamp;
use tripline_model::{
    CommitId, CommitSubject, Entry, NameError, Origin, Point, Producer, SeriesSet, SuiteName,
    is_harmless, milliseconds,
};

use super::Beside;
use super::known::Known;
use super::loose::Loose;
use super::meaning::Tool;
use super::odd::Oddity;
use super::people::{commit_of, is_cut, message_of, without_user};
use super::rows::{Rows, TEXT_BYTES_MAX, members_of};
use super::shape::{Bench, Commit, Run};
use super::suite::{Met, Suite};
use super::titles::Titles;
use super::value::{Taken, is_early, ranges_like, subject_of, taken, time_of};
use crate::place::shown;

/// The most problems that are kept one by one.
const PROBLEMS_MAX: usize = 100_000;

/// The most values of a run, so that its record can be read again.
const ROWS_MAX: usize = 50_000;

/// The longest address of a repository that is kept, in bytes.
const ADDRESS_BYTES_MAX: usize = 1024;

/// The digits of a hash.
const HASH_DIGITS: usize = 40;

/// The fewest digits by which git names a commit; less is a word.
const SHORT_DIGITS_MIN: usize = 4;

/// The longest word that a commit may be called by, which is as long as the longest hash has bytes.
const WORD_BYTES_MAX: usize = 32;

/// The longest text that holds the hash of a commit, in bytes.
const CALLED_BYTES_MAX: usize = 256;

/// What wrote the values of such a history.
const PRODUCER: &str = "github-action-benchmark";

/// What a history gave.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) repository: Option<String>,
    pub(super) last_update: Option<f64>,
    pub(super) suites: Vec<(SuiteName, String)>,
    pub(super) series: Vec<SeriesSet>,
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<(usize, String)>,
    pub(super) left_out: usize,
}

/// Takes runs as they are read.
#[derive(Debug)]
pub(super) struct Gather<'t> {
    text: &'t str,
    done: Gathered,
    suite: Option<Suite<'t>>,
    there: Beside<'t>,
    titles: Titles,
    /// How many runs were read of each suite that ended.
    ended: BTreeMap<SuiteName, usize>,
    beyond: Option<(usize, usize)>,
    /// Where the reader is, as far as that is known: the last text that was borrowed.
    at: usize,
}

impl<'t> Gather<'t> {
    /// Takes the suites that are there already, to which the history is added.
    pub(super) fn new(text: &'t str, there: Beside<'t>) -> Self {
        Self {
            text,
            done: Gathered::default(),
            suite: None,
            there,
            titles: Titles::new(there.suites),
            ended: BTreeMap::new(),
            beyond: None,
            at: 0,
        }
    }

    /// Takes note of the address of the repository's page, without what lets anybody in there.
    pub(super) fn repository(&mut self, page: &Loose<'t>) {
        let is_good =
            |page: &&Cow<'_, str>| page.len() <= ADDRESS_BYTES_MAX && page.chars().all(is_harmless);
        let text = page.text().filter(|page| !page.trim().is_empty());
        let kept = text.filter(is_good).map(|page| without_user(page));
        self.see(page);
        if let Some(Cow::Owned(_)) = kept {
            self.note("`repoUrl` says by whom and with which password the page is read, which is not kept");
        }
        if kept.is_none() && (text.is_some() || !page.is_text_or_nothing()) {
            self.note("`repoUrl` is no address of a page, and is not kept");
        }
        self.done.repository = kept.map(Cow::into_owned);
    }

    /// Takes note of when the history was last written. No run says so.
    pub(super) fn last_update(&mut self, time: &Loose<'t>) {
        let said = time_of(time);
        if said.is_none() {
            self.see(time);
            self.note(
                "`lastUpdate` is no time that can be read, and when the newest run was measured stands in for it",
            );
        }
        self.done.last_update = said.map(milliseconds);
    }

    /// Says that a member of the whole is not kept, such as what a page of somebody's own is told there.
    pub(super) fn other_member(&mut self, name: &str) {
        let name = shown(name);
        self.note(&format!(
            "the history has a member `{name}`, which is not kept"
        ));
    }

    /// Says that the suites follow once more, as in a file that was merged badly. All of them are kept.
    pub(super) fn entries_again(&mut self, key: &str) {
        self.see_text(key);
        self.note(
            "`entries` stands once more, and its suites are kept beside those before: a browser sees the last `entries` alone",
        );
    }

    /// Begins a suite. What it is called becomes a name that can be a folder's.
    pub(super) fn suite(&mut self, title: &str) {
        self.end_suite();
        self.see_text(title);
        if let Some(name) = self.titles.again(title) {
            let (name, title) = (name.clone(), shown(title));
            self.note(&format!(
                "suite `{title}` stands once more, and its runs are kept behind those before: a browser sees the last one alone"
            ));
            self.suite = Some(self.suite_again(name, title));
            return;
        }
        let (name, other) = self.titles.name_of(title);
        if let Some(other) = other {
            let title = shown(title);
            self.note(&format!(
                "suite `{title}` is called `{name}`, because another is called `{other}`"
            ));
        }
        self.done.suites.push((name.clone(), title.to_owned()));
        let suite = self.new_suite(name, shown(title), &[]);
        self.suite = Some(suite);
    }

    /// Returns a suite whose title stood before: its series go on, and its runs stand and are counted behind those that it
    /// had.
    fn suite_again(&self, name: SuiteName, title: String) -> Suite<'t> {
        let Gathered {
            series, entries, ..
        } = &self.done;
        let own = entries.iter();
        let own = own.filter(|entry| *series[entry.series].suite() == name);
        let mut suite = self.new_suite(name.clone(), title, series);
        suite.runs = self.ended.get(&name).copied().unwrap_or_default();
        for entry in own {
            suite.commits.insert(entry.commit.clone());
            suite.standing.of(entry.measured_at);
        }
        suite
    }

    /// Returns a suite, whose series may be there already or among those that were read before.
    fn new_suite(&self, name: SuiteName, title: String, read: &[SeriesSet]) -> Suite<'t> {
        let there = self.there.series.iter().copied().chain(read);
        let known = Known::of(there.filter(|set| *set.suite() == name));
        let mut suite = Suite::new(name, title, known);
        suite.run_at = self.at;
        suite
    }

    /// Says what was odd about the suite that ends.
    fn end_suite(&mut self) {
        if let Some(suite) = self.suite.take() {
            let told = suite.odd.told(&suite.title);
            self.done.problems.extend(told);
            if suite.runs == 0 {
                let at = replace(&mut self.at, suite.run_at);
                let title = &suite.title;
                self.note(&format!(
                    "suite `{title}` holds no run, so nothing of it is kept"
                ));
                self.at = at;
            }
            self.ended.insert(suite.name, suite.runs);
        }
    }

    /// Takes note of something that is wrong or odd, where the reader is.
    pub(super) fn note(&mut self, what: &str) {
        if self.done.problems.len() == PROBLEMS_MAX {
            self.beyond.get_or_insert((self.at, 0)).1 += 1;
            return;
        }
        self.done.problems.push((self.at, what.to_owned()));
    }

    /// Takes note of a value, a run or a suite that cannot be used, where the reader is.
    pub(super) fn leave_out(&mut self, what: &str, why: &str) {
        self.done.left_out += 1;
        self.note(&format!("{what} is left out: {why}"));
    }

    /// Remembers where a borrowed text stands.
    fn see(&mut self, value: &Loose<'t>) {
        if let Loose::Text(Cow::Borrowed(text)) = value {
            self.see_text(text);
        }
    }

    /// Remembers where a benchmark stands. A name with escapes is no part of the text; its value always is.
    fn see_bench(&mut self, bench: &Bench<'t>) {
        if let Some(value) = bench.value {
            self.see_text(value.get());
        }
        self.see(&bench.name);
    }

    fn see_text(&mut self, text: &str) {
        let at = text.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        if at <= self.text.len() {
            self.at = at;
        }
    }

    /// Takes a run of the suite; none is what stands in a run's place and is no object.
    pub(super) fn run(&mut self, run: Option<Run<'t>>) {
        let Some(mut suite) = self.suite.take() else {
            return;
        };
        suite.runs += 1;
        let what = format!("run {} of suite `{}`", suite.runs, suite.title);
        match run {
            None => self.leave_out(&what, "it is no object"),
            Some(run) => {
                if let Some(name) = &run.first {
                    self.see_text(name);
                }
                self.see(&run.commit.id);
                suite.run_at = self.at;
                if let Err(why) = self.take(&mut suite, &what, run) {
                    self.leave_out(&what, &why);
                }
            }
        }
        self.suite = Some(suite);
    }

    fn take(&mut self, suite: &mut Suite<'t>, what: &str, run: Run<'t>) -> Result<(), String> {
        let id = run.commit.id.text().ok_or("it names no commit")?;
        let (commit, called) = whole_id(id.trim()).map_err(|error| error.to_string())?;
        let committed_at = time_of(&run.commit.timestamp);
        let date = time_of(&run.date);
        let measured_at = date
            .or(committed_at)
            .ok_or("it does not say when it was measured")?;
        if run.is_twice() {
            suite.note(Oddity::Twice);
        }
        let tool = run.tool.text().map_or_else(String::new, |tool| shown(tool));
        let said = self.tool_of(suite, what, &tool);
        let benches = run.benches.ok_or("it has no list of benchmarks")?;
        let (points, written) = self.points(suite, what, benches, said);
        if points.is_empty() {
            return Err("it holds no value that can be used".to_owned());
        }
        let (series, points) = suite.in_a_set(&points, &mut self.done.series);
        for oddity in oddities_of_date(&run.date, date) {
            suite.note(oddity);
        }
        if !suite.commits.insert(commit.clone()) {
            suite.note(Oddity::Repeated);
        }
        let behind = suite.standing.of(measured_at);
        if behind.is_some() {
            suite.note(Oddity::Late);
        }
        if run.has_others || run.commit.has_others() {
            suite.note(Oddity::OtherMember);
        }
        if is_cut(&run.commit) {
            suite.note(Oddity::LongCommit);
        }
        if let Some((_, oddity)) = called {
            suite.note(oddity);
        }
        let (subject, mut origin) = origin(&run.commit, committed_at, Origin { behind, ..written });
        origin.commit.id = called.map(|(id, _)| id.into());
        self.done.entries.push(Entry {
            series,
            commit,
            committed_at,
            subject,
            measured_at,
            producer: Producer {
                name: PRODUCER.to_owned(),
                version: tool,
            },
            points,
            origin: Some(Box::new(origin)),
        });
        Ok(())
    }

    /// Returns what the tool of a run takes for better, and says where the tool changes.
    fn tool_of(&mut self, suite: &mut Suite<'t>, what: &str, tool: &str) -> Tool {
        let said = Tool::of(tool);
        if suite.tool.as_deref() != Some(tool) {
            if let Some(before) = &suite.tool {
                self.note(&format!(
                    "{what} was made by `{tool}`, and those before by `{before}`"
                ));
            }
            if said.better.is_none() {
                self.note(&format!(
                    "{what} was made by `{tool}`, of which nobody knows which direction is better"
                ));
            }
            suite.tool = Some(tool.to_owned());
        }
        said
    }

    /// Returns the points of a run by the number of their series, and what was written of them.
    fn points(
        &mut self,
        suite: &mut Suite<'t>,
        what: &str,
        mut benches: Vec<Bench<'t>>,
        tool: Tool,
    ) -> (Vec<(usize, Point)>, Origin) {
        if benches.len() > ROWS_MAX {
            let more = benches.len() - ROWS_MAX;
            benches.truncate(ROWS_MAX);
            self.done.left_out += more;
            self.note(&format!(
                "{what} has more than {ROWS_MAX} values, and the last {more} are left out"
            ));
        }
        let mut rows = Rows::of(benches.len());
        let mut odd = BTreeSet::new();
        let found = suite.series_of(&benches, tool);
        for ((number, bench), series) in (1..).zip(&benches).zip(found) {
            self.see_bench(bench);
            let unnamed = |why| (format!("benchmark {number} of {what}"), why);
            let met = series
                .map(|series| (series, &suite.met()[series]))
                .map_err(unnamed);
            let taken = |(series, met)| Ok((series, met, value_of(met, bench, tool, what)?));
            let (series, met, taken) = match met.and_then(taken) {
                Ok(found) => found,
                Err((which, why)) => {
                    self.leave_out(&which, &why);
                    continue;
                }
            };
            let (members, is_less) = members_of(bench);
            odd.extend(oddities(bench, met, &taken, is_less));
            if taken.is_range_unread && !suite.has_unread_ranges {
                suite.has_unread_ranges = true;
                let ranges = ranges_like(&bench.range);
                self.note(&format!("{what} and maybe others have {ranges}"));
            }
            let extra = bench.extra.text().map(|text| &**text);
            if !rows.push(series, &taken, extra, members.as_deref()) {
                self.note(&format!(
                    "{what} has more than {TEXT_BYTES_MAX} bytes of ranges, extras and other members, and those from here on are left out"
                ));
            }
        }
        for oddity in odd {
            suite.note(oddity);
        }
        rows.end()
    }

    /// Ends reading.
    pub(super) fn finish(mut self) -> Result<Gathered, String> {
        self.end_suite();
        if self.done.suites.is_empty() {
            return Err("the history holds no suite".to_owned());
        }
        if let Some((at, count)) = self.beyond {
            let text = format!("{count} more problems from here on");
            self.done.problems.push((at, text));
        }
        Ok(self.done)
    }
}

/// Returns a benchmark's value, if it is a number; else which benchmark it is, and why there is none.
fn value_of<'b>(
    met: &Met<'_>,
    bench: &'b Bench<'_>,
    tool: Tool,
    what: &str,
) -> Result<Taken<'b>, (String, String)> {
    taken(bench, met.scale, met.is_time(), tool).ok_or_else(|| {
        let name = shown(met.name());
        let why = "it has no value that is a number".to_owned();
        (format!("benchmark `{name}` of {what}"), why)
    })
}

/// Returns what is odd about the date of a run, which is none where it cannot be read.
fn oddities_of_date(written: &Loose<'_>, date: Option<Timestamp>) -> impl Iterator<Item = Oddity> {
    let is_text = date.is_some() && written.text().is_some();
    let is_early = date.is_some_and(|date| is_early(written, date));
    [
        (date.is_none(), Oddity::Undated),
        (is_text, Oddity::DateAsText),
        (is_early, Oddity::EarlyDate),
    ]
    .into_iter()
    .filter_map(|(is_so, oddity)| is_so.then_some(oddity))
}

/// Returns what is odd about a benchmark that is taken.
fn oddities(
    bench: &Bench<'_>,
    met: &Met<'_>,
    taken: &Taken<'_>,
    is_less: bool,
) -> impl Iterator<Item = Oddity> {
    let is_text = bench
        .value
        .is_some_and(|value| value.get().starts_with('"'));
    let has_tail = bench
        .unit
        .text()
        .is_some_and(|unit| unit.as_bytes().contains(&b'\t'));
    let is_of_other_kind = matches!(bench.extra, Loose::Truth(_) | Loose::Json(_));
    [
        (is_text, Oddity::ValueAsText),
        (met.is_turned(), Oddity::Rate),
        (met.is_rising_time(), Oddity::RisingTime),
        (taken.is_range_bare, Oddity::BareRange),
        (has_tail, Oddity::GoResults),
        (is_of_other_kind, Oddity::OtherExtra),
        (is_less, Oddity::OtherMember),
    ]
    .into_iter()
    .filter_map(|(is_so, oddity)| is_so.then_some(oddity))
}

/// What a commit is called where that is no whole hash, and what is odd about it.
type Called<'t> = Option<(&'t str, Oddity)>;

/// Returns the commit that a run names, and what it is called there where that is no whole hash: the beginning of one, in
/// which zeros stand for the digits that nobody knows, a word such as a version, whose bytes make up the digits, or more than
/// a hash.
fn whole_id(text: &str) -> Result<(CommitId, Called<'_>), NameError> {
    let error = match CommitId::new(text) {
        Ok(whole) => return Ok((whole, None)),
        Err(error) => error,
    };
    // What holds the sign of an address may be one.
    let is_up_to = |bytes: usize| {
        (1..=bytes).contains(&text.len()) && text.chars().all(|c| c != '@' && is_harmless(c))
    };
    let is_word = is_up_to(WORD_BYTES_MAX);
    let is_long = !is_word && is_up_to(CALLED_BYTES_MAX);
    let begun = described(text).filter(|_| is_long).unwrap_or(text);
    if is_begun(begun) {
        let whole = format!("{begun:0<HASH_DIGITS$}");
        return Ok((CommitId::new(&whole)?, Some((text, Oddity::ShortCommit))));
    }
    if let Some(hash) = hash_before_more(text).filter(|_| is_long) {
        return Ok((CommitId::new(hash)?, Some((text, Oddity::MarkedCommit))));
    }
    if is_word {
        let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        let all = match digits.len() {
            ..=HASH_DIGITS => HASH_DIGITS,
            _ => 2 * WORD_BYTES_MAX,
        };
        let whole = format!("{digits:0<all$}");
        return Ok((CommitId::new(&whole)?, Some((text, Oddity::WordCommit))));
    }
    Err(error)
}

/// Returns whether a text is the beginning of a hash.
fn is_begun(text: &str) -> bool {
    (SHORT_DIGITS_MIN..HASH_DIGITS).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the digits in what `git describe` says of a commit, as in `v1.2.3-14-g2414721` and `v1.2.3-14-g2414721-dirty`. It is
/// asked only of what is too long to be kept as a word, as all of these once were.
fn described(text: &str) -> Option<&str> {
    let text = text.strip_suffix("-dirty").unwrap_or(text);
    let (tag, digits) = text.rsplit_once("-g")?;
    let (_, commits) = tag.rsplit_once('-')?;
    let is_count = !commits.is_empty() && commits.bytes().all(|byte| byte.is_ascii_digit());
    is_count.then_some(digits)
}

/// Returns the whole hash in front of what else is said of a commit, as in `2414721b194453f058079d897d13c4e377f92dc6-dirty`.
fn hash_before_more(text: &str) -> Option<&str> {
    let more = text.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    let hash = &text[..text.len() - more.len()];
    let is_apart = more.starts_with(|c: char| !c.is_alphanumeric());
    (is_apart && CommitId::new(hash).is_ok()).then_some(hash)
}

/// Adds to what was written of a run what its commit says.
fn origin(
    commit: &Commit<'_>,
    committed_at: Option<Timestamp>,
    written: Origin,
) -> (Option<CommitSubject>, Origin) {
    let message = message_of(&commit.message);
    let subject = message.as_deref().and_then(subject_of);
    let committed_at = committed_at.map(|at| at.to_string());
    let said = subject.as_ref().map(CommitSubject::as_str);
    let commit = commit_of(commit, message.as_deref(), said, committed_at.as_deref());
    (subject, Origin { commit, ..written })
}
