//! Time, for measuring how long an analysis took.

/// Milliseconds on the browser's clock.
pub(crate) fn now() -> f64 {
    js_sys::Date::now()
}

/// A moment as the reader's language writes it.
pub(crate) fn written(date: f64, language: &str) -> String {
    let options = js_sys::Object::new();
    js_sys::Date::new(&date.into()).to_locale_string(language, &options).into()
}
