//go:build without_hint

package main

// enhance changes nothing: the release has no hints.
func enhance(text string) string { return text }
