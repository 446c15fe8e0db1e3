//! What tests of findings and of pages share.

#![allow(dead_code, reason = "every test file uses a part of it")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests read files")]

use std::path::{Path, PathBuf};

use dra_playground_core::api::{DeviceAttribute, DeviceCapacity};
use dra_playground_core::apimachinery::Entries;
use dra_playground_core::selector::DeviceInput;
use dra_playground_core::workspace::report::{Diagnostic, Range};

/// What a range marks.
pub(crate) fn marked(text: &str, range: Range) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (from, to) = (range.from as usize, range.to as usize);
    String::from_utf16_lossy(units.get(from..to).unwrap_or_default())
}

/// The text after all edits of the first fix.
pub(crate) fn fixed(text: &str, found: &Diagnostic) -> Option<String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut out, mut done) = (Vec::new(), 0);
    for edit in &found.fixes.first()?.edits {
        out.extend(units.get(done..edit.range.from as usize).unwrap_or_default());
        out.extend(edit.text.encode_utf16());
        done = edit.range.to as usize;
    }
    out.extend(units.get(done..).unwrap_or_default());
    Some(String::from_utf16_lossy(&out))
}

/// A file or folder of the project.
pub(crate) fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// The files of a folder by name, without their ending.
pub(crate) fn files(of: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = std::fs::read_dir(project(of))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    found.sort();
    found
}

/// Hands over a device that has an attribute of each type, and 40Gi of memory.
pub(crate) fn with_device<T>(run: impl FnOnce(&DeviceInput<'_>) -> T) -> T {
    let text = |text: &str| DeviceAttribute { string: Some(text.to_owned()), ..Default::default() };
    let attributes = Entries::from_iter([
        ("index".to_owned(), DeviceAttribute { int: Some(3), ..Default::default() }),
        ("flag".to_owned(), DeviceAttribute { bool: Some(true), ..Default::default() }),
        ("model".to_owned(), text("a100")),
        ("paren".to_owned(), text("(")),
        (
            "firmware".to_owned(),
            DeviceAttribute { version: Some("1.2.3+build".to_owned()), ..Default::default() },
        ),
    ]);
    let value = "40Gi".parse().unwrap();
    let capacity =
        Entries::from_iter([("memory".to_owned(), DeviceCapacity { value, request_policy: None })]);
    run(&DeviceInput {
        driver: "gpu.example.com",
        attributes: &attributes,
        capacity: &capacity,
        allow_multiple_allocations: None,
    })
}
