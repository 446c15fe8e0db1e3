//! What the commands print.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the one place that prints")]

/// Prints a line of result.
pub(crate) fn print_line(text: &str) {
    println!("{text}");
}

/// Says what is being done.
pub(crate) fn print_step(text: &str) {
    println!("→ {text}");
}

/// Says what is being installed, before it is.
pub(crate) fn print_install(what: &str, command: &str) {
    println!("→ installing {what}: {command}");
}

/// Says what a reader should know but need not act on.
pub(crate) fn print_note(text: &str) {
    println!("  note: {text}");
}

/// Prints why a command failed.
pub(crate) fn print_error(text: &str) {
    eprintln!("error: {text}");
}
