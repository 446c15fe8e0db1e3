//! The browser: the only folder that names `web_sys` and `js_sys`.
//!
//! Each function is small and turns what can fail into an `Option` or a message; none panics.

pub(crate) mod beside;
pub(crate) mod bridge;
pub(crate) mod clipboard;
pub(crate) mod clock;
pub(crate) mod dom;
pub(crate) mod editor;
pub(crate) mod files;
pub(crate) mod keys;
mod packed;
pub(crate) mod serve;
pub(crate) mod storage;
pub(crate) mod url;
mod wire;
pub(crate) mod worker;
