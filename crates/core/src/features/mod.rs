//! Kubernetes releases and feature gates as named behaviour switches.
