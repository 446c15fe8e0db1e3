//! Time, for measuring how long an analysis took.

/// Milliseconds on the browser's clock.
pub(crate) fn now() -> f64 {
    js_sys::Date::now()
}
