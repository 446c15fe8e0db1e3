//! A scenario over time: steps, clock, expectations, snapshots.
