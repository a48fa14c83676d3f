//! What the pages load: styles, scripts made from `front/`, and the icon.

use crate::Files;

/// Name and content of each.
const ASSETS: &[(&str, &[u8])] = &[
    ("style.css", include_bytes!("../assets/style.css")),
    ("home.js", include_bytes!("../assets/home.js")),
    ("bench.css", include_bytes!("../assets/bench.css")),
    ("bench.js", include_bytes!("../assets/bench.js")),
    ("compare.js", include_bytes!("../assets/compare.js")),
    ("icon.svg", include_bytes!("../assets/icon.svg")),
];

/// Adds them to the files of a site.
pub(crate) fn add(files: &mut Files) {
    for (name, bytes) in ASSETS {
        files.insert(format!("assets/{name}"), bytes.to_vec());
    }
}
