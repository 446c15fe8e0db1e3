//! Semantic versions with the rules and error texts of `github.com/blang/semver/v4`.
