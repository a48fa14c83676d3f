//! The folder for everything measured.

use super::finding::Finding;
use crate::project::Project;

pub(super) fn look(project: &Project) -> Vec<Finding> {
    let place = project.output();
    let writable = std::fs::create_dir_all(&place).and_then(|()| tempfile::tempfile_in(&place));
    vec![match writable {
        Ok(_) => Finding::good(format!("`{}` can be written", place.display())),
        Err(error) => Finding::bad(
            format!("`{}` cannot be written: {error}", place.display()),
            "make it writable, or set CARGO_TARGET_DIR",
        ),
    }]
}
