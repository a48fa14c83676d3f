//! The list of outputs, in suggested reading order. A file under `renderers/` that is missing here fails a test.

mod comment;
mod json;
mod junit;
mod sarif;
mod summary;
mod terminal;

use crate::Renderer;

/// All outputs.
pub const RENDERERS: &[&Renderer] = &[
    &terminal::RENDERER,
    &comment::RENDERER,
    &summary::RENDERER,
    &json::RENDERER,
    &junit::RENDERER,
    &sarif::RENDERER,
];

/// Returns an output by its name.
#[must_use]
pub fn renderer(name: &str) -> Option<&'static Renderer> {
    RENDERERS
        .iter()
        .copied()
        .find(|renderer| renderer.name == name)
}
