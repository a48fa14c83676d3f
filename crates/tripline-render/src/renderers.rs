//! The list of outputs, in suggested reading order. A file under `renderers/` that is missing here fails a test.

mod json;
mod markdown;
mod terminal;

use crate::Renderer;

/// All outputs.
pub const RENDERERS: &[&Renderer] = &[&terminal::RENDERER, &markdown::RENDERER, &json::RENDERER];

/// Returns an output by its name.
#[must_use]
pub fn renderer(name: &str) -> Option<&'static Renderer> {
    RENDERERS
        .iter()
        .copied()
        .find(|renderer| renderer.name == name)
}
