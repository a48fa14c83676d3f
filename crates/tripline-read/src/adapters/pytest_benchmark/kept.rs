//! Which files of a directory `.benchmarks` are of earlier runs: it has a folder for each machine, and in that a file for each
//! run, whose name begins with the run's number. Tested below.

use std::collections::BTreeMap;

use crate::input::Input;

/// What is said of a run that another one followed.
pub(super) const EARLIER: &str =
    "it is of an earlier run, and the one of the highest number is read";

/// The highest number of a run, by folder.
pub(super) type Newest = BTreeMap<String, u64>;

/// Returns the number of the newest run of each folder.
pub(super) fn newest(input: &Input) -> Newest {
    let mut all = Newest::new();
    for file in input.files() {
        if let Some((folder, number)) = run_of(&file.shown_name()) {
            let newest = all.entry(folder.to_owned()).or_default();
            *newest = number.max(*newest);
        }
    }
    all
}

/// Returns whether a file is of a run that another one of its folder followed.
pub(super) fn is_earlier(newest: &Newest, file: &str) -> bool {
    run_of(file).is_some_and(|(folder, number)| newest.get(folder) > Some(&number))
}

/// Returns the folder of a file and the number that its name begins with, where it is one that is kept.
fn run_of(path: &str) -> Option<(&str, u64)> {
    let (folder, name) = path.rsplit_once('/')?;
    let (number, _) = name.strip_suffix(".json")?.split_once('_')?;
    let is_number = number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        .then(|| number.parse().ok())
        .flatten()
        .map(|number| (folder, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_runs_have_a_number_in_front() {
        for (path, expected) in [
            (
                ".benchmarks/Linux/0010_c.json",
                Some((".benchmarks/Linux", 10)),
            ),
            (
                ".benchmarks/Linux/12345_c.json",
                Some((".benchmarks/Linux", 12_345)),
            ),
            ("out/report_0001.json", None),
            ("out/001_c.json", None),
            ("out/0001.json", None),
            ("0001_c.json", None),
            ("out/99999999999999999999_c.json", None),
        ] {
            assert_eq!(run_of(path), expected, "{path}");
        }
    }

    #[test]
    fn of_each_folder_the_highest_number_is_the_newest() {
        let directory = tempfile::tempdir().unwrap();
        for file in [
            "a/0002_x.json",
            "a/0010_y.json",
            "b/0003_z.json",
            "a/other.json",
        ] {
            let path = directory.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "{}").unwrap();
        }
        let input = Input::open(directory.path()).unwrap();
        let newest = newest(&input);
        let earlier = input
            .files()
            .filter(|file| is_earlier(&newest, &file.shown_name()));
        let earlier: Vec<String> = earlier.map(crate::input::InputFile::shown_name).collect();
        assert_eq!(earlier.len(), 1);
        assert!(earlier[0].ends_with("a/0002_x.json"), "{earlier:?}");
    }
}
