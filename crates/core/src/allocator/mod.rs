//! The search for devices: requests, counters, capacity, taints, constraints, results.
