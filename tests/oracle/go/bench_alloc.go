package main

import (
	"context"

	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

func init() { benches["alloc"] = benchAlloc }

// benchAlloc measures one attempt for all claims of a scenario over all of its
// nodes, as the scheduler makes it: a new allocator, whose compiled selectors
// are kept from earlier attempts.
func benchAlloc(line []byte) (any, error) {
	s, err := readScenario(line)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	cache := cel.NewCache(100, s.celFeatures())
	fits := 0
	attempt := func() {
		fits = 0
		allocator, failure := structured.NewAllocator(ctx, s.structuredFeatures(),
			committed(s.AllocatedClaims, s.Features["ConsumableCapacity"]),
			classLister(s.DeviceClasses), s.ResourceSlices, cache)
		if failure != nil {
			err = failure
			return
		}
		for _, node := range s.Nodes {
			result, failure := allocator.Allocate(ctx, node, s.Claims)
			if failure != nil {
				err = failure
			}
			if result != nil {
				fits++
			}
		}
	}
	attempt()
	if err != nil {
		return nil, err
	}
	return struct {
		Attempt float64 `json:"attempt"`
		Fits    int     `json:"fits"`
	}{Attempt: measure(attempt), Fits: fits}, nil
}
