//go:build !without_hint

package main

import (
	"errors"

	"k8s.io/dynamic-resource-allocation/cel"
)

// enhance adds the hint that the allocator shows with a run-time error.
func enhance(text string) string {
	return cel.EnhanceRuntimeError(errors.New(text)).Error()
}
