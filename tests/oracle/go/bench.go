package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"time"
)

// benches measures one record of a subject; a subject's file adds itself here.
var benches = map[string]func(line []byte) (any, error){}

// answerBench measures the record's subject: {"bench": SUBJECT, ...}.
func answerBench(line []byte) (string, any, error) {
	var record struct {
		Bench string `json:"bench"`
	}
	if err := json.Unmarshal(line, &record); err != nil {
		return "", nil, err
	}
	measured, ok := benches[record.Bench]
	if !ok {
		return "", nil, fmt.Errorf("nothing to measure for %q", record.Bench)
	}
	value, err := measured(line)
	return "measured", value, err
}

const (
	// shortestBatch is what a clock can measure well.
	shortestBatch = 200 * time.Microsecond
	// fewestBatches and longestMeasurement end a measurement.
	fewestBatches      = 11
	longestMeasurement = 40 * time.Millisecond
)

// measure gives the median nanoseconds of one call, over batches of calls.
// The side in Rust measures in the same way.
func measure(call func()) float64 {
	size := 1
	for {
		if took := timed(call, size); took >= shortestBatch {
			break
		}
		size *= 2
	}
	var batches []float64
	for start := time.Now(); len(batches) < fewestBatches || time.Since(start) < longestMeasurement; {
		batches = append(batches, float64(timed(call, size).Nanoseconds())/float64(size))
	}
	sort.Float64s(batches)
	return batches[len(batches)/2]
}

func timed(call func(), size int) time.Duration {
	start := time.Now()
	for range size {
		call()
	}
	return time.Since(start)
}
