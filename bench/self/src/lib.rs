//! The suite of Tripline's own pipeline.
