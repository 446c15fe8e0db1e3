//! The objects of a scenario by kind and name, and what is allocated.
