//! Writes the pages of a history that was made up: `made_up FOLDER ordinary`, `computed`, `odd`, or `large BENCHMARKS METRICS COMMITS`.
//!
//! The browser's tests look at them, and so can you.

#[path = "../tests/site/made_up.rs"]
mod made_up;

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse().map_err(io::Error::other);
    let (folder, trends) = match words[..] {
        [folder, "ordinary"] => (folder, made_up::ordinary()),
        [folder, "computed"] => (folder, made_up::computed()),
        [folder, "odd"] => (folder, made_up::odd()),
        [folder, "large", benchmarks, metrics, commits] => {
            let trends = made_up::large(number(benchmarks)?, number(metrics)?, number(commits)?);
            (folder, trends)
        }
        _ => return Err(io::Error::other("name a folder and a history")),
    };
    for (path, bytes) in tripline_site::site(&trends, &made_up::about()) {
        let place = Path::new(folder).join(path);
        if let Some(parent) = place.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(place, bytes)?;
    }
    Ok(())
}
