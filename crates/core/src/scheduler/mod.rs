//! The path of one Pod through the scheduler: PreEnqueue to PostFilter.
