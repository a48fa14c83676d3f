//! The tables of the detectors of change points, on standard output.
//!
//! `--repetitions 30` says how often each family is made; any other argument that is no option is a folder that holds a
//! copy of the Turing Change Point Dataset. Tested in the library; here is only the reading and the printing.
#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use std::error::Error;
use std::fs;
use std::path::Path;

use bench_self::trends::annotated::{Annotated, read_opinions, read_values, table};
use bench_self::trends::tables;

/// How often each family is made unless one says otherwise.
const REPETITIONS: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut repetitions = REPETITIONS;
    let mut folders = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--repetitions" => {
                let number = arguments.next().ok_or("`--repetitions` wants a number")?;
                repetitions = number
                    .parse()
                    .map_err(|error| format!("`--repetitions {number}`: {error}"))?;
            }
            // Cargo says that it is a bench.
            option if option.starts_with('-') => (),
            folder if Path::new(folder).is_dir() => folders.push(argument),
            other => return Err(format!("`{other}` is no folder, so nothing was scored").into()),
        }
    }
    for table in tables(repetitions) {
        println!("{table}");
    }
    for folder in folders {
        println!("{}", table(&dataset(Path::new(&folder))?));
    }
    Ok(())
}

/// Reads a copy of the dataset.
fn dataset(folder: &Path) -> Result<Vec<Annotated>, Box<dyn Error>> {
    let opinions = read_opinions(&fs::read_to_string(folder.join("annotations.json"))?)?;
    let mut all = Vec::new();
    for (name, opinions) in opinions {
        let path = folder
            .join("datasets")
            .join(&name)
            .join(format!("{name}.json"));
        // Some series may not be handed on, and have to be made by a script of the dataset.
        if !path.is_file() {
            continue;
        }
        if let Some(values) = read_values(&fs::read_to_string(path)?)? {
            all.push(Annotated { values, opinions });
        }
    }
    Ok(all)
}
