//! Verdicts: why each device was or was not chosen, as data with wording last.
