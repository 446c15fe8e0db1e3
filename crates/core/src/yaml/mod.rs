//! Documents and nodes with spans, read as Kubernetes reads YAML and JSON.
