//go:build !without_variants

package main

import "k8s.io/dynamic-resource-allocation/structured"

// forceVariant restricts the next allocators to one variant; empty lifts it.
func forceVariant(name string) {
	if name == "" {
		structured.EnableAllocators()
		return
	}
	structured.EnableAllocators(name)
}
