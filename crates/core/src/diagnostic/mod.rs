//! What is wrong or odd in the user's text, with its place and what to do about it.
//!
//! Must not know YAML, CEL or Kubernetes.
