//! How much of an error rate may be spent by when, if there are a few looks (Lan and DeMets 1983).
//!
//! The share of the planned pairs that is measured goes in, the error spent up to there comes out. O'Brien and Fleming's
//! spends almost nothing early and leaves nearly all for the end; Pocock's spends about evenly.
//!
//! Tested by the reference values.

use std::f64::consts::E;

use super::distribution::{normal_above, normal_quantile};

/// Returns what is spent of a two-sided error by O'Brien and Fleming's way, after a share of the planned pairs.
#[must_use]
pub fn obrien_fleming(alpha: f64, share: f64) -> f64 {
    if share <= 0.0 {
        return 0.0;
    }
    let z = -normal_quantile(alpha / 2.0);
    2.0 * normal_above(z / share.min(1.0).sqrt())
}

/// Returns what is spent of an error by Pocock's way, after a share of the planned pairs.
#[must_use]
pub fn pocock(alpha: f64, share: f64) -> f64 {
    alpha * ((E - 1.0) * share.clamp(0.0, 1.0)).ln_1p()
}
