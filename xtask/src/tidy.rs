//! The project's own rules.
use crate::shell::{Outcome, Project};
pub(crate) fn run(_project: &Project) -> Outcome<()> {
    Ok(())
}
