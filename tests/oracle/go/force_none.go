//go:build without_variants

package main

// forceVariant does nothing: the release has no way to choose a variant.
func forceVariant(string) {}
