//! The raw times that `compare --dump` keeps of a benchmark: in each line the total of the baseline, that of the candidate,
//! and over how many iterations both were taken. The file has the benchmark's name. Tested by `fixtures/tango`.

use crate::entry::Entry;
use crate::listing::Listing;
use crate::naming::bench_of_title;
use crate::wall_time;

/// What stands in a line.
struct Row<'t> {
    candidate: f64,
    iterations: u64,
    /// The iterations as they are written: where the text is cut, digits of them are missing.
    digits: &'t str,
}

fn parse(line: &str) -> Option<Row<'_>> {
    let mut numbers = line.trim_end().split(',');
    let mut number = || {
        let digits = numbers.next()?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        Some((digits, digits.parse::<u64>().ok()?)).filter(|_| is_number)
    };
    let (_, (_, candidate), (digits, iterations)) = (number()?, number()?, number()?);
    let row = Row {
        candidate: candidate as f64,
        iterations,
        digits,
    };
    numbers.next().is_none().then_some(row)
}

/// Returns whether a line may be one number whose thousands are set apart.
fn may_be_number(line: &str) -> bool {
    let mut groups = line.trim_end().split(',');
    groups.next().is_some_and(|first| first.len() <= 3) && groups.all(|group| group.len() == 3)
}

/// Returns whether a text is such a file: most of its lines are, and not all of them may be something else.
pub(super) fn is_dump(text: &str) -> bool {
    let (mut rows, mut others, mut sure) = (0_usize, 0_usize, false);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match parse(line) {
            Some(_) => rows += 1,
            None => others += 1,
        }
        sure |= !may_be_number(line);
        if others > rows + 1 {
            return false;
        }
    }
    rows > others && sure
}

/// Reads the file as one benchmark.
pub(super) fn read(mut listing: Listing<'_, '_>) {
    let document = listing.document;
    let cut_line = document.cut_line();
    let (mut totals, mut iterations) = (Vec::new(), Vec::new());
    let mut width = 0;
    for block in document
        .lines()
        .filter(|block| !block.text.trim().is_empty())
    {
        let row = parse(block.text);
        // Where the text ends without a line end, the number before it may lack digits.
        let is_whole = |digits: &str| width > 0 && digits.len() >= width;
        match row.filter(|row| cut_line != Some(block.line) || is_whole(row.digits)) {
            Some(row) => {
                totals.push(row.candidate);
                iterations.push(row.iterations);
                width = row.digits.len();
            }
            None => listing.problem(block.line, "a damaged line of raw times"),
        }
    }
    let bench = bench_of_title(listing.suite, &document.stem());
    let entry = bench.and_then(|bench| {
        let reading = wall_time::reading(&totals, iterations, 1.0);
        let reading = reading.map_err(|error| {
            let bench = bench.within_suite();
            format!("the times of benchmark `{bench}` cannot be used: {error}")
        })?;
        Ok(Entry::new(bench, vec![reading]))
    });
    listing.take(1, entry);
}
