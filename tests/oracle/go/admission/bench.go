package main

import (
	"encoding/json"
	"sort"
	"strings"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	"sigs.k8s.io/yaml"
)

const (
	fewestRuns         = 11
	longestMeasurement = time.Second
)

// bench measures what reading the slices of a text into the types of the API
// takes, and answers with the median nanoseconds.
func bench(line []byte) ([]byte, error) {
	var question record
	if err := json.Unmarshal(line, &question); err != nil {
		return nil, err
	}
	documents := strings.Split(question.Text, "\n---\n")
	read := func() error {
		for _, document := range documents {
			var slice resourceapi.ResourceSlice
			if err := yaml.Unmarshal([]byte(document), &slice); err != nil {
				return err
			}
		}
		return nil
	}
	var runs []float64
	for start := time.Now(); len(runs) < fewestRuns || time.Since(start) < longestMeasurement; {
		before := time.Now()
		if err := read(); err != nil {
			return nil, err
		}
		runs = append(runs, float64(time.Since(before).Nanoseconds()))
	}
	sort.Float64s(runs)
	answer, err := json.Marshal(map[string]any{"measured": map[string]float64{"read": runs[len(runs)/2]}})
	return append(answer, '\n'), err
}
