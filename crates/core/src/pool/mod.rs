//! Slices grouped into pools as one node sees them.
